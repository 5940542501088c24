// SPDX-License-Identifier: Apache-2.0
// Right kernels, each one line away from a wrong one: the line becomes what stands behind `wrong:` (test_wrong.py).
#include "common.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void outside(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::RegTensor<float> v;
    __VEC_SCOPE__ {  // wrong: {
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void inside(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::Adds(v, v, 1.0f, all);  // wrong: AscendC::Adds(ys.Tensor(), xs.Tensor(), 1.0f, 64);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

__simd_vf__ inline void MisalignedVf(__ubuf__ float* y, __ubuf__ float* x) {
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::RegTensor<float> v;
    Reg::LoadAlign(v, x);  // wrong: Reg::LoadAlign(v, x + 1);
    Reg::StoreAlign(y, v, all);
}
extern "C" __global__ __aicore__ void misaligned(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    asc_vf_call<MisalignedVf>(ys.Address(), xs.Address());
    ys.Send();
}

extern "C" __global__ __aicore__ void misaligned_mask(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Scratch<uint8_t> bits(pipe, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>(), again;
        Reg::RegTensor<float> v;
        Reg::StoreAlign(bits.Address() + 32, all);  // wrong: Reg::StoreAlign(bits.Address() + 16, all);
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
        Reg::LoadAlign(again, bits.Address() + 32);
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, again);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void past_end(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        __ubuf__ float* end = xs.Address() + 253952 / 4;
        Reg::LoadAlign(v, end - 64);  // wrong: Reg::LoadAlign(v, end - 56);
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void past_end_by_index(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<int32_t> index;
        Reg::RegTensor<float> v;
        Reg::Arange(index, 0);  // wrong: Reg::Arange(index, 63460);
        Reg::Gather(v, xs.Address(), (Reg::RegTensor<uint32_t>&)index, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void global_pointer(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());  // wrong: Reg::LoadAlign(v, (__ubuf__ float*)x);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void mask_unset(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();  // wrong: Reg::MaskReg all;
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void mask_of_mask_unset(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>(), both, other;
        Reg::RegTensor<float> v;
        Reg::Move(other, all);  // wrong:
        Reg::And(both, all, other, all);
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, both);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void no_post(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 60);
    __ubuf__ float* to = ys.Address();
    __VEC_SCOPE__ {
        Reg::UnalignRegForStore stream;
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreUnAlign(to, v, stream, 60);
        Reg::StoreUnAlignPost(to, stream, 0);  // wrong:
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void no_pre(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 72);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::UnalignRegForLoad stream;
        Reg::RegTensor<float> v;
        Reg::LoadUnAlignPre(stream, xs.Address() + 3);  // wrong:
        Reg::LoadUnAlign(v, stream, xs.Address() + 3);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void other_pre(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 128);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::UnalignRegForLoad stream;
        Reg::RegTensor<float> v;
        Reg::LoadUnAlignPre(stream, xs.Address() + 21);  // wrong: Reg::LoadUnAlignPre(stream, xs.Address());
        Reg::LoadUnAlign(v, stream, xs.Address() + 21);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void mixed_streams(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 23);
    __ubuf__ float *first = ys.Address(), *second = ys.Address() + 12;
    __VEC_SCOPE__ {
        Reg::UnalignRegForStore one, two;
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreUnAlign(second, v, two, 11);
        Reg::StoreUnAlign(first, v, one, 12);  // wrong: Reg::StoreUnAlign(first, v, two, 12);
        Reg::StoreUnAlignPost(first, one, 0);
        Reg::StoreUnAlignPost(second, two, 0);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void squeezed_twice(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 32);
    __ubuf__ float* to = ys.Address();
    __VEC_SCOPE__ {
        Reg::MaskReg few = Reg::CreateMask<float, Reg::MaskPattern::VL16>();
        Reg::UnalignRegForStore stream;
        Reg::RegTensor<float> v, w, again;
        Reg::ClearSpr<SpecialPurposeReg::AR>();
        Reg::LoadAlign(v, xs.Address());
        Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(w, v, few);
        Reg::StoreUnAlign(to, w, stream);  // wrong:
        Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(again, v, few);
        Reg::StoreUnAlign(to, again, stream);
        Reg::StoreUnAlignPost(to, stream);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void nothing_squeezed(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 16);
    __ubuf__ float* to = ys.Address();
    __VEC_SCOPE__ {
        Reg::MaskReg few = Reg::CreateMask<float, Reg::MaskPattern::VL16>();
        Reg::UnalignRegForStore stream;
        Reg::RegTensor<float> v, w;
        Reg::ClearSpr<SpecialPurposeReg::AR>();
        Reg::LoadAlign(v, xs.Address());
        Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(w, v, few);  // wrong: Reg::Squeeze(w, v, few);
        Reg::StoreUnAlign(to, w, stream);
        Reg::StoreUnAlignPost(to, stream);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void scatter_twice(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<int32_t> index, last;
        Reg::RegTensor<float> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
        Reg::Arange(index, 0);
        Reg::Duplicate(last, 63);
        Reg::Sub(index, last, index, all);  // wrong: Reg::ShiftRights(index, index, (int16_t)1, all);
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_STORE>();
        Reg::Scatter(ys.Address(), v, (Reg::RegTensor<uint32_t>&)index, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void blocks_by_elements(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<int32_t> index;
        Reg::RegTensor<float> v;
        Reg::Arange(index, 0);
        Reg::Muls(index, index, 32, all);  // wrong: Reg::Muls(index, index, 8, all);
        Reg::GatherB(v, xs.Address(), (Reg::RegTensor<uint32_t>&)index, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void index_type(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<int32_t> index;
        Reg::RegTensor<float> v;
        Reg::Arange(index, 0);
        using Index = uint32_t;  // wrong: using Index = uint16_t;
        Reg::Gather(v, xs.Address(), (Reg::RegTensor<Index>&)index, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void no_form(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, 64);
    Output<int32_t> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<int32_t>();
        Reg::RegTensor<int32_t> v;
        Reg::LoadAlign(v, xs.Address());
        Reg::Abs(v, v, all);  // wrong: Reg::Exp(v, v, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void no_conversion(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<int16_t> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        Reg::RegTensor<int16_t> w;
        Reg::LoadAlign(v, xs.Address());
        Reg::Cast<int16_t, float>(w, v, all);  // wrong: Reg::Cast<uint16_t, float>(w, v, all);
        Reg::StoreAlign<int16_t, Reg::StoreDist::DIST_PACK_B32>(ys.Address(), w, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void one_register(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v;
        constexpr auto dist = Reg::LoadDist::DIST_NORM;  // wrong: constexpr auto dist = Reg::LoadDist::DIST_DINTLV_B32;
        Reg::LoadAlign<float, dist>(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

__simd_vf__ inline void CopyVf(__ubuf__ float* y, __ubuf__ float* x) {
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::RegTensor<float> v;
    Reg::LoadAlign(v, x);
    Reg::StoreAlign(y, v, all);
}
// By hand: three pipes, and the flags between them.
template <pipe_t from, pipe_t to>
__aicore__ inline void Order() {
    set_flag(from, to, EVENT_ID0);
    wait_flag(from, to, EVENT_ID0);
}
extern "C" __global__ __aicore__ void no_flag_before(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 64);
    gy.SetGlobalBuffer((__gm__ float*)y, 64);
    LocalTensor<float> a(TPosition::VECIN, 0, 64), b(TPosition::VECOUT, 256, 64);
    DataCopy(a, gx, 64);
    Order<PIPE_MTE2, PIPE_V>();  // wrong:
    asc_vf_call<CopyVf>((__ubuf__ float*)b.GetPhyAddr(), (__ubuf__ float*)a.GetPhyAddr());
    Order<PIPE_V, PIPE_MTE3>();
    DataCopy(gy, b, 64);
    PipeBarrier<PIPE_ALL>();
}
extern "C" __global__ __aicore__ void no_flag_behind(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 64);
    gy.SetGlobalBuffer((__gm__ float*)y, 64);
    LocalTensor<float> a(TPosition::VECIN, 0, 64), b(TPosition::VECOUT, 256, 64);
    DataCopy(a, gx, 64);
    Order<PIPE_MTE2, PIPE_V>();
    asc_vf_call<CopyVf>((__ubuf__ float*)b.GetPhyAddr(), (__ubuf__ float*)a.GetPhyAddr());
    Order<PIPE_V, PIPE_MTE3>();  // wrong:
    DataCopy(gy, b, 64);
    PipeBarrier<PIPE_ALL>();
}
extern "C" __global__ __aicore__ void no_flag_for_scalars(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 64);
    gy.SetGlobalBuffer((__gm__ float*)y, 64);
    LocalTensor<float> a(TPosition::VECIN, 0, 64), b(TPosition::VECOUT, 256, 64);
    DataCopy(a, gx, 64);
    Order<PIPE_MTE2, PIPE_V>();
    asc_vf_call<CopyVf>((__ubuf__ float*)b.GetPhyAddr(), (__ubuf__ float*)a.GetPhyAddr());
    Order<PIPE_V, PIPE_S>();  // wrong:
    b.SetValue(0, b.GetValue(1));
    Order<PIPE_S, PIPE_MTE3>();
    Order<PIPE_V, PIPE_MTE3>();
    DataCopy(gy, b, 64);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void end_not_stored(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::RegTensor<float> v;
        constexpr auto lanes = Reg::MaskPattern::ALL;  // wrong: constexpr auto lanes = Reg::MaskPattern::VL32;
        Reg::MaskReg all = Reg::CreateMask<float, lanes>();
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void nobody_wrote(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Scratch<float> empty(pipe, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v, w;
        Reg::LoadAlign(v, xs.Address());
        Reg::LoadAlign(w, xs.Address());  // wrong: Reg::LoadAlign(w, empty.Address());
        Reg::Add(v, v, w, all);
        Reg::StoreAlign(ys.Address(), v, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void register_unset(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v, sum;
        Reg::LoadAlign(v, xs.Address());
        Reg::Duplicate(sum, 0.0f);  // wrong:
        Reg::Add(sum, sum, v, all);
        Reg::StoreAlign(ys.Address(), sum, all);
    }
    ys.Send();
}

extern "C" __global__ __aicore__ void unordered(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<float> xs(pipe, x, 64);
    Scratch<float> between(pipe, 64);
    Output<float> ys(pipe, y, 64);
    __VEC_SCOPE__ {
        Reg::MaskReg all = Reg::CreateMask<float>();
        Reg::RegTensor<float> v, w;
        Reg::LoadAlign(v, xs.Address());
        Reg::StoreAlign(between.Address(), v, all);
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();  // wrong:
        Reg::LoadAlign(w, between.Address());
        Reg::StoreAlign(ys.Address(), w, all);
    }
    ys.Send();
}
