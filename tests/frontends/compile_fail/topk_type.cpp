// SPDX-License-Identifier: Apache-2.0
// TopK of a type it does not take.
// expect: TopK: the elements are of half or float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> integers;
    LocalTensor<float> legal;
    LocalTensor<bool> finish;
    constexpr TopkTiling tiling = {};
#ifdef WRONG
    TopK<int32_t>(integers, integers, integers, integers, finish, 1, tiling, TopKInfo{1, 32, 32});
#else
    TopK<float>(legal, integers, legal, integers, finish, 1, tiling, TopKInfo{1, 32, 32});
#endif
}
