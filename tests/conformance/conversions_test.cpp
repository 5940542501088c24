// SPDX-License-Identifier: Apache-2.0
// exec and numeric against the oracle: every distinct conversion of the tables without a scale, all SIMD targets.
#include <gtest/gtest.h>

#include "conformance/comparison.h"
#include "conformance/expect.h"
#include "numeric/convert.h"
#include "oracle/conversion_inputs.h"
#include "oracle/conversion_oracle.h"

namespace sfumato::conformance {
namespace {

constexpr uint64_t kBlock = 1 << 16;
constexpr uint64_t kStrataBest = 10'000'000 / kSample;   // best target
constexpr uint64_t kStrataOthers = 1'000'000 / kSample;  // every other target
constexpr uint64_t kStrataNumeric = 200'000 / kSample;

const Table& TheTable() {
    static const Table table = ReadTable(SFUMATO_TEST_DATA "/conversion_support.csv");
    return table;
}

std::vector<Case> Unscaled() {
    std::vector<Case> cases;
    for (const Case& c : TheTable().cases) {
        if (!c.scaled) cases.push_back(c);
    }
    return cases;
}

std::string CaseName(const testing::TestParamInfo<Case>& parameter) { return Name(parameter.param); }

TEST(Table, HoldsTheKnownNumberOfRows) {
    EXPECT_EQ(TheTable().row_mode_pairs, 714u);  // each spelling of a mode counts
    // 119 that can differ, CAST_NONE beside CAST_RINT for six pairs, five more modes of the scaled int32 to half.
    EXPECT_EQ(TheTable().cases.size(), 130u);
    for (const Case& c : Unscaled()) EXPECT_TRUE(numeric::IsConvertible(c.src, c.dst)) << Name(c);
}

class Exec : public testing::TestWithParam<Case> {};

TEST_P(Exec, AgreesOnBoundaries) {
    const Case& c = GetParam();
    Runner runner(c.dst, exec::Targets());
    const std::vector<uint64_t> patterns = oracle::Boundaries(c.src, c.dst);
    std::vector<uint8_t> src(BytesOf(c.src, patterns.size()));
    oracle::Store(c.src, patterns.data(), patterns.size(), src.data());
    const exec::Conversion conversion = ConversionOf(c);
    runner.Run(conversion, src.data(), patterns.size());
    if (BitsOf(c.src) == BitsOf(c.dst)) {
        runner.Run(conversion, src.data(), patterns.size(), SIZE_MAX, Buffers::kInPlace);
    }
    ExpectNoDifference(runner.Text(Name(c)));
}

// Runs of many lengths from addresses of any alignment: the tails of the vector loops.
TEST_P(Exec, AgreesOnShortRuns) {
    const Case& c = GetParam();
    Runner runner(c.dst, exec::Targets());
    const bool packed = c.src == DataType::kInt4 || c.dst == DataType::kInt4;
    std::vector<uint64_t> patterns = oracle::Boundaries(c.src, c.dst);
    // Starting one later puts each input in the other half of a byte.
    patterns.erase(patterns.begin(), patterns.begin() + (c.dst == DataType::kInt4 ? 1 : 0));
    const size_t end = packed ? patterns.size() / 2 * 2 : patterns.size();
    std::vector<uint8_t> src(BytesOf(c.src, patterns.size()));
    oracle::Store(c.src, patterns.data(), end, src.data());
    size_t length = 0;
    for (size_t begin = 0; begin < end;) {
        length = length % 160 + (packed ? 2 : 1);
        const size_t n = std::min(length, end - begin);
        runner.Run(ConversionOf(c), src.data() + BytesOf(c.src, begin), n);
        begin += n;
    }
    ExpectNoDifference(runner.Text(Name(c)));
}

TEST_P(Exec, AgreesOnStrata) {
    const Case& c = GetParam();
    if (BitsOf(c.src) <= 16) return;  // the boundaries are all inputs
    Runner runner(c.dst, exec::Targets());
    std::vector<uint64_t> patterns(kBlock);
    std::vector<uint8_t> src(BytesOf(c.src, kBlock));
    for (uint64_t begin = 0; begin < kStrataBest; begin += kBlock) {
        for (uint64_t i = 0; i < kBlock; ++i) patterns[i] = oracle::Stratum(c.src, begin + i);
        oracle::Store(c.src, patterns.data(), kBlock, src.data());
        runner.Run(ConversionOf(c), src.data(), kBlock, begin < kStrataOthers ? SIZE_MAX : 1);
    }
    ExpectNoDifference(runner.Text(Name(c)));
}

INSTANTIATE_TEST_SUITE_P(Conversions, Exec, testing::ValuesIn(Unscaled()), CaseName);

// numeric is defined for every pair under every rounding, not only for those the tables list.
std::vector<Case> EveryRounding() {
    std::vector<Case> cases;
    for (const oracle::Pair& pair : oracle::Pairs()) {
        for (int m = 0; m < static_cast<int>(Rounding::kCount); ++m) {
            cases.push_back({pair.src, pair.dst, static_cast<Rounding>(m), false});
        }
    }
    return cases;
}

class Numeric : public testing::TestWithParam<Case> {};

TEST_P(Numeric, AgreesWithTheOracle) {
    const Case& c = GetParam();
    const oracle::ArrayFunction convert = oracle::FindArrayFunction(c.src, c.dst, c.rounding);
    std::vector<uint64_t> patterns = oracle::Boundaries(c.src, c.dst);
    for (uint64_t i = 0; BitsOf(c.src) > 16 && i < kStrataNumeric; ++i) patterns.push_back(oracle::Stratum(c.src, i));
    for (const Overflow overflow : PoliciesOf(c.dst)) {
        Differences differences;
        for (const uint64_t input : patterns) {
            uint64_t expected = 0;
            convert(&input, &expected, 1);
            const bool saturated = overflow == Overflow::kSaturate && oracle::SaturateArray(c.dst, &expected, 1);
            const numeric::Converted found = numeric::Convert(c.src, c.dst, c.rounding, overflow, input);
            if (found.bits != expected) differences.Add(input, expected, found.bits);
            if (found.saturated != saturated) differences.Add(input, saturated, found.saturated, ", flag");
        }
        ExpectNoDifference(differences.Text(Name(c) + ", " + Name(overflow) + ", numeric"));
    }
}

INSTANTIATE_TEST_SUITE_P(Conversions, Numeric, testing::ValuesIn(EveryRounding()), CaseName);

}  // namespace
}  // namespace sfumato::conformance
