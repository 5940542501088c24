// SPDX-License-Identifier: Apache-2.0
// Calls of AscendC::Reg between registers and UB (arch950.md 2.5, 2.6).
#pragma once

#include "sfumato/ascendc/reg/lanes.h"
#include "sfumato/ascendc/reg/masks.h"

namespace sfumato::ascendc::reg {

template <class T>
Access At(const volatile T* address, const char* name, Where where, const MaskReg* mask = nullptr) {
    Access access;
    access.address = const_cast<const T*>(address);
    access.type = RegisterTypeOf<T>();
    access.mask = mask;
    access.name = name;
    access.where = where;
    return access;
}
template <class T>
const T* Plus(const T* address, AscendC::Reg::AddrReg offset) {
    return reinterpret_cast<const T*>(reinterpret_cast<const uint8_t*>(address) + offset.offset);
}
template <class T, class Dist>
Access With(const T* address, Dist dist, uint8_t registers, const char* name, Where where,
            const MaskReg* mask = nullptr) {
    Access access = At(address, name, where, mask);
    access.dist = static_cast<uint8_t>(dist);
    access.registers = registers;
    return access;
}

// The pairs of LocalMemBar (arch950.md 2.12).
constexpr bool IsBarrier(AscendC::Reg::MemType src, AscendC::Reg::MemType dst) {
    using M = AscendC::Reg::MemType;
    switch (src) {
        case M::VEC_STORE: return dst != M::VEC_ALL && dst != M::SCALAR_ALL;
        case M::VEC_LOAD: return dst == M::VEC_STORE || dst == M::SCALAR_STORE;
        case M::SCALAR_STORE: return dst == M::VEC_LOAD || dst == M::VEC_STORE;
        case M::SCALAR_LOAD: return dst == M::VEC_STORE;
        case M::VEC_ALL: return dst == M::VEC_ALL || dst == M::SCALAR_ALL;
        default: return dst == M::VEC_ALL;
    }
}

}  // namespace sfumato::ascendc::reg

namespace AscendC::Reg {

// Loads of registers.
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, Register U, typename P>
void LoadAlign(U& dstReg, P* srcAddr, SFUMATO_AT) {
    if constexpr (dist == LoadDist::DIST_NORM && U::kRegisters == 1) {
        if (reg_::LoadAtOnce(dstReg.reg, srcAddr)) return;
    }
    reg_::Load(reg_::With(srcAddr, dist, U::kRegisters, "LoadAlign", where), dstReg.reg);
}
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM, Register U, typename P>
void LoadAlign(U& dstReg, P*& srcAddr, int32_t postUpdateStride, SFUMATO_AT) {
    static_assert(postMode == PostLiteral::POST_MODE_UPDATE,
                  "post mode NORMAL is not supported by this form of Reg::LoadAlign [mode-unsupported]");
    LoadAlign<T, dist>(dstReg, srcAddr, where);
    srcAddr += postUpdateStride;
}
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, Register U, typename P>
void LoadAlign(U& dstReg, P* srcAddr, AddrReg offset, SFUMATO_AT) {
    LoadAlign<T, dist>(dstReg, reg_::Plus(srcAddr, offset), where);
}
template <typename T = DefaultType, LoadDist dist, Register U, typename P>
void LoadAlign(U& dstReg0, U& dstReg1, P* srcAddr, SFUMATO_AT) {
    reg_::Load(reg_::With(srcAddr, dist, 1, "LoadAlign", where), dstReg0.reg, dstReg1.reg);
}
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, Register U, typename P>
void LoadAlign(U& dstReg0, U& dstReg1, P*& srcAddr, int32_t postUpdateStride, SFUMATO_AT) {
    reg_::Load(reg_::With(srcAddr, dist, 1, "LoadAlign", where), dstReg0.reg, dstReg1.reg);
    srcAddr += postUpdateStride;
}
template <typename T = DefaultType, LoadDist dist, Register U, typename P>
void LoadAlign(U& dstReg0, U& dstReg1, P* srcAddr, AddrReg offset, SFUMATO_AT) {
    reg_::Load(reg_::With(reg_::Plus(srcAddr, offset), dist, 1, "LoadAlign", where), dstReg0.reg, dstReg1.reg);
}
template <typename T = DefaultType, DataCopyMode dataMode, Register U, typename P>
void LoadAlign(U& dstReg, P* srcAddr, uint32_t dataBlockStride, const MaskReg& mask, SFUMATO_AT) {
    reg_::Access access = reg_::At(srcAddr, "LoadAlign", where, &mask);
    access.block_stride = dataBlockStride;
    reg_::LoadBlocks(access, dstReg.reg);
}
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, Register U, typename P>
void LoadAlign(U& dstReg, P*& srcAddr, uint32_t dataBlockStride, uint32_t repeatStride, const MaskReg& mask,
               SFUMATO_AT) {
    constexpr bool kUpdates = postMode == PostLiteral::POST_MODE_UPDATE;
    P* const next = srcAddr + repeatStride * (32 / sizeof(P));
    LoadAlign<T, dataMode>(dstReg, kUpdates ? srcAddr : next, dataBlockStride, mask, where);
    if (kUpdates) srcAddr = next;
}
template <typename T = DefaultType, MaskDist dist = MaskDist::DIST_NORM, typename P>
void LoadAlign(MaskReg& mask, P* srcAddr, SFUMATO_AT) {
    reg_::LoadMask(reg_::With(srcAddr, dist, 1, "LoadAlign", where), &mask);
}
template <typename T = DefaultType, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM, typename P>
void LoadAlign(MaskReg& mask, P*& srcAddr, int32_t offset, SFUMATO_AT) {
    reg_::LoadMask(reg_::With(srcAddr, dist, 1, "LoadAlign", where), &mask);
    srcAddr = reinterpret_cast<P*>(reinterpret_cast<uintptr_t>(srcAddr) + static_cast<intptr_t>(offset));
}
template <typename T = DefaultType, MaskDist dist = MaskDist::DIST_NORM, typename P>
void LoadAlign(MaskReg& mask, P* srcAddr, AddrReg offset, SFUMATO_AT) {
    reg_::LoadMask(reg_::With(reg_::Plus(srcAddr, offset), dist, 1, "LoadAlign", where), &mask);
}

// Stores of registers.
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, Register U, typename P>
void StoreAlign(P* dstAddr, const U& srcReg, const MaskReg& mask, SFUMATO_AT) {
    if constexpr (dist == StoreDist::DIST_NORM && U::kRegisters == 1) {
        if (reg_::StoreAtOnce(dstAddr, srcReg.reg, mask, sizeof(P))) return;
    }
    reg_::Store(reg_::With(dstAddr, dist, U::kRegisters, "StoreAlign", where, &mask), srcReg.reg);
}
template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM, Register U, typename P>
void StoreAlign(P*& dstAddr, const U& srcReg, int32_t postUpdateStride, const MaskReg& mask, SFUMATO_AT) {
    static_assert(postMode == PostLiteral::POST_MODE_UPDATE,
                  "post mode NORMAL is not supported by this form of Reg::StoreAlign [mode-unsupported]");
    StoreAlign<T, dist>(dstAddr, srcReg, mask, where);
    dstAddr += postUpdateStride;
}
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, Register U, typename P>
void StoreAlign(P* dstAddr, const U& srcReg, AddrReg offset, const MaskReg& mask, SFUMATO_AT) {
    reg_::Store(reg_::With(reg_::Plus(dstAddr, offset), dist, U::kRegisters, "StoreAlign", where, &mask), srcReg.reg);
}
template <typename T = DefaultType, StoreDist dist, Register U, typename P>
void StoreAlign(P* dstAddr, const U& srcReg0, const U& srcReg1, const MaskReg& mask, SFUMATO_AT) {
    reg_::Store(reg_::With(dstAddr, dist, 1, "StoreAlign", where, &mask), srcReg0.reg, srcReg1.reg);
}
template <typename T = DefaultType, StoreDist dist, Register U, typename P>
void StoreAlign(P* dstAddr, const U& srcReg0, const U& srcReg1, AddrReg offset, const MaskReg& mask, SFUMATO_AT) {
    reg_::Store(reg_::With(reg_::Plus(dstAddr, offset), dist, 1, "StoreAlign", where, &mask), srcReg0.reg, srcReg1.reg);
}
template <typename T = DefaultType, DataCopyMode dataMode, Register U, typename P>
void StoreAlign(P* dstAddr, const U& srcReg, uint32_t dataBlockStride, const MaskReg& mask, SFUMATO_AT) {
    reg_::Access access = reg_::At(dstAddr, "StoreAlign", where, &mask);
    access.block_stride = dataBlockStride;
    reg_::StoreBlocks(access, srcReg.reg);
}
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, Register U, typename P>
void StoreAlign(P*& dstAddr, const U& srcReg, uint32_t dataBlockStride, uint32_t repeatStride, const MaskReg& mask,
                SFUMATO_AT) {
    constexpr bool kUpdates = postMode == PostLiteral::POST_MODE_UPDATE;
    P* const next = dstAddr + repeatStride * (32 / sizeof(P));
    StoreAlign<T, dataMode>(kUpdates ? dstAddr : next, srcReg, dataBlockStride, mask, where);
    if (kUpdates) dstAddr = next;
}
template <typename T = DefaultType, MaskDist dist = MaskDist::DIST_NORM, typename P>
void StoreAlign(P* dstAddr, const MaskReg& mask, SFUMATO_AT) {
    reg_::StoreMask(reg_::With(dstAddr, dist, 1, "StoreAlign", where, &mask));
}
template <typename T = DefaultType, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM, typename P>
void StoreAlign(P*& dstAddr, const MaskReg& mask, int32_t offset, SFUMATO_AT) {
    reg_::StoreMask(reg_::With(dstAddr, dist, 1, "StoreAlign", where, &mask));
    dstAddr = reinterpret_cast<P*>(reinterpret_cast<uintptr_t>(dstAddr) + static_cast<intptr_t>(offset));
}
template <typename T = DefaultType, MaskDist dist = MaskDist::DIST_NORM, typename P>
void StoreAlign(P* dstAddr, const MaskReg& mask, AddrReg offset, SFUMATO_AT) {
    reg_::StoreMask(reg_::With(reg_::Plus(dstAddr, offset), dist, 1, "StoreAlign", where, &mask));
}

// By index.
template <typename T0 = DefaultType, typename P, typename T2 = DefaultType, Register T3, Register T4>
void Gather(T3& dstReg, P* baseAddr, const T4& index, const MaskReg& mask, SFUMATO_AT) {
    reg_::IndexedAccess access{reg_::At(baseAddr, "Gather", where, &mask)};
    access.to = sfumato_::RegisterTypeOf<typename T3::ActualT>();
    access.index = sfumato_::RegisterTypeOf<typename T4::ActualT>();
    access.indices = index.reg, access.registers = T3::kRegisters, access.index_registers = T4::kRegisters;
    reg_::Gather(access, dstReg.reg);
}
template <typename T = DefaultType, Register U, Register S, typename P>
void GatherB(U& dstReg, P* baseAddr, const S& index, const MaskReg& mask, SFUMATO_AT) {
    reg_::IndexedAccess access{reg_::At(baseAddr, "GatherB", where, &mask)};
    access.to = sfumato_::RegisterTypeOf<typename U::ActualT>();
    access.index = sfumato_::RegisterTypeOf<typename S::ActualT>(), access.indices = index.reg;
    reg_::GatherBlocks(access, dstReg.reg);
}
template <typename T = DefaultType, typename U = DefaultType, Register S, Register V, typename P>
void Scatter(P* baseAddr, const S& srcReg, const V& index, const MaskReg& mask, SFUMATO_AT) {
    reg_::IndexedAccess access{reg_::At(baseAddr, "Scatter", where, &mask)};
    access.to = sfumato_::RegisterTypeOf<typename S::ActualT>();
    access.index = sfumato_::RegisterTypeOf<typename V::ActualT>();
    access.indices = index.reg, access.registers = S::kRegisters, access.index_registers = V::kRegisters;
    reg_::Scatter(access, srcReg.reg);
}

template <MemType src, MemType dst>
void LocalMemBar(SFUMATO_AT) {
    static_assert(reg_::IsBarrier(src, dst), "Reg::LocalMemBar has no such pair [parameter-range]");
    reg_::Fence(static_cast<uint8_t>(src), static_cast<uint8_t>(dst), where);
}
template <SpecialPurposeReg spr>
void ClearSpr(SFUMATO_AT) {
    reg_::ClearAr(where);
}

}  // namespace AscendC::Reg

namespace AscendC {

template <SpecialPurposeReg spr>
int64_t GetSpr(SFUMATO_AT) {
    return sfumato_::reg::ReadAr(where);
}
namespace Reg {
using AscendC::GetSpr;
}

}  // namespace AscendC
