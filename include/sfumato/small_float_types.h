// SPDX-License-Identifier: Apache-2.0
// Floats of 8 and 4 bits and complex numbers as types of kernel code (arch950.md 1.8): their bits, which instructions
// work on and scalar code moves, and numbers that become such.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sfumato/api.h"
#include "sfumato/data_type.h"
#include "sfumato/half.h"

namespace sfumato {

// The byte of a number, to the nearest (half away from zero for hifloat8_t), and the number of a byte. Of the types of
// 4 bits, whose bytes hold two numbers: of two that are equal, and of the first.
SFUMATO_API uint8_t SmallFloatBits(DataType type, float value);
SFUMATO_API float SmallFloatValue(DataType type, uint8_t bits);

template <DataType type>
struct SmallFloat8 {
    static constexpr DataType kType = type;

    SmallFloat8() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    constexpr SmallFloat8(T value)
        : bits(std::is_integral_v<T> && value == 0 ? 0 : SmallFloatBits(type, static_cast<float>(value))) {}
    explicit operator float() const { return SmallFloatValue(type, bits); }

    uint8_t bits;
};
template <class T>
inline constexpr bool IsSmallFloat8 = false;
template <DataType type>
inline constexpr bool IsSmallFloat8<SmallFloat8<type>> = true;

}  // namespace sfumato

using hifloat8_t = sfumato::SmallFloat8<sfumato::DataType::kHifloat8>;
using fp8_e4m3fn_t = sfumato::SmallFloat8<sfumato::DataType::kFp8E4m3>;
using fp8_e5m2_t = sfumato::SmallFloat8<sfumato::DataType::kFp8E5m2>;
using fp8_e8m0_t = sfumato::SmallFloat8<sfumato::DataType::kFp8E8m0>;
using fp4x2_e2m1_t = sfumato::SmallFloat8<sfumato::DataType::kFp4E2m1>;
using fp4x2_e1m2_t = sfumato::SmallFloat8<sfumato::DataType::kFp4E1m2>;

namespace AscendC {

struct complex32 {
    sfumato::half real, imag;
};
struct complex64 {
    float real, imag;
};

}  // namespace AscendC
