// SPDX-License-Identifier: Apache-2.0
// What the compiler calls before each access and each doubtful operation of a source compiled for --check raw: the
// callbacks of -fsanitize=kernel-address and of -fsanitize=bounds and its like, handed on to libsfumato. They are
// hidden: the object needs no sanitizer's runtime, and one that the host has does not see it. Comes before everything
// else of the source (compiler flag -include).
#pragma once

#include "sfumato/code_calls.h"
#include "sfumato/scalar_port.h"

#ifndef SFUMATO_OWN_HEADERS
#define SFUMATO_OWN_HEADERS ""  // folders with colons between: what stands there is not the kernel's own code
#endif

#if defined(__clang__)
#define SFUMATO_UNWATCHED no_sanitize("kernel-address", "undefined")
#else
#define SFUMATO_UNWATCHED no_sanitize_address, no_sanitize_undefined
#endif
// The assembler's name alone is that of the compiler's call, which C++ may have declared otherwise.
#define SFUMATO_CALLBACK(result, function, symbol, ...)                                                        \
    extern "C" result function(__VA_ARGS__) __asm__(symbol);                                                   \
    extern "C" __attribute__((weak, noinline, used, visibility("hidden"), SFUMATO_UNWATCHED)) result function( \
        __VA_ARGS__)
// Most accesses are to the frames above. What lies beyond the stack of a core is a guard of so many bytes.
namespace sfumato::raw {
__attribute__((always_inline, SFUMATO_UNWATCHED)) inline bool IsNear(const void* address, const void* frame) {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(frame) < (64u << 10);
}
}  // namespace sfumato::raw
#define SFUMATO_ACCESS(bytes, kind, write)                                                                      \
    SFUMATO_CALLBACK(void, sfumato_raw_##kind##bytes, "__asan_" #kind #bytes "_noabort", const void* address) { \
        if (!sfumato::raw::IsNear(address, __builtin_frame_address(0)) && sfumato::runtime::t_core)             \
            SfumatoRawAccess(address, bytes, write, __builtin_return_address(0), SFUMATO_OWN_HEADERS);          \
    }
#define SFUMATO_ACCESSES(bytes) SFUMATO_ACCESS(bytes, load, false) SFUMATO_ACCESS(bytes, store, true)
SFUMATO_ACCESSES(1)
SFUMATO_ACCESSES(2)
SFUMATO_ACCESSES(4)
SFUMATO_ACCESSES(8)
SFUMATO_ACCESSES(16)

SFUMATO_CALLBACK(void, sfumato_raw_load, "__asan_loadN_noabort", const void* address, size_t bytes) {
    if (sfumato::runtime::t_core)
        SfumatoRawAccess(address, bytes, false, __builtin_return_address(0), SFUMATO_OWN_HEADERS);
}
SFUMATO_CALLBACK(void, sfumato_raw_store, "__asan_storeN_noabort", void* address, size_t bytes) {
    if (sfumato::runtime::t_core)
        SfumatoRawAccess(address, bytes, true, __builtin_return_address(0), SFUMATO_OWN_HEADERS);
}
// Nothing is kept that these would change.
SFUMATO_CALLBACK(void, sfumato_raw_no_return, "__asan_handle_no_return", void) {}
SFUMATO_CALLBACK(void, sfumato_raw_before_init, "__asan_before_dynamic_init", const char*) {}
SFUMATO_CALLBACK(void, sfumato_raw_after_init, "__asan_after_dynamic_init", void) {}

// Copies of structs, and the program's own calls; clang has names of its own for them.
#define SFUMATO_MOVE(function, symbol)                                                            \
    SFUMATO_CALLBACK(void*, function, symbol, void* to, const void* from, size_t bytes) {         \
        return SfumatoRawMove(to, from, bytes, __builtin_return_address(0), SFUMATO_OWN_HEADERS); \
    }
#define SFUMATO_FILL(function, symbol)                                                            \
    SFUMATO_CALLBACK(void*, function, symbol, void* to, int byte, size_t bytes) {                 \
        return SfumatoRawFill(to, byte, bytes, __builtin_return_address(0), SFUMATO_OWN_HEADERS); \
    }
SFUMATO_MOVE(sfumato_raw_memcpy, "memcpy")
SFUMATO_MOVE(sfumato_raw_memmove, "memmove")
SFUMATO_FILL(sfumato_raw_memset, "memset")
SFUMATO_MOVE(sfumato_raw_asan_memcpy, "__asan_memcpy")
SFUMATO_MOVE(sfumato_raw_asan_memmove, "__asan_memmove")
SFUMATO_FILL(sfumato_raw_asan_memset, "__asan_memset")

SFUMATO_CALLBACK(void*, sfumato_raw_exception, "__cxa_allocate_exception", size_t bytes) {
    return SfumatoRawException(bytes);
}

#define SFUMATO_DOUBT(name, doubt)                                                                                     \
    SFUMATO_CALLBACK(void, sfumato_raw_##name, "__ubsan_handle_" #name, void* data, uintptr_t left, uintptr_t right) { \
        if (sfumato::runtime::t_core)                                                                                  \
            SfumatoDoubt(sfumato::raw::Doubt::doubt, data, left, right, SFUMATO_OWN_HEADERS);                          \
    }
SFUMATO_DOUBT(add_overflow, kAdd)
SFUMATO_DOUBT(sub_overflow, kSubtract)
SFUMATO_DOUBT(mul_overflow, kMultiply)
SFUMATO_DOUBT(negate_overflow, kNegate)  // left alone
SFUMATO_DOUBT(divrem_overflow, kDivide)
SFUMATO_DOUBT(shift_out_of_bounds, kShift)
SFUMATO_DOUBT(out_of_bounds, kIndex)  // left alone

#undef SFUMATO_DOUBT
#undef SFUMATO_FILL
#undef SFUMATO_MOVE
#undef SFUMATO_ACCESSES
#undef SFUMATO_ACCESS
#undef SFUMATO_CALLBACK
#undef SFUMATO_UNWATCHED
