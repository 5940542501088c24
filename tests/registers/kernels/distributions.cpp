// SPDX-License-Identifier: Apache-2.0
// Every distribution of loads and of stores, one row of the result each.
#include "common.h"

using namespace AscendC;
using Reg::LoadDist;
using Reg::StoreDist;

template <typename T, LoadDist dist>
__simd_callee__ inline void LoadOne(__ubuf__ uint8_t*& y, __ubuf__ uint8_t* x) {
    Reg::RegTensor<T> v;
    Reg::MaskReg all = Reg::CreateMask<uint8_t>();
    Reg::LoadAlign<T, dist>(v, (__ubuf__ T*)x);
    Reg::StoreAlign<uint8_t, Reg::PostLiteral::POST_MODE_UPDATE>(y, (Reg::RegTensor<uint8_t>&)v, 256, all);
}
template <typename T, LoadDist dist>
__simd_callee__ inline void LoadTwo(__ubuf__ uint8_t*& y, __ubuf__ uint8_t* x) {
    Reg::RegTensor<T> v, w;
    Reg::MaskReg all = Reg::CreateMask<uint8_t>();
    Reg::LoadAlign<T, dist>(v, w, (__ubuf__ T*)x);
    Reg::StoreAlign<uint8_t, Reg::PostLiteral::POST_MODE_UPDATE>(y, (Reg::RegTensor<uint8_t>&)v, 256, all);
    Reg::StoreAlign<uint8_t, Reg::PostLiteral::POST_MODE_UPDATE>(y, (Reg::RegTensor<uint8_t>&)w, 256, all);
}
__simd_vf__ inline void LoadsVf(__ubuf__ uint8_t* y, __ubuf__ uint8_t* x) {
    LoadOne<uint32_t, LoadDist::DIST_NORM>(y, x);
    LoadOne<uint8_t, LoadDist::DIST_BRC_B8>(y, x + 3);
    LoadOne<uint16_t, LoadDist::DIST_BRC_B16>(y, x + 6);
    LoadOne<uint32_t, LoadDist::DIST_BRC_B32>(y, x + 4);
    LoadOne<uint8_t, LoadDist::DIST_US_B8>(y, x);
    LoadOne<uint16_t, LoadDist::DIST_US_B16>(y, x);
    LoadOne<uint8_t, LoadDist::DIST_DS_B8>(y, x);
    LoadOne<uint16_t, LoadDist::DIST_DS_B16>(y, x);
    LoadOne<uint8_t, LoadDist::DIST_UNPACK_B8>(y, x);
    LoadOne<uint16_t, LoadDist::DIST_UNPACK_B16>(y, x);
    LoadOne<uint32_t, LoadDist::DIST_UNPACK_B32>(y, x);
    LoadOne<uint8_t, LoadDist::DIST_UNPACK4_B8>(y, x);
    LoadOne<uint8_t, LoadDist::DIST_BLK>(y, x + 32);
    LoadOne<uint16_t, LoadDist::DIST_E2B_B16>(y, x + 16);
    LoadOne<uint32_t, LoadDist::DIST_E2B_B32>(y, x + 32);
    LoadTwo<uint8_t, LoadDist::DIST_DINTLV_B8>(y, x);
    LoadTwo<uint16_t, LoadDist::DIST_DINTLV_B16>(y, x);
    LoadTwo<uint32_t, LoadDist::DIST_DINTLV_B32>(y, x);
}
extern "C" __global__ __aicore__ void loads(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<uint8_t> xs(pipe, x, 512);
    Output<uint8_t> ys(pipe, y, 21 * 256);
    asc_vf_call<LoadsVf>(ys.Address(), xs.Address());
    ys.Send();
}

// Every third element is on; where nothing is stored, the row keeps what it had.
template <typename T, StoreDist dist>
__simd_callee__ inline void StoreOne(__ubuf__ uint8_t*& y, __ubuf__ uint8_t* x, uint32_t at = 0) {
    Reg::RegTensor<T> v;
    Reg::MaskReg third = Reg::CreateMask<T, Reg::MaskPattern::M3>();
    Reg::LoadAlign(v, (__ubuf__ T*)x);
    Reg::StoreAlign<T, dist>((__ubuf__ T*)(y + at), v, third);
    y += 512;
}
template <typename T, StoreDist dist>
__simd_callee__ inline void StoreTwo(__ubuf__ uint8_t*& y, __ubuf__ uint8_t* x) {
    Reg::RegTensor<T> v, w;
    Reg::MaskReg third = Reg::CreateMask<T, Reg::MaskPattern::M3>();
    Reg::LoadAlign(v, (__ubuf__ T*)x);
    Reg::LoadAlign(w, (__ubuf__ T*)(x + 256));
    Reg::StoreAlign<T, dist>((__ubuf__ T*)y, v, w, third);
    y += 512;
}
__simd_vf__ inline void StoresVf(__ubuf__ uint8_t* y, __ubuf__ uint8_t* x) {
    StoreOne<uint64_t, StoreDist::DIST_NORM>(y, x);
    StoreOne<uint8_t, StoreDist::DIST_NORM_B8>(y, x);
    StoreOne<uint16_t, StoreDist::DIST_NORM_B16>(y, x);
    StoreOne<uint32_t, StoreDist::DIST_NORM_B32>(y, x);
    StoreOne<uint8_t, StoreDist::DIST_FIRST_ELEMENT_B8>(y, x, 5);
    StoreOne<uint16_t, StoreDist::DIST_FIRST_ELEMENT_B16>(y, x, 6);
    StoreOne<uint32_t, StoreDist::DIST_FIRST_ELEMENT_B32>(y, x, 12);
    StoreOne<uint16_t, StoreDist::DIST_PACK_B16>(y, x);
    StoreOne<uint32_t, StoreDist::DIST_PACK_B32>(y, x);
    StoreOne<uint64_t, StoreDist::DIST_PACK_B64>(y, x);
    StoreOne<uint32_t, StoreDist::DIST_PACK4_B32>(y, x);
    StoreTwo<uint8_t, StoreDist::DIST_INTLV_B8>(y, x);
    StoreTwo<uint16_t, StoreDist::DIST_INTLV_B16>(y, x);
    StoreTwo<uint32_t, StoreDist::DIST_INTLV_B32>(y, x);
}
extern "C" __global__ __aicore__ void stores(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    Input<uint8_t> xs(pipe, x, 512);
    Output<uint8_t> ys(pipe, y, 14 * 512);
    __ubuf__ uint8_t* to = ys.Address();
    __VEC_SCOPE__ {
        Reg::RegTensor<uint8_t> fill;
        Reg::MaskReg all = Reg::CreateMask<uint8_t>();
        Reg::Duplicate(fill, 0xAA);
        for (uint16_t i = 0; i < 28; ++i) {
            Reg::StoreAlign<uint8_t, Reg::PostLiteral::POST_MODE_UPDATE>(to, fill, 256, all);
        }
    }
    asc_vf_call<StoresVf>(ys.Address(), xs.Address());
    ys.Send();
}

// Masks by every pattern, as bytes, of elements of 1, 2, 4 and 8 bytes.
template <typename T, Reg::MaskPattern pattern>
__simd_callee__ inline void MaskOne(__ubuf__ uint8_t*& y) {
    Reg::MaskReg mask = Reg::CreateMask<T, pattern>();
    Reg::StoreAlign<uint8_t, Reg::PostLiteral::POST_MODE_UPDATE>(y, mask, 32);
}
template <typename T>
__simd_callee__ inline void MasksOf(__ubuf__ uint8_t*& y) {
    using Reg::MaskPattern;
    MaskOne<T, MaskPattern::ALL>(y);
    MaskOne<T, MaskPattern::VL1>(y);
    MaskOne<T, MaskPattern::VL2>(y);
    MaskOne<T, MaskPattern::VL3>(y);
    MaskOne<T, MaskPattern::VL4>(y);
    MaskOne<T, MaskPattern::VL8>(y);
    MaskOne<T, MaskPattern::VL16>(y);
    MaskOne<T, MaskPattern::VL32>(y);
    MaskOne<T, MaskPattern::VL64>(y);
    MaskOne<T, MaskPattern::VL128>(y);
    MaskOne<T, MaskPattern::M3>(y);
    MaskOne<T, MaskPattern::M4>(y);
    MaskOne<T, MaskPattern::H>(y);
    MaskOne<T, MaskPattern::Q>(y);
    MaskOne<T, MaskPattern::ALLF>(y);
}
extern "C" __global__ __aicore__ void patterns(GM_ADDR y) {
    TPipe pipe;
    Output<uint8_t> ys(pipe, y, 4 * 15 * 32);
    __ubuf__ uint8_t* to = ys.Address();
    __VEC_SCOPE__ {
        MasksOf<uint8_t>(to);
        MasksOf<half>(to);
        MasksOf<float>(to);
        MasksOf<int64_t>(to);
    }
    ys.Send();
}
