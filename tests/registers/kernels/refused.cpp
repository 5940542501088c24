// SPDX-License-Identifier: Apache-2.0
// A right kernel, and lines that no build takes: `refused:` (test_refused.py).
#include "common.h"

using namespace AscendC;
using Reg::CastTrait;
using Reg::MaskMergeMode;
using Reg::RegLayout;
using Reg::SatMode;

constexpr CastTrait kThird = {RegLayout::TWO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
constexpr CastTrait kOdd = {RegLayout::ZERO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_ODD};
constexpr CastTrait kHybrid = {RegLayout::ZERO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_HYBRID};
constexpr CastTrait kFloor = {RegLayout::ZERO, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_FLOOR};

extern "C" __global__ __aicore__ void right(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __ubuf__ float *px = xs.Address(), *py = ys.Address();
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>(), other;
        Reg::RegTensor<float> v, w;
        Reg::RegTensor<half> halves;
        Reg::RegTensor<int16_t> shorts;
        Reg::RegTensor<fp8_e4m3fn_t> small;
        Reg::LoadAlign<float, Reg::PostLiteral::POST_MODE_UPDATE>(v, px, 64);
        Reg::Move(w, v);
        // refused: Reg::Sub<float, Reg::MaskMergeMode::MERGING>(w, w, v, all);
        Reg::Add<float, Reg::MaskMergeMode::MERGING>(w, w, v, all);
        // refused: Reg::Exp<float, Reg::MaskMergeMode::MERGING>(w, w, all);
        // refused: Reg::Muls<float, float, Reg::MaskMergeMode::MERGING>(w, w, 2.0f, all);
        // refused: Reg::LoadAlign<float, Reg::PostLiteral::POST_MODE_NORMAL>(v, px, 64);
        // refused: Reg::MaskGenWithRegTensor<float, 32>(other, v);
        // refused: Reg::Move<float, Reg::MaskMergeMode::ZEROING>(w, v, all);
        // refused: Reg::Cast<half, float, kThird>(halves, w, all);
        // refused: Reg::Cast<int16_t, float, kOdd>(shorts, w, all);
        // refused: Reg::Cast<half, float, kHybrid>(halves, w, all);
        // refused: Reg::Cast<fp8_e4m3fn_t, float, kFloor>(small, w, all);
        // refused: other = Reg::MoveMask<uint8_t>();
        Reg::StoreAlign(py, w, all);
    }
    ys.Send();
}
