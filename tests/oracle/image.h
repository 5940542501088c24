// SPDX-License-Identifier: Apache-2.0
// Whole memories as byte images, and elements of any width in them. Every access is checked: an oracle that leaves its
// image throws std::out_of_range.
#pragma once

#include <cstdint>
#include <vector>

namespace sfumato::oracle {

using Bytes = std::vector<uint8_t>;

// Element `element` of `bits` bits of the tensor that starts at byte `at`; of two int4 the even one is the low nibble.
inline uint64_t Get(const Bytes& image, uint64_t at, uint64_t element, uint32_t bits) {
    if (bits == 4) return static_cast<uint64_t>(image.at(at + element / 2) >> (element % 2 * 4)) & 15;
    uint64_t value = 0;
    for (uint32_t b = 0; b < bits / 8; ++b) {
        value |= static_cast<uint64_t>(image.at(at + element * (bits / 8) + b)) << (8 * b);
    }
    return value;
}

inline void Put(Bytes& image, uint64_t at, uint64_t element, uint32_t bits, uint64_t value) {
    if (bits == 4) {
        uint8_t& byte = image.at(at + element / 2);
        const uint32_t shift = element % 2 * 4;
        byte = static_cast<uint8_t>((byte & ~(15u << shift)) | (value & 15) << shift);
        return;
    }
    for (uint32_t b = 0; b < bits / 8; ++b) {
        image.at(at + element * (bits / 8) + b) = static_cast<uint8_t>(value >> (8 * b));
    }
}

constexpr uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
constexpr uint64_t CeilTo(uint64_t a, uint64_t b) { return CeilDiv(a, b) * b; }

}  // namespace sfumato::oracle
