// SPDX-License-Identifier: Apache-2.0
// Masks and `known` bits of vector registers, byte by byte: 256 bits in four words.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "exec/registers/registers.h"

namespace sfumato::exec::masks {

using ByteBits = std::array<uint64_t, 4>;
inline constexpr ByteBits kAllBytes{~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};

constexpr bool BitAt(const ByteBits& bits, uint32_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

// The bytes of the lanes of `width` bytes that are on.
inline ByteBits ActiveBytes(const MaskRegister* mask, uint32_t width) {
    return mask ? BytesOfElements(*mask, width) : kAllBytes;
}

// Those of lanes whose bytes are all set.
inline ByteBits WholeLanes(ByteBits bits, uint32_t width) {
    for (uint64_t& word : bits) {
        uint64_t all = word;
        for (uint32_t i = 1; i < width; ++i) all &= word >> i;
        word = (all & LowestBits(width)) * ((uint64_t{1} << width) - 1);
    }
    return bits;
}

// Eight bits to eight bytes, of ones or zeros.
constexpr uint64_t SpreadBits(uint64_t bits) {
    const uint64_t one = (bits & 0xFF) * 0x0101010101010101 & 0x8040201008040201;
    return ((one + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101) * 0xFF;
}

// dst's bytes that are on become those of `value`; the others stay, or become 0.
inline void Store(const uint8_t* value, const ByteBits& value_known, const ByteBits& on, bool merging,
                  VectorRegister* dst) {
    const bool all = on == kAllBytes;
    if (all) {
        std::memcpy(dst->bytes.data(), value, kRegisterBytes);
        dst->known = value_known;
        return;
    }
    for (uint32_t i = 0; i < kRegisterBytes; i += 8) {
        const uint64_t mask = SpreadBits(on[i / 64] >> (i % 64));
        uint64_t to = 0, from;
        if (merging) std::memcpy(&to, dst->bytes.data() + i, 8);
        std::memcpy(&from, value + i, 8);
        to = (from & mask) | (to & ~mask);
        std::memcpy(dst->bytes.data() + i, &to, 8);
    }
    for (size_t i = 0; i < on.size(); ++i) {
        dst->known[i] = (value_known[i] & on[i]) | (merging ? dst->known[i] & ~on[i] : ~on[i]);
    }
}

}  // namespace sfumato::exec::masks
