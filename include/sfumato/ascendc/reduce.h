// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes (vector_instructions.md 6 and 7), under their older and newer names.
#pragma once

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/reduce_types.h"
#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

// Strides of the destination in results of a repeat.
template <class T>
VectorCall Reduction(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, int32_t dst_repeat,
                     int32_t src_block, int32_t src_repeat, Where where) {
    VectorCall call;
    call.dst = {&dst.view(), kTypeOf<T>, 1, static_cast<uint32_t>(dst_repeat)};
    call.src0 = {&src.view(), kTypeOf<T>, static_cast<uint32_t>(src_block), static_cast<uint32_t>(src_repeat)};
    call.where = where;
    return call;
}
template <class T>
ReduceTensorCall TensorReduction(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                                 const AscendC::LocalTensor<T>& work, int32_t src_repeat, bool index, Where where) {
    ReduceTensorCall call;
    static_cast<VectorCall&>(call) = Reduction(dst, src, 1, 1, src_repeat, where);
    call.work = {&work.view(), kTypeOf<T>, 1, 8};
    call.index = index;
    return call;
}
// A signed mask or count keeps its sign for the report.
constexpr uint64_t Wide(int32_t n) { return static_cast<uint64_t>(int64_t{n}); }

template <AscendC::ReduceType kType>
void ReduceRepeats(const VectorCall& call, const char* name, AscendC::ReduceOrder order) {
    if constexpr (kType == AscendC::ReduceType::SUM) {
        vcadd(call, name);
    } else if constexpr (kType == AscendC::ReduceType::MAX) {
        vcmax(call, name, order);
    } else {
        vcmin(call, name, order);
    }
}
template <AscendC::ReduceType kType>
void ReduceBlocks(const VectorCall& call, const char* name) {
    if constexpr (kType == AscendC::ReduceType::SUM) {
        vcgadd(call, name);
    } else if constexpr (kType == AscendC::ReduceType::MAX) {
        vcgmax(call, name);
    } else {
        vcgmin(call, name);
    }
}

}  // namespace sfumato::ascendc

namespace AscendC {

// One result a repeat. With a mask of bits, and of the first n elements.
#define SFUMATO_REDUCE_REPEAT(Mask, mask_value)                                                               \
    template <class T, bool isSetMask = true>                                                                 \
    void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask, const int32_t repeatTime, \
                        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,   \
                        Where where = Where::Here()) {                                                        \
        sfumato::ascendc::RequireTypeWholeReduceSum<T>();                                                     \
        auto call = sfumato::ascendc::Reduction(dst, src, dstRepStride, srcBlkStride, srcRepStride, where);   \
        SetMask(&call, isSetMask, mask_value, static_cast<uint32_t>(repeatTime));                             \
        sfumato::ascendc::vcadd(call, "WholeReduceSum");                                                      \
    }                                                                                                         \
    template <class T, bool isSetMask = true>                                                                 \
    void WholeReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask, const int32_t repeatTime, \
                        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,   \
                        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Where where = Where::Here()) {    \
        sfumato::ascendc::RequireTypeWholeReduceMax<T>();                                                     \
        auto call = sfumato::ascendc::Reduction(dst, src, dstRepStride, srcBlkStride, srcRepStride, where);   \
        SetMask(&call, isSetMask, mask_value, static_cast<uint32_t>(repeatTime));                             \
        sfumato::ascendc::vcmax(call, "WholeReduceMax", order);                                               \
    }                                                                                                         \
    template <class T, bool isSetMask = true>                                                                 \
    void WholeReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask, const int32_t repeatTime, \
                        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,   \
                        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Where where = Where::Here()) {    \
        sfumato::ascendc::RequireTypeWholeReduceMin<T>();                                                     \
        auto call = sfumato::ascendc::Reduction(dst, src, dstRepStride, srcBlkStride, srcRepStride, where);   \
        SetMask(&call, isSetMask, mask_value, static_cast<uint32_t>(repeatTime));                             \
        sfumato::ascendc::vcmin(call, "WholeReduceMin", order);                                               \
    }                                                                                                         \
    template <ReduceType reduceType, class T, bool isSetMask = true>                                          \
    void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask, const int32_t repeatTime,   \
                      const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,     \
                      ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, Where where = Where::Here()) {      \
        sfumato::ascendc::RequireTypeWholeReduceSum<T>();                                                     \
        auto call = sfumato::ascendc::Reduction(dst, src, dstRepStride, srcBlkStride, srcRepStride, where);   \
        SetMask(&call, isSetMask, mask_value, static_cast<uint32_t>(repeatTime));                             \
        sfumato::ascendc::ReduceRepeats<reduceType>(call, "ReduceRepeat", order);                             \
    }
SFUMATO_REDUCE_REPEAT(const uint64_t mask[], mask)
SFUMATO_REDUCE_REPEAT(const int32_t mask, sfumato::ascendc::Wide(mask))
#undef SFUMATO_REDUCE_REPEAT

// dstBlkStride has no effect.
template <class T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t mask,
                     const int32_t, const int32_t srcBlkStride, const int32_t dstRepStride, const int32_t srcRepStride,
                     Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeWholeReduceSum<T>();
    auto call = sfumato::ascendc::Reduction(dst, src, dstRepStride, srcBlkStride, srcRepStride, where);
    SetMask(&call, isSetMask, sfumato::ascendc::Wide(mask), static_cast<uint32_t>(repeatTime));
    sfumato::ascendc::vcadd(call, "RepeatReduceSum");
}

// One result a block of 32 bytes, or a pair of neighbours: repeat before mask; the newer names have mask before repeat.
#define SFUMATO_REDUCE_PIECES(Name, Rule, issue, Mask, mask_value)                                          \
    template <class T, bool isSetMask = true>                                                               \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, Mask,         \
              const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,           \
              Where where = Where::Here()) {                                                                \
        sfumato::ascendc::RequireType##Rule<T>();                                                           \
        auto call = sfumato::ascendc::Reduction(dst, src, dstRepStride, srcBlkStride, srcRepStride, where); \
        SetMask(&call, isSetMask, mask_value, static_cast<uint32_t>(repeatTime));                           \
        sfumato::ascendc::issue(call, #Name);                                                               \
    }
#define SFUMATO_REDUCE_PIECES_NEW(Name, Rule, issue, Mask, mask_value)                                      \
    template <ReduceType reduceType, class T, bool isSetMask = true>                                        \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask, const int32_t repeatTime,         \
              const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,           \
              Where where = Where::Here()) {                                                                \
        sfumato::ascendc::RequireType##Rule<T>();                                                           \
        auto call = sfumato::ascendc::Reduction(dst, src, dstRepStride, srcBlkStride, srcRepStride, where); \
        SetMask(&call, isSetMask, mask_value, static_cast<uint32_t>(repeatTime));                           \
        issue;                                                                                              \
    }
#define SFUMATO_REDUCE_PIECES_OF(Mask, mask_value)                                                                   \
    SFUMATO_REDUCE_PIECES(BlockReduceSum, BlockReduceSum, vcgadd, Mask, mask_value)                                  \
    SFUMATO_REDUCE_PIECES(BlockReduceMax, BlockReduceMax, vcgmax, Mask, mask_value)                                  \
    SFUMATO_REDUCE_PIECES(BlockReduceMin, BlockReduceMin, vcgmin, Mask, mask_value)                                  \
    SFUMATO_REDUCE_PIECES(PairReduceSum, PairReduceSum, vcpadd, Mask, mask_value)                                    \
    SFUMATO_REDUCE_PIECES_NEW(ReduceDataBlock, BlockReduceSum,                                                       \
                              sfumato::ascendc::ReduceBlocks<reduceType>(call, "ReduceDataBlock"), Mask, mask_value) \
    SFUMATO_REDUCE_PIECES_NEW(ReducePairElem, PairReduceSum, sfumato::ascendc::vcpadd(call, "ReducePairElem");       \
                              static_assert(reduceType == ReduceType::SUM, "ReducePairElem: pairs are only summed"), \
                              Mask, mask_value)
SFUMATO_REDUCE_PIECES_OF(const uint64_t mask[], mask)
SFUMATO_REDUCE_PIECES_OF(const int32_t mask, sfumato::ascendc::Wide(mask))
#undef SFUMATO_REDUCE_PIECES_OF
#undef SFUMATO_REDUCE_PIECES_NEW
#undef SFUMATO_REDUCE_PIECES

// One result for the whole call.
template <class T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               const int32_t count, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeReduceSum<T>();
    auto call = sfumato::ascendc::TensorReduction(dst, src, sharedTmpBuffer, 8, false, where);
    SetCount(&call, count);
    sfumato::ascendc::vec_reduce_add(call);
}
#define SFUMATO_REDUCE_SUM(Mask, mask_value)                                                                          \
    template <class T, bool isSetMask = true>                                                                         \
    void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, Mask, \
                   const int32_t repeatTime, const int32_t srcRepStride, Where where = Where::Here()) {               \
        sfumato::ascendc::RequireTypeReduceSum<T>();                                                                  \
        auto call = sfumato::ascendc::TensorReduction(dst, src, sharedTmpBuffer, srcRepStride, false, where);         \
        SetMask(&call, isSetMask, mask_value, static_cast<uint32_t>(repeatTime));                                     \
        sfumato::ascendc::vec_reduce_add(call);                                                                       \
    }
SFUMATO_REDUCE_SUM(const uint64_t mask[], mask)
SFUMATO_REDUCE_SUM(const int32_t mask, sfumato::ascendc::Wide(mask))
#undef SFUMATO_REDUCE_SUM

#define SFUMATO_REDUCE_EXTREME(Name, issue)                                                                       \
    template <class T>                                                                                            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,        \
              const int32_t count, bool calIndex = false, Where where = Where::Here()) {                          \
        sfumato::ascendc::RequireType##Name<T>();                                                                 \
        auto call = sfumato::ascendc::TensorReduction(dst, src, sharedTmpBuffer, 8, calIndex, where);             \
        SetCount(&call, count);                                                                                   \
        sfumato::ascendc::issue(call);                                                                            \
    }                                                                                                             \
    template <class T>                                                                                            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,        \
              const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false, \
              Where where = Where::Here()) {                                                                      \
        sfumato::ascendc::RequireType##Name<T>();                                                                 \
        auto call = sfumato::ascendc::TensorReduction(dst, src, sharedTmpBuffer, srcRepStride, calIndex, where);  \
        SetMask(&call, true, mask, static_cast<uint32_t>(repeatTime));                                            \
        sfumato::ascendc::issue(call);                                                                            \
    }                                                                                                             \
    template <class T>                                                                                            \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,        \
              const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false,    \
              Where where = Where::Here()) {                                                                      \
        sfumato::ascendc::RequireType##Name<T>();                                                                 \
        auto call = sfumato::ascendc::TensorReduction(dst, src, sharedTmpBuffer, srcRepStride, calIndex, where);  \
        SetMask(&call, true, sfumato::ascendc::Wide(mask), static_cast<uint32_t>(repeatTime));                    \
        sfumato::ascendc::issue(call);                                                                            \
    }
SFUMATO_REDUCE_EXTREME(ReduceMax, vec_reduce_max)
SFUMATO_REDUCE_EXTREME(ReduceMin, vec_reduce_min)
#undef SFUMATO_REDUCE_EXTREME

// What reductions left in the vector unit's registers. The index is an integer in the bits of T.
template <class T>
T GetReduceRepeatSumSpr(Where where = Where::Here()) {
    return sfumato::ascendc::FromBits<T>(sfumato::ascendc::ReducedSum(sfumato::ascendc::kTypeOf<T>, where));
}
template <class T>
T GetAccVal(Where where = Where::Here()) {
    return GetReduceRepeatSumSpr<T>(where);
}
template <class T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex, Where where = Where::Here()) {
    uint64_t index = 0;
    maxMinValue =
        sfumato::ascendc::FromBits<T>(sfumato::ascendc::ReducedExtreme(sfumato::ascendc::kTypeOf<T>, &index, where));
    maxMinIndex = sfumato::ascendc::FromBits<T>(index);
}
template <class T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue, Where where = Where::Here()) {
    maxMinValue =
        sfumato::ascendc::FromBits<T>(sfumato::ascendc::ReducedExtreme(sfumato::ascendc::kTypeOf<T>, nullptr, where));
}
template <class T>
void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex, Where where = Where::Here()) {
    GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex, where);
}
template <class T>
void GetReduceMaxMinCount(T& maxMinValue, Where where = Where::Here()) {
    GetReduceRepeatMaxMinSpr(maxMinValue, where);
}

// 16 x 16 elements of 16 bits.
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeTranspose<T>();
    sfumato::ascendc::Transpose({sfumato::ascendc::Operand(dst), sfumato::ascendc::Operand(src), {}, nullptr, where});
}
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
               const TransposeParamsExt& transposeParams, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeTranspose<T>();
    sfumato::ascendc::Transpose({sfumato::ascendc::Operand(dst), sfumato::ascendc::Operand(src),
                                 sfumato::ascendc::Operand(sharedTmpBuffer), &transposeParams, where});
}

// 16 blocks to 16 blocks: addresses from GetPhyAddr, tensors, or tensors that hold the addresses.
template <class T>
void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeTransDataTo5HD<T>();
    sfumato::ascendc::BlockList dst, src;
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst.address[i] = dstList[i];
        src.address[i] = srcList[i];
        dst.room[i] = src.room[i] = ~uint64_t{0};
    }
    sfumato::ascendc::vnchwconv(dst, src, sfumato::ascendc::kTypeOf<T>, nchwconvParams, where);
}
template <class T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeTransDataTo5HD<T>();
    sfumato::ascendc::BlockList dst, src;
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst.address[i] = dstList[i].GetPhyAddr();
        src.address[i] = srcList[i].GetPhyAddr();
        dst.room[i] = dstList[i].view().room;
        src.room[i] = srcList[i].view().room;
    }
    sfumato::ascendc::vnchwconv(dst, src, sfumato::ascendc::kTypeOf<T>, nchwconvParams, where);
}
template <class T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                    const TransDataTo5HDParams& nchwconvParams, Where where = Where::Here()) {
    sfumato::ascendc::RequireTypeTransDataTo5HD<T>();
    sfumato::ascendc::vnchwconv(sfumato::ascendc::BlocksIn(dst.view(), where),
                                sfumato::ascendc::BlocksIn(src.view(), where), sfumato::ascendc::kTypeOf<T>,
                                nchwconvParams, where);
}

}  // namespace AscendC
