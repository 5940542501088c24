// SPDX-License-Identifier: Apache-2.0
// One wrong record per rule at least, with every field of its report.
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

const std::vector<Case>& VectorAndMoveCases() {
    static const std::vector<Case> cases = {
        {Rule::kInstructionUnsupported, "PadOnAscend910", "Ascend910",
         Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 1, 64), "",
         "DataCopyPad: Ascend910 does not have the instruction", "Ascend910", "Ascend910B, Ascend310B",
         "choose another chip or another instruction"},
        {Rule::kTypeUnsupported, "AddOfInt8", "Ascend910B",
         Make(Opcode::vadd, {Ub(kS8, 0), Ub(kS8, 256), Ub(kS8, 512)}), "dst",
         "Add: the element type is not supported on Ascend910B", "int8_t", "int16_t, half, int32_t, float",
         "no other chip has this type: convert to a legal type first"},
        {Rule::kTypeUnsupported, "AddsOfInt32OnAscend910", "Ascend910",
         Make(Opcode::vadds, {Ub(kS32, 0), Ub(kS32, 256)}), "dst",
         "Adds: the element type is not supported on Ascend910", "int32_t", "half, float",
         "this type is there on Ascend310P, Ascend910B, Ascend310B: is the right chip chosen?"},
        {Rule::kTypeMismatch, "AddOfTwoTypes", "Ascend910B",
         Make(Opcode::vadd, {Ub(kF16, 0), Ub(kF16, 256), Ub(kF32, 512)}), "src1",
         "Add: the operands have different element types", "float beside a dst of half", "half, the type of dst",
         "convert the operand first"},
        {Rule::kConversionUnsupported, "FloatToInt8", "Ascend910B", Make(Opcode::vconv, {Ub(kS8, 0), Ub(kF32, 256)}),
         "dst", "Cast: the conversion is not supported on Ascend910B", "float to int8_t",
         "from float: float (CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC), int32_t (CAST_RINT, "
         "CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC), half (CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, "
         "CAST_TRUNC, CAST_ODD, CAST_NONE), int64_t (CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC), "
         "int16_t (CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC), bfloat16_t (CAST_RINT, CAST_FLOOR, "
         "CAST_CEIL, CAST_ROUND, CAST_TRUNC)",
         "no other chip has this conversion: convert to a legal type first"},
        {Rule::kConversionUnsupported, "HalfToInt4OnAscend910", "Ascend910",
         Make(Opcode::vconv, {Ub(kS4, 0), Ub(kF16, 256)}), "dst", "Cast: the conversion is not supported on Ascend910",
         "half to int4b_t",
         "from half: float (CAST_NONE), int32_t (CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC), int8_t "
         "(CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_NONE), uint8_t (CAST_FLOOR, CAST_CEIL, CAST_ROUND, "
         "CAST_TRUNC, CAST_NONE)",
         "this conversion is there on Ascend310P, Ascend910B: is the right chip chosen?"},
        {Rule::kConversionUnsupported, "CastDeqOfHalf", "Ascend910B",
         Make(Opcode::vconv_deq, {Ub(kS8, 0), Ub(kF16, 256)}), "dst",
         "CastDeq: the conversion is not supported on Ascend910B", "half to int8_t",
         "int32_t to half, int16_t to int8_t, int16_t to uint8_t",
         "no other chip has this conversion: convert to a legal type first"},
        {Rule::kRoundingUnsupported, "HalfToInt32WithoutRounding", "Ascend910B",
         Make(Opcode::vconv, {Ub(kS32, 0), Ub(kF16, 256)}), "roundMode",
         "Cast: half to int32_t is not supported with this round mode on Ascend910B", "CAST_NONE",
         "CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC", "no other chip has this round mode"},
        {Rule::kRoundingUnsupported, "HalfToInt8RoundInTik", "Ascend910",
         WithRounding(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kF16, 256)})), Rounding::kRint), "round_mode",
         "vec_conv: float16 to int8 is not supported with this round mode on Ascend910", "round",
         "'', none, floor, ceil, ceiling, away-zero, to-zero",
         "this round mode is there on Ascend910B, Ascend310B: is the right chip chosen?"},
        {Rule::kShiftRange, "Negative", "Ascend910B",
         WithImmediate(Make(Opcode::vshl, {Ub(kS16, 0), Ub(kS16, 256)}), 0xFFFF), "scalarValue",
         "ShiftLeft: the shift distance is out of range", "-1", "0..16, the bits of the element",
         "check how the value is computed"},
        {Rule::kShiftRange, "PastTheWidth", "Ascend310P-Vector",
         WithImmediate(ByTik(Make(Opcode::vshr, {Ub(kU32, 0), Ub(kU32, 256)})), 33), "scalar",
         "vshr: the shift distance is out of range", "33", "0..32, the bits of the element",
         "check how the value is computed"},
        {Rule::kShiftRound, "OnAscend310B", "Ascend310B",
         WithRounding(Make(Opcode::vshr, {Ub(kS16, 0), Ub(kS16, 256)}), Rounding::kRound), "roundEn",
         "ShiftRight: Ascend310B does not round what is shifted out", "true for int16_t", "false",
         "add half of the last bit before the shift"},
        {Rule::kShiftRound, "Unsigned", "Ascend910B",
         WithRounding(Make(Opcode::vshr, {Ub(kU32, 0), Ub(kU32, 256)}), Rounding::kRound), "roundEn",
         "ShiftRight: only what is shifted out of signed elements is rounded", "true for uint32_t", "false",
         "use a signed type, or leave the argument out"},
        {Rule::kTypeMismatch, "MixedWhereThereIsNone", "Ascend310B",
         Make(Opcode::vmla, {Ub(kF32, 0), Ub(kF16, 1024), Ub(kF16, 2048)}), "src0",
         "MulAddDst: the operands have different element types", "half beside a dst of float", "float, the type of dst",
         "convert the operand first"},
        {Rule::kTypeMismatch, "SecondSourceOfAMixedOne", "Ascend910B",
         Make(Opcode::vmla, {Ub(kF32, 0), Ub(kF16, 1024), Ub(kF32, 2048)}), "src1",
         "MulAddDst: the operands have different element types", "float beside a src0 of half",
         "half, the type of src0", "convert the operand first"},
        {Rule::kDeqscaleMissing, "Int32ToHalf", "Ascend910B", Make(Opcode::vconv, {Ub(kF16, 0), Ub(kS32, 256)}),
         "deqscale", "Cast: int32_t to half needs a scale", "no scale", "a half scale",
         "call SetDeqScale(half) before it"},
        {Rule::kDeqscaleMissing, "Int16ToInt8WithHalf", "Ascend910B",
         WithDeq(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kS16, 256)})), DeqScale::kHalf, 0x3C00), "deqscale",
         "vec_conv: int16 to int8 needs a scale", "a half scale (0x3c00)",
         "(scale, offset), an int, a Scalar or Expr of uint64, a Tensor of 16 uint64 in UB",
         "give deqscale=(scale, offset)"},
        {Rule::kDeqscaleNotTaken, "HalfToFloatInTik", "Ascend910B",
         WithDeq(ByTik(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 256)})), DeqScale::kHalf, 0x3C00), "deqscale",
         "vec_conv: float16 to float32 takes no scale", "a half scale (0x3c00)", "None", "leave deqscale out"},
        {Rule::kDeqscaleSign, "Int16ToInt8", "Ascend910B",
         WithHalf(WithDeq(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kS16, 256)})), DeqScale::kWord, 0x3F800000),
                  HalfBlock::kLow),
         "deqscale", "vec_conv: bit 46 of the scale disagrees with dst; the type of dst decides",
         "bit 46 is 0 with a dst of int8", "1 for int8, 0 for uint8", "set bit 46"},
        {Rule::kDeqscaleAddress, "Misaligned", "Ascend910B",
         WithHalf(WithDeq(ByTik(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kS16, 256)})), DeqScale::kVector, 8),
                  HalfBlock::kLow),
         "deqscale", "vec_conv: the 16 words of the scale do not lie in UB as they must", "byte offset 8 in UB",
         "a multiple of 32, with 128 bytes inside the 196608 bytes of UB", "give a whole uint64 tensor of 16 elements"},
        {Rule::kHalfBlockUnsupported, "HalfToInt8", "Ascend910B",
         WithHalf(Make(Opcode::vconv, {Ub(kS8, 0), Ub(kF16, 256)}), HalfBlock::kHigh), "halfBlock",
         "Cast: half to int8_t writes whole blocks on Ascend910B", "the high half", "no choice of a half",
         "leave the argument out"},
        {Rule::kCoreKind, "AddsOnCube", "Ascend910B",
         OnCore(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 256)}), CoreKind::kCube), "dst",
         "Adds: a cube core has no UB", "the kernel runs on a cube core", "a vector core of Ascend910B",
         "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or guard the call with "
         "ASCEND_IS_AIV"},
        {Rule::kCoreKind, "GmToUbOnCube", "Ascend910B",
         OnCore(Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 1, 64), CoreKind::kCube), "dst",
         "DataCopy: a cube core has no UB", "the kernel runs on a cube core", "a vector core of Ascend910B",
         "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY), run with --core aiv, or guard the call with "
         "ASCEND_IS_AIV"},
        {Rule::kCoreKind, "GmToL1OnVector", "Ascend910B",
         OnCore(Move(Opcode::data_move, In(Memory::kL1, Ub(kF16, 0)), Gm(kF16, 0), 1, 64), CoreKind::kVector), "dst",
         "DataCopy: a vector core has no L1", "the kernel runs on a vector core", "a cube core of Ascend910B",
         "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY), run with --core aic, or guard the call with "
         "ASCEND_IS_AIC"},
        {Rule::kMemoryPath, "AddsInGm", "Ascend910B", Make(Opcode::vadds, {Ub(kF32, 0), Gm(kF32, 256)}), "src",
         "Adds: the operand is in a memory the instruction cannot use", "byte offset 256 of src in GM",
         "UB (VECIN, VECCALC, VECOUT)", "copy the data to a tensor in VECIN, VECCALC or VECOUT first"},
        {Rule::kMemoryPath, "GmToGm", "Ascend910B", Move(Opcode::data_move, Gm(kF16, 0), Gm(kF16, 1024), 1, 64), "dst",
         "DataCopy: Ascend910B has no such move", "GM to GM",
         "GM to UB, GM to L1, UB to GM, UB to UB, L1 to GM, L1 to BT, L1 to FB",
         "check the positions of the two tensors"},
        {Rule::kMemoryPath, "UbToUbOnAscend310B", "Ascend310B",
         Move(Opcode::data_move, Ub(kF16, 0), Ub(kF16, 1024), 1, 64), "dst", "DataCopy: Ascend310B has no such move",
         "UB to UB", "GM to UB, GM to L1, UB to GM, L1 to GM, L1 to BT, L1 to FB",
         "this path is there on Ascend910, Ascend310P, Ascend910B: is the right chip chosen?"},
        {Rule::kMemoryPath, "PadToUbFromUb", "Ascend910B",
         Move(Opcode::data_move_pad, Ub(kF16, 0), Ub(kF16, 1024), 1, 64), "dst",
         "DataCopyPad: Ascend910B has no such move", "UB to UB", "GM to UB, UB to GM",
         "check the positions of the two tensors"},
        {Rule::kUbAlignment, "Cast", "Ascend910B",
         WithRounding(Make(Opcode::vconv, {Ub(kS32, 20), Ub(kF16, 256)}), Rounding::kCeil), "dst",
         "Cast: the destination is not aligned", "byte offset 20 in UB", "a multiple of 32",
         "start at an index that is a multiple of 8 elements of int32_t"},
        {Rule::kUbAlignment, "MoveSource", "Ascend910B", Move(Opcode::data_move, Gm(kF16, 0), Ub(kF16, 6), 1, 64),
         "src", "DataCopy: the source is not aligned", "byte offset 6 in UB", "a multiple of 32",
         "start at an index that is a multiple of 16 elements of half"},
        {Rule::kL1Alignment, "Tik", "Ascend910B",
         OnCore(ByTik(Move(Opcode::data_move, In(Memory::kL1, Ub(kF16, 48)), Gm(kF16, 0), 1, 64)), CoreKind::kCube),
         "dst", "data_move: the destination is not aligned", "byte offset 48 in L1", "a multiple of 32",
         "start at an index that is a multiple of 16 elements of float16"},
        {Rule::kGmAlignment, "OddByteOfHalf", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 3), 1, 64),
         "src", "DataCopy: the source is not aligned", "byte offset 3 of src in GM", "a multiple of 2",
         "start at byte offset 2 or 4"},
        {Rule::kScalarAlignment, "FloatAtTwo", "Ascend910B", Make(Opcode::scalar_store, {Ub(kF32, 2)}), "dst",
         "SetValue: the destination is not aligned", "byte offset 2 in UB", "a multiple of 4",
         "start at byte offset 0 or 4"},
        {Rule::kRepeatRange, "TooMany", "Ascend910B",
         WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 256), "repeatTimes",
         "Adds: the repeat count is out of range", "256", "0..255",
         "split the call, or use the form with an element count"},
        {Rule::kRepeatZero, "Zero", "Ascend910B", WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 0),
         "repeatTimes", "Adds: the instruction does nothing", "0", "1..255 to process elements", ""},
        {Rule::kCountZero, "Zero", "Ascend910B", WithCount(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 0),
         "calCount", "Adds: the instruction does nothing", "0", "1 or more to process elements", ""},
        {Rule::kStrideRange, "RepeatStride", "Ascend910B",
         WithStrides(WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 64, 2), 1, 256), "dst",
         "Adds: the repeat stride is out of range", "repeat stride 256", "0..255 blocks of 32 bytes",
         "split the call into calls that start at offsets of their own"},
        {Rule::kStrideRange, "BlockStrideOfAdd", "Ascend910B",
         WithStrides(Make(Opcode::vadd, {Ub(kF32, 0), Ub(kF32, 0), Ub(kF32, 0)}), 256, 8), "dst",
         "Add: the block stride is out of range", "block stride 256", "0..255 blocks of 32 bytes",
         "split the call into calls that start at offsets of their own"},
        {Rule::kMaskRange, "TooMany", "Ascend910B", WithMask(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 65, 1),
         "mask", "Adds: the mask is out of range", "65", "1..64, the 32-bit elements a repeat of 256 bytes has",
         "process more elements with more repeats, or use the form with an element count"},
        {Rule::kMaskRange, "Zero", "Ascend910B", WithMask(Make(Opcode::vadds, {Ub(kF16, 0), Ub(kF16, 0)}), 0, 1),
         "mask", "Adds: the mask is out of range", "0", "1..128, the 16-bit elements a repeat of 256 bytes has",
         "leave the call out when there is nothing to do"},
        {Rule::kMaskRange, "Count", "Ascend910B",
         WithCount(Make(Opcode::vadds, {Ub(kF16, 0), Ub(kF16, 0)}), uint64_t{1} << 32), "calCount",
         "Adds: the element count is out of range", "4294967296", "0..4294967295", "split the call"},
        {Rule::kMaskBitsZero, "Both", "Ascend910B", WithBits(Make(Opcode::vadds, {Ub(kF16, 0), Ub(kF16, 0)}), 0, 0),
         "mask", "Adds: the mask selects no element", "{0x0, 0x0} (low, high)", "at least one bit set",
         "leave the call out when there is nothing to do"},
        {Rule::kMaskBitsHigh, "Swapped", "Ascend910B",
         WithBits(WithRounding(Make(Opcode::vconv, {Ub(kS32, 0), Ub(kF16, 256)}), Rounding::kCeil), 0, ~uint64_t{0}),
         "mask", "Cast: the mask has bits beyond the 64 elements of a repeat", "{0x0, 0xffffffffffffffff} (low, high)",
         "a high half of 0 for 32-bit data", "the halves look swapped: {0xffffffffffffffff, 0} is meant"},
        {Rule::kMaskBitsHigh, "SixtyFourBits", "Ascend910B",
         WithBits(WithRounding(Make(Opcode::vconv, {Ub(kS64, 0), Ub(kF32, 256)}), Rounding::kCeil), uint64_t{1} << 32,
                  0),
         "mask", "Cast: the mask has bits beyond the 32 elements of a repeat", "{0x100000000, 0x0} (low, high)",
         "a high half of 0 and only the low 32 bits of the low half for 64-bit data", "clear the bits from 32 up"},
        {Rule::kMaskInt4Pairs, "OddCount", "Ascend910B",
         WithCount(Make(Opcode::vconv, {Ub(kS4, 0), Ub(kF16, 256)}), 33), "calCount",
         "Cast: int4 elements are processed in pairs, two a byte", "33", "an even number of elements",
         "cover whole bytes"},
        {Rule::kMaskInt4Pairs, "HalfPair", "Ascend910B",
         WithBits(Make(Opcode::vconv, {Ub(kS4, 0), Ub(kF16, 256)}), 0b1101, 0), "mask",
         "Cast: int4 elements are processed in pairs, two a byte", "{0xd, 0x0} (low, high)", "bit pairs 11 or 00",
         "cover whole bytes"},
        {Rule::kCountExceedsTensor, "Cast", "Ascend910B",
         WithCount(WithRounding(Make(Opcode::vconv, {Sized(Ub(kS32, 0), 512), Ub(kF16, 4096)}), Rounding::kCeil), 513),
         "dst", "Cast: the count is larger than the tensor", "count 513", "at most 512, the elements of the tensor",
         "make the tensor larger, or process fewer elements"},
        {Rule::kOutOfBuffer, "Repeats", "Ascend910B",
         WithMask(Make(Opcode::vadds, {Ub(kF32, 0, 1024), Ub(kF32, 0, 1024)}), 64, 5), "dst",
         "Adds: writes past the end of the tensor's buffer", "bytes 0..1280 of UB, 256 bytes too many",
         "up to byte 1024: 256 elements of float from here",
         "make the buffer larger, or process fewer elements (count, mask, repeats, strides)"},
        {Rule::kOutOfBuffer, "PaddedBlocks", "Ascend910B",
         Move(Opcode::data_move_pad, Ub(kF16, 32, 64), Gm(kF16, 0), 1, 34), "dst",
         "DataCopyPad: writes past the end of the tensor's buffer", "bytes 32..96 of UB, 32 bytes too many",
         "up to byte 64: 16 elements of half from here",
         "make the buffer larger, or process fewer elements (count, mask, repeats, strides)"},
        {Rule::kPastTensor, "Repeats", "Ascend910B",
         WithMask(Make(Opcode::vadds, {Sized(Ub(kF32, 0), 128), Ub(kF32, 0)}), 64, 3), "dst",
         "Adds: writes past the end of the tensor, inside its buffer", "elements 0..191 of float (bytes 0..768)",
         "128 elements (512 bytes)",
         "make the tensor larger, or process fewer elements (count, mask, repeats, strides)"},
        {Rule::kPastMemory, "Ub", "Ascend910B",
         WithMask(Make(Opcode::vadds, {Ub(kF32, 196352, 262144), Ub(kF32, 0)}), 64, 2), "dst",
         "Adds: writes past the end of UB", "bytes 196352..196864 of UB", "196608 bytes on Ascend910B",
         "use less memory, or process the data in parts"},
        {Rule::kGmOutOfRange, "Write", "Ascend910B", Move(Opcode::data_move, Gm(kF16, 66, 1), Ub(kF16, 0), 1, 64),
         "dst", "DataCopy: writes past the end of tail in global memory", "bytes 66..130 of tail, 30 bytes too many",
         "the 100 bytes of tail", "use DataCopyPad for the tail, or allocate whole blocks of 32 bytes"},
        {Rule::kGmOutOfRange, "ReadTooFar", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 4064), 1, 64),
         "src", "DataCopy: reads past the end of src in global memory", "bytes 4064..4128 of src, 32 bytes too many",
         "the 4096 bytes of src", "check the count, the offset of the block and the size of the argument"},
        {Rule::kGmPadding, "Tail", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0, 1), 1, 128), "src",
         "DataCopy: reads past the end of tail in global memory, inside its last block of 32 bytes",
         "bytes 0..128 of tail, 28 bytes too many", "the 100 bytes of tail",
         "use DataCopyPad for the tail, or allocate whole blocks of 32 bytes"},
        {Rule::kOverlapInRepeat, "ShiftedByABlock", "Ascend910B", Make(Opcode::vadds, {Ub(kF32, 32), Ub(kF32, 0)}),
         "src", "Adds: source and destination overlap partly within one repeat",
         "repeat 0 reads bytes 0..256 and writes bytes 32..288 of UB", "the same bytes or none in common",
         "use another destination, or start source and destination at the same offset with the same strides"},
        {Rule::kOverlapInRepeat, "OtherBlockStride", "Ascend910B",
         DstBlockStride(Make(Opcode::vadds, {Ub(kF32, 0), Ub(kF32, 0)}), 2), "src",
         "Adds: source and destination overlap partly within one repeat",
         "repeat 0 reads bytes 0..256 and writes bytes 0..480 of UB", "the same bytes or none in common",
         "use another destination, or start source and destination at the same offset with the same strides"},
        {Rule::kOverlapAcrossRepeats, "NextRepeat", "Ascend910B",
         WithMask(Make(Opcode::vadds, {Ub(kF32, 256), Ub(kF32, 0)}), 64, 2), "src",
         "Adds: a repeat reads what an earlier repeat of the same call wrote", "repeat 1 reads bytes 256..288 of UB",
         "bytes no earlier repeat of the call wrote",
         "use another destination, or one call per repeat with PipeBarrier<PIPE_V> between them"},
        {Rule::kOverlapAcrossRepeats, "WideningInPlace", "Ascend910B",
         WithCount(Make(Opcode::vconv, {Ub(kF32, 0), Ub(kF16, 0)}), 128), "src",
         "Cast: a repeat reads what an earlier repeat of the same call wrote", "repeat 1 reads bytes 128..160 of UB",
         "bytes no earlier repeat of the call wrote",
         "use another destination, or one call per repeat with PipeBarrier<PIPE_V> between them"},
        {Rule::kOverlapInMove, "Shifted", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 64), Ub(kF16, 0), 4, 64),
         "src", "DataCopy: the move reads what it wrote before", "block 1 reads bytes 64..128 of UB",
         "bytes the call did not write before", "use another destination, or split the move"},
        {Rule::kBlockCountRange, "TooMany", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 4096, 32),
         "blockCount", "DataCopy: the number of blocks is out of range", "4096", "0..4095", "split the move"},
        {Rule::kBlockLengthRange, "PartOfABlock", "Ascend910B",
         Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 1, 40), "blockLen",
         "DataCopy: the length of a block is not legal", "40 bytes", "0..2097120 bytes, a multiple of 32",
         "the length is in units of 32 bytes: split longer blocks"},
        {Rule::kBlockLengthRange, "PartOfAnElement", "Ascend910B",
         Move(Opcode::data_move_pad, Ub(kF32, 0), Gm(kF32, 0), 1, 6), "blockLen",
         "DataCopyPad: the length of a block is not legal", "6 bytes", "0..2097148 bytes, a multiple of 4",
         "the length is in bytes: move whole elements, and split longer blocks"},
        {Rule::kGapRange, "Overlapping", "Ascend910B",
         WithPitch(Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 2, 64), 64, 32), "src",
         "DataCopy: the gap between blocks is out of range", "32 bytes from block to block, blocks of 64 bytes",
         "gaps of 0..2097120 bytes in units of 32", "the gap counts from the end of a block to the start of the next"},
        {Rule::kGapRange, "PaddedUb", "Ascend910B",
         WithPitch(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 2, 34), 32, 34), "dst",
         "DataCopyPad: the gap between blocks is out of range", "32 bytes from block to block, blocks of 64 bytes",
         "gaps of 0..2097120 bytes in units of 32", "the gap counts from the end of a block to the start of the next"},
        {Rule::kMoveNothing, "NoBlocks", "Ascend910B", Move(Opcode::data_move, Ub(kF16, 0), Gm(kF16, 0), 0, 64),
         "blockCount", "DataCopy: nothing is moved", "0", "1 or more to move data",
         "check how the length is computed; a length below one block of 32 bytes counts as 0"},
        {Rule::kPadRange, "Left", "Ascend910B",
         WithPad(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 1, 34), 17, 0, true, 0), "leftPadding",
         "DataCopyPad: the padding is too long", "17 elements left, 0 right", "0..16 elements of half (32 bytes)",
         "pad at most one block of 32 bytes on each side"},
        {Rule::kPadValue64, "Int64", "Ascend910B",
         WithPad(Move(Opcode::data_move_pad, Ub(kS64, 0), Gm(kS64, 0), 1, 24), 1, 0, true, 7), "paddingValue",
         "DataCopyPad: 64-bit elements can only be padded with 0", "0x7", "0",
         "pad with 0, or view the data as a 32-bit type"},
        {Rule::kPadToGm, "Right", "Ascend910B",
         WithPad(Move(Opcode::data_move_pad, Gm(kF16, 0), Ub(kF16, 0), 1, 34), 0, 1, false, 0), "dst",
         "DataCopyPad: a move to global memory takes no padding", "0 elements left, 1 right", "0 and 0",
         "leave the padding out"},
        {Rule::kPadUndefined, "NoValue", "Ascend910B",
         Undefined(WithPad(Move(Opcode::data_move_pad, Ub(kF16, 0), Gm(kF16, 0), 1, 34), 1, 0, false, 0)), "isPad",
         "DataCopyPad: the pads hold undefined bytes", "1 elements left, 0 right, isPad false",
         "isPad true with a paddingValue, or SetPadValue before it", "set isPad"},
        {Rule::kEventIdRange, "FourOnAscend910", "Ascend910", WithFlag(4), "eventID",
         "SetFlag: the event id does not exist", "event id 4", "0..3 on Ascend910",
         "take ids from AllocEventID or FetchEventID"},
    };
    return cases;
}

const std::vector<Case>& Cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> cases = VectorAndMoveCases();
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
        EXPECT_EQ(r.rule, Info(k.rule).id);
        EXPECT_EQ(r.severity, Info(k.rule).severity);
        if (!k.message) {
            ExpectReports(__FILE__, k.title, {r});
        } else {
            EXPECT_EQ(r.operand, k.operand);
            EXPECT_EQ(r.message, k.message);
            EXPECT_EQ(r.found, k.found);
            EXPECT_EQ(r.legal, k.legal);
            EXPECT_EQ(r.hint, k.hint);
        }
        Raised(r.rule);
    }
}

// Faults refuse the record, and so do findings that say it does nothing; warnings only where strict, other notes never.
TEST(Rules, SeverityDecidesWhetherTheRecordRuns) {
    const std::set<Rule> nothing = {Rule::kRepeatZero, Rule::kCountZero, Rule::kMoveNothing, Rule::kNothingToDo};
    for (const Case& k : Cases()) {
        SCOPED_TRACE(Info(k.rule).id);
        const Severity severity = Info(k.rule).severity;
        EXPECT_EQ(Check(k.record, ChipNamed(k.chip)).ok, severity != Severity::kFault && !nothing.count(k.rule));
        const Outcome strict = Check(k.record, ChipNamed(k.chip), true);
        EXPECT_EQ(strict.ok, severity == Severity::kNote && !nothing.count(k.rule));
        EXPECT_EQ(strict.reports[0].severity, severity == Severity::kNote ? Severity::kNote : Severity::kFault);
        if (k.message) {
            EXPECT_EQ(strict.reports[0].message, k.message);
        }
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
