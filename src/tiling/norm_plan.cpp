// SPDX-License-Identifier: Apache-2.0
// Tilings of the variants of LayerNorm and of its gradients (adv.md 7). What the fields hold is ours: sizes, and how
// many rows the temporary buffer has room for; no bit of a result depends on them.
#include <bit>

#include "sfumato/tiling/call_sizes.h"
#include "tiling/vector_words.h"

namespace sfumato::tiling {
namespace {

// Rows that a temporary buffer has room for at a time.
struct Passes {
    uint32_t rows, columns, at_once, rounds, tail;
    uint32_t least;  // bytes for one
};
Passes Divide(const std::string& call, uint32_t rows, uint32_t columns, const RowNeed& need, uint32_t workspace) {
    const uint32_t least = NeedTmp(call, rows, need).min;
    if (workspace < least) {
        Refuse("{}: a temporary buffer of {} bytes; a row of {} needs {}", call, workspace, columns, least);
    }
    const uint32_t at_once = RowsIn(need, workspace, rows);
    return {rows, columns, at_once, rows / at_once, rows % at_once, least};
}

// The fields that DeepNorm and GroupNorm share.
template <class Tiling>
void SetPasses(const Passes& passes, uint32_t workspace, Tiling* t) {
    t->inputXSize = passes.rows * passes.columns, t->meanVarSize = passes.rows;
    t->numberOfTmpBuf = 2, t->tmpBufSize = workspace, t->oneTmpSize = passes.least;
    t->bsCurLength = passes.at_once, t->bshCurLength = passes.at_once * passes.columns;
    t->loopRound = passes.rounds, t->inputRoundSize = t->bshCurLength, t->meanVarRoundSize = passes.at_once;
    t->inputTailSize = passes.tail * passes.columns, t->meanVarTailSize = passes.tail;
    t->inputTailPos = t->inputXSize - t->inputTailSize, t->meanVarTailPos = passes.rows - passes.tail;
}

// Rows of H and of the gradients' shapes B, S, H, H before padding, which is the same.
struct Gradient {
    uint32_t rows, columns;
    RowNeed need;
};
Gradient GradientOf(const std::string& call, const Dimensions& shape, uint32_t type_size, bool beta) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 3, 4);
    if (shape.size() == 4 && shape[3] != shape[2]) {
        Refuse("{}: H before padding is {}, H in memory {}; they are the same", call, shape[3], shape[2]);
    }
    CheckRow(call, shape[2], type_size);
    const uint32_t columns = U32(shape[2]);
    return {U32(shape[0] * shape[1]), columns,
            beta ? NormGradientBetaNeed(columns) : NormGradientNeed(columns, type_size == 2)};
}

RowNeed GroupsOf(const std::string& call, const Dimensions& shape, uint32_t groups, uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 4, 4);
    if (groups == 0 || shape[1] % groups != 0) Refuse("{}: {} groups of {} channels", call, groups, shape[1]);
    CheckRow(call, shape[2] * shape[3], type_size);
    const int64_t channels = shape[1] / groups;
    return GroupNormNeed(U32(channels * shape[2] * shape[3]), type_size == 2, U32(channels));
}

}  // namespace

AscendC::tiling::DeepNormTiling PlanDeepNorm(const std::string& call, const Dimensions& shape,
                                             const Dimensions& original, uint32_t workspace, uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 3, 3);
    Elements(call, original, 3, 3);
    if (shape[2] > kDeepNormColumns) Refuse("{}: H is {}; it is at most {}", call, shape[2], kDeepNormColumns);
    if (original[2] > shape[2]) Refuse("{}: H before padding is {}, H in memory {}", call, original[2], shape[2]);
    CheckRow(call, shape[2], type_size);
    const bool narrow = type_size == 2;
    const RowNeed need = NormNeed(U32(shape[2]), narrow, false, narrow ? 2 : 0);
    const Passes passes = Divide(call, U32(shape[0] * shape[1]), U32(shape[2]), need, workspace);
    AscendC::tiling::DeepNormTiling t;
    t.bLength = U32(shape[0]), t.sLength = U32(shape[1]);
    t.hLength = passes.columns, t.originalHLength = U32(original[2]);
    SetPasses(passes, workspace, &t);
    t.lastDimValueBack = 1.0f / static_cast<float>(original[2]);
    return t;
}

TmpSizes GroupNormTmp(const std::string& call, const Dimensions& shape, uint32_t groups, uint32_t type_size) {
    const RowNeed need = GroupsOf(call, shape, groups, type_size);
    return NeedTmp(call, static_cast<uint64_t>(shape[0]) * groups, need);
}

AscendC::tiling::GroupNormTiling PlanGroupNorm(const std::string& call, const Dimensions& shape, uint32_t groups,
                                               uint32_t workspace, uint32_t type_size) {
    const RowNeed need = GroupsOf(call, shape, groups, type_size);
    AscendC::tiling::GroupNormTiling t;
    t.n = U32(shape[0]), t.c = U32(shape[1]), t.hw = U32(shape[2] * shape[3]), t.g = groups, t.d = t.c / groups;
    t.hwAlignSize = t.hw, t.dhwAlignSize = t.d * t.hw;
    const Passes passes = Divide(call, t.n * groups, t.dhwAlignSize, need, workspace);
    SetPasses(passes, workspace, &t);
    t.factor = 1.0f / static_cast<float>(t.dhwAlignSize);
    t.smallShape = passes.at_once == passes.rows;
    return t;
}

TmpSizes BatchNormTmp(const std::string& call, const Dimensions& shape, uint32_t type_size) {
    CheckTypeSize(call, type_size, {2, 4});
    Elements(call, shape, 3, 3);
    CheckRow(call, shape[1] * shape[2], type_size);
    return NeedTmp(call, 1, BatchNormNeed(U32(shape[1] * shape[2])));
}

AscendC::tiling::BatchNormTiling PlanBatchNorm(const std::string& call, const Dimensions& shape,
                                               const Dimensions& original, uint32_t workspace, uint32_t type_size) {
    Elements(call, original, 3, 3);
    const uint32_t least = BatchNormTmp(call, shape, type_size).min, columns = U32(shape[1] * shape[2]);
    for (size_t i = 0; i < 3; ++i) {
        if (original[i] > shape[i]) {
            Refuse("{}: axis {} before padding is {}, in memory {}", call, i, original[i], shape[i]);
        }
    }
    Divide(call, 1, columns, BatchNormNeed(columns), workspace);
    AscendC::tiling::BatchNormTiling t;
    t.originalBLength = U32(original[0]), t.meanVarSize = columns, t.tmpBufSize = workspace, t.oneTmpSize = least;
    t.loopRound = 1, t.shCurLength = columns, t.bshCurLength = t.originalBLength * columns;
    t.shCurLengthBlockNum = columns * type_size / 32;
    t.firstDimValueBack = 1.0f / static_cast<float>(original[0]);
    return t;
}

TmpSizes NormGradientTmp(const std::string& call, const Dimensions& shape, uint32_t type_size, bool beta) {
    const Gradient gradient = GradientOf(call, shape, type_size, beta);
    return NeedTmp(call, gradient.rows, gradient.need);
}

AscendC::tiling::LayerNormGradTiling PlanLayerNormGrad(const std::string& call, const Dimensions& shape,
                                                       uint32_t elements, uint32_t type_size) {
    const Gradient gradient = GradientOf(call, shape, type_size, false);
    const Passes passes = Divide(call, gradient.rows, gradient.columns, gradient.need, elements * type_size);
    AscendC::tiling::LayerNormGradTiling t;
    t.stackBufferSize = elements;
    t.bLength = U32(shape[0]), t.sLength = U32(shape[1]), t.hLength = t.originalHLength = passes.columns;
    t.oneCalSize = passes.at_once * passes.columns, t.nohCalSize = passes.at_once, t.loopNum = passes.rounds;
    t.tailSize = passes.tail * passes.columns, t.nohTailSize = passes.tail;
    const float back = 1.0f / static_cast<float>(passes.columns);
    t.lastDimValueBack = std::bit_cast<uint32_t>(back), t.lastDimValueBackMulTwo = std::bit_cast<uint32_t>(2 * back);
    return t;
}

AscendC::tiling::LayerNormGradBetaTiling PlanLayerNormGradBeta(const std::string& call, const Dimensions& shape,
                                                               uint32_t elements, uint32_t type_size) {
    const Gradient gradient = GradientOf(call, shape, type_size, true);
    Divide(call, gradient.rows, gradient.columns, gradient.need, elements * type_size);
    AscendC::tiling::LayerNormGradBetaTiling t;
    t.stackBufferSize = elements;
    t.bLength = U32(shape[0]), t.sLength = U32(shape[1]), t.hLength = t.originalHLength = gradient.columns;
    t.bsLength = t.bsCurLength = gradient.rows, t.bshLength = t.bshCurLength = gradient.rows * gradient.columns;
    t.numberOfTmpBuf = 4, t.oneCalSize = gradient.columns, t.loopRound = 1;
    return t;
}

}  // namespace sfumato::tiling
