// SPDX-License-Identifier: Apache-2.0
// Mask and address registers of AscendC::Reg (arch950.md 2.2, 2.3): bits, which stay in the kernel's code.
#pragma once

#include "sfumato/ascendc/reg/issue.h"

namespace sfumato::ascendc::reg {

using AscendC::Reg::MaskReg;

// The bits of a mask that one element has, in two registers those of half an element.
template <class T, const AscendC::Reg::RegTrait& trait>
inline constexpr uint32_t kMaskBits = (sizeof(T) < 1 ? 1 : sizeof(T)) / static_cast<uint32_t>(trait.REG_NUM);
template <class T, const AscendC::Reg::RegTrait& trait>
inline constexpr uint32_t kLanes = kRegisterBytes / kMaskBits<T, trait>;

// The first `count` elements.
constexpr MaskReg FirstOf(uint32_t count, uint32_t bits) {
    MaskReg mask;
    mask.set = true;
    const uint32_t end = count >= kRegisterBytes / bits ? kRegisterBytes : count * bits;
    for (uint32_t w = 0; w < 4; ++w) {
        const uint64_t whole = LowestBits(bits);
        mask.bits[w] = end >= (w + 1) * 64 ? whole : end <= w * 64 ? 0 : whole & ((uint64_t{1} << (end - w * 64)) - 1);
    }
    return mask;
}
constexpr MaskReg EveryOf(uint32_t step, uint32_t bits) {
    MaskReg mask;
    mask.set = true;
    for (uint32_t i = 0; i * bits < kRegisterBytes; i += step)
        mask.bits[i * bits / 64] |= uint64_t{1} << (i * bits % 64);
    return mask;
}
constexpr uint32_t CountOf(AscendC::Reg::MaskPattern pattern) {
    using P = AscendC::Reg::MaskPattern;
    switch (pattern) {
        case P::VL1: return 1;
        case P::VL2: return 2;
        case P::VL3: return 3;
        case P::VL4: return 4;
        case P::VL8: return 8;
        case P::VL16: return 16;
        case P::VL32: return 32;
        case P::VL64: return 64;
        case P::VL128: return 128;
        default: return 0;
    }
}
inline void Need(const MaskReg& mask, const char* name, Where where) {
    if (!mask.set) [[unlikely]]
        MaskNotSet(name, where);
}
// A mask made of others.
template <class... From>
MaskReg MadeOf(const From&... from) {
    MaskReg mask;
    mask.set = true;
    (mask.behind.Add(from.behind), ...);
    return mask;
}
// f(number of the word) for the four words.
template <class F, class... From>
MaskReg MaskOf(const F& f, const From&... from) {
    MaskReg mask = MadeOf(from...);
    for (size_t w = 0; w < 4; ++w) mask.bits[w] = f(w);
    return mask;
}
inline bool BitOf(const MaskReg& mask, uint32_t i) { return mask.bits[i / 64] >> (i % 64) & 1; }
inline void SetBit(MaskReg* mask, uint32_t i) { mask->bits[i / 64] |= uint64_t{1} << (i % 64); }

}  // namespace sfumato::ascendc::reg

namespace AscendC::Reg {

template <typename T, MaskPattern mode = MaskPattern::ALL, const RegTrait& regTrait = RegTraitNumOne>
MaskReg CreateMask() {
    constexpr uint32_t bits = reg_::kMaskBits<T, regTrait>, lanes = reg_::kLanes<T, regTrait>;
    constexpr MaskReg kMask = mode == MaskPattern::ALL    ? reg_::FirstOf(lanes, bits)
                              : mode == MaskPattern::ALLF ? reg_::FirstOf(0, bits)
                              : mode == MaskPattern::H    ? reg_::FirstOf(lanes / 2, bits)
                              : mode == MaskPattern::Q    ? reg_::FirstOf(lanes / 4, bits)
                              : mode == MaskPattern::M3   ? reg_::EveryOf(3, bits)
                              : mode == MaskPattern::M4   ? reg_::EveryOf(4, bits)
                                                          : reg_::FirstOf(reg_::CountOf(mode), bits);
    return kMask;
}
template <typename T, const RegTrait& regTrait = RegTraitNumOne>
MaskReg UpdateMask(uint32_t& scalarValue) {
    constexpr uint32_t lanes = reg_::kLanes<T, regTrait>;
    const MaskReg mask = reg_::FirstOf(scalarValue, reg_::kMaskBits<T, regTrait>);
    scalarValue = scalarValue < lanes ? 0 : scalarValue - lanes;
    return mask;
}
template <typename T>
MaskReg MoveMask(SFUMATO_AT) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Reg::MoveMask: T has 16 or 32 bits [type-unsupported]");
    MaskReg mask;
    static_cast<sfumato::MaskRegister&>(mask) = reg_::VectorMask(sizeof(T), where);
    return mask;
}

template <typename T, class... Axes>
requires(sizeof...(Axes) >= 2 && sizeof...(Axes) <= 8 && sizeof...(Axes) % 2 == 0) AddrReg CreateAddrReg(Axes... axes) {
    const uint32_t words[] = {static_cast<uint32_t>(axes)...};
    AddrReg address;
    for (size_t i = 0; i < sizeof...(Axes); i += 2) address.offset += words[i] * words[i + 1] * uint32_t{sizeof(T)};
    return address;
}

#define SFUMATO_MASK_BINARY(Name, Old, expression)                                                              \
    inline void Name(MaskReg& dst, const MaskReg& src0, const MaskReg& src1, const MaskReg& mask, SFUMATO_AT) { \
        reg_::Need(src0, #Name, where), reg_::Need(src1, #Name, where), reg_::Need(mask, #Name, where);         \
        dst = reg_::MaskOf([&](size_t w) { return expression; }, src0, src1, mask);                             \
    }                                                                                                           \
    inline void Old(MaskReg& dst, const MaskReg& src0, const MaskReg& src1, const MaskReg& mask, SFUMATO_AT) {  \
        Name(dst, src0, src1, mask, where);                                                                     \
    }
SFUMATO_MASK_BINARY(And, MaskAnd, src0.bits[w] & src1.bits[w] & mask.bits[w])
SFUMATO_MASK_BINARY(Or, MaskOr, (src0.bits[w] | src1.bits[w]) & mask.bits[w])
SFUMATO_MASK_BINARY(Xor, MaskXor, (src0.bits[w] ^ src1.bits[w]) & mask.bits[w])
SFUMATO_MASK_BINARY(Select, MaskSel, (src0.bits[w] & mask.bits[w]) | (src1.bits[w] & ~mask.bits[w]))
#undef SFUMATO_MASK_BINARY
inline void Not(MaskReg& dst, const MaskReg& src, const MaskReg& mask, SFUMATO_AT) {
    reg_::Need(src, "Not", where), reg_::Need(mask, "Not", where);
    dst = reg_::MaskOf([&](size_t w) { return ~src.bits[w] & mask.bits[w]; }, src, mask);
}
inline void MaskNot(MaskReg& dst, const MaskReg& src, const MaskReg& mask, SFUMATO_AT) { Not(dst, src, mask, where); }
inline void Move(MaskReg& dst, const MaskReg& src, const MaskReg& mask, SFUMATO_AT) {
    reg_::Need(src, "Move", where), reg_::Need(mask, "Move", where);
    dst = reg_::MaskOf([&](size_t w) { return src.bits[w] & mask.bits[w]; }, src, mask);
}
inline void Move(MaskReg& dst, const MaskReg& src, SFUMATO_AT) {
    reg_::Need(src, "Move", where);
    dst = src;
}
inline void MaskMov(MaskReg& dst, const MaskReg& src, const MaskReg& mask, SFUMATO_AT) { Move(dst, src, mask, where); }
inline void MaskMov(MaskReg& dst, const MaskReg& src, SFUMATO_AT) { Move(dst, src, where); }

template <HighLowPart part = HighLowPart::LOWEST>
void Pack(MaskReg& dst, const MaskReg& src, SFUMATO_AT) {
    reg_::Need(src, "Pack", where);
    MaskReg out = reg_::MadeOf(src);
    for (uint32_t i = 0; i < 128; ++i) {
        if (reg_::BitOf(src, 2 * i)) reg_::SetBit(&out, i + (part == HighLowPart::HIGHEST ? 128 : 0));
    }
    dst = out;
}
template <HighLowPart part = HighLowPart::LOWEST>
void UnPack(MaskReg& dst, const MaskReg& src, SFUMATO_AT) {
    reg_::Need(src, "UnPack", where);
    MaskReg out = reg_::MadeOf(src);
    for (uint32_t i = 0; i < 128; ++i) {
        if (reg_::BitOf(src, i + (part == HighLowPart::HIGHEST ? 128 : 0))) reg_::SetBit(&out, 2 * i);
    }
    dst = out;
}
template <HighLowPart part = HighLowPart::LOWEST>
void MaskPack(MaskReg& dst, const MaskReg& src, SFUMATO_AT) {
    Pack<part>(dst, src, where);
}
template <HighLowPart part = HighLowPart::LOWEST>
void MaskUnPack(MaskReg& dst, const MaskReg& src, SFUMATO_AT) {
    UnPack<part>(dst, src, where);
}

// Groups of as many bits as T has bytes.
template <typename T>
void Interleave(MaskReg& dst0, MaskReg& dst1, const MaskReg& src0, const MaskReg& src1, SFUMATO_AT) {
    reg_::Need(src0, "Interleave", where), reg_::Need(src1, "Interleave", where);
    MaskReg out[2] = {reg_::MadeOf(src0, src1), reg_::MadeOf(src0, src1)};
    for (uint32_t i = 0; i < 512; ++i) {
        const uint32_t group = i / sizeof(T);
        const uint32_t from = group / 2 * sizeof(T) + i % sizeof(T);
        if (reg_::BitOf(group % 2 == 0 ? src0 : src1, from)) reg_::SetBit(&out[i / 256], i % 256);
    }
    dst0 = out[0], dst1 = out[1];
}
template <typename T>
void DeInterleave(MaskReg& dst0, MaskReg& dst1, const MaskReg& src0, const MaskReg& src1, SFUMATO_AT) {
    reg_::Need(src0, "DeInterleave", where), reg_::Need(src1, "DeInterleave", where);
    MaskReg out[2] = {reg_::MadeOf(src0, src1), reg_::MadeOf(src0, src1)};
    for (uint32_t i = 0; i < 512; ++i) {
        const uint32_t group = i / sizeof(T);
        const uint32_t to = group / 2 * sizeof(T) + i % sizeof(T);
        if (reg_::BitOf(i < 256 ? src0 : src1, i % 256)) reg_::SetBit(&out[group % 2], to);
    }
    dst0 = out[0], dst1 = out[1];
}
template <typename T>
void MaskInterleave(MaskReg& dst0, MaskReg& dst1, const MaskReg& src0, const MaskReg& src1, SFUMATO_AT) {
    Interleave<T>(dst0, dst1, src0, src1, where);
}
template <typename T>
void MaskDeInterleave(MaskReg& dst0, MaskReg& dst1, const MaskReg& src0, const MaskReg& src1, SFUMATO_AT) {
    DeInterleave<T>(dst0, dst1, src0, src1, where);
}
// Bit j of slice `offset` of the register becomes element j, all bits of it.
template <typename T = DefaultType, int16_t offset, Register U>
void MaskGenWithRegTensor(MaskReg& dst, const U& srcReg) {
    using E = sfumato_::ElementOfCall<T, U>;
    static_assert(sizeof(E) == 2 || sizeof(E) == 4,
                  "Reg::MaskGenWithRegTensor: T has 16 or 32 bits [type-unsupported]");
    static_assert(offset >= 0 && offset < (sizeof(E) == 2 ? 16 : 32),
                  "Reg::MaskGenWithRegTensor: offset is 0 to 15 for 16 bits, 0 to 31 for 32 [parameter-range]");
    constexpr uint32_t lanes = 256 / sizeof(E);
    MaskReg out = reg_::MadeOf(srcReg.reg[0]);
    for (uint32_t j = 0; j < lanes; ++j) {
        if ((srcReg.reg[0].bytes[offset * (lanes / 8) + j / 8] >> (j % 8) & 1) == 0) continue;
        for (uint32_t b = 0; b < sizeof(E); ++b) reg_::SetBit(&out, j * sizeof(E) + b);
    }
    dst = out;
}

}  // namespace AscendC::Reg
