// SPDX-License-Identifier: Apache-2.0
// Loads and stores that change places: by distribution, by index, by blocks, at any address.
#include "common.h"

using namespace AscendC;

// Rotary embedding of neighbours: (a, b) -> (a * cos - b * sin, b * cos + a * sin).
__simd_vf__ inline void RopeVf(__ubuf__ float* y, __ubuf__ float* x, __ubuf__ float* cos, __ubuf__ float* sin,
                               uint16_t rows, uint32_t cols) {
    const uint16_t rounds = static_cast<uint16_t>(cols / 128);
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::RegTensor<float> a, b, c, s, p, q, t;
    for (uint16_t r = 0; r < rows; ++r) {
        for (uint16_t i = 0; i < rounds; ++i) {
            Reg::AddrReg at = Reg::CreateAddrReg<float>(r, cols, i, 128), half_at = Reg::CreateAddrReg<float>(i, 64);
            Reg::LoadAlign<float, Reg::LoadDist::DIST_DINTLV_B32>(a, b, x, at);
            Reg::LoadAlign(c, cos, half_at);
            Reg::LoadAlign(s, sin, half_at);
            Reg::Mul(p, a, c, all);
            Reg::Mul(t, b, s, all);
            Reg::Sub(p, p, t, all);
            Reg::Mul(q, b, c, all);
            Reg::Mul(t, a, s, all);
            Reg::Add(q, q, t, all);
            Reg::StoreAlign<float, Reg::StoreDist::DIST_INTLV_B32>(y, p, q, at, all);
        }
    }
}
extern "C" __global__ __aicore__ void rope(GM_ADDR x, GM_ADDR cos, GM_ADDR sin, GM_ADDR y, uint32_t rows,
                                           uint32_t cols) {
    TPipe pipe;
    Input<float> xs(pipe, x, rows * cols), cs(pipe, cos, cols / 2), ss(pipe, sin, cols / 2);
    Output<float> ys(pipe, y, rows * cols);
    asc_vf_call<RopeVf>(ys.Address(), xs.Address(), cs.Address(), ss.Address(), static_cast<uint16_t>(rows), cols);
    ys.Send();
}

template <typename T, typename Index>
__simd_vf__ inline void GatherVf(__ubuf__ T* y, __ubuf__ T* x, __ubuf__ Index* at, uint32_t n, uint16_t rounds) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    for (uint16_t i = 0; i < rounds; ++i) {
        Reg::RegTensor<T> v;
        Reg::RegTensor<Index> index;
        Reg::MaskReg mask = Reg::UpdateMask<T>(n);
        Reg::LoadAlign(index, at + i * lanes);
        Reg::Gather(v, x, index, mask);
        Reg::StoreAlign(y + i * lanes, v, mask);
    }
}
template <typename T, typename Index>
__aicore__ inline void RunGather(GM_ADDR x, GM_ADDR at, GM_ADDR y, uint32_t size, uint32_t n) {
    TPipe pipe;
    Input<T> xs(pipe, x, size);
    Input<Index> is(pipe, at, n);
    Output<T> ys(pipe, y, n);
    asc_vf_call<GatherVf<T, Index>>(ys.Address(), xs.Address(), is.Address(), n, Rounds<T>(n));
    ys.Send();
}
extern "C" __global__ __aicore__ void gather_float(GM_ADDR x, GM_ADDR at, GM_ADDR y, uint32_t size, uint32_t n) {
    RunGather<float, uint32_t>(x, at, y, size, n);
}
extern "C" __global__ __aicore__ void gather_half(GM_ADDR x, GM_ADDR at, GM_ADDR y, uint32_t size, uint32_t n) {
    RunGather<half, uint16_t>(x, at, y, size, n);
}
// Bytes land in lanes of 16 bits.
extern "C" __global__ __aicore__ void gather_bytes(GM_ADDR x, GM_ADDR at, GM_ADDR y, uint32_t size, uint32_t n) {
    TPipe pipe;
    Input<uint8_t> xs(pipe, x, size);
    Input<uint16_t> is(pipe, at, n);
    Output<uint16_t> ys(pipe, y, n);
    __ubuf__ uint8_t* px = xs.Address();
    __ubuf__ uint16_t *pi = is.Address(), *py = ys.Address();
    __VEC_SCOPE__ {
        MicroAPI::RegTensor<uint16_t> v, index;
        uint32_t left = n;
        for (uint16_t i = 0; i < Rounds<uint16_t>(n); ++i) {
            MicroAPI::MaskReg mask = MicroAPI::UpdateMask<uint16_t>(left);
            MicroAPI::DataCopy(index, pi + i * 128);
            MicroAPI::DataCopyGather(v, px, index, mask);
            MicroAPI::DataCopy(py + i * 128, v, mask);
        }
    }
    ys.Send();
}

// y[at[i]] = x[i]; the rest of y is -1.
extern "C" __global__ __aicore__ void scatter(GM_ADDR x, GM_ADDR at, GM_ADDR y, uint32_t size, uint32_t n) {
    TPipe pipe;
    Input<int32_t> xs(pipe, x, n);
    Input<uint32_t> is(pipe, at, n);
    Output<int32_t> ys(pipe, y, size);
    __ubuf__ int32_t *px = xs.Address(), *py = ys.Address();
    __ubuf__ uint32_t* pi = is.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<int32_t> v, fill;
        Reg::RegTensor<uint32_t> index;
        Reg::MaskReg mask;
        uint32_t left = size;
        Reg::Duplicate(fill, -1);
        for (uint16_t i = 0; i < Rounds<int32_t>(size); ++i) {
            mask = Reg::UpdateMask<int32_t>(left);
            Reg::StoreAlign(py + i * 64, fill, mask);
        }
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_STORE>();
        left = n;
        for (uint16_t i = 0; i < Rounds<int32_t>(n); ++i) {
            mask = Reg::UpdateMask<int32_t>(left);
            Reg::LoadAlign(v, px + i * 64);
            Reg::LoadAlign(index, pi + i * 64);
            Reg::Scatter(py, v, index, mask);
        }
    }
    ys.Send();
}

// Blocks by offsets in bytes; of the masks bits, 0, 4, 8 .. choose the blocks.
__simd_vf__ inline void GatherBlocksVf(__ubuf__ half* y, __ubuf__ half* x, __ubuf__ uint32_t* offsets,
                                       uint32_t blocks) {
    Reg::RegTensor<half> v;
    Reg::RegTensor<uint32_t> index;
    Reg::MaskReg all = Reg::CreateMask<half>(), mask = Reg::UpdateMask<uint32_t>(blocks);
    Reg::LoadAlign(index, offsets);
    Reg::GatherB(v, x, index, mask);
    Reg::StoreAlign(y, v, all);
}
extern "C" __global__ __aicore__ void gather_blocks(GM_ADDR x, GM_ADDR offsets, GM_ADDR y, uint32_t size,
                                                    uint32_t blocks) {
    TPipe pipe;
    Input<half> xs(pipe, x, size);
    Input<uint32_t> os(pipe, offsets, 8);
    Output<half> ys(pipe, y, 128);
    asc_vf_call<GatherBlocksVf>(ys.Address(), xs.Address(), os.Address(), blocks);
    ys.Send();
}

// A transposed matrix: element i of the result is at (i % rows) * cols + i / rows; rows = 2 ** log_rows.
__simd_vf__ inline void TransposeVf(__ubuf__ float* y, __ubuf__ float* x, int32_t log_rows, int32_t cols, uint32_t n) {
    Reg::RegTensor<int32_t> i, row, at, low;
    Reg::RegTensor<float> v;
    Reg::MaskReg all = Reg::CreateMask<float>();
    Reg::Duplicate(low, (1 << log_rows) - 1);
    const uint16_t rounds = static_cast<uint16_t>((n + 63) / 64);
    for (uint16_t k = 0; k < rounds; ++k) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(n);
        Reg::Arange(i, k * 64);
        Reg::And(row, i, low, all);
        Reg::Muls(at, row, cols, all);
        Reg::ShiftRights(row, i, static_cast<int16_t>(log_rows), all);
        Reg::Add(at, at, row, all);
        Reg::Gather(v, x, (Reg::RegTensor<uint32_t>&)at, mask);
        Reg::StoreAlign(y + k * 64, v, mask);
    }
}
extern "C" __global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR y, int32_t log_rows, int32_t cols) {
    TPipe pipe;
    const uint32_t n = static_cast<uint32_t>(cols) << log_rows;
    Input<float> xs(pipe, x, n);
    Output<float> ys(pipe, y, n);
    VF_CALL<TransposeVf>(ys.Address(), xs.Address(), log_rows, cols, n);
    ys.Send();
}

// 16 x 16 tiles of halves by blocks: 8 rows of a matrix with `pitch` blocks a row become a register, and go elsewhere.
__simd_vf__ inline void TilesVf(__ubuf__ half* y, __ubuf__ half* x, uint16_t tiles, uint32_t pitch) {
    Reg::MaskReg all = Reg::CreateMask<half>();
    for (uint16_t t = 0; t < tiles; ++t) {
        __ubuf__ half* from = x + t * 16;
        __ubuf__ half* to = y + t * 256;
        for (uint16_t k = 0; k < 2; ++k) {
            Reg::RegTensor<half> v;
            Reg::LoadAlign<half, Reg::DataCopyMode::DATA_BLOCK_COPY, Reg::PostLiteral::POST_MODE_UPDATE>(
                v, from, pitch, 8 * pitch, all);
            Reg::StoreAlign<half, Reg::DataCopyMode::DATA_BLOCK_COPY, Reg::PostLiteral::POST_MODE_UPDATE>(to, v, 1, 8,
                                                                                                          all);
        }
    }
}
extern "C" __global__ __aicore__ void tiles(GM_ADDR x, GM_ADDR y, uint32_t count) {
    TPipe pipe;
    Input<half> xs(pipe, x, 16 * 16 * count);
    Output<half> ys(pipe, y, 16 * 16 * count);
    asc_vf_call<TilesVf>(ys.Address(), xs.Address(), static_cast<uint16_t>(count), count);
    ys.Send();
}

// Any address: a stream of loads into a stream of stores.
template <typename T>
__simd_vf__ inline void ShiftedVf(__ubuf__ T* y, __ubuf__ T* x, uint32_t n) {
    constexpr uint32_t lanes = GetVecLen() / sizeof(T);
    Reg::UnalignRegForLoad in;
    Reg::UnalignRegForStore out;
    Reg::RegTensor<T> v;
    const uint16_t whole = static_cast<uint16_t>(n / lanes);
    Reg::LoadUnAlignPre(in, x);
    for (uint16_t i = 0; i < whole; ++i) {
        Reg::LoadUnAlign(v, in, x, lanes);
        Reg::StoreUnAlign(y, v, out, lanes);
    }
    const uint32_t tail = n % lanes;
    Reg::LoadUnAlign(v, in, x, tail);
    Reg::StoreUnAlign(y, v, out, tail);
    Reg::StoreUnAlignPost(y, out, 0);
}
template <typename T>
__aicore__ inline void RunShifted(GM_ADDR x, GM_ADDR y, uint32_t size, uint32_t from, uint32_t to, uint32_t n) {
    TPipe pipe;
    Input<T> xs(pipe, x, size), old(pipe, y, size);
    Output<T> ys(pipe, y, size);
    __ubuf__ T *py = ys.Address(), *po = old.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<T> v;
        uint32_t left = size;
        for (uint16_t i = 0; i < Rounds<T>(size); ++i) {
            Reg::MaskReg mask = Reg::UpdateMask<T>(left);
            Reg::LoadAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(v, po, 256 / sizeof(T));
            Reg::StoreAlign<T, Reg::PostLiteral::POST_MODE_UPDATE>(py, v, 256 / sizeof(T), mask);
        }
    }
    asc_vf_call<ShiftedVf<T>>(ys.Address() + to, xs.Address() + from, n);
    ys.Send();
}
extern "C" __global__ __aicore__ void shifted_float(GM_ADDR x, GM_ADDR y, uint32_t size, uint32_t from, uint32_t to,
                                                    uint32_t n) {
    RunShifted<float>(x, y, size, from, to, n);
}
extern "C" __global__ __aicore__ void shifted_bytes(GM_ADDR x, GM_ADDR y, uint32_t size, uint32_t from, uint32_t to,
                                                    uint32_t n) {
    RunShifted<uint8_t>(x, y, size, from, to, n);
}

// Rows of a length that is no multiple of a block are packed: one unaligned load and store each.
__simd_vf__ inline void PackRowsVf(__ubuf__ int16_t* y, __ubuf__ int16_t* x, uint16_t rows, uint32_t cols,
                                   uint32_t stride) {
    Reg::RegTensor<int16_t> v;
    for (uint16_t r = 0; r < rows; ++r) {
        Reg::LoadAlign(v, x + r * stride);
        Reg::Store(y + r * cols, v, cols);
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
        Reg::Load(v, y + r * cols);
        Reg::Store(y + r * cols, v, cols);
        Reg::LocalMemBar<Reg::MemType::VEC_ALL, Reg::MemType::VEC_ALL>();
    }
}
extern "C" __global__ __aicore__ void pack_rows(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    TPipe pipe;
    const auto count = static_cast<uint16_t>(rows);
    Input<int16_t> xs(pipe, x, cols, count);
    Output<int16_t> ys(pipe, y, rows * cols);
    asc_vf_call<PackRowsVf>(ys.Address(), xs.Address(), count, cols, StrideOf<int16_t>(cols));
    ys.Send();
}

// Rows at a pitch of 64, of which `cols` were read: each store is a whole register, whose end the next row's covers.
extern "C" __global__ __aicore__ void covered(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols) {
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, rows * 256);
    GlobalTensor<float> global;
    global.SetGlobalBuffer((__gm__ float*)x, rows * cols);
    LocalTensor<float> local = queue.AllocTensor<float>();
    DataCopyExtParams params{static_cast<uint16_t>(rows), static_cast<uint32_t>(cols * sizeof(float)), 0,
                             (64 - cols) / 8, 0};
    DataCopyPad(local, global, params, DataCopyPadExtParams<float>{false, 0, 0, 0});
    queue.EnQue(local);
    local = queue.DeQue<float>();
    Output<float> ys(pipe, y, rows * cols);
    Scratch<float> behind(pipe, 64);
    __ubuf__ float *from = (__ubuf__ float*)local.GetPhyAddr(), *to = ys.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<float> v;
        Reg::MaskReg all = Reg::CreateMask<float>();
        for (uint16_t r = 0; r < static_cast<uint16_t>(rows); ++r) {
            Reg::LoadAlign(v, from + r * 64);
            Reg::StoreAlign(to + r * cols, v, all);
            Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_STORE>();
        }
    }
    ys.Send();
    queue.FreeTensor(local);
}
