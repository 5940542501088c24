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
        {Rule::kReduceOrder, "OnlyValueOnAscend910", "Ascend910", Ordered(ReduceOrder::kOnlyValue)},
        {Rule::kParameterRange, "StrideZeroOnAscend910", "Ascend910", DstStride(sum, 0)},
        {Rule::kUbAlignment, "HalfAPair", "Ascend910B",
         WithMask(Make(Opcode::vcmax, {Ub(kF16, 4098), Ub(kF16, 0)}, Reduce{}), 128, 1)},
        {Rule::kStrideRange, "Results", "Ascend910B", DstStride(sum, 65536)},
        {Rule::kReduceInPlace, "OnItsSource", "Ascend910B", in_place},
        {Rule::kOverlapAcrossRepeats, "OnALaterRepeat", "Ascend910B", late},
        {Rule::kWorkSize, "Sums", "Ascend310P",
         WithCount(
             Make(Opcode::vec_reduce_add, {Ub(kF16, 40960), Ub(kF16, 0), Sized(Ub(kF16, 8192), 16)}, ReduceTensor{}),
             2560)},
        {Rule::kReduceIndex, "Half", "Ascend910",
         WithCount(
             Make(Opcode::vec_reduce_max, {Ub(kF16, 200000, 262144), Ub(kF16, 0, 262144), Ub(kF16, 204800, 262144)},
                  ReduceTensor{.index = true}),
             66000)},
        {Rule::kCountExceedsTensor, "Reduced", "Ascend910B",
         WithCount(Make(Opcode::vec_reduce_add, {Ub(kF32, 40960), Sized(Ub(kF32, 0), 64)}, ReduceTensor{.group = 0}),
                   65)},
        {Rule::kOverlapInRepeat, "Square", "Ascend910B",
         Make(Opcode::vtranspose, {Ub(kF16, 256), Ub(kF16, 0)}, TransposeSquares{})},
        {Rule::kOverlapAcrossRepeats, "Squares", "Ascend910B",
         ByTik(Make(Opcode::vtranspose, {Ub(kF16, 512), Ub(kF16, 0)}, TransposeSquares{.repeats = 2}))},
        {Rule::kParameterRange, "Squares", "Ascend310",
         ByTik(Make(Opcode::vtranspose, {Ub(kF16, 4096), Ub(kF16, 0)}, TransposeSquares{.repeats = 4096}))},
        {Rule::kTransposeStride, "OneRepeat", "Ascend910B", Scatter(With(Lists(4096, 0), 1, 16, 0))},
        {Rule::kUbAlignment, "Block", "Ascend910B", Scatter(misaligned)},
        {Rule::kOutOfBuffer, "Block", "Ascend910B", Scatter(small)},
        {Rule::kOverlapAcrossRepeats, "Blocks", "Ascend910B", Scatter(With(Lists(512, 0), 2, 16, 16))},
        {Rule::kParameterAlignment, "Pixels", "Ascend910B",
         Make(Opcode::v4dtrans, {Ub(kF16, 4096), Ub(kF16, 0)}, TransposeChannels{true, 1, 3, 8})},
    };
}

}  // namespace sfumato::check
