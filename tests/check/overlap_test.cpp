// SPDX-License-Identifier: Apache-2.0
// Overlap: the idioms by name, then random records against byte sets.
#include <gtest/gtest.h>

#include "check/records.h"
#include "check/touched.h"

namespace sfumato::check {
namespace {

using isa::Bytes;
using isa::Record;

constexpr DataType kF16 = DataType::kHalf, kF32 = DataType::kFloat;

std::string RuleOf(const Record& r) {
    const Outcome outcome = Check(r, ChipNamed("Ascend910B"));
    return outcome.reports.empty() ? "" : Name(outcome.reports[0].rule);
}

Record WithRepeatStrides(Record r, uint32_t dst, uint32_t src0, uint32_t src1) {
    r.operand[0].repeat_stride = dst;
    r.operand[1].repeat_stride = src0;
    r.operand[2].repeat_stride = src1;
    return r;
}

TEST(Overlap, InPlaceIsLegal) {
    EXPECT_EQ(RuleOf(WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 255)), "");
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vadd, {Ub(kF32, 0), Ub(kF32, 0), Ub(kF32, 0)}), 1000)), "");
}

TEST(Overlap, NarrowingInPlaceIsLegal) {
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vconv, {Ub(kF16, 0), Ub(kF32, 0)}), 4096)), "");
    EXPECT_EQ(RuleOf(WithMask(WithRepeatStrides(Make(Opcode::vconv, {Ub(kF16, 0), Ub(kF32, 0)}), 4, 8, 0), 64, 64)),
              "");
}

TEST(Overlap, WideningOutOfTheUpperPartIsLegal) {
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 8192)}), 4096)), "");
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 7936)}), 4096)), "overlap-across-repeats");
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 0)}), 64)), "");
}

TEST(Overlap, AccumulationIsLegal) {
    const Record add = WithMask(Make(Opcode::vadd, {Ub(kF32, 0), Ub(kF32, 256), Ub(kF32, 0)}), 64, 16);
    EXPECT_EQ(RuleOf(WithRepeatStrides(add, 0, 8, 0)), "");
    EXPECT_EQ(RuleOf(WithRepeatStrides(add, 8, 8, 0)), "overlap-across-repeats");
    // The idiom is dst = src1; src0 does not accumulate.
    const Record other = WithMask(Make(Opcode::vadd, {Ub(kF32, 0), Ub(kF32, 0), Ub(kF32, 256)}), 64, 16);
    EXPECT_EQ(RuleOf(WithRepeatStrides(other, 0, 0, 8)), "overlap-across-repeats");
}

TEST(Overlap, WhatReadsItsDestinationDoesNotAccumulate) {
    const Record mla = WithMask(Make(Opcode::vmla, {Ub(kF32, 0), Ub(kF32, 8192), Ub(kF32, 12288)}), 64, 16);
    EXPECT_EQ(RuleOf(mla), "");
    EXPECT_EQ(RuleOf(WithRepeatStrides(mla, 0, 8, 8)), "overlap-across-repeats");
    EXPECT_EQ(RuleOf(WithRepeatStrides(mla, 7, 8, 8)), "overlap-across-repeats");
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vaxpy, {Ub(kF16, 0), Ub(kF16, 0)}), 4096)), "");
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vaxpy, {Ub(kF32, 0), Ub(kF16, 16384)}), 4096)), "");
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vaxpy, {Ub(kF32, 0), Ub(kF16, 8192)}), 4096)), "overlap-in-repeat");
    EXPECT_EQ(RuleOf(WithCount(Make(Opcode::vaxpy, {Ub(kF32, 0), Ub(kF16, 0)}), 64)), "overlap-in-repeat");
}

TEST(Overlap, InterleavedBlocksAreDisjoint) {
    Record r = WithMask(Make(Opcode::vadds, {Ub(kF32, 32), Ub(kF32, 0)}), 64, 1);
    r.operand[0].block_stride = r.operand[1].block_stride = 2;
    EXPECT_EQ(RuleOf(r), "");
}

// Repeats that follow each other block by block, in place: each has its own blocks while they end before the next
// begin.
TEST(Overlap, RepeatsBetweenBlocksAreLegalInPlace) {
    Record both = WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 100);
    for (const uint32_t stride : {1u, 2u}) {
        for (const uint32_t block : {99u, 100u, 198u, 199u}) {
            both.operand[0].repeat_stride = both.operand[1].repeat_stride = stride;
            both.operand[0].block_stride = both.operand[1].block_stride = block;
            EXPECT_EQ(RuleOf(both), block > 99 * stride ? "" : "overlap-across-repeats") << stride << " " << block;
        }
    }
}

TEST(Overlap, MovesOnToThemselvesAreLegal) {
    EXPECT_EQ(RuleOf(Move(Opcode::data_move, Ub(kF16, 0), Ub(kF16, 0), 4, 64)), "");
    EXPECT_EQ(RuleOf(Move(Opcode::data_move, Ub(kF16, 0), Ub(kF16, 64), 4, 64)), "") << "down by a whole block";
    EXPECT_EQ(RuleOf(Move(Opcode::data_move, Ub(kF16, 0), Ub(kF16, 32), 4, 64)), "overlap-in-move");
}

bool Meet(const Bytes& a, const Bytes& b) {
    for (uint64_t byte : a) {
        if (b.count(byte)) return true;
    }
    return false;
}

// vector.md, Overlap, on sets of bytes.
std::string Expected(const Record& r) {
    const std::vector<Bytes> dst = isa::Touched(r, 0);
    const bool counted = r.mask.mode == isa::MaskMode::kCount;
    for (int i = 1; i < r.operand_count; ++i) {
        const isa::Operand &d = r.dst(), &s = r.operand[static_cast<size_t>(i)];
        const std::vector<Bytes> src = isa::Touched(r, i);
        const bool accumulates = i == 2 && !Has(r.op, isa::kReadsDst) && !counted && d.offset == s.offset &&
                                 d.repeat_stride == 0 && s.repeat_stride == 0;
        const bool half = r.half_block != isa::HalfBlock::kDense;
        const bool one_width = BitsOf(d.type) == BitsOf(s.type) || half;
        const uint64_t lanes = isa::LanesPerRepeat(r);
        Bytes written;
        for (size_t n = 0; n < dst.size(); ++n) {
            if (Meet(src[n], written) && !accumulates) return "overlap-across-repeats";
            written.insert(dst[n].begin(), dst[n].end());
            if (!Meet(src[n], dst[n])) continue;
            // Where the repeat starts, whether or not its first lane is in the mask.
            const auto start = [&](const isa::Operand& o) {
                if (!counted) return o.offset + n * o.repeat_stride * 32;
                return o.offset + n * (half && &o == &d ? 256 : lanes * BitsOf(o.type) / 8);
            };
            const bool packed = counted || (d.block_stride == 1 && s.block_stride == 1);
            bool same = start(d) == start(s);
            if (one_width) {
                // Block strides only matter when the lanes reach a second block.
                const uint64_t last = r.mask.mode != isa::MaskMode::kBits ? std::min(r.mask.count, lanes)
                                      : r.mask.bits[1]                    ? 128 - std::countl_zero(r.mask.bits[1])
                                                                          : 64 - std::countl_zero(r.mask.bits[0]);
                same &= counted || d.block_stride == s.block_stride || last <= 256 / BitsOf(s.type);
            } else {
                same = packed && (same || *dst[n].rbegin() == *src[n].rbegin());
            }
            if (!same) return "overlap-in-repeat";
        }
    }
    Bytes written;
    for (size_t n = 0; n < dst.size() && Has(r.op, isa::kReadsDst); ++n) {
        if (Meet(dst[n], written)) return "overlap-across-repeats";
        written.insert(dst[n].begin(), dst[n].end());
    }
    return "";
}

TEST(Overlap, RandomRecordsAgreeWithByteSets) {
    isa::RandomRecords random(7);
    int legal = 0, across = 0, within = 0;
    for (int n = 0; n < 20000; ++n) {
        const Record r = random.Vector();
        const Outcome outcome = Check(r, ChipNamed("Ascend910B"));
        const std::string rule = outcome.reports.empty() ? "" : Name(outcome.reports.back().rule);
        const bool is_overlap = rule.rfind("overlap", 0) == 0;
        if (!outcome.ok && !is_overlap) continue;
        const std::string expected = Expected(r);
        ASSERT_EQ(is_overlap ? rule : "", expected) << isa::Print(r);
        ++(expected.empty() ? legal : expected == "overlap-in-repeat" ? within : across);
    }
    EXPECT_GT(legal, 1000);
    EXPECT_GT(across, 300);
    EXPECT_GT(within, 300);
}

}  // namespace
}  // namespace sfumato::check
