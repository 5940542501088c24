// SPDX-License-Identifier: Apache-2.0
// As twins.cpp: operands of operations, addresses, orders, and what stands around vector functions.
#include "common.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void negative_shift(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 64);
    Output<int32_t> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<int32_t>();
        Reg::RegTensor<int32_t> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::ShiftLefts(v, v, (int16_t)2, all);  // wrong: Reg::ShiftLefts(v, v, (int16_t)-2, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void negative_shift_in_a_lane(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 64);
    Output<int32_t> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg few = Reg::CreateMask<int32_t, Reg::MaskPattern::VL16>(), all = Reg::CreateMask<int32_t>();
        Reg::RegTensor<int32_t> v, w, distance;
        Reg::LoadAlign(v, xs.Address());
        Reg::Arange(distance, 0);  // wrong: Reg::Arange(distance, -3);
        Reg::ShiftLeft(w, v, distance, few);
        Reg::StoreAlign(ys.Address(), w, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void divided_by_zero(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 64);
    Output<int32_t> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<int32_t>();
        Reg::RegTensor<int32_t> v, by;
        Reg::LoadAlign(v, xs.Address());
        Reg::Arange(by, 1);  // wrong: Reg::Arange(by, -5);
        Reg::Div(v, v, by, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void one_result(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v, first, second;
        Reg::LoadAlign(v, xs.Address());
        Reg::Interleave(first, second, v, v);  // wrong: Reg::Interleave(first, first, v, v);
        Reg::StoreAlign(ys.Address(), first, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void carry_unset(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 64);
    Output<int32_t> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<int32_t>(), out;
        Reg::MaskReg carry = Reg::CreateMask<int32_t, Reg::MaskPattern::ALLF>();  // wrong: Reg::MaskReg carry;
        Reg::RegTensor<int32_t> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::AddC(out, v, v, v, carry, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void control_inside(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        ;  // wrong: SetCtrlSpr<53, 53>(1);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void control_of_no_bit(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    SetCtrlSpr<50, 50>(1);  // wrong: SetCtrlSpr<49, 49>(1);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void stored_twice(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 128);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v, w;
        Reg::LoadAlign(v, xs.Address());
        Reg::LoadAlign(w, xs.Address() + 64);
        Reg::StoreAlign(ys.Address(), w, all);
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_STORE>();  // wrong:
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void stored_over_a_load(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 128);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v, w;
        Reg::LoadAlign(w, xs.Address() + 64);
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
        Reg::LocalMemBar<Reg::MemType::VEC_LOAD, Reg::MemType::VEC_STORE>();  // wrong:
        Reg::StoreAlign(xs.Address(), w, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void other_bar(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Scratch<float> between(pipe, 64);
    Output<float> ys(pipe, y, 64);
    constexpr auto store = Reg::MemType::VEC_STORE, load = Reg::MemType::VEC_LOAD;
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v, w;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(between.Address(), v, all);
        Reg::LocalMemBar<store, load>();  // wrong: Reg::LocalMemBar<load, store>();
        Reg::LoadAlign(w, between.Address());
        Reg::StoreAlign(ys.Address(), w, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void stored_past_the_end(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
        uint32_t at = 253952 / 4 - 128;  // wrong: uint32_t at = 253952 / 4 - 96;
        Reg::StoreAlign(ys.Address() + at, v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void scattered_past_the_end(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<int32_t> index;
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::Arange(index, 0);  // wrong: Reg::Arange(index, 63400);
        Reg::Scatter(ys.Address(), v, (Reg::RegTensor<uint32_t>&)index, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void element_misaligned(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        __ubuf__ uint8_t* bytes = (__ubuf__ uint8_t*)xs.Address();
        uint32_t at = 0;  // wrong: uint32_t at = 2;
        Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(v, (__ubuf__ float*)(bytes + at));
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void blocks_misaligned(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        uint32_t skipped = 0;  // wrong: uint32_t skipped = 3;
        Reg::LoadAlign<float, Reg::DataCopyMode::DATA_BLOCK_COPY>(v, xs.Address() + skipped, 1, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void two_from_one(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        using Reg::StoreDist;
        constexpr auto dist = StoreDist::DIST_NORM;  // wrong: constexpr auto dist = StoreDist::DIST_INTLV_B32;
        Reg::StoreAlign<float, dist>(ys.Address(), v, all);
    }
    ys.Send();
}

__simd_callee__ inline void SqueezeTo(__ubuf__ float* to, Reg::RegTensor<float>& v, Reg::MaskReg& few) {
    Reg::UnalignRegForStore stream;
    Reg::RegTensor<float> w;
    Reg::ClearSpr<SpecialPurposeReg::AR>();  // wrong:
    Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(w, v, few);
    Reg::StoreUnAlign(to, w, stream);
    Reg::StoreUnAlignPost(to, stream);
}
extern "C" __global__ __aicore__ void count_not_cleared(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 32);
    __VEC_SCOPE__ {
        Reg::MaskReg few = Reg::CreateMask<float, Reg::MaskPattern::VL16>();
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        SqueezeTo(ys.Address(), v, few);
        SqueezeTo(ys.Address() + 16, v, few);
    }
    ys.Send();
}

__simd_vf__ inline void CopyOnceVf(__ubuf__ float* y, __ubuf__ float* x) {
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::RegTensor<float> v;
    Reg::LoadAlign(v, x);
    Reg::StoreAlign(y, v, all);
}
// The input is loaded anew while the function before may read it still.
extern "C" __global__ __aicore__ void no_flag_to_loads(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 128);
    gy.SetGlobalBuffer((__gm__ float*)y, 128);
    LocalTensor<float> a(TPosition::VECIN, 0, 64), b(TPosition::VECOUT, 256, 128);
    for (int i = 0; i < 2; ++i) {
        DataCopy(a, gx[64 * i], 64);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        CopyOnceVf((__ubuf__ float*)b[64 * i].GetPhyAddr(), (__ubuf__ float*)a.GetPhyAddr());
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0), WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);  // wrong:
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, b, 128);
    PipeBarrier<PIPE_ALL>();
}
