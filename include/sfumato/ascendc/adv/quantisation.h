// SPDX-License-Identifier: Apache-2.0
// AscendQuant, AscendDequant, AscendAntiQuant (adv.md 8).
#pragma once

#include "sfumato/ascendc/adv/call.h"

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
    static Quantum One(T value) {
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

template <class T>
inline constexpr bool kQuantisable = std::is_same_v<T, half> || std::is_same_v<T, float>;
template <class D, class S, bool vector>
void RequireDequant([[maybe_unused]] Where where) {
    constexpr bool half_words = vector && std::is_same_v<D, half> && std::is_same_v<S, uint64_t>;
    constexpr bool wide = (std::is_same_v<D, float> || std::is_same_v<D, bfloat16_t>)&&(std::is_same_v<S, float> ||
                                                                                        std::is_same_v<S, bfloat16_t>);
    SFUMATO_TYPES(D, "AscendDequant: half takes a tensor of uint64_t, float and bfloat16_t take float or bfloat16_t",
                  half_words || wide);
}

}  // namespace sfumato::ascendc

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

// dst = src * scale + offset, in half, to the nearest int8_t. A scale of its own for each of scaleCount elements, again
// and again; without counts of all elements of the tensors.
#define SFUMATO_QUANT(Tmp, tmp, Scale, Offset, scale_quantum, offset_quantum, Counts, scale_count, offset_count,     \
                      count)                                                                                         \
    template <class T, bool isReuseSource = false, AscendQuantConfig config = ASCEND_QUANT_DEFAULT_CFG>              \
    void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, SFUMATO_ONLY Tmp Scale scale,        \
                     Offset offset, SFUMATO_ONLY Counts SFUMATO_AT) {                                                \
        SFUMATO_TYPES(T, "AscendQuant: the source is of half or float", sfumato_::kQuantisable<T>);                  \
        sfumato_::Quantise({sfumato_::Operand(dst), sfumato_::Operand(src), sfumato_::Quantum::scale_quantum(scale), \
                            sfumato_::Quantum::offset_quantum(offset), tmp, scale_count, offset_count, count, where, \
                            isReuseSource});                                                                         \
    }
#define SFUMATO_QUANT_COUNTS (const uint32_t scaleCount, const uint32_t calCount, )
#define SFUMATO_QUANT_ALL_COUNTS (const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount, )
SFUMATO_LENT(SFUMATO_QUANT, const float, const float, One, One, (const uint32_t calCount, ), -1, -1, calCount)
SFUMATO_LENT(SFUMATO_QUANT, const float, const float, One, One, (), -1, -1, -1)
SFUMATO_LENT(SFUMATO_QUANT, const LocalTensor<T>&, const std::type_identity_t<T>, Of, One, SFUMATO_QUANT_COUNTS,
             scaleCount, -1, calCount)
SFUMATO_LENT(SFUMATO_QUANT, const LocalTensor<T>&, const std::type_identity_t<T>, Of, One, (), -1, -1, -1)
SFUMATO_LENT(SFUMATO_QUANT, const LocalTensor<T>&, const LocalTensor<T>&, Of, Of, SFUMATO_QUANT_ALL_COUNTS, scaleCount,
             offsetCount, calCount)
SFUMATO_LENT(SFUMATO_QUANT, const LocalTensor<T>&, const LocalTensor<T>&, Of, Of, (), -1, -1, -1)
#undef SFUMATO_QUANT_COUNTS
#undef SFUMATO_QUANT_ALL_COUNTS
#undef SFUMATO_QUANT

enum class DeQuantMode : int32_t { DEQUANT_WITH_SINGLE_ROW = 0, DEQUANT_WITH_MULTI_ROW = 1 };

// m rows of n elements, of which the first calCount take part.
struct DequantParams {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
};

// dst(r, i) = src(r, i) * deqScale(i) in float, rounded once. Old forms: one row of calCount elements, or of all.
#define SFUMATO_DEQUANT_FORM(Scale, quantum, vector, Parameters, tmp, m, n, count)                       \
    template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>         \
    void AscendDequant(const LocalTensor<dstT>& dst, const LocalTensor<int32_t>& src, Scale deqScale,    \
                       SFUMATO_ONLY Parameters SFUMATO_AT) {                                             \
        sfumato_::RequireDequant<dstT, scaleT, vector>(where);                                           \
        sfumato_::Dequantise({sfumato_::Operand(dst), sfumato_::Operand(src), quantum, tmp, m, n, count, \
                              mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW, where});                     \
    }
#define SFUMATO_DEQUANT(Tmp, tmp, Scale, quantum, vector, least)                                                     \
    SFUMATO_DEQUANT_FORM(Scale, quantum, vector, (SFUMATO_ONLY Tmp DequantParams params, ), tmp, params.m, params.n, \
                         params.calCount)                                                                            \
    SFUMATO_DEQUANT_FORM(Scale, quantum, vector, (SFUMATO_ONLY Tmp const uint32_t calCount, ), tmp, 1, calCount,     \
                         least(calCount))                                                                            \
    SFUMATO_DEQUANT_FORM(Scale, quantum, vector, (SFUMATO_ONLY Tmp), tmp, 1, src.GetSize(), least(src.GetSize()))
#define SFUMATO_FEWER(n) (deqScale.GetSize() < (n) ? deqScale.GetSize() : (n))
#define SFUMATO_ALL(n) (n)
SFUMATO_LENT(SFUMATO_DEQUANT, const LocalTensor<scaleT>&, sfumato_::Quantum::Of(deqScale), true, SFUMATO_FEWER)
SFUMATO_LENT(SFUMATO_DEQUANT, const scaleT, sfumato_::Quantum::One(deqScale), false, SFUMATO_ALL)
#undef SFUMATO_DEQUANT
#undef SFUMATO_DEQUANT_FORM
#undef SFUMATO_FEWER
#undef SFUMATO_ALL

// Shapes of offset and scale; all 0: from the tensors' SetShapeInfo.
struct AntiQuantShapeInfo {
    uint32_t offsetHeight{0};
    uint32_t offsetWidth{0};
    uint32_t scaleHeight{0};
    uint32_t scaleWidth{0};
};

}  // namespace AscendC

namespace sfumato::ascendc {

template <class InT, class OutT>
AntiQuantCall AntiQuant(const AscendC::LocalTensor<OutT>& dst, const AscendC::LocalTensor<InT>& src, const Lent& tmp,
                        uint32_t k, bool transposed, const AscendC::AntiQuantShapeInfo& shape, Where where) {
    SFUMATO_TYPES(InT, "AscendAntiQuant: the source is of int8_t or int4b_t",
                  std::is_same_v<InT, int8_t> || std::is_same_v<InT, int4b_t>);
    SFUMATO_TYPES(OutT, "AscendAntiQuant: the destination is of half or bfloat16_t",
                  std::is_same_v<OutT, half> || std::is_same_v<OutT, bfloat16_t>);
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
    return call;
}
// The shape of a tensor of scales or offsets, where the struct says none.
template <class T>
void ShapeFrom(const AscendC::LocalTensor<T>& tensor, uint32_t* height, uint32_t* width, Where where) {
    if (*height != 0 || *width != 0) return;
    const AscendC::ShapeInfo info = tensor.GetShapeInfo(where);
    *height = info.shapeDim > 1 ? info.shape[0] : 1;
    *width = info.shapeDim > 1 ? info.shape[1] : info.shape[0];
}

}  // namespace sfumato::ascendc

namespace AscendC {

// dst = scale * (src + offset), K rows of N elements (isTranspose: N rows of K). A row of scale and offset
// (isTranspose: a column) for each group of k / height along K, or one number for all.
template <class InT, class OutT, bool isTranspose>
void AscendAntiQuant(const LocalTensor<OutT>& dst, const LocalTensor<InT>& src, const LocalTensor<OutT>& offset,
                     const LocalTensor<OutT>& scale, const sfumato_::Lent& sharedTmpBuffer, const uint32_t k,
                     const AntiQuantShapeInfo& shapeInfo = {}, SFUMATO_AT) {
    auto call = sfumato_::AntiQuant(dst, src, sharedTmpBuffer, k, isTranspose, shapeInfo, where);
    call.scale = sfumato_::Quantum::Of(scale);
    call.offset = sfumato_::Quantum::Of(offset);
    sfumato_::ShapeFrom(scale, &call.scale_height, &call.scale_width, where);
    sfumato_::ShapeFrom(offset, &call.offset_height, &call.offset_width, where);
    sfumato_::AntiQuantise(call);
}
template <class InT, class OutT, bool isTranspose>
void AscendAntiQuant(const LocalTensor<OutT>& dst, const LocalTensor<InT>& src, const LocalTensor<OutT>& scale,
                     const sfumato_::Lent& sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {},
                     SFUMATO_AT) {
    auto call = sfumato_::AntiQuant(dst, src, sharedTmpBuffer, k, isTranspose, shapeInfo, where);
    call.scale = sfumato_::Quantum::Of(scale);
    sfumato_::ShapeFrom(scale, &call.scale_height, &call.scale_width, where);
    sfumato_::AntiQuantise(call);
}
template <class InT, class OutT, bool isTranspose>
void AscendAntiQuant(const LocalTensor<OutT>& dst, const LocalTensor<InT>& src, const std::type_identity_t<OutT> offset,
                     const std::type_identity_t<OutT> scale, const sfumato_::Lent& sharedTmpBuffer, const uint32_t k,
                     const AntiQuantShapeInfo& shapeInfo = {}, SFUMATO_AT) {
    auto call = sfumato_::AntiQuant(dst, src, sharedTmpBuffer, k, isTranspose, shapeInfo, where);
    call.scale = sfumato_::Quantum::One(scale);
    call.offset = sfumato_::Quantum::One(offset);
    sfumato_::AntiQuantise(call);
}
template <class InT, class OutT, bool isTranspose>
void AscendAntiQuant(const LocalTensor<OutT>& dst, const LocalTensor<InT>& src, const std::type_identity_t<OutT> scale,
                     const sfumato_::Lent& sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {},
                     SFUMATO_AT) {
    auto call = sfumato_::AntiQuant(dst, src, sharedTmpBuffer, k, isTranspose, shapeInfo, where);
    call.scale = sfumato_::Quantum::One(scale);
    sfumato_::AntiQuantise(call);
}
// Without a buffer, from what InitBuffer left.
template <class InT, class OutT, bool isTranspose, class Scale>
requires(!std::is_same_v<Scale, LocalTensor<uint8_t>>) void AscendAntiQuant(
    const LocalTensor<OutT>& dst, const LocalTensor<InT>& src, const Scale& offset, const Scale& scale,
    const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}, SFUMATO_AT) {
    AscendAntiQuant<InT, OutT, isTranspose>(dst, src, offset, scale, sfumato_::Lent{}, k, shapeInfo, where);
}
template <class InT, class OutT, bool isTranspose, class Scale>
void AscendAntiQuant(const LocalTensor<OutT>& dst, const LocalTensor<InT>& src, const Scale& scale, const uint32_t k,
                     const AntiQuantShapeInfo& shapeInfo = {}, SFUMATO_AT) {
    AscendAntiQuant<InT, OutT, isTranspose>(dst, src, scale, sfumato_::Lent{}, k, shapeInfo, where);
}

}  // namespace AscendC
