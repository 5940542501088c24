// SPDX-License-Identifier: Apache-2.0
// The tiling classes as host programs use them: every method, what it returns, what is said.
#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>

#include "host/message.h"
#include "lib/matmul/bmm_tiling.h"
#include "register/tilingdata_base.h"
#include "sfumato/report.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MatmulUserTiling)
TILING_DATA_FIELD_DEF(uint32_t, rounds);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
END_TILING_DATA_DEF;
}  // namespace optiling

namespace sfumato {
namespace {

using namespace matmul_tiling;
using matmul_tiling::DataType;

platform_ascendc::PlatformAscendC Platform(const char* chip) {
    fe::PlatFormInfos info{chip};
    return platform_ascendc::PlatformAscendC(&info);
}

template <class Tiling>
void Usual(Tiling& tiling, DataType ab = DataType::DT_FLOAT16) {
    EXPECT_EQ(tiling.SetAType(TPosition::GM, CubeFormat::ND, ab), 0);
    EXPECT_EQ(tiling.SetBType(AscendC::TPosition::GM, CubeFormat::ND, ab, true), 0);
    EXPECT_EQ(tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT), 0);
    EXPECT_EQ(tiling.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT), 0);
}

TEST(MatmulTiling, BothFormsAreOneStruct) {
    static_assert(std::is_same_v<optiling::TCubeTiling, AscendC::tiling::TCubeTiling>);
    static_assert(std::is_trivially_copyable_v<TCubeTiling> && std::is_aggregate_v<TCubeTiling>);
    optiling::TCubeTiling tiling;
    tiling.set_baseM(64);
    EXPECT_EQ(tiling.get_baseM(), 64);
    EXPECT_EQ(tiling.baseM, 64);
    EXPECT_EQ(tiling.GetDataSize(), 200u);
    int32_t words[50] = {};
    tiling.SaveToBuffer(words, sizeof(words));
    EXPECT_EQ(words[8], 64);
    EXPECT_THROW(tiling.SaveToBuffer(words, 100), Error);
}

TEST(MatmulTiling, ManyCoresIntoAUsersStruct) {
    const auto platform = Platform("Ascend910B1");
    MultiCoreMatmulTiling tiling(platform);
    Usual(tiling);
    EXPECT_EQ(tiling.SetDim(4), 0);
    EXPECT_EQ(tiling.SetShape(1024, 640, 256), 0);
    EXPECT_EQ(tiling.SetOrgShape(1024, 640, 256), 0);
    EXPECT_EQ(tiling.EnableBias(true), 0);
    EXPECT_EQ(tiling.SetBufferSpace(-1, -1, -1), 0);
    optiling::MatmulUserTiling user;
    EXPECT_NE(tiling.GetTiling(user.cube), -1);
    EXPECT_EQ(user.cube.get_usedCoreNum(), 4);
    EXPECT_EQ(user.cube.singleCoreM, 256);
    EXPECT_EQ(user.cube.singleCoreN, 640);
    EXPECT_EQ(user.cube.isBias, 1);
    int32_t dim = 0, m = 0, n = 0, k = 0;
    EXPECT_EQ(tiling.GetCoreNum(dim, m, n), 0);
    EXPECT_EQ(dim, 4);
    EXPECT_EQ(m, 4);
    EXPECT_EQ(n, 1);
    EXPECT_EQ(tiling.GetSingleShape(m, n, k), 0);
    EXPECT_EQ(m, 256);
    EXPECT_EQ(n, 640);
    EXPECT_EQ(k, 256);
    EXPECT_EQ(tiling.GetBaseM(), user.cube.baseM);
    EXPECT_EQ(tiling.GetBaseN(), user.cube.baseN);
    EXPECT_EQ(tiling.GetBaseK(), user.cube.baseK);
    user.rounds = 3;
    uint8_t bytes[sizeof(user)];
    user.SaveToBuffer(bytes, sizeof(bytes));
    TCubeTiling read;
    std::memcpy(static_cast<void*>(&read), bytes + 4, sizeof(read));
    EXPECT_EQ(read.baseN, user.cube.baseN);
    EXPECT_EQ(Message(), "");
}

TEST(MatmulTiling, EveryMethodOfTheTable) {
    MultiCoreMatmulTiling tiling(Platform("Ascend910B1"));
    Usual(tiling);
    EXPECT_EQ(tiling.SetDim(20), 0);
    EXPECT_EQ(tiling.SetShape(512, 512, 4096), 0);
    EXPECT_EQ(tiling.SetOrgShape(512, 512, 4096, 5000), 0);
    EXPECT_EQ(tiling.SetSingleShape(128, 256), 0);
    EXPECT_EQ(tiling.SetSingleRange(512, 512, 4096, 16, 16), 0);
    EXPECT_EQ(tiling.SetAlignSplit(16, 16, 16), 0);
    EXPECT_EQ(tiling.SetFixSplit(64, 128, -1), 0);
    EXPECT_EQ(tiling.SetSplitRange(128, 128, 128, 16, 16), 0);
    EXPECT_EQ(tiling.SetBias(false), 0);
    EXPECT_EQ(tiling.SetBufferSpace(262144, -1, -1, -1), 0);
    EXPECT_EQ(tiling.SetTraverse(MatrixTraverse::FIRSTN), 0);
    EXPECT_EQ(tiling.SetMadType(MatrixMadType::HF32), 0);
    EXPECT_EQ(tiling.SetDoubleBuffer(true, true, true, false), 0);
    EXPECT_EQ(tiling.SetDequantType(DequantType::TENSOR), 0);
    EXPECT_EQ(tiling.SetSparse(false), 0);
    tiling.SetMatmulConfigParams(0, true, ScheduleType::INNER_PRODUCT, MatrixTraverse::FIRSTN, false);
    tiling.EnableMultiCoreSplitK(false);
    EXPECT_EQ(tiling.SetSplitK(false), 0);
    TCubeTiling t;
    EXPECT_EQ(tiling.GetTiling(t), 0);
    EXPECT_EQ(t.usedCoreNum, 8);
    EXPECT_EQ(t.Kb, 5000);
    EXPECT_EQ(t.baseM, 64);
    EXPECT_EQ(t.baseN, 128);
    EXPECT_EQ(t.iterateOrder, 1);
    EXPECT_LE(t.shareL1Size, 262144);
    SysTilingTempBufSize sizes;
    EXPECT_EQ(MultiCoreMatmulGetTmpBufSize(t, sizes), 0);
    EXPECT_EQ(sizes.l1Size, t.depthA1 * 64 * t.baseK * 2 + t.depthB1 * 128 * t.baseK * 2);
    EXPECT_EQ(sizes.l0cSize, 64 * 128 * 4 * t.dbL0C);
    EXPECT_EQ(sizes.ubSize, 0);
    EXPECT_EQ(MatmulGetTmpBufSizeV2(t, sizes), 0);
    tiling.SetSplitK(true);
    tiling.SetSingleShape(64, 64);
    tiling.SetFixSplit();
    tiling.SetShape(64, 64, 4096);
    EXPECT_EQ(tiling.GetTiling(t), 0);
    EXPECT_EQ(t.usedCoreNum, 20);
    EXPECT_EQ(Message(), "");
}

TEST(MatmulTiling, Batches) {
    BatchMatmulTiling tiling(Platform("Ascend910B1"));
    Usual(tiling);
    EXPECT_EQ(tiling.SetShape(32, 64, 128), 0);
    EXPECT_EQ(tiling.SetALayout(1, 32, 2, 3, 128), 0);
    EXPECT_EQ(tiling.SetBLayout(1, 64, 2, 3, 128), 0);
    EXPECT_EQ(tiling.SetCLayout(1, 32, 2, 3, 64), 0);
    EXPECT_EQ(tiling.SetBatchNum(6), 0);
    TCubeTiling t;
    EXPECT_EQ(tiling.GetTiling(t), 0);
    EXPECT_EQ(t.BatchNum, 6);
    EXPECT_EQ(t.ALayoutInfoD, 128);
    EXPECT_EQ(tiling.SetBatchInfoForNormal(2, 4, 32, 64, 128), 0);
    EXPECT_EQ(tiling.SetSingleShape(16, 64, 128), 0);
    EXPECT_EQ(tiling.GetTiling(t), 0);
    EXPECT_EQ(t.BLayoutInfoB, 4);
    int32_t dim = 0, m = 0, n = 0, batch_m = 0, batch_n = 0;
    EXPECT_EQ(tiling.GetCoreNum(dim, m, n, batch_m, batch_n), 0);
    EXPECT_EQ(dim * m * n * batch_m * batch_n, 1);
    SysTilingTempBufSize sizes;
    EXPECT_EQ(BatchMatmulGetTmpBufSize(t, sizes), 0);
}

TEST(MatmulTiling, RefusalsAreMinusOneAndAMessage) {
    MultiCoreMatmulTiling tiling(Platform("Ascend910B1"));
    TCubeTiling t;
    t.baseM = 77;
    EXPECT_EQ(tiling.GetTiling(t), -1);
    EXPECT_EQ(t.baseM, 77);
    EXPECT_EQ(Message(), "GetTiling: the type of A is missing: call SetAType");
    EXPECT_EQ(tiling.GetBaseM(), -1);
    EXPECT_EQ(Message(), "GetBaseM: there is no plan yet: call GetTiling first, and look at what it returns");
    int32_t m = 5, n = 5, k = 5;
    EXPECT_EQ(tiling.GetSingleShape(m, n, k), -1);
    EXPECT_EQ(Message(), "GetSingleShape: there is no plan yet: call GetTiling first, and look at what it returns");
    EXPECT_EQ(tiling.GetCoreNum(m, n, k), -1);
    EXPECT_EQ(Message(), "GetCoreNum: there is no plan yet: call GetTiling first, and look at what it returns");
    EXPECT_EQ(tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_DOUBLE), -1);
    EXPECT_EQ(Message(), "SetAType: type float64 is none that Matmul takes");
    EXPECT_EQ(tiling.SetBType(TPosition::GM, CubeFormat::ND, static_cast<DataType>(99)), -1);
    EXPECT_EQ(Message(), "SetBType: type 99 is none that Matmul takes");
    EXPECT_EQ(tiling.SetMadType(static_cast<MatrixMadType>(2)), -1);
    EXPECT_EQ(Message(), "SetMadType: 2; legal are NORMAL 0 and HF32 1");
    EXPECT_EQ(tiling.SetDequantType(static_cast<DequantType>(-1)), -1);
    EXPECT_EQ(Message(), "SetDequantType: -1; legal are SCALAR 0 and TENSOR 1");
    EXPECT_EQ(tiling.SetDim(49), -1);
    EXPECT_EQ(Message(), "SetDim: 49 cores; on Ascend910B1 legal are 1 to 48");
    SysTilingTempBufSize sizes;
    TCubeTiling by_hand;
    EXPECT_EQ(MatmulGetTmpBufSize(by_hand, sizes), -1);
    EXPECT_EQ(Message(),
              "MatmulGetTmpBufSize: shareL1Size is 0 and shareL0CSize 0: GetTiling has not made this tiling");
}

TEST(MatmulTiling, SizesInsteadOfAPlatform) {
    PlatformInfo info;
    info.socVersion = platform_ascendc::SocVersion::ASCEND310P;
    info.l0CSize = 65536;
    MatmulApiTiling tiling(info);
    EXPECT_EQ(tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16), 0);
    EXPECT_EQ(tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16), 0);
    EXPECT_EQ(tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16), 0);
    EXPECT_EQ(tiling.SetShape(256, 256, 256), 0);
    TCubeTiling t;
    EXPECT_EQ(tiling.GetTiling(t), 0);
    EXPECT_EQ(t.baseM * t.baseN * 4 * t.dbL0C, 65536);
    EXPECT_EQ(t.transLength, t.baseM * t.baseN * 4);
    info.socVersion = platform_ascendc::SocVersion::RESERVED_VERSION;
    EXPECT_THROW(MatmulApiTiling{info}, Error);
}

TEST(Shape, AsProgramsUseIt) {
    const ge::Shape shape({2, 3, 32});
    EXPECT_EQ(shape.GetDimNum(), 3u);
    EXPECT_EQ(shape.GetDim(1), 3);
    EXPECT_EQ(shape.GetDim(7), 0);
    EXPECT_EQ(shape.GetShapeSize(), 192);
    std::vector<int64_t> dims = {4, 5};
    ge::Shape other(dims);
    other.SetDim(0, 6);
    EXPECT_EQ(other.GetDims(), (std::vector<int64_t>{6, 5}));
    EXPECT_EQ(ge::Shape().GetShapeSize(), 0);
}

}  // namespace
}  // namespace sfumato
