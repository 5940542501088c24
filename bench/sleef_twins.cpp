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

// The formula of Gelu (adv.md 4.3) in one loop: x / (1 + e^(-1.5957691 (x + 0.044715 x^3))).
#define SFUMATO_GELU(bits, lanes, features)                                                                          \
    [[gnu::target(features)]] void gelu##bits(const float* src, float* dst, size_t n) {                              \
        for (size_t i = 0; i < n; i += lanes) {                                                                      \
            const auto x = _mm##bits##_loadu_ps(src + i);                                                            \
            const auto cube = _mm##bits##_mul_ps(_mm##bits##_mul_ps(x, x), x);                                       \
            const auto sum = _mm##bits##_fmadd_ps(cube, _mm##bits##_set1_ps(0.044715f), x);                          \
            const auto e = Sleef_expf##lanes##_u10(_mm##bits##_mul_ps(sum, _mm##bits##_set1_ps(-1.5957691f)));       \
            _mm##bits##_storeu_ps(dst + i, _mm##bits##_div_ps(x, _mm##bits##_add_ps(e, _mm##bits##_set1_ps(1.0f)))); \
        }                                                                                                            \
    }
SFUMATO_GELU(512, 16, "avx512f")
SFUMATO_GELU(256, 8, "avx2,fma")
#undef SFUMATO_GELU

constexpr SleefTwin k512[] = {
    {"tanh", tanh512}, {"sin", sin512}, {"log2", log2512}, {"exp", exp512}, {"gelu", gelu512}};
constexpr SleefTwin k256[] = {
    {"tanh", tanh256}, {"sin", sin256}, {"log2", log2256}, {"exp", exp256}, {"gelu", gelu256}};

}  // namespace

const SleefTwin* FindSleef(const char* name) {
    const bool wide = __builtin_cpu_supports("avx512f"), narrow = __builtin_cpu_supports("avx2");
    for (size_t i = 0; i < std::size(k512); ++i) {
        if (std::strcmp(k512[i].name, name) == 0) return wide ? &k512[i] : narrow ? &k256[i] : nullptr;
    }
    return nullptr;
}

}  // namespace sfumato::bench
