// SPDX-License-Identifier: Apache-2.0
// Kernels in which the program itself splits the work: MatmulImpl on the cube core, high-level calls on the vector
// cores, flags of mode 2 between them.
#define ASCENDC_CUBE_ONLY
#include "linear.h"

using namespace programs;

struct SplitData {
    uint32_t rows, tile;  // of A, of a tile
    float scale;
    TCubeTiling mm;
    SoftMaxTiling softmax;  // of half a tile
};

enum Flag : uint16_t { kReady = 4, kFree = 5 };

// softmax(scale A x B^T) row by row: the cube core leaves tiles of the product in two slots, each vector core takes
// half of a tile.
extern "C" __global__ __aicore__ void scores_softmax(GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR y, GM_ADDR workspace,
                                                     GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(SplitData, t, tiling_gm);
    const uint32_t m = t.rows, n = t.mm.N, k = t.mm.Ka, tiles = CeilDiv(m, t.tile), slot = t.tile * n;
    TPipe pipe;
    auto slots = Gm<float>(workspace, GetBlockNum() * 2 * slot);
    if ASCEND_IS_AIC {
        MatmulImpl<InGm<half>, InGm<half, true>, InGm<float>, InGm<float>, CFG_MDL> mm;
        mm.SetSubBlockIdx(0);
        mm.Init(&t.mm, &pipe);
        auto a = Gm<half>(a_gm, m * k);
        mm.SetTensorB(Gm<half>(b_gm, n * k), true);
        uint32_t count = 0;
        for (uint32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum(), ++count) {
            if (count >= 2) CrossCoreWaitFlag(kFree);
            mm.SetTail(Least(t.tile, m - tile * t.tile));
            mm.SetTensorA(a[tile * t.tile * k]);
            mm.IterateAll(slots[(GetBlockIdx() * 2 + count % 2) * slot]);
            CrossCoreSetFlag<2, PIPE_FIX>(kReady);
        }
        mm.End();
        for (uint32_t left = Least(count, 2); left > 0; --left) CrossCoreWaitFlag(kFree);
    }
    if ASCEND_IS_AIV {
        const uint32_t block = GetBlockIdx() / GetSubBlockNum(), half_tile = t.tile / 2;
        TQue<TPosition::VECIN, 2> ins;
        TQue<TPosition::VECOUT, 2> outs;
        pipe.InitBuffer(ins, 2, half_tile * n * sizeof(float));
        pipe.InitBuffer(outs, 2, half_tile * n * sizeof(float));
        uint32_t count = 0;
        for (uint32_t tile = block; tile < tiles; tile += GetBlockNum(), ++count) {
            CrossCoreWaitFlag(kReady);
            const uint32_t first = GetSubBlockIdx() * half_tile, rows = Least(t.tile, m - tile * t.tile);
            const uint32_t mine = rows > first ? Least(half_tile, rows - first) : 0;
            if (mine > 0) {
                auto in = ins.AllocTensor<float>();
                DataCopy(in, slots[(block * 2 + count % 2) * slot + first * n], mine * n);
                ins.EnQue(in);
            }
            CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
            if (mine == 0) continue;
            auto in = ins.DeQue<float>();
            auto out = outs.AllocTensor<float>();
            Muls(in, in, t.scale, mine * n);
            PipeBarrier<PIPE_V>();
            SoftMax<float>(out, in, t.softmax, {mine, n, mine, n});
            ins.FreeTensor(in);
            outs.EnQue(out);
            out = outs.DeQue<float>();
            DataCopy(Gm<float>(y, m * n)[(tile * t.tile + first) * n], out, mine * n);
            outs.FreeTensor(out);
        }
    }
}
