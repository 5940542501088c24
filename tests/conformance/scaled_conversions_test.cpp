// SPDX-License-Identifier: Apache-2.0
// exec and numeric against the oracle: int32 to half with a scale, int16 to int8 and uint8 with dequantisation words.
#include <gtest/gtest.h>

#include "conformance/comparison.h"
#include "conformance/expect.h"
#include "numeric/convert.h"
#include "oracle/conversion_inputs.h"
#include "oracle/conversion_oracle.h"

namespace sfumato::conformance {
namespace {

constexpr uint64_t kBlock = 1 << 16;
constexpr uint64_t kStrata = 10'000'000 / kSample;
constexpr uint64_t kStrataOthers = 1'000'000 / kSample;

std::vector<Case> ScaledCases(DataType src) {
    std::vector<Case> cases;
    for (const Case& c : ReadTable(SFUMATO_TEST_DATA "/conversion_support.csv").cases) {
        if (c.scaled && c.src == src) cases.push_back(c);
    }
    return cases;
}

std::string CaseName(const testing::TestParamInfo<Case>& parameter) { return Name(parameter.param); }

exec::Conversion HalfScaled(const Case& c, uint16_t scale) {
    exec::Conversion conversion = ConversionOf(c);
    conversion.deq = isa::DeqScale::kHalf;
    conversion.deq_word = scale;
    return conversion;
}

// Zeros, subnormals, ones, tiny and large normals, infinities, NaNs and every exponent once, of both signs.
std::vector<uint16_t> HalfScales() {
    std::vector<uint16_t> scales = {0x0000, 0x0001, 0x0002, 0x03FF, 0x0400, 0x0401, 0x0080, 0x3BFF, 0x3C00,
                                    0x3C01, 0x7BFF, 0x7C00, 0x7C01, 0x7DFF, 0x7E00, 0x7FFF, 0x2E66, 0x1555};
    for (uint32_t e = 0; e < 32; ++e) scales.push_back(static_cast<uint16_t>(e << 10 | (e * 677 & 0x3FF)));
    const size_t positive = scales.size();
    for (size_t i = 0; i < positive; ++i) scales.push_back(scales[i] | 0x8000);
    return scales;
}

class Int32ToHalf : public testing::TestWithParam<Case> {};

// Every scale there is, with a few values of every magnitude.
TEST_P(Int32ToHalf, ExecAgreesForEveryScale) {
    const Case& c = GetParam();
    Runner runner(c.dst, exec::Targets());
    constexpr uint64_t kValues = 64;
    std::vector<uint32_t> src(kValues);
    for (uint32_t scale = 0; scale < 65536; scale += kSample) {
        for (uint64_t i = 0; i < kValues; ++i) {
            src[i] = static_cast<uint32_t>(oracle::Stratum(DataType::kInt32, scale * kValues + i));
        }
        runner.Run(HalfScaled(c, static_cast<uint16_t>(scale)), src.data(), kValues);
    }
    ExpectNoDifference(runner.Text(Name(c)));
}

TEST_P(Int32ToHalf, ExecAgreesOnBoundariesAndStrata) {
    const Case& c = GetParam();
    Runner runner(c.dst, exec::Targets());
    const std::vector<uint64_t> boundaries = oracle::Boundaries(c.src, c.dst);
    std::vector<uint32_t> src(boundaries.begin(), boundaries.end());
    const std::vector<uint16_t> scales = HalfScales();
    for (const uint16_t scale : scales) runner.Run(HalfScaled(c, scale), src.data(), src.size());
    src.resize(kBlock);
    for (uint64_t begin = 0; begin < kStrata; begin += kBlock) {
        for (uint64_t i = 0; i < kBlock; ++i) {
            src[i] = static_cast<uint32_t>(oracle::Stratum(DataType::kInt32, begin + i));
        }
        const uint16_t scale = scales[begin / kBlock % scales.size()];
        runner.Run(HalfScaled(c, scale), src.data(), kBlock, begin < kStrataOthers ? SIZE_MAX : 1);
    }
    ExpectNoDifference(runner.Text(Name(c)));
}

INSTANTIATE_TEST_SUITE_P(Scaled, Int32ToHalf, testing::ValuesIn(ScaledCases(DataType::kInt32)), CaseName);

TEST(ScaledNumeric, Int32ToHalfAgrees) {
    const std::vector<uint64_t> values = oracle::Boundaries(DataType::kInt32, DataType::kHalf);
    for (const Overflow overflow : PoliciesOf(DataType::kHalf)) {
        Differences differences;
        const auto check = [&](uint64_t value, uint16_t scale) {
            const auto signed_value = static_cast<int32_t>(value);
            uint64_t expected = oracle::ConvertInt32ToHalfIeee(signed_value, scale);
            const bool saturated =
                overflow == Overflow::kSaturate && oracle::SaturateArray(DataType::kHalf, &expected, 1);
            const numeric::Converted found = numeric::ConvertInt32ToHalf(signed_value, scale, overflow);
            if (found.bits != expected)
                differences.Add(value, expected, found.bits, ", scale " + std::to_string(scale));
            if (found.saturated != saturated) differences.Add(value, saturated, found.saturated, ", flag");
        };
        for (const uint16_t scale : HalfScales()) {
            for (size_t i = 0; i < values.size(); i += 5) check(values[i], scale);
        }
        for (uint64_t i = 0; i < 16 * kBlock; i += kSample) {
            check(oracle::Stratum(DataType::kInt32, i), static_cast<uint16_t>(i / 16));
        }
        ExpectNoDifference(differences.Text(std::string("int32 to half with a scale, numeric, ") + Name(overflow)));
    }
}

// Words whose scale covers every exponent, subnormals, infinities and NaNs included, whose offset covers its limits,
// and whose other bits are noise.
std::vector<uint64_t> DeqWords() {
    constexpr uint64_t kOffsets[] = {0, 1, 0x1FF, 0x0FF, 0x100, 0x07F, 0x180, 0x080, 0x055};
    std::vector<uint64_t> words;
    const auto add = [&](uint64_t sign, uint64_t exponent, uint64_t mantissa, uint64_t offset) {
        const uint64_t noise = oracle::Stratum(DataType::kInt64, 63 + 64 * words.size());
        constexpr uint64_t kFields = 0x1FFull << 37 | 0xFFFFE000;
        words.push_back((noise & ~kFields) | offset << 37 | sign << 31 | exponent << 23 | mantissa << 13);
    };
    for (uint64_t e = 0; e < 256; ++e) {
        add(e & 1, e, e % 3 == 0 ? 0 : e * 389 & 0x3FF, kOffsets[e % std::size(kOffsets)]);
    }
    for (uint64_t e = 110; e < 137; ++e) {  // products within the clipping range for some of the values
        for (const uint64_t mantissa : {0x000ull, 0x001ull, 0x155ull, 0x200ull, 0x3FFull}) {
            add((e + mantissa) & 1, e, mantissa, kOffsets[(e + mantissa) % std::size(kOffsets)]);
        }
    }
    for (const uint64_t offset : kOffsets) {
        for (const uint64_t exponent : {0ull, 127ull, 255ull}) {
            for (const uint64_t mantissa : {0x000ull, 0x001ull, 0x3FFull}) add(offset & 1, exponent, mantissa, offset);
        }
    }
    words.push_back((uint64_t{1} << 46) - 1);  // example 2 of vec_conv: a NaN scale and the offset -1
    return words;
}

class Int16Deq : public testing::TestWithParam<Case> {};

TEST_P(Int16Deq, ExecAgrees) {
    const Case& c = GetParam();
    Runner runner(c.dst, exec::Targets());
    std::vector<uint16_t> src(kBlock);
    for (uint64_t i = 0; i < kBlock; ++i) src[i] = static_cast<uint16_t>(i);
    exec::Conversion conversion = ConversionOf(c);
    conversion.deq = isa::DeqScale::kWord;
    const std::vector<uint64_t> words = DeqWords();
    for (size_t i = 0; i < words.size(); i += kSample) {
        conversion.deq_word = words[i];
        runner.Run(conversion, src.data(), kBlock);
    }
    conversion.deq = isa::DeqScale::kVector;
    conversion.deq_word = 0;
    for (size_t first = 0; first + 16 <= words.size(); first += 16 * kSample) {
        conversion.deq_words = &words[first];
        for (conversion.lane0 = 0; conversion.lane0 < 16; ++conversion.lane0) {
            const size_t begin = 4093 * conversion.lane0;
            runner.Run(conversion, src.data() + begin, conversion.lane0 % 3 == 0 ? 4096 : 4001 + conversion.lane0);
        }
    }
    for (size_t n = 0; n < 100; ++n) {
        conversion.deq_words = &words[(n * 16) % (words.size() - 16)];
        conversion.lane0 = static_cast<uint32_t>(n % 16);
        runner.Run(conversion, src.data() + 601 * n, n);
    }
    ExpectNoDifference(runner.Text(Name(c)));
}

TEST_P(Int16Deq, NumericAgrees) {
    const Case& c = GetParam();
    Differences differences;
    const std::vector<uint64_t> words = DeqWords();
    for (size_t i = 0; i < words.size(); i += kSample) {
        for (int value = -32768; value < 32768; ++value) {
            const auto v = static_cast<int16_t>(value);
            const uint64_t expected = oracle::ConvertInt16Deq(c.dst, v, words[i]);
            const uint64_t found = numeric::ConvertInt16Deq(c.dst, v, words[i]);
            if (found != expected) {
                differences.Add(static_cast<uint16_t>(v), expected, found, ", scale word " + std::to_string(words[i]));
            }
        }
    }
    ExpectNoDifference(differences.Text(Name(c) + ", numeric"));
}

INSTANTIATE_TEST_SUITE_P(Scaled, Int16Deq, testing::ValuesIn(ScaledCases(DataType::kInt16)), CaseName);

}  // namespace
}  // namespace sfumato::conformance
