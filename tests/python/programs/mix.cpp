// SPDX-License-Identifier: Apache-2.0
// Programs in which cube and vector cores of a block work for each other, through a workspace and flags of mode 2.
#include "cube.h"

using namespace programs;

// Flags between the two kinds of core: what they say.
enum Flag : uint16_t { kReady = 0, kFree = 1 };

// Rows [begin, end) of a tile that this vector core of its block takes.
__aicore__ inline Share Rows(uint32_t rows) { return Share(rows, 1, GetSubBlockIdx(), GetSubBlockNum()); }

// C = A x B in tiles of 64 x 64: the cube core leaves tiles of Acc in two slots of the workspace, the vector cores
// take them from there: finish(row, column, values, count) sees a row of a tile and stores it.
template <class T, class Acc, class Finish>
__aicore__ inline void Handed(TPipe& pipe, GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR workspace, uint32_t m, uint32_t n,
                              uint32_t k, const Finish& finish) {
    constexpr uint32_t kSide = 64, kSlot = kSide * kSide;
    const uint32_t block = block_idx, blocks = GetBlockNum();
    auto slots = Gm<Acc>(workspace, blocks * 2 * kSlot)[block * 2 * kSlot];
    uint32_t tile = 0;
    if ASCEND_IS_AIC {
        Cube<T, Acc> cube(pipe);
        const auto a = MatrixAt<T>(a_gm, m, k), b = MatrixAt<T>(b_gm, k, n);
        EachTile(m, n, kSide, block, blocks, [&](uint32_t i, uint32_t j, uint32_t rows, uint32_t columns) {
            if (tile >= 2) CrossCoreWaitFlag(kFree);
            const Matrix<Acc> slot{slots[tile++ % 2 * kSlot], kSide};
            cube.template Multiply<false>(slot, a.At(i, 0), b.At(0, j), rows, columns, k);
            CrossCoreSetFlag<2, PIPE_FIX>(kReady);
        });
        for (uint32_t left = Least(tile, 2); left > 0; --left) CrossCoreWaitFlag(kFree);
    }
    if ASCEND_IS_AIV {
        TQue<TPosition::VECIN, 2> ins;
        pipe.InitBuffer(ins, 2, kSide * sizeof(Acc));
        EachTile(m, n, kSide, block, blocks, [&](uint32_t i, uint32_t j, uint32_t rows, uint32_t columns) {
            CrossCoreWaitFlag(kReady);
            auto slot = slots[tile++ % 2 * kSlot];
            const Share mine = Rows(rows);
            for (uint32_t row = mine.begin; row < mine.end; ++row) {
                auto in = ins.template AllocTensor<Acc>();
                DataCopy(in, slot[row * kSide], kSide);
                ins.EnQue(in);
                in = ins.template DeQue<Acc>();
                finish(i + row, j, in, columns);
                ins.FreeTensor(in);
            }
            CrossCoreSetFlag<2, PIPE_MTE2>(kFree);
        });
    }
}

// LeakyReLU(A x B + bias).
__aicore__ inline void MatmulLeaky(GM_ADDR a, GM_ADDR b, GM_ADDR bias_gm, GM_ADDR c, GM_ADDR workspace, uint32_t m,
                                   uint32_t n, uint32_t k) {
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECOUT, 2> outs;
    LocalTensor<float> bias;
    auto to = Gm<float>(c, m * n);
    if ASCEND_IS_AIV {
        pipe.InitBuffer(buffer, Align(n, 64) * sizeof(float));
        pipe.InitBuffer(outs, 2, 64 * sizeof(float));
        bias = buffer.Get<float>();
        Load(bias, Gm<float>(bias_gm, n), n);
        Join<HardEvent::MTE2_V>();
    }
    Handed<half, float>(pipe, a, b, workspace, m, n, k, [&](uint32_t row, uint32_t column, auto& in, uint32_t count) {
        auto out = outs.AllocTensor<float>();
        Add(out, in, bias[column], count);
        LeakyRelu(out, out, 0.25f, count);
        outs.EnQue(out);
        out = outs.DeQue<float>();
        Store(to[row * n + column], out, count);
        outs.FreeTensor(out);
    });
}
extern "C" __global__ __aicore__ void matmul_leaky_1_1(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace,
                                                       uint32_t m, uint32_t n, uint32_t k) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    MatmulLeaky(a, b, bias, c, workspace, m, n, k);
}
extern "C" __global__ __aicore__ void matmul_leaky_1_2(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace,
                                                       uint32_t m, uint32_t n, uint32_t k) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    MatmulLeaky(a, b, bias, c, workspace, m, n, k);
}

// int8 matmul whose int32 sums become half by a scale for each row and one for each column. The type is derived.
extern "C" __global__ __aicore__ void matmul_dequantised(GM_ADDR a, GM_ADDR b, GM_ADDR row_scales, GM_ADDR scales_gm,
                                                         GM_ADDR c, GM_ADDR workspace, uint32_t m, uint32_t n,
                                                         uint32_t k) {
    TPipe pipe;
    TBuf<> buffer;
    TQue<TPosition::VECOUT, 2> outs;
    LocalTensor<float> scales, wide;
    auto rows = Gm<float>(row_scales, m);
    auto to = Gm<half>(c, m * n);
    if ASCEND_IS_AIV {
        pipe.InitBuffer(buffer, (Align(n, 64) + 64) * sizeof(float));
        pipe.InitBuffer(outs, 2, 64 * sizeof(half));
        wide = buffer.Get<float>();
        scales = wide[64];
        Load(scales, Gm<float>(scales_gm, n), n);
        Join<HardEvent::MTE2_V>();
    }
    Handed<int8_t, int32_t>(pipe, a, b, workspace, m, n, k,
                            [&](uint32_t row, uint32_t column, auto& in, uint32_t count) {
                                auto out = outs.AllocTensor<half>();
                                Cast(wide, in, RoundMode::CAST_RINT, count);
                                Muls(wide, wide, rows.GetValue(row), count);
                                Mul(wide, wide, scales[column], count);
                                Cast(out, wide, RoundMode::CAST_RINT, count);
                                outs.EnQue(out);
                                out = outs.DeQue<half>();
                                Store(to[row * n + column], out, count);
                                outs.FreeTensor(out);
                            });
}

// A x B with B of int8 and a scale: the vector cores widen B to half in the workspace, then the cube core multiplies.
extern "C" __global__ __aicore__ void matmul_widened(GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR c_gm, GM_ADDR workspace,
                                                     uint32_t m, uint32_t n, uint32_t k, float scale) {
    TPipe pipe;
    const uint32_t block = block_idx;
    const Share columns(n, 32, block, GetBlockNum());
    auto wide_gm = MatrixAt<half>(workspace, k, n);
    if (columns.size() == 0) return;
    if ASCEND_IS_AIV {
        TQue<TPosition::VECIN, 2> ins;
        TQue<TPosition::VECOUT, 2> outs;
        pipe.InitBuffer(ins, 2, columns.size());
        pipe.InitBuffer(outs, 2, columns.size() * sizeof(half));
        const auto b = MatrixAt<int8_t>(b_gm, k, n);
        const Share rows = Rows(k);
        for (uint32_t row = rows.begin; row < rows.end; ++row) {
            auto in = ins.AllocTensor<int8_t>();
            Load(in, b.At(row, columns.begin).data, columns.size());
            ins.EnQue(in);
            in = ins.DeQue<int8_t>();
            auto out = outs.AllocTensor<half>();
            Cast(out, in, RoundMode::CAST_NONE, columns.size());
            Muls(out, out, half(scale), columns.size());
            outs.EnQue(out);
            ins.FreeTensor(in);
            out = outs.DeQue<half>();
            Store(wide_gm.At(row, columns.begin).data, out, columns.size());
            outs.FreeTensor(out);
        }
        CrossCoreSetFlag<2, PIPE_MTE3>(kReady);
    }
    if ASCEND_IS_AIC {
        Cube<half, float> cube(pipe);
        CrossCoreWaitFlag(kReady);
        cube.Multiply<false>(MatrixAt<float>(c_gm, m, n).At(0, columns.begin), MatrixAt<half>(a_gm, m, k),
                             wide_gm.At(0, columns.begin), m, columns.size(), k);
    }
}

// Split k without atomics: every cube core leaves its part of C, all cube cores meet (mode 0), each tells the vector
// cores of its block, and these add the parts of their rows in the order of the blocks.
extern "C" __global__ __aicore__ void split_k_ordered(GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR c_gm, GM_ADDR parts_gm,
                                                      uint32_t m, uint32_t n, uint32_t k) {
    constexpr uint16_t kAllDone = 2;
    TPipe pipe;
    const uint32_t block = block_idx, blocks = GetBlockNum();
    auto parts = MatrixAt<float>(parts_gm, blocks * m, n);
    if ASCEND_IS_AIC {
        Cube<half, float> cube(pipe);
        const Share share(k, 16, block, blocks);
        cube.Multiply<false>(parts.At(block * m, 0), MatrixAt<half>(a_gm, m, k).At(0, share.begin),
                             MatrixAt<half>(b_gm, k, n).At(share.begin, 0), m, n, share.size());
        CrossCoreSetFlag<0, PIPE_FIX>(kAllDone);
        CrossCoreWaitFlag(kAllDone);
        CrossCoreSetFlag<2, PIPE_FIX>(kReady);
    }
    if ASCEND_IS_AIV {
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 2 * n * sizeof(float));
        auto sum = buffer.Get<float>(), part = sum[n];
        CrossCoreWaitFlag(kReady);
        for (uint32_t row = GetBlockIdx(); row < m; row += 2 * blocks) {
            Duplicate(sum, 0.0f, n);
            for (uint32_t i = 0; i < blocks; ++i) {
                DataCopy(part, parts.At(i * m + row, 0).data, n);
                Join<HardEvent::MTE2_V>();
                Add(sum, sum, part, n);
                Join<HardEvent::V_MTE2>();
            }
            Join<HardEvent::V_MTE3>();
            DataCopy(Gm<float>(c_gm, m * n)[row * n], sum, n);
            Join<HardEvent::MTE3_V>();
        }
    }
}

// Rows are scaled to a sum of 1; each of the two vector cores of a block has one half of a row, and they exchange their
// sums (mode 1). columns: of a half.
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y, GM_ADDR sums_gm, uint32_t rows, uint32_t columns) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC
        return;
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, (2 * columns + 16) * sizeof(float));
    auto values = buffer.Get<float>(), work = values[columns], sum = work[columns], other = sum[8];
    const uint32_t core = GetBlockIdx(), half_of = GetSubBlockIdx();
    auto from = Gm<float>(x, rows * 2 * columns), to = Gm<float>(y, rows * 2 * columns);
    auto sums = Gm<float>(sums_gm, 2 * GetBlockNum() * 8);
    Duplicate(sum, 0.0f, 8);  // its block goes to the other core whole
    PipeBarrier<PIPE_V>();
    for (uint32_t row = block_idx; row < rows; row += GetBlockNum()) {
        const uint32_t at = (2 * row + half_of) * columns;
        DataCopy(values, from[at], columns);
        Join<HardEvent::MTE2_V>();
        ReduceSum(sum, values, work, columns);
        Join<HardEvent::V_MTE3>();
        DataCopy(sums[core * 8], sum, 8);
        CrossCoreSetFlag<1, PIPE_MTE3>(3);
        CrossCoreWaitFlag(3);
        DataCopy(other, sums[(core ^ 1) * 8], 8);
        Join<HardEvent::MTE2_S>();
        Muls(values, values, 1 / (sum.GetValue(0) + other.GetValue(0)), columns);
        CrossCoreSetFlag<1, PIPE_MTE2>(4);
        CrossCoreWaitFlag(4);
        Join<HardEvent::V_MTE3>();
        DataCopy(to[at], values, columns);
        PipeBarrier<PIPE_ALL>();
    }
}
