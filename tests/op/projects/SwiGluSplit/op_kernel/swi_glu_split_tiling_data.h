// SPDX-License-Identifier: Apache-2.0
#ifndef SWI_GLU_SPLIT_TILING_DATA_H
#define SWI_GLU_SPLIT_TILING_DATA_H

namespace SwiGluSplitTilingSpace {
struct CoreShare {
    uint32_t rowsOfMost;
    uint32_t coresWithMore;
};
struct SwiGluSplitTilingData {
    uint32_t half;  // columns of the result
    uint32_t tile;  // columns at once
    CoreShare share;
    float beta;
};
}  // namespace SwiGluSplitTilingSpace
#endif
