// SPDX-License-Identifier: Apache-2.0
// What host code is told of the chip: cores and bytes of every product.
#include "tiling/platform/platform_ascendc.h"

#include <gtest/gtest.h>

#include "lib/matmul/bmm_tiling.h"
#include "sfumato/report.h"

namespace sfumato {
namespace {

platform_ascendc::PlatformAscendC Platform(const char* chip) {
    fe::PlatFormInfos info{chip};
    return platform_ascendc::PlatformAscendC(&info);
}

TEST(Platform, IsTheChipsData) {
    auto platform = Platform("Ascend910B3");
    EXPECT_EQ(platform.GetCoreNum(), 40u);
    EXPECT_EQ(platform.GetCoreNumAic(), 20u);
    EXPECT_EQ(platform.GetCoreNumAiv(), 40u);
    EXPECT_EQ(platform.GetCoreNumVector(), 0u);
    using platform_ascendc::CoreMemType;
    const std::pair<CoreMemType, uint64_t> sizes[] = {
        {CoreMemType::L0_A, 65536}, {CoreMemType::L0_B, 65536}, {CoreMemType::L0_C, 131072}, {CoreMemType::L1, 524288},
        {CoreMemType::L2, 0},       {CoreMemType::UB, 196608},  {CoreMemType::HBM, 0},       {CoreMemType::BT, 1024}};
    for (const auto& [type, bytes] : sizes) {
        uint64_t found = 1;
        platform.GetCoreMemSize(type, found);
        EXPECT_EQ(found, bytes) << static_cast<int>(type);
    }
    platform.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_32K);
    platform.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_8K);
    uint64_t ub = 0;
    platform.GetCoreMemSize(CoreMemType::UB, ub);
    EXPECT_EQ(ub, 196608u - 8192);
    EXPECT_EQ(platform.GetSocVersion(), platform_ascendc::SocVersion::ASCEND910B);
    EXPECT_EQ(platform.GetCurNpuArch(), platform_ascendc::NpuArch::DAV_2201);
    EXPECT_EQ(platform.GetLibApiWorkSpaceSize(), 16u << 20);
    EXPECT_EQ(platform.CalcTschBlockDim(7, 20, 40), 4u);
    EXPECT_EQ(platform.CalcTschNumBlocks(100, 20, 40), 20u);
    EXPECT_EQ(platform.CalcTschBlockDim(7, 0, 40), 7u);
    EXPECT_EQ(platform.CalcTschBlockDim(70, 0, 40), 40u);
    EXPECT_EQ(platform.CalcTschBlockDim(70, 20, 0), 20u);
    const auto coupled = Platform("Ascend310P3");
    EXPECT_EQ(coupled.GetCoreNum(), 8u);
    EXPECT_EQ(coupled.GetCoreNumAic(), 8u);
    EXPECT_EQ(coupled.GetCoreNumAiv(), 8u);
    EXPECT_EQ(coupled.GetCoreNumVector(), 7u);
    EXPECT_EQ(coupled.GetSocVersion(), platform_ascendc::SocVersion::ASCEND310P);
}

// One core each with both units: TIK's table of chips, the page of GetCoreNumVector, and cube.md 1.1 for the bytes.
TEST(Platform, BoardsByProduct) {
    using platform_ascendc::CoreMemType;
    using platform_ascendc::SocVersion;
    struct Bytes {
        CoreMemType type;
        uint64_t on_310b, on_310p;
    };
    constexpr Bytes kBytes[] = {
        {CoreMemType::UB, 248 << 10, 256 << 10},
        {CoreMemType::L1, 1 << 20, 1 << 20},
        {CoreMemType::L0_A, 64 << 10, 64 << 10},
        {CoreMemType::L0_B, 64 << 10, 64 << 10},
        {CoreMemType::L0_C, 128 << 10, 256 << 10},
        {CoreMemType::BT, 1 << 10, 0},
        {CoreMemType::FB, 6 << 10, 0},
    };
    constexpr struct {
        const char* product;
        uint32_t cores, vector_cores;  // the latter beside the AI Cores
    } kProducts[] = {
        {"Ascend310B1", 1, 0}, {"Ascend310B2", 1, 0},  {"Ascend310B3", 1, 0}, {"Ascend310B4", 1, 0},
        {"Ascend310B", 1, 0},  {"Ascend310P1", 10, 8}, {"Ascend310P3", 8, 7}, {"Ascend310P5", 8, 7},
        {"Ascend310P7", 8, 7}, {"ASCEND310P3", 8, 7},
    };
    for (const auto& p : kProducts) {
        const auto platform = Platform(p.product);
        const bool is_310b = platform.GetSocVersion() == SocVersion::ASCEND310B;
        EXPECT_TRUE(is_310b || platform.GetSocVersion() == SocVersion::ASCEND310P) << p.product;
        EXPECT_EQ(platform.GetCoreNum(), p.cores) << p.product;
        EXPECT_EQ(platform.GetCoreNumAic(), p.cores) << p.product;
        EXPECT_EQ(platform.GetCoreNumAiv(), p.cores) << p.product;
        EXPECT_EQ(platform.GetCoreNumVector(), p.vector_cores) << p.product;
        for (const Bytes& b : kBytes) {
            uint64_t found = 1;
            platform.GetCoreMemSize(b.type, found);
            EXPECT_EQ(found, is_310b ? b.on_310b : b.on_310p) << p.product << " " << static_cast<int>(b.type);
        }
    }
}

// A plan that may have more cores than the product gets those of the product.
TEST(Platform, PlansHaveTheCoresOfTheProduct) {
    for (const auto& [product, cores] : {std::pair("Ascend310B4", 1), {"Ascend310P1", 10}, {"Ascend310P7", 8}}) {
        const auto platform = Platform(product);
        matmul_tiling::MultiCoreMatmulTiling plan(platform);
        using matmul_tiling::DataType;
        for (const auto set :
             {&matmul_tiling::MultiCoreMatmulTiling::SetAType, &matmul_tiling::MultiCoreMatmulTiling::SetBType})
            (plan.*set)(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, DataType::DT_FLOAT16, false);
        plan.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, DataType::DT_FLOAT);
        plan.SetDim(static_cast<int32_t>(platform.GetCoreNumAiv()));
        plan.SetShape(1600, 1600, 64);
        plan.SetOrgShape(1600, 1600, 64);
        optiling::TCubeTiling tiling;
        ASSERT_EQ(plan.GetTiling(tiling), 0) << product;
        EXPECT_LE(tiling.get_usedCoreNum(), cores) << product;
        EXPECT_GE(tiling.get_usedCoreNum(), cores / 2 + cores % 2) << product;
    }
}

TEST(Platform, WrongOnes) {
    EXPECT_THROW(platform_ascendc::PlatformAscendC{nullptr}, Error);
    fe::PlatFormInfos unknown{"Ascend1"};
    EXPECT_THROW(platform_ascendc::PlatformAscendC{&unknown}, Error);
    auto platform = Platform("Ascend910B1");
    try {
        platform.ReserveLocalMemory(1000u);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "ReserveLocalMemory: 1000 bytes; legal are 8192, 16384 and 32768");
    }
}

TEST(Platform, TheManagersFirstNameCounts) {
    auto* platform = platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B4");
    ASSERT_NE(platform, nullptr);
    EXPECT_EQ(platform->GetCoreNumAic(), 20u);
    EXPECT_EQ(platform_ascendc::PlatformAscendCManager::GetInstance(), platform);
    EXPECT_EQ(platform_ascendc::PlatformAscendCManager::GetInstance("Ascend310P3"), platform);
}

}  // namespace
}  // namespace sfumato
