// SPDX-License-Identifier: Apache-2.0
// ReduceXorSum of a type it does not take.
// expect: ReduceXorSum: the elements are int16_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<uint16_t> words;
    LocalTensor<int16_t> legal;
#ifdef WRONG
    ReduceXorSum(words, words, words, 16);
#else
    ReduceXorSum(legal, legal, legal, 16);
#endif
}
