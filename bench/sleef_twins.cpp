// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX-512, and called where the CPU has it or takes the loops of AVX2.
#include "sleef_twins.h"

#include <immintrin.h>
#include <sleef.h>

#include <cstring>
#include <iterator>

namespace sfumato::bench {
namespace {

#define SFUMATO_SLEEF(function)                                                              \
    [[gnu::target("avx512f")]] void function##512(const float* src, float* dst, size_t n) {  \
        for (size_t i = 0; i < n; i += 16)                                                   \
            _mm512_storeu_ps(dst + i, Sleef_##function##f16_u10(_mm512_loadu_ps(src + i)));  \
    }                                                                                        \
    [[gnu::target("avx2,fma")]] void function##256(const float* src, float* dst, size_t n) { \
        for (size_t i = 0; i < n; i += 8)                                                    \
            _mm256_storeu_ps(dst + i, Sleef_##function##f8_u10(_mm256_loadu_ps(src + i)));   \
    }
SFUMATO_SLEEF(tanh)
SFUMATO_SLEEF(sin)
SFUMATO_SLEEF(log2)
SFUMATO_SLEEF(exp)
#undef SFUMATO_SLEEF

constexpr SleefTwin k512[] = {{"tanh", tanh512}, {"sin", sin512}, {"log2", log2512}, {"exp", exp512}};
constexpr SleefTwin k256[] = {{"tanh", tanh256}, {"sin", sin256}, {"log2", log2256}, {"exp", exp256}};

}  // namespace

const SleefTwin* FindSleef(const char* name) {
    const bool wide = __builtin_cpu_supports("avx512f"), narrow = __builtin_cpu_supports("avx2");
    for (size_t i = 0; i < std::size(k512); ++i) {
        if (std::strcmp(k512[i].name, name) == 0) return wide ? &k512[i] : narrow ? &k256[i] : nullptr;
    }
    return nullptr;
}

}  // namespace sfumato::bench
