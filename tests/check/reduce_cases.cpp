// SPDX-License-Identifier: Apache-2.0
// Wrong records of reductions and transposes.
#include "check/cases.h"

namespace sfumato::check {
namespace {

using isa::Record;
using isa::Reduce;
using isa::ReduceOrder;
using isa::ReduceTensor;
using isa::TransposeBlocks;
using isa::TransposeChannels;
using isa::TransposeSquares;

constexpr DataType kF16 = DataType::kHalf, kF32 = DataType::kFloat;

isa::Operand Sized(isa::Operand o, uint64_t elements) {
    o.elements = elements;
    return o;
}

Record Ordered(ReduceOrder order) {
    return WithMask(Make(Opcode::vcmax, {Ub(kF16, 4096), Ub(kF16, 0)}, Reduce{order}), 128, 1);
}

Record DstStride(Record r, uint32_t stride) {
    r.operand[0].repeat_stride = stride;
    return r;
}

TransposeBlocks Lists(uint32_t dst, uint32_t src) {
    TransposeBlocks p;
    for (uint32_t k = 0; k < TransposeBlocks::kBlocks; ++k) {
        p.dst[k] = dst + 32 * k;
        p.src[k] = src + 32 * k;
    }
    return p;
}
TransposeBlocks With(TransposeBlocks p, uint32_t repeats, uint32_t dst_stride, uint32_t src_stride) {
    p.repeats = repeats;
    p.dst_stride = dst_stride;
    p.src_stride = src_stride;
    return p;
}
Record Scatter(const TransposeBlocks& p) {
    return Make(Opcode::vnchwconv, {Ub(kF16, p.dst[0] & ~31u), Ub(kF16, p.src[0] & ~31u)}, p);
}

}  // namespace

std::vector<Case> ReduceCases() {
    const Record sum = WithMask(Make(Opcode::vcadd, {Ub(kF16, 4096), Ub(kF16, 0)}, Reduce{}), 128, 3);
    const Record in_place = DstStride(WithMask(Make(Opcode::vcadd, {Ub(kF16, 0), Ub(kF16, 0)}, Reduce{}), 128, 3), 1);
    Record late = in_place;
    late.operand[0].offset = 512;
    TransposeBlocks misaligned = Lists(4096, 0), small = With(Lists(4096, 0), 4, 16, 16);
    misaligned.src[3] = 100;
    small.dst_room = 1000;
    return {
        {Rule::kReduceOrder, "OnlyValueOnAscend910", "Ascend910", Ordered(ReduceOrder::kOnlyValue), "order",
         "WholeReduceMax: Ascend910 does not store results in this order", "ORDER_ONLY_VALUE", "ORDER_VALUE_INDEX",
         "this order is there on Ascend910B, Ascend310B: is the right chip chosen?"},
        {Rule::kParameterRange, "StrideZeroOnAscend910", "Ascend910", DstStride(sum, 0), "dstRepStride",
         "WholeReduceSum: dstRepStride is out of range", "0", "1..65535", "check how the value is computed"},
        {Rule::kUbAlignment, "HalfAPair", "Ascend910B",
         WithMask(Make(Opcode::vcmax, {Ub(kF16, 4098), Ub(kF16, 0)}, Reduce{}), 128, 1), "dst",
         "WholeReduceMax: the destination is not aligned", "byte offset 4098 in UB", "a multiple of 4",
         "start at an index that is a multiple of 2 elements of half"},
        {Rule::kStrideRange, "Results", "Ascend910B", DstStride(sum, 65536), "dst",
         "WholeReduceSum: the repeat stride is out of range", "repeat stride 65536", "0..65535 blocks of 32 bytes",
         "split the call into calls that start at offsets of their own"},
        {Rule::kReduceInPlace, "OnItsSource", "Ascend910B", in_place, "dst",
         "WholeReduceSum: a result lies on the source of its own repeat", "repeat 0 writes bytes 0..2 of UB",
         "defined: a repeat reads its source before it stores", ""},
        {Rule::kOverlapAcrossRepeats, "OnALaterRepeat", "Ascend910B", late, "dst",
         "WholeReduceSum: a repeat reads what an earlier repeat of the same call wrote",
         "repeat 2 reads bytes 512..514 of UB", "bytes no earlier repeat of the call wrote",
         "use another tensor for the results"},
        {Rule::kWorkSize, "Sums", "Ascend310P",
         WithCount(
             Make(Opcode::vec_reduce_add, {Ub(kF16, 40960), Ub(kF16, 0), Sized(Ub(kF16, 8192), 16)}, ReduceTensor{}),
             2560),
         "sharedTmpBuffer", "ReduceSum: the tensor for intermediate results is too small", "16 elements",
         "32 elements or more", "make the tensor larger: a result of every repeat, rounded up to blocks of 32 bytes"},
        {Rule::kReduceIndex, "Half", "Ascend910",
         WithCount(
             Make(Opcode::vec_reduce_max, {Ub(kF16, 200000, 262144), Ub(kF16, 0, 262144), Ub(kF16, 204800, 262144)},
                  ReduceTensor{.index = true}),
             66000),
         "src", "ReduceMax: the index of the result may not fit into 16 bits", "the last index is 65999", "0..65535",
         "reduce the tensor in parts, or use float"},
        {Rule::kCountExceedsTensor, "Reduced", "Ascend910B",
         WithCount(Make(Opcode::vec_reduce_add, {Ub(kF32, 40960), Sized(Ub(kF32, 0), 64)}, ReduceTensor{.group = 0}),
                   65),
         "src", "ReduceSum: the count is larger than the tensor", "count 65", "at most 64, the elements of the tensor",
         "make the tensor larger, or process fewer elements"},
        {Rule::kOverlapInRepeat, "Square", "Ascend910B",
         Make(Opcode::vtranspose, {Ub(kF16, 256), Ub(kF16, 0)}, TransposeSquares{}), "src",
         "Transpose: source and destination overlap partly within one repeat", "repeat 0 reads bytes 0..512 of UB",
         "the same bytes or none in common", "use another destination, or the same place with the same strides"},
        {Rule::kOverlapAcrossRepeats, "Squares", "Ascend910B",
         ByTik(Make(Opcode::vtranspose, {Ub(kF16, 512), Ub(kF16, 0)}, TransposeSquares{.repeats = 2})), "src",
         "vec_trans: a repeat reads what an earlier repeat of the same call wrote",
         "repeat 1 reads bytes 512..1024 of UB", "bytes no earlier repeat of the call wrote",
         "use another destination, or the same place with the same strides"},
        {Rule::kParameterRange, "Squares", "Ascend310",
         ByTik(Make(Opcode::vtranspose, {Ub(kF16, 4096), Ub(kF16, 0)}, TransposeSquares{.repeats = 4096})),
         "repeat_times", "vec_trans: repeat_times is out of range", "4096", "1..4095",
         "check how the value is computed, or split the work into several calls"},
        {Rule::kTransposeStride, "OneRepeat", "Ascend910B", Scatter(With(Lists(4096, 0), 1, 16, 0)), "dstRepStride",
         "TransDataTo5HD: with one repeat the blocks are those of the list plus the stride",
         "stride 16 with one repeat", "0 to mean the blocks of the list", "pass strides of 0 with one repeat"},
        {Rule::kUbAlignment, "Block", "Ascend910B", Scatter(misaligned), "srcList[3]",
         "TransDataTo5HD: the block is not aligned", "byte offset 100 in UB", "a multiple of 32",
         "start at byte offset 96 or 128"},
        {Rule::kOutOfBuffer, "Block", "Ascend910B", Scatter(small), "dstList",
         "TransDataTo5HD: a block lies past the end of its tensor's buffer",
         "reaches 1568 bytes from the block of the list", "1000 bytes: the least room a block of the list has",
         "make the buffer larger, or use fewer repeats or a smaller stride"},
        {Rule::kOverlapAcrossRepeats, "Blocks", "Ascend910B", Scatter(With(Lists(512, 0), 2, 16, 16)), "src",
         "TransDataTo5HD: a repeat reads what an earlier repeat of the same call wrote",
         "repeat 1 reads bytes 512..544 of UB", "bytes no earlier repeat of the call wrote",
         "use another destination, or the same place with the same strides"},
        {Rule::kParameterAlignment, "Pixels", "Ascend910B",
         Make(Opcode::v4dtrans, {Ub(kF16, 4096), Ub(kF16, 0)}, TransposeChannels{true, 1, 3, 8}), "hSize * wSize",
         "Transpose: hSize * wSize is not a multiple of 16", "8", "a multiple of 16: whole blocks of 32 bytes",
         "take 16"},
    };
}

}  // namespace sfumato::check
