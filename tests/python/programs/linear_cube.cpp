// SPDX-License-Identifier: Apache-2.0
// Products by the high-level Matmul in kernels of the cube alone.
#define ASCENDC_CUBE_ONLY
#include "linear.h"

using namespace programs;

// int8 x int8 to half, by a word of dequantisation a column.
extern "C" __global__ __aicore__ void matmul_dequant_vector(GM_ADDR a, GM_ADDR b, GM_ADDR words, GM_ADDR c,
                                                            GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<int8_t>, InGm<int8_t>, InGm<half>, InGm<int32_t>, CFG_MDL> mm;
    mm.SetSubBlockIdx(0);
    mm.Init(&t, &pipe);
    const uint32_t column = GetBlockIdx() * t.singleCoreN;
    if (column >= uint32_t(t.N)) return;
    if (t.N - column < uint32_t(t.singleCoreN)) mm.SetTail(-1, t.N - column);
    mm.SetTensorA(Gm<int8_t>(a, t.M * t.Ka));
    mm.SetTensorB(Gm<int8_t>(b, t.Kb * t.N)[column]);
    mm.SetQuantVector(Gm<uint64_t>(words, t.N)[column]);
    mm.IterateAll(Gm<half>(c, t.M * t.N)[column]);
    mm.End();
}

// K shared by the cores: each adds its product to c.
extern "C" __global__ __aicore__ void matmul_split_k(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<half, true>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t k = GetBlockIdx() * t.singleCoreK;
    if (k >= uint32_t(t.Ka)) return;
    mm.SetTail(-1, -1, Least(t.singleCoreK, t.Ka - k));
    mm.SetTensorA(Gm<half>(a, t.M * t.Ka)[k * t.M], true);
    mm.SetTensorB(Gm<half>(b, t.Kb * t.N)[k * t.N]);
    mm.IterateAll(Gm<float>(c, t.M * t.N), 1);
    mm.End();
}

// Attention scores of all heads, which lie interleaved in q and k [B, S, N, D]: C [B, S1, N, S2] = q k^T a head.
extern "C" __global__ __aicore__ void batch_scores(GM_ADDR q, GM_ADDR k, GM_ADDR c, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<half, false, LayoutMode::BSNGD>, InGm<half, true, LayoutMode::BSNGD>,
           InGm<float, false, LayoutMode::BSNGD>>
        mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t heads = t.ALayoutInfoN, rows = t.ALayoutInfoS, columns = t.BLayoutInfoS, width = t.ALayoutInfoD;
    mm.SetBatchNum(heads, heads);
    for (uint32_t batch = GetBlockIdx(); batch < uint32_t(t.ALayoutInfoB); batch += GetBlockNum()) {
        mm.SetTensorA(Gm<half>(q, t.ALayoutInfoB * rows * heads * width)[batch * rows * heads * width]);
        mm.SetTensorB(Gm<half>(k, t.ALayoutInfoB * columns * heads * width)[batch * columns * heads * width], true);
        mm.IterateBatch(Gm<float>(c, t.ALayoutInfoB * rows * heads * columns)[batch * rows * heads * columns], false, 0,
                        false);
    }
    mm.End();
}

struct Gathered {
    __gm__ const int32_t* rows;
    uint32_t pitch, base_m, base_k;
};

// A block of A in L1, fractals of 16 rows: the rows of global memory that the indices name.
__aicore__ inline void GatherRows(const LocalTensor<int8_t>& block, const __gm__ void* gm, int row, int col, int rows,
                                  int columns, const uint64_t, const uint64_t data) {
    const auto* gathered = reinterpret_cast<const Gathered*>(data);
    GlobalTensor<half> from;
    from.SetGlobalBuffer((__gm__ half*)gm);
    auto to = block.ReinterpretCast<half>();
    const uint32_t height = Align(rows, 16);
    for (int i = 0; i < rows; ++i) {
        const uint32_t source = gathered->rows[row * gathered->base_m + i];
        DataCopy(to[i * 16], from[source * gathered->pitch + col * gathered->base_k],
                 Nd2NzParams(1, 1, columns, 0, gathered->pitch, height, 1, 0));
    }
}

struct GatherData {
    uint32_t table_rows;
    TCubeTiling mm;
};

// C = A[rows] x B without a copy of A: a callback loads the rows.
extern "C" __global__ __aicore__ void gather_matmul(GM_ADDR a, GM_ADDR rows, GM_ADDR b, GM_ADDR c, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GET_TILING_DATA_WITH_STRUCT(GatherData, data, tiling_gm);
    const TCubeTiling& t = data.mm;
    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, InGm<float>, InGm<float>, CFG_NORM, MatmulCallBackFunc<nullptr, GatherRows, nullptr>>
        mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t first = GetBlockIdx() * t.singleCoreM;
    if (first >= uint32_t(t.M)) return;
    Gathered gathered{(__gm__ const int32_t*)rows + first, uint32_t(t.Ka), uint32_t(t.baseM), uint32_t(t.baseK)};
    mm.SetSelfDefineData(reinterpret_cast<uint64_t>(&gathered));
    if (t.M - first < uint32_t(t.singleCoreM)) mm.SetTail(t.M - first);
    mm.SetTensorA(Gm<half>(a, data.table_rows * t.Ka));
    mm.SetTensorB(Gm<half>(b, t.Kb * t.N));
    while (mm.Iterate()) mm.GetTensorC(Gm<float>(c, t.M * t.N)[first * t.N]);
    mm.End();
}
