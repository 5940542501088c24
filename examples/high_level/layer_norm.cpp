// SPDX-License-Identifier: Apache-2.0
// (x - mean) / sqrt(variance + epsilon) gamma + beta of rows of float; a tile is B x S rows of the tiling.
//
//   sfumato run examples/high_level/layer_norm.cpp --chip Ascend910B1 --blocks 4 --
//       x.npy gamma.npy beta.npy 'out:float32[96,120]=y.npy' uint32:96 float32:0.001
//       'tiling-of:layernorm(shape=2x4x120x120, type=float)'
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma_gm, GM_ADDR beta_gm, GM_ADDR y, uint32_t rows,
                                                 float epsilon, GM_ADDR tiling_gm) {
    GET_TILING_DATA_WITH_STRUCT(LayerNormTiling, tiling, tiling_gm);
    const uint32_t tile = tiling.bLength * tiling.sLength, width = tiling.hLength;
    GlobalTensor<float> from, to, weights;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), uint64_t{rows} * width);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), uint64_t{rows} * width);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> ins;
    TQue<TPosition::VECIN, 1> parameters;
    TQue<TPosition::VECOUT, 2> outs;
    TBuf<TPosition::VECCALC> sides;
    pipe.InitBuffer(ins, 2, tile * width * sizeof(float));
    pipe.InitBuffer(outs, 2, tile * width * sizeof(float));
    pipe.InitBuffer(parameters, 1, 2 * width * sizeof(float));
    pipe.InitBuffer(sides, 2 * tile * sizeof(float));
    auto mean = sides.Get<float>(), variance = mean[tile];
    auto gamma = parameters.AllocTensor<float>(), beta = gamma[width];
    weights.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(gamma_gm), width);
    DataCopy(gamma, weights, width);
    weights.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(beta_gm), width);
    DataCopy(beta, weights, width);
    parameters.EnQue(gamma);
    gamma = parameters.DeQue<float>();
    for (uint32_t row = GetBlockIdx() * tile; row < rows; row += GetBlockNum() * tile) {
        auto in = ins.AllocTensor<float>();
        DataCopy(in, from[row * width], tile * width);
        ins.EnQue(in);
        in = ins.DeQue<float>();
        auto out = outs.AllocTensor<float>();
        LayerNorm<float, false>(out, mean, variance, in, gamma, beta, epsilon, tiling);
        ins.FreeTensor(in);
        outs.EnQue(out);
        out = outs.DeQue<float>();
        DataCopy(to[row * width], out, tile * width);
        outs.FreeTensor(out);
    }
    parameters.FreeTensor(gamma);
}
