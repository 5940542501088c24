// SPDX-License-Identifier: Apache-2.0
// The kernels of checks.py: right programs without a finding. `loops` says how often the measured part runs; with 0 a
// run costs what all runs cost.
#include "../examples/matmul/fixpipe_out.h"

using namespace AscendC;

namespace {

constexpr uint32_t kTile = 256;    // of the kernels that show what a record costs, in float
constexpr uint32_t kTiles = 1024;  // in global memory; loops go round
constexpr uint32_t kCast = 8192;   // elements of a tile of cast
constexpr uint32_t kRow = 2048;    // of softmax, in float
constexpr uint32_t kMatrix = 512;

template <class T>
__aicore__ inline GlobalTensor<T> Gm(GM_ADDR address, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address, count);
    return tensor;
}

template <HardEvent event>
__aicore__ inline void Sync() {
    SetFlag<event>(0);
    WaitFlag<event>(0);
}

// 64 floats in UB that hold ones.
struct Ones {
    __aicore__ inline Ones() {
        pipe.InitBuffer(buffer, 512);
        tensor = buffer.Get<float>();
        Duplicate(tensor, 1.0f, 128);
    }
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    LocalTensor<float> tensor;
};

}  // namespace

namespace {

// half to int32_t, a tile a loop; each block has its half of global memory.
template <uint32_t kTilesOfBlock>
__aicore__ inline void Convert(GM_ADDR x, GM_ADDR z, uint32_t loops) {
    auto from = Gm<half>(x, 2 * kTilesOfBlock * kCast)[GetBlockIdx() * kTilesOfBlock * kCast];
    auto to = Gm<int32_t>(z, 2 * kTilesOfBlock * kCast)[GetBlockIdx() * kTilesOfBlock * kCast];
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, kCast * sizeof(half));
    pipe.InitBuffer(out, 2, kCast * sizeof(int32_t));
    for (uint32_t i = 0; i < loops; ++i) {
        const uint32_t at = i % kTilesOfBlock * kCast;
        auto a = in.AllocTensor<half>();
        DataCopy(a, from[at], kCast);
        in.EnQue(a);
        a = in.DeQue<half>();
        auto b = out.AllocTensor<int32_t>();
        Cast(b, a, RoundMode::CAST_CEIL, kCast);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<int32_t>();
        // The second round of tiles replaces the first.
        if (i >= kTilesOfBlock) PipeBarrier<PIPE_MTE3>();
        DataCopy(to[at], b, kCast);
        out.FreeTensor(b);
    }
}

}  // namespace

extern "C" __global__ __aicore__ void cast(GM_ADDR x, GM_ADDR z, uint32_t loops) { Convert<32>(x, z, loops); }

// The same over 48 MiB: what memory costs.
extern "C" __global__ __aicore__ void large(GM_ADDR x, GM_ADDR z, uint32_t loops) { Convert<512>(x, z, loops); }

// A row a loop: maximum and sum by way of the scalar unit.
extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR z, uint32_t loops) {
    constexpr uint32_t kRowsOfBlock = 64;
    auto from = Gm<float>(x, 2 * kRowsOfBlock * kRow)[GetBlockIdx() * kRowsOfBlock * kRow];
    auto to = Gm<float>(z, 2 * kRowsOfBlock * kRow)[GetBlockIdx() * kRowsOfBlock * kRow];
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(in, 2, kRow * sizeof(float));
    pipe.InitBuffer(out, 2, kRow * sizeof(float));
    pipe.InitBuffer(buffer, 1024);
    auto best = buffer.Get<float>(), work = best[8];
    for (uint32_t i = 0; i < loops; ++i) {
        const uint32_t at = i % kRowsOfBlock * kRow;
        auto a = in.AllocTensor<float>();
        DataCopy(a, from[at], kRow);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        ReduceMax(best, a, work, kRow, false);
        Sync<HardEvent::V_S>();
        const float most = best.GetValue(0);
        Adds(b, a, -most, kRow);
        in.FreeTensor(a);
        Exp(b, b, kRow);
        Sync<HardEvent::S_V>();
        ReduceSum(best, b, work, kRow);
        Sync<HardEvent::V_S>();
        const float sum = best.GetValue(0);
        Muls(b, b, 1.0f / sum, kRow);
        Sync<HardEvent::S_V>();
        out.EnQue(b);
        b = out.DeQue<float>();
        if (i >= kRowsOfBlock) PipeBarrier<PIPE_MTE3>();
        DataCopy(to[at], b, kRow);
        out.FreeTensor(b);
    }
}

// 512 x 512 x 512 of half, from global memory and back, a product a loop.
extern "C" __global__ __aicore__ void product(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t loops) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    const MatmulTiling tiling{kMatrix, kMatrix, kMatrix, 128, 128, 64, 4};
    for (uint32_t i = 0; i < loops; ++i) {
        TPipe pipe;
        using Out = matmul::FixpipeOut<float, half, F322F16>;
        Out out(tiling, c);
        matmul::TiledMatmul<half, float, Out> op(pipe, tiling, out);
        op.Process(a, b);
        PipeBarrier<PIPE_ALL>();
    }
}

// A load, an Adds and a store of 1 KiB a loop, through queues.
extern "C" __global__ __aicore__ void small_tiles(GM_ADDR x, GM_ADDR z, uint32_t loops) {
    auto from = Gm<float>(x, 2 * kTiles * kTile)[GetBlockIdx() * kTiles * kTile];
    auto to = Gm<float>(z, 2 * kTiles * kTile)[GetBlockIdx() * kTiles * kTile];
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, kTile * sizeof(float));
    pipe.InitBuffer(out, 2, kTile * sizeof(float));
    for (uint32_t i = 0; i < loops; ++i) {
        const uint32_t at = i % kTiles * kTile;
        auto a = in.AllocTensor<float>();
        DataCopy(a, from[at], kTile);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Adds(b, a, 1.0f, kTile);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        if (i >= kTiles) PipeBarrier<PIPE_MTE3>();
        DataCopy(to[at], b, kTile);
        out.FreeTensor(b);
    }
}

extern "C" __global__ __aicore__ void adds(GM_ADDR, GM_ADDR, uint32_t loops) {
    Ones ones;
    auto to = ones.tensor[64];
    for (uint32_t i = 0; i < loops; ++i) {
        PipeBarrier<PIPE_V>();
        Adds(to, ones.tensor, 1.0f, 64);
    }
}

extern "C" __global__ __aicore__ void duplicate(GM_ADDR, GM_ADDR, uint32_t loops) {
    Ones ones;
    for (uint32_t i = 0; i < loops; ++i) {
        PipeBarrier<PIPE_V>();
        Duplicate(ones.tensor, 2.0f, 64);
    }
}

// 256 bytes a loop, each block its own part of global memory.
extern "C" __global__ __aicore__ void store(GM_ADDR, GM_ADDR z, uint32_t loops) {
    auto to = Gm<float>(z, 2 * kTiles * kTile)[GetBlockIdx() * kTiles * kTile];
    Ones ones;
    Sync<HardEvent::V_MTE3>();
    for (uint32_t i = 0; i < loops; ++i) {
        const uint32_t at = i % (4 * kTiles);
        if (at == 0) PipeBarrier<PIPE_MTE3>();
        DataCopy(to[at * 64], ones.tensor, 64);
    }
}

// GetValue and SetValue of UB.
extern "C" __global__ __aicore__ void scalars(GM_ADDR, GM_ADDR, uint32_t loops) {
    Ones ones;
    Sync<HardEvent::V_S>();
    for (uint32_t i = 0; i < loops; ++i) ones.tensor.SetValue(i % 64, ones.tensor.GetValue((i + 1) % 64) + 1.0f);
}

// Two cores answer each other by flags in global memory; who waits reads again and again.
extern "C" __global__ __aicore__ void polls(GM_ADDR, GM_ADDR flags, uint32_t loops) {
    const auto me = static_cast<int32_t>(GetBlockIdx());
    auto mine = Gm<int32_t>(flags, 64)[me * 16], other = Gm<int32_t>(flags, 64)[(1 - me) * 16];
    const auto clean = [](const GlobalTensor<int32_t>& line) {
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
    };
    for (int32_t i = 1; i <= static_cast<int32_t>(loops); ++i) {
        if (me == 0) {
            mine.SetValue(0, i);
            clean(mine);
        }
        do clean(other);
        while (other.GetValue(0) < i);
        if (me == 1) {
            mine.SetValue(0, i);
            clean(mine);
        }
    }
}
