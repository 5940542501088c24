// SPDX-License-Identifier: Apache-2.0
// Tiling functions of the variants of LayerNorm and its gradients: the plans of src/tiling, whose errors are said.
#include "sfumato/host/vector_tiling.h"

#include "host/said.h"

namespace AscendC {

using sfumato::host::SizesOrZero;
using sfumato::host::Tried;
using namespace sfumato::tiling;

bool GetDeepNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, const bool,
                              uint32_t& maxValue, uint32_t& minValue) {
    return SizesOrZero(maxValue, minValue,
                       [&] { return NormTmp("GetDeepNormMaxMinTmpSize", srcShape.GetDims(), typeSize, false); });
}
bool GetDeepNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape, const uint32_t stackBufferSize,
                           const uint32_t typeSize, const bool, const bool, tiling::DeepNormTiling& tiling) {
    return Tried([&] {
               tiling = PlanDeepNorm("GetDeepNormTilingInfo", srcShape.GetDims(), originSrcShape.GetDims(),
                                     stackBufferSize, typeSize);
           }) == 0;
}

void GetNormalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const uint32_t typeSizeT, const bool,
                               const bool, const bool, uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue,
                [&] { return NormTmp("GetNormalizeMaxMinTmpSize", srcShape.GetDims(), typeSizeT, false); });
}

void GetGroupNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, const uint32_t groupNum,
                               uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue,
                [&] { return GroupNormTmp("GetGroupNormMaxMinTmpSize", srcShape.GetDims(), groupNum, typeSize); });
}
void GetGroupNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool, const uint32_t groupNum, tiling::GroupNormTiling& tiling) {
    Tried([&] {
        tiling = PlanGroupNorm("GetGroupNormNDTilingInfo", srcShape.GetDims(), groupNum, stackBufferSize, typeSize);
    });
}

bool GetBatchNormMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape&, const uint32_t typeSize, const bool,
                               uint32_t& maxValue, uint32_t& minValue, const bool) {
    return SizesOrZero(maxValue, minValue, [&] {
        constexpr const char* kCall = "GetBatchNormMaxMinTmpSize";
        return BatchNormTmp(kCall, srcShape.GetDims(), typeSize);
    });
}
bool GetBatchNormNDTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool,
                              tiling::BatchNormTiling& tilling, const bool) {
    return Tried([&] {
               tilling = PlanBatchNorm("GetBatchNormNDTilingInfo", srcShape.GetDims(), originSrcShape.GetDims(),
                                       stackBufferByteSize, typeSize);
           }) == 0;
}

void GetLayerNormGradMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                   uint32_t& minValue) {
    SizesOrZero(maxValue, minValue,
                [&] { return NormGradientTmp("GetLayerNormGradMaxMinTmpSize", srcShape.GetDims(), typeSize, false); });
}
void GetLayerNormGradNDTilingInfo(const ge::Shape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                                  const bool, tiling::LayerNormGradTiling& tiling) {
    Tried([&] {
        tiling = PlanLayerNormGrad("GetLayerNormGradNDTilingInfo", srcShape.GetDims(), stackBufferSize, typeSize);
    });
}
void GetLayerNormGradBetaMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool,
                                       uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] {
        return NormGradientTmp("GetLayerNormGradBetaMaxMinTmpSize", srcShape.GetDims(), typeSize, true);
    });
}
void GetLayerNormGradBetaNDTilingInfo(const ge::Shape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                                      const bool, tiling::LayerNormGradBetaTiling& tiling) {
    Tried([&] {
        tiling =
            PlanLayerNormGradBeta("GetLayerNormGradBetaNDTilingInfo", srcShape.GetDims(), stackBufferSize, typeSize);
    });
}

}  // namespace AscendC
