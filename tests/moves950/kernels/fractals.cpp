// SPDX-License-Identifier: Apache-2.0
// Products of matrices that come to L1 column by column, or in blocks.
#include "kernel_operator.h"

using namespace AscendC;

// c[16][16] = a[k][16] transposed, times b[16][k] transposed; rows of a are `pitch` elements apart, those of b
// `b_pitch`: blocked where its k is 16.
template <bool blocked>
__aicore__ inline void Product(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t k, uint32_t pitch, uint32_t b_pitch) {
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer((__gm__ half*)a);
    gb.SetGlobalBuffer((__gm__ half*)b);
    gc.SetGlobalBuffer((__gm__ float*)c);
    const uint32_t depth = (k + 15) / 16 * 16, bytes = 16 * depth * sizeof(half);
    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::B1, 1> b1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> co1;
    pipe.InitBuffer(a1, 1, bytes);
    pipe.InitBuffer(b1, 1, bytes);
    pipe.InitBuffer(a2, 1, bytes);
    pipe.InitBuffer(b2, 1, bytes);
    pipe.InitBuffer(co1, 1, 16 * 16 * sizeof(float));
    LocalTensor<half> la = a1.AllocTensor<half>(), lb = b1.AllocTensor<half>();
    Dn2NzParams of_a;
    of_a.dnNum = 1;
    of_a.nValue = 16;
    of_a.dValue = k;
    of_a.srcDnMatrixStride = 0;
    of_a.srcDValue = pitch;
    of_a.dstNzC0Stride = 16;
    of_a.dstNzNStride = 1;
    of_a.dstNzMatrixStride = 0;
    DataCopy(la, ga, of_a);
    if constexpr (blocked) {
        DataCopyExtParams rows{16, 32, static_cast<int64_t>((b_pitch - k) * sizeof(half)), 0, 0};
        DataCopyPad<half, PaddingMode::Compact>(lb, gb, rows, DataCopyPadExtParams<half>());
    } else {
        DataCopy<half, false>(lb, gb, Nd2NzParams(1, 16, k, 0, b_pitch, 16, 1, 0));
    }
    a1.EnQue(la);
    b1.EnQue(lb);
    la = a1.DeQue<half>();
    lb = b1.DeQue<half>();
    LocalTensor<half> l0a = a2.AllocTensor<half>(), l0b = b2.AllocTensor<half>();
    LoadData2DParams fractals;
    fractals.repeatTimes = depth / 16;
    fractals.srcStride = 1;
    LoadData(l0a, la, fractals);
    LoadData(l0b, lb, fractals);
    a2.EnQue(l0a);
    b2.EnQue(l0b);
    l0a = a2.DeQue<half>();
    l0b = b2.DeQue<half>();
    LocalTensor<float> l0c = co1.AllocTensor<float>();
    MmadParams product;
    product.m = product.n = 16;
    product.k = k;
    product.cmatrixInitVal = true;
    Mmad(l0c, l0a, l0b, product);
    co1.EnQue(l0c);
    l0c = co1.DeQue<float>();
    FixpipeParamsV220 out(16, 16, 16, 16, false);
    Fixpipe<float, float, CFG_ROW_MAJOR>(gc, l0c, out);
    co1.FreeTensor(l0c);
    a2.FreeTensor(l0a);
    b2.FreeTensor(l0b);
    a1.FreeTensor(la);
    b1.FreeTensor(lb);
}

extern "C" __global__ __aicore__ void columns(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t k, uint32_t pitch) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Product<false>(a, b, c, k, pitch, k);
}
extern "C" __global__ __aicore__ void blocks(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t b_pitch) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    Product<true>(a, b, c, 16, 16, b_pitch);
}
