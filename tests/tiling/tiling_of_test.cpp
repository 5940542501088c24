// SPDX-License-Identifier: Apache-2.0
// Tilings from words: the same bytes as the planner's, and the exact texts of what is refused.
#include "sfumato/tiling/tiling_of.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

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
            .axis1,
        48u);
    EXPECT_EQ(
        Read<AscendC::PadTiling>(TilingOf("Ascend910B1", "pad(shape=20x16,original=20x13,type=half)")).srcOriWidth,
        13u);
    EXPECT_EQ(
        Read<AscendC::UnPadTiling>(TilingOf("Ascend910B1", "unpad(shape=20x16,type=half,workspace=1024)")).heightTiling,
        4u);
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

// Rows of refused_tilings.tsv, which test_tiling_functions.py reads, too.
TEST(TilingOf, Refusals) {
    std::ifstream rows(SFUMATO_REFUSED_TILINGS);
    std::string line;
    int count = 0;
    while (std::getline(rows, line)) {
        if (line.starts_with('#')) continue;
        const size_t first = line.find('\t'), second = line.find('\t', first + 1);
        ASSERT_NE(second, std::string::npos) << line;
        const std::string chip = line.substr(0, first), words = line.substr(first + 1, second - first - 1);
        EXPECT_EQ(Refused(words, chip.empty() ? "Ascend910B1" : chip.c_str()), line.substr(second + 1)) << words;
        ++count;
    }
    EXPECT_GE(count, 180);
}

// What the rows of refused_tilings.tsv say is needed is taken, and a byte less is not.
TEST(TilingOf, TheLeastBuffersAreTaken) {
    std::ifstream rows(SFUMATO_REFUSED_TILINGS);
    int count = 0;
    for (std::string line; std::getline(rows, line);) {
        const size_t given = line.find(", workspace="), needed = line.rfind(" need");
        if (line.find("a temporary buffer of") == std::string::npos) continue;
        const std::string call = line.substr(1, given - 1) + ", workspace=";
        const int least = std::stoi(line.substr(line.find(' ', needed + 1)));
        EXPECT_NO_THROW(TilingOf("Ascend910B1", call + std::to_string(least) + ")")) << line;
        EXPECT_THROW(TilingOf("Ascend910B1", call + std::to_string(least - 1) + ")"), Error) << line;
        ++count;
    }
    EXPECT_GE(count, 7);
}

TEST(TilingOf, NumbersAtTheirLimits) {
    EXPECT_EQ(TilingOf("", "int8:-128").bytes, "\x80");
    EXPECT_EQ(TilingOf("", "int8:127").bytes, "\x7F");
    EXPECT_EQ(TilingOf("", "uint8:255").bytes, "\xFF");
    EXPECT_EQ(TilingOf("", "int16:-32768").bytes, std::string("\0\x80", 2));
    EXPECT_EQ(TilingOf("", "int64:-9223372036854775808").bytes, std::string("\0\0\0\0\0\0\0\x80", 8));
    EXPECT_EQ(TilingOf("", "uint64:18446744073709551615").bytes, std::string(8, '\xFF'));
    EXPECT_EQ(TilingOf("", "uint32:-0").bytes, std::string(4, '\0'));
}

TEST(TilingOf, TemporarySizes) {
    EXPECT_EQ(TmpSizesOf("Gelu", {10, 100}, "half").max, 3 * 2048u);
    EXPECT_EQ(TmpSizesOf("Gelu", {10, 100}, "half").min, 3 * 256u);
    const auto refused = [](const char* call, const Dimensions& shape, const char* type) -> std::string {
        try {
            TmpSizesOf(call, shape, type);
            return "accepted";
        } catch (const Error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(refused("Gelu", {1}, "quarter"), "Gelu: 'quarter' is no element type");
    EXPECT_EQ(refused("Gelo", {1}, "half"), "Gelo: no elementwise call has the name Gelo");
    EXPECT_EQ(refused("Gelu", {1}, "int64"), "Gelu: elements of 8 bytes; legal are 1, 2, 4");
    EXPECT_EQ(refused("Gelu", {4, 0}, "half"), "Gelu: axis 1 of the shape is 0; it is at least 1");
    EXPECT_EQ(refused("Gelu", {4, 1 << 30}, "half"), "Gelu: the shape has more than 2^32 elements");
    EXPECT_EQ(refused("Gelu", {1 << 30}, "float"), "Gelu: 12884901888 bytes do not fit 32 bits");
}

}  // namespace
}  // namespace sfumato::tiling
