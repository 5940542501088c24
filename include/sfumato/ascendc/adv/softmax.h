// SPDX-License-Identifier: Apache-2.0
// The softmax family (adv.md 4.1 and 4.2): templates that check types and hand a plain struct to the library.
#pragma once

#include <type_traits>

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
    SFUMATO_TYPES(D, "softmax: data are half or float", std::is_same_v<D, half> || std::is_same_v<D, float>);
    SFUMATO_TYPES(U, "softmax: sum and maximum have the type of the data, or float with half data",
                  std::is_same_v<U, D> || std::is_same_v<U, float>);
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

template <class D, class U, class E>
void SoftmaxFlashRows(SoftmaxCall call, bool update, const AscendC::LocalTensor<U>& sum,
                      const AscendC::LocalTensor<U>& max, const AscendC::LocalTensor<E>& exp_max,
                      const AscendC::LocalTensor<U>& in_sum, const AscendC::LocalTensor<U>& in_max) {
    [[maybe_unused]] const Where where = call.where;
    RequireSoftmaxTypes<D, U>(where);
    SFUMATO_TYPES(E, "softmax: expMax has the type of the data, or of sum",
                  std::is_same_v<E, D> || std::is_same_v<E, U>);
    call.update = update;
    call.sum = Operand(sum);
    call.max = Operand(max);
    call.exp_max = Operand(exp_max);
    call.in_sum = Operand(in_sum);
    call.in_max = Operand(in_max);
    SoftmaxRows(call);
}

}  // namespace sfumato::ascendc

namespace AscendC {

#define SFUMATO_SOFTMAX(Tmp, tmp)                                                                                   \
    template <class T = void, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,   \
              SoftmaxConfig config = SOFTMAX_DEFAULT_CFG, class D, class U>                                         \
    void SoftMax(const LocalTensor<D>& dstTensor, const LocalTensor<U>& sumTensor, const LocalTensor<U>& maxTensor, \
                 const LocalTensor<D>& srcTensor, SFUMATO_ONLY Tmp const SoftMaxTiling& tiling,                     \
                 const SoftMaxShapeInfo& softmaxShapeInfo = {}, SFUMATO_AT) {                                       \
        sfumato_::RequireSoftmaxTypes<D, U>(where);                                                                 \
        auto call =                                                                                                 \
            sfumato_::SoftmaxOf<isReuseSource>(sfumato_::SoftmaxKind::kSoftMax, dstTensor, srcTensor, tmp, tiling,  \
                                               softmaxShapeInfo, config, isBasicBlock, isDataFormatNZ, where);      \
        call.sum = sfumato_::Operand(sumTensor);                                                                    \
        call.max = sfumato_::Operand(maxTensor);                                                                    \
        sfumato_::SoftmaxRows(call);                                                                                \
    }                                                                                                               \
    template <class T = void, bool isReuseSource = false, bool isBasicBlock = false,                                \
              SoftmaxConfig config = SOFTMAX_DEFAULT_CFG, class D>                                                  \
    void SoftMax(const LocalTensor<D>& dstTensor, const LocalTensor<D>& srcTensor,                                  \
                 SFUMATO_ONLY Tmp const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {},       \
                 SFUMATO_AT) {                                                                                      \
        sfumato_::RequireSoftmaxTypes<D, D>(where);                                                                 \
        sfumato_::SoftmaxRows(sfumato_::SoftmaxOf<isReuseSource>(sfumato_::SoftmaxKind::kSoftMax, dstTensor,        \
                                                                 srcTensor, tmp, tiling, softmaxShapeInfo, config,  \
                                                                 isBasicBlock, false, where));                      \
    }                                                                                                               \
    template <class T = void, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,   \
              SoftmaxConfig config = SOFTMAX_DEFAULT_CFG, class D, class U>                                         \
    void SimpleSoftMax(const LocalTensor<D>& dstTensor, const LocalTensor<U>& inSumTensor,                          \
                       const LocalTensor<U>& inMaxTensor, const LocalTensor<D>& srcTensor,                          \
                       SFUMATO_ONLY Tmp const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}, \
                       SFUMATO_AT) {                                                                                \
        sfumato_::RequireSoftmaxTypes<D, U>(where);                                                                 \
        auto call =                                                                                                 \
            sfumato_::SoftmaxOf<isReuseSource>(sfumato_::SoftmaxKind::kSimple, dstTensor, srcTensor, tmp, tiling,   \
                                               softmaxShapeInfo, config, isBasicBlock, isDataFormatNZ, where);      \
        call.in_sum = sfumato_::Operand(inSumTensor);                                                               \
        call.in_max = sfumato_::Operand(inMaxTensor);                                                               \
        sfumato_::SoftmaxRows(call);                                                                                \
    }
SFUMATO_LENT(SFUMATO_SOFTMAX)
#undef SFUMATO_SOFTMAX

// The flash calls. expMax has the type of the data, or of the sums.
#define SFUMATO_SOFTMAX_FLASH(Tmp, tmp)                                                                            \
    template <class T = void, bool isReuseSource = false, bool isBasicBlock = false, class D, class U, class E>    \
    void SoftmaxFlash(const LocalTensor<D>& dstTensor, const LocalTensor<U>& sumTensor,                            \
                      const LocalTensor<U>& maxTensor, const LocalTensor<D>& srcTensor,                            \
                      const LocalTensor<E>& expMaxTensor, const LocalTensor<U>& inSumTensor,                       \
                      const LocalTensor<U>& inMaxTensor, SFUMATO_ONLY Tmp const SoftMaxTiling& tiling,             \
                      bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}, SFUMATO_AT) {          \
        sfumato_::SoftmaxFlashRows<D>(                                                                             \
            sfumato_::SoftmaxOf<isReuseSource>(sfumato_::SoftmaxKind::kFlash, dstTensor, srcTensor, tmp, tiling,   \
                                               softmaxShapeInfo, SOFTMAX_DEFAULT_CFG, isBasicBlock, false, where), \
            isUpdate, sumTensor, maxTensor, expMaxTensor, inSumTensor, inMaxTensor);                               \
    }                                                                                                              \
    template <class T = void, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,        \
              bool isDataFormatNZ = false, SoftmaxConfig config = SOFTMAX_DEFAULT_CFG, class D, class U, class E>  \
    void SoftmaxFlashV2(const LocalTensor<D>& dstTensor, const LocalTensor<U>& expSumTensor,                       \
                        const LocalTensor<U>& maxTensor, const LocalTensor<D>& srcTensor,                          \
                        const LocalTensor<E>& expMaxTensor, const LocalTensor<U>& inExpSumTensor,                  \
                        const LocalTensor<U>& inMaxTensor, SFUMATO_ONLY Tmp const SoftMaxTiling& tiling,           \
                        const SoftMaxShapeInfo& softmaxShapeInfo = {}, SFUMATO_AT) {                               \
        sfumato_::SoftmaxFlashRows<D>(                                                                             \
            sfumato_::SoftmaxOf<isReuseSource>(sfumato_::SoftmaxKind::kFlashV2, dstTensor, srcTensor, tmp, tiling, \
                                               softmaxShapeInfo, config, isBasicBlock, isDataFormatNZ, where),     \
            isUpdate, expSumTensor, maxTensor, expMaxTensor, inExpSumTensor, inMaxTensor);                         \
    }                                                                                                              \
    template <class T = void, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,        \
              bool isDataFormatNZ = false, SoftmaxConfig config = SOFTMAX_DEFAULT_CFG, class D, class U, class E>  \
    void SoftmaxFlashV2(                                                                                           \
        const LocalTensor<D>& dstTensor, const LocalTensor<U>& outReduceMax, const LocalTensor<U>& expSumTensor,   \
        const LocalTensor<U>& maxTensor, const LocalTensor<D>& srcTensor, const LocalTensor<E>& expMaxTensor,      \
        const LocalTensor<U>& inExpSumTensor, const LocalTensor<U>& inMaxTensor,                                   \
        SFUMATO_ONLY Tmp const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}, SFUMATO_AT) { \
        auto call =                                                                                                \
            sfumato_::SoftmaxOf<isReuseSource>(sfumato_::SoftmaxKind::kFlashV2, dstTensor, srcTensor, tmp, tiling, \
                                               softmaxShapeInfo, config, isBasicBlock, isDataFormatNZ, where);     \
        call.reduce_max = sfumato_::Operand(outReduceMax);                                                         \
        sfumato_::SoftmaxFlashRows<D>(call, isUpdate, expSumTensor, maxTensor, expMaxTensor, inExpSumTensor,       \
                                      inMaxTensor);                                                                \
    }
SFUMATO_LENT(SFUMATO_SOFTMAX_FLASH)
#undef SFUMATO_SOFTMAX_FLASH

#define SFUMATO_SOFTMAX_GRAD(Tmp, tmp)                                                                               \
    template <class T, bool isBasicBlock = false, bool isDataFormatNZ = false>                                       \
    void SoftmaxGradFront(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,                         \
                          const LocalTensor<T>& srcTensor, SFUMATO_ONLY Tmp const SoftMaxTiling& tiling,             \
                          const SoftMaxShapeInfo& softmaxShapeInfo = {}, SFUMATO_AT) {                               \
        sfumato_::RequireSoftmaxTypes<T, T>(where);                                                                  \
        auto call =                                                                                                  \
            sfumato_::SoftmaxOf<false>(sfumato_::SoftmaxKind::kGradFront, dstTensor, srcTensor, tmp, tiling,         \
                                       softmaxShapeInfo, SOFTMAX_DEFAULT_CFG, isBasicBlock, isDataFormatNZ, where);  \
        call.grad = sfumato_::Operand(gradTensor);                                                                   \
        sfumato_::SoftmaxRows(call);                                                                                 \
    }                                                                                                                \
    template <class T, bool isReuseSource = false, bool isDataFormatNZ = false>                                      \
    void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,                              \
                     const LocalTensor<T>& srcTensor, SFUMATO_ONLY Tmp const SoftMaxTiling& tiling,                  \
                     bool isFront = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}, SFUMATO_AT) {              \
        using enum sfumato_::SoftmaxKind;                                                                            \
        sfumato_::RequireSoftmaxTypes<T, T>(where);                                                                  \
        auto call =                                                                                                  \
            sfumato_::SoftmaxOf<isReuseSource>(isFront ? kGradFront : kGrad, dstTensor, srcTensor, tmp, tiling,      \
                                               softmaxShapeInfo, SOFTMAX_DEFAULT_CFG, false, isDataFormatNZ, where); \
        call.grad = sfumato_::Operand(gradTensor);                                                                   \
        sfumato_::SoftmaxRows(call);                                                                                 \
    }
SFUMATO_LENT(SFUMATO_SOFTMAX_GRAD)
#undef SFUMATO_SOFTMAX_GRAD

// from: the bits of a value of maxTensor, of half the low 16.
template <class T1, class T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes, const LocalTensor<T2>& maxTensor, const uint32_t from,
                      const std::type_identity_t<T1>& to, const SoftMaxShapeInfo& softmaxShapeInfo, SFUMATO_AT) {
    sfumato_::RequireSoftmaxTypes<T1, T2>(where);
    return sfumato_::AdjustRows({sfumato_::Operand(softMaxRes), sfumato_::Operand(maxTensor), from,
                                 sfumato_::ToBits(to), softmaxShapeInfo, isDataFormatNZ, stepSizeMode != 0, where});
}

}  // namespace AscendC
