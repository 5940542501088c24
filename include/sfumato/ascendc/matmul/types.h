// SPDX-License-Identifier: Apache-2.0
// What the parameters of Matmul are made of: MatmulType, callbacks, policies (adv.md 2.2, 2.4).
#pragma once

#include <cstdint>

#include "sfumato/ascendc/matmul/config.h"
#include "sfumato/ascendc/tensor.h"
#include "sfumato/tiling/cube_format.h"

namespace AscendC {

enum class LayoutMode { NONE, NORMAL, BSNGD, SBNGD, BNGS1S2 };

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false, TPosition SRCPOS = TPosition::GM>
struct MatmulType {
    static constexpr TPosition pos = POSITION;
    static constexpr CubeFormat format = FORMAT;
    using T = TYPE;
    static constexpr bool isTrans = ISTRANS;
    static constexpr LayoutMode layout = LAYOUT;
    static constexpr bool ibShare = IBSHARE;
    static constexpr TPosition srcPos = SRCPOS;
};

struct DataCopyOutParams {
    uint16_t cBurstNum = 0;
    uint16_t burstLen = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    uint16_t oriNSize = 0;
    bool enUnitFlag = false;
    uint64_t quantScalar = 0;
    uint64_t cbufWorkspaceAddr = 0;
};

struct MatrixOffset {
    int32_t offset = 0;
    int32_t row = 0, col = 0;
    int32_t height = 0, width = 0;
};

using MatmulCopyOut = void (*)(const void* gm, const LocalTensor<int8_t>& co1Local, const void* dataCopyOutParams,
                               const uint64_t tilingPtr, const uint64_t dataPtr);
// row, col: block index along the matrix's rows and columns; then the elements of this block along them.
using MatmulCopyIn = void (*)(const LocalTensor<int8_t>& matrix, const void* gm, int row, int col, int useRows,
                              int useColumns, const uint64_t tilingPtr, const uint64_t dataPtr);

template <MatmulCopyOut DataCopyOut = nullptr, MatmulCopyIn CopyA1 = nullptr, MatmulCopyIn CopyB1 = nullptr>
struct MatmulCallBackFunc {
    static constexpr MatmulCopyOut kCopyOut = DataCopyOut;
    static constexpr MatmulCopyIn kCopyA1 = CopyA1;
    static constexpr MatmulCopyIn kCopyB1 = CopyB1;
};

namespace Impl::Detail {

// Blocks of C that a policy leaves out.
enum class Skipped : uint8_t { kNone, kBelow, kAbove };

template <const auto& MM_CFG, typename...>
struct MatmulPolicy {
    static constexpr Skipped kSkipped = Skipped::kNone;
};
template <const auto& MM_CFG, typename...>
struct TrianUpperMatmulPolicy {
    static constexpr Skipped kSkipped = Skipped::kBelow;
};
template <const auto& MM_CFG, typename...>
struct TrianLowerMatmulPolicy {
    static constexpr Skipped kSkipped = Skipped::kAbove;
};
template <const auto& MM_CFG, typename...>
struct NBuffer33MatmulPolicy {
    static constexpr Skipped kSkipped = Skipped::kNone;
};

}  // namespace Impl::Detail

}  // namespace AscendC

using AscendC::CubeFormat;
using AscendC::LayoutMode;
