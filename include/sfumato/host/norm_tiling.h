// SPDX-License-Identifier: Apache-2.0
// Tiling functions of the variants of LayerNorm, and of its gradients, for host programs (adv.md 7). What they refuse,
// they say as those of sfumato/host/vector_tiling.h do. isReuseSource and isBasicBlock change nothing.
#pragma once

#include <cstdint>

#include "sfumato/host/shape.h"
#include "sfumato/tiling/vector_tiling.h"

namespace AscendC {

// DeepNorm: B, S, H as it lies in memory, and before padding.
SFUMATO_API bool GetDeepNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                          const bool isBasicBlock, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API bool GetDeepNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                       const uint32_t stackBufferSize, const uint32_t typeSize,
                                       const bool isReuseSource, const bool isBasicBlock,
                                       tiling::DeepNormTiling& tiling);
// Normalize: A, R.
SFUMATO_API void GetNormalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSizeU,
                                           const uint32_t typeSizeT, const bool isReuseSource, const bool isComputeRstd,
                                           const bool isOnlyOutput, uint32_t& maxValue, uint32_t& minValue);
// GroupNorm: N, C, H, W.
SFUMATO_API void GetGroupNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                           const uint32_t groupNum, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetGroupNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                          const uint32_t typeSize, const bool isReuseSource, const uint32_t groupNum,
                                          tiling::GroupNormTiling& tiling);
// BatchNorm: B, S, H in memory, and before padding.
SFUMATO_API bool GetBatchNormMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                           const uint32_t typeSize, const bool isReuseSource, uint32_t& maxValue,
                                           uint32_t& minValue, const bool isBasicBlock = false);
SFUMATO_API bool GetBatchNormNDTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                          const uint32_t stackBufferByteSize, const uint32_t typeSize,
                                          const bool isReuseSource, tiling::BatchNormTiling& tilling,
                                          const bool isBasicBlock = false);
// The gradients of LayerNorm: B, S, H, and H before padding, which is the same. stackBufferSize: elements, not bytes.
SFUMATO_API void GetLayerNormGradMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                               const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetLayerNormGradNDTilingInfo(const ge::Shape srcShape, const uint32_t stackBufferSize,
                                              const uint32_t typeSize, const bool isReuseSource,
                                              tiling::LayerNormGradTiling& tiling);
SFUMATO_API void GetLayerNormGradBetaMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                                   const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetLayerNormGradBetaNDTilingInfo(const ge::Shape srcShape, const uint32_t stackBufferSize,
                                                  const uint32_t typeSize, const bool isReuseSource,
                                                  tiling::LayerNormGradBetaTiling& tiling);

}  // namespace AscendC
