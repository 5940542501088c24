// SPDX-License-Identifier: Apache-2.0
#include "swi_glu_split.h"

extern "C" __global__ __aicore__ void swi_glu_split(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(SwiGluSplitTilingSpace::SwiGluSplitTilingData);
    GET_TILING_DATA_WITH_STRUCT(SwiGluSplitTilingSpace::SwiGluSplitTilingData, tilingData, tiling);
    if (TILING_KEY_IS(1)) {
        SwiGluSplit<float> op;
        op.Init(x, y, tilingData);
        op.Process();
    } else if (TILING_KEY_IS(2)) {
        SwiGluSplit<half> op;
        op.Init(x, y, tilingData);
        op.Process();
    }
}
