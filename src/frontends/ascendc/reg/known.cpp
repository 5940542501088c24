// SPDX-License-Identifier: Apache-2.0
// Plain elements between registers and UB, in one register or two.
#include "frontends/ascendc/reg/known.h"

#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc::reg {

Known::Known(const VectorUnit& unit, isa::Span bytes) { all_ = unit.AllDefined(bytes, bits_.data()); }

void TellUnknown(VectorUnit& unit, const VectorRegister& src, uint32_t from, uint32_t bytes, uint64_t at) {
    if (src.known == kAllKnown) return;
    for (uint32_t b = 0; b < bytes; ++b) {
        if (!IsKnown(src, from + b)) unit.Undefined({at + b, at + b + 1});
    }
}

void LoadPlain(const uint8_t* from, DataType type, uint8_t registers, const Known& known, VectorRegister* dst) {
    if (registers == 1) {
        std::memcpy(dst->bytes.data(), from, kRegisterBytes);
    } else {
        // Low halves of the elements to the first register, high halves to the second.
        const uint32_t half = BitsOf(type) / 16;
        for (uint32_t b = 0; b < kRegisterBytes; b += half, from += 2 * half) {
            std::memcpy(&dst[0].bytes[b], from, half);
            std::memcpy(&dst[1].bytes[b], from + half, half);
        }
    }
    const uint32_t half = BitsOf(type) / 16;
    for (uint32_t i = 0; i < registers; ++i) {
        dst[i].known = kAllKnown;
        for (uint32_t b = 0; !known.all() && b < kRegisterBytes; ++b) {
            const uint32_t at = registers == 1 ? b : b / half * 2 * half + i * half + b % half;
            if (!known.Has(at)) Forget(&dst[i], b);
        }
    }
}

void StorePairs(VectorUnit& unit, const Access& access, uint64_t at, const VectorRegister* src) {
    const uint32_t half = BitsOf(access.type) / 16;
    LoadsBehind behind = BehindStore(access, src[0]);
    behind.Add(src[1].behind);
    for (uint32_t b = 0; b < kRegisterBytes; b += half) {
        if ((access.mask->bits[b / 64] >> (b % 64) & 1) == 0) continue;
        const uint64_t to = at + 2 * uint64_t{b};
        if (!unit.Store({to, to + 2 * half}, behind, access.name, access.where)) return;
        for (uint32_t i = 0; i < 2; ++i) {
            std::memcpy(unit.Bytes(to + i * half), &src[i].bytes[b], half);
            TellUnknown(unit, src[i], b, half, to + i * half);
        }
    }
}

bool HasMask(const Access& access) {
    if (access.mask->set) [[likely]]
        return true;
    MaskNotSet(access.name, access.where);
    return false;
}

}  // namespace sfumato::ascendc::reg
