// SPDX-License-Identifier: Apache-2.0
// C = A x B + bias by the high-level Matmul as boards have it: all matrices lie in global memory, one core has both the
// cube unit and UB, and a call is done when it returns. A and B are half, the bias and C float.
#pragma once

#include "kernel_operator.h"
#include "lib/matmul_intf.h"

namespace boards {

template <class T>
__aicore__ inline AscendC::GlobalTensor<T> Global(GM_ADDR address, uint64_t first = 0) {
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address + first);
    return tensor;
}

class Multiply {
public:
    __aicore__ inline Multiply(AscendC::TPipe& pipe, const TCubeTiling& tiling) : tiling_(tiling) {
        REGIST_MATMUL_OBJ(&pipe, nullptr, mm_, &tiling_);  // no workspace: no other core takes part
        // On 310P results pass UB, and the tiling says how many bytes that takes. On 310B it says 0.
        if (tiling_.transLength == 0) return;
        pipe.InitBuffer(scratch_, tiling_.transLength);
        mm_.SetLocalWorkspace(scratch_.Get<uint8_t>());
    }

    __aicore__ inline ~Multiply() { mm_.End(); }

    // `rows` of them: a piece of the tiling, or what is left.
    __aicore__ inline void Rows(const AscendC::GlobalTensor<half>& a, const AscendC::GlobalTensor<half>& b,
                                const AscendC::GlobalTensor<float>& bias, const AscendC::GlobalTensor<float>& c,
                                int32_t rows) {
        mm_.SetTail(rows);
        mm_.SetTensorA(a);
        mm_.SetTensorB(b);
        mm_.SetBias(bias);
        mm_.IterateAll(c);
    }

private:
    template <class T>
    using InRows = AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, T>;

    TCubeTiling tiling_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> scratch_;
    AscendC::Matmul<InRows<half>, InRows<half>, InRows<float>, InRows<float>> mm_;
};

}  // namespace boards
