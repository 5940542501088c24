// SPDX-License-Identifier: Apache-2.0
// Sums of floats in UB (rows g_red of tests/timing/timing_fit.csv): 100 sums of 256, by WholeReduceSum twice or by
// BlockReduceSum and WholeReduceSum, and one of 30000 by WholeReduceSum until one is left.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t kLanes = 64;

__aicore__ inline LocalTensor<float> At(uint32_t byte, uint32_t count) {
    return LocalTensor<float>(TPosition::VECCALC, byte, count);
}

template <bool blocks_first>
__aicore__ inline void Sums() {
    const auto x = At(0, 256), part = At(1024, kLanes), sum = At(2048, 8);
    for (int32_t i = 0; i < 100; ++i) {
        if (blocks_first) {
            BlockReduceSum(part, x, 256 / kLanes, kLanes, 1, 1, 8);
        } else {
            WholeReduceSum(part, x, kLanes, 256 / kLanes, 1, 1, 8);
        }
        PipeBarrier<PIPE_V>();
        WholeReduceSum(sum, part, blocks_first ? 32 : 4, 1, 1, 1, 8);
        PipeBarrier<PIPE_V>();
    }
}

extern "C" __global__ __aicore__ void whole_whole() { InitSocState(), Sums<false>(); }
extern "C" __global__ __aicore__ void block_whole() { InitSocState(), Sums<true>(); }

extern "C" __global__ __aicore__ void whole_until_one() {
    InitSocState();
    constexpr int32_t kMost = 255;
    int32_t count = 30000;
    const auto a = At(0, 30016), b = At(122880, 512);
    bool first = true;
    while (count > 1) {
        const auto from = first ? a : b, to = first ? b : a;
        const int32_t repeats = (count + kLanes - 1) / kLanes;
        for (int32_t i = 0; i < repeats; i += kMost) {
            WholeReduceSum(to[i], from[i * kLanes], count < kLanes ? count : kLanes,
                           repeats - i < kMost ? repeats - i : kMost, 1, 1, 8);
        }
        PipeBarrier<PIPE_V>();
        count = repeats;
        first = !first;
    }
}
