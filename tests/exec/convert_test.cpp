// SPDX-License-Identifier: Apache-2.0
// The fast conversions against the scalar integer form, bit by bit, on every SIMD target.
#include "numeric/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "exec/exec.h"
#include "exec/run.h"

namespace sfumato::exec {
namespace {

constexpr Rounding kRoundings[] = {Rounding::kNone,  Rounding::kRint,  Rounding::kFloor, Rounding::kCeil,
                                   Rounding::kRound, Rounding::kTrunc, Rounding::kOdd,   Rounding::kAway};
constexpr Overflow kPolicies[] = {Overflow::kSaturate, Overflow::kInfNan};
constexpr uint8_t kGuard = 0xA5;

// Packed elements of one type.
class Elements {
public:
    Elements(DataType type, size_t n) : type_(type), n_(n), bytes_(BytesOf(type, n)) {}
    Elements(DataType type, const std::vector<uint64_t>& bits) : Elements(type, bits.size()) {
        for (size_t i = 0; i < n_; ++i) Set(i, bits[i]);
    }
    uint64_t Get(size_t i) const {
        if (type_ == DataType::kInt4) return bytes_[i / 2] >> (i % 2 * 4) & 0xF;
        uint64_t bits = 0;
        std::memcpy(&bits, &bytes_[BytesOf(type_, i)], BitsOf(type_) / 8);
        return bits;
    }
    void Set(size_t i, uint64_t bits) {
        if (type_ == DataType::kInt4) {
            uint8_t& byte = bytes_[i / 2];
            byte = static_cast<uint8_t>(i % 2 ? (byte & 0x0F) | bits << 4 : (byte & 0xF0) | (bits & 0xF));
        } else {
            std::memcpy(&bytes_[BytesOf(type_, i)], &bits, BitsOf(type_) / 8);
        }
    }
    size_t size() const { return n_; }
    const std::vector<uint8_t>& bytes() const { return bytes_; }
    uint8_t* at(size_t i) { return bytes_.data() + BytesOf(type_, i); }

private:
    DataType type_;
    size_t n_;
    std::vector<uint8_t> bytes_;
};

// Every value of the types of up to 16 bits; of the wider ones every exponent or bit length, with the mantissas at
// which some rounding changes its mind, and random ones.
std::vector<uint64_t> Inputs(DataType type) {
    std::vector<uint64_t> values;
    std::mt19937_64 random(20240607);
    const auto bits = BitsOf(type);
    if (bits <= 16) {
        for (uint64_t v = 0; v < uint64_t{1} << bits; ++v) values.push_back(v);
    } else if (type == DataType::kFloat) {
        for (uint64_t head = 0; head < 512; ++head) {
            const auto add = [&](uint64_t mantissa) { values.push_back(head << 23 | (mantissa & 0x7FFFFF)); };
            for (int k = 0; k <= 23; ++k) {
                for (uint64_t near : {-1, 0, 1}) {
                    add((uint64_t{1} << k) + near);
                    add((uint64_t{3} << k) + near);
                    add(near - (uint64_t{1} << k));
                }
                add(random() << k);
            }
            for (int k = 0; k < 20; ++k) add(random());
        }
    } else {
        for (uint32_t k = 0; k < bits; ++k) {
            for (int j = 0; j < 600; ++j) {
                // A 1 at bit k, then few or many bits below it, near a float's last bit and its half.
                const int low = std::max(0, static_cast<int>(k) - 20 - j % 8);
                uint64_t v = uint64_t{1} << k;
                if (j >= 8) v |= (random() << low) & (v - 1);
                if (j % 3 == 1) v += 1;
                if (j % 3 == 2) v -= 1;
                if (j >= 300) v |= random() & (v - 1);
                values.push_back(v);
                values.push_back(0 - v);
            }
        }
        for (int64_t limit :
             {INT64_MAX, INT64_MIN, int64_t{INT32_MAX}, int64_t{INT32_MIN}, int64_t{32767}, int64_t{-32768}}) {
            for (uint64_t near = 0; near < 9; ++near) values.push_back(static_cast<uint64_t>(limit) + near - 4);
        }
    }
    while (values.size() % 2 != 0) values.push_back(0);
    return values;
}

struct Pair {
    DataType src, dst;
};

std::vector<Pair> Pairs() {
    std::vector<Pair> pairs;
    for (int s = 0; s < kDataTypeCount; ++s) {
        for (int d = 0; d < kDataTypeCount; ++d) {
            const Pair pair{static_cast<DataType>(s), static_cast<DataType>(d)};
            if (numeric::IsConvertible(pair.src, pair.dst)) pairs.push_back(pair);
        }
    }
    return pairs;
}

std::string Say(const Conversion& c) {
    return std::string(CName(c.src)) + " to " + CName(c.dst) + " " + Name(c.rounding) +
           (c.overflow == Overflow::kSaturate ? " saturate on " : " infnan on ") + CurrentTarget();
}

class ConvertTest : public ::testing::Test {
protected:
    void TearDown() override { ForceTarget(""); }
};

// Compares a conversion with what each element should give: at once, then piece by piece for the return value.
void Check(const Conversion& c, Elements src, const std::vector<numeric::Converted>& expected) {
    constexpr size_t kPiece = 62;
    const size_t n = src.size();
    Elements whole(c.dst, n);
    Convert(c, src.at(0), whole.at(0), n);
    for (size_t i = 0; i < n; ++i) {
        ASSERT_EQ(whole.Get(i), expected[i].bits) << Say(c) << ", element " << i << ", input bits " << src.Get(i);
    }
    Elements pieces(c.dst, n);
    Conversion part = c;
    for (size_t i = 0; i < n; i += kPiece) {
        const size_t count = std::min(kPiece, n - i);
        bool replaced = false;
        for (size_t k = i; k < i + count; ++k) replaced = replaced || expected[k].saturated;
        part.lane0 = (c.lane0 + i) % 16;
        ASSERT_EQ(Convert(part, src.at(i), pieces.at(i), count), replaced) << Say(c) << ", elements from " << i;
    }
    ASSERT_EQ(pieces.bytes(), whole.bytes()) << Say(c);
}

TEST_F(ConvertTest, EqualsTheScalarFormOnEveryTarget) {
    ASSERT_EQ(Pairs().size(), 43u);
    for (const Pair& pair : Pairs()) {
        const Elements src(pair.src, Inputs(pair.src));
        for (Rounding rounding : kRoundings) {
            for (Overflow overflow : kPolicies) {
                std::vector<numeric::Converted> expected;
                for (size_t i = 0; i < src.size(); ++i) {
                    expected.push_back(numeric::Convert(pair.src, pair.dst, rounding, overflow, src.Get(i)));
                }
                for (const std::string& target : Targets()) {
                    ASSERT_TRUE(ForceTarget(target));
                    Check({.src = pair.src, .dst = pair.dst, .rounding = rounding, .overflow = overflow}, src,
                          expected);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

TEST_F(ConvertTest, Int32ToHalfWithScale) {
    std::vector<uint64_t> values = Inputs(DataType::kInt32);
    for (uint64_t v = 0; v < 2048; ++v) values.push_back(v - 1024);
    const Elements src(DataType::kInt32, values);
    std::vector<uint64_t> scales = {0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x3C01,
                                    0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFE01, 0x0010, 0x1000};
    std::mt19937 random(7);
    for (int i = 0; i < 24; ++i) scales.push_back(random() & 0xFFFF);
    for (uint64_t scale : scales) {
        for (Overflow overflow : kPolicies) {
            std::vector<numeric::Converted> expected;
            for (size_t i = 0; i < src.size(); ++i) {
                expected.push_back(numeric::ConvertInt32ToHalf(static_cast<int32_t>(src.Get(i)),
                                                               static_cast<uint16_t>(scale), overflow));
            }
            for (const std::string& target : Targets()) {
                ASSERT_TRUE(ForceTarget(target));
                Check({.src = DataType::kInt32,
                       .dst = DataType::kHalf,
                       .rounding = Rounding::kFloor,
                       .overflow = overflow,
                       .deq = isa::DeqScale::kHalf,
                       .deq_word = scale},
                      src, expected);
                ASSERT_FALSE(HasFatalFailure()) << "scale " << scale;
            }
        }
    }
}

TEST_F(ConvertTest, Int16ToBytesWithWords) {
    const Elements src(DataType::kInt16, Inputs(DataType::kInt16));
    std::mt19937_64 random(11);
    for (int round = 0; round < 40; ++round) {
        uint64_t words[16];
        for (int i = 0; i < 16; ++i) {
            // Scales that keep some results in range, and now and then anything: inf, NaN, subnormal.
            const uint64_t exponent = 111 + random() % 20;
            words[i] = round % 4 == 3 ? random() : (random() & ~(uint64_t{0xFF} << 23)) | exponent << 23;
        }
        if (round == 3) words[5] = 0x7F800000, words[6] = 0xFF800000, words[7] = 0x7FFFE000, words[8] = 0x80000000;
        const auto lane0 = static_cast<uint32_t>(round % 16);
        for (DataType dst : {DataType::kInt8, DataType::kUint8}) {
            for (auto kind : {isa::DeqScale::kWord, isa::DeqScale::kVector}) {
                std::vector<numeric::Converted> expected;
                for (size_t i = 0; i < src.size(); ++i) {
                    const uint64_t word = words[kind == isa::DeqScale::kWord ? 0 : (lane0 + i) % 16];
                    expected.push_back({numeric::ConvertInt16Deq(dst, static_cast<int16_t>(src.Get(i)), word), false});
                }
                for (const std::string& target : Targets()) {
                    ASSERT_TRUE(ForceTarget(target));
                    Check({.src = DataType::kInt16,
                           .dst = dst,
                           .deq = kind,
                           .deq_word = words[0],
                           .deq_words = words,
                           .lane0 = lane0},
                          src, expected);
                    ASSERT_FALSE(HasFatalFailure()) << "words " << round;
                }
            }
        }
    }
}

// Every count up to several vectors, odd addresses, guard bytes on both sides, and in place where the widths are equal.
void CheckTails(const Conversion& c, const Elements& source, size_t first) {
    constexpr size_t kMost = 70;
    for (size_t n = 0; n <= kMost; ++n) {
        std::vector<uint8_t> expected(BytesOf(c.dst, n) + 2, kGuard);
        std::vector<uint8_t> src(BytesOf(c.src, n) + 2, kGuard);
        std::memcpy(src.data() + 1, source.bytes().data() + BytesOf(c.src, first), BytesOf(c.src, n));
        for (size_t i = 0; i < n; ++i) {
            const uint64_t bits = numeric::Convert(c.src, c.dst, c.rounding, c.overflow, source.Get(first + i)).bits;
            if (c.dst == DataType::kInt4) {
                uint8_t& byte = expected[1 + i / 2];
                byte = static_cast<uint8_t>(i % 2 ? (byte & 0x0F) | bits << 4 : (byte & 0xF0) | bits);
            } else {
                std::memcpy(&expected[1 + BytesOf(c.dst, i)], &bits, BitsOf(c.dst) / 8);
            }
        }
        std::vector<uint8_t> dst(expected.size(), kGuard);
        Convert(c, src.data() + 1, dst.data() + 1, n);
        ASSERT_EQ(dst, expected) << Say(c) << ", " << n << " elements";
        if (BitsOf(c.src) != BitsOf(c.dst)) continue;
        Convert(c, src.data() + 1, src.data() + 1, n);
        ASSERT_EQ(src, expected) << Say(c) << ", in place, " << n << " elements";
    }
}

TEST_F(ConvertTest, TouchesExactlyTheElements) {
    for (const Pair& pair : Pairs()) {
        std::vector<uint64_t> values = Inputs(pair.src);
        std::shuffle(values.begin(), values.end(), std::mt19937(3));
        while (values.size() < 4096) values.insert(values.end(), values.begin(), values.end());
        const Elements source(pair.src, values);
        for (const std::string& target : Targets()) {
            ASSERT_TRUE(ForceTarget(target));
            for (Rounding rounding : {Rounding::kRint, Rounding::kCeil}) {
                CheckTails({.src = pair.src, .dst = pair.dst, .rounding = rounding}, source, 998);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST_F(ConvertTest, RefusesPairsThatDoNotExist) {
    uint8_t bytes[64] = {};
    const Conversion unknown{.src = DataType::kFloat, .dst = DataType::kInt8};
    EXPECT_EQ(ConvertRun(unknown), nullptr);
    EXPECT_THROW(Convert(unknown, bytes, bytes, 1), std::invalid_argument);
    EXPECT_EQ(ConvertRun({.src = DataType::kInt32, .dst = DataType::kHalf}), nullptr) << "no scale";
    EXPECT_EQ(ConvertRun({.src = DataType::kInt16, .dst = DataType::kUint8, .deq = isa::DeqScale::kHalf}), nullptr);
    for (int s = 0; s < kDataTypeCount; ++s) {
        for (int d = 0; d < kDataTypeCount; ++d) {
            const Conversion c{.src = static_cast<DataType>(s), .dst = static_cast<DataType>(d)};
            EXPECT_EQ(ConvertRun(c) != nullptr, numeric::IsConvertible(c.src, c.dst)) << Say(c);
        }
    }
}

}  // namespace
}  // namespace sfumato::exec
