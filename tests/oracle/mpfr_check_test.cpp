// SPDX-License-Identifier: Apache-2.0
// Checks the oracle against MPFR: every 16-bit input and 10^5 strata and all boundaries of wider ones, each pair and
// mode.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "oracle/conversion_inputs.h"
#include "oracle/conversion_oracle.h"

namespace sfumato::oracle {
namespace {

constexpr uint64_t kStrata = 100'000;

class Real {
public:
    explicit Real(mpfr_prec_t precision) { mpfr_init2(x_, precision); }
    ~Real() { mpfr_clear(x_); }
    Real(const Real&) = delete;
    Real& operator=(const Real&) = delete;
    operator mpfr_ptr() { return x_; }

private:
    mpfr_t x_;
};

struct Format {
    mpfr_prec_t precision;
    mpfr_exp_t emin, emax;  // MPFR's: the significand is in [0.5, 1)
};
Format FormatOf(DataType t) {
    switch (t) {
        case DataType::kHalf: return {11, -23, 16};
        case DataType::kBfloat16: return {8, -132, 128};
        default: return {24, -148, 128};
    }
}

struct Limits {
    double low, high;
};
Limits LimitsOf(DataType t) {
    switch (t) {
        case DataType::kInt4: return {-8, 7};
        case DataType::kInt8: return {-128, 127};
        case DataType::kUint8: return {0, 255};
        case DataType::kInt16: return {-32768, 32767};
        case DataType::kUint16: return {0, 65535};
        case DataType::kInt32: return {-0x1p31, 0x1p31 - 1};
        case DataType::kUint32: return {0, 0x1p32 - 1};
        default: return {-0x1p63, 0x1p63};  // int64: 2^63 itself is clamped when it is stored
    }
}

// A half as a float: its bits moved to a float's fields denote the value times 2^-112.
float FloatOfHalf(uint64_t bits) {
    const auto magnitude = static_cast<uint32_t>(bits & 0x7FFF);
    const float f = magnitude >= 0x7C00 ? std::bit_cast<float>(0x7F800000 | (magnitude & 0x3FF) << 13)
                                        : std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    return bits & 0x8000 ? -f : f;
}

void Read(DataType type, uint64_t bits, mpfr_ptr x) {
    switch (type) {
        case DataType::kInt4:
            mpfr_set_si(x, bits < 8 ? static_cast<long>(bits) : static_cast<long>(bits) - 16, MPFR_RNDN);
            break;
        case DataType::kInt8: mpfr_set_si(x, static_cast<int8_t>(bits), MPFR_RNDN); break;
        case DataType::kUint8:
        case DataType::kUint16:
        case DataType::kUint32: mpfr_set_ui(x, bits, MPFR_RNDN); break;
        case DataType::kInt16: mpfr_set_si(x, static_cast<int16_t>(bits), MPFR_RNDN); break;
        case DataType::kInt32: mpfr_set_si(x, static_cast<int32_t>(bits), MPFR_RNDN); break;
        case DataType::kInt64: mpfr_set_si(x, static_cast<int64_t>(bits), MPFR_RNDN); break;
        case DataType::kHalf: mpfr_set_flt(x, FloatOfHalf(bits), MPFR_RNDN); break;
        case DataType::kBfloat16:
            mpfr_set_flt(x, std::bit_cast<float>(static_cast<uint32_t>(bits) << 16), MPFR_RNDN);
            break;
        default: mpfr_set_flt(x, std::bit_cast<float>(static_cast<uint32_t>(bits)), MPFR_RNDN); break;
    }
}

// The pattern of x, which is a value of the type.
uint64_t Write(DataType type, mpfr_ptr x) {
    if (!IsFloating(type)) {
        const uint64_t mask = BitsOf(type) == 64 ? ~uint64_t{0} : (uint64_t{1} << BitsOf(type)) - 1;
        return static_cast<uint64_t>(mpfr_get_si(x, MPFR_RNDN)) & mask;  // clamps 2^63 to the largest int64
    }
    const float f = mpfr_get_flt(x, MPFR_RNDN);
    if (type == DataType::kHalf) {
        const uint32_t sign = std::bit_cast<uint32_t>(f) >> 16 & 0x8000;
        if (std::isnan(f)) return 0x7E00;
        if (std::isinf(f)) return sign | 0x7C00;
        return sign | (std::bit_cast<uint32_t>(std::fabs(f) * 0x1p-112f) >> 13);
    }
    const uint32_t bits = std::isnan(f) ? 0x7FC00000 : std::bit_cast<uint32_t>(f);
    return type == DataType::kBfloat16 ? bits >> 16 : bits;
}

// x to the destination's grid in one of MPFR's own directions; an integer grid has no limits here.
void RoundToGrid(mpfr_ptr out, mpfr_ptr x, DataType dst, bool to_integer, mpfr_rnd_t direction) {
    if (to_integer) {
        mpfr_rint(out, x, direction);
        return;
    }
    const Format f = FormatOf(dst);
    mpfr_set_prec(out, f.precision);
    mpfr_set_emin(f.emin);
    mpfr_set_emax(f.emax);
    const int inexact = mpfr_set(out, x, direction);
    mpfr_subnormalize(out, mpfr_check_range(out, inexact, direction), direction);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
}

// Ties away: the step of twice the distance tells which side of the midpoint x is on. Midpoints are exact at 256 bits.
bool AtLeastHalfway(mpfr_ptr x, mpfr_ptr toward_zero, mpfr_ptr away, DataType dst) {
    Real middle(256), far(256);
    if (mpfr_inf_p(away)) {  // the value that would follow the largest finite one
        mpfr_set_si_2exp(far, mpfr_sgn(away), FormatOf(dst).emax, MPFR_RNDN);
    } else {
        mpfr_set(far, away, MPFR_RNDN);
    }
    mpfr_add(middle, toward_zero, far, MPFR_RNDN);
    mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
    return mpfr_cmpabs(x, middle) >= 0;
}

uint64_t Expected(DataType src, DataType dst, Rounding mode, uint64_t bits) {
    Real x(256), out(256);
    Read(src, bits, x);
    const bool integer = !IsFloating(dst) || src == dst;
    if (mpfr_nan_p(static_cast<mpfr_ptr>(x))) {
        if (!IsFloating(dst)) return 0;
        return Write(dst, x);
    }
    if (mpfr_inf_p(static_cast<mpfr_ptr>(x))) {
        mpfr_set(out, x, MPFR_RNDN);
    } else {
        switch (mode) {
            case Rounding::kNone:
            case Rounding::kRint:
                if (integer) {
                    mpfr_roundeven(out, x);
                } else {
                    RoundToGrid(out, x, dst, integer, MPFR_RNDN);
                }
                break;
            case Rounding::kFloor: RoundToGrid(out, x, dst, integer, MPFR_RNDD); break;
            case Rounding::kCeil: RoundToGrid(out, x, dst, integer, MPFR_RNDU); break;
            case Rounding::kTrunc: RoundToGrid(out, x, dst, integer, MPFR_RNDZ); break;
            case Rounding::kAway: RoundToGrid(out, x, dst, integer, MPFR_RNDA); break;
            default: {
                Real away(256);
                RoundToGrid(out, x, dst, integer, MPFR_RNDZ);
                RoundToGrid(away, x, dst, integer, MPFR_RNDA);
                bool take_away = false;
                if (mode == Rounding::kRound) {
                    take_away = mpfr_cmp(static_cast<mpfr_ptr>(away), static_cast<mpfr_ptr>(out)) != 0 &&
                                AtLeastHalfway(x, out, away, dst);
                } else if (mpfr_cmp(static_cast<mpfr_ptr>(out), static_cast<mpfr_ptr>(x)) != 0) {
                    // Odd: the kept bit of an integer is its parity, of a float the last bit of its pattern.
                    if (integer) {
                        Real half(256);
                        mpfr_div_2ui(half, out, 1, MPFR_RNDN);
                        take_away = mpfr_integer_p(static_cast<mpfr_ptr>(half)) != 0;
                    } else {
                        take_away = (Write(dst, out) & 1) == 0;
                    }
                }
                if (take_away) {
                    mpfr_set_prec(out, 256);
                    mpfr_set(out, away, MPFR_RNDN);
                }
            }
        }
    }
    if (src == dst && mpfr_zero_p(static_cast<mpfr_ptr>(out))) return 0;  // float to float: zero is +0
    if (!IsFloating(dst)) {
        const Limits limits = LimitsOf(dst);
        if (mpfr_cmp_d(static_cast<mpfr_ptr>(out), limits.low) < 0) mpfr_set_d(out, limits.low, MPFR_RNDN);
        if (mpfr_cmp_d(static_cast<mpfr_ptr>(out), limits.high) > 0) mpfr_set_d(out, limits.high, MPFR_RNDN);
    }
    return Write(dst, out);
}

std::string Describe(uint64_t input, uint64_t expected, uint64_t found) {
    char text[128];
    std::snprintf(text, sizeof text, "input %llx: MPFR %llx, oracle %llx", static_cast<unsigned long long>(input),
                  static_cast<unsigned long long>(expected), static_cast<unsigned long long>(found));
    return text;
}

class Pairwise : public testing::TestWithParam<std::pair<size_t, Rounding>> {};

TEST_P(Pairwise, AgreesWithMpfr) {
    const auto [src, dst] = Pairs()[GetParam().first];
    const Rounding mode = GetParam().second;
    const ArrayFunction convert = FindArrayFunction(src, dst, mode);
    int mismatches = 0;
    const auto check = [&](uint64_t input) {
        uint64_t found = 0;
        convert(&input, &found, 1);
        const uint64_t expected = Expected(src, dst, mode, input);
        if (found != expected && ++mismatches <= 5) ADD_FAILURE() << Describe(input, expected, found);
    };
    const std::vector<uint64_t> boundaries = Boundaries(src, dst);
    // The grids of half and bfloat16 have nearly a million neighbours, 14 a point: stride 5 still visits each kind.
    const size_t stride = boundaries.size() > kStrata ? 5 : 1;
    for (size_t i = 0; i < boundaries.size(); i += stride) check(boundaries[i]);
    if (BitsOf(src) > 16) {
        for (uint64_t i = 0; i < kStrata; ++i) check(Stratum(src, i));
    }
    EXPECT_EQ(mismatches, 0);
}

std::vector<std::pair<size_t, Rounding>> AllParameters() {
    std::vector<std::pair<size_t, Rounding>> all;
    for (size_t i = 0; i < Pairs().size(); ++i) {
        for (int m = 0; m < static_cast<int>(Rounding::kCount); ++m) all.emplace_back(i, static_cast<Rounding>(m));
    }
    return all;
}

std::string ParameterName(const testing::TestParamInfo<std::pair<size_t, Rounding>>& parameter) {
    const Pair pair = Pairs()[parameter.param.first];
    return std::string(NumpyName(pair.src)) + "_" + NumpyName(pair.dst) + "_" +
           std::to_string(static_cast<int>(parameter.param.second));
}
INSTANTIATE_TEST_SUITE_P(Oracle, Pairwise, testing::ValuesIn(AllParameters()), ParameterName);

// Scales of every exponent, and patterns that are infinities and NaNs.
TEST(Scaled, Int32ToHalfAgreesWithMpfr) {
    Real x(256), out(256);
    for (uint64_t i = 0; i < 4 * kStrata; ++i) {
        const auto value = static_cast<int32_t>(Stratum(DataType::kInt32, i));
        const auto scale = static_cast<uint16_t>((i * 40503) ^ (i >> 5));
        mpfr_set_flt(x, FloatOfHalf(scale), MPFR_RNDN);
        mpfr_mul_si(x, x, value, MPFR_RNDN);
        if (value == 0 && !mpfr_nan_p(static_cast<mpfr_ptr>(x))) {
            mpfr_set_zero(x, scale & 0x8000 ? -1 : 1);
        }
        RoundToGrid(out, x, DataType::kHalf, false, MPFR_RNDN);
        const uint64_t expected = Write(DataType::kHalf, out), found = ConvertInt32ToHalfIeee(value, scale);
        ASSERT_EQ(expected, found) << Describe(static_cast<uint32_t>(value), expected, found) << ", scale " << scale;
    }
}

TEST(Scaled, Int16DeqAgreesWithMpfr) {
    Real x(256), p(256), r(256);
    for (uint64_t i = 0; i < 8 * kStrata; ++i) {
        const uint64_t noise = Stratum(DataType::kInt64, 64 * i + 63) ^ i << 37;
        // Half of the scales bring the product near the clipping range, the others have any exponent.
        const uint64_t exponent = i % 2 == 0 ? 106 + i / 2 % 32 : i / 2 % 256;
        uint64_t word = (noise & ~uint64_t{0x7F800000}) | exponent << 23;
        if (i % 5 == 0) word &= ~uint64_t{0x7FE000};  // powers of two; with exponent 255, infinities
        const auto value = static_cast<int16_t>(i % 7 == 0 ? 0 : i * 25'717 + 3);
        mpfr_set_flt(x, std::bit_cast<float>(static_cast<uint32_t>(word) & 0xFFFFE000), MPFR_RNDN);
        mpfr_mul_si(x, x, value, MPFR_RNDN);
        RoundToGrid(p, x, DataType::kFloat, false, MPFR_RNDN);
        long clipped = 0;
        if (!mpfr_nan_p(static_cast<mpfr_ptr>(p))) {
            mpfr_roundeven(r, p);
            clipped = mpfr_cmp_si(static_cast<mpfr_ptr>(r), -256) < 0  ? -256
                      : mpfr_cmp_si(static_cast<mpfr_ptr>(r), 255) > 0 ? 255
                                                                       : mpfr_get_si(r, MPFR_RNDN);
        }
        long offset = static_cast<long>(word >> 37 & 0x1FF);
        if (offset > 255) offset -= 512;
        const long sum = clipped + offset;
        const auto expected_signed = static_cast<uint8_t>(sum < -128 ? -128 : sum > 127 ? 127 : sum);
        const auto expected_unsigned = static_cast<uint8_t>(sum < 0 ? 0 : sum > 255 ? 255 : sum);
        ASSERT_EQ(expected_signed, ConvertInt16Deq(DataType::kInt8, value, word)) << value << " " << std::hex << word;
        ASSERT_EQ(expected_unsigned, ConvertInt16Deq(DataType::kUint8, value, word))
            << value << " " << std::hex << word;
    }
}

// Source: conversions.md, "Destination range".
TEST(Policy, SaturateReplacesInfinityAndNan) {
    uint16_t half[] = {0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x7BFF, 0x8000};
    EXPECT_TRUE(SaturateArray(DataType::kHalf, half, 6));
    const uint16_t half_expected[] = {0x7BFF, 0xFBFF, 0, 0, 0x7BFF, 0x8000};
    EXPECT_TRUE(std::equal(half, half + 6, half_expected));
    uint16_t bfloat[] = {0x7F80, 0xFF80, 0x7FC0, 0xFFFF, 0x7F7F, 0x8001};
    EXPECT_TRUE(SaturateArray(DataType::kBfloat16, bfloat, 6));
    const uint16_t bfloat_expected[] = {0x7F7F, 0xFF7F, 0, 0, 0x7F7F, 0x8001};
    EXPECT_TRUE(std::equal(bfloat, bfloat + 6, bfloat_expected));
    uint32_t wide[] = {0x7F800000, 0x7FC00000};
    EXPECT_FALSE(SaturateArray(DataType::kFloat, wide, 2));
    EXPECT_EQ(wide[0], 0x7F800000u);
}

}  // namespace
}  // namespace sfumato::oracle
