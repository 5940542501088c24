// SPDX-License-Identifier: Apache-2.0
// CumSum with an algorithm of a later chip.
// expect: CumSum: the algorithm SKLANSKY is one of Ascend950
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ void Kernel() {
    LocalTensor<float> legal;
    static constexpr CumSumConfig config = {true, false, false, CumSumAlgorithm::CUMSUM_ALGORITHM_SKLANSKY};
#ifdef WRONG
    CumSum<float, config>(legal, legal, legal, CumSumInfo{8, 16});
#else
    CumSum(legal, legal, legal, CumSumInfo{8, 16});
#endif
}
