// SPDX-License-Identifier: Apache-2.0
// TCubeTiling: what a kernel's Matmul is told of sizes and blocks (adv.md 3.1). Fifty int32 in the vendor's order,
// shared by kernels, host code and Python.
#pragma once

#include "sfumato/tiling/tiling_struct.h"

// SFUMATO_CUBE_TILING(field) for each field, in binary order.
// clang-format off
#define SFUMATO_CUBE_TILING_FIELDS(FIELD) \
    FIELD(usedCoreNum) FIELD(M) FIELD(N) FIELD(Ka) FIELD(Kb) FIELD(singleCoreM) FIELD(singleCoreN) \
    FIELD(singleCoreK) FIELD(baseM) FIELD(baseN) FIELD(baseK) FIELD(depthA1) FIELD(depthB1) FIELD(stepM) \
    FIELD(stepN) FIELD(isBias) FIELD(transLength) FIELD(iterateOrder) FIELD(shareMode) FIELD(shareL1Size) \
    FIELD(shareL0CSize) FIELD(shareUbSize) FIELD(batchM) FIELD(batchN) FIELD(singleBatchM) FIELD(singleBatchN) \
    FIELD(stepKa) FIELD(stepKb) FIELD(depthAL1CacheUB) FIELD(depthBL1CacheUB) FIELD(dbL0A) FIELD(dbL0B) \
    FIELD(dbL0C) FIELD(ALayoutInfoB) FIELD(ALayoutInfoS) FIELD(ALayoutInfoN) FIELD(ALayoutInfoG) \
    FIELD(ALayoutInfoD) FIELD(BLayoutInfoB) FIELD(BLayoutInfoS) FIELD(BLayoutInfoN) FIELD(BLayoutInfoG) \
    FIELD(BLayoutInfoD) FIELD(CLayoutInfoB) FIELD(CLayoutInfoS1) FIELD(CLayoutInfoN) FIELD(CLayoutInfoG) \
    FIELD(CLayoutInfoS2) FIELD(BatchNum) FIELD(mxTypePara)
// clang-format on

namespace AscendC {
namespace tiling {

struct TCubeTiling {
#define SFUMATO_FIELD(field) SFUMATO_TILING_MEMBER(int32_t, field)
    SFUMATO_CUBE_TILING_FIELDS(SFUMATO_FIELD)
#undef SFUMATO_FIELD
    SFUMATO_TILING_WHOLE(TCubeTiling)
};
static_assert(sizeof(TCubeTiling) == 50 * sizeof(int32_t), "fifty fields");

}  // namespace tiling
}  // namespace AscendC

namespace AscendC {
using tiling::TCubeTiling;
}
namespace optiling {
using AscendC::tiling::TCubeTiling;
}
using AscendC::tiling::TCubeTiling;
