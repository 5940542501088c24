// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes (vector_instructions.md 6 and 7), under their older and newer names.
#pragma once

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

// Strides of the destination in results of a repeat. name: what the program called.
template <class T>
ReduceCall Reduction(const char* name, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                     int32_t dst_repeat, int32_t src_block, int32_t src_repeat, AscendC::ReduceOrder order,
                     Where where) {
    ReduceCall call;
    call.dst = {&dst.view(), 1, kTypeOf<T>, static_cast<uint32_t>(dst_repeat)};
    call.src0 = {&src.view(), static_cast<uint32_t>(src_block), kTypeOf<T>, static_cast<uint32_t>(src_repeat)};
    call.where = where;
    call.name = name;
    call.order = order;
    return call;
}
template <class T>
ReduceTensorCall TensorReduction(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                                 const AscendC::LocalTensor<T>& work, int32_t src_repeat, bool index, Where where) {
    ReduceTensorCall call;
    call.dst = {&dst.view(), 1, kTypeOf<T>, 1};
    call.src0 = {&src.view(), 1, kTypeOf<T>, static_cast<uint32_t>(src_repeat)};
    call.work = {&work.view(), 1, kTypeOf<T>, 8};
    call.where = where;
    call.index = index;
    return call;
}

// The newer names have the operation as an argument of the template.
template <AscendC::ReduceType kType>
void ReduceRepeats(const ReduceCall& call) {
    if constexpr (kType == AscendC::ReduceType::SUM) {
        vcadd(call);
    } else if constexpr (kType == AscendC::ReduceType::MAX) {
        vcmax(call);
    } else {
        vcmin(call);
    }
}
template <AscendC::ReduceType kType>
void ReduceBlocks(const ReduceCall& call) {
    if constexpr (kType == AscendC::ReduceType::SUM) {
        vcgadd(call);
    } else if constexpr (kType == AscendC::ReduceType::MAX) {
        vcgmax(call);
    } else {
        vcgmin(call);
    }
}
template <AscendC::ReduceType kType>
void ReducePairs(const ReduceCall& call) {
    static_assert(kType == AscendC::ReduceType::SUM, "ReducePairElem: pairs are only summed");
    vcpadd(call);
}

}  // namespace sfumato::ascendc

namespace AscendC {

// One result a repeat.
#define SFUMATO_REDUCE_OPERANDS (const LocalTensor<T>& dst, const LocalTensor<T>& src)
#define SFUMATO_REDUCE_STRIDES (const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)
#define SFUMATO_REDUCE(Head, Name, issue, Last, order, Require)                                                       \
    SFUMATO_REPEAT_FORM(Head, Name, issue, SFUMATO_REDUCE_OPERANDS, SFUMATO_REDUCE_STRIDES, Last, Require, isSetMask, \
                        Reduction(#Name, dst, src, dstRepStride, srcBlkStride, srcRepStride, order, where))
#define SFUMATO_ORDER (ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, )
SFUMATO_REDUCE((class T, bool isSetMask = true), WholeReduceSum, vcadd, (), {}, (RequireTypeWholeReduceSum<T>))
SFUMATO_REDUCE((class T, bool isSetMask = true), WholeReduceMax, vcmax, SFUMATO_ORDER, order,
               (RequireTypeWholeReduceMax<T>))
SFUMATO_REDUCE((class T, bool isSetMask = true), WholeReduceMin, vcmin, SFUMATO_ORDER, order,
               (RequireTypeWholeReduceMin<T>))
SFUMATO_REDUCE((ReduceType reduceType, class T, bool isSetMask = true), ReduceRepeat, ReduceRepeats<reduceType>,
               SFUMATO_ORDER, order, (RequireTypeWholeReduceSum<T>))
#undef SFUMATO_ORDER

// dstBlkStride has no effect.
template <class T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t mask,
                     const int32_t, const int32_t srcBlkStride, const int32_t dstRepStride, const int32_t srcRepStride,
                     SFUMATO_AT) {
    sfumato_::RequireTypeWholeReduceSum<T>();
    auto call = sfumato_::Reduction("RepeatReduceSum", dst, src, dstRepStride, srcBlkStride, srcRepStride, {}, where);
    SetMask(&call, isSetMask, mask, static_cast<uint32_t>(repeatTime));
    sfumato_::vcadd(call);
}

// One result a block of 32 bytes, or a pair of neighbours. The older names have repeat before mask.
#define SFUMATO_REDUCE_PIECES(Name, issue)                                                                     \
    template <class T, bool isSetMask = true>                                                                  \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,                  \
              const sfumato_::Mask& mask, const int32_t dstRepStride, const int32_t srcBlkStride,              \
              const int32_t srcRepStride, SFUMATO_AT) {                                                        \
        sfumato_::RequireType##Name<T>();                                                                      \
        auto call = sfumato_::Reduction(#Name, dst, src, dstRepStride, srcBlkStride, srcRepStride, {}, where); \
        SetMask(&call, isSetMask, mask, static_cast<uint32_t>(repeatTime));                                    \
        sfumato_::issue(call);                                                                                 \
    }
SFUMATO_REDUCE_PIECES(BlockReduceSum, vcgadd)
SFUMATO_REDUCE_PIECES(BlockReduceMax, vcgmax)
SFUMATO_REDUCE_PIECES(BlockReduceMin, vcgmin)
SFUMATO_REDUCE_PIECES(PairReduceSum, vcpadd)
#undef SFUMATO_REDUCE_PIECES
SFUMATO_REDUCE((ReduceType reduceType, class T, bool isSetMask = true), ReduceDataBlock, ReduceBlocks<reduceType>, (),
               {}, (RequireTypeBlockReduceSum<T>))
SFUMATO_REDUCE((ReduceType reduceType, class T, bool isSetMask = true), ReducePairElem, ReducePairs<reduceType>, (), {},
               (RequireTypePairReduceSum<T>))
#undef SFUMATO_REDUCE
#undef SFUMATO_REDUCE_STRIDES
#undef SFUMATO_REDUCE_OPERANDS

// One result for the whole call.
#define SFUMATO_REDUCE_TENSOR(CountHead, Head, Name, issue, Last, Set, index)                                          \
    SFUMATO_COUNT_FORM(CountHead, Name, issue,                                                                         \
                       (const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer),  \
                       (), Last, (RequireType##Name<T>), TensorReduction(dst, src, sharedTmpBuffer, 8, index, where))  \
    SFUMATO_REPEAT_FORM(Head, Name, issue,                                                                             \
                        (const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer), \
                        (const int32_t srcRepStride), Last, (RequireType##Name<T>), Set,                               \
                        TensorReduction(dst, src, sharedTmpBuffer, srcRepStride, index, where))
SFUMATO_REDUCE_TENSOR((class T, bool = true), (class T, bool isSetMask = true), ReduceSum, vec_reduce_add, (),
                      isSetMask, false)
SFUMATO_REDUCE_TENSOR((class T), (class T), ReduceMax, vec_reduce_max, (bool calIndex = false, ), true, calIndex)
SFUMATO_REDUCE_TENSOR((class T), (class T), ReduceMin, vec_reduce_min, (bool calIndex = false, ), true, calIndex)
#undef SFUMATO_REDUCE_TENSOR

// What reductions left in the vector unit's registers. The index is an integer in the bits of T.
template <class T>
T GetReduceRepeatSumSpr(SFUMATO_AT) {
    return sfumato_::FromBits<T>(sfumato_::ReducedSum(sfumato_::kTypeOf<T>, where));
}
template <class T>
T GetAccVal(SFUMATO_AT) {
    return GetReduceRepeatSumSpr<T>(where);
}
template <class T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex, SFUMATO_AT) {
    uint64_t index = 0;
    maxMinValue = sfumato_::FromBits<T>(sfumato_::ReducedExtreme(sfumato_::kTypeOf<T>, &index, where));
    maxMinIndex = sfumato_::FromBits<T>(index);
}
template <class T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue, SFUMATO_AT) {
    maxMinValue = sfumato_::FromBits<T>(sfumato_::ReducedExtreme(sfumato_::kTypeOf<T>, nullptr, where));
}
template <class T>
void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex, SFUMATO_AT) {
    GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex, where);
}
template <class T>
void GetReduceMaxMinCount(T& maxMinValue, SFUMATO_AT) {
    GetReduceRepeatMaxMinSpr(maxMinValue, where);
}

// 16 x 16 elements of 16 bits.
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, SFUMATO_AT) {
    sfumato_::RequireTypeTranspose<T>();
    sfumato_::Transpose({sfumato_::Operand(dst), sfumato_::Operand(src), {}, nullptr, where});
}
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
               const TransposeParamsExt& transposeParams, SFUMATO_AT) {
    sfumato_::RequireTypeTranspose<T>();
    sfumato_::Transpose(
        {sfumato_::Operand(dst), sfumato_::Operand(src), sfumato_::Operand(sharedTmpBuffer), &transposeParams, where});
}

// 16 blocks to 16 blocks: addresses from GetPhyAddr, tensors, or tensors that hold the addresses.
template <class T>
void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams, SFUMATO_AT) {
    sfumato_::RequireTypeTransDataTo5HD<T>();
    sfumato_::BlockList dst, src;
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst.address[i] = dstList[i];
        src.address[i] = srcList[i];
        dst.room[i] = src.room[i] = ~uint64_t{0};
    }
    sfumato_::vnchwconv(dst, src, sfumato_::kTypeOf<T>, nchwconvParams, where);
}
template <class T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams, SFUMATO_AT) {
    sfumato_::RequireTypeTransDataTo5HD<T>();
    sfumato_::BlockList dst, src;
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst.address[i] = dstList[i].GetPhyAddr();
        src.address[i] = srcList[i].GetPhyAddr();
        dst.room[i] = dstList[i].view().room;
        src.room[i] = srcList[i].view().room;
    }
    sfumato_::vnchwconv(dst, src, sfumato_::kTypeOf<T>, nchwconvParams, where);
}
template <class T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                    const TransDataTo5HDParams& nchwconvParams, SFUMATO_AT) {
    sfumato_::RequireTypeTransDataTo5HD<T>();
    sfumato_::vnchwconv(sfumato_::BlocksIn(dst.view(), where), sfumato_::BlocksIn(src.view(), where),
                        sfumato_::kTypeOf<T>, nchwconvParams, where);
}

}  // namespace AscendC
