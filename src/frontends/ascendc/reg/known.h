// SPDX-License-Identifier: Apache-2.0
// Which bytes of registers are known, between them and UB.
#pragma once

#include <array>
#include <cstring>

#include "frontends/ascendc/reg/vector_function.h"
#include "sfumato/ascendc/reg/issue.h"

namespace sfumato::ascendc::reg {

constexpr uint64_t kAll = ~uint64_t{0};
constexpr std::array<uint64_t, 4> kAllKnown{kAll, kAll, kAll, kAll};

inline void Forget(VectorRegister* r, uint32_t byte) { r->known[byte / 64] &= ~(uint64_t{1} << (byte % 64)); }
inline bool IsKnown(const VectorRegister& r, uint32_t byte) { return r.known[byte / 64] >> (byte % 64) & 1; }

// Of the bytes that a load reads.
class Known {
public:
    Known(const VectorUnit& unit, isa::Span bytes);
    bool all() const { return all_; }
    bool Has(uint32_t byte) const { return all_ || (bits_[byte / 64] >> (byte % 64) & 1) != 0; }

private:
    std::array<uint64_t, 8> bits_{};
    bool all_ = true;
};

// `bytes` bytes of the register from byte `from` on were stored at an offset in UB.
void TellUnknown(VectorUnit& unit, const VectorRegister& src, uint32_t from, uint32_t bytes, uint64_t at);

// Elements as memory has them, to a register or two.
void LoadPlain(const uint8_t* from, DataType type, uint8_t registers, const Known& known, VectorRegister* dst);
// Active elements of two registers.
void StorePairs(VectorUnit& unit, const Access& access, uint64_t at, const VectorRegister* src);

// What a store under a mask comes from.
inline LoadsBehind BehindStore(const Access& access, const VectorRegister& src) {
    LoadsBehind behind = src.behind;
    behind.Add(access.mask->behind);
    return behind;
}

// The first `bytes` bytes.
inline Loads::Bits FirstBytes(uint32_t bytes) {
    Loads::Bits bits{};
    for (uint32_t at = 0; at < bytes && at < kRegisterBytes; at += 64)
        bits[at / 64] = bytes - at < 64 ? (uint64_t{1} << (bytes - at)) - 1 : kAll;
    return bits;
}

// Whether the call's mask was set; false: it was reported.
bool HasMask(const Access& access);

}  // namespace sfumato::ascendc::reg
