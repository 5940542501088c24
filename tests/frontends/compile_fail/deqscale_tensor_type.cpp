// SPDX-License-Identifier: Apache-2.0
// The words of a scale in a tensor of another type.
// expect: SetDeqScale: the tensor holds 16 words of uint64_t
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<float> words;
    LocalTensor<uint64_t> legal;
#ifdef WRONG
    SetDeqScale(words);
#else
    SetDeqScale(legal);
#endif
}
