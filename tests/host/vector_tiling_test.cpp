// SPDX-License-Identifier: Apache-2.0
// Tiling functions of the vector calls as host programs use them: sizes, structs, refusals.
#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>
#include <utility>

#include "host/message.h"
#include "sfumato/tiling/vector_planner.h"
#include "tiling/tiling_api.h"

namespace sfumato {
namespace {

using namespace AscendC;

platform_ascendc::PlatformAscendC Platform(const char* chip) {
    fe::PlatFormInfos info{chip};
    return platform_ascendc::PlatformAscendC(&info);
}

using Pair = std::pair<uint32_t, uint32_t>;

TEST(VectorTiling, StructsAreSharedAndHaveTheirWords) {
    static_assert(std::is_same_v<optiling::SoftMaxTiling, AscendC::tiling::SoftMaxTiling>);
    static_assert(std::is_same_v<::TopkTiling, optiling::TopkTiling>);
    EXPECT_EQ(sizeof(SoftMaxTiling), 16 * 4u);
    EXPECT_EQ(sizeof(LayerNormTiling), 26 * 4u);
    EXPECT_EQ(sizeof(LayerNormSeparateTiling), 26 * 4u);
    EXPECT_EQ(sizeof(RmsNormTiling), 12 * 4u);
    EXPECT_EQ(sizeof(TopkTiling), 24 * 4 + 8 * 2u);
    EXPECT_EQ(sizeof(ConfusionTransposeTiling), 7 * 4u);
    optiling::SoftMaxTiling tiling;
    tiling.set_srcK(9);
    EXPECT_EQ(tiling.get_srcK(), 9u);
    EXPECT_EQ(tiling.GetDataSize(), 64u);
}

TEST(VectorTiling, ElementwiseSizes) {
    const ge::Shape shape({10, 100});
    // 1000 halves are 2000 bytes, rounded up to 2048.
    uint32_t max = 0, min = 0;
    GetGeluMaxMinTmpSize(shape, 2, max, min);
    EXPECT_EQ(Pair(max, min), Pair(3 * 2048, 3 * 256));
    GetSinMaxMinTmpSize(shape, 4, false, max, min);
    EXPECT_EQ(max / min, 16u);  // 4000 bytes round up to 4096
    GetPowerMaxMinTmpSize(shape, ge::Shape({1}), false, 4, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(4 * 4096 + 256, 4 * 256 + 256));
    GetPowerTmpBufferFactorSize(true, true, false, 4, max, min);
    EXPECT_EQ(Pair(max, min), Pair(4, 256));
    GetSigmoidTmpBufferFactorSize(4, max, min);
    EXPECT_EQ(Pair(max, min), Pair(1, 0));
    GetSiluMaxMinTmpSize(shape, 4, max, min);
    EXPECT_EQ(Pair(max, min), Pair(0, 0));
    EXPECT_EQ(Message(), "");
}

TEST(VectorTiling, EveryElementwiseCallHasItsPair) {
    int calls = 0;
#define SFUMATO_TMP_SIZE(Name, half, single, extra)                             \
    {                                                                           \
        uint32_t max = 0, min = 0, live = 0, more = 0;                          \
        Get##Name##MaxMinTmpSize(ge::Shape({512}), 4, true, max, min);          \
        Get##Name##TmpBufferFactorSize(4, live, more);                          \
        EXPECT_EQ(Pair(max, min), Pair(live * 2048 + more, live * 256 + more)); \
        ++calls;                                                                \
    }
#include "sfumato/tiling/tmp_sizes.inc"
#undef SFUMATO_TMP_SIZE
    EXPECT_EQ(static_cast<size_t>(calls), sfumato::tiling::ElementwiseNames().size());
    EXPECT_EQ(Message(), "");
}

TEST(VectorTiling, Softmax) {
    const ge::Shape shape({4, 3, 128});
    // What the kernels take, in whole repeats: frontend_adv_calls runs them with it.
    EXPECT_EQ(GetSoftMaxMinTmpSize(shape, 4, false), 1536u);
    EXPECT_EQ(GetSoftMaxMaxTmpSize(shape, 4, false), 9216u);
    EXPECT_EQ(GetSoftMaxFlashMinTmpSize(shape, 2, true, false), 2048u);
    EXPECT_EQ(GetSoftMaxFlashV2MaxTmpSize(shape, 2, 4, true), 10496u);
    EXPECT_EQ(GetSoftMaxGradMinTmpSize(shape, 4, true, false), 1280u);
    SoftMaxTiling t;
    SoftMaxTilingFunc(shape, 4, 9000, t);
    EXPECT_EQ(t.srcM, 12u);
    EXPECT_EQ(t.srcK, 128u);
    EXPECT_EQ(t.outMaxK, 8u);
    EXPECT_EQ(t.splitM, 8u);
    EXPECT_EQ(t.rangeM, 1u);
    EXPECT_EQ(t.tailM, 4u);
    EXPECT_EQ(t.tailReduceSize, 32u);
    SoftMaxTiling v2;
    SoftMaxFlashV2TilingFunc(shape, 2, 4, 1 << 20, v2, true);
    constexpr SoftMaxTiling kInKernel =
        SoftMaxFlashV2TilingFunc(SoftMaxShapeInfo{12, 128, 12, 128}, 2, 4, 1 << 20, true);
    EXPECT_EQ(std::memcmp(&v2, &kInKernel, sizeof(v2)), 0);
    constexpr SoftMaxTiling kApart = SoftMaxFlashV2TilingFuncImpl(12, 128, 2, 4, 1 << 20);
    EXPECT_EQ(std::memcmp(&v2, &kApart, sizeof(v2)), 0);
    SoftMaxFlashTilingFunc(shape, 4, 1 << 20, t);
    EXPECT_EQ(t.splitM, 12u);
    SoftMaxGradTilingFunc(shape, 4, 1 << 20, t, true);
    EXPECT_EQ(t.tailM, 0u);
    EXPECT_FALSE(IsBasicBlockInSoftMax(t));  // 12 rows
    SoftMaxTilingFunc(ge::Shape({16, 128}), 2, 1 << 20, t);
    EXPECT_TRUE(IsBasicBlockInSoftMax(t));
    EXPECT_EQ(Message(), "");
}

TEST(VectorTiling, Norms) {
    const ge::Shape shape({3, 6, 64, 60});
    uint32_t max = 0, min = 0;
    GetLayerNormMaxMinTmpSize(shape, 4, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(11776, 1536));
    LayerNormTiling t;
    GetLayerNormNDTillingInfo(shape, 9000, 4, false, t);
    EXPECT_EQ(t.bLength * t.sLength, 18u);
    EXPECT_EQ(t.hLength, 64u);
    EXPECT_EQ(t.originalHLength, 60u);
    EXPECT_EQ(t.bsCurLength, 8u);
    EXPECT_EQ(t.loopRound, 2u);
    EXPECT_EQ(t.inputTailSize, 128u);
    EXPECT_EQ(t.inputTailPos, 16 * 64u);
    EXPECT_EQ(t.lastDimValueBack, 1.0f / 60);
    LayerNormSeparateTiling separate;
    GetLayerNormNDTilingInfo(ge::Shape({5, 100}), 1 << 16, 4, false, true, separate);
    EXPECT_EQ(separate.aLength, 5u);
    EXPECT_EQ(separate.rLength, 100u);
    EXPECT_EQ(separate.rHeadLength, 64u);
    EXPECT_EQ(separate.rValueBack, 0.01f);
    RmsNormTiling rms;
    EXPECT_TRUE(GetRmsNormTilingInfo(ge::Shape({1, 4, 64}), ge::Shape({1, 4, 50}), 1 << 16, 2, rms));
    EXPECT_EQ(rms.mainBsLength, 4u);
    EXPECT_EQ(rms.originalHLength, 50u);
    EXPECT_TRUE(GetRmsNormMaxMinTmpSize(ge::Shape({1, 4, 64}), 2, max, min));
    EXPECT_EQ(Pair(max, min), Pair(3328, 1792));
    GetWelfordUpdateMaxMinTmpSize(ge::Shape({1, 512}), 4, 4, false, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(4 * 2048, 4 * 256));
    GetWelfordFinalizeMaxMinTmpSize(ge::Shape({512}), 4, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(4608, 4608));
    GetSumMaxMinTmpSize(100, 4, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(256, 256));
    GetMeanMaxMinTmpSize(100, 2, 4, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(768, 768));
    GetCumSumMaxMinTmpSize(ge::Shape({3, 64}), 4, true, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(2816, 2816));
    EXPECT_EQ(Message(), "");
}

TEST(VectorTiling, MovesAndSorts) {
    uint32_t max = 0, min = 0;
    GetTransposeMaxMinTmpSize(ge::Shape({1, 2, 32, 64}), 2, 1, max, min);
    EXPECT_EQ(Pair(max, min), Pair(8192, 1024));
    ConfusionTransposeTiling t;
    GetConfusionTransposeTilingInfo(ge::Shape({1, 2, 32, 64}), 4096, 2, 3, t);
    EXPECT_EQ(t.axis1, 2u);
    EXPECT_EQ(t.axis3, 64u);
    EXPECT_EQ(t.transposeType, 3u);
    GetConfusionTransposeOnlyTilingInfo(ge::Shape({16, 48}), 4096, 4, t);
    EXPECT_EQ(t.axis1, 48u);
    EXPECT_EQ(t.transposeType, 7u);
    PadTiling pad;
    PadTilingFunc(ge::Shape({20, 16}), ge::Shape({20, 13}), 1024, 2, pad);
    EXPECT_EQ(pad.srcOriWidth, 13u);
    EXPECT_EQ(pad.heightTiling, 4u);
    GetPadMaxMinTmpSize(ge::Shape({20, 16}), 2, max, min);
    EXPECT_EQ(Pair(max, min), Pair(2560, 256));
    const auto a2 = Platform("Ascend910B1"), p310 = Platform("Ascend310P3");
    UnPadTiling unpad;
    UnPadTilingFunc(ge::Shape({20, 16}), 4096, 2, unpad);
    EXPECT_EQ(unpad.heightTiling, 16u);
    EXPECT_EQ(unpad.heightTail, 4u);
    GetUnPadMaxMinTmpSize(a2, ge::Shape({20, 16}), 2, max, min);
    EXPECT_EQ(Pair(max, min), Pair(2560, 256));
    GetBroadCastMaxMinTmpSize(a2, ge::Shape({4, 1}), ge::Shape({4, 64}), 4, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(1024, 256));
    EXPECT_EQ(GetSortTmpSize(a2, 64, 2), 512u);
    EXPECT_EQ(GetSortTmpSize(p310, 64, 2), 1024u);
    EXPECT_EQ(GetConcatTmpSize(a2, 64, 4), 0u);
    EXPECT_EQ(GetConcatTmpSize(p310, 64, 4), 2048u);
    EXPECT_TRUE(GetTopKMaxMinTmpSize(a2, 64, 3, false, false, TopKMode::TOPK_NORMAL, true, 4, max, min));
    EXPECT_EQ(Pair(max, min), Pair(64 * 24, 64 * 24));
    TopkTiling topk;
    EXPECT_TRUE(TopKTilingFunc(a2, 64, 3, 5, 4, false, TopKMode::TOPK_NORMAL, true, topk));
    EXPECT_EQ(topk.allDataSize, 192);
    EXPECT_EQ(topk.kAlignFourBytes, 8);
    EXPECT_EQ(topk.kAlignTwoBytes, 16);
    EXPECT_EQ(Message(), "");
}

TEST(VectorTiling, OfTypesOfTheGraphEngine) {
    uint32_t max = 0, min = 0;
    GetReduceSumMaxMinTmpSize(ge::Shape({3, 64}), ge::DT_FLOAT, ReducePattern::AR, true, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(256, 256));
    GetReduceXorSumMaxMinTmpSize(ge::Shape({1024}), 2, false, max, min);
    EXPECT_EQ(Pair(max, min), Pair(4 * 2048, 4 * 256));
    GetAscendAntiQuantMaxMinTmpSize(ge::Shape({4, 64}), ge::Shape({1, 64}), false, ge::DT_INT4, ge::DT_FLOAT16, max,
                                    min);
    EXPECT_EQ(Pair(max, min), Pair(256, 256));
    GetAscendAntiQuantTmpBufferFactorSize(ge::Shape({4}), ge::Shape({1}), false, ge::DT_INT8, ge::DT_BF16, max, min);
    EXPECT_EQ(Pair(max, min), Pair(8, 0));
    GetSelectMaxMinTmpSize(ge::Shape({4, 64}), ge::Shape({1}), 2, ge::Shape({4, 96}), 1, true, max, min);
    EXPECT_EQ(Pair(max, min), Pair(2 * 768 + 8192, 2 * 256 + 8192));
    EXPECT_EQ(Message(), "");
    GetReduceAnyMaxMinTmpSize(ge::Shape({64}), ge::DT_BOOL, ReducePattern::AR, true, false, max, min);
    EXPECT_EQ(Message(), "GetReduceAnyMaxMinTmpSize: type bool is none of a tensor");
    GetReduceAllMaxMinTmpSize(ge::Shape({64}), static_cast<ge::DataType>(77), ReducePattern::AR, true, false, max, min);
    EXPECT_EQ(Message(), "GetReduceAllMaxMinTmpSize: type 77 is none of a tensor");
}

TEST(VectorTiling, Refusals) {
    uint32_t max = 5, min = 5;
    GetGeluMaxMinTmpSize(ge::Shape({4, 0}), 2, max, min);
    EXPECT_EQ(Message(), "GetGeluMaxMinTmpSize: axis 1 of the shape is 0; it is at least 1");
    EXPECT_EQ(Pair(max, min), Pair(0, 0));
    GetGeluMaxMinTmpSize(ge::Shape(), 2, max, min);
    EXPECT_EQ(Message(), "GetGeluMaxMinTmpSize: the shape has 0 axes; legal are 1 to 8");
    GetTanhTmpBufferFactorSize(3, max, min);
    EXPECT_EQ(Message(), "GetTanhTmpBufferFactorSize: elements of 3 bytes; legal are 1, 2, 4");
    GetExpMaxMinTmpSize(ge::Shape({1 << 20, 1 << 20}), 4, max, min);
    EXPECT_EQ(Message(), "GetExpMaxMinTmpSize: the shape has more than 2^32 elements");
    GetExpMaxMinTmpSize(ge::Shape({1 << 30}), 4, max, min);
    EXPECT_EQ(Message(), "GetExpMaxMinTmpSize: 17179869184 bytes do not fit 32 bits");
    SoftMaxTiling softmax;
    softmax.srcM = 7;
    SoftMaxTilingFunc(ge::Shape({8, 64}), 4, 1000, softmax);
    EXPECT_EQ(Message(), "SoftMaxTilingFunc: a temporary buffer of 1000 bytes; a row of 64 needs 1280");
    EXPECT_EQ(softmax.srcM, 7u);
    SoftMaxTilingFunc(ge::Shape({8, 60}), 4, 100000, softmax);
    EXPECT_EQ(Message(), "SoftMaxTilingFunc: the last axis is 60 elements of 4 bytes; a row is a multiple of 32 bytes");
    // A sum in float: data of float, too, whose rows may be shorter than those of half.
    SoftMaxTilingFunc(ge::Shape({8, 104}), 4, 100000, softmax);
    EXPECT_EQ(Message(), "");
    EXPECT_EQ(softmax.srcK, 104u);
    SoftMaxFlashV2TilingFunc(ge::Shape({8, 60}), 2, 4, 100000, softmax, false);
    EXPECT_EQ(Message(),
              "SoftMaxFlashV2TilingFunc: the last axis is 60 elements of 2 bytes; a row is a multiple of 32 bytes");
    SoftMaxGradTilingFunc(ge::Shape({8, 64}), 8, 100000, softmax);
    EXPECT_EQ(Message(), "SoftMaxGradTilingFunc: elements of 8 bytes; legal are 2, 4");
    LayerNormTiling norm;
    GetLayerNormNDTilingInfo(ge::Shape({8, 64}), 100000, 4, false, norm);
    EXPECT_EQ(Message(), "GetLayerNormNDTilingInfo: the shape has 2 axes; legal are 3 to 4");
    GetLayerNormNDTilingInfo(ge::Shape({1, 8, 64, 80}), 100000, 4, false, norm);
    EXPECT_EQ(Message(), "GetLayerNormNDTilingInfo: H before padding is 80, H in memory 64");
    RmsNormTiling rms;
    EXPECT_FALSE(GetRmsNormTilingInfo(ge::Shape({1, 8, 64}), ge::Shape({1, 8, 64}), 100, 4, rms));
    EXPECT_EQ(Message(), "GetRmsNormTilingInfo: a temporary buffer of 100 bytes; a row of 64 needs 1280");
    ConfusionTransposeTiling transpose;
    GetTransposeTilingInfo(ge::Shape({1, 1, 16, 16}), 4096, 2, 8, transpose);
    EXPECT_EQ(Message(), "GetTransposeTilingInfo: TransposeType 8; legal are 1 to 7");
    GetTransposeTilingInfo(ge::Shape({1, 1, 20, 16}), 4096, 2, 1, transpose);
    EXPECT_EQ(Message(), "GetTransposeTilingInfo: S is 20; of TransposeType 1 it is a multiple of 16");
    GetTransposeTilingInfo(ge::Shape({16, 20}), 4096, 2, 7, transpose);
    EXPECT_EQ(Message(), "GetTransposeTilingInfo: W is 20; of TransposeType 7 it is a multiple of 16");
    GetTransposeTilingInfo(ge::Shape({1, 3, 16, 8}), 4096, 2, 5, transpose);
    EXPECT_EQ(Message(), "GetTransposeTilingInfo: H is 3 x 8; of TransposeType 5 it is a multiple of 16");
    GetTransposeTilingInfo(ge::Shape({16, 16}), 10, 2, 7, transpose);
    EXPECT_EQ(Message(), "GetTransposeTilingInfo: a temporary buffer of 10 bytes; two fractals need 1024");
    PadTiling pad;
    PadTilingFunc(ge::Shape({20, 16}), ge::Shape({20, 17}), 1024, 2, pad);
    EXPECT_EQ(Message(), "PadTilingFunc: 17 valid columns of 16");
    const auto a2 = Platform("Ascend910B1"), p310 = Platform("Ascend310P3");
    EXPECT_EQ(GetSortTmpSize(a2, 40, 2), 0u);
    EXPECT_EQ(Message(), "GetSortTmpSize: 40 elements; it is a multiple of 32");
    TopkTiling topk;
    EXPECT_FALSE(TopKTilingFunc(a2, 40, 1, 5, 4, false, TopKMode::TOPK_NORMAL, true, topk));
    EXPECT_EQ(Message(), "TopKTilingFunc: inner is 40; it is a multiple of 32 up to 4096");
    EXPECT_FALSE(TopKTilingFunc(a2, 64, 1, 5, 4, false, TopKMode::TOPK_NSMALL, true, topk));
    EXPECT_EQ(Message(), "TopKTilingFunc: inner is 64; in mode TOPK_NSMALL it is 32");
    EXPECT_FALSE(TopKTilingFunc(a2, 64, 0, 5, 4, false, TopKMode::TOPK_NORMAL, true, topk));
    EXPECT_EQ(Message(), "TopKTilingFunc: outter is 0; it is at least 1");
    EXPECT_FALSE(TopKTilingFunc(a2, 64, 1, 65, 4, false, TopKMode::TOPK_NORMAL, true, topk));
    EXPECT_EQ(Message(), "TopKTilingFunc: k is 65; legal are 1 to inner 64");
    EXPECT_FALSE(TopKTilingFunc(p310, 4096, 1, 5, 2, false, TopKMode::TOPK_NORMAL, true, topk));
    EXPECT_EQ(Message(), "TopKTilingFunc: inner is 4096; of half on Ascend310P it is at most 2048");
}

}  // namespace
}  // namespace sfumato
