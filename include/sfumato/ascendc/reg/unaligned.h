// SPDX-License-Identifier: Apache-2.0
// Streams of loads and stores at any address (arch950.md 2.5).
#pragma once

#include "sfumato/ascendc/reg/memory.h"

namespace AscendC::Reg {

template <typename P>
void LoadUnAlignPre(UnalignRegForLoad& ureg, P* srcAddr, SFUMATO_AT) {
    reg_::BeginLoads(reg_::At(srcAddr, "LoadUnAlignPre", where), &ureg);
}
template <typename P>
void LoadUnAlignPre(UnalignRegForLoad& ureg, P* srcAddr, const AddrReg& areg, SFUMATO_AT) {
    reg_::BeginLoads(reg_::At(reg_::Plus(srcAddr, areg), "LoadUnAlignPre", where), &ureg);
}
template <typename T = DefaultType, Register U, typename P>
void LoadUnAlign(U& dstReg, UnalignRegForLoad& ureg, P* srcAddr, SFUMATO_AT) {
    reg_::LoadNext(reg_::With(srcAddr, 0, U::kRegisters, "LoadUnAlign", where), &ureg, dstReg.reg);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, Register U, typename P>
void LoadUnAlign(U& dstReg, UnalignRegForLoad& ureg, P*& srcAddr, uint32_t postUpdateStride, SFUMATO_AT) {
    static_assert(postMode == PostLiteral::POST_MODE_UPDATE,
                  "post mode NORMAL is not supported by Reg::LoadUnAlign [mode-unsupported]");
    reg_::LoadNext(reg_::With(srcAddr, 0, U::kRegisters, "LoadUnAlign", where), &ureg, dstReg.reg);
    srcAddr += postUpdateStride;
}
template <typename T = DefaultType, Register U, typename P>
void LoadUnAlign(U& dstReg, UnalignRegForLoad& ureg, P* srcAddr, const AddrReg& areg, SFUMATO_AT) {
    reg_::LoadNext(reg_::With(reg_::Plus(srcAddr, areg), 0, U::kRegisters, "LoadUnAlign", where), &ureg, dstReg.reg);
}
template <typename T = DefaultType, Register U, typename P>
void LoadUnAlign(U& dstReg, UnalignRegForLoad& ureg, P* srcAddr, const AddrReg& areg, uint32_t inc, SFUMATO_AT) {
    (void)inc;
    LoadUnAlign<T>(dstReg, ureg, srcAddr, areg, where);
}

template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, Register U, typename P>
void StoreUnAlign(P*& dstAddr, const U& srcReg, UnalignRegForStore& ureg, uint32_t postUpdateStride, SFUMATO_AT) {
    static_assert(postMode == PostLiteral::POST_MODE_UPDATE,
                  "post mode NORMAL is not supported by this form of Reg::StoreUnAlign [mode-unsupported]");
    reg_::StoreNext(reg_::With(dstAddr, 0, U::kRegisters, "StoreUnAlign", where), &ureg, srcReg.reg,
                    postUpdateStride * uint32_t{sizeof(P)});
    dstAddr += postUpdateStride;
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, Register U, typename P>
void StoreUnAlign(P*& dstAddr, const U& srcReg, UnalignRegForStore& ureg, const AddrReg& areg, SFUMATO_AT) {
    reg_::StoreNext(reg_::With(reg_::Plus(dstAddr, areg), 0, 1, "StoreUnAlign", where), &ureg, srcReg.reg,
                    sfumato::kRegisterBytes);
}
// What Squeeze under STORE_REG has counted, at the address and AR.
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, Register U, typename P>
void StoreUnAlign(P* dstAddr, const U& srcReg, UnalignRegForStore& ureg, SFUMATO_AT) {
    reg_::StoreSqueezed(reg_::At(dstAddr, "StoreUnAlign", where), &ureg, srcReg.reg,
                        postMode == PostLiteral::POST_MODE_UPDATE);
}
template <typename T = DefaultType, typename P>
void StoreUnAlign(P*& dstAddr, const MaskReg& mask, UnalignRegForStore& ureg, SFUMATO_AT) {
    constexpr uint32_t kBytes = 32 / sizeof(P);
    static_assert(sizeof(P) == 2 || sizeof(P) == 4,
                  "Reg::StoreUnAlign of a mask takes types of 16 and 32 bits [type-unsupported]");
    reg_::StoreMaskNext(reg_::At(dstAddr, "StoreUnAlign", where, &mask), &ureg, kBytes);
    dstAddr += kBytes / sizeof(P);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE, typename P>
void StoreUnAlignPost(P*& dstAddr, UnalignRegForStore& ureg, int32_t postUpdateStride, SFUMATO_AT) {
    reg_::EndStores(reg_::At(dstAddr, "StoreUnAlignPost", where), &ureg);
    dstAddr += postUpdateStride;
}
template <typename T = DefaultType, typename P>
void StoreUnAlignPost(P*& dstAddr, UnalignRegForStore& ureg, const AddrReg& areg, SFUMATO_AT) {
    reg_::EndStores(reg_::At(reg_::Plus(dstAddr, areg), "StoreUnAlignPost", where), &ureg);
}
template <typename T = DefaultType, typename P>
void StoreUnAlignPost(P* dstAddr, UnalignRegForStore& ureg, SFUMATO_AT) {
    reg_::EndSqueezed(reg_::At(dstAddr, "StoreUnAlignPost", where), &ureg);
}

// One register at any address.
template <typename T = DefaultType, Register U, typename P>
void Load(U& dstReg, P* srcAddr, SFUMATO_AT) {
    UnalignRegForLoad ureg;
    reg_::BeginLoads(reg_::At(srcAddr, "Load", where), &ureg);
    reg_::LoadNext(reg_::With(srcAddr, 0, U::kRegisters, "Load", where), &ureg, dstReg.reg);
}
template <typename T = DefaultType, Register U, typename P>
void Store(P* dstAddr, const U& srcReg, uint32_t count, SFUMATO_AT) {
    UnalignRegForStore ureg;
    reg_::StoreNext(reg_::With(dstAddr, 0, U::kRegisters, "Store", where), &ureg, srcReg.reg,
                    count * uint32_t{sizeof(P)});
    reg_::EndStores(reg_::At(dstAddr + count, "Store", where), &ureg);
}
template <typename T = DefaultType, Register U, typename P>
void Store(P* dstAddr, const U& srcReg, SFUMATO_AT) {
    Store<T>(dstAddr, srcReg, U::kRegisters * (sfumato::kRegisterBytes / uint32_t{sizeof(P)}), where);
}

}  // namespace AscendC::Reg
