// SPDX-License-Identifier: Apache-2.0
// The native twins: the same functions as the instructions, as fast as this host's SIMD allows by hand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sfumato::bench {

struct Native {
    const char* name;  // "AVX-512", "AVX2"
    // Cast float to half, CAST_RINT, policy saturate: overflow and inf give the largest half, NaN gives 0.
    void (*float_to_half)(const float* src, uint16_t* dst, size_t n);
    // Cast half to int32, CAST_RINT: inf saturates, NaN gives 0.
    void (*half_to_int32)(const uint16_t* src, int32_t* dst, size_t n);
    // The same on the elements of every 64 that the mask selects; n is a multiple of 64.
    void (*float_to_half_masked)(const float* src, uint16_t* dst, size_t n, uint64_t mask);
    void (*half_to_int32_masked)(const uint16_t* src, int32_t* dst, size_t n, uint64_t mask);
    // Add and Adds of float; NaN is canonical. dst may be a source.
    void (*add)(const float* a, const float* b, float* dst, size_t n);
    void (*adds)(const float* src, float scalar, float* dst, size_t n);
    // Adds of the elements of one vector that the mask selects.
    void (*adds_masked)(const float* src, float scalar, float* dst, uint32_t mask);
};

// The best for this CPU, or nullptr when it has neither AVX-512 nor AVX2 with F16C.
const Native* FindNative();

}  // namespace sfumato::bench
