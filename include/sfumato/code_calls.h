// SPDX-License-Identifier: Apache-2.0
// What compiled kernels call in libsfumato behind the program's back: from callbacks of the compiler (raw_callbacks.h,
// throw_site.h), which are in the kernel's object alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sfumato/data_type.h"

// `at`: the instruction behind the call. Outside a launch, and in one without --check raw, they do nothing.
extern "C" SFUMATO_API void SfumatoRawAccess(const void* address, size_t bytes, bool write, const void* at,
                                             const char* own_headers);
// The move itself, once both sides are looked at; returns `to`.
extern "C" SFUMATO_API void* SfumatoRawMove(void* to, const void* from, size_t bytes, const void* at,
                                            const char* own_headers);
extern "C" SFUMATO_API void* SfumatoRawFill(void* to, int byte, size_t bytes, const void* at, const char* own_headers);
// As __cxa_allocate_exception: what is written there is no stray store.
extern "C" SFUMATO_API void* SfumatoRawException(size_t bytes);
// `data` as the compiler lays it out for the handler of that name; left and right: values, or where they lie.
namespace sfumato::raw {
enum class Doubt : int { kAdd, kSubtract, kMultiply, kNegate, kDivide, kShift, kIndex };
}
extern "C" SFUMATO_API void SfumatoDoubt(sfumato::raw::Doubt doubt, const void* data, uintptr_t left, uintptr_t right,
                                         const char* own_headers);

// As __cxa_throw of the C++ ABI.
extern "C" [[noreturn]] SFUMATO_API void SfumatoThrow(void* object, void* type, void (*destroy)(void*), const void* at);
