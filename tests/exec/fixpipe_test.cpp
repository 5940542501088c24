// SPDX-License-Identifier: Apache-2.0
// Fixpipe: every layout and conversion of cube.md 5.1 and 5.2; whole memories are compared, on every SIMD target.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "exec/exec.h"
#include "numeric/convert.h"

namespace sfumato::testing {
namespace {

using isa::Memory;
using isa::Quant;

constexpr uint8_t kGuard = 0xA5;
constexpr size_t kL0cBytes = 128 * 1024;
constexpr size_t kWordsAt = 256;  // byte of L1

uint64_t Word(double scale, int offset, int shift = 0) {
    uint64_t word = 0;
    EXPECT_TRUE(numeric::PackDeqWord(scale, offset, true, &word));
    return shift ? word | uint64_t{1} << 36 | static_cast<uint64_t>(shift - 1) << 32 : word;
}

class FixpipeTest : public ::testing::Test {
protected:
    FixpipeTest() : l0c_(kL0cBytes / 4), l1_(64 * 1024, kGuard), gm_(256 * 1024, kGuard) {
        allocations_[0] = gm_.data();
        memory_.gm = allocations_;
        memory_.base[static_cast<int>(Memory::kL0C)] = reinterpret_cast<uint8_t*>(l0c_.data());
        memory_.base[static_cast<int>(Memory::kL1)] = l1_.data();
    }
    ~FixpipeTest() override { exec::ForceTarget(""); }

    isa::Record Record(DataType src, DataType dst, const isa::Fixpipe& shape, Memory to = Memory::kGm) {
        isa::Record r;
        r.Become(isa::Opcode::fixpipe);
        r.operand_count = isa::IsVectorQuant(shape.quant) ? 3 : 2;
        r.operand[0].memory = to;
        r.operand[0].type = dst;
        r.operand[0].offset = 4096;
        r.operand[1].memory = Memory::kL0C;
        r.operand[1].type = src;
        r.operand[1].offset = 1024;
        r.operand[2].memory = Memory::kL1;
        r.operand[2].type = DataType::kUint64;
        r.operand[2].offset = kWordsAt;
        r.Set(shape);
        return r;
    }

    // Element (m, n) of matrix q.
    uint32_t& Source(const isa::Fixpipe& f, uint32_t q, uint32_t m, uint32_t n) {
        return l0c_[256 + q * f.src_nd_stride * 256 + n / 16 * f.src_stride * 16 + m * 16 + n % 16];
    }
    uint64_t WordOf(const isa::Fixpipe& f, uint32_t n) const {
        uint64_t word = f.word;
        if (isa::IsVectorQuant(f.quant)) std::memcpy(&word, &l1_[kWordsAt + 8 * n], 8);
        return word;
    }
    void SetWords(const std::vector<uint64_t>& words) { std::memcpy(&l1_[kWordsAt], words.data(), words.size() * 8); }

    // The byte of dst element (q, m, n) lies at: the table of cube.md 5.1.
    static size_t ByteOf(const isa::Fixpipe& f, size_t element, uint32_t q, uint32_t m, uint32_t n) {
        if (f.row_major) return (size_t{q} * f.dst_nd_stride + size_t{m} * f.dst_stride + n) * element;
        const size_t stride = f.dst_stride * size_t{32};
        if (f.channel_split) return n / 8 * stride + m * 32 + n % 8 * 4;
        if (element > 1) return n / 16 * stride + m * 16 * element + n % 16 * element;
        const bool alone = (f.n + 15) / 16 % 2 == 1 && n / 16 == (f.n - 1) / 16;
        return n / 32 * stride + (alone ? m * 16 + n % 16 : m * 32 + n % 32);
    }

    static numeric::Converted Element(const isa::Record& r, uint32_t bits, uint64_t word) {
        const auto& f = r.As<isa::Fixpipe>();
        const DataType src = r.operand[1].type, dst = r.operand[0].type;
        if (f.quant > Quant::kF322BF16) {
            return numeric::ConvertAccumulator(src, dst, bits, word, f.relu, r.control.overflow);
        }
        const float value = std::bit_cast<float>(bits);
        if (f.relu && src == DataType::kFloat && value <= 0) bits = 0;
        if (f.relu && src == DataType::kInt32 && static_cast<int32_t>(bits) < 0) bits = 0;
        if (src != dst) return numeric::Convert(src, dst, Rounding::kRint, r.control.overflow, bits);
        return {f.relu && src == DataType::kFloat && value != value ? 0x7FC00000u : bits, false};
    }

    // Executes the record on every target and compares GM and L1 with the table and the clear conversions.
    void Check(const isa::Record& r) {
        const auto& f = r.As<isa::Fixpipe>();
        const size_t element = BytesOf(r.operand[0].type, 1);
        std::vector<uint8_t> gm = gm_, l1 = l1_;
        std::vector<uint8_t>& out = r.operand[0].memory == Memory::kGm ? gm : l1;
        bool changed = false;
        for (uint32_t q = 0; q < (f.row_major ? f.nd_count : 1); ++q) {
            for (uint32_t m = 0; m < f.m; ++m) {
                for (uint32_t n = 0; n < f.n; ++n) {
                    const numeric::Converted v = Element(r, Source(f, q, m, n), WordOf(f, n));
                    std::memcpy(&out.at(r.operand[0].offset + ByteOf(f, element, q, m, n)), &v.bits, element);
                    changed |= v.saturated;
                }
            }
        }
        const std::vector<uint8_t> gm_before = gm_, l1_before = l1_;
        for (const std::string& target : exec::Targets()) {
            ASSERT_TRUE(exec::ForceTarget(target));
            ASSERT_EQ(exec::Execute(r, memory_), changed) << target;
            ASSERT_TRUE(gm_ == gm) << target << " " << isa::Name(f.quant) << " m " << f.m << " n " << f.n;
            ASSERT_TRUE(l1_ == l1) << target << " " << isa::Name(f.quant) << " m " << f.m << " n " << f.n;
            std::copy(gm_before.begin(), gm_before.end(), gm_.begin());
            std::copy(l1_before.begin(), l1_before.end(), l1_.begin());
        }
    }

    void FillRandom(DataType type, bool specials) {
        std::mt19937 random(static_cast<uint32_t>(type) + specials);
        std::normal_distribution<float> normal(0, 300);
        for (uint32_t& v : l0c_) {
            if (type == DataType::kFloat) {
                v = std::bit_cast<uint32_t>(normal(random));
                if (specials && random() % 8 == 0) v = random();
                if (specials && random() % 64 == 0) v = random() % 2 ? 0x7F800000 : 0xFF800000;
                if (specials && random() % 64 == 0) v = random() % 2 ? 0xFFC12345 : 0x80000000;
            } else {
                v = random();
                if (!specials) v = static_cast<uint32_t>(static_cast<int32_t>(v) >> 16);
                if (random() % 4 == 0) v = random() % 41 - 20u;
            }
        }
    }

    std::vector<uint32_t> l0c_;
    std::vector<uint8_t> l1_, gm_;
    uint8_t* allocations_[1] = {};
    exec::MemoryMap memory_;
};

struct Mode {
    Quant quant;
    DataType src, dst;
};
constexpr Mode kModes[] = {
    {Quant::kNone, DataType::kFloat, DataType::kFloat},   {Quant::kNone, DataType::kInt32, DataType::kInt32},
    {Quant::kF322F16, DataType::kFloat, DataType::kHalf}, {Quant::kF322BF16, DataType::kFloat, DataType::kBfloat16},
    {Quant::kDeqF16, DataType::kInt32, DataType::kHalf},  {Quant::kVDeqF16, DataType::kInt32, DataType::kHalf},
    {Quant::kQF322B8, DataType::kFloat, DataType::kInt8}, {Quant::kVQF322B8, DataType::kFloat, DataType::kUint8},
    {Quant::kReq8, DataType::kInt32, DataType::kUint8},   {Quant::kVReq8, DataType::kInt32, DataType::kInt8}};

TEST_F(FixpipeTest, EveryModeAndLayout) {
    std::mt19937 random(7);
    std::vector<uint64_t> words(512);
    for (uint64_t& word : words) {
        const double scale = (random() % 2 ? 1 : -1) * (1.0 + random() % 1000) / (1 << random() % 16);
        word =
            Word(scale, static_cast<int>(random() % 512) - 256, random() % 3 ? 0 : 1 + static_cast<int>(random() % 16));
    }
    SetWords(words);
    for (const Mode& mode : kModes) {
        for (bool specials : {false, true}) {
            FillRandom(mode.src, specials);
            for (Overflow overflow : {Overflow::kSaturate, Overflow::kInfNan}) {
                for (bool relu : {false, true}) {
                    for (int layout = 0; layout < 3; ++layout) {
                        if (layout == 2 && mode.dst != DataType::kFloat) continue;
                        for (const auto& [m, n] : {std::pair{1u, 1u},
                                                   {1u, 16u},
                                                   {16u, 16u},
                                                   {5u, 20u},
                                                   {33u, 48u},
                                                   {48u, 64u},
                                                   {3u, 137u},
                                                   {17u, 272u},
                                                   {40u, 8u}}) {
                            isa::Fixpipe f;
                            f.m = m;
                            f.n = n;
                            f.src_stride = (m + 15) / 16 * 16;
                            f.quant = mode.quant;
                            f.relu = relu;
                            f.word = words[random() % words.size()];
                            f.row_major = layout == 0;
                            f.channel_split = layout == 2;
                            f.dst_stride = f.row_major ? n + 3 : m * 2 + 1;
                            if (!f.row_major && BytesOf(mode.dst, 1) == 4 && layout == 1) f.dst_stride = m * 2 + 3;
                            const bool l1 = layout == 1 && mode.dst != mode.src;
                            isa::Record r = Record(mode.src, mode.dst, f, l1 ? Memory::kL1 : Memory::kGm);
                            r.control.overflow = overflow;
                            Check(r);
                            ASSERT_FALSE(HasFatalFailure()) << "layout " << layout << " relu " << relu;
                        }
                    }
                }
            }
        }
    }
}

TEST_F(FixpipeTest, SeveralMatrices) {
    FillRandom(DataType::kFloat, false);
    isa::Fixpipe f;
    f.m = 9;
    f.n = 21;
    f.src_stride = 16;
    f.dst_stride = 24;
    f.nd_count = 3;
    f.src_nd_stride = 5;
    f.dst_nd_stride = 251;
    f.quant = Quant::kF322F16;
    Check(Record(DataType::kFloat, DataType::kHalf, f));
    f.quant = Quant::kNone;
    Check(Record(DataType::kFloat, DataType::kFloat, f));
}

TEST_F(FixpipeTest, NothingToMove) {
    isa::Fixpipe f;
    f.n = f.m = f.src_stride = f.dst_stride = 16;
    f.nd_count = 0;
    Check(Record(DataType::kFloat, DataType::kFloat, f));
    f.nd_count = 1;
    f.m = 0;
    Check(Record(DataType::kFloat, DataType::kFloat, f));
    f.m = 16;
    f.n = 0;
    Check(Record(DataType::kFloat, DataType::kFloat, f));
}

// One row of one column block, computed by hand.
class FixpipeValues : public FixpipeTest {
protected:
    template <typename T>
    std::vector<T> Run(DataType src, DataType dst, isa::Fixpipe f, const std::vector<uint32_t>& values) {
        std::copy(values.begin(), values.end(), l0c_.begin() + 256);
        f.m = 1;
        f.n = static_cast<uint32_t>(values.size());
        f.src_stride = 16;
        f.dst_stride = 16;
        isa::Record r = Record(src, dst, f);
        r.control.overflow = overflow_;
        r.control.atomic = atomic_;
        r.control.atomic_type = dst;
        std::vector<T> out(values.size());
        gm_[4096 + out.size() * sizeof(T)] = kGuard;
        replaced_ = exec::Execute(r, memory_);
        std::memcpy(out.data(), &gm_[4096], out.size() * sizeof(T));
        EXPECT_EQ(gm_[4095], kGuard);
        EXPECT_EQ(gm_[4096 + out.size() * sizeof(T)], kGuard);
        return out;
    }
    static std::vector<uint32_t> Floats(const std::vector<float>& values) {
        std::vector<uint32_t> bits;
        for (float v : values) bits.push_back(std::bit_cast<uint32_t>(v));
        return bits;
    }
    static std::vector<uint32_t> Ints(const std::vector<int32_t>& values) { return {values.begin(), values.end()}; }

    Overflow overflow_ = Overflow::kSaturate;
    isa::Atomic atomic_ = isa::Atomic::kNone;
    bool replaced_ = false;
};

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_F(FixpipeValues, HalfFollowsThePolicy) {
    isa::Fixpipe f;
    f.quant = Quant::kF322F16;
    const std::vector<uint32_t> in = Floats({1, -1, 1e6f, -kInf, kNan, 2049, 2051, -0.0f});
    using Bits = std::vector<uint16_t>;
    EXPECT_EQ(Run<uint16_t>(DataType::kFloat, DataType::kHalf, f, in),
              (Bits{0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0, 0x6800, 0x6802, 0x8000}));
    EXPECT_TRUE(replaced_);
    overflow_ = Overflow::kInfNan;
    EXPECT_EQ(Run<uint16_t>(DataType::kFloat, DataType::kHalf, f, in),
              (Bits{0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0x6800, 0x6802, 0x8000}));
    EXPECT_FALSE(replaced_);
    f.relu = true;
    EXPECT_EQ(Run<uint16_t>(DataType::kFloat, DataType::kHalf, f, in),
              (Bits{0x3C00, 0, 0x7C00, 0, 0x7E00, 0x6800, 0x6802, 0}));
}

TEST_F(FixpipeValues, ReluKeepsNanOfFloats) {
    isa::Fixpipe f;
    f.relu = true;
    EXPECT_EQ(Run<uint32_t>(DataType::kFloat, DataType::kFloat, f, Floats({-kNan, -0.0f, -kInf, kInf, 2.5f})),
              (std::vector<uint32_t>{0x7FC00000, 0, 0, 0x7F800000, 0x40200000}));
    EXPECT_FALSE(replaced_);
}

TEST_F(FixpipeValues, FloatToBytes) {
    isa::Fixpipe f;
    f.quant = Quant::kQF322B8;
    f.word = Word(0.5, 3);
    const std::vector<uint32_t> in = Floats({1, 3, -1, -3, 1000, -1000, kNan, kInf, -kInf});
    // 0.5 and 1.5 round to 0 and 2; 500 stops at 255 and -500 at -256 before the offset.
    EXPECT_EQ(Run<int8_t>(DataType::kFloat, DataType::kInt8, f, in),
              (std::vector<int8_t>{3, 5, 3, 1, 127, -128, 3, 127, -128}));
    EXPECT_EQ(Run<uint8_t>(DataType::kFloat, DataType::kUint8, f, in),
              (std::vector<uint8_t>{3, 5, 3, 1, 255, 0, 3, 255, 0}));
    f.relu = true;
    EXPECT_EQ(Run<int8_t>(DataType::kFloat, DataType::kInt8, f, in),
              (std::vector<int8_t>{3, 5, 3, 3, 127, 3, 3, 127, 3}));
    EXPECT_FALSE(replaced_);
    f.relu = false;
    f.word = Word(1, -256);
    EXPECT_EQ(Run<int8_t>(DataType::kFloat, DataType::kInt8, f, Floats({300, 128, 0})),
              (std::vector<int8_t>{-1, -128, -128}));
}

TEST_F(FixpipeValues, TheScaleHasTenBits) {
    isa::Fixpipe f;
    f.quant = Quant::kQF322B8;
    f.word = std::bit_cast<uint32_t>(1.0f + 0x1p-11f);  // read as 1
    EXPECT_EQ(Run<int8_t>(DataType::kFloat, DataType::kInt8, f, Floats({64.5f})), (std::vector<int8_t>{64}));
    f.word = std::bit_cast<uint32_t>(1.0f + 0x1p-10f);
    EXPECT_EQ(Run<int8_t>(DataType::kFloat, DataType::kInt8, f, Floats({64.5f})), (std::vector<int8_t>{65}));
}

TEST_F(FixpipeValues, AccumulatorsAreShiftedFirst) {
    isa::Fixpipe f;
    f.quant = Quant::kReq8;
    f.word = Word(1, 0, 4);
    const std::vector<uint32_t> in = Ints({32, -1, 15, -17, 1 << 30, -(1 << 30)});
    EXPECT_EQ(Run<int8_t>(DataType::kInt32, DataType::kInt8, f, in), (std::vector<int8_t>{2, -1, 0, -2, 127, -128}));
    // Limited to int16 before the scale: 32767 / 1024 is 32.
    f.word = Word(1.0 / 1024, 0, 4);
    EXPECT_EQ(Run<int8_t>(DataType::kInt32, DataType::kInt8, f, in), (std::vector<int8_t>{0, 0, 0, 0, 32, -32}));
    f.quant = Quant::kDeqF16;
    f.word = Word(2, 100, 16);  // the offset has no part in it
    EXPECT_EQ(Run<uint16_t>(DataType::kInt32, DataType::kHalf, f, Ints({1 << 16, -1, 65535})),
              (std::vector<uint16_t>{0x4000, 0xC000, 0}));
}

TEST_F(FixpipeValues, DequantisedHalfRoundsOnce) {
    isa::Fixpipe f;
    f.quant = Quant::kDeqF16;
    f.word = Word(1, 0);
    // 2^24 + 1 is 2^24 as float; half stops at 65504.
    EXPECT_EQ(Run<uint16_t>(DataType::kInt32, DataType::kHalf, f, Ints({16777217, -5, 2049})),
              (std::vector<uint16_t>{0x7BFF, 0xC500, 0x6800}));
    EXPECT_TRUE(replaced_);
    f.relu = true;
    EXPECT_EQ(Run<uint16_t>(DataType::kInt32, DataType::kHalf, f, Ints({-16777217, -5, 5})),
              (std::vector<uint16_t>{0, 0, 0x4500}));
    EXPECT_FALSE(replaced_);
    // The exact product lies above the middle of 1026 and 1027 units of half; as a float it would be the middle.
    f.word = Word(std::ldexp(1027.0, -34), 0);
    EXPECT_EQ(Run<uint16_t>(DataType::kInt32, DataType::kHalf, f, Ints({16769048})), (std::vector<uint16_t>{0x3C03}));
    // 40175.9998 goes down to 40160; by way of the float 40176 it would go up to 40192.
    f.word = Word(0x1.68p-9, 0);
    EXPECT_EQ(Run<uint16_t>(DataType::kInt32, DataType::kHalf, f, Ints({14627635})), (std::vector<uint16_t>{0x78E7}));
}

TEST_F(FixpipeValues, ColumnsPastNDecideNothing) {
    std::fill(l0c_.begin(), l0c_.end(), std::bit_cast<uint32_t>(kInf));
    isa::Fixpipe f;
    f.quant = Quant::kF322F16;
    EXPECT_EQ(Run<uint16_t>(DataType::kFloat, DataType::kHalf, f, Floats({1, 2, 3})),
              (std::vector<uint16_t>{0x3C00, 0x4000, 0x4200}));
    EXPECT_FALSE(replaced_);
}

TEST_F(FixpipeValues, AtomicStoresAdd) {
    isa::Fixpipe f;
    atomic_ = isa::Atomic::kAdd;
    const std::vector<uint32_t> there = Floats(std::vector<float>(20, 100));
    std::memcpy(&gm_[4096], there.data(), 80);
    std::vector<float> in(20), expected(20);
    for (size_t i = 0; i < 16; ++i) {
        in[i] = static_cast<float>(i);
        expected[i] = in[i] + 100;
    }
    std::vector<uint32_t> sixteen = Floats(in);
    sixteen.resize(16);
    expected.resize(16);
    EXPECT_EQ(Run<uint32_t>(DataType::kFloat, DataType::kFloat, f, sixteen), Floats(expected));
    f.quant = Quant::kF322F16;
    const uint16_t halves[3] = {0x3C00, 0x7BFF, 0x0000};
    std::memcpy(&gm_[4096], halves, 6);
    EXPECT_EQ(Run<uint16_t>(DataType::kFloat, DataType::kHalf, f, Floats({1, 65504, 0.5f})),
              (std::vector<uint16_t>{0x4000, 0x7BFF, 0x3800}));
    EXPECT_TRUE(replaced_);
}

TEST_F(FixpipeTest, AtomicStoresOfWholeTiles) {
    FillRandom(DataType::kFloat, false);
    std::vector<uint8_t> expected = gm_;
    for (bool row_major : {true, false}) {
        isa::Fixpipe f;
        f.m = 40;
        f.n = 150;
        f.src_stride = 48;
        f.row_major = row_major;
        f.dst_stride = row_major ? 160 : 80;
        std::fill(gm_.begin(), gm_.end(), uint8_t{0});
        isa::Record r = Record(DataType::kFloat, DataType::kFloat, f);
        r.control.atomic = isa::Atomic::kMax;
        r.control.atomic_type = DataType::kFloat;
        for (int times = 0; times < 2; ++times) EXPECT_FALSE(exec::Execute(r, memory_));
        std::fill(expected.begin(), expected.end(), uint8_t{0});
        for (uint32_t m = 0; m < f.m; ++m) {
            for (uint32_t n = 0; n < f.n; ++n) {
                const float v = std::max(0.0f, std::bit_cast<float>(Source(f, 0, m, n)));
                std::memcpy(&expected[4096 + ByteOf(f, 4, 0, m, n)], &v, 4);
            }
        }
        EXPECT_TRUE(gm_ == expected);
    }
}

TEST_F(FixpipeTest, RefusesTypesWithoutAMeaning) {
    isa::Fixpipe f;
    f.n = f.m = f.src_stride = f.dst_stride = 16;
    EXPECT_THROW(exec::Execute(Record(DataType::kFloat, DataType::kHalf, f), memory_), std::logic_error);
    f.quant = Quant::kF322F16;
    EXPECT_THROW(exec::Execute(Record(DataType::kFloat, DataType::kFloat, f), memory_), std::logic_error);
    f.quant = Quant::kReq8;
    EXPECT_THROW(exec::Execute(Record(DataType::kFloat, DataType::kInt8, f), memory_), std::logic_error);
    f.quant = Quant::kDeqF16;
    EXPECT_THROW(exec::Execute(Record(DataType::kInt32, DataType::kInt16, f), memory_), std::logic_error);
}

}  // namespace
}  // namespace sfumato::testing
