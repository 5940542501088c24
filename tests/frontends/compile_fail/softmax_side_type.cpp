// SPDX-License-Identifier: Apache-2.0
// SoftMax with a sum narrower than its data.
// expect: softmax: sum and maximum have the type of the data, or float with half data
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<half> side;
    LocalTensor<float> legal;
    constexpr SoftMaxTiling tiling = {};
#ifdef WRONG
    SoftMax<float>(legal, side, side, legal, tiling);
#else
    SoftMax<float>(legal, legal, legal, legal, tiling);
#endif
}
