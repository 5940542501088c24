// SPDX-License-Identifier: Apache-2.0
// The tiling of the softmax family as constants and on the host (adv.md 4.1): how many rows a pass takes.
#pragma once

#include <cstdint>

#include "sfumato/tiling/row_need.h"
#include "sfumato/tiling/vector_tiling.h"

namespace AscendC {

// Rows and columns of the data, as they lie in memory and before they were padded.
struct SoftMaxShapeInfo {
    uint32_t srcM = 0, srcK = 0, oriSrcM = 0, oriSrcK = 0;
};

}  // namespace AscendC

namespace sfumato::tiling {

// workspace: bytes of the temporary buffer. At least one row is taken, even of a buffer too small.
constexpr AscendC::tiling::SoftMaxTiling SoftMaxPlan(uint32_t rows, uint32_t columns, const SoftmaxUse& use,
                                                     uint32_t workspace) {
    const uint32_t at_once = RowsIn(SoftmaxNeed(columns, use), workspace, rows);
    AscendC::tiling::SoftMaxTiling t;
    t.srcM = rows, t.srcK = columns, t.srcSize = rows * columns;
    t.outMaxM = rows, t.outMaxK = 32 / use.side_size, t.outMaxSize = rows * t.outMaxK;
    t.splitM = at_once < 1 ? 1 : at_once;
    t.splitK = columns, t.splitSize = t.splitM * columns;
    t.reduceM = t.splitM, t.reduceK = t.outMaxK, t.reduceSize = t.reduceM * t.reduceK;
    t.rangeM = t.splitM ? rows / t.splitM : 0;
    t.tailM = t.splitM ? rows % t.splitM : 0;
    t.tailSplitSize = t.tailM * columns, t.tailReduceSize = t.tailM * t.reduceK;
    return t;
}

}  // namespace sfumato::tiling

namespace AscendC {

// The tiling in a kernel, of sizes in bytes of the data, and of sum and maximum.
constexpr tiling::SoftMaxTiling SoftMaxFlashV2TilingFuncImpl(
    const uint32_t srcM, const uint32_t srcK, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
    const uint32_t localWorkSpaceSize, const bool isUpdate = false, [[maybe_unused]] const bool isBasicBlock = false,
    [[maybe_unused]] const bool isDataFormatNZ = false, [[maybe_unused]] const bool isFlashOutputBrc = false) {
    return sfumato::tiling::SoftMaxPlan(srcM, srcK, sfumato::tiling::FlashV2Use(dataTypeSize1, dataTypeSize2, isUpdate),
                                        localWorkSpaceSize);
}
constexpr tiling::SoftMaxTiling SoftMaxFlashV2TilingFunc(const SoftMaxShapeInfo& shapeInfo,
                                                         const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                                                         const uint32_t localWorkSpaceSize, const bool isUpdate = false,
                                                         const bool isBasicBlock = false,
                                                         const bool isDataFormatNZ = false,
                                                         const bool isFlashOutputBrc = false) {
    return SoftMaxFlashV2TilingFuncImpl(shapeInfo.srcM, shapeInfo.srcK, dataTypeSize1, dataTypeSize2,
                                        localWorkSpaceSize, isUpdate, isBasicBlock, isDataFormatNZ, isFlashOutputBrc);
}

}  // namespace AscendC
