// SPDX-License-Identifier: Apache-2.0
// Every conversion as plain integer arithmetic on bit patterns: the clear form. exec holds the fast one; both give the
// same bits.
#pragma once

#include <cstdint>

#include "sfumato/data_type.h"

namespace sfumato::numeric {

// A rounded result and whether the policy `saturate` replaced an inf or NaN.
struct Converted {
    uint64_t bits = 0;  // low BitsOf(dst) bits; the others are 0
    bool saturated = false;
};

// Converts one element given as its bit pattern. Defined for every (src, dst) pair of conversion_support.csv without
// deqscale, for every Rounding, for Overflow kSaturate and kInfNan. Source: conversions.md.
Converted Convert(DataType src, DataType dst, Rounding rounding, Overflow overflow, uint64_t bits);

// True when (src, dst) is a pair Convert defines.
bool IsConvertible(DataType src, DataType dst);

// int32 to half with a half scale: exact product, one RINT rounding (conversions.md).
Converted ConvertInt32ToHalf(int32_t value, uint16_t scale_half_bits, Overflow overflow);

// int16 to int8 / uint8 with one 64-bit dequantisation word. dst is kInt8 or kUint8. Never saturates in the policy's
// sense.
uint8_t ConvertInt16Deq(DataType dst, int16_t value, uint64_t word);

// Fields of the 64-bit word: a 1-8-10 scale in bits 31:13, a signed 9-bit offset in 45:37, the sign flag in bit 46.
constexpr uint32_t DeqScaleFloatBits(uint64_t word) { return static_cast<uint32_t>(word) & 0xFFFFE000u; }
constexpr int DeqOffset(uint64_t word) {
    const int v = static_cast<int>((word >> 37) & 0x1FF);
    return v >= 256 ? v - 512 : v;
}
constexpr bool DeqSigned(uint64_t word) { return (word >> 46) & 1; }
// Bits the moves out of L0C read besides (cube.md 5.2, 5.4): bit 36 asks for a shift of the accumulator to the right,
// by bits 35:32 plus 1; bit 47 for ReLU on the way to UB.
constexpr bool DeqShifts(uint64_t word) { return (word >> 36) & 1; }
constexpr int DeqShift(uint64_t word) { return static_cast<int>((word >> 32) & 15) + 1; }
constexpr bool DeqRelu(uint64_t word) { return (word >> 47) & 1; }

// An element of L0C through a word (cube.md 5.2, 5.4): int32 to half, int8, uint8 or int16 (shifted whatever bit 36
// says, not scaled), or float to int8 or uint8. relu: a negative element gives +0
// before the offset, whatever the sign of the scale.
Converted ConvertAccumulator(DataType src, DataType dst, uint64_t bits, uint64_t word, bool relu, Overflow overflow);

// Packs (scale, offset): the scale is truncated to 1-8-10. scale must be finite; a double outside the format's range,
// inf or NaN, or an offset outside [-256, 255] returns false.
bool PackDeqWord(double scale, int64_t offset, bool is_signed, uint64_t* word);

}  // namespace sfumato::numeric
