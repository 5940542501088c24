// SPDX-License-Identifier: Apache-2.0
// Names of Matmul as the documentation's programs write them: some in matmul or AscendC, others in neither. No
// using-directive stands at the top of this file.
#include <gtest/gtest.h>

#include <type_traits>

#include "kernel_operator.h"
#include "lib/matmul_intf.h"

typedef matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half> Half;
typedef AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float> Float;

constexpr static MatmulConfig kOwn = GetMDLConfig(false, false, 0, true);
constexpr static MatmulShapeParams kShape = {128, 128, 64, 64, 64, 32};
constexpr static MatmulFuncParams kFunctions = {
    .intrinsicsLimit = false, .iterateOrder = IterateOrder::ORDER_M, .scheduleType = ScheduleType::INNER_PRODUCT};
constexpr static MatmulConfig kMade = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(kShape, kFunctions);
constexpr static matmul::MatmulConfig kBatch = GetNormalConfig(false, false, false, BatchMode::BATCH_LESS_THAN_L1);
static_assert(kMade.singleCoreM == 128 && kMade.basicK == 32 && kMade.iterateOrder == IterateOrder::ORDER_M);

template <const auto& config>
using Product = matmul::Matmul<Half, Half, Float, Float, config>;
static_assert(std::is_same_v<Product<CFG_NORM>, matmul::Matmul<Half, Half, Float, Float>>);
static_assert(std::is_same_v<Product<matmul::CFG_MDL>, AscendC::Matmul<Half, Half, Float, Float, CFG_MDL>>);
static_assert(std::is_same_v<Product<AscendC::CFG_IBSHARE_NORM>, Product<CFG_IBSHARE_NORM>>);
static_assert(!std::is_same_v<Product<kOwn>, Product<CFG_MDL>>);

namespace by_directive {
using namespace matmul;
static_assert(std::is_same_v<Matmul<Half, Half, Float, Float, CFG_MDL>, Product<CFG_MDL>>);
constexpr MatmulConfig kBasic = GetBasicConfig(128, 256, 64);
}  // namespace by_directive
namespace by_both {
using namespace AscendC;
using namespace matmul;
static_assert(std::is_same_v<MatmulImpl<Half, Half, Float, Float, MM_CFG_BB>, matmul::MatmulImpl<Half, Half, Float, Float, ::MM_CFG_BB>>);
}  // namespace by_both

TEST(MatmulNames, AreOneThingInEverySpelling) {
    EXPECT_EQ(&CFG_MDL, &matmul::CFG_MDL);
    EXPECT_EQ(&CFG_NORM, &AscendC::CFG_NORM);
    EXPECT_EQ(by_directive::kBasic.basicN, 256u);
    EXPECT_EQ(kBatch.batchMode, matmul::BatchMode::BATCH_LESS_THAN_L1);
    Product<CFG_MDL> object;
    Product<kOwn> own;
    static_cast<void>(object), static_cast<void>(own);
}
