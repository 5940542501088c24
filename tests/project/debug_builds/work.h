// SPDX-License-Identifier: Apache-2.0
// What all kernels here call: cube cores come in by a branch that most never take, and compilers see that if they
// optimise.
#pragma once
#include "kernel_operator.h"

class Work {
public:
    __aicore__ inline explicit Work(int mode) : mode_(mode) {}
    // Each core leaves how many vector cores a block has, in a place of its own.
    __aicore__ inline void Run(GM_ADDR out) {
        if (mode_ > 0) OnCube();
        OnVector();
        auto* counts = reinterpret_cast<__gm__ int32_t*>(out);
        if ASCEND_IS_AIC {
            counts[8 + AscendC::GetBlockIdx()] = 7;
        }
        if ASCEND_IS_AIV {
            counts[AscendC::GetBlockIdx()] = static_cast<int32_t>(AscendC::GetSubBlockNum());
        }
    }

private:
    __aicore__ inline void OnCube() { AscendC::SetHF32Mode(true); }
    __aicore__ inline void OnVector() {
        if ASCEND_IS_AIV {
            AscendC::LocalTensor<int32_t> t(AscendC::TPosition::VECCALC, 0, 16);
            AscendC::Duplicate(t, 1, 16);
            AscendC::PipeBarrier<PIPE_ALL>();
        }
    }
    int mode_;
};
