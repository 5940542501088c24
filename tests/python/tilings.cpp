// SPDX-License-Identifier: Apache-2.0
// Kernels that are given what tiling functions make: alone, by value, inside a struct.
#include "kernel_operator.h"

struct Fused {
    uint32_t rounds;
    TCubeTiling mm;
    SoftMaxTiling softmax;
};

extern "C" __global__ __aicore__ void cube(GM_ADDR out, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, t, tiling);
    auto to = reinterpret_cast<__gm__ int32_t*>(out);
    to[0] = t.usedCoreNum, to[1] = t.singleCoreM, to[2] = t.baseN, to[3] = t.mxTypePara;
}

extern "C" __global__ __aicore__ void by_value(GM_ADDR out, SoftMaxTiling t) {
    reinterpret_cast<__gm__ uint32_t*>(out)[0] = t.srcM;
    reinterpret_cast<__gm__ uint32_t*>(out)[1] = t.tailReduceSize;
}

extern "C" __global__ __aicore__ void fused(GM_ADDR out, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(Fused, t, tiling);
    constexpr SoftMaxTiling kInKernel = AscendC::SoftMaxFlashV2TilingFunc({8, 64, 8, 64}, 4, 4, 1 << 16);
    auto to = reinterpret_cast<__gm__ int32_t*>(out);
    to[0] = static_cast<int32_t>(t.rounds), to[1] = t.mm.M, to[2] = static_cast<int32_t>(t.softmax.srcK);
    to[3] = t.softmax.splitM == kInKernel.splitM;
}
