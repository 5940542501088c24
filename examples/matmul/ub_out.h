// SPDX-License-Identifier: Apache-2.0
// C from L0C to rows of global memory on Ascend310P: as fractals to UB, converted on the way, and from there as rows.
#pragma once

#include "tiled_matmul.h"

namespace matmul {

// The rows of C are n rounded up to 16 elements long: whole fractals become rows.
template <class Acc, class C>
class UbOut {
public:
    __aicore__ inline UbOut(TPipe& pipe, const MatmulTiling& tiling, GM_ADDR c) : row_(Align(tiling.n, 16)) {
        c_.SetGlobalBuffer((__gm__ C*)c, tiling.m * row_);
        pipe.InitBuffer(co2_queue_, 2, tiling.base_m * tiling.base_n * sizeof(C));
    }

    __aicore__ inline void CopyOut(const LocalTensor<Acc>& co1, const Tile& tile) {
        const uint32_t down = CeilDiv(tile.rows, 16), across = CeilDiv(tile.columns, 16);
        LocalTensor<C> co2 = co2_queue_.template AllocTensor<C>();
        DataCopyParams fractals;
        fractals.blockLen = static_cast<uint16_t>(down * across);
        DataCopyEnhancedParams enhanced;
        enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
        DataCopy(co2, co1, fractals, enhanced);
        co2_queue_.EnQue(co2);
        co2 = co2_queue_.template DeQue<C>();
        Nz2NdParamsFull rows;
        rows.ndNum = 1;
        rows.nValue = static_cast<uint16_t>(tile.rows);
        rows.dValue = static_cast<uint16_t>(across * 16);
        rows.srcNStride = static_cast<uint16_t>(down * 16);
        rows.dstDStride = static_cast<uint16_t>(row_);
        DataCopy(c_[tile.m * row_ + tile.n], co2, rows);
        co2_queue_.FreeTensor(co2);
    }

private:
    const uint32_t row_;
    GlobalTensor<C> c_;
    TQue<TPosition::CO2, 2> co2_queue_;
};

}  // namespace matmul
