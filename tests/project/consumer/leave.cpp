// SPDX-License-Identifier: Apache-2.0
// A kernel that calls exit, and host code in the same file that may.
#include <cstdlib>

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void leave(int32_t code) { std::exit(code); }

void LeaveHost(int code) { std::exit(code); }
