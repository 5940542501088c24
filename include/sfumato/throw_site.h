// SPDX-License-Identifier: Apache-2.0
// Where a kernel throws: what the compiler calls for `throw` keeps the place for the report, in this object alone.
#pragma once

#include "sfumato/code_calls.h"

extern "C" [[noreturn]] void sfumato_throw(void* object, void* type, void (*destroy)(void*)) __asm__("__cxa_throw");
extern "C" [[noreturn]] __attribute__((weak, noinline, visibility("hidden"))) void sfumato_throw(
    void* object, void* type, void (*destroy)(void*)) {
    SfumatoThrow(object, type, destroy, __builtin_return_address(0));
}
