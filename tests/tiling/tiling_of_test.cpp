// SPDX-License-Identifier: Apache-2.0
// Tilings from words: the same bytes as the planner's, and the exact texts of what is refused.
#include "sfumato/tiling/tiling_of.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sfumato/report.h"
#include "sfumato/tiling/cube_planner.h"

namespace sfumato::tiling {
namespace {

using AscendC::CubeFormat;
using AscendC::TPosition;

template <class Tiling>
Tiling Read(const TilingValue& value) {
    Tiling tiling;
    EXPECT_EQ(value.bytes.size(), sizeof(tiling));
    std::memcpy(static_cast<void*>(&tiling), value.bytes.data(), sizeof(tiling));
    return tiling;
}

std::string Refused(const std::string& text, const char* chip = "Ascend910B1") {
    try {
        TilingOf(chip, text);
        return "accepted";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(TilingOf, MatmulIsThePlanners) {
    CubePlanner planner(CubeMachineOf("Ascend910B1"), CubeScope::kManyCores);
    planner.SetType(CubeOperand::kA, TPosition::VECOUT, CubeFormat::NZ, DataType::kHalf, true);
    planner.SetType(CubeOperand::kB, TPosition::GM, CubeFormat::ND, DataType::kHalf);
    planner.SetType(CubeOperand::kC, TPosition::GM, CubeFormat::ND, DataType::kFloat);
    planner.SetType(CubeOperand::kBias, TPosition::GM, CubeFormat::ND, DataType::kFloat);
    planner.SetBias(true);
    planner.SetShape(512, 1024, 256);
    planner.SetOrgShape(512, 2048, 256, 300);
    planner.SetDim(24);
    planner.SetSingleShape({128, -1, -1});
    planner.SetAlignSplit({-1, 32, -1});
    planner.SetFixSplit({64, 128, -1});
    planner.SetBufferSpace(200000, -1, -1, -1);
    planner.SetTraverse(2);
    const TCubeTiling planned = planner.Plan();
    const TilingValue value =
        TilingOf("Ascend910B1",
                 "matmul(m=512, n=1024, k=256, org_n=2048, org_kb=300, a=NZ half vecout transposed, b=half, "
                 "c=float:ND:GM, bias=float, "
                 "cores=24, single_m=128, align_n=32, base_m=64, base_n=128, l1=200000, first=n)");
    EXPECT_EQ(value.name, "TCubeTiling");
    EXPECT_EQ(value.fields.size(), 50u);
    EXPECT_EQ(value.fields[8].name, "baseM");
    EXPECT_EQ(std::memcmp(value.bytes.data(), &planned, sizeof(planned)), 0);
}

TEST(TilingOf, BatchesAndSplitK) {
    auto t =
        Read<TCubeTiling>(TilingOf("Ascend910B1", "MatMul(m=32,n=64,k=128,a=half,b=half,c=half,batch_a=2,batch_b=4)"));
    EXPECT_EQ(t.BatchNum, 4);
    EXPECT_EQ(t.ALayoutInfoB, 2);
    t = Read<TCubeTiling>(TilingOf("Ascend910B1",
                                   "matmul(m=32,n=64,k=128,a=half,b=half,c=half,batch=6,a_layout=1x32x2x3x128,"
                                   "b_layout=[1,64,2,3,128],c_layout=(1,32,2,3,64))"));
    EXPECT_EQ(t.BLayoutInfoS, 64);
    EXPECT_EQ(t.CLayoutInfoS2, 64);
    t = Read<TCubeTiling>(
        TilingOf("Ascend910B1", "matmul(m=16,n=16,k=4096,a=half,b=half,c=float,cores=8,split_k=true)"));
    EXPECT_EQ(t.usedCoreNum, 8);
}

TEST(TilingOf, VectorCalls) {
    const auto softmax = Read<AscendC::SoftMaxTiling>(
        TilingOf("Ascend910B1", "softmax(shape=4x128, type=half, sum_type=float, workspace=5000)"));
    EXPECT_EQ(softmax.splitM, 4u);
    EXPECT_EQ(softmax.outMaxK, 8u);
    EXPECT_EQ(Read<AscendC::LayerNormTiling>(TilingOf("Ascend910B1", "layernorm(shape=[1,4,64,60], type=float)"))
                  .originalHLength,
              60u);
    EXPECT_EQ(Read<AscendC::LayerNormSeparateTiling>(TilingOf("Ascend910B1", "layernormrstd(shape=5x100,type=float)"))
                  .aLength,
              5u);
    EXPECT_EQ(Read<AscendC::RmsNormTiling>(TilingOf("Ascend910B1", "rmsnorm(shape=1x4x64,original=1x4x50,type=half)"))
                  .originalHLength,
              50u);
    const TilingValue topk = TilingOf("Ascend910B1", "topk(inner=64,k=5,outter=3,type=float)");
    EXPECT_EQ(Read<AscendC::TopkTiling>(topk).allDataSize, 192);
    EXPECT_EQ(topk.fields.back().type, "uint16_t");
    EXPECT_EQ(
        Read<AscendC::ConfusionTransposeTiling>(TilingOf("Ascend910B1", "transpose(shape=16x48,type=int16,kind=7)"))
            .param1,
        48u);
    EXPECT_EQ(
        Read<AscendC::PadTiling>(TilingOf("Ascend910B1", "pad(shape=20x16,original=20x13,type=half)")).srcOriWidth,
        13u);
    EXPECT_EQ(
        Read<AscendC::UnPadTiling>(TilingOf("Ascend910B1", "unpad(shape=20x16,type=half,workspace=1024)")).heightTiling,
        2u);
}

TEST(TilingOf, Norms) {
    const auto of = [](const char* text) { return TilingOf("Ascend910B1", text); };
    EXPECT_EQ(Read<AscendC::LogSoftMaxTiling>(of("logsoftmax(shape=4x128,type=half)")).splitM, 4u);
    EXPECT_EQ(Read<AscendC::DeepNormTiling>(of("deepnorm(shape=1x4x64,original=1x4x50,type=half)")).originalHLength,
              50u);
    const TilingValue groups = of("groupnorm(shape=2x16x8x8,groups=4,type=float)");
    EXPECT_EQ(Read<AscendC::GroupNormTiling>(groups).d, 4u);
    EXPECT_EQ(groups.fields.back().type, "bool");
    EXPECT_EQ(Read<AscendC::BatchNormTiling>(of("batchnorm(shape=16x16x16,original=15x16x16,type=half)")).meanVarSize,
              256u);
    EXPECT_EQ(Read<AscendC::LayerNormGradTiling>(of("layernormgrad(shape=2x16x64,type=half)")).nohCalSize, 32u);
    EXPECT_EQ(Read<AscendC::LayerNormGradBetaTiling>(of("layernormgradbeta(shape=2x16x64,type=float)")).bsLength, 32u);
    EXPECT_EQ(of("groupnorm(shape=2x16x8x8,groups=4,type=float) + int8:1").bytes.size(), 124u);
}

TEST(TilingOf, SeveralAreOneStruct) {
    struct Whole {
        uint16_t number;
        TCubeTiling cube;
        int64_t other;
        float scale;
        int8_t last;
    };
    const TilingValue value = TilingOf(
        "Ascend910B1", "uint16:7 + matmul(m=64, n=64, k=64, a=half, b=half, c=float) + int64:-3 + float:0.5 + int8:-1");
    const Whole whole = Read<Whole>(value);
    EXPECT_EQ(whole.number, 7);
    EXPECT_EQ(whole.cube.M, 64);
    EXPECT_EQ(whole.other, -3);
    EXPECT_EQ(whole.scale, 0.5f);
    EXPECT_EQ(whole.last, -1);
}

TEST(TilingOf, Refusals) {
    const std::pair<const char*, const char*> rows[] = {
        {"matmul(n=1)", "matmul: m is missing"},
        {"matmul(m=1,m=2)", "matmul: m is given twice"},
        {"matmul(m=x,n=1,k=1)", "matmul: m is 'x'; it is an integer"},
        {"matmul(m=1,n=1,k=1,a=half,b=half)", "GetTiling: the type of C is missing: call SetCType"},
        {"matmul(m=1,n=1,k=1,a=ND)", "matmul: a is 'ND': its element type is missing"},
        {"matmul(m=1,n=1,k=1,c=half transposed)",
         "matmul: c is 'half transposed': 'transposed' is no element type, no format (ND, NZ, VECTOR, SCALAR, "
         "ND_ALIGN), no "
         "position (GM, VECIN, VECOUT, VECCALC, TSCM, CO1)"},
        {"matmul(m=1,n=1,k=1,a=half,b=half,c=half,tile=3)",
         "matmul: there is no setting tile; there are a, a_layout, align_k, align_m, align_n, b, b_layout, base_m, "
         "base_n, "
         "batch, batch_a, batch_b, bias, bt, c, c_layout, cores, first, k, l0c, l1, m, n, org_ka, org_kb, org_m, "
         "org_n, "
         "single_k, single_m, single_n, split_k, ub"},
        {"matmul(m=1,n=1,k=1,cores=2,batch=2)", "matmul: cores and batches: a plan of batches is for one core"},
        {"matmul(m=1,n=1,k=1,first=k)", "matmul: first is 'k'; legal are m and n"},
        {"matmul(m=1,n=1,k=1,split_k=yes)", "matmul: split_k is 'yes'; legal are true and false"},
        {"matmul(m=1,n=1,k=1,batch=2,a_layout=1x2)", "matmul: a_layout has 2 numbers; it has b, s, n, g, d"},
        {"matmul(m=256,n=256,k=256,a=half,b=half,c=float,base_m=256,base_n=256)",
         "GetTiling: no tiling of 256 x 256 x 256 fits Ascend910B1: baseM x baseN x 4 x dbL0C = 256 x 256 x 4 x 1 are "
         "262144 "
         "bytes; L0C has 131072"},
        {"softmax(shape=4x128)", "softmax: type is missing"},
        {"softmax(shape=4x128,type=halb)", "softmax: type is 'halb', which is no element type"},
        {"softmax(shape=4x128,type=half,workspace=100)",
         "softmax: a temporary buffer of 100 bytes; a row of 128 needs 2048"},
        {"topk(inner=64,k=65,type=half)", "topk: k is 65; legal are 1 to inner 64"},
        {"gelu(x=1)",
         "no tiling has the name 'gelu'; there are matmul, softmax, layernorm, layernormrstd, rmsnorm, topk, "
         "transpose, pad, "
         "unpad, logsoftmax, deepnorm, groupnorm, batchnorm, layernormgrad, layernormgradbeta"},
        {"matmul(m)", "'m': a setting is KEY=VALUE"},
        {"uint32:x + int8:1", "'uint32:x': 'x' is no number"},
        {"half:1", "'half:1' is no tiling NAME(KEY=VALUE, ...) and no number TYPE:VALUE of an integer type or float"},
    };
    for (const auto& [text, refusal] : rows) EXPECT_EQ(Refused(text), refusal) << text;
}

TEST(TilingOf, TemporarySizes) {
    EXPECT_EQ(TmpSizesOf("Gelu", {10, 100}, "half").max, 3 * 2048u);
    EXPECT_EQ(TmpSizesOf("Gelu", {10, 100}, "half").min, 3 * 256u);
    EXPECT_THROW(TmpSizesOf("Gelu", {1}, "quarter"), Error);
    EXPECT_THROW(TmpSizesOf("Gelo", {1}, "half"), Error);
}

}  // namespace
}  // namespace sfumato::tiling
