// SPDX-License-Identifier: Apache-2.0
// MatmulConfig and its makers (adv.md 2.3). Most fields only order the work and change no result; which do is said at
// each.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sfumato/ascendc/matmul/schedule.h"

namespace AscendC {

enum class BatchMode : uint8_t { NONE, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum class BatchOutMode : uint8_t { SINGLE_BATCH, MULTI_BATCH };
enum class IterateMode : uint8_t {
    ITERATE_MODE_NORMAL = 1,
    ITERATE_MODE_ALL = 2,
    ITERATE_MODE_BATCH = 4,
    ITERATE_MODE_N_BATCH = 8,
    ITERATE_MODE_DEFAULT = 15
};
enum class MatmulConfigMode : uint8_t { CONFIG_NORM, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };

struct MatmulConfig {
    bool doNorm = false, doBasicBlock = false, doMultiDataLoad = false;
    uint32_t basicM = 0, basicN = 0, basicK = 0;
    bool intrinsicsCheck = false;
    bool isNBatch = false;
    bool enVecND2NZ = false;
    bool doSpecialBasicBlock = false;
    uint32_t doMTE2Preload = 0;
    uint32_t singleCoreM = 0, singleCoreN = 0, singleCoreK = 0, stepM = 0, stepN = 0, baseMN = 0, singleCoreMN = 0;
    bool enUnitFlag = true;
    bool isPerTensor = false, hasAntiQuantOffset = false;
    bool doIBShareNorm = false, doSpecialMDL = false;
    bool enableInit = true;
    BatchMode batchMode = BatchMode::BATCH_LESS_THAN_L1;
    bool enableEnd = true, enableGetTensorC = true, enableSetOrgShape = true;
    bool enableSetBias = true;  // false: no bias is added
    bool enableSetTail = true, enableQuantVector = true, enableSetDefineData = true;
    IterateMode iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
    bool enableReuse = true;  // false: dataPtr of the callbacks is an address in GM
    bool enableUBReuse = true, enableL1CacheUB = false;
    bool intraBlockPartSum = false;  // the two vector cores' blocks are added before one output
    IterateOrder iterateOrder = IterateOrder::UNDEF;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    bool enableDoubleCache = false;
    bool isBiasBatch = true;  // batches: the bias has a row for each
    bool enableStaticPadZeros = false;
    bool isPartialOutput = false;  // an output for each baseK step
    bool enableMixDualMaster = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;  // NZ float results have fractals 8 wide
    bool enableKdimReorderLoad = false;
    bool isCO1Shared = false;
    uint32_t sharedCO1BufferSize = 64 * 1024;
    bool enableL1BankConflictOptimise = false;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
    bool enableRelu = false;  // max(C, 0) before the conversion
};

struct MatmulShapeParams {
    uint32_t singleCoreM, singleCoreN, singleCoreK, basicM, basicN, basicK;
};
struct MatmulQuantParams {
    bool isPerTensor, hasAntiQuantOffset;
};
struct MatmulBatchParams {
    bool isNBatch;
    BatchMode batchMode;
    bool isBiasBatch;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
    bool intrinsicsLimit = false, enVecND2NZ = false, enableDoubleCache = false, enableL1CacheUB = false;
    uint32_t doMTE2Preload = 0;
    IterateOrder iterateOrder = IterateOrder::UNDEF;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    bool enableReuse = true, enableUBReuse = true, isPartialOutput = false, isA2B2Shared = false;
    bool isEnableChannelSplit = false, enableKdimReorderLoad = false, enableL1BankConflictOptimise = false;
};

constexpr MatmulConfig GetNormalConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                       const bool isVecND2NZ = false,
                                       const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                       const bool isMsgReuse = true,
                                       const IterateOrder iterateOrder = IterateOrder::UNDEF,
                                       const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                                       const bool enUnitFlag = true, const bool enableMixDualMaster = false,
                                       const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
    MatmulConfig config;
    config.doNorm = true;
    config.intrinsicsCheck = intrinsicsLimit;
    config.isNBatch = batchLoop;
    config.enVecND2NZ = isVecND2NZ;
    config.batchMode = bmmMode;
    config.enableReuse = isMsgReuse;
    config.iterateOrder = iterateOrder;
    config.scheduleType = scheduleType;
    config.enUnitFlag = enUnitFlag;
    config.enableMixDualMaster = enableMixDualMaster;
    config.bmmOutMode = bmmOutMode;
    return config;
}

constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                    const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                    const bool isPerTensor = false, const bool hasAntiQuantOffset = false,
                                    const bool enUnitFlag = false, const bool isMsgReuse = true,
                                    const bool enableUBReuse = true, const bool enableL1CacheUB = false,
                                    const bool enableMixDualMaster = false, const bool enableKdimReorderLoad = false) {
    MatmulConfig config = GetNormalConfig(intrinsicsLimit, batchLoop, isVecND2NZ);
    config.doNorm = false;
    config.doMultiDataLoad = true;
    config.doMTE2Preload = doMTE2Preload;
    config.isPerTensor = isPerTensor;
    config.hasAntiQuantOffset = hasAntiQuantOffset;
    config.enUnitFlag = enUnitFlag;
    config.enableReuse = isMsgReuse;
    config.enableUBReuse = enableUBReuse;
    config.enableL1CacheUB = enableL1CacheUB;
    config.enableMixDualMaster = enableMixDualMaster;
    config.enableKdimReorderLoad = enableKdimReorderLoad;
    return config;
}

constexpr MatmulConfig GetSpecialMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                           const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                           const bool isPerTensor = false, const bool hasAntiQuantOffset = false) {
    MatmulConfig config =
        GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ, isPerTensor, hasAntiQuantOffset);
    config.doMultiDataLoad = false;
    config.doSpecialMDL = true;
    return config;
}

constexpr MatmulConfig GetIBShareNormConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                            const bool isVecND2NZ = false,
                                            const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                            const bool isDoubleCache = false, const bool enUnitFlag = true) {
    MatmulConfig config = GetNormalConfig(intrinsicsLimit, batchLoop, isVecND2NZ, bmmMode);
    config.doNorm = false;
    config.doIBShareNorm = true;
    config.enableDoubleCache = isDoubleCache;
    config.enUnitFlag = enUnitFlag;
    return config;
}

constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK,
                                      const bool intrinsicsLimit = false, const bool batchLoop = false,
                                      const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
    MatmulConfig config = GetNormalConfig(intrinsicsLimit, batchLoop, false, bmmMode);
    config.doNorm = false;
    config.doBasicBlock = true;
    config.basicM = basicM;
    config.basicN = basicN;
    config.basicK = basicK;
    return config;
}

inline constexpr MatmulConfig CFG_NORM = GetNormalConfig();
inline constexpr MatmulConfig CFG_MDL = GetMDLConfig();
inline constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();
inline constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);

}  // namespace AscendC

namespace sfumato::ascendc {

using AscendC::MatmulConfig;
constexpr void Put(MatmulConfig* config, const AscendC::MatmulShapeParams& p) {
    config->singleCoreM = p.singleCoreM;
    config->singleCoreN = p.singleCoreN;
    config->singleCoreK = p.singleCoreK;
    config->basicM = p.basicM;
    config->basicN = p.basicN;
    config->basicK = p.basicK;
}
constexpr void Put(MatmulConfig* config, const AscendC::MatmulQuantParams& p) {
    config->isPerTensor = p.isPerTensor;
    config->hasAntiQuantOffset = p.hasAntiQuantOffset;
}
constexpr void Put(MatmulConfig* config, const AscendC::MatmulBatchParams& p) {
    config->isNBatch = p.isNBatch;
    config->batchMode = p.batchMode;
    config->isBiasBatch = p.isBiasBatch;
    config->bmmOutMode = p.bmmOutMode;
}
constexpr void Put(MatmulConfig* config, const AscendC::MatmulFuncParams& p) {
    config->intrinsicsCheck = p.intrinsicsLimit;
    config->enVecND2NZ = p.enVecND2NZ;
    config->enableDoubleCache = p.enableDoubleCache;
    config->enableL1CacheUB = p.enableL1CacheUB;
    config->doMTE2Preload = p.doMTE2Preload;
    config->iterateOrder = p.iterateOrder;
    config->scheduleType = p.scheduleType;
    config->enableReuse = p.enableReuse;
    config->enableUBReuse = p.enableUBReuse;
    config->isPartialOutput = p.isPartialOutput;
    config->isA2B2Shared = p.isA2B2Shared;
    config->isEnableChannelSplit = p.isEnableChannelSplit;
    config->enableKdimReorderLoad = p.enableKdimReorderLoad;
    config->enableL1BankConflictOptimise = p.enableL1BankConflictOptimise;
}
constexpr MatmulConfig StartOf(AscendC::MatmulConfigMode mode) {
    switch (mode) {
        case AscendC::MatmulConfigMode::CONFIG_MDL: return AscendC::GetMDLConfig();
        case AscendC::MatmulConfigMode::CONFIG_SPECIALMDL: return AscendC::GetSpecialMDLConfig();
        case AscendC::MatmulConfigMode::CONFIG_IBSHARE: return AscendC::GetIBShareNormConfig();
        case AscendC::MatmulConfigMode::CONFIG_NORM: break;
    }
    return AscendC::GetNormalConfig();
}

}  // namespace sfumato::ascendc

namespace AscendC {

// The parameter structs in any order, each at most once.
template <MatmulConfigMode configMode, class... Params>
constexpr MatmulConfig GetMMConfig(const Params&... params) {
    MatmulConfig config = sfumato::ascendc::StartOf(configMode);
    (sfumato::ascendc::Put(&config, params), ...);
    return config;
}

}  // namespace AscendC

// The documentation's programs write matmul::Matmul or AscendC::Matmul, and these names without either.
using AscendC::BatchMode;
using AscendC::BatchOutMode;
using AscendC::CFG_IBSHARE_NORM;
using AscendC::CFG_MDL;
using AscendC::CFG_NORM;
using AscendC::GetBasicConfig;
using AscendC::GetIBShareNormConfig;
using AscendC::GetMDLConfig;
using AscendC::GetMMConfig;
using AscendC::GetNormalConfig;
using AscendC::GetSpecialMDLConfig;
using AscendC::IterateMode;
using AscendC::IterateOrder;
using AscendC::MatmulBatchParams;
using AscendC::MatmulConfig;
using AscendC::MatmulConfigMode;
using AscendC::MatmulFuncParams;
using AscendC::MatmulQuantParams;
using AscendC::MatmulShapeParams;
using AscendC::MM_CFG_BB;
using AscendC::ScheduleType;
