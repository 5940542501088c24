// SPDX-License-Identifier: Apache-2.0
// Sorts and merges of records, and moves of a field of region proposals (vector_instructions.md 8).
#pragma once

#include "sfumato/ascendc/cast_pairs.h"
#include "sfumato/ascendc/vector_call.h"

namespace sfumato::ascendc {

struct SortCall {
    VectorOperand dst, src0, src1;
    int32_t repeat = 0;
    int32_t field = 0;
    Where where;
    const char* name = nullptr;  // of the call this is a part of
};
SFUMATO_API void vconcat(const SortCall& call);
SFUMATO_API void vextract(const SortCall& call);
SFUMATO_API void vrpsort16(const SortCall& call);
SFUMATO_API void vsort32(const SortCall& call);

struct MergeCall {
    VectorOperand dst;
    VectorOperand src[4];
    const uint16_t* lengths = nullptr;
    bool suspend = false;
    uint32_t valid = 0;
    int32_t repeat = 1;
    Where where;
};
SFUMATO_API void vmrgsort4(const MergeCall& call);
SFUMATO_API void vmrgsort(const MergeCall& call);
// MrgSort of the high-level interface: pairs, or proposals where the chip has no pairs. Fills `taken` with suspension.
SFUMATO_API void MergeSorted(const MergeCall& call, uint32_t (&taken)[4]);
SFUMATO_API void MergedCounts(uint16_t (&taken)[4], Where where);

template <class T>
SortCall Sorting(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, int32_t repeat, Where where) {
    return {Operand(dst), Operand(src), {}, repeat, 0, where};
}

template <class T, class List>
MergeCall Merging(const AscendC::LocalTensor<T>& dst, const List& list, const uint16_t* lengths, bool suspend,
                  uint32_t valid, int32_t repeat, Where where) {
    return {Operand(dst), {Operand(list.src1), Operand(list.src2), Operand(list.src3), Operand(list.src4)},
            lengths,      suspend,
            valid,        repeat,
            where};
}

}  // namespace sfumato::ascendc

namespace AscendC {

template <class T>
struct MrgSortSrcList {
    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T>& src1In, const LocalTensor<T>& src2In, const LocalTensor<T>& src3In,
                   const LocalTensor<T>& src4In)
        : src1(src1In), src2(src2In), src3(src3In), src4(src4In) {}
    LocalTensor<T> src1, src2, src3, src4;
};

struct MrgSort4Info {
    MrgSort4Info() = default;
    MrgSort4Info(const uint16_t elementLengthsIn[4], const bool ifExhaustedSuspensionIn, const uint16_t validBitIn,
                 const uint16_t repeatTimesIn)
        : elementLengths{elementLengthsIn[0], elementLengthsIn[1], elementLengthsIn[2], elementLengthsIn[3]},
          ifExhaustedSuspension(ifExhaustedSuspensionIn),
          validBit(validBitIn),
          repeatTimes(repeatTimesIn) {}
    uint16_t elementLengths[4] = {};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint16_t repeatTimes = 1;
};

// Field modeNumber of 16 proposals a repeat = 16 elements of src.
template <class T>
void ProposalConcat(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                    const int32_t modeNumber, SFUMATO_AT) {
    sfumato_::RequireTypeProposalConcat<T>();
    auto call = sfumato_::Sorting(dst, src, repeatTime, where);
    call.field = modeNumber;
    sfumato_::vconcat(call);
}

// 16 elements of dst a repeat = field modeNumber of 16 proposals.
template <class T>
void ProposalExtract(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                     const int32_t modeNumber, SFUMATO_AT) {
    sfumato_::RequireTypeProposalExtract<T>();
    auto call = sfumato_::Sorting(dst, src, repeatTime, where);
    call.field = modeNumber;
    sfumato_::vextract(call);
}

// 16 proposals a repeat, by score, descending.
template <class T>
void RpSort16(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, SFUMATO_AT) {
    sfumato_::RequireTypeRpSort16<T>();
    sfumato_::vrpsort16(sfumato_::Sorting(dst, src, repeatTime, where));
}

// 32 scores and their indices a repeat to pairs of 8 bytes, by score, descending.
template <class T>
void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1,
            const int32_t repeatTime, SFUMATO_AT) {
    sfumato_::RequireTypeSort32<T>();
    auto call = sfumato_::Sorting(dst, src0, repeatTime, where);
    call.src1 = sfumato_::Operand(src1);
    sfumato_::vsort32(call);
}

// Two to four sorted queues of proposals, or of pairs, to one.
template <class T>
void MrgSort4(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params, SFUMATO_AT) {
    sfumato_::RequireTypeMrgSort4<T>();
    sfumato_::vmrgsort4(sfumato_::Merging(dst, src, params.elementLengths, params.ifExhaustedSuspension,
                                          params.validBit, params.repeatTimes, where));
}
template <class T>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params, SFUMATO_AT) {
    sfumato_::RequireTypeMrgSort<T>();
    sfumato_::vmrgsort(sfumato_::Merging(dst, src, params.elementLengths, params.ifExhaustedSuspension, params.validBit,
                                         params.repeatTimes, where));
}
template <class T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList, const uint16_t elementCountList[4],
             uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTimes, SFUMATO_AT) {
    sfumato_::RequireTypeMrgSort<T>();
    uint32_t taken[4];
    const auto call =
        sfumato_::Merging(dst, sortList, elementCountList, isExhaustedSuspension, validBit, repeatTimes, where);
    sfumato_::MergeSorted(call, taken);
    for (int i = 0; i < 4 && isExhaustedSuspension; ++i) sortedNum[i] = taken[i];
}

// Records the last merge took from each queue.
inline void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3,
                             uint16_t& mrgSortList4, SFUMATO_AT) {
    uint16_t taken[4] = {};
    sfumato_::MergedCounts(taken, where);
    mrgSortList1 = taken[0];
    mrgSortList2 = taken[1];
    mrgSortList3 = taken[2];
    mrgSortList4 = taken[3];
}

}  // namespace AscendC
