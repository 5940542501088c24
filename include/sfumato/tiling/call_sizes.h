// SPDX-License-Identifier: Apache-2.0
// Bytes of temporaries of the high-level calls that are neither elementwise nor softmax: one source for the kernels,
// which take them, and for the host functions for sizes (adv.md 1.3, decided).
#pragma once

#include "sfumato/tiling/row_need.h"

namespace sfumato::tiling {

// LayerNorm and RmsNorm. vectors: rows of gamma and beta that are widened.
constexpr RowNeed NormNeed(uint32_t columns, bool narrow, bool rms, uint32_t vectors) {
    RowNeed need;
    need.columns = columns;
    need.wide = rms ? 1 + narrow : 2;
    need.values = 2, need.eights = 3;
    need.fixed = vectors * RoundUpTo(columns, 8) * 4;
    return need;
}
inline constexpr uint32_t kDeepNormColumns = 2040;  // H of DeepNorm at most
// GroupNorm: the factors of the channels of a group.
constexpr RowNeed GroupNormNeed(uint32_t columns, bool narrow, uint32_t channels) {
    RowNeed need = NormNeed(columns, narrow, false, 0);
    need.fixed = 4 * (BlocksRoom(channels) + ValuesRoom(channels));
    return need;
}
// BatchNorm: a row, mean and variance, and the factors of eight samples.
inline constexpr uint32_t kBatchFactors = 8;
constexpr RowNeed BatchNormNeed(uint32_t columns) {
    RowNeed need{4, 0, 0, 0, 0, 0, 0};
    need.fixed = 4 * (3 * RoundUpTo(columns, 8) + 2 * BlocksRoom(kBatchFactors) + ValuesRoom(kBatchFactors));
    return need;
}
// LayerNormGrad, with gamma in float; LayerNormGradBeta: two sums and a row of each source.
constexpr RowNeed NormGradientNeed(uint32_t columns, bool narrow) {
    RowNeed need;
    need.columns = columns, need.wide = 3, need.values = 1, need.eights = 4;
    if (narrow) need.fixed = 4 * RoundUpTo(columns, 8);
    return need;
}
constexpr RowNeed NormGradientBetaNeed(uint32_t columns) {
    RowNeed need{4, 0, 0, 0, 0, 0, 0};
    need.fixed = 4 * 4 * RoundUpTo(columns, 8);
    return need;
}
constexpr RowNeed WelfordNeed(uint32_t columns, bool counted) {
    RowNeed need;
    need.columns = columns, need.wide = 1 + counted, need.eights = 1;
    return need;
}

// Sum, Mean and the reductions with a pattern. type_size: of the steps; copies: rows are converted first; results: of
// another type than the steps, 64 bytes at a time along the rows, all of them down the columns; extreme: maxima and
// minima of rows, which some chips find with their indices.
inline constexpr uint64_t kResultBytes = 64, kPairBytes = 256;
constexpr RowNeed ReductionNeed(uint32_t type_size, uint32_t columns, bool copies, bool results, bool down,
                                bool extreme) {
    RowNeed need{type_size, columns, copies ? 1U : 0U, 0, 0, 0, 0};
    if (results) need.fixed = down ? RoundUpTo(uint64_t{columns} * type_size, 32) : kResultBytes;
    if (extreme) need.fixed += kPairBytes;
    return need;
}
// ReduceProd along the rows: offsets and a column.
constexpr uint64_t ProductBytes(uint32_t rows) { return 2 * 4 * RoundUpTo(rows, 8); }

// Pad and UnPad: of each element of the longer rows its place and its row, both of 32 bits, 32 elements at a time at
// least.
inline constexpr uint64_t kPadUnit = 32, kPadEach = 8;
constexpr uint64_t PadBytes(uint64_t elements) { return kPadEach * RoundUpTo(elements, kPadUnit); }

// ReduceXorSum, as a call in the type of the tensors.
inline constexpr uint32_t kXorSumNodes = 4;

// CumSum along rows, `at_once` of them at a time: turned, with the offsets of rows, columns and, for the last column,
// the ends of all rows, and the rows or one row in float. Down the columns two rows in float.
constexpr uint64_t CumSumAlongBytes(uint32_t at_once, uint32_t rows, uint32_t columns, bool narrow, bool ends) {
    const uint64_t pitch = RoundUpTo(at_once, 8), ends_room = ends ? RoundUpTo(rows, 8) : 0;
    return 4 * (pitch * columns + pitch + columns + ends_room + (narrow ? uint64_t{at_once} * columns : columns));
}
constexpr uint64_t CumSumDownBytes(uint32_t columns, bool narrow) { return narrow ? 2 * 4 * uint64_t{columns} : 0; }

// BroadCast of a column: a block of each of 16 rows; or, of bytes and of rows that are no blocks, an offset for each of
// 32 elements, and of bytes these and the whole column as half.
constexpr uint64_t BroadcastBlockBytes(uint64_t rows) { return 32 * (rows < 16 ? RoundUpTo(rows, 8) : 16); }
constexpr uint64_t BroadcastEach(uint32_t type_size) { return type_size == 1 ? 6 : 4; }
constexpr uint64_t BroadcastColumn(uint64_t rows, uint32_t type_size) {
    return type_size == 1 ? RoundUpTo(2 * rows, 32) : 0;
}
constexpr uint64_t BroadcastElementBytes(uint64_t rows, uint64_t elements, uint32_t type_size) {
    return BroadcastColumn(rows, type_size) + RoundUpTo(elements, 32) * BroadcastEach(type_size);
}

// AscendAntiQuant: of each parameter a float, where the output is bfloat16_t, and, transposed, a block; then the
// pieces.
constexpr uint64_t AntiQuantEach(bool wide) { return wide ? 6 : 0; }
constexpr uint64_t AntiQuantVector(uint64_t parameters, bool transposed, bool wide) {
    return (wide ? RoundUpTo(4 * parameters, 32) : 0) + (transposed ? RoundUpTo(parameters, 8) * 32 : 0);
}

// TopK: of an element an index, a negated score, and records to sort and to merge; where records are proposals, also
// those to sort.
constexpr uint64_t TopKBytes(uint64_t elements, uint32_t type_size, bool proposals) {
    return elements * (4 + type_size + (proposals ? 3 * 8 * type_size : 2 * 8));
}
// TOPK_NSMALL: rows of 32 together, 16 at least where there are as many, and a word of bits for each.
inline constexpr uint64_t kTopKSmallRows = 16;
constexpr uint64_t TopKSmallBytes(uint64_t rows, uint32_t type_size, bool proposals) {
    return TopKBytes(rows * 32, type_size, proposals) + RoundUpTo(4 * rows, 32);
}

}  // namespace sfumato::tiling
