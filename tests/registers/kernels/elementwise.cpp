// SPDX-License-Identifier: Apache-2.0
// Elements one by one, with tails; vector functions begin in each of the ways there are.
#include "common.h"

using namespace AscendC;

// Pointers that go on by themselves.
template <typename T>
__simd_vf__ inline void AddVf(__ubuf__ T* z, __ubuf__ T* x, __ubuf__ T* y, uint32_t n, uint16_t rounds) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    Reg::RegTensor<T> a, b;
    Reg::MaskReg mask;
    for (uint16_t i = 0; i < rounds; ++i) {
        mask = Reg::UpdateMask<T>(n);
        Reg::LoadAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(a, x, lanes);
        Reg::LoadAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(b, y, lanes);
        Reg::Add(a, a, b, mask);
        Reg::StoreAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(z, a, lanes, mask);
    }
}

template <typename T>
__aicore__ inline void RunAdd(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    TPipe pipe;
    Input<T> xs(pipe, x, n), ys(pipe, y, n);
    Output<T> zs(pipe, z, n);
    asc_vf_call<AddVf<T>>(zs.Address(), xs.Address(), ys.Address(), n, Rounds<T>(n));
    zs.Send();
}
extern "C" __global__ __aicore__ void add_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    RunAdd<float>(x, y, z, n);
}
extern "C" __global__ __aicore__ void add_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    RunAdd<half>(x, y, z, n);
}
extern "C" __global__ __aicore__ void add_int8(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    RunAdd<int8_t>(x, y, z, n);
}
extern "C" __global__ __aicore__ void add_int64(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    RunAdd<int64_t>(x, y, z, n);
}

// Tiles with two buffers each, over several blocks; the block of calls reads members.
template <typename T>
class MulOp {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n, uint32_t tile) {
        const uint32_t part = (n + GetBlockNum() - 1) / GetBlockNum(), begin = part * GetBlockIdx();
        count_ = begin >= n ? 0 : (n - begin < part ? n - begin : part);
        tile_ = tile;
        x_.SetGlobalBuffer((__gm__ T*)x + begin, count_);
        y_.SetGlobalBuffer((__gm__ T*)y + begin, count_);
        z_.SetGlobalBuffer((__gm__ T*)z + begin, count_);
        const uint32_t bytes = (tile * sizeof(T) + 31) / 32 * 32;
        pipe_.InitBuffer(in_x_, 2, bytes);
        pipe_.InitBuffer(in_y_, 2, bytes);
        pipe_.InitBuffer(out_, 2, bytes);
    }
    __aicore__ inline void Process() {
        for (uint32_t done = 0; done < count_; done += tile_) {
            now_ = count_ - done < tile_ ? count_ - done : tile_;
            CopyIn(done);
            Compute();
            CopyOut(done);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t at) {
        DataCopyExtParams params{1, static_cast<uint32_t>(now_ * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        LocalTensor<T> x = in_x_.template AllocTensor<T>(), y = in_y_.template AllocTensor<T>();
        DataCopyPad(x, x_[at], params, pad);
        DataCopyPad(y, y_[at], params, pad);
        in_x_.EnQue(x);
        in_y_.EnQue(y);
    }
    __aicore__ inline void Compute() {
        LocalTensor<T> x = in_x_.template DeQue<T>(), y = in_y_.template DeQue<T>(), z = out_.template AllocTensor<T>();
        __local_mem__ T* x_address = (__local_mem__ T*)x.GetPhyAddr();
        __local_mem__ T* y_address = (__local_mem__ T*)y.GetPhyAddr();
        __local_mem__ T* z_address = (__local_mem__ T*)z.GetPhyAddr();
        __VEC_SCOPE__ {
            MicroAPI::RegTensor<T> a, b, c;
            MicroAPI::MaskReg mask;
            uint32_t left = now_;
            const uint16_t rounds = Rounds<T>(now_);
            for (uint16_t i = 0; i < rounds; ++i) {
                mask = MicroAPI::UpdateMask<T>(left);
                MicroAPI::AddrReg at = MicroAPI::CreateAddrReg<T>(i, kLanes);
                MicroAPI::DataCopy(a, x_address, at);
                MicroAPI::DataCopy(b, y_address, at);
                MicroAPI::Mul(c, a, b, mask);
                MicroAPI::DataCopy(z_address, c, at, mask);
            }
        }
        out_.EnQue(z);
        in_x_.FreeTensor(x);
        in_y_.FreeTensor(y);
    }
    __aicore__ inline void CopyOut(uint32_t at) {
        LocalTensor<T> z = out_.template DeQue<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(now_ * sizeof(T)), 0, 0, 0};
        DataCopyPad(z_[at], z, params);
        out_.FreeTensor(z);
    }

    static constexpr uint32_t kLanes = GetVecLen() / sizeof(T);
    TPipe pipe_;
    TQue<QuePosition::VECIN, 2> in_x_, in_y_;
    TQue<QuePosition::VECOUT, 2> out_;
    GlobalTensor<T> x_, y_, z_;
    uint32_t count_, tile_, now_;
};
extern "C" __global__ __aicore__ void mul_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n, uint32_t tile) {
    MulOp<float> op;
    op.Init(x, y, z, n, tile);
    op.Process();
}
extern "C" __global__ __aicore__ void mul_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n, uint32_t tile) {
    MulOp<half> op;
    op.Init(x, y, z, n, tile);
    op.Process();
}

// y = a * x + y in one rounding.
template <typename T>
__simd_vf__ inline void AxpyVf(__ubuf__ T* y, __ubuf__ T* x, T a, uint32_t n, uint16_t rounds) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<T> vx, vy;
        Reg::MaskReg mask = Reg::UpdateMask<T>(n);
        Reg::LoadAlign(vx, x + i * lanes);
        Reg::LoadAlign(vy, y + i * lanes);
        Reg::Axpy(vy, vx, a, mask);
        Reg::StoreAlign(y + i * lanes, vy, mask);
    }
}
template <typename T>
__aicore__ inline void RunAxpy(GM_ADDR x, GM_ADDR y, GM_ADDR z, T a, uint32_t n) {
    TPipe pipe;
    Input<T> xs(pipe, x, n), ys(pipe, y, n);
    Output<T> zs(pipe, z, n);
    VF_CALL<AxpyVf<T>>(ys.Address(), xs.Address(), a, n, Rounds<T>(n));
    __VEC_SCOPE__ {
        Reg::RegTensor<T> v;
        uint32_t left = n;
        for (uint16_t i = 0; i < Rounds<T>(n); ++i) {
            Reg::MaskReg mask = Reg::UpdateMask<T>(left);
            Reg::LoadAlign(v, ys.Address() + i * (256 / sizeof(T)));
            Reg::StoreAlign(zs.Address() + i * (256 / sizeof(T)), v, mask);
        }
    }
    zs.Send();
}
extern "C" __global__ __aicore__ void axpy_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, float a, uint32_t n) {
    RunAxpy<float>(x, y, z, a, n);
}
extern "C" __global__ __aicore__ void axpy_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, float a, uint32_t n) {
    RunAxpy<half>(x, y, z, static_cast<half>(a), n);
}

// z = x + y * scale[0]: the scale is read from UB into all lanes. The function is called as any other.
__simd_vf__ inline void ScaledAddVf(__ubuf__ float* z, __ubuf__ float* x, __ubuf__ float* y, __ubuf__ float* scale,
                                    uint32_t n, uint16_t rounds) {
    Reg::RegTensor<float> vx, vy, vs;
    Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(vs, scale);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(n);
        Reg::AddrReg at = Reg::CreateAddrReg<float>(i, 64);
        Reg::LoadAlign(vx, x, at);
        Reg::LoadAlign(vy, y, at);
        Reg::Mul(vy, vy, vs, mask);
        Reg::Add(vx, vx, vy, mask);
        Reg::StoreAlign(z, vx, at, mask);
    }
}
extern "C" __global__ __aicore__ void scaled_add(GM_ADDR x, GM_ADDR y, GM_ADDR scale, GM_ADDR z, uint32_t n) {
    TPipe pipe;
    Input<float> xs(pipe, x, n), ys(pipe, y, n), ss(pipe, scale, 1);
    Output<float> zs(pipe, z, n);
    ScaledAddVf(zs.Address(), xs.Address(), ys.Address(), ss.Address(), n, Rounds<float>(n));
    zs.Send();
}

// A static member that is a vector function, and helpers of vector functions.
template <typename T>
__simd_callee__ inline void Leak(Reg::RegTensor<T>& y, Reg::RegTensor<T>& x, T slope, Reg::MaskReg& mask) {
    Reg::RegTensor<T> small;
    Reg::MaskReg below;
    Reg::Compares<T, CMPMODE::LT>(below, x, static_cast<T>(0), mask);
    Reg::Muls(small, x, slope, mask);
    Reg::Select(y, small, x, below);
}
class Pointwise {
public:
    __simd_vf__ static inline void Clip(__ubuf__ float* y, __ubuf__ float* x, float low, float high, uint32_t n) {
        const uint16_t rounds = static_cast<uint16_t>((n + 63) / 64);
        Reg::RegTensor<float> v, l, h;
        Reg::Duplicate(l, low);
        Reg::Duplicate(h, high);
        for (uint16_t i = 0; i < rounds; ++i) {
            Reg::MaskReg mask = Reg::UpdateMask<float>(n), out;
            Reg::LoadAlign(v, x + i * 64);
            Reg::Compare<float, CMPMODE::LT>(out, v, l, mask);
            Reg::Select(v, l, v, out);
            Reg::Compare<float, CMPMODE::GT>(out, v, h, mask);
            Reg::Select(v, h, v, out);
            Reg::StoreAlign(y + i * 64, v, mask);
        }
    }
};
extern "C" __global__ __aicore__ void clip(GM_ADDR x, GM_ADDR y, float low, float high, uint32_t n) {
    TPipe pipe;
    Input<float> xs(pipe, x, n);
    Output<float> ys(pipe, y, n);
    Pointwise::Clip(ys.Address(), xs.Address(), low, high, n);
    ys.Send();
}
__simd_vf__ inline void LeakyVf(__ubuf__ half* y, __ubuf__ half* own, __ubuf__ half* x, float slope, uint32_t n) {
    const half s = static_cast<half>(slope);
    const uint16_t rounds = static_cast<uint16_t>((n + 127) / 128);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<half> v, w;
        Reg::MaskReg mask = Reg::UpdateMask<half>(n);
        Reg::LoadAlign(v, x + i * 128);
        Leak(w, v, s, mask);
        Reg::StoreAlign(y + i * 128, w, mask);
        Reg::LeakyRelu(w, v, s, mask);
        Reg::StoreAlign(own + i * 128, w, mask);
    }
}
extern "C" __global__ __aicore__ void leaky_relu(GM_ADDR x, GM_ADDR y, GM_ADDR own, float slope, uint32_t n) {
    TPipe pipe;
    Input<half> xs(pipe, x, n);
    Output<half> ys(pipe, y, n), os(pipe, own, n);
    asc_vf_call<LeakyVf>(ys.Address(), os.Address(), xs.Address(), slope, n);
    ys.Send();
    os.Send();
}
extern "C" __global__ __aicore__ void where(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, n), ys(pipe, y, n);
    Output<int32_t> zs(pipe, z, n);
    __ubuf__ int32_t *px = xs.Address(), *py = ys.Address(), *pz = zs.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<int32_t> a, b;
        Reg::MaskReg equal, greater, either;
        uint32_t left = n;
        for (uint16_t i = 0; i < Rounds<int32_t>(n); ++i) {
            Reg::MaskReg mask = Reg::UpdateMask<int32_t>(left);
            Reg::LoadAlign<int32_t, Reg::PostLiteral::POST_MODE_UPDATE>(a, px, 64);
            Reg::LoadAlign<int32_t, Reg::PostLiteral::POST_MODE_UPDATE>(b, py, 64);
            Reg::Compare<int32_t, CMPMODE::GT>(greater, a, b, mask);
            Reg::Compare<int32_t, CMPMODE::EQ>(equal, a, b, mask);
            Reg::Or(either, equal, greater, mask);
            Reg::Select(b, a, b, either);
            Reg::Adds(b, b, 1, equal);  // the lanes that differ become 0
            Reg::StoreAlign<int32_t, Reg::PostLiteral::POST_MODE_UPDATE>(pz, b, 64, mask);
        }
    }
    zs.Send();
}

// 1 / (1 + e^-x), and 1 / sqrt(x).
extern "C" __global__ __aicore__ void sigmoid(GM_ADDR x, GM_ADDR y, GM_ADDR root, uint32_t n) {
    TPipe pipe;
    Input<float> xs(pipe, x, n);
    Output<float> ys(pipe, y, n), rs(pipe, root, n);
    __ubuf__ float *px = xs.Address(), *py = ys.Address(), *pr = rs.Address();
    __VEC_SCOPE__ {
        static constexpr Reg::DivSpecificMode kExact = {Reg::MaskMergeMode::ZEROING, true};
        Reg::RegTensor<float> v, one, e, r;
        Reg::Duplicate(one, 1.0f);
        uint32_t left = n;
        for (uint16_t i = 0; i < Rounds<float>(n); ++i) {
            Reg::MaskReg mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(v, px + i * 64);
            Reg::Neg(e, v, mask);
            Reg::Exp(e, e, mask);
            Reg::Adds(e, e, 1.0f, mask);
            Reg::Div(e, one, e, mask);
            Reg::StoreAlign(py + i * 64, e, mask);
            Reg::Abs(r, v, mask);
            Reg::Sqrt(r, r, mask);
            Reg::Div<float, &kExact>(r, one, r, mask);
            Reg::StoreAlign(pr + i * 64, r, mask);
        }
    }
    ys.Send();
    rs.Send();
}
