// SPDX-License-Identifier: Apache-2.0
// The bits of a floating-point number and back, in constants too, to compilers that have no __builtin_bit_cast: g++ 9
// and 10. They take a constant apart by functions that they evaluate themselves. Light and C++17, as half.h is.
#pragma once

#include <type_traits>

#include "sfumato/rounding.h"

namespace sfumato::numeric {

#if defined(__clang__) || __GNUC__ >= 11

template <class T>
constexpr uint64_t BitsOf(T v) {
    return __builtin_bit_cast(std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>, v);
}

constexpr float FloatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }

#else

// Of a NaN that is a constant: those of the canonical one.
template <class T>
constexpr uint64_t BitsOf(T v) {
    if (!__builtin_is_constant_evaluated()) {
        std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> bits{};
        __builtin_memcpy(&bits, &v, sizeof bits);
        return bits;
    }
    constexpr FloatFormat format = sizeof(T) == 4 ? kFloatFormat : kDoubleFormat;
    Exact exact{0, 0, __builtin_signbit(v) != 0, v != v ? Kind::kNan : __builtin_isinf(v) ? Kind::kInf : Kind::kFinite};
    if (exact.kind == Kind::kFinite && v != 0) {
        exact.exponent = __builtin_ilogb(v) - format.mantissa_bits;
        exact.significand = static_cast<uint64_t>(__builtin_fabs(__builtin_scalbn(v, -exact.exponent)));
    }
    return PackFloat(format, exact, Rounding::kRint);
}

constexpr float FloatOf(uint32_t bits) {
    if (!__builtin_is_constant_evaluated()) {
        float v{};
        __builtin_memcpy(&v, &bits, sizeof v);
        return v;
    }
    const Exact exact = UnpackFloat(kFloatFormat, bits);
    const double magnitude = exact.kind == Kind::kNan   ? __builtin_nan("")
                             : exact.kind == Kind::kInf ? __builtin_inf()
                                                        : __builtin_scalbn(exact.significand, exact.exponent);
    return static_cast<float>(exact.negative ? -magnitude : magnitude);
}

#endif

}  // namespace sfumato::numeric
