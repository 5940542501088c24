// SPDX-License-Identifier: Apache-2.0
// The softmax family (adv.md 4.1 and 4.2): what its calls (calls/softmax.txt) hand to the library.
#pragma once

#include "sfumato/ascendc/adv/call.h"
#include "sfumato/tiling/softmax_tiling.h"

namespace AscendC {

enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
    bool isCheckTiling = true;
    uint32_t oriSrcM = 0, oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};

}  // namespace AscendC

namespace sfumato::ascendc {

enum class SoftmaxKind : uint8_t { kSoftMax, kSimple, kFlash, kFlashV2, kGradFront, kGrad, kLogSoftMax };

// Rows of columns; sides are tensors of a block a row, or of an element a row when `compact`. Null tensors: not there.
struct SoftmaxCall {
    SoftmaxKind kind = SoftmaxKind::kSoftMax;
    VectorOperand dst, src, grad;
    VectorOperand sum, max, exp_max, in_sum, in_max, reduce_max;
    Lent tmp;
    AscendC::SoftMaxShapeInfo shape;
    bool update = false, basic_block = false, nz = false, compact = false;
    bool reuses = false;  // isReuseSource: src may be overwritten
    Where where;
};
SFUMATO_API void SoftmaxRows(const SoftmaxCall& call);
// `to` in all columns of the rows whose maximum has the bits `from`; whether there was one.
struct AdjustCall {
    VectorOperand res, max;
    uint32_t from = 0;
    uint64_t to = 0;  // bits of an element of res
    AscendC::SoftMaxShapeInfo shape;
    bool nz = false, compact = false;
    Where where;
};
SFUMATO_API bool AdjustRows(const AdjustCall& call);

template <class D, class U>
void RequireSoftmaxTypes([[maybe_unused]] Where where) {
    SFUMATO_TYPES(D, "softmax: data are half or float", kOneOf<D, half, float>);
    SFUMATO_TYPES(U, "softmax: sum and maximum have the type of the data, or float with half data",
                  kOneOf<U, D, float>);
}
template <class D, class U, class E>
void RequireFlashTypes([[maybe_unused]] Where where) {
    RequireSoftmaxTypes<D, U>(where);
    SFUMATO_TYPES(E, "softmax: expMax has the type of the data, or of sum", kOneOf<E, D, U>);
}

// The shape: what the call was given, else that of the tiling; sizes before padding of the configuration, if any.
inline AscendC::SoftMaxShapeInfo SoftmaxShape(AscendC::SoftMaxShapeInfo shape, const AscendC::SoftMaxTiling& tiling,
                                              const AscendC::SoftmaxConfig& config) {
    if (shape.srcK == 0) shape = {tiling.srcM, tiling.srcK, tiling.srcM, tiling.srcK};
    if (shape.oriSrcM == 0) shape.oriSrcM = shape.srcM;
    if (shape.oriSrcK == 0) shape.oriSrcK = shape.srcK;
    if (config.oriSrcM != 0) shape.oriSrcM = config.oriSrcM;
    if (config.oriSrcK != 0) shape.oriSrcK = config.oriSrcK;
    return shape;
}

template <bool reuses, class D>
SoftmaxCall SoftmaxOf(SoftmaxKind kind, const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<D>& src,
                      const Lent& tmp, const AscendC::SoftMaxTiling& tiling, const AscendC::SoftMaxShapeInfo& shape,
                      const AscendC::SoftmaxConfig& config, bool basic_block, bool nz, Where where) {
    SoftmaxCall call;
    call.kind = kind;
    call.dst = Operand(dst);
    call.src = Operand(src);
    call.tmp = tmp;
    call.shape = SoftmaxShape(shape, tiling, config);
    call.basic_block = basic_block;
    call.nz = nz;
    call.reuses = reuses;
    call.compact = config.mode == AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC;
    call.where = where;
    return call;
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/softmax.h"
