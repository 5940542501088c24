// SPDX-License-Identifier: Apache-2.0
// One wrong record per rule at least, and its report.
#include <gtest/gtest.h>

#include <set>

#include "check/cases.h"
#include "check/records.h"
#include "support/golden.h"
#include "support/raised.h"

namespace sfumato::check {
namespace {

using isa::CoreKind;
using isa::DeqScale;
using isa::HalfBlock;
using isa::Record;

constexpr DataType kS4 = DataType::kInt4, kS8 = DataType::kInt8, kS16 = DataType::kInt16, kF16 = DataType::kHalf,
                   kS32 = DataType::kInt32, kF32 = DataType::kFloat, kS64 = DataType::kInt64, kU32 = DataType::kUint32;

Record WithDeq(Record r, DeqScale deq, uint64_t word) {
    r.control.deq = deq;
    r.control.deq_word = word;
    return r;
}

Record WithImmediate(Record r, uint64_t immediate) {
    r.immediate = immediate;
    return r;
}

Record WithHalf(Record r, HalfBlock half) {
    r.half_block = half;
    return r;
}

Record OnCore(Record r, CoreKind kind) {
    r.core_kind = kind;
    return r;
}

isa::Operand In(Memory memory, isa::Operand o) {
    o.memory = memory;
    return o;
}

Record WithStrides(Record r, uint32_t block, uint32_t repeat) {
    for (isa::Operand& o : r.operand) {
        o.block_stride = block;
        o.repeat_stride = repeat;
    }
    return r;
}

Record DstBlockStride(Record r, uint32_t block) {
    r.operand[0].block_stride = block;
    return r;
}

isa::Operand Sized(isa::Operand o, uint64_t elements) {
    o.elements = elements;
    return o;
}

Record WithPitch(Record r, uint64_t dst, uint64_t src) {
    r.As<isa::Blocks>().dst_pitch = dst;
    r.As<isa::Blocks>().src_pitch = src;
    return r;
}

Record WithPad(Record r, uint8_t left, uint8_t right, bool is_pad, uint64_t value) {
    r.As<isa::MovePad>().left = left;
    r.As<isa::MovePad>().right = right;
    r.As<isa::MovePad>().is_pad = is_pad;
    r.As<isa::MovePad>().pad_value = value;
    return r;
}

Record Undefined(Record r) {
    r.As<isa::MovePad>().pad_defined = false;
    return r;
}

Record WithFlag(int8_t id) {
    Record r = Make(Opcode::set_flag, {});
    r.As<isa::Flag>().id = id;
    return r;
}

const std::vector<Case> kVectorAndMoveCases = {
    {Rule::kInstructionUnsupported, "PadOnAscend910", "Ascend910",
     Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 1, 64)},
    {Rule::kTypeUnsupported, "AddOfInt8", "Ascend910B", Make(Opcode::vadd, {Ub(kS8, 0), Ub(kS8, 256), Ub(kS8, 512)})},
    {Rule::kTypeUnsupported, "AddsOfInt32OnAscend910", "Ascend910", Make(Opcode::vadds, {Ub(kS32, 0), Ub(kS32, 256)})},
    {Rule::kTypeMismatch, "AddOfTwoTypes", "Ascend910B",
     Make(Opcode::vadd, {Ub(kF16, 0), Ub(kF16, 256), Ub(kF32, 512)})},
    {Rule::kConversionUnsupported, "FloatToInt8", "Ascend910B", Make(Opcode::vconv, {Ub(kS8, 0), Ub(kF32, 256)})},
    {Rule::kConversionUnsupported, "HalfToInt4OnAscend910", "Ascend910",
     Make(Opcode::vconv, {Ub(kS4, 0), Ub(kF16, 256)})},
    {Rule::kConversionUnsupported, "CastDeqOfHalf", "Ascend910B", Make(Opcode::vconv_deq, {Ub(kS8, 0), Ub(kF16, 256)})},
    {Rule::kRoundingUnsupported, "HalfToInt32WithoutRounding", "Ascend910B",
     Make(Opcode::vconv, {Ub(kS32, 0), Ub(kF16, 256)})},
    {Rule::kRoundingUnsupported, "HalfToInt8RoundInTik", "Ascend910",
     WithRounding(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kF16, 256)})), Rounding::kRint)},
    {Rule::kShiftRange, "Negative", "Ascend910B",
     WithImmediate(Make(Opcode::vshl, {Ub(kS16, 0), Ub(kS16, 256)}), 0xFFFF)},
    {Rule::kShiftRange, "PastTheWidth", "Ascend310P-Vector",
     WithImmediate(ByTik(Make(Opcode::vshr, {Ub(kU32, 0), Ub(kU32, 256)})), 33)},
    {Rule::kShiftRound, "OnAscend310B", "Ascend310B",
     WithRounding(Make(Opcode::vshr, {Ub(kS16, 0), Ub(kS16, 256)}), Rounding::kRound)},
    {Rule::kShiftRound, "Unsigned", "Ascend910B",
     WithRounding(Make(Opcode::vshr, {Ub(kU32, 0), Ub(kU32, 256)}), Rounding::kRound)},
    {Rule::kTypeMismatch, "MixedWhereThereIsNone", "Ascend310B",
     Make(Opcode::vmla, {Ub(kF32, 0), Ub(kF16, 1024), Ub(kF16, 2048)})},
    {Rule::kTypeMismatch, "SecondSourceOfAMixedOne", "Ascend910B",
     Make(Opcode::vmla, {Ub(kF32, 0), Ub(kF16, 1024), Ub(kF32, 2048)})},
    {Rule::kDeqscaleMissing, "Int32ToHalf", "Ascend910B", Make(Opcode::vconv, {Ub(kF16, 0), Ub(kS32, 256)})},
    {Rule::kDeqscaleMissing, "Int16ToInt8WithHalf", "Ascend910B",
     WithDeq(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kS16, 256)})), DeqScale::kHalf, 0x3C00)},
    {Rule::kDeqscaleNotTaken, "HalfToFloatInTik", "Ascend910B",
     WithDeq(ByTik(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 256)})), DeqScale::kHalf, 0x3C00)},
    {Rule::kDeqscaleSign, "Int16ToInt8", "Ascend910B",
     WithHalf(WithDeq(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kS16, 256)})), DeqScale::kWord, 0x3F800000),
              HalfBlock::kLow)},
    {Rule::kDeqscaleAddress, "Misaligned", "Ascend910B",
     WithHalf(WithDeq(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kS16, 256)})), DeqScale::kVector, 8), HalfBlock::kLow)},
    {Rule::kHalfBlockUnsupported, "HalfToInt8", "Ascend910B",
     WithHalf(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kF16, 256)}), HalfBlock::kHigh)},
    {Rule::kCoreKind, "AddsOnCube", "Ascend910B",
     OnCore(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 256)}), CoreKind::kCube)},
    {Rule::kCoreKind, "GmToUbOnCube", "Ascend910B",
     OnCore(Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 1, 64), CoreKind::kCube)},
    {Rule::kCoreKind, "GmToL1OnVector", "Ascend910B",
     OnCore(Move(Opcode::data_move, In(Memory::kL1, Ub(kF16, 0)), Gm(kF16, 0), 1, 64), CoreKind::kVector)},
    {Rule::kMemoryPath, "AddsInGm", "Ascend910B", Make(Opcode::vadds, {Ub(kF32, 0), Gm(kF32, 256)})},
    {Rule::kMemoryPath, "GmToGm", "Ascend910B", Move(Opcode::data_move, Gm(kF16, 0), Gm(kF16, 1024), 1, 64)},
    {Rule::kMemoryPath, "UbToL1OnAscend310B", "Ascend310B",
     Move(Opcode::data_move, In(Memory::kL1, Ub(kF16, 0)), Ub(kF16, 1024), 1, 64)},
    {Rule::kUnlistedOnChip, "UbToUbOnAscend310B", "Ascend310B",
     Move(Opcode::data_move, Ub(kF16, 0), Ub(kF16, 1024), 1, 64)},
    {Rule::kUnlistedOnChip, "AbsOfIntegersOnAscend310B", "Ascend310B",
     Make(Opcode::vabs, {Ub(kS32, 0), Ub(kS32, 256)})},
    {Rule::kMemoryPath, "PadToUbFromUb", "Ascend910B", Move(Opcode::data_move_pad, Ub(kF16, 0), Ub(kF16, 1024), 1, 64)},
    {Rule::kUbAlignment, "Cast", "Ascend910B",
     WithRounding(Make(Opcode::vconv, {Ub(kS32, 20), Ub(kF16, 256)}), Rounding::kCeil)},
    {Rule::kUbAlignment, "MoveSource", "Ascend910B", Move(Opcode::data_move, Gm(kF16, 0), Ub(kF16, 6), 1, 64)},
    {Rule::kL1Alignment, "Tik", "Ascend910B",
     OnCore(ByTik(Move(Opcode::data_move, In(Memory::kL1, Ub(kF16, 48)), Gm(kF16, 0), 1, 64)), CoreKind::kCube)},
    {Rule::kGmAlignment, "OddByteOfHalf", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 3), 1, 64)},
    {Rule::kScalarAlignment, "FloatAtTwo", "Ascend910B", Make(Opcode::scalar_store, {Ub(kF32, 2)})},
    {Rule::kRepeatRange, "TooMany", "Ascend910B", WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 256)},
    {Rule::kRepeatZero, "Zero", "Ascend910B", WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 0)},
    {Rule::kCountZero, "Zero", "Ascend910B", WithCount(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 0)},
    {Rule::kStrideRange, "RepeatStride", "Ascend910B",
     WithStrides(WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 2), 1, 256)},
    {Rule::kStrideRange, "BlockStrideOfAdd", "Ascend910B",
     WithStrides(Make(Opcode::vadd, {Ub(kF32, 0), Ub(kF32, 0), Ub(kF32, 0)}), 256, 8)},
    {Rule::kMaskRange, "TooMany", "Ascend910B", WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 65, 1)},
    {Rule::kMaskRange, "Zero", "Ascend910B", WithMask(Make(Opcode::vadds, {Ub(kF16, 0), Ub(kF16, 0)}), 0, 1)},
    {Rule::kMaskRange, "Count", "Ascend910B",
     WithCount(Make(Opcode::vadds, {Ub(kF16, 0), Ub(kF16, 0)}), uint64_t{1} << 32)},
    {Rule::kMaskBitsZero, "Both", "Ascend910B", WithBits(Make(Opcode::vadds, {Ub(kF16, 0), Ub(kF16, 0)}), 0, 0)},
    {Rule::kMaskBitsHigh, "Swapped", "Ascend910B",
     WithBits(WithRounding(Make(Opcode::vconv, {Ub(kS32, 0), Ub(kF16, 256)}), Rounding::kCeil), 0, ~uint64_t{0})},
    {Rule::kMaskBitsHigh, "SixtyFourBits", "Ascend910B",
     WithBits(WithRounding(Make(Opcode::vconv, {Ub(kS64, 0), Ub(kF32, 256)}), Rounding::kCeil), uint64_t{1} << 32, 0)},
    {Rule::kMaskInt4Pairs, "OddCount", "Ascend910B", WithCount(Make(Opcode::vconv, {Ub(kS4, 0), Ub(kF16, 256)}), 33)},
    {Rule::kMaskInt4Pairs, "HalfPair", "Ascend910B",
     WithBits(Make(Opcode::vconv, {Ub(kS4, 0), Ub(kF16, 256)}), 0b1101, 0)},
    {Rule::kCountExceedsTensor, "Cast", "Ascend910B",
     WithCount(WithRounding(Make(Opcode::vconv, {Sized(Ub(kS32, 0), 512), Ub(kF16, 4096)}), Rounding::kCeil), 513)},
    {Rule::kOutOfBuffer, "Repeats", "Ascend910B",
     WithMask(Make(Opcode::vadds, {Ub(kF32, 0, 1024), Ub(kF32, 0, 1024)}), 64, 5)},
    {Rule::kOutOfBuffer, "PaddedBlocks", "Ascend910B",
     Move(Opcode::data_move_pad, Ub(kF16, 32, 64), Gm(kF16, 0), 1, 34)},
    {Rule::kPastTensor, "Repeats", "Ascend910B",
     WithMask(Make(Opcode::vadds, {Sized(Ub(kF32, 0), 128), Ub(kF32, 0)}), 64, 3)},
    {Rule::kPastMemory, "Ub", "Ascend910B",
     WithMask(Make(Opcode::vadds, {Ub(kF32, 196352, 262144), Ub(kF32, 0)}), 64, 2)},
    {Rule::kGmOutOfRange, "Write", "Ascend910B", Move(Opcode::data_move, Gm(kF16, 66, 1), Ub(kF16, 0), 1, 64)},
    {Rule::kGmOutOfRange, "ReadTooFar", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 4064), 1, 64)},
    {Rule::kWindowRange, "Write", "Ascend910B", Move(Opcode::data_move, Gm(kF16, 4064, 2), Ub(kF16, 0), 1, 64)},
    {Rule::kGmPadding, "Tail", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0, 1), 1, 128)},
    {Rule::kOverlapInRepeat, "ShiftedByABlock", "Ascend910B", Make(Opcode::vadds, {Ub(kF32, 32), Ub(kF32, 0)})},
    {Rule::kOverlapInRepeat, "OtherBlockStride", "Ascend910B",
     DstBlockStride(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 2)},
    {Rule::kOverlapAcrossRepeats, "NextRepeat", "Ascend910B",
     WithMask(Make(Opcode::vadds, {Ub(kF32, 256), Ub(kF32, 0)}), 64, 2)},
    {Rule::kOverlapAcrossRepeats, "WideningInPlace", "Ascend910B",
     WithCount(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 0)}), 128)},
    {Rule::kOverlapInMove, "Shifted", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 64), Ub(kF16, 0), 4, 64)},
    {Rule::kBlockCountRange, "TooMany", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 4096, 32)},
    {Rule::kBlockLengthRange, "PartOfABlock", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 1, 40)},
    {Rule::kBlockLengthRange, "PartOfAnElement", "Ascend910B",
     Move(Opcode::data_move_pad, Ub(kF32, 0), Gm(kF32, 0), 1, 6)},
    {Rule::kGapRange, "Overlapping", "Ascend910B",
     WithPitch(Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 2, 64), 64, 32)},
    {Rule::kGapRange, "PaddedUb", "Ascend910B",
     WithPitch(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 2, 34), 32, 34)},
    {Rule::kMoveNothing, "NoBlocks", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 0, 64)},
    {Rule::kPadRange, "Left", "Ascend910B",
     WithPad(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 1, 34), 17, 0, true, 0)},
    {Rule::kPadValue64, "Int64", "Ascend910B",
     WithPad(Move(Opcode::data_move_pad, Ub(kS64, 0), Gm(kS64, 0), 1, 24), 1, 0, true, 7)},
    {Rule::kPadToGm, "Right", "Ascend910B",
     WithPad(Move(Opcode::data_move_pad, Gm(kF16, 0), Ub(kF16, 0), 1, 34), 0, 1, false, 0)},
    {Rule::kPadUndefined, "NoValue", "Ascend910B",
     Undefined(WithPad(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 1, 34), 1, 0, false, 0))},
    {Rule::kEventIdRange, "FourOnAscend910", "Ascend910", WithFlag(4)},
};

const std::vector<Case>& Cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> cases = kVectorAndMoveCases;
        for (const auto& more : {LoadCases(), CubeCases(), ReduceCases(), LaneCases(), SortCases()})
            cases.insert(cases.end(), more.begin(), more.end());
        return cases;
    }();
    return all;
}

TEST(Rules, EveryCaseGivesItsReport) {
    for (const Case& k : Cases()) {
        SCOPED_TRACE(std::string(Info(k.rule).id) + " " + k.title);
        const Outcome outcome = Check(k.record, ChipNamed(k.chip));
        ASSERT_EQ(outcome.reports.size(), 1u);
        const Report& r = outcome.reports[0];
        EXPECT_EQ(r.rule, k.rule);
        EXPECT_EQ(r.severity, Info(k.rule).severity);
        ExpectReports(__FILE__, std::string(Name(r.rule)) + " " + k.title, {r});
        Raised(r.rule);
    }
}

// Faults refuse the record, and so do findings that say it does nothing; warnings only where strict, other notes never.
TEST(Rules, SeverityDecidesWhetherTheRecordRuns) {
    const std::set<Rule> nothing = {Rule::kRepeatZero, Rule::kCountZero, Rule::kMoveNothing, Rule::kNothingToDo};
    for (const Case& k : Cases()) {
        SCOPED_TRACE(Info(k.rule).id);
        const Severity severity = Info(k.rule).severity;
        const Outcome plain = Check(k.record, ChipNamed(k.chip));
        EXPECT_EQ(plain.ok, severity != Severity::kFault && !nothing.count(k.rule));
        const Outcome strict = Check(k.record, ChipNamed(k.chip), true);
        EXPECT_EQ(strict.ok, severity == Severity::kNote && !nothing.count(k.rule));
        EXPECT_EQ(strict.reports[0].severity, severity == Severity::kNote ? Severity::kNote : Severity::kFault);
        EXPECT_EQ(strict.reports[0].message, plain.reports[0].message);
    }
}

TEST(Rules, CorrectRecordsPassInSilence) {
    const Record records[] = {
        WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 1, 1),
        WithMask(Make(Opcode::vadd, {Ub(kF16, 0), Ub(kF16, 8192), Ub(kF16, 16384)}), 128, 32),
        WithCount(WithRounding(Make(Opcode::vconv, {Sized(Ub(kS32, 0), 512), Ub(kF16, 4096)}), Rounding::kCeil), 512),
        WithCount(WithDeq(Make(Opcode::vconv, {Ub(kF16, 0), Ub(kS32, 4096)}), DeqScale::kHalf, 0x3C00), 512),
        WithHalf(WithDeq(Make(Opcode::vconv_deq, {Ub(kS8, 0), Ub(kS16, 4096)}), DeqScale::kWord, uint64_t{1} << 46),
                 HalfBlock::kLow),
        WithBits(Make(Opcode::vector_dup, {Ub(kF32, 0)}), 0x5555, 0, 255),
        Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 2), 1, 64),
        Move(Opcode::data_move_pad, Gm(kF16, 1, 1), Ub(kF16, 0), 1, 98),
        WithPad(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 1), 1, 34), 16, 16, true, 5),
        Make(Opcode::scalar_store, {Ub(kF32, 4)}),
        WithFlag(7),
        Make(Opcode::pipe_barrier, {}),
    };
    for (const Record& r : records) {
        const Outcome outcome = Check(r, ChipNamed("Ascend910B"), true);
        EXPECT_TRUE(outcome.ok && outcome.reports.empty())
            << isa::Print(r) << (outcome.reports.empty() ? "" : ": " + outcome.reports[0].message);
    }
}

// An Ascend C register that holds a scale does not disturb conversions without one.
TEST(Rules, AscendCKeepsTheScaleInARegister) {
    const Record r = WithDeq(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 256)}), DeqScale::kHalf, 0x3C00);
    EXPECT_TRUE(Check(r, ChipNamed("Ascend910B")).reports.empty());
}

}  // namespace
}  // namespace sfumato::check
