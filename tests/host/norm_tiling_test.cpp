// SPDX-License-Identifier: Apache-2.0
// Tiling functions of the variants of LayerNorm, of its gradients and of LogSoftMax as host programs use them.
#include <gtest/gtest.h>

#include <utility>

#include "host/message.h"
#include "tiling/tiling_api.h"

namespace sfumato {
namespace {

using namespace AscendC;

using Pair = std::pair<uint32_t, uint32_t>;

TEST(NormTiling, StructsHaveTheWordsOfTheirPages) {
    EXPECT_EQ(sizeof(DeepNormTiling), 26 * 4u);
    EXPECT_EQ(sizeof(GroupNormTiling), 30 * 4u);  // the last a bool
    EXPECT_EQ(sizeof(BatchNormTiling), 20 * 4u);
    EXPECT_EQ(sizeof(LayerNormGradTiling), 30 * 4u);
    EXPECT_EQ(sizeof(LayerNormGradBetaTiling), 20 * 4u);
    optiling::GroupNormTiling tiling;
    tiling.set_smallShape(true);
    EXPECT_TRUE(tiling.get_smallShape());
}

TEST(NormTiling, DeepNorm) {
    const ge::Shape shape({2, 16, 64}), original({2, 16, 60});
    uint32_t max = 0, min = 0;
    EXPECT_TRUE(GetDeepNormMaxMinTmpSize(shape, 2, false, false, max, min));
    DeepNormTiling t;
    EXPECT_TRUE(GetDeepNormTilingInfo(shape, original, min, 2, false, false, t));
    EXPECT_EQ(t.bLength * t.sLength, 32u);
    EXPECT_EQ(t.hLength, 64u);
    EXPECT_EQ(t.originalHLength, 60u);
    EXPECT_EQ(t.bsCurLength, 1u);
    EXPECT_EQ(t.loopRound, 32u);
    EXPECT_EQ(t.lastDimValueBack, 1.0f / 60);
    EXPECT_TRUE(GetDeepNormTilingInfo(shape, original, max, 2, false, false, t));
    EXPECT_EQ(t.bsCurLength, 32u);
    EXPECT_EQ(Message(), "");
    EXPECT_FALSE(GetDeepNormTilingInfo(ge::Shape({1, 8, 2048}), ge::Shape({1, 8, 2048}), max, 4, false, false, t));
    EXPECT_EQ(Message(), "GetDeepNormTilingInfo: H is 2048; it is at most 2040");
}

TEST(NormTiling, GroupNorm) {
    const ge::Shape shape({2, 16, 8, 8});
    uint32_t max = 0, min = 0;
    GetGroupNormMaxMinTmpSize(shape, 2, false, 4, max, min);
    GroupNormTiling t;
    GetGroupNormNDTilingInfo(shape, max, 2, false, 4, t);
    EXPECT_EQ(t.n, 2u);
    EXPECT_EQ(t.c, 16u);
    EXPECT_EQ(t.hw, 64u);
    EXPECT_EQ(t.g, 4u);
    EXPECT_EQ(t.d, 4u);
    EXPECT_EQ(t.dhwAlignSize, 256u);
    EXPECT_EQ(t.factor, 1.0f / 256);
    EXPECT_TRUE(t.smallShape);
    EXPECT_EQ(Message(), "");
    GetGroupNormNDTilingInfo(shape, max, 2, false, 5, t);
    EXPECT_EQ(Message(), "GetGroupNormNDTilingInfo: 5 groups of 16 channels");
    GetGroupNormMaxMinTmpSize(ge::Shape({2, 16, 3, 3}), 4, false, 4, max, min);
    EXPECT_EQ(Message(),
              "GetGroupNormMaxMinTmpSize: the last axis is 9 elements of 4 bytes; a row is a multiple of 32 bytes");
    EXPECT_EQ(Pair(max, min), Pair(0, 0));
}

TEST(NormTiling, BatchNorm) {
    const ge::Shape shape({16, 16, 16}), original({15, 16, 16});
    uint32_t max = 0, min = 0;
    EXPECT_TRUE(GetBatchNormMaxMinTmpSize(shape, original, 2, false, max, min));
    BatchNormTiling t;
    EXPECT_TRUE(GetBatchNormNDTilingInfo(shape, original, min, 2, false, t));
    EXPECT_EQ(t.originalBLength, 15u);
    EXPECT_EQ(t.meanVarSize, 256u);
    EXPECT_EQ(t.shCurLengthBlockNum, 16u);
    EXPECT_EQ(t.firstDimValueBack, 1.0f / 15);
    EXPECT_EQ(Message(), "");
    EXPECT_FALSE(GetBatchNormNDTilingInfo(original, shape, max, 2, false, t));
    EXPECT_EQ(Message(), "GetBatchNormNDTilingInfo: axis 0 before padding is 16, in memory 15");
}

// stackBufferSize of these two is elements.
TEST(NormTiling, Gradients) {
    const ge::Shape shape({2, 16, 64, 64});
    uint32_t max = 0, min = 0;
    GetLayerNormGradMaxMinTmpSize(shape, 2, false, max, min);
    LayerNormGradTiling t;
    GetLayerNormGradNDTilingInfo(shape, min / 2, 2, false, t);
    EXPECT_EQ(t.bLength * t.sLength, 32u);
    EXPECT_EQ(t.hLength, 64u);
    EXPECT_EQ(t.originalHLength, 64u);
    EXPECT_EQ(t.nohCalSize, 1u);
    EXPECT_EQ(t.loopNum, 32u);
    GetLayerNormGradBetaMaxMinTmpSize(shape, 2, false, max, min);
    LayerNormGradBetaTiling beta;
    GetLayerNormGradBetaNDTilingInfo(shape, max / 2, 2, false, beta);
    EXPECT_EQ(beta.bsLength, 32u);
    EXPECT_EQ(beta.bsCurLength, 32u);
    EXPECT_EQ(beta.bshLength, 2048u);
    EXPECT_EQ(Message(), "");
    GetLayerNormGradNDTilingInfo(ge::Shape({2, 16, 64, 60}), max, 2, false, t);
    EXPECT_EQ(Message(), "GetLayerNormGradNDTilingInfo: H before padding is 60, H in memory 64; they are the same");
}

TEST(NormTiling, NormalizeAndLogSoftMax) {
    uint32_t max = 0, min = 0;
    GetNormalizeMaxMinTmpSize(ge::Shape({8, 64}), 4, 2, false, true, false, max, min);
    EXPECT_GT(max, min);
    const ge::Shape shape({12, 64});
    LogSoftMaxTiling t;
    LogSoftMaxTilingFunc(shape, 4, GetLogSoftMaxMaxTmpSize(shape, 4, false), t);
    EXPECT_EQ(t.srcM, 12u);
    EXPECT_EQ(t.srcK, 64u);
    EXPECT_EQ(t.splitM, 12u);
    LogSoftMaxTilingFunc(shape, 4, GetLogSoftMaxMinTmpSize(shape, 4, false), t);
    EXPECT_GE(t.rangeM, 1u);
    EXPECT_EQ(Message(), "");
}

}  // namespace
}  // namespace sfumato
