// SPDX-License-Identifier: Apache-2.0
// Programs of the cube cores alone: row-major matrices, C in tiles of 32 x 32 so that all blocks have some.
#include "cube.h"

using namespace programs;

template <class T, class Acc, class C, bool trans_b, QuantMode_t mode>
__aicore__ inline void Product(GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR c_gm, uint32_t m, uint32_t n, uint32_t k) {
    TPipe pipe;
    Cube<T, Acc> cube(pipe);
    const auto a = MatrixAt<T>(a_gm, m, k), b = trans_b ? MatrixAt<T>(b_gm, n, k) : MatrixAt<T>(b_gm, k, n);
    const auto c = MatrixAt<C>(c_gm, m, n);
    EachTile(m, n, 32, GetBlockIdx(), GetBlockNum(), [&](uint32_t i, uint32_t j, uint32_t rows, uint32_t columns) {
        cube.template Multiply<trans_b, mode>(c.At(i, j), a.At(i, 0), trans_b ? b.At(j, 0) : b.At(0, j), rows, columns,
                                              k);
    });
}
#define PRODUCT(name, T, Acc, C, trans_b, mode)                                                                       \
    extern "C" __global__ __aicore__ void name(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k) { \
        Product<T, Acc, C, trans_b, mode>(a, b, c, m, n, k);                                                          \
    }
PRODUCT(matmul_half, half, float, float, false, NoQuant)
PRODUCT(matmul_half_to_half, half, float, half, false, F322F16)
PRODUCT(matmul_half_transposed, half, float, float, true, NoQuant)
PRODUCT(matmul_bf16, bfloat16_t, float, bfloat16_t, false, F322BF16)
PRODUCT(matmul_int8, int8_t, int32_t, int32_t, false, NoQuant)
PRODUCT(matmul_float, float, float, float, true, NoQuant)

// C[i] = A[i] x B[i], whole matrices to a block.
extern "C" __global__ __aicore__ void matmul_batched(GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR c_gm, uint32_t batch,
                                                     uint32_t m, uint32_t n, uint32_t k) {
    TPipe pipe;
    Cube<half, float> cube(pipe);
    const auto a = MatrixAt<half>(a_gm, batch * m, k), b = MatrixAt<half>(b_gm, batch * k, n);
    const auto c = MatrixAt<float>(c_gm, batch * m, n);
    for (uint32_t i = GetBlockIdx(); i < batch; i += GetBlockNum()) {
        cube.Multiply<false>(c.At(i * m, 0), a.At(i * m, 0), b.At(i * k, 0), m, n, k);
    }
}

// C += A x B, k shared between the blocks: C begins as 0, and blocks add in the order of their indices.
extern "C" __global__ __aicore__ void split_k(GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR c_gm, uint32_t m, uint32_t n,
                                              uint32_t k) {
    TPipe pipe;
    Cube<half, float> cube(pipe);
    const auto a = MatrixAt<half>(a_gm, m, k), b = MatrixAt<half>(b_gm, k, n);
    const Share share(k, 16);
    if (share.size() == 0) return;
    SetAtomicAdd<float>();
    cube.Multiply<false>(MatrixAt<float>(c_gm, m, n), a.At(0, share.begin), b.At(share.begin, 0), m, n, share.size());
    SetAtomicNone();
}

// Rows ends[g - 1] to ends[g] of A are multiplied by B[g]; a group may be empty. Tiles of all groups are dealt out.
extern "C" __global__ __aicore__ void matmul_grouped(GM_ADDR a_gm, GM_ADDR b_gm, GM_ADDR ends_gm, GM_ADDR c_gm,
                                                     uint32_t groups, uint32_t rows, uint32_t n, uint32_t k) {
    TPipe pipe;
    Cube<half, float> cube(pipe);
    const auto a = MatrixAt<half>(a_gm, rows, k), b = MatrixAt<half>(b_gm, groups * k, n);
    const auto c = MatrixAt<float>(c_gm, rows, n);
    auto ends = Gm<int32_t>(ends_gm, groups);
    uint32_t begin = 0, dealt = 0;
    for (uint32_t g = 0; g < groups; ++g) {
        const uint32_t end = ends.GetValue(g);
        EachTile(end - begin, n, 32, 0, 1, [&](uint32_t i, uint32_t j, uint32_t height, uint32_t width) {
            if (dealt++ % GetBlockNum() != GetBlockIdx()) return;
            cube.Multiply<false>(c.At(begin + i, j), a.At(begin + i, 0), b.At(g * k, j), height, width, k);
        });
        begin = end;
    }
}
