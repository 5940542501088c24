// SPDX-License-Identifier: Apache-2.0
// The name of older releases.
#pragma once

#include "lib/matmul_intf.h"
