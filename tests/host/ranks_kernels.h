// SPDX-License-Identifier: Apache-2.0
// Kernels that ranks run in tests, as a file of their own for reports.
#pragma once

#include "frontends/cross_core.h"

namespace sfumato {

// A word in a line of its own, as other cores see it.
inline void Store(GlobalTensor<int32_t> word, int32_t value) {
#line 10 "kernels.asc"
    word.SetValue(0, value);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(word);
}
inline int32_t Load(GlobalTensor<int32_t> word) {
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(word);
    return word.GetValue(0);
}

// A number goes around, and every rank adds one; waits until it comes.
__global__ inline void Pass(__gm__ int32_t* mine, __gm__ int32_t* next, __gm__ int32_t* out, int32_t first) {
    GlobalTensor<int32_t> from, to, got;
    from.SetGlobalBuffer(mine, kApart);
    to.SetGlobalBuffer(next, kApart);
    got.SetGlobalBuffer(out, kApart);
    if (first) Store(to, 1);
    int32_t number = 0;
    while (number == 0) number = Load(from);
    if (!first) Store(to, number + 1);
    Store(got, number);
}
// Adds to a word.
__global__ inline void More(__gm__ int32_t* x, int32_t more) {
    GlobalTensor<int32_t> word;
    word.SetGlobalBuffer(x, kApart);
    Store(word, Load(word) + more);
}
// Copies from a place in UB that is not aligned.
__global__ inline void Misaligned(__gm__ int32_t* x) {
    Ub ub;
    Adds(ub.At(1, 8), ub.At(64, 8), 1, 8);
    (void)x;
}

}  // namespace sfumato
