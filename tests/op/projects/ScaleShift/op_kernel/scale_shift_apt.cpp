// SPDX-License-Identifier: Apache-2.0
#include "arch35/scale_shift_registers.h"
#include "scale_shift_tiles.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ScaleShiftTiling);
    GET_TILING_DATA(t, tiling);
    RunTiles(x, y, t, [&](LocalTensor<float>& b, LocalTensor<float>& a, uint32_t count) {
        asc_vf_call<ScaleAndShift>((__ubuf__ float*)b.GetPhyAddr(), (__ubuf__ float*)a.GetPhyAddr(), t.scale, t.shift,
                                   count);
    });
}
