// SPDX-License-Identifier: Apache-2.0
// Sorts and merges of records, and moves of a field of region proposals (vector_instructions.md 8).
#pragma once

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

// Sort, Concat and Extract: whole sorts made of these instructions (8.6).
struct WholeSortCall {
    VectorOperand dst, concat, index, tmp;
    int32_t repeat = 0;
    bool full = false;  // one sequence: else each repeat by itself
    Where where;
};
SFUMATO_API void SortWhole(const WholeSortCall& call);
// What the handle `concat` stands for afterwards.
enum class Concatenated : uint8_t { kItself, kSource, kTemporary };
SFUMATO_API Concatenated ConcatScores(const VectorOperand& concat, const VectorOperand& src, const VectorOperand& tmp,
                                      int32_t repeat, Where where);
SFUMATO_API void ExtractSorted(const VectorOperand& value, const VectorOperand& index, const VectorOperand& sorted,
                               int32_t repeat, Where where);
// Elements of `type` that a sorted record takes on this chip.
SFUMATO_API uint32_t RecordElements(DataType type, const char* call);

template <class T>
void RequireSortable([[maybe_unused]] Where where) {
    SFUMATO_TYPES(T, "sorts: they take half and float", std::is_same_v<T, half> || std::is_same_v<T, float>);
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

}  // namespace AscendC

#include "sfumato/ascendc/calls/sort.h"
