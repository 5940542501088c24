// SPDX-License-Identifier: Apache-2.0
// AscendQuant, AscendDequant, AscendAntiQuant (adv.md 8): what their calls (calls/quantisation.txt) are made of.
#pragma once

#include "sfumato/ascendc/adv/call.h"

namespace AscendC {

// Names of later chips' policies.
enum class AscendQuantPolicy : int32_t { PER_TENSOR, PER_CHANNEL, PER_TOKEN, PER_GROUP };

struct AscendQuantConfig {
    constexpr AscendQuantConfig(uint32_t cal_count = 0, uint32_t offset_count = 0, uint32_t scale_count = 0,
                                uint32_t work_local_size = 0)
        : calcCount(cal_count), offsetCount(offset_count), scaleCount(scale_count), workLocalSize(work_local_size) {}
    uint32_t calcCount, offsetCount, scaleCount, workLocalSize;
};
inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG{0, 0, 0, 0};

enum class DeQuantMode : int32_t { DEQUANT_WITH_SINGLE_ROW = 0, DEQUANT_WITH_MULTI_ROW = 1 };

// m rows of n elements, of which the first calCount take part.
struct DequantParams {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
};

// Shapes of offset and scale; all 0: from the tensors' SetShapeInfo.
struct AntiQuantShapeInfo {
    uint32_t offsetHeight{0};
    uint32_t offsetWidth{0};
    uint32_t scaleHeight{0};
    uint32_t scaleWidth{0};
};

}  // namespace AscendC

namespace sfumato::ascendc {

// A scale or an offset: a tensor, or one number.
struct Quantum {
    VectorOperand tensor;  // tensor.tensor: null for a number
    float number = 0;
    bool given = true;
    template <class T>
    static Quantum Of(const AscendC::LocalTensor<T>& values) {
        return {Operand(values)};
    }
    template <class T>
    static Quantum Of(T value) {
        return {{.type = kTypeOf<T>}, static_cast<float>(value)};
    }
};

struct QuantCall {
    VectorOperand dst, src;
    Quantum scale, offset;
    Lent tmp;
    int64_t scale_count = -1, offset_count = -1, count = -1;  // -1: all of the tensor
    Where where;
    bool reuses = false;  // isReuseSource: src may be overwritten
};
SFUMATO_API void Quantise(const QuantCall& call);

struct DequantCall {
    VectorOperand dst, src;
    Quantum scale;
    Lent tmp;
    uint32_t m = 1, n = 0, count = 0;
    bool single_row = true;  // DEQUANT_WITH_SINGLE_ROW
    Where where;
};
SFUMATO_API void Dequantise(const DequantCall& call);

struct AntiQuantCall {
    VectorOperand dst, src;
    Quantum scale, offset;  // offset.given: false without
    Lent tmp;
    uint32_t k = 0;
    bool transposed = false;
    uint32_t scale_height = 0, scale_width = 0, offset_height = 0, offset_width = 0;
    Where where;
};
SFUMATO_API void AntiQuantise(const AntiQuantCall& call);

template <class D, class S, bool vector>
void RequireDequant([[maybe_unused]] Where where) {
    constexpr bool half_words = vector && std::is_same_v<D, half> && std::is_same_v<S, uint64_t>;
    constexpr bool wide = kOneOf<D, float, bfloat16_t> && kOneOf<S, float, bfloat16_t>;
    SFUMATO_TYPES(D, "AscendDequant: half takes a tensor of uint64_t, float and bfloat16_t take float or bfloat16_t",
                  half_words || wide);
}

// The elements of a row that take part: at most one for each scale of a tensor.
template <class T>
uint32_t Least(const AscendC::LocalTensor<T>& scale, uint32_t count) {
    return scale.GetSize() < count ? scale.GetSize() : count;
}
template <class T>
uint32_t Least(T, uint32_t count) {
    return count;
}

// The shape of a tensor of scales or offsets, where the struct says none.
template <class T>
void ShapeFrom(const AscendC::LocalTensor<T>& tensor, uint32_t* height, uint32_t* width, Where where) {
    if (*height != 0 || *width != 0) return;
    const AscendC::ShapeInfo info = tensor.GetShapeInfo(where);
    *height = info.shapeDim > 1 ? info.shape[0] : 1;
    *width = info.shapeDim > 1 ? info.shape[1] : info.shape[0];
}
template <class T>
void ShapeFrom(T, uint32_t*, uint32_t*, Where) {}

template <class InT, class OutT, class Scale>
AntiQuantCall AntiQuant(const AscendC::LocalTensor<OutT>& dst, const AscendC::LocalTensor<InT>& src, const Scale& scale,
                        const Lent& tmp, uint32_t k, bool transposed, const AscendC::AntiQuantShapeInfo& shape,
                        Where where) {
    SFUMATO_TYPES(InT, "AscendAntiQuant: the source is of int8_t or int4b_t", kOneOf<InT, int8_t, int4b_t>);
    SFUMATO_TYPES(OutT, "AscendAntiQuant: the destination is of half or bfloat16_t", kOneOf<OutT, half, bfloat16_t>);
    AntiQuantCall call;
    call.dst = Operand(dst);
    call.src = Operand(src);
    call.tmp = tmp;
    call.k = k;
    call.transposed = transposed;
    call.offset.given = false;
    call.offset_height = shape.offsetHeight, call.offset_width = shape.offsetWidth;
    call.scale_height = shape.scaleHeight, call.scale_width = shape.scaleWidth;
    call.where = where;
    call.scale = Quantum::Of(scale);
    ShapeFrom(scale, &call.scale_height, &call.scale_width, where);
    return call;
}

}  // namespace sfumato::ascendc

#include "sfumato/ascendc/calls/quantisation.h"
