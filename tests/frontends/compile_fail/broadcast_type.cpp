// SPDX-License-Identifier: Apache-2.0
// BroadCast of a type it does not take.
// expect: BroadCast: the element types are int8_t, uint8_t, half and float
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<int32_t> integers;
    LocalTensor<float> legal;
    const uint32_t to[] = {8}, from[] = {1};
#ifdef WRONG
    BroadCast<int32_t, 1, 0>(integers, integers, to, from);
#else
    BroadCast<float, 1, 0>(legal, legal, to, from);
#endif
}
