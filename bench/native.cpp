// SPDX-License-Identifier: Apache-2.0
// The native twins, with intrinsics.
#include "native.h"

#include <immintrin.h>

#define SFUMATO_AVX512 [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,f16c,fma")]]
#define SFUMATO_AVX2 [[gnu::target("avx2,f16c,fma")]]

namespace sfumato::bench {
namespace {

constexpr float kLargestHalf = 65504.0f;
constexpr uint16_t kMagnitude = 0x7FFF, kInf = 0x7C00;

// ---- AVX-512

SFUMATO_AVX512 inline __m256i FloatToHalf512(__m512 x) {
    // The smaller magnitude under x's sign; NaN lanes are zeroed by the mask.
    const __m512 clamped =
        _mm512_maskz_range_ps(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x, _mm512_set1_ps(kLargestHalf), 2);
    return _mm512_cvtps_ph(clamped, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

SFUMATO_AVX512 void FloatToHalfAvx512(const float* src, uint16_t* dst, size_t n) {
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const __m256i low = FloatToHalf512(_mm512_loadu_ps(src + i));
        const __m256i high = FloatToHalf512(_mm512_loadu_ps(src + i + 16));
        _mm512_storeu_si512(dst + i, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    }
    for (; i < n; i += 16) {
        const __mmask16 mask = n - i >= 16 ? 0xFFFF : static_cast<__mmask16>((1u << (n - i)) - 1);
        _mm256_mask_storeu_epi16(dst + i, mask, FloatToHalf512(_mm512_maskz_loadu_ps(mask, src + i)));
    }
}

SFUMATO_AVX512 void FloatToHalfMaskedAvx512(const float* src, uint16_t* dst, size_t n, uint64_t mask) {
    for (size_t i = 0; i < n; i += 32) {
        const __m256i low = FloatToHalf512(_mm512_loadu_ps(src + i));
        const __m256i high = FloatToHalf512(_mm512_loadu_ps(src + i + 16));
        _mm512_mask_storeu_epi16(dst + i, static_cast<__mmask32>(mask >> (i % 64)),
                                 _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    }
}

SFUMATO_AVX512 inline __m512i HalfToInt512(__m256i h) {
    const __m512 x = _mm512_cvtph_ps(h);
    const __m512i rounded = _mm512_maskz_cvtps_epi32(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x);
    const __mmask16 over = _mm512_cmp_ps_mask(x, _mm512_set1_ps(2147483648.0f), _CMP_GE_OQ);
    return _mm512_mask_mov_epi32(rounded, over, _mm512_set1_epi32(INT32_MAX));
}

SFUMATO_AVX512 void HalfToInt32Avx512(const uint16_t* src, int32_t* dst, size_t n) {
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const __m512i h = _mm512_loadu_si512(src + i);
        const __m256i low = _mm512_castsi512_si256(h), high = _mm512_extracti64x4_epi64(h, 1);
        const __m512i magnitude = _mm512_and_si512(h, _mm512_set1_epi16(kMagnitude));
        if (__builtin_expect(_mm512_cmpge_epi16_mask(magnitude, _mm512_set1_epi16(kInf)) == 0, 1)) {
            _mm512_storeu_si512(dst + i, _mm512_cvtps_epi32(_mm512_cvtph_ps(low)));
            _mm512_storeu_si512(dst + i + 16, _mm512_cvtps_epi32(_mm512_cvtph_ps(high)));
        } else {
            _mm512_storeu_si512(dst + i, HalfToInt512(low));
            _mm512_storeu_si512(dst + i + 16, HalfToInt512(high));
        }
    }
    for (; i < n; i += 16) {
        const __mmask16 mask = n - i >= 16 ? 0xFFFF : static_cast<__mmask16>((1u << (n - i)) - 1);
        _mm512_mask_storeu_epi32(dst + i, mask, HalfToInt512(_mm256_maskz_loadu_epi16(mask, src + i)));
    }
}

SFUMATO_AVX512 void HalfToInt32MaskedAvx512(const uint16_t* src, int32_t* dst, size_t n, uint64_t mask) {
    for (size_t i = 0; i < n; i += 16) {
        const __m512i result = HalfToInt512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + i)));
        _mm512_mask_storeu_epi32(dst + i, static_cast<__mmask16>(mask >> (i % 64)), result);
    }
}

SFUMATO_AVX512 inline __m512 Sum512(__m512 a, __m512 b) {
    const __m512 sum = _mm512_add_ps(a, b);
    return _mm512_mask_mov_ps(sum, _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q),
                              _mm512_castsi512_ps(_mm512_set1_epi32(0x7FC00000)));
}

SFUMATO_AVX512 void AddAvx512(const float* a, const float* b, float* dst, size_t n) {
    size_t i = 0;
    for (; i + 16 <= n; i += 16) _mm512_storeu_ps(dst + i, Sum512(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i)));
    const __mmask16 rest = static_cast<__mmask16>((1u << (n - i)) - 1);
    _mm512_mask_storeu_ps(dst + i, rest,
                          Sum512(_mm512_maskz_loadu_ps(rest, a + i), _mm512_maskz_loadu_ps(rest, b + i)));
}

SFUMATO_AVX512 void AddsAvx512(const float* src, float scalar, float* dst, size_t n) {
    const __m512 b = _mm512_set1_ps(scalar);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) _mm512_storeu_ps(dst + i, Sum512(_mm512_loadu_ps(src + i), b));
    const __mmask16 rest = static_cast<__mmask16>((1u << (n - i)) - 1);
    _mm512_mask_storeu_ps(dst + i, rest, Sum512(_mm512_maskz_loadu_ps(rest, src + i), b));
}

SFUMATO_AVX512 void AddsMaskedAvx512(const float* src, float scalar, float* dst, uint32_t bits) {
    const __mmask16 mask = static_cast<__mmask16>(bits);
    _mm512_mask_storeu_ps(dst, mask, Sum512(_mm512_maskz_loadu_ps(mask, src), _mm512_set1_ps(scalar)));
}

// ---- AVX2 with F16C. What is left after whole vectors goes through a padded one.

SFUMATO_AVX2 inline __m128i FloatToHalf256(__m256 x) {
    x = _mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q));
    x = _mm256_min_ps(_mm256_max_ps(x, _mm256_set1_ps(-kLargestHalf)), _mm256_set1_ps(kLargestHalf));
    return _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

SFUMATO_AVX2 void FloatToHalfAvx2(const float* src, uint16_t* dst, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i), FloatToHalf256(_mm256_loadu_ps(src + i)));
    }
    float last[8] = {};
    uint16_t result[8];
    for (size_t k = i; k < n; ++k) last[k - i] = src[k];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(result), FloatToHalf256(_mm256_loadu_ps(last)));
    for (size_t k = i; k < n; ++k) dst[k] = result[k - i];
}

// All ones in the 16-bit or 32-bit lanes of the 8 bits.
SFUMATO_AVX2 inline __m128i Lanes16(uint64_t bits) {
    const __m128i bit = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16(static_cast<int16_t>(bits & 0xFF)), bit), bit);
}
SFUMATO_AVX2 inline __m256i Lanes32(uint64_t bits) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits & 0xFF)), bit), bit);
}

SFUMATO_AVX2 void FloatToHalfMaskedAvx2(const float* src, uint16_t* dst, size_t n, uint64_t mask) {
    for (size_t i = 0; i < n; i += 8) {
        auto* at = reinterpret_cast<__m128i*>(dst + i);
        const __m128i result = FloatToHalf256(_mm256_loadu_ps(src + i));
        _mm_storeu_si128(at, _mm_blendv_epi8(_mm_loadu_si128(at), result, Lanes16(mask >> (i % 64))));
    }
}

SFUMATO_AVX2 inline __m256i HalfToInt256(__m128i h) {
    const __m256 x = _mm256_cvtph_ps(h);
    const __m256i rounded = _mm256_cvtps_epi32(_mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q)));
    // 0x80000000 where x is too large: all bits flipped give the largest integer.
    const __m256 over = _mm256_cmp_ps(x, _mm256_set1_ps(2147483648.0f), _CMP_GE_OQ);
    return _mm256_xor_si256(rounded, _mm256_castps_si256(over));
}

SFUMATO_AVX2 void HalfToInt32Avx2(const uint16_t* src, int32_t* dst, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i h = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + i), HalfToInt256(h));
    }
    uint16_t last[8] = {};
    int32_t result[8];
    for (size_t k = i; k < n; ++k) last[k - i] = src[k];
    const __m128i h = _mm_loadu_si128(reinterpret_cast<const __m128i*>(last));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(result), HalfToInt256(h));
    for (size_t k = i; k < n; ++k) dst[k] = result[k - i];
}

SFUMATO_AVX2 void HalfToInt32MaskedAvx2(const uint16_t* src, int32_t* dst, size_t n, uint64_t mask) {
    for (size_t i = 0; i < n; i += 8) {
        const __m256i result = HalfToInt256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i)));
        _mm256_maskstore_epi32(dst + i, Lanes32(mask >> (i % 64)), result);
    }
}

SFUMATO_AVX2 inline __m256 Sum256(__m256 a, __m256 b) {
    const __m256 sum = _mm256_add_ps(a, b);
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000));
    return _mm256_blendv_ps(sum, nan, _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q));
}

SFUMATO_AVX2 inline __m256i FirstLanes(size_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

SFUMATO_AVX2 void AddAvx2(const float* a, const float* b, float* dst, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(dst + i, Sum256(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i)));
    const __m256i rest = FirstLanes(n - i);
    _mm256_maskstore_ps(dst + i, rest, Sum256(_mm256_maskload_ps(a + i, rest), _mm256_maskload_ps(b + i, rest)));
}

SFUMATO_AVX2 void AddsAvx2(const float* src, float scalar, float* dst, size_t n) {
    const __m256 b = _mm256_set1_ps(scalar);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(dst + i, Sum256(_mm256_loadu_ps(src + i), b));
    const __m256i rest = FirstLanes(n - i);
    _mm256_maskstore_ps(dst + i, rest, Sum256(_mm256_maskload_ps(src + i, rest), b));
}

SFUMATO_AVX2 void AddsMaskedAvx2(const float* src, float scalar, float* dst, uint32_t bits) {
    const __m256i mask = Lanes32(bits);
    _mm256_maskstore_ps(dst, mask, Sum256(_mm256_maskload_ps(src, mask), _mm256_set1_ps(scalar)));
}

constexpr Native kAvx512 = {
    "AVX-512", FloatToHalfAvx512, HalfToInt32Avx512, FloatToHalfMaskedAvx512, HalfToInt32MaskedAvx512,
    AddAvx512, AddsAvx512,        AddsMaskedAvx512};
constexpr Native kAvx2 = {"AVX2",  FloatToHalfAvx2, HalfToInt32Avx2, FloatToHalfMaskedAvx2, HalfToInt32MaskedAvx2,
                          AddAvx2, AddsAvx2,        AddsMaskedAvx2};

}  // namespace

const Native* FindNative() {
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return &kAvx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) return &kAvx2;
    return nullptr;
}

}  // namespace sfumato::bench
