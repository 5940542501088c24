// SPDX-License-Identifier: Apache-2.0
// <unistd.h> of kernel sources: _exit is the one of sfumato/process.h. Found before the system's; kernels that do not
// include it keep its short names (pipe, read, link) for themselves.
#pragma once

#define _exit sfumato_libc_underscore_exit
#include_next <unistd.h>
#undef _exit
