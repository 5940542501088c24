// SPDX-License-Identifier: Apache-2.0
// Sort, Concat and Extract: whole sorts made of the instructions of sort.h (vector_instructions.md 8.6).
#pragma once

#include "sfumato/ascendc/sort.h"

namespace sfumato::ascendc {

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

// Scores as Sort takes them, 16 a repeat: records in concat, or in tmp where concat has no room; without records the
// scores themselves.
template <class T>
void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>& tmp, const int32_t repeatTime,
            SFUMATO_AT) {
    using namespace sfumato::ascendc;
    RequireSortable<T>(where);
    switch (ConcatScores(Operand(concat), Operand(src), Operand(tmp), repeatTime, where)) {
        case Concatenated::kItself: break;
        case Concatenated::kSource: concat = src; break;
        case Concatenated::kTemporary: concat = tmp; break;
    }
}

// Records of scores and indices, descending: 32 a repeat where records are pairs, 16 where they are proposals. tmp has
// the length of dst and is used with isFullSort alone.
template <class T, bool isFullSort>
void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index,
          const LocalTensor<T>& tmp, const int32_t repeatTime, SFUMATO_AT) {
    using namespace sfumato::ascendc;
    RequireSortable<T>(where);
    SortWhole({Operand(dst), Operand(concat), Operand(index), Operand(tmp), repeatTime, isFullSort, where});
}

// Scores and indices of sorted records: 32 a repeat where records are pairs, 16 where they are proposals.
template <class T>
void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex, const LocalTensor<T>& sorted,
             const int32_t repeatTime, SFUMATO_AT) {
    using namespace sfumato::ascendc;
    RequireSortable<T>(where);
    ExtractSorted(Operand(dstValue), Operand(dstIndex), Operand(sorted), repeatTime, where);
}

// ProposalConcat and ProposalExtract under their early names (vector_instructions.md 8.5).
template <class T>
void Concat(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t modeNumber,
            SFUMATO_AT) {
    ProposalConcat(dst, src, repeatTime, modeNumber, where);
}
template <class T>
void Extract(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t modeNumber,
             SFUMATO_AT) {
    ProposalExtract(dst, src, repeatTime, modeNumber, where);
}

// The length of elemCount sorted records, and the place of record elemOffset, in elements of T.
template <class T>
uint32_t GetSortLen(const uint32_t elemCount, SFUMATO_AT) {
    sfumato_::RequireSortable<T>(where);
    return elemCount * sfumato_::RecordElements(sfumato_::kTypeOf<T>, "GetSortLen");
}
template <class T>
uint32_t GetSortOffset(const uint32_t elemOffset, SFUMATO_AT) {
    sfumato_::RequireSortable<T>(where);
    return elemOffset * sfumato_::RecordElements(sfumato_::kTypeOf<T>, "GetSortOffset");
}

}  // namespace AscendC
