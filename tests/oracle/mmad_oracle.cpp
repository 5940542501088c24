// SPDX-License-Identifier: Apache-2.0
// Mmad: products and sums in the decided order (cube.md 4), each rounded once.
#include "oracle/mmad_oracle.h"

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "oracle/conversion_oracle.h"

namespace sfumato::oracle {

float RoundedProduct(float a, float b) { return static_cast<float>(static_cast<double>(a) * static_cast<double>(b)); }

float RoundedSum(float a, float b) { return static_cast<float>(static_cast<double>(a) + static_cast<double>(b)); }

float SumOfBlock(const std::vector<float>& a, const std::vector<float>& b) {
    // Products of floats are multiples of 2^-298 below 2^256: 640 bits hold every sum of them.
    mpfr_t sum, product, factor;
    mpfr_init2(sum, 640);
    mpfr_init2(product, 640);
    mpfr_init2(factor, 24);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < a.size(); ++i) {
        mpfr_set_flt(product, a[i], MPFR_RNDN);
        mpfr_set_flt(factor, b[i], MPFR_RNDN);
        mpfr_mul(product, product, factor, MPFR_RNDN);
        mpfr_add(sum, sum, product, MPFR_RNDN);
    }
    const float rounded = mpfr_get_flt(sum, MPFR_RNDN);
    mpfr_clear(sum);
    mpfr_clear(product);
    mpfr_clear(factor);
    return rounded;
}

float RoundedToHf32(float x, isa::Matmul::Hf32 mode) {
    if (mode == isa::Matmul::Hf32::kOff || !std::isfinite(x)) return x;
    constexpr uint32_t kDropped = 12;
    const uint32_t bits = std::bit_cast<uint32_t>(x);
    const uint32_t sign = bits & 0x80000000u;
    uint32_t kept = (bits & 0x7FFFFFFFu) >> kDropped;
    const uint32_t rest = bits & ((1u << kDropped) - 1), half = 1u << (kDropped - 1);
    const bool tie_up = mode == isa::Matmul::Hf32::kNearestAway || (kept & 1) != 0;
    if (rest > half || (rest == half && tie_up)) ++kept;
    return std::bit_cast<float>(sign | kept << kDropped);
}

float FloatOfBits(DataType type, uint64_t bits) {
    if (type == DataType::kHalf) {
        bits = ConvertIeee<DataType::kHalf, DataType::kFloat, Rounding::kRint>(bits);
    } else if (type == DataType::kBfloat16) {
        bits = ConvertIeee<DataType::kBfloat16, DataType::kFloat, Rounding::kRint>(bits);
    }
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

uint64_t BitsOfFloat(DataType type, float x, Overflow overflow, bool* replaced) {
    if (type == DataType::kFloat) return std::isnan(x) ? 0x7FC00000u : std::bit_cast<uint32_t>(x);
    const uint64_t bits = std::bit_cast<uint32_t>(x);
    const bool half = type == DataType::kHalf;
    const uint64_t result = half ? ConvertIeee<DataType::kFloat, DataType::kHalf, Rounding::kRint>(bits)
                                 : ConvertIeee<DataType::kFloat, DataType::kBfloat16, Rounding::kRint>(bits);
    if (overflow != Overflow::kSaturate) return result;
    const uint64_t saturated = half ? Saturated<DataType::kHalf>(result) : Saturated<DataType::kBfloat16>(result);
    if (saturated != result) *replaced = true;
    return saturated;
}

uint64_t ElementOfA(const isa::Matmul& p, uint32_t bits, uint64_t m, uint64_t k) {
    if (p.vector_a) return k;
    const uint64_t k0 = 256 / bits;
    const uint64_t k1 = p.k_direction_align ? 2 * CeilDiv(p.k, 16) : CeilDiv(p.k, k0);
    return (m / 16 * k1 + k / k0) * 16 * k0 + m % 16 * k0 + k % k0;
}

uint64_t ElementOfB(const isa::Matmul& p, uint32_t bits, uint64_t k, uint64_t n) {
    const uint64_t k0 = 256 / bits;
    return (k / k0 * CeilDiv(p.n, 16) + n / 16) * 16 * k0 + n % 16 * k0 + k % k0;
}

namespace {

int64_t IntegerOfBits(DataType type, uint64_t bits) {
    switch (type) {
        case DataType::kInt4: return IntegerAt<DataType::kInt4>(bits);
        case DataType::kInt8: return IntegerAt<DataType::kInt8>(bits);
        case DataType::kInt32: return IntegerAt<DataType::kInt32>(bits);
        default: return static_cast<int64_t>(bits);
    }
}

// Elements of A and B of one product, in ascending k.
struct Line {
    std::vector<uint64_t> a, b;
};

Line LineOf(const MatmulCase& c, const Bytes& l0a, const Bytes& l0b, uint64_t m, uint64_t n) {
    const uint32_t bits = BitsOf(c.a.type);
    Line line;
    for (uint64_t k = 0; k < c.shape.k; ++k) {
        line.a.push_back(Get(l0a, c.a.at, ElementOfA(c.shape, bits, m, k), bits));
        line.b.push_back(Get(l0b, c.b.at, ElementOfB(c.shape, bits, k, n), bits));
    }
    return line;
}

uint64_t IntegerResult(const MatmulCase& c, const Line& line, uint64_t start) {
    int64_t sum = IntegerOfBits(c.c.type, start);
    for (size_t k = 0; k < line.a.size(); ++k) {
        sum += IntegerOfBits(c.a.type, line.a[k]) * IntegerOfBits(c.b.type, line.b[k]);
    }
    if (c.c.type == DataType::kUint32) return static_cast<uint64_t>(std::clamp<int64_t>(sum, 0, UINT32_MAX));
    return static_cast<uint64_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX)) & 0xFFFFFFFFu;
}

uint64_t FloatResult(const MatmulCase& c, const Line& line, uint64_t start, bool* replaced) {
    std::vector<float> a, b;
    for (size_t k = 0; k < line.a.size(); ++k) {
        a.push_back(RoundedToHf32(FloatOfBits(c.a.type, line.a[k]), c.shape.hf32));
        b.push_back(RoundedToHf32(FloatOfBits(c.b.type, line.b[k]), c.shape.hf32));
    }
    // The policy saturate, at every product and every sum: the result depends on no blocking.
    const auto kept = [&](float x) {
        if (c.overflow != Overflow::kSaturate || std::isfinite(x)) return x;
        *replaced = true;
        return std::isnan(x) ? 0.0f : std::copysign(std::numeric_limits<float>::max(), x);
    };
    float acc = FloatOfBits(c.c.type, start);
    if (c.shape.order == isa::Accumulation()) {
        for (size_t k = 0; k < a.size(); ++k) acc = kept(RoundedSum(acc, kept(RoundedProduct(a[k], b[k]))));
    } else {
        const size_t k0 = 256 / BitsOf(c.a.type);
        for (size_t k = 0; k < a.size(); k += k0) {
            const auto begin = static_cast<std::ptrdiff_t>(k);
            const auto end = static_cast<std::ptrdiff_t>(std::min(k + k0, a.size()));
            const float block = SumOfBlock({a.begin() + begin, a.begin() + end}, {b.begin() + begin, b.begin() + end});
            acc = kept(RoundedSum(acc, kept(block)));
        }
    }
    return BitsOfFloat(c.c.type, acc, c.overflow, replaced);
}

}  // namespace

bool ExpectMatmul(const MatmulCase& c, const Bytes& l0a, const Bytes& l0b, Bytes& l0c) {
    const isa::Matmul& p = c.shape;
    const uint32_t bits = BitsOf(c.c.type);
    if (p.k == 0) return false;  // does nothing, as m or n of 0
    const Bytes before = l0c;    // the bias may lie in L0C
    // What overflows of data nobody has defined (the fill pattern) is not worth a note.
    const uint32_t operand_bits = BitsOf(c.a.type);
    const uint64_t fill = 0xFEFEFEFEFEFEFEFEu >> (64 - operand_bits);
    bool replaced = false, undefined = false;
    for (uint64_t m = 0; m < p.m; ++m) {
        for (uint64_t n = 0; n < p.n; ++n) {
            const uint64_t element = (n / 16 * CeilDiv(p.m, 16) + m / 16) * 256 + m % 16 * 16 + n % 16;
            uint64_t start = 0;
            if (p.initial == isa::Matmul::Initial::kAccumulate) start = Get(before, c.c.at, element, bits);
            if (p.initial == isa::Matmul::Initial::kBias) {
                start = c.bias_in_l0c ? Get(before, c.bias_at, n / 16 * 256 + n % 16, bits)
                                      : Get(*c.bias_image, c.bias_at, n, 32);
            }
            const Line line = LineOf(c, l0a, l0b, m, n);
            undefined |=
                std::count(line.a.begin(), line.a.end(), fill) + std::count(line.b.begin(), line.b.end(), fill) > 0;
            Put(l0c, c.c.at, element, bits,
                IsFloating(c.a.type) ? FloatResult(c, line, start, &replaced) : IntegerResult(c, line, start));
        }
    }
    return replaced && !undefined;
}

}  // namespace sfumato::oracle
