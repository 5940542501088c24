// SPDX-License-Identifier: Apache-2.0
// Tilings of calls that go row by row: softmax, the norms, Pad and UnPad (adv.md 4.1, 7, 9). What the fields hold is
// ours: sizes, and how many rows the temporary buffer has room for; no bit of a result depends on them.
#include <algorithm>
#include <bit>

#include "sfumato/tiling/call_sizes.h"
#include "tiling/vector_words.h"

namespace sfumato::tiling {
namespace {

// Rows that a buffer has room for at a time.
struct RowPasses {
    uint32_t rows, columns, at_once, rounds, tail;
    uint32_t row_bytes;
};
// At least `min` bytes. rows_in: how many rows there is room for.
RowPasses DivideAt(const std::string& call, const Dimensions& shape, uint32_t workspace, uint32_t min,
                   uint32_t rows_in) {
    if (workspace < min) {
        Refuse("{}: a temporary buffer of {} bytes; a row of {} needs {}", call, workspace, shape.back(), min);
    }
    const uint32_t columns = U32(static_cast<uint64_t>(shape.back()));
    const uint32_t rows = U32(Elements(call, shape, 1, 8)) / columns, at_once = std::min(rows, rows_in);
    return {rows, columns, at_once, rows / at_once, rows % at_once, min};
}
RowPasses DividePad(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t workspace) {
    const uint64_t row = PadBytes(RoundUpTo(shape.back(), 32 / type_size));
    return DivideAt(call, shape, workspace, PadTmp(call, shape, type_size).min, U32(workspace / row));
}
RowPasses DivideNorm(const std::string& call, const Dimensions& shape, uint32_t type_size, uint32_t workspace,
                     bool rms) {
    const uint32_t min = NormTmp(call, shape, type_size, rms).min;
    const uint64_t all = Elements(call, shape, 1, 8), columns = static_cast<uint64_t>(shape.back());
    const RowNeed need =
        NormNeed(U32(RoundUpTo(columns, 32 / type_size)), type_size == 2, rms, type_size == 2 ? 2 - rms : 0);
    return DivideAt(call, shape, workspace, min, RowsIn(need, workspace, U32(all / columns)));
}

// H before padding: the fourth number, as the page of LayerNorm gives shapes, else H.
int64_t OriginalOf(const std::string& call, const Dimensions& shape) {
    const int64_t original = shape.size() == 4 ? shape[3] : shape[2];
    if (original > shape[2]) Refuse("{}: H before padding is {}, H in memory {}", call, original, shape[2]);
    return original;
}

}  // namespace

void CheckRow(const std::string& call, int64_t columns, uint32_t type_size) {
    if (columns * type_size % 32) {
        Refuse("{}: the last axis is {} elements of {} bytes; a row is a multiple of 32 bytes", call, columns,
               type_size);
    }
}

AscendC::tiling::SoftMaxTiling PlanSoftMax(const std::string& call, const Dimensions& shape, const SoftmaxUse& use,
                                           uint32_t workspace, uint32_t row_type_size) {
    const uint32_t min = SoftmaxTmp(call, shape, use).min;
    CheckRow(call, shape.back(), row_type_size ? row_type_size : use.data_size);
    const RowPasses passes = DivideAt(call, shape, workspace, min, 1);
    return SoftMaxPlan(passes.rows, passes.columns, use, workspace);
}

AscendC::tiling::LayerNormTiling PlanLayerNorm(const std::string& call, const Dimensions& shape, uint32_t workspace,
                                               uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 3, 4);
    const int64_t original = OriginalOf(call, shape);
    const Dimensions stored(shape.begin(), shape.begin() + 3);
    CheckRow(call, shape[2], type_size);
    const RowPasses passes = DivideNorm(call, stored, type_size, workspace, false);
    AscendC::tiling::LayerNormTiling t;
    t.bLength = U32(shape[0]), t.sLength = U32(shape[1]);
    t.hLength = passes.columns, t.originalHLength = U32(original);
    t.inputXSize = passes.rows * passes.columns, t.meanVarSize = passes.rows;
    t.numberOfTmpBuf = 2, t.tmpBufSize = workspace, t.oneTmpSize = passes.row_bytes;
    t.bsCurLength = passes.at_once, t.bshCurLength = passes.at_once * passes.columns;
    t.loopRound = passes.rounds, t.inputRoundSize = t.bshCurLength, t.meanVarRoundSize = passes.at_once;
    t.inputTailSize = passes.tail * passes.columns, t.meanVarTailSize = passes.tail;
    t.inputTailPos = t.inputXSize - t.inputTailSize, t.meanVarTailPos = passes.rows - passes.tail;
    t.lastDimValueBack = 1.0f / static_cast<float>(original);
    return t;
}

AscendC::tiling::LayerNormSeparateTiling PlanLayerNormSeparate(const std::string& call, const Dimensions& shape,
                                                               uint32_t workspace, uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 2, 2);
    const RowPasses passes = DivideNorm(call, shape, type_size, workspace, false);
    uint32_t head = 1;  // the largest power of two of R (adv.md 7)
    while (head <= passes.columns / 2) head *= 2;
    AscendC::tiling::LayerNormSeparateTiling t;
    t.aLength = passes.rows, t.rLength = passes.columns, t.rHeadLength = head;
    t.k2Rec = 1.0f / static_cast<float>(head), t.k2RRec = static_cast<float>(passes.columns) / static_cast<float>(head);
    t.rValueBack = 1.0f / static_cast<float>(passes.columns);
    t.inputXSize = passes.rows * passes.columns, t.meanVarSize = passes.rows;
    t.numberOfTmpBuf = 2, t.tmpBufSize = workspace, t.oneTmpSize = passes.row_bytes;
    t.aCurLength = passes.at_once, t.arCurLength = passes.at_once * passes.columns;
    t.loopRound = passes.rounds, t.inputRoundSize = t.arCurLength, t.meanVarRoundSize = passes.at_once;
    t.inputTailSize = passes.tail * passes.columns, t.meanVarTailSize = passes.tail;
    t.inputTailPos = t.inputXSize - t.inputTailSize, t.meanVarTailPos = passes.rows - passes.tail;
    return t;
}

AscendC::tiling::RmsNormTiling PlanRmsNorm(const std::string& call, const Dimensions& shape, const Dimensions& original,
                                           uint32_t workspace, uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 3, 3);
    Elements(call, original, 3, 3);
    if (original[2] > shape[2]) Refuse("{}: H before padding is {}, H in memory {}", call, original[2], shape[2]);
    CheckRow(call, shape[2], type_size);
    const RowPasses passes = DivideNorm(call, shape, type_size, workspace, true);
    AscendC::tiling::RmsNormTiling t;
    t.bLength = U32(shape[0]), t.sLength = U32(shape[1]);
    t.hLength = passes.columns, t.originalHLength = U32(original[2]);
    t.reciprocalOfHLength = 1.0f / static_cast<float>(original[2]);
    t.mainBsLength = passes.at_once, t.mainBshLength = passes.at_once * passes.columns;
    t.mainBsLengthAlign = U32(static_cast<uint64_t>(RoundUpTo(passes.at_once, 8)));
    t.loopRound = passes.rounds, t.tailBsLength = passes.tail, t.tailBshLength = passes.tail * passes.columns;
    t.inputTailPos = passes.rows * passes.columns - t.tailBshLength;
    return t;
}

AscendC::tiling::LogSoftMaxTiling PlanLogSoftMax(const std::string& call, const Dimensions& shape, uint32_t size,
                                                 uint32_t workspace) {
    return std::bit_cast<AscendC::tiling::LogSoftMaxTiling>(PlanSoftMax(call, shape, LogSoftMaxUse(size), workspace));
}

AscendC::tiling::PadTiling PlanPad(const std::string& call, const Dimensions& shape, const Dimensions& original,
                                   uint32_t workspace, uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 2, 2);
    Elements(call, original, 2, 2);
    if (original[1] > shape[1]) Refuse("{}: {} valid columns of {}", call, original[1], shape[1]);
    const RowPasses passes = DividePad(call, shape, type_size, workspace);
    AscendC::tiling::PadTiling t;
    t.srcHeight = passes.rows, t.srcWidth = passes.columns;
    t.srcOriWidth = U32(original[1]);
    t.heightTiling = passes.at_once, t.heightTail = passes.tail;
    return t;
}

AscendC::tiling::UnPadTiling PlanUnPad(const std::string& call, const Dimensions& shape, uint32_t workspace,
                                       uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 2, 2);
    CheckRow(call, shape[1], type_size);
    const RowPasses passes = DividePad(call, shape, type_size, workspace);
    return {passes.rows, passes.columns, passes.at_once, passes.tail};
}

}  // namespace sfumato::tiling
