// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "quantize_fp8_tiling.h"

using namespace AscendC;

namespace {
constexpr Reg::CastTrait kToSmall = {Reg::RegLayout::ZERO, Reg::SatMode::SAT, Reg::MaskMergeMode::ZEROING,
                                     RoundMode::CAST_RINT};

template <typename T>
__simd_vf__ inline void ScaleToSmall(__ubuf__ T* y, __ubuf__ float* x, float scale, uint32_t count) {
    constexpr uint32_t kLanes = GetVecLen() / sizeof(float);
    Reg::RegTensor<float> value;
    Reg::RegTensor<T> small;
    uint32_t left = count;
    for (uint16_t i = 0; i < (count + kLanes - 1) / kLanes; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(left);
        Reg::LoadAlign(value, x + i * kLanes);
        Reg::Muls(value, value, scale, mask);
        Reg::Cast<T, float, kToSmall>(small, value, mask);
        Reg::StoreAlign<T, Reg::StoreDist::DIST_PACK4_B32>(y + i * kLanes, small, mask);
    }
}
}  // namespace

extern "C" __global__ __aicore__ void quantize_fp8(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(QuantizeFp8Tiling);
    GET_TILING_DATA(t, tiling);
#if ORIG_DTYPE_Y != DT_FLOAT8_E4M3FN
#error "another type"
#endif
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, t.tile * sizeof(DTYPE_X));
    pipe.InitBuffer(out, 2, t.tile * sizeof(DTYPE_Y));
    GlobalTensor<DTYPE_X> xGm;
    GlobalTensor<DTYPE_Y> yGm;
    xGm.SetGlobalBuffer((__gm__ DTYPE_X*)x, t.total);
    yGm.SetGlobalBuffer((__gm__ DTYPE_Y*)y, t.total);
    for (uint32_t at = GetBlockIdx() * t.tile; at < t.total; at += GetBlockNum() * t.tile) {
        const uint32_t count = t.total - at < t.tile ? t.total - at : t.tile;
        LocalTensor<DTYPE_X> a = in.AllocTensor<DTYPE_X>();
        DataCopyPad(a, xGm[at], DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0},
                    DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
        in.EnQue(a);
        a = in.DeQue<DTYPE_X>();
        LocalTensor<DTYPE_Y> b = out.AllocTensor<DTYPE_Y>();
        asc_vf_call<ScaleToSmall<DTYPE_Y>>((__ubuf__ DTYPE_Y*)b.GetPhyAddr(), (__ubuf__ DTYPE_X*)a.GetPhyAddr(),
                                           t.scale, count);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<DTYPE_Y>();
        DataCopyPad(yGm[at], b, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(DTYPE_Y)), 0, 0, 0});
        out.FreeTensor(b);
    }
}
