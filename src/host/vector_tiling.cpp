// SPDX-License-Identifier: Apache-2.0
// Tiling functions of the vector calls: the plans of src/tiling, whose errors are said.
#include "sfumato/host/vector_tiling.h"

#include <string>

#include "host/said.h"
#include "host/type_bits.h"
#include "sfumato/round_up.h"
#include "sfumato/tiling/call_sizes.h"

namespace {

using sfumato::host::SizesOrZero;
using sfumato::host::Tried;
using sfumato::tiling::TmpSizes;

template <class Sizes>
TmpSizes SizesOf(const Sizes& sizes) {
    TmpSizes found;
    Tried([&] { found = sizes(); });
    return found;
}

uint32_t SortBytes(const char* call, uint32_t elements, uint32_t type_size, bool proposals) {
    uint32_t bytes = 0;
    Tried([&] { bytes = sfumato::tiling::SortTmp(call, elements, type_size, proposals); });
    return bytes;
}

// Bytes of an element; of int4b_t, of which two are one, 1. Throws for no type.
uint32_t TypeSize(const char* call, ge::DataType type) {
    const auto number = static_cast<uint64_t>(type);
    const sfumato::DataType found = sfumato::host::KernelType(number);
    if (found != sfumato::DataType::kCount) return std::max(sfumato::BitsOf(found) / 8, 1u);
    const char* name = sfumato::tiling::NameOfType(number);
    throw sfumato::Error(std::string(call) + ": type " + (name ? name : std::to_string(number)) +
                         " is none of a tensor");
}
constexpr uint32_t kAntiQuantNodes = 8, kSelectExtra = 8192;  // adv.md 1.3

bool Is310P(const platform_ascendc::PlatformAscendC& platform) {
    return platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P;
}

}  // namespace

namespace sfumato::host {

void ElementwiseTmpSize(const char* name, const char* call, const ge::Shape& shape, uint32_t type_size, uint32_t& max,
                        uint32_t& min) {
    SizesOrZero(max, min, [&] { return tiling::ElementwiseTmp(name, call, shape.GetDims(), type_size); });
}
void ElementwiseTmpFactor(const char* name, const char* call, uint32_t type_size, uint32_t& live, uint32_t& extra) {
    tiling::TmpFactor factor;
    Tried([&] { factor = tiling::ElementwiseFactor(name, call, type_size); });
    live = factor.live, extra = factor.extra;
}

}  // namespace sfumato::host

namespace AscendC {

using namespace sfumato::tiling;

// What the calls do at most, of what their functions are told: SoftMax and SoftmaxFlash know the type of sum and
// maximum alone, and half data take more than float. Rows of data that are as wide as these are legal.
namespace {
SoftmaxUse SoftMaxUse(uint32_t side, bool update) { return {2, side, false, update, true, false, true}; }
SoftmaxUse GradUse(uint32_t data) { return {data, data, true, false, false, false, true}; }

void TileSoftMax(const char* call, const ge::Shape& shape, const SoftmaxUse& use, uint32_t workspace,
                 tiling::SoftMaxTiling& tiling, uint32_t row_type_size = 0) {
    Tried([&] { tiling = PlanSoftMax(call, shape.GetDims(), use, workspace, row_type_size); });
}
}  // namespace

#define SFUMATO_SOFTMAX_SIZES(Name, parameters, use)                                                       \
    uint32_t Get##Name##MaxTmpSize parameters {                                                            \
        return SizesOf([&] { return SoftmaxTmp("Get" #Name "MaxTmpSize", srcShape.GetDims(), use); }).max; \
    }                                                                                                      \
    uint32_t Get##Name##MinTmpSize parameters {                                                            \
        return SizesOf([&] { return SoftmaxTmp("Get" #Name "MinTmpSize", srcShape.GetDims(), use); }).min; \
    }
SFUMATO_SOFTMAX_SIZES(SoftMax, (const ge::Shape& srcShape, const uint32_t dataTypeSize, const bool),
                      SoftMaxUse(dataTypeSize, false))
SFUMATO_SOFTMAX_SIZES(SoftMaxFlash,
                      (const ge::Shape& srcShape, const uint32_t dataTypeSize, const bool isUpdate, const bool),
                      SoftMaxUse(dataTypeSize, isUpdate))
SFUMATO_SOFTMAX_SIZES(SoftMaxFlashV2,
                      (const ge::Shape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                       const bool isUpdate, const bool, const bool),
                      FlashV2Use(dataTypeSize1, dataTypeSize2, isUpdate))
SFUMATO_SOFTMAX_SIZES(SoftMaxGrad, (const ge::Shape& srcShape, const uint32_t dataTypeSize, const bool, const bool),
                      GradUse(dataTypeSize))
SFUMATO_SOFTMAX_SIZES(LogSoftMax, (const ge::Shape& srcShape, const uint32_t dataTypeSize, const bool),
                      LogSoftMaxUse(dataTypeSize))
#undef SFUMATO_SOFTMAX_SIZES

void SoftMaxTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                       tiling::SoftMaxTiling& softmaxTiling) {
    TileSoftMax("SoftMaxTilingFunc", srcShape, SoftMaxUse(dataTypeSize, false), localWorkSpaceSize, softmaxTiling,
                dataTypeSize);
}
void SoftMaxFlashTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                            tiling::SoftMaxTiling& softmaxFlashTiling, const bool isUpdate) {
    TileSoftMax("SoftMaxFlashTilingFunc", srcShape, SoftMaxUse(dataTypeSize, isUpdate), localWorkSpaceSize,
                softmaxFlashTiling, dataTypeSize);
}
void SoftMaxFlashV2TilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                              const uint32_t localWorkSpaceSize, tiling::SoftMaxTiling& softmaxFlashTiling,
                              const bool isUpdate, const bool, const bool) {
    TileSoftMax("SoftMaxFlashV2TilingFunc", srcShape, FlashV2Use(dataTypeSize1, dataTypeSize2, isUpdate),
                localWorkSpaceSize, softmaxFlashTiling);
}
void SoftMaxGradTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                           tiling::SoftMaxTiling& softmaxGradTiling, const bool) {
    TileSoftMax("SoftMaxGradTilingFunc", srcShape, GradUse(dataTypeSize), localWorkSpaceSize, softmaxGradTiling);
}
void LogSoftMaxTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
                          tiling::LogSoftMaxTiling& softmaxTiling) {
    Tried([&] {
        softmaxTiling = PlanLogSoftMax("LogSoftMaxTilingFunc", srcShape.GetDims(), dataTypeSize, localWorkSpaceSize);
    });
}
bool IsBasicBlockInSoftMax(const tiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize) {
    return tiling.srcK < 2048 && tiling.srcK * dataTypeSize >= 256 && tiling.srcK % 64 == 0 && tiling.srcM % 8 == 0;
}

void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                               uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] {
        auto shape = srcShape.GetDims();
        if (shape.size() == 4) shape.pop_back();  // H before padding
        return NormTmp("GetLayerNormMaxMinTmpSize", shape, typeSize, false);
    });
}
void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource, const bool,
                               const bool, uint32_t& maxValue, uint32_t& minValue) {
    GetLayerNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool, tiling::LayerNormTiling& tiling) {
    Tried([&] { tiling = PlanLayerNorm("GetLayerNormNDTilingInfo", srcShape.GetDims(), stackBufferSize, typeSize); });
}
void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                              const bool, const bool, tiling::LayerNormSeparateTiling& tiling) {
    Tried([&] {
        tiling = PlanLayerNormSeparate("GetLayerNormNDTilingInfo", srcShape.GetDims(), stackBufferSize, typeSize);
    });
}
bool GetRmsNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue,
                             const bool) {
    return SizesOrZero(maxValue, minValue,
                       [&] { return NormTmp("GetRmsNormMaxMinTmpSize", srcShape.GetDims(), typeSize, true); });
}
bool GetRmsNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize, tiling::RmsNormTiling& tiling,
                          const bool) {
    return Tried([&] {
               tiling = PlanRmsNorm("GetRmsNormTilingInfo", srcShape.GetDims(), originSrcShape.GetDims(),
                                    stackBufferByteSize, typeSize);
           }) == 0;
}
void GetWelfordUpdateMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSizeT, const uint32_t, const bool,
                                   const bool, uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] {
        return FlatTmp("GetWelfordUpdateMaxMinTmpSize", srcShape.GetDims(), typeSizeT, typeSizeT == 2 ? 8 : 4);
    });
}
void GetWelfordFinalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, uint32_t& maxValue,
                                     uint32_t& minValue) {
    const auto elements = static_cast<uint32_t>(srcShape.GetShapeSize());
    SizesOrZero(maxValue, minValue,
                [&] { return NeedTmp("GetWelfordFinalizeMaxMinTmpSize", 1, WelfordNeed(elements, true)); });
}

void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool, uint32_t& maxValue,
                         uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] { return ReductionTmp("GetSumMaxMinTmpSize", {{1, n}, typeSize}); });
}
// Of half data the rows are widened, their results narrowed.
void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const uint32_t, const bool, uint32_t& maxValue,
                          uint32_t& minValue) {
    const bool narrow = typeSize == 2;
    const auto columns = static_cast<uint32_t>(sfumato::RoundUpTo(n, 16));
    SizesOrZero(maxValue, minValue, [&] {
        return NeedTmp("GetMeanMaxMinTmpSize", 1, ReductionNeed(4, columns, narrow, narrow, false, false));
    });
}
void GetCumSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isLastAxis, const bool,
                            uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue,
                [&] { return CumSumTmp("GetCumSumMaxMinTmpSize", srcShape.GetDims(), typeSize, isLastAxis); });
}

#define SFUMATO_REDUCE_SIZES(Name, kind)                                                                               \
    void Get##Name##MaxMinTmpSize(const ge::Shape& srcShape, const ge::DataType dataType, ReducePattern pattern, bool, \
                                  bool, uint32_t& maxValue, uint32_t& minValue) {                                      \
        SizesOrZero(maxValue, minValue, [&] {                                                                          \
            constexpr const char* kCall = "Get" #Name "MaxMinTmpSize";                                                 \
            return ReductionTmp(kCall, {srcShape.GetDims(), TypeSize(kCall, dataType), pattern == ReducePattern::RA,   \
                                        ReductionKind::kind});                                                         \
        });                                                                                                            \
    }
SFUMATO_REDUCE_SIZES(ReduceSum, kSums)
SFUMATO_REDUCE_SIZES(ReduceMean, kSums)
SFUMATO_REDUCE_SIZES(ReduceMax, kExtremes)
SFUMATO_REDUCE_SIZES(ReduceMin, kExtremes)
SFUMATO_REDUCE_SIZES(ReduceProd, kProducts)
SFUMATO_REDUCE_SIZES(ReduceAll, kTruths)
SFUMATO_REDUCE_SIZES(ReduceAny, kTruths)
#undef SFUMATO_REDUCE_SIZES

void GetReduceXorSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,
                                  uint32_t& minValue) {
    SizesOrZero(maxValue, minValue,
                [&] { return FlatTmp("GetReduceXorSumMaxMinTmpSize", srcShape.GetDims(), typeSize, kXorSumNodes); });
}

void GetAscendAntiQuantMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape& scaleShape, bool isTranspose,
                                     ge::DataType inputDataType, ge::DataType outputDataType, uint32_t& maxValue,
                                     uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] {
        constexpr const char* kCall = "GetAscendAntiQuantMaxMinTmpSize";
        TypeSize(kCall, inputDataType), TypeSize(kCall, outputDataType);
        return AntiQuantTmp(kCall, srcShape.GetDims(), scaleShape.GetDims(), isTranspose,
                            outputDataType != ge::DT_FLOAT16);
    });
}
void GetAscendAntiQuantTmpBufferFactorSize(const ge::Shape&, const ge::Shape&, bool, ge::DataType, ge::DataType,
                                           uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    maxLiveNodeCount = kAntiQuantNodes, extraBuf = 0;
}
void GetSelectWithBytesMaskMaxMinTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape,
                                         const uint32_t srcTypeSize, const ge::Shape& maskShape, const uint32_t,
                                         const bool, uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] {
        constexpr const char* kCall = "GetSelectWithBytesMaskMaxMinTmpSize";
        const ge::Shape& tensor = src0Shape.GetShapeSize() >= src1Shape.GetShapeSize() ? src0Shape : src1Shape;
        const auto shape = std::max(tensor.GetShapeSize(), maskShape.GetShapeSize());
        return FlatTmp(kCall, {shape}, srcTypeSize, 2, kSelectExtra);
    });
}

void GetTransposeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const uint32_t transposeTypeIn,
                               uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] {
        return TransposeTmp("GetTransposeMaxMinTmpSize", srcShape.GetDims(), typeSize, transposeTypeIn);
    });
}
void GetTransposeTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                            const uint32_t transposeTypeIn, tiling::ConfusionTransposeTiling& tiling) {
    Tried([&] {
        tiling =
            PlanTranspose("GetTransposeTilingInfo", srcShape.GetDims(), stackBufferSize, typeSize, transposeTypeIn);
    });
}
void GetPadMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] { return PadTmp("GetPadMaxMinTmpSize", srcShape.GetDims(), typeSize); });
}
void PadTilingFunc(const ge::Shape srcShape, const ge::Shape oriSrcShape, const uint32_t stackBufferSize,
                   const uint32_t typeSize, tiling::PadTiling& tiling) {
    Tried([&] {
        tiling = PlanPad("PadTilingFunc", srcShape.GetDims(), oriSrcShape.GetDims(), stackBufferSize, typeSize);
    });
}
void GetUnPadMaxMinTmpSize(const PlatformAscendC&, const ge::Shape& srcShape, const uint32_t typeSize,
                           uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue, [&] { return PadTmp("GetUnPadMaxMinTmpSize", srcShape.GetDims(), typeSize); });
}
void UnPadTilingFunc(const ge::Shape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                     tiling::UnPadTiling& tiling) {
    Tried([&] { tiling = PlanUnPad("UnPadTilingFunc", srcShape.GetDims(), stackBufferSize, typeSize); });
}
void GetBroadCastMaxMinTmpSize(const PlatformAscendC&, const ge::Shape&, const ge::Shape& dstShape,
                               const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    SizesOrZero(maxValue, minValue,
                [&] { return BroadcastTmp("GetBroadCastMaxMinTmpSize", dstShape.GetDims(), typeSize); });
}

// Concat makes records on Ascend310P only (vector_instructions.md 8.6).
uint32_t GetConcatTmpSize(const PlatformAscendC& ascendcPlatform, const uint32_t elemCount,
                          const uint32_t dataTypeSize) {
    return Is310P(ascendcPlatform) ? SortBytes("GetConcatTmpSize", elemCount, dataTypeSize, true) : 0;
}
uint32_t GetSortTmpSize(const PlatformAscendC& ascendcPlatform, const uint32_t elemCount, const uint32_t dataTypeSize) {
    return SortBytes("GetSortTmpSize", elemCount, dataTypeSize, Is310P(ascendcPlatform));
}
bool GetTopKMaxMinTmpSize(const PlatformAscendC& ascendcPlatform, const int32_t inner, const int32_t outter, const bool,
                          const bool isInitIndex, TopKMode mode, const bool, const uint32_t dataTypeSize,
                          uint32_t& maxValue, uint32_t& minValue) {
    return SizesOrZero(maxValue, minValue, [&] {
        return TopKTmp("GetTopKMaxMinTmpSize", {inner, outter, 0, dataTypeSize, isInitIndex,
                                                mode == TopKMode::TOPK_NSMALL, Is310P(ascendcPlatform)});
    });
}
bool TopKTilingFunc(const PlatformAscendC& ascendcPlatform, const int32_t inner, const int32_t outter, const int32_t k,
                    const uint32_t dataTypeSize, const bool isInitIndex, TopKMode mode, const bool,
                    tiling::TopkTiling& topKTiling) {
    return Tried([&] {
               topKTiling = PlanTopK("TopKTilingFunc", {inner, outter, k, dataTypeSize, isInitIndex,
                                                        mode == TopKMode::TOPK_NSMALL, Is310P(ascendcPlatform)});
           }) == 0;
}

}  // namespace AscendC
