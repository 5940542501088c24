// SPDX-License-Identifier: Apache-2.0
// The kernels of rows.py: high-level calls on rows of a matrix, as operators call them.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kColumns = 1024, kRows = 8;  // of a tile

// The rows of this block, a tile at a time: call(out, in, rest of UB).
template <class Call>
__aicore__ inline void ByTiles(GM_ADDR src, GM_ADDR dst, uint32_t rows, TPipe& pipe, Call&& call) {
    const uint32_t each = rows / GetBlockNum(), tile = kRows * kColumns;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)src + GetBlockIdx() * each * kColumns, each * kColumns);
    to.SetGlobalBuffer((__gm__ float*)dst + GetBlockIdx() * each * kColumns, each * kColumns);
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, tile * sizeof(float));
    pipe.InitBuffer(out, 1, tile * sizeof(float));
    for (uint32_t r = 0; r < each; r += kRows) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, from[r * kColumns], tile);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        call(b, a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(to[r * kColumns], b, tile);
        in.FreeTensor(a);
        out.FreeTensor(b);
    }
}

}  // namespace

extern "C" __global__ __aicore__ void softmax(GM_ADDR src, GM_ADDR dst, uint32_t rows) {
    TPipe pipe;
    TBuf<> sides;
    pipe.InitBuffer(sides, 2 * kRows * 32);
    const auto max = sides.GetWithOffset<float>(kRows * 8, 0), sum = sides.GetWithOffset<float>(kRows * 8, kRows * 32);
    ByTiles(src, dst, rows, pipe, [&](const LocalTensor<float>& out, const LocalTensor<float>& in) {
        SoftMax<float>(out, sum, max, in, SoftMaxTiling(), {kRows, kColumns, kRows, kColumns});
    });
}

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR src, GM_ADDR gamma, GM_ADDR beta, GM_ADDR dst, uint32_t rows) {
    TPipe pipe;
    TBuf<> sides, ends;
    pipe.InitBuffer(sides, 2 * kRows * 32);
    pipe.InitBuffer(ends, 2 * kColumns * sizeof(float));
    const auto mean = sides.GetWithOffset<float>(kRows * 8, 0),
               variance = sides.GetWithOffset<float>(kRows * 8, kRows * 32);
    const auto g = ends.GetWithOffset<float>(kColumns, 0),
               b = ends.GetWithOffset<float>(kColumns, kColumns * sizeof(float));
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)gamma, kColumns);
    DataCopy(g, gm, kColumns);
    gm.SetGlobalBuffer((__gm__ float*)beta, kColumns);
    DataCopy(b, gm, kColumns);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    LayerNormTiling tiling;
    tiling.bLength = 1;
    tiling.sLength = kRows;
    tiling.hLength = kColumns;
    tiling.originalHLength = kColumns;
    ByTiles(src, dst, rows, pipe, [&](const LocalTensor<float>& out, const LocalTensor<float>& in) {
        LayerNorm<float>(out, mean, variance, in, g, b, 1e-5f, tiling);
    });
}
