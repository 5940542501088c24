// SPDX-License-Identifier: Apache-2.0
// Fills from elements and gathers: Brcb, VectorPadding, CreateVecIndex, ArithProgression, Gather, Gatherb, Scatter,
// GatherMask, BilinearInterpolation (vector_instructions.md 4, 5 and 12).
#pragma once

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

template <class T>
GatherCall Gathering(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                     const AscendC::LocalTensor<uint32_t>& offsets, uint64_t base, Where where, uint16_t dst_repeat = 8,
                     uint16_t src_repeat = 8) {
    GatherCall call;
    call.dst = Operand(dst, 1, dst_repeat);
    call.src0 = Operand(src, 1, src_repeat);
    call.offsets = Operand(offsets);
    call.base = base;
    call.where = where;
    return call;
}

template <class T>
PaddingCall Padding(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, uint8_t mode, bool right,
                    Where where, const AscendC::UnaryRepeatParams& params) {
    return {Unary(dst, src, where, params), mode, right};
}

template <class T>
GatherMaskCall Squeezing(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, bool counter,
                         uint32_t mask, const AscendC::GatherMaskParams& params, Where where) {
    return {Operand(dst), Operand(src0), {}, 0, counter, mask, params, where};
}

}  // namespace sfumato::ascendc

namespace AscendC {

// Each of 8 consecutive elements a repeat fills a block of 32 bytes.
template <class T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, uint32_t repeatTimes, const BrcbRepeatParams& params,
          SFUMATO_AT) {
    sfumato_::RequireTypeBrcb<T>();
    auto call = sfumato_::Unary(dst, src0, where);
    call.dst.block_stride = params.dstBlkStride;
    call.dst.repeat_stride = params.dstRepStride;
    call.repeat = repeatTimes;
    sfumato_::vbcb(call);
}

// Each block of dst: the block that pads the same block of src, on the left or, with padSide, on the right.
SFUMATO_FORMS((class T), (class T, bool isSetMask = true), VectorPadding, vpadding,
              (const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t padMode, const bool padSide),
              UnaryRepeatParams, (), (RequireTypeVectorPadding<T>), Padding(dst, src, padMode, padSide, where, params))

// dst[i] = firstValue + i * diffValue, in the steps of its page: one block by the scalar unit, seven by Adds to it, the
// rest by Adds to those eight.
#define SFUMATO_PROGRESSION(Name)                                                                          \
    template <class T>                                                                                     \
    void Name(const LocalTensor<T>& dst, const std::type_identity_t<T> firstValue,                         \
              const std::type_identity_t<T> diffValue, const int32_t count, SFUMATO_AT) {                  \
        SFUMATO_TYPES(T, #Name ": no chip has this type; it takes half, float, int16_t, int32_t",          \
                      std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, int16_t> || \
                          std::is_same_v<T, int32_t>);                                                     \
        sfumato_::FillProgression(dst.view(), sfumato_::kTypeOf<T>, sfumato_::ToBits(firstValue),          \
                                  sfumato_::ToBits(diffValue), count, where);                              \
    }
SFUMATO_PROGRESSION(ArithProgression)
SFUMATO_PROGRESSION(Arange)
#undef SFUMATO_PROGRESSION

// dst[i] = the element at byte srcBaseAddr + srcOffset[i] of src.
#define SFUMATO_GATHER_OPERANDS \
    (const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset, uint32_t srcBaseAddr)
SFUMATO_COUNT_FORM((class T), Gather, vgather, SFUMATO_GATHER_OPERANDS, (), (), (RequireTypeGather<T>),
                   Gathering(dst, src, srcOffset, srcBaseAddr, where))
SFUMATO_REPEAT_FORM((class T), Gather, vgather, SFUMATO_GATHER_OPERANDS, (uint16_t dstRepStride), (),
                    (RequireTypeGather<T>), true, Gathering(dst, src, srcOffset, srcBaseAddr, where, dstRepStride))
#undef SFUMATO_GATHER_OPERANDS

// Blocks of src0, gathered by byte offsets, times weights in src1, summed over hRepeat iterations. The last parameter,
// the temporary buffer, is not needed here.
template <class T>
void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1,
                           const sfumato_::Mask& mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
                           uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t>&, SFUMATO_AT) {
    sfumato_::RequireTypeBilinearInterpolation<T>();
    sfumato_::InterpolateCall call{sfumato_::Gathering(dst, src0, src0Offset, 0, where)};
    call.src1 = sfumato_::Operand(src1);
    call.dst.block_stride = dstBlkStride;
    call.horizontal = hRepeat;
    call.block_weights = repeatMode;
    call.vertical_offset = vROffset;
    SetMask(&call, true, mask, vRepeat);
    sfumato_::vbi(call);
}

// Blocks of 32 bytes: block i of dst is the one at byte offset[i] of src0.
template <class T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& offset,
             uint32_t repeatTimes, const GatherRepeatParams& params, SFUMATO_AT) {
    sfumato_::RequireTypeGatherb<T>();
    auto call = sfumato_::Gathering(dst, src0, offset, 0, where);
    call.dst.block_stride = params.dstBlkStride;
    call.dst.repeat_stride = params.dstRepStride;
    call.repeat = repeatTimes;
    sfumato_::vgatherb(call);
}

// The element at byte dstBaseAddr + dstOffset[i] of dst = src[i].
#define SFUMATO_SCATTER_OPERANDS \
    (const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset, uint32_t dstBaseAddr)
SFUMATO_COUNT_FORM((class T), Scatter, vscatter, SFUMATO_SCATTER_OPERANDS, (), (), (RequireTypeScatter<T>),
                   Gathering(dst, src, dstOffset, dstBaseAddr, where))
SFUMATO_REPEAT_FORM((class T), Scatter, vscatter, SFUMATO_SCATTER_OPERANDS, (uint8_t srcRepStride), (),
                    (RequireTypeScatter<T>), true, Gathering(dst, src, dstOffset, dstBaseAddr, where, 8, srcRepStride))
#undef SFUMATO_SCATTER_OPERANDS

// The elements of src0 whose bit is 1, packed; rsvdCnt is how many. reduceMode false: whole repeats; true: `mask`
// elements of each repeat (Ascend310P: of the call).
template <class T, class U>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams& params, uint64_t& rsvdCnt,
                SFUMATO_AT) {
    sfumato_::RequireTypeGatherMask<T>();
    static_assert(std::is_unsigned_v<U> && sizeof(U) == sizeof(T),
                  "GatherMask: src1Pattern is uint16_t for elements of 16 bits, uint32_t for those of 32");
    auto call = sfumato_::Squeezing(dst, src0, reduceMode, mask, params, where);
    call.src1 = sfumato_::Operand(src1Pattern);
    rsvdCnt = sfumato_::vreduce(call);
}
template <class T>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern, const bool reduceMode,
                const uint32_t mask, const GatherMaskParams& params, uint64_t& rsvdCnt, SFUMATO_AT) {
    sfumato_::RequireTypeGatherMask<T>();
    auto call = sfumato_::Squeezing(dst, src0, reduceMode, mask, params, where);
    call.pattern = src1Pattern;
    rsvdCnt = sfumato_::vreduce(call);
}

}  // namespace AscendC
