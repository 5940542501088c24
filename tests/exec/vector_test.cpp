// SPDX-License-Identifier: Apache-2.0
// Every vector opcode x type x mask mode x stride x SIMD target against the scalar expectation; the whole UB is
// compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

#include "exec/exec.h"
#include "oracle/vector_oracle.h"

namespace sfumato::testing {
namespace {

using isa::HalfBlock;
using isa::MaskMode;
using isa::Opcode;

constexpr uint64_t kRegion = 8192;  // bytes a operand's part of UB holds
constexpr uint64_t kDeqWords = 3 * kRegion;
constexpr uint64_t kUbBytes = 3 * kRegion + 256;

struct Row {
    Opcode op;
    DataType dst, src;
    HalfBlock half = HalfBlock::kDense;
    isa::DeqScale deq = isa::DeqScale::kNone;
};

std::vector<Row> Rows() {
    std::vector<Row> rows;
    using enum DataType;
    for (Opcode op :
         {Opcode::vadd, Opcode::vsub, Opcode::vmul, Opcode::vmax, Opcode::vmin, Opcode::vadds, Opcode::vmuls}) {
        for (DataType t : {kHalf, kBfloat16, kFloat, kInt16, kInt32, kInt8, kUint8}) {
            if (BitsOf(t) == 8 && (op == Opcode::vmul || op == Opcode::vmuls)) continue;
            rows.push_back({op, t, t});
        }
    }
    for (DataType t : {kHalf, kFloat}) {
        for (Opcode op : {Opcode::vmaxs, Opcode::vmins, Opcode::vabs, Opcode::vexp, Opcode::vln, Opcode::vrec,
                          Opcode::vsqrt, Opcode::vrsqrt, Opcode::vrelu, Opcode::vlrelu, Opcode::vdiv, Opcode::vaxpy,
                          Opcode::vmla, Opcode::vmadd, Opcode::vmaddrelu, Opcode::vaddrelu, Opcode::vsubrelu}) {
            rows.push_back({op, t, t});
        }
    }
    for (Opcode op : {Opcode::vaxpy, Opcode::vmla}) rows.push_back({op, kFloat, kHalf});
    for (Opcode op : {Opcode::vmaxs, Opcode::vmins, Opcode::vabs, Opcode::vaddrelu, Opcode::vsubrelu}) {
        rows.push_back({op, kInt16, kInt16});
    }
    for (Opcode op : {Opcode::vmaxs, Opcode::vmins, Opcode::vrelu}) rows.push_back({op, kInt32, kInt32});
    for (DataType t : {kInt16, kUint16, kInt32, kUint32}) {
        for (Opcode op : {Opcode::vmla, Opcode::vshl, Opcode::vshr}) rows.push_back({op, t, t});
    }
    for (DataType t : {kInt8, kUint8, kInt16, kUint16}) {
        for (Opcode op : {Opcode::vnot, Opcode::vand, Opcode::vor}) rows.push_back({op, t, t});
    }
    for (DataType t : {kUint8, kInt16, kHalf, kBfloat16, kUint32, kFloat, kInt64})
        rows.push_back({Opcode::vector_dup, t, t});
    constexpr DataType kPairs[][2] = {{kHalf, kFloat}, {kFloat, kHalf},  {kBfloat16, kFloat}, {kInt32, kHalf},
                                      {kInt8, kHalf},  {kInt64, kInt32}, {kInt4, kHalf},      {kHalf, kInt4},
                                      {kHalf, kInt8},  {kInt16, kInt32}};
    for (const auto& [dst, src] : kPairs) rows.push_back({Opcode::vconv, dst, src});
    for (HalfBlock half : {HalfBlock::kDense, HalfBlock::kLow, HalfBlock::kHigh}) {
        for (isa::DeqScale deq : {isa::DeqScale::kWord, isa::DeqScale::kVector}) {
            rows.push_back({Opcode::vconv_deq, kInt8, kInt16, half, deq});
        }
    }
    return rows;
}

// `count` bit patterns: ordinary values, and those near which results change.
std::vector<uint64_t> Patterns(DataType type, size_t count, uint64_t seed) {
    static constexpr uint64_t kHalf[] = {0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFFFF, 0x7BFF, 0xFBFF,
                                         1, 0x8001, 0x3FF,  0x400,  0x7C01, 0x7BFE, 0x3C00};
    static constexpr uint64_t kBf16[] = {0,      0x8000, 0x7F80, 0xFF80, 0x7FC0, 0xFFFF, 0x7F7F,
                                         0xFF7F, 1,      0x8001, 0x7F,   0x80,   0x7F81, 0x3F80};
    static constexpr uint64_t kFloat[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                          0xFFFFFFFF, 0x7F7FFFFF, 0xFF7FFFFF, 1,          0x807FFFFF,
                                          0x00800000, 0x7F800001, 0x477FF000, 0x33000000};
    static constexpr uint64_t kInteger[] = {
        0, 1, ~0ull, 0x7F, 0x80, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, 0x7FFFFFFFFFFFFFFF, 2};
    std::mt19937_64 random(seed);
    std::vector<uint64_t> patterns(count);
    const auto pick = [&](const auto& list) { return list[random() % std::size(list)]; };
    for (uint64_t& p : patterns) {
        p = random();
        const uint64_t kind = random() % 4;
        if (kind == 0) {
            p = type == DataType::kHalf       ? pick(kHalf)
                : type == DataType::kBfloat16 ? pick(kBf16)
                : type == DataType::kFloat    ? pick(kFloat)
                                              : pick(kInteger);
        } else if (kind == 1 && type == DataType::kFloat) {
            p = (p & 0x807FFFFF) | (103 + random() % 45) << 23;  // near half's range
        } else if (kind != 2 && !IsFloating(type)) {
            p = random() % 400 - 200;
        }
        if (BitsOf(type) < 64) p &= (1ull << BitsOf(type)) - 1;
    }
    return patterns;
}

uint32_t OperandCount(Opcode op) { return static_cast<uint32_t>(Info(isa::Info(op).form).operands); }

bool IsShift(Opcode op) { return op == Opcode::vshl || op == Opcode::vshr; }

uint64_t DeqWord(uint32_t scale_bits, int offset) {
    return uint64_t{scale_bits} | uint64_t(offset & 0x1FF) << 37 | uint64_t{1} << 46;
}

isa::Record RecordOf(const Row& row, Overflow overflow) {
    isa::Record r;
    r.Become(row.op);
    r.operand_count = static_cast<uint8_t>(OperandCount(row.op));
    r.half_block = row.half;
    r.rounding = row.op == Opcode::vconv ? Rounding::kRint : Rounding::kNone;
    r.control.overflow = overflow;
    r.control.deq = row.deq;
    if (row.deq == isa::DeqScale::kWord) r.control.deq_word = DeqWord(0x3F000000, -7);
    if (row.deq == isa::DeqScale::kVector) r.control.deq_word = kDeqWords;
    for (uint32_t i = 0; i < r.operand_count; ++i) {
        r.operand[i].memory = isa::Memory::kUb;
        r.operand[i].type = i == 0 ? row.dst : row.src;
        r.operand[i].offset = i * kRegion + 64;
        r.operand[i].limit = kUbBytes;
    }
    return r;
}

std::vector<uint8_t> UbOf(const Row& row, uint64_t seed) {
    std::vector<uint8_t> ub(kUbBytes);
    for (uint32_t i = 0; i < 3; ++i) {
        const DataType t = i == 0 ? row.dst : row.src;
        const auto count = static_cast<uint32_t>(kRegion * 8 / BitsOf(t));
        const std::vector<uint64_t> patterns = Patterns(t, count, seed + i);
        for (uint32_t k = 0; k < count; ++k) oracle::Put(ub, i * kRegion, k, BitsOf(t), patterns[k]);
    }
    for (uint32_t lane = 0; lane < 16; ++lane) {
        const uint64_t word = DeqWord(0x3E800000 + lane * 0x00400000, static_cast<int>(lane) * 3 - 20);
        std::memcpy(&ub[kDeqWords + 8 * lane], &word, 8);
    }
    return ub;
}

// Runs one record both ways. The first difference is enough to read.
::testing::AssertionResult Agrees(const isa::Record& record, const std::vector<uint8_t>& start) {
    std::vector<uint8_t> expected = start;
    const bool changed = oracle::ExpectVector(record, expected);
    // As a core's memory: aligned, and a whole number of blocks.
    alignas(64) static uint8_t ub[kUbBytes];
    std::copy(start.begin(), start.end(), ub);
    exec::MemoryMap memory;
    memory.base[static_cast<int>(isa::Memory::kUb)] = ub;
    const bool flagged = exec::Execute(record, memory);
    const std::vector<uint8_t> actual(ub, ub + kUbBytes);
    const auto report = [&] { return ::testing::AssertionFailure() << exec::CurrentTarget() << ": " << Print(record); };
    if (flagged != changed) return report() << "\n  returned " << flagged << ", expected " << changed;
    if (actual == expected) return ::testing::AssertionSuccess();
    size_t at = 0;
    while (actual[at] == expected[at]) ++at;
    const auto word = [&](const std::vector<uint8_t>& v) {
        uint64_t bits = 0;
        std::memcpy(&bits, &v[at & ~size_t{7}], 8);
        return bits;
    };
    return report() << "\n  first difference at UB+" << at << std::hex << ": " << word(actual) << ", expected "
                    << word(expected) << ", before " << word(start);
}

struct Strides {
    uint32_t dst_block, dst_repeat, src_block, src_repeat;  // 0xFF: as many blocks as the repeat needs
};
constexpr uint32_t kPacked = 0xFF;
constexpr Strides kStrides[] = {{1, kPacked, 1, kPacked}, {1, 9, 1, 10}, {2, 17, 1, kPacked}, {1, kPacked, 3, 24},
                                {3, 24, 2, 16},           {1, 8, 1, 0},  {1, 0, 1, 8},        {1, 12, 0, 1}};

uint32_t Blocks(const isa::Record& r, uint32_t operand) {
    if (operand == 0 && r.half_block != HalfBlock::kDense) return 8;
    return LanesPerRepeat(r) * BitsOf(r.operand[operand].type) / 256;
}

void SetStrides(isa::Record& r, const Strides& s) {
    for (uint32_t i = 0; i < r.operand_count; ++i) {
        const uint32_t repeat = i == 0 ? s.dst_repeat : s.src_repeat;
        r.operand[i].block_stride = i == 0 ? s.dst_block : s.src_block;
        r.operand[i].repeat_stride = repeat == kPacked ? Blocks(r, i) : repeat;
    }
}

// Masks that leave a repeat whole, cut it, or pick from it.
std::vector<isa::Mask> Masks(const isa::Record& r) {
    const uint64_t lanes = LanesPerRepeat(r);
    const bool pairs = r.dst().type == DataType::kInt4 || r.operand[1].type == DataType::kInt4;
    std::vector<isa::Mask> masks;
    for (uint64_t n : {uint64_t{1}, uint64_t{2}, uint64_t{13}, lanes / 2, lanes - 1, lanes}) {
        masks.push_back({MaskMode::kContinuous, pairs ? (n + 1) & ~uint64_t{1} : n, {}});
    }
    for (uint64_t n : {uint64_t{1}, uint64_t{7}, lanes, lanes + 1, 2 * lanes + 17, 3 * lanes}) {
        masks.push_back({MaskMode::kCounter, pairs ? (n + 1) & ~uint64_t{1} : n, {}});
    }
    const uint64_t low = lanes >= 64 ? ~uint64_t{0} : (uint64_t{1} << lanes) - 1;
    const uint64_t high = lanes > 64 ? ~uint64_t{0} : 0;
    constexpr uint64_t kBits[][2] = {{0x5555555555555555, 0x5555555555555555},
                                     {0xF000000000000003, 0x0C0000000000F00F},
                                     {0, 0x3300000000000000},
                                     {8, 0},
                                     {0x3F, 0},
                                     {~uint64_t{0}, 0xFF},
                                     {~uint64_t{0}, ~uint64_t{0}}};
    for (const auto& [l, h] : kBits) {
        uint64_t words[2] = {l, h};
        for (uint64_t& w : words) {
            if (pairs) w = (w & 0x5555555555555555) | (w & 0x5555555555555555) << 1;
        }
        masks.push_back({MaskMode::kBits, 0, {words[0] & low, words[1] & high}});
    }
    return masks;
}

// The scalar operands tried for a type: an ordinary value and one that overflows.
std::vector<uint64_t> Immediates(const Row& row) {
    const isa::Form form = isa::Info(row.op).form;
    if (form != isa::Form::kScalar && form != isa::Form::kFill) return {0};
    if (IsShift(row.op)) return {0, 1, 5, BitsOf(row.dst) - 1, BitsOf(row.dst)};
    if (row.src == DataType::kHalf) return {0x4180, 0x7BFF, 0xFC00, 0x7D01};
    if (row.dst == DataType::kBfloat16) return {0x4020, 0x7F7F, 0xFF80, 0x7F81};
    if (row.dst == DataType::kFloat) return {0x40200000, 0x7F7FFFFF, 0xFF800000, 0x7F800001};
    return {3, 0x8182838485868788 & (BitsOf(row.dst) == 64 ? ~uint64_t{0} : (uint64_t{1} << BitsOf(row.dst)) - 1)};
}

class Vector : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { ASSERT_TRUE(exec::ForceTarget(GetParam())); }
    void TearDown() override { exec::ForceTarget(""); }

    template <typename F>
    void ForEachRow(F&& f) {
        uint64_t seed = 1;
        for (const Row& row : Rows()) {
            const std::vector<uint8_t> ub = UbOf(row, seed += 3);
            for (Overflow overflow : {Overflow::kSaturate, Overflow::kInfNan}) {
                for (uint64_t immediate : Immediates(row)) {
                    isa::Record record = RecordOf(row, overflow);
                    record.immediate = immediate;
                    f(row, record, ub);
                    if (HasFailure()) return;
                    if (row.op != Opcode::vshr || !(row.dst == DataType::kInt16 || row.dst == DataType::kInt32))
                        continue;
                    record.rounding = Rounding::kRound;
                    f(row, record, ub);
                    if (HasFailure()) return;
                }
            }
        }
    }
};

TEST_P(Vector, Counts) {
    ForEachRow([](const Row& row, isa::Record& record, const std::vector<uint8_t>& ub) {
        const bool pairs = row.dst == DataType::kInt4 || row.src == DataType::kInt4;
        for (uint64_t n :
             {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 700}) {
            record.mask = {MaskMode::kCount, pairs ? n & ~uint64_t{1} : n, {}};
            ASSERT_TRUE(Agrees(record, ub));
        }
    });
}

TEST_P(Vector, MasksAndStrides) {
    ForEachRow([](const Row&, isa::Record& record, const std::vector<uint8_t>& ub) {
        for (const isa::Mask& mask : Masks(record)) {
            record.mask = mask;
            for (const Strides& strides : kStrides) {
                SetStrides(record, strides);
                record.repeat = 3;
                ASSERT_TRUE(Agrees(record, ub));
            }
            record.repeat = 1;
            ASSERT_TRUE(Agrees(record, ub));
        }
    });
}

// A row beside one block: src1 is the same in every block, of all repeats or of each.
TEST_P(Vector, OneBlockForAll) {
    ForEachRow([](const Row&, isa::Record& record, const std::vector<uint8_t>& ub) {
        if (record.operand_count < 3) return;
        record.repeat = 5;
        for (const isa::Mask& mask : Masks(record)) {
            record.mask = mask;
            for (const Strides& strides : {kStrides[0], kStrides[1], kStrides[2]}) {
                for (uint32_t repeat : {0u, 1u}) {
                    SetStrides(record, strides);
                    record.operand[2].block_stride = 0;
                    record.operand[2].repeat_stride = repeat;
                    ASSERT_TRUE(Agrees(record, ub));
                }
            }
            SetStrides(record, kStrides[0]);
            record.operand[2].block_stride = record.operand[2].repeat_stride = 0;
            record.operand[0].offset = record.operand[1].offset;
            ASSERT_TRUE(Agrees(record, ub));
        }
    });
}

// Repeats that follow each other block by block: a block of each row in a repeat, beside rows, one block a row, one row
// for all; rows apart, or (stride 4) overlapping.
TEST_P(Vector, RowsOfBlocks) {
    ForEachRow([](const Row& row, isa::Record& record, const std::vector<uint8_t>& ub) {
        record.repeat = 5;
        for (const isa::Mask& mask : Masks(record)) {
            record.mask = mask;
            for (const uint32_t stride : {5u, 6u, 4u}) {
                SetStrides(record, {stride, 1, stride, 1});
                for (const auto& [block, repeat] : {std::pair{stride, 1u}, {1u, 0u}, {0u, 1u}}) {
                    record.operand[2].block_stride = block;
                    record.operand[2].repeat_stride = repeat;
                    ASSERT_TRUE(Agrees(record, ub));
                    if (record.operand_count < 3) break;
                }
            }
            if (record.operand_count == 1 || row.dst != row.src) continue;
            SetStrides(record, {5, 1, 5, 1});
            isa::Record in_place = record;
            in_place.operand[0].offset = record.operand[1].offset;
            ASSERT_TRUE(Agrees(in_place, ub));
        }
    });
}

// dst on a source, block for block, repeats packed, strided, or all on one place (accumulation).
TEST_P(Vector, InPlace) {
    ForEachRow([](const Row& row, isa::Record& record, const std::vector<uint8_t>& ub) {
        if (row.dst != row.src || record.operand_count == 1) return;
        for (uint32_t on = 1; on < record.operand_count; ++on) {
            for (const isa::Mask& mask : Masks(record)) {
                record.mask = mask;
                record.repeat = 4;
                for (uint32_t stride : {0u, 8u, 10u}) {
                    for (uint32_t block : {1u, 2u}) {
                        SetStrides(record, {1, 8, 1, 8});
                        record.operand[0].offset = record.operand[on].offset;
                        record.operand[0].repeat_stride = record.operand[on].repeat_stride = stride * block;
                        record.operand[0].block_stride = record.operand[on].block_stride = block;
                        ASSERT_TRUE(Agrees(record, ub));
                    }
                }
            }
        }
    });
}

// Other overlaps keep the order of repeats too: shifted by whole repeats, narrowing in place, widening from the upper
// part.
TEST_P(Vector, Overlaps) {
    ForEachRow([](const Row& row, isa::Record& record, const std::vector<uint8_t>& ub) {
        if (record.operand_count == 1) return;
        for (const isa::Mask& mask : Masks(record)) {
            record.mask = mask;
            record.repeat = 4;
            SetStrides(record, kStrides[0]);
            const uint64_t source = record.operand[1].offset;
            for (uint64_t offset : {source - 256, source + 256, source}) {
                record.operand[0].offset = offset;
                ASSERT_TRUE(Agrees(record, ub));
            }
            record.operand[0].offset = source;
            record.operand[0].repeat_stride = 0;
            ASSERT_TRUE(Agrees(record, ub));
            if (row.dst == row.src) continue;
            SetStrides(record, kStrides[0]);
            record.operand[0].offset =
                source - 4 * 32 * (Blocks(record, 0) - std::min(Blocks(record, 0), Blocks(record, 1)));
            ASSERT_TRUE(Agrees(record, ub));
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Targets, Vector, ::testing::ValuesIn(exec::Targets()), [](const auto& i) { return i.param; });

TEST(Targets, AreForcedByName) {
    const std::vector<std::string> targets = exec::Targets();
    ASSERT_FALSE(targets.empty());
    EXPECT_EQ(exec::CurrentTarget(), targets.front());
    for (const std::string& target : targets) {
        EXPECT_TRUE(exec::ForceTarget(target));
        EXPECT_EQ(exec::CurrentTarget(), target);
        EXPECT_EQ(exec::Targets(), targets);
    }
    EXPECT_FALSE(exec::ForceTarget("MMX"));
    EXPECT_EQ(exec::CurrentTarget(), targets.back());
    EXPECT_TRUE(exec::ForceTarget(""));
    EXPECT_EQ(exec::CurrentTarget(), targets.front());
}

TEST(Execute, RefusesWhatHasNoMeaning) {
    isa::Record record;
    const exec::MemoryMap memory;
    record.operand_count = 3;
    record.operand[0].type = DataType::kInt64;
    EXPECT_THROW(exec::Execute(record, memory), std::logic_error);
    record.Become(Opcode::set_flag);
    EXPECT_THROW(exec::Execute(record, memory), std::logic_error);
    record.Become(Opcode::vconv);
    record.operand[1].type = DataType::kUint64;
    EXPECT_THROW(exec::Execute(record, memory), std::logic_error);
}

}  // namespace
}  // namespace sfumato::testing
