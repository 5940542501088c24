// SPDX-License-Identifier: Apache-2.0
// Tiling functions of the vector calls for host programs (adv.md 1.3, 4.1, 7, 9, 10). What they refuse, they say as the
// classes of Matmul do (sfumato/host/matmul_tiling.h): sizes are 0 then, tilings untouched, bool results false.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sfumato/host/norm_tiling.h"
#include "sfumato/host/platform.h"
#include "sfumato/host/shape.h"
#include "sfumato/tiling/reduce_pattern.h"
#include "sfumato/tiling/topk_mode.h"
#include "sfumato/tiling/vector_tiling.h"

namespace sfumato {
namespace host {

// Of an elementwise call, by the name of tmp_sizes.inc.
SFUMATO_API void ElementwiseTmpSize(const char* name, const char* call, const ge::Shape& shape, uint32_t type_size,
                                    uint32_t& max, uint32_t& min);
SFUMATO_API void ElementwiseTmpFactor(const char* name, const char* call, uint32_t type_size, uint32_t& live,
                                      uint32_t& extra);

}  // namespace host
}  // namespace sfumato

namespace AscendC {

using platform_ascendc::PlatformAscendC;

// GetXxxMaxMinTmpSize, with and without isReuseSource, which changes nothing; GetXxxTmpBufferFactorSize.
#define SFUMATO_TMP_SIZE(Name, half, single, extra)                                                                    \
    inline void Get##Name##MaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue,       \
                                         uint32_t& minValue) {                                                         \
        sfumato::host::ElementwiseTmpSize(#Name, "Get" #Name "MaxMinTmpSize", srcShape, typeSize, maxValue, minValue); \
    }                                                                                                                  \
    inline void Get##Name##MaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool,               \
                                         uint32_t& maxValue, uint32_t& minValue) {                                     \
        Get##Name##MaxMinTmpSize(srcShape, typeSize, maxValue, minValue);                                              \
    }                                                                                                                  \
    inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount,                    \
                                               uint32_t& extraBuf) {                                                   \
        sfumato::host::ElementwiseTmpFactor(#Name, "Get" #Name "TmpBufferFactorSize", typeSize, maxLiveNodeCount,      \
                                            extraBuf);                                                                 \
    }
#include "sfumato/tiling/tmp_sizes.inc"
#undef SFUMATO_TMP_SIZE

// Power: of the larger operand.
inline void GetPowerMaxMinTmpSize(const ge::Shape& srcShape1, const ge::Shape& srcShape2, const bool,
                                  const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    const bool first = srcShape1.GetShapeSize() >= srcShape2.GetShapeSize();
    GetPowerMaxMinTmpSize(first ? srcShape1 : srcShape2, typeSize, maxValue, minValue);
}
inline void GetPowerTmpBufferFactorSize(const bool, const bool, const bool, const uint32_t typeSize,
                                        uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    GetPowerTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuf);
}

// Softmax (adv.md 4.1). dataTypeSize: bytes of sum and maximum.
SFUMATO_API uint32_t GetSoftMaxMaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                          const bool isReuseSource);
SFUMATO_API uint32_t GetSoftMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                          const bool isReuseSource);
SFUMATO_API void SoftMaxTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                   const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxTiling);
SFUMATO_API uint32_t GetSoftMaxFlashMaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                               const bool isUpdate, const bool isReuseSource);
SFUMATO_API uint32_t GetSoftMaxFlashMinTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                               const bool isUpdate, const bool isReuseSource);
SFUMATO_API void SoftMaxFlashTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                        const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxFlashTiling,
                                        const bool isUpdate = false);
SFUMATO_API uint32_t GetSoftMaxFlashV2MaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize1,
                                                 const uint32_t dataTypeSize2, const bool isUpdate,
                                                 const bool isBasicBlock = false, const bool isFlashOutputBrc = false);
SFUMATO_API uint32_t GetSoftMaxFlashV2MinTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize1,
                                                 const uint32_t dataTypeSize2, const bool isUpdate,
                                                 const bool isBasicBlock = false, const bool isFlashOutputBrc = false);
SFUMATO_API void SoftMaxFlashV2TilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize1,
                                          const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
                                          tiling::SoftMaxTiling& softmaxFlashTiling, const bool isUpdate,
                                          const bool isBasicBlock = false, const bool isFlashOutputBrc = false);
SFUMATO_API uint32_t GetSoftMaxGradMaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                              const bool isFront, const bool isReuseSource);
SFUMATO_API uint32_t GetSoftMaxGradMinTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                              const bool isFront, const bool isReuseSource);
SFUMATO_API void SoftMaxGradTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                       const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxGradTiling,
                                       const bool isFront = false);
SFUMATO_API uint32_t GetLogSoftMaxMaxTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                             const bool isReuseSource);
SFUMATO_API uint32_t GetLogSoftMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                             const bool isReuseSource);
SFUMATO_API void LogSoftMaxTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                      const uint32_t localWorkSpaceSize, tiling::LogSoftMaxTiling& softmaxTiling);
// K below 2048, a multiple of 64 and at least 256 bytes, M a multiple of 8.
SFUMATO_API bool IsBasicBlockInSoftMax(const tiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize = 2);

// Norms (adv.md 7). LayerNorm: B, S, H as it lies in memory[, H before padding]; or A, R.
SFUMATO_API void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                           uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                           const bool isComputeRstd, const bool isOnlyOutput, uint32_t& maxValue,
                                           uint32_t& minValue);
SFUMATO_API void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                          const uint32_t typeSize, const bool isReuseSource,
                                          tiling::LayerNormTiling& tiling);
SFUMATO_API void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                          const uint32_t typeSize, const bool isReuseSource, const bool isComputeRstd,
                                          tiling::LayerNormSeparateTiling& tiling);
inline void GetLayerNormNDTillingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool isReuseSource,
                                      tiling::LayerNormTiling& tilling) {
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, tilling);
}
SFUMATO_API bool GetRmsNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                         uint32_t& minValue, const bool isBasicBlock = false);
SFUMATO_API bool GetRmsNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                      const uint32_t stackBufferByteSize, const uint32_t typeSize,
                                      tiling::RmsNormTiling& tiling, const bool isBasicBlock = false);
SFUMATO_API void GetWelfordUpdateMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSizeT,
                                               const uint32_t typeSizeU, const bool isReuseSource, const bool isInplace,
                                               uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetWelfordFinalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                                 const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);

// Sums of n elements a row (adv.md 6).
SFUMATO_API void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool isReuseSource,
                                     uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const uint32_t accTypeSize,
                                      const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetCumSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isLastAxis,
                                        const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);

#define SFUMATO_REDUCE_SIZES(Name)                                                                           \
    SFUMATO_API void Get##Name##MaxMinTmpSize(const ge::Shape& srcShape, const ge::DataType dataType,        \
                                              ReducePattern pattern, bool isSrcInnerPad, bool isReuseSource, \
                                              uint32_t& maxValue, uint32_t& minValue);
SFUMATO_REDUCE_SIZES(ReduceSum)
SFUMATO_REDUCE_SIZES(ReduceMean)
SFUMATO_REDUCE_SIZES(ReduceMax)
SFUMATO_REDUCE_SIZES(ReduceMin)
SFUMATO_REDUCE_SIZES(ReduceProd)
SFUMATO_REDUCE_SIZES(ReduceAll)
SFUMATO_REDUCE_SIZES(ReduceAny)
#undef SFUMATO_REDUCE_SIZES

SFUMATO_API void GetReduceXorSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                              const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);

// Anti-quantisation (adv.md 8), of the larger type; Select with a mask of bytes (adv.md 9).
SFUMATO_API void GetAscendAntiQuantMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape& scaleShape,
                                                 bool isTranspose, ge::DataType inputDataType,
                                                 ge::DataType outputDataType, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetAscendAntiQuantTmpBufferFactorSize(const ge::Shape& srcShape, const ge::Shape& scaleShape,
                                                       bool isTranspose, ge::DataType inputDataType,
                                                       ge::DataType outputDataType, uint32_t& maxLiveNodeCount,
                                                       uint32_t& extraBuf);
SFUMATO_API void GetSelectWithBytesMaskMaxMinTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape,
                                                     const uint32_t srcTypeSize, const ge::Shape& maskShape,
                                                     const uint32_t maskTypeSize, const bool isReuseMask,
                                                     uint32_t& maxValue, uint32_t& minValue);
inline uint32_t GetSelectWithBytesMaskMaxTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape,
                                                 const uint32_t srcTypeSize, const ge::Shape& maskShape,
                                                 const uint32_t maskTypeSize, const bool isReuseMask) {
    uint32_t most = 0, least = 0;
    GetSelectWithBytesMaskMaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask, most,
                                        least);
    return most;
}
inline uint32_t GetSelectWithBytesMaskMinTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape,
                                                 const uint32_t srcTypeSize, const ge::Shape& maskShape,
                                                 const uint32_t maskTypeSize, const bool isReuseMask) {
    uint32_t most = 0, least = 0;
    GetSelectWithBytesMaskMaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask, most,
                                        least);
    return least;
}
inline void GetSelectMaxMinTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape, const uint32_t srcTypeSize,
                                   const ge::Shape& maskShape, const uint32_t maskTypeSize, const bool isReuseMask,
                                   uint32_t& maxValue, uint32_t& minValue) {
    GetSelectWithBytesMaskMaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask,
                                        maxValue, minValue);
}

// Moves (adv.md 9).
SFUMATO_API void GetTransposeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                           const uint32_t transposeTypeIn, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void GetTransposeTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                        const uint32_t typeSize, const uint32_t transposeTypeIn,
                                        tiling::ConfusionTransposeTiling& tiling);
inline void GetConfusionTransposeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,
                                               const uint32_t transposeTypeIn, uint32_t& maxValue, uint32_t& minValue) {
    GetTransposeMaxMinTmpSize(srcShape, typeSize, transposeTypeIn, maxValue, minValue);
}
inline void GetConfusionTransposeTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                            const uint32_t typeSize, const uint32_t transposeTypeIn,
                                            tiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}
// H, W alone.
inline void GetConfusionTransposeOnlyTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                                const uint32_t typeSize, tiling::ConfusionTransposeTiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, 7, tiling);
}
SFUMATO_API void GetPadMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                     uint32_t& minValue);
SFUMATO_API void PadTilingFunc(const ge::Shape srcShape, const ge::Shape oriSrcShape, const uint32_t stackBufferSize,
                               const uint32_t typeSize, tiling::PadTiling& tiling);
SFUMATO_API void GetUnPadMaxMinTmpSize(const PlatformAscendC& ascendcPlatform, const ge::Shape& srcShape,
                                       const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue);
SFUMATO_API void UnPadTilingFunc(const ge::Shape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                                 tiling::UnPadTiling& tiling);
SFUMATO_API void GetBroadCastMaxMinTmpSize(const PlatformAscendC& ascendcPlatform, const ge::Shape& srcShape,
                                           const ge::Shape& dstShape, const uint32_t typeSize, const bool isReuseSource,
                                           uint32_t& maxValue, uint32_t& minValue);

// Sorting (adv.md 10). Sizes in bytes.
SFUMATO_API uint32_t GetConcatTmpSize(const PlatformAscendC& ascendcPlatform, const uint32_t elemCount,
                                      const uint32_t dataTypeSize);
SFUMATO_API uint32_t GetSortTmpSize(const PlatformAscendC& ascendcPlatform, const uint32_t elemCount,
                                    const uint32_t dataTypeSize);
SFUMATO_API bool GetTopKMaxMinTmpSize(const PlatformAscendC& ascendcPlatform, const int32_t inner, const int32_t outter,
                                      const bool isReuseSource, const bool isInitIndex, TopKMode mode,
                                      const bool isLargest, const uint32_t dataTypeSize, uint32_t& maxValue,
                                      uint32_t& minValue);
SFUMATO_API bool TopKTilingFunc(const PlatformAscendC& ascendcPlatform, const int32_t inner, const int32_t outter,
                                const int32_t k, const uint32_t dataTypeSize, const bool isInitIndex, TopKMode mode,
                                const bool isLargest, tiling::TopkTiling& topKTiling);

}  // namespace AscendC
