// SPDX-License-Identifier: Apache-2.0
// The registers of a vector unit that works on registers (arch950.md 2.2, 2.3), as kernels hold them: plain values.
#pragma once

#include <array>
#include <cstdint>

namespace sfumato {

inline constexpr uint32_t kRegisterBytes = 256;

// The loads of UB that a register's contents come from, of one vector function: bit k of `recent` is load `last` - k,
// as they are counted from 1. Of loads further back nothing is known.
struct LoadsBehind {
    uint32_t last = 0;
    uint64_t recent = 0;

    constexpr void Add(const LoadsBehind& other) {
        if (other.last <= last) {
            const uint32_t age = last - other.last;
            recent |= age < 64 ? other.recent << age : 0;
            return;
        }
        const uint32_t age = other.last - last;
        recent = (age < 64 ? recent << age : 0) | other.recent;
        last = other.last;
    }
    // Whether load n is among them, or too far back to say.
    constexpr bool Has(uint32_t n) const {
        return n > last ? false : last - n >= 64 || (recent >> (last - n) & 1) != 0;
    }
};

// A vector register. known: a bit a byte, set where the byte is: one that nothing has written, or that was made of
// such, is told of when it is stored.
struct alignas(64) VectorRegister {
    VectorRegister() {}  // the bytes are not set: there are many of these
    std::array<uint8_t, kRegisterBytes> bytes;
    std::array<uint64_t, 4> known{};
    LoadsBehind behind;
    LoadsBehind lanes;  // of those, the ones whose bytes are in the same places still
};

// A mask register: a bit a byte of a vector register. Element i of w bytes has bit w * i; the others of it count for
// nothing.
struct MaskRegister {
    std::array<uint64_t, 4> bits{};
    bool set = false;  // something has written it
    LoadsBehind behind;
};

// Of the bits of a mask, the lowest one of each element of so many bytes: 1, 2, 4 or 8.
constexpr uint64_t LowestBits(uint32_t bytes) {
    return bytes == 1   ? ~uint64_t{0}
           : bytes == 2 ? 0x5555555555555555
           : bytes == 4 ? 0x1111111111111111
                        : 0x0101010101010101;
}
// A bit a byte of a vector register: the bytes of elements of so many bytes that are on.
constexpr std::array<uint64_t, 4> BytesOfElements(const MaskRegister& mask, uint32_t bytes) {
    std::array<uint64_t, 4> on{};
    for (uint32_t word = 0; word < on.size(); ++word)
        on[word] = (mask.bits[word] & LowestBits(bytes)) * ((uint64_t{1} << bytes) - 1);
    return on;
}

// The block of a stream of unaligned loads that has been read already.
struct UnalignedLoad {
    std::array<uint8_t, 32> bytes{};
    uint32_t known = 0;  // a bit a byte
    int64_t block = -1;  // its offset in UB; -1: none
    LoadsBehind behind;
};

// The end of a stream of unaligned stores that has not reached memory.
struct UnalignedStore {
    std::array<uint8_t, 32> bytes{};
    uint32_t known = 0;   // a bit a byte
    uint64_t at = 0;      // offset in UB of the first
    uint32_t count = 0;   // bytes
    uint32_t number = 0;  // of its note in the vector function; 0: none
    LoadsBehind behind;
};

}  // namespace sfumato
