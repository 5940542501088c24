// SPDX-License-Identifier: Apache-2.0
// CastArray: conversions of whole arrays outside a kernel, and what it refuses.
#include <gtest/gtest.h>

#include "sfumato/half.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

template <class To, class From>
std::vector<To> Cast(const CastOptions& options, DataType src, const std::vector<From>& values, DataType dst) {
    std::vector<To> result(values.size() + 1, To{85});  // one more, which must stay
    CastArray(options, src, values.data(), dst, result.data(), values.size());
    EXPECT_EQ(result.back(), To{85});
    result.pop_back();
    return result;
}
std::vector<uint16_t> HalfBits(const std::vector<float>& values) {
    std::vector<uint16_t> bits;
    for (const float v : values) bits.push_back(half(v).bits());
    return bits;
}
CastOptions Options(const char* chip, const char* mode) {
    CastOptions options;
    options.chip = chip;
    options.round_mode = mode;
    return options;
}
std::string Refusal(const CastOptions& options, DataType src, DataType dst) {
    uint8_t in[16] = {}, out[16] = {};
    try {
        CastArray(options, src, in, dst, out, 1);
    } catch (const UnsupportedError& e) {
        return e.what();
    }
    return "";
}

using Ints = std::vector<int32_t>;

TEST(CastArray, RoundModesOfBothPages) {
    const auto src = HalfBits({2.5f, -2.5f, 1.25f, -1.25f});
    const auto cast = [&](const char* mode) {
        return Cast<int32_t>(Options("Ascend910B1", mode), DataType::kHalf, src, DataType::kInt32);
    };
    EXPECT_EQ(cast("CAST_RINT"), (Ints{2, -2, 1, -1}));
    EXPECT_EQ(cast("round"), (Ints{2, -2, 1, -1}));
    EXPECT_EQ(cast("CAST_ROUND"), (Ints{3, -3, 1, -1}));
    EXPECT_EQ(cast("away-zero"), (Ints{3, -3, 1, -1}));
    EXPECT_EQ(cast("CAST_CEIL"), (Ints{3, -2, 2, -1}));
    EXPECT_EQ(cast("ceiling"), cast("ceil"));
    EXPECT_EQ(cast("CAST_FLOOR"), (Ints{2, -3, 1, -2}));
    EXPECT_EQ(cast("to-zero"), (Ints{2, -2, 1, -1}));
}

// Cast on Ascend910 reads CAST_ROUND as directed away from zero; vec_conv and the ties switch do not.
TEST(CastArray, DirectedRoundingOfAscend910) {
    const auto src = HalfBits({1.25f, -1.25f, 2.5f});
    CastOptions options = Options("Ascend910A", "CAST_ROUND");
    EXPECT_EQ((Cast<int32_t>(options, DataType::kHalf, src, DataType::kInt32)), (Ints{2, -2, 3}));
    options.cast_round_ties = true;
    EXPECT_EQ((Cast<int32_t>(options, DataType::kHalf, src, DataType::kInt32)), (Ints{1, -1, 3}));
    EXPECT_EQ((Cast<int32_t>(Options("Ascend910A", "away-zero"), DataType::kHalf, src, DataType::kInt32)),
              (Ints{1, -1, 3}));
}

TEST(CastArray, OverflowPolicies) {
    const std::vector<float> src = {1e6f, -1e6f};
    CastOptions options = Options("Ascend910B1", "CAST_RINT");
    using Bits = std::vector<uint16_t>;
    EXPECT_EQ((Cast<uint16_t>(options, DataType::kFloat, src, DataType::kHalf)), (Bits{0x7BFF, 0xFBFF}));
    for (const Overflow policy : {Overflow::kInfNan, Overflow::kBoard}) {
        options.overflow = policy;
        EXPECT_EQ((Cast<uint16_t>(options, DataType::kFloat, src, DataType::kHalf)), (Bits{0x7C00, 0xFC00}));
    }
    options = Options("Ascend310P3", "CAST_NONE");
    options.overflow = Overflow::kBoard;
    EXPECT_EQ((Cast<uint16_t>(options, DataType::kFloat, src, DataType::kHalf)), (Bits{0x7BFF, 0xFBFF}));
}

// int4 is one element a byte here; odd counts and counts past the internal chunk included.
TEST(CastArray, UnpackedInt4) {
    std::vector<int8_t> nibbles;
    for (int i = 0; i < 9001; ++i) nibbles.push_back(static_cast<int8_t>(i % 16 - 8));
    const auto halves = Cast<uint16_t>(Options("Ascend910B1", "CAST_NONE"), DataType::kInt4, nibbles, DataType::kHalf);
    for (size_t i = 0; i < nibbles.size(); ++i) ASSERT_EQ(halves[i], half(nibbles[i]).bits()) << i;
    EXPECT_EQ((Cast<int8_t>(Options("Ascend910B1", "CAST_RINT"), DataType::kHalf, halves, DataType::kInt4)), nibbles);
}

TEST(CastArray, Deqscale) {
    CastOptions options = Options("Ascend910B1", "");
    options.deq_kind = 1;
    options.deq_scale = 0.5;
    EXPECT_EQ((Cast<uint16_t>(options, DataType::kInt32, Ints{3, -7, 0}, DataType::kHalf)),
              HalfBits({1.5f, -3.5f, 0.0f}));

    options.deq_kind = 2;  // scale 2, offset 3, signed
    options.deq_words[0] = uint64_t{1} << 46 | uint64_t{3} << 37 | 0x40000000;
    using Bytes = std::vector<int8_t>;
    EXPECT_EQ((Cast<int8_t>(options, DataType::kInt16, std::vector<int16_t>{1, -4, 500}, DataType::kInt8)),
              (Bytes{5, -5, 127}));
    options.deq_kind = 3;
    for (uint64_t lane = 0; lane < 16; ++lane) options.deq_words[lane] = uint64_t{1} << 46 | lane << 37 | 0x3F800000;
    EXPECT_EQ((Cast<int8_t>(options, DataType::kInt16, std::vector<int16_t>(18, 10), DataType::kInt8)),
              (Bytes{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 10, 11}));
}

TEST(CastArray, RefusesWithWhatIsLegal) {
    EXPECT_NE(Refusal(Options("Ascend910B1", "sideways"), DataType::kHalf, DataType::kInt32).find("CAST_CEIL"),
              std::string::npos);
    const std::string pair = Refusal(Options("Ascend910A", "CAST_RINT"), DataType::kHalf, DataType::kInt16);
    EXPECT_NE(pair.find("half"), std::string::npos);
    EXPECT_NE(pair.find("int32_t"), std::string::npos) << pair;
    const std::string mode = Refusal(Options("Ascend910B1", "CAST_CEIL"), DataType::kHalf, DataType::kFloat);
    EXPECT_NE(mode.find("CAST_NONE"), std::string::npos) << mode;
    EXPECT_NE(Refusal(Options("Ascend910B1", ""), DataType::kInt32, DataType::kHalf).find("deqscale is required"),
              std::string::npos);
    CastOptions taken = Options("Ascend910B1", "CAST_CEIL");
    taken.deq_kind = 1;
    EXPECT_NE(Refusal(taken, DataType::kHalf, DataType::kInt32).find("takes no deqscale"), std::string::npos);
    CastOptions policy = Options("Ascend310P3", "CAST_NONE");
    policy.overflow = Overflow::kInfNan;
    EXPECT_NE(Refusal(policy, DataType::kFloat, DataType::kHalf).find("saturate and board"), std::string::npos);
    uint8_t byte = 0;
    EXPECT_THROW(CastArray(Options("Ascend9", "CAST_NONE"), DataType::kHalf, &byte, DataType::kFloat, &byte, 0), Error);
    EXPECT_THROW(CastArray(Options("", "CAST_NONE"), DataType::kHalf, &byte, DataType::kFloat, &byte, 0), Error);
}

}  // namespace
}  // namespace sfumato
