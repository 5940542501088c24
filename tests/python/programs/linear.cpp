// SPDX-License-Identifier: Apache-2.0
// Linear layers: vector cores share the work and have the cube core of their block multiply; what comes before and
// after the product is theirs.
#include "linear.h"

using namespace programs;

// gelu(A x B + bias): blocks of the product come to UB one after another.
extern "C" __global__ __aicore__ void linear_gelu(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, MatmulType<TPosition::VECIN, CubeFormat::ND, float>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t pieces_n = CeilDiv(t.N, t.singleCoreN), piece = GetBlockIdx();
    if (piece >= uint32_t(t.usedCoreNum)) return;
    const uint32_t row = piece / pieces_n * t.singleCoreM, column = piece % pieces_n * t.singleCoreN;
    const uint32_t rows = Least(t.singleCoreM, t.M - row), columns = Least(t.singleCoreN, t.N - column);
    TQue<TPosition::VECOUT, 2> blocks;
    TBuf<> shared;
    pipe.InitBuffer(blocks, 2, t.baseM * t.baseN * sizeof(float));
    pipe.InitBuffer(shared, 16 * 1024);
    auto tmp = shared.Get<uint8_t>();
    mm.SetSingleShape(rows, columns, t.Ka);
    mm.SetTensorA(Gm<half>(a, t.M * t.Ka)[row * t.Ka]);
    mm.SetTensorB(Gm<half>(b, t.Kb * t.N)[column]);
    mm.SetBias(Gm<float>(bias, t.N)[column]);
    auto to = Gm<float>(c, t.M * t.N)[row * t.N + column];
    const uint32_t blocks_m = CeilDiv(rows, t.baseM), blocks_n = CeilDiv(columns, t.baseN);
    for (uint32_t i = 0; mm.template Iterate<true>(); ++i) {
        const uint32_t m = (t.iterateOrder == 0 ? i % blocks_m : i / blocks_n) * t.baseM;
        const uint32_t n = (t.iterateOrder == 0 ? i / blocks_m : i % blocks_n) * t.baseN;
        const uint32_t height = Least(t.baseM, rows - m), width = Least(t.baseN, columns - n);
        auto block = blocks.AllocTensor<float>();
        mm.template GetTensorC<true>(block, false, true);
        Gelu<float>(block, block, tmp, height * t.baseN);
        blocks.EnQue(block);
        block = blocks.DeQue<float>();
        DataCopyPad(
            to[m * t.N + n], block,
            DataCopyExtParams(height, width * sizeof(float), (t.baseN - width) / 8, (t.N - width) * sizeof(float), 0));
        blocks.FreeTensor(block);
    }
    mm.End();
}

// Tokens sorted by expert: those before ends[g] and behind the expert before have the int8 weights g. The int32 sums
// become half by a scale for each column of the expert and one for each token. Items of work are tiles of a product.
extern "C" __global__ __aicore__ void grouped_matmul_dequant(GM_ADDR x, GM_ADDR weights, GM_ADDR ends_gm,
                                                             GM_ADDR scales_gm, GM_ADDR token_scales_gm, GM_ADDR y,
                                                             GM_ADDR workspace, uint32_t groups, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<int8_t>, InGm<int8_t>, InGm<int32_t>, InGm<int32_t>, CFG_MDL> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t tile_m = t.singleCoreM, tile_n = t.singleCoreN, n = t.N, k = t.Ka, tile = tile_m * tile_n;
    auto ends = Gm<int64_t>(ends_gm, groups);
    const uint32_t tokens = ends.GetValue(groups - 1);
    auto from = Gm<int8_t>(x, tokens * k);
    auto to = Gm<half>(y, tokens * n);
    auto token_scales = Gm<float>(token_scales_gm, tokens);
    auto sums = Gm<int32_t>(workspace, GetBlockNum() * GetTaskRatio() * tile)[GetBlockIdx() * tile];
    TQue<TPosition::VECIN, 1> ins, scale_ins;
    TQue<TPosition::VECOUT, 1> outs;
    TBuf<> buffer;
    pipe.InitBuffer(ins, 1, tile * sizeof(int32_t));
    pipe.InitBuffer(scale_ins, 1, tile_n * sizeof(float));
    pipe.InitBuffer(outs, 1, tile * sizeof(half));
    pipe.InitBuffer(buffer, tile * sizeof(float) + 16 * 1024);
    auto wide = buffer.Get<float>();
    auto tmp = wide[tile].ReinterpretCast<uint8_t>();
    uint32_t item = 0, begin = 0;
    for (uint32_t g = 0; g < groups; ++g) {
        const uint32_t end = ends.GetValue(g);
        for (uint32_t row = begin; row < end; row += tile_m) {
            for (uint32_t column = 0; column < n; column += tile_n) {
                if (item++ % (GetBlockNum() * GetTaskRatio()) != uint32_t(GetBlockIdx())) continue;
                const uint32_t rows = Least(tile_m, end - row), columns = Least(tile_n, n - column);
                mm.SetOrgShape(rows, n, k, k, columns);
                mm.SetSingleShape(rows, columns, k);
                mm.SetTensorA(from[row * k]);
                mm.SetTensorB(Gm<int8_t>(weights, groups * k * n)[g * k * n + column]);
                mm.IterateAll(sums);
                auto in = ins.AllocTensor<int32_t>();
                auto scale = scale_ins.AllocTensor<float>();
                DataCopy(in, sums, rows * columns);
                Load(scale, Gm<float>(scales_gm, groups * n)[g * n + column], columns);
                ins.EnQue(in);
                scale_ins.EnQue(scale);
                in = ins.DeQue<int32_t>();
                scale = scale_ins.DeQue<float>();
                AscendDequant<float, float>(wide, in, scale, tmp, {rows, columns, columns});
                PipeBarrier<PIPE_V>();
                for (uint32_t i = 0; i < rows; ++i) {
                    Muls(wide[i * columns], wide[i * columns], token_scales.GetValue(row + i), columns);
                }
                ins.FreeTensor(in);
                scale_ins.FreeTensor(scale);
                auto out = outs.AllocTensor<half>();
                PipeBarrier<PIPE_V>();
                Cast(out, wide, RoundMode::CAST_RINT, rows * columns);
                outs.EnQue(out);
                out = outs.DeQue<half>();
                StoreRows(to[row * n + column], out, rows, columns, n);
                outs.FreeTensor(out);
            }
        }
        begin = end;
    }
    mm.End();
}

// C of `rows` x N with B in global memory, shared by columns.
template <class Mm>
__aicore__ inline void SharedColumns(Mm& mm, const TCubeTiling& t, const GlobalTensor<half>& a,
                                     const GlobalTensor<half>& b, const GlobalTensor<float>& c) {
    const uint32_t column = GetBlockIdx() * t.singleCoreN;
    if (column >= uint32_t(t.N)) return;
    if (t.N - column < uint32_t(t.singleCoreN)) mm.SetTail(-1, t.N - column);
    mm.SetTensorA(a);
    mm.SetTensorB(b[column]);
    mm.IterateAll(c[column]);
    mm.End();
}

struct WeightsData {
    uint32_t tile;  // rows of the weights
    TCubeTiling mm;
};

// A x ((W + offset) * scale) with int8 W: the vector cores leave the half weights in the workspace, then multiply.
extern "C" __global__ __aicore__ void anti_quant_matmul(GM_ADDR a, GM_ADDR weights, GM_ADDR offset_gm, GM_ADDR scale_gm,
                                                        GM_ADDR c, GM_ADDR workspace, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(WeightsData, data, tiling_gm);
    const TCubeTiling& t = data.mm;
    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t k = t.Kb, n = t.N;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * n * sizeof(half) + 16 * 1024);
    auto offset = buffer.Get<half>(), scale = offset[n];
    auto tmp = scale[n].ReinterpretCast<uint8_t>();
    Load(offset, Gm<half>(offset_gm, n), n);
    Load(scale, Gm<half>(scale_gm, n), n);
    Join<HardEvent::MTE2_V>();
    EachTile<int8_t, half>(pipe, weights, workspace, k, data.tile, n, n,
                           [&](auto& out, auto& in, uint32_t, uint32_t count) {
                               in.SetSize(count * n);
                               AscendAntiQuant<int8_t, half, false>(out, in, offset, scale, tmp, count, {1, n, 1, n});
                           });
    SyncAll();
    SharedColumns(mm, t, Gm<half>(a, t.M * k), Gm<half>(workspace, k * n), Gm<float>(c, t.M * n));
}

struct ConvData {
    uint32_t height, width, channels;
    TCubeTiling mm;
};

// 3 x 3 convolution of a padded image [height, width, channels] as a matmul: a row of the workspace for each place.
extern "C" __global__ __aicore__ void conv_as_matmul(GM_ADDR image_gm, GM_ADDR weights, GM_ADDR c, GM_ADDR workspace,
                                                     GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(ConvData, data, tiling_gm);
    const TCubeTiling& t = data.mm;
    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    const uint32_t run = 3 * data.channels, places = data.width - 2;
    auto image = Gm<half>(image_gm, data.height * data.width * data.channels), rows = Gm<half>(workspace, t.M * t.Ka);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
    pipe.InitBuffer(queue, 2, 3 * run * sizeof(half));
    for (uint32_t place = GetBlockIdx(); place < uint32_t(t.M); place += GetBlockNum() * GetTaskRatio()) {
        auto window = queue.AllocTensor<half>();
        const uint32_t first = (place / places * data.width + place % places) * data.channels;
        LoadRows(window, image[first], 3, run, data.width * data.channels);
        queue.EnQue(window);
        window = queue.DeQue<half>();
        Store(rows[place * 3 * run], window, 3 * run);
        queue.FreeTensor(window);
    }
    SyncAll();
    SharedColumns(mm, t, rows, Gm<half>(weights, t.Ka * t.N), Gm<float>(c, t.M * t.N));
}

struct LowRankData {
    TCubeTiling down, up;
};

// y += (x A) B, the product of two thin matrices on top of y: a block of rows to a vector core.
extern "C" __global__ __aicore__ void low_rank(GM_ADDR x, GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace,
                                               uint32_t rows, GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(LowRankData, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, InGm<half>> down;
    Matmul<InGm<half>, InGm<half, true>, InGm<float>> up;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), down, &t.down, up, &t.up);
    const uint32_t k = t.down.Ka, rank = t.down.N, n = t.up.N;
    const Share mine(rows, 1, GetBlockIdx(), GetBlockNum() * GetTaskRatio());
    if (mine.size() == 0) return;
    auto middle = Gm<half>(workspace, rows * rank)[mine.begin * rank];
    down.SetTail(mine.size());
    down.SetTensorA(Gm<half>(x, rows * k)[mine.begin * k]);
    down.SetTensorB(Gm<half>(a, k * rank));
    down.IterateAll(middle);
    down.End();
    up.SetTail(mine.size());
    up.SetTensorA(middle);
    up.SetTensorB(Gm<half>(b, rank * n), true);
    up.IterateAll(Gm<float>(y, rows * n)[mine.begin * n], 1);
    up.End();
}

// A x B, a share of the rows to each vector core, and the sum of it over all ranks of the group, which are one.
extern "C" __global__ __aicore__ void matmul_all_reduce(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace,
                                                        GM_ADDR tiling_gm) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling_gm);
    TPipe pipe;
    Matmul<InGm<half>, InGm<half>, InGm<float>> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    Hccl hccl;
    hccl.Init(GetHcclContext<HCCL_GROUP_ID_0>());
    const auto handle =
        hccl.AllReduce(workspace, c, uint64_t(t.M) * t.N, HcclDataType::HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
    const uint32_t row = GetBlockIdx() * t.singleCoreM;
    if (row < uint32_t(t.M)) {
        if (t.M - row < uint32_t(t.singleCoreM)) mm.SetTail(t.M - row);
        mm.SetTensorA(Gm<half>(a, t.M * t.Ka)[row * t.Ka]);
        mm.SetTensorB(Gm<half>(b, t.Kb * t.N));
        mm.IterateAll(Gm<float>(workspace, t.M * t.N)[row * t.N]);
        mm.End();
    }
    SyncAll();
    hccl.Commit(handle);
    hccl.Wait(handle);
    SyncAll();
    hccl.Finalize();
}
