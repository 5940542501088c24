// SPDX-License-Identifier: Apache-2.0
// half, bfloat16_t and int4b_t as scalar types of kernel code. Light and C++17: every kernel includes it.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "sfumato/float_bits.h"

namespace sfumato {

class half;
class bfloat16_t;

namespace detail {

template <class T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

template <class A, class B>
inline constexpr bool kOperatesWith =
    kIsSmallFloat<A> ? std::is_same_v<A, B> || std::is_arithmetic_v<B> : kIsSmallFloat<B>&& std::is_arithmetic_v<A>;

// The usual arithmetic conversions, with half and bfloat16_t ranking above the integers and below float: half with half
// or an integer is half, half with float is float. half with bfloat16_t has no common type; there float is computed.
template <class A, class B>
using CommonType =
    std::enable_if_t<kOperatesWith<A, B>,
                     std::conditional_t<std::is_floating_point_v<A>, A,
                                        std::conditional_t<std::is_floating_point_v<B> || !kIsSmallFloat<A>, B, A>>>;

// What the operators compute in. Rounding a float result of + - * / once more to half (11 bits) or bfloat16 (8 bits) is
// still correctly rounded, subnormals included: float has 24 bits, and 24 >= 2 * 11 + 2 makes double rounding
// innocuous.
template <class C>
using ComputeType = std::conditional_t<kIsSmallFloat<C>, float, C>;

template <class C, class T>
constexpr ComputeType<C> Widen(T v) {
    return static_cast<ComputeType<C>>(static_cast<C>(v));
}

template <class T>
constexpr numeric::Exact UnpackArithmetic(T v) {
    if constexpr (std::is_same_v<T, float>) {
        return numeric::UnpackFloat(numeric::kFloatFormat, numeric::BitsOf(v));
    } else if constexpr (std::is_floating_point_v<T>) {
        return numeric::UnpackFloat(numeric::kDoubleFormat, numeric::BitsOf(static_cast<double>(v)));
    } else if constexpr (std::is_signed_v<T>) {
        return numeric::UnpackSigned(v);
    } else {
        return numeric::UnpackUnsigned(v);
    }
}

// A 16-bit float that behaves like a built-in type. Construction rounds once, to nearest even, and overflows to inf
// (conversions.md); the chip's overflow policy belongs to its vector instructions, not to these scalars. It converts to
// and from the built-in types implicitly, so the one thing a class cannot do is `c ? x : 1.0f`: choice.h has what
// becomes of it in kernels.
template <class Derived, int kExponentBits, int kMantissaBits>
class SmallFloat {
public:
    static constexpr numeric::FloatFormat kFormat{kExponentBits, kMantissaBits};

    SmallFloat() = default;  // trivial: arrays and unions of it cost nothing

    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    constexpr SmallFloat(T v)
        : bits_(static_cast<uint16_t>(numeric::PackFloat(kFormat, UnpackArithmetic(v), Rounding::kRint))) {}

    // From the other 16-bit float, int4b_t, an enumerator: only when asked for.
    template <class T,
              std::enable_if_t<
                  !std::is_arithmetic_v<T> && !std::is_same_v<T, Derived> && std::is_convertible_v<T, float>, int> = 0>
    explicit constexpr SmallFloat(const T& v) : SmallFloat(static_cast<float>(v)) {}

    static constexpr Derived FromBits(uint16_t bits) {
        Derived result{};
        result.bits_ = bits;
        return result;
    }

    constexpr uint16_t bits() const { return bits_; }

    constexpr operator float() const {
        const uint64_t wide =
            numeric::PackFloat(numeric::kFloatFormat, numeric::UnpackFloat(kFormat, bits_), Rounding::kRint);
        return numeric::FloatOf(static_cast<uint32_t>(wide));
    }

    constexpr Derived operator+() const { return FromBits(bits_); }
    constexpr Derived operator-() const { return FromBits(static_cast<uint16_t>(bits_ ^ kFormat.SignBit())); }

    template <class T, class = CommonType<Derived, T>>
    constexpr Derived& operator+=(T v) {
        return Assign(Self() + v);
    }
    template <class T, class = CommonType<Derived, T>>
    constexpr Derived& operator-=(T v) {
        return Assign(Self() - v);
    }
    template <class T, class = CommonType<Derived, T>>
    constexpr Derived& operator*=(T v) {
        return Assign(Self() * v);
    }
    template <class T, class = CommonType<Derived, T>>
    constexpr Derived& operator/=(T v) {
        return Assign(Self() / v);
    }

    constexpr Derived& operator++() { return *this += 1; }
    constexpr Derived& operator--() { return *this -= 1; }
    constexpr Derived operator++(int) {
        const Derived old = Self();
        ++*this;
        return old;
    }
    constexpr Derived operator--(int) {
        const Derived old = Self();
        --*this;
        return old;
    }

private:
    constexpr Derived& Self() { return static_cast<Derived&>(*this); }

    template <class T>
    constexpr Derived& Assign(T v) {
        return Self() = static_cast<Derived>(v);
    }

    uint16_t bits_;
};

template <class A, class B, class C = CommonType<A, B>>
constexpr C operator+(A a, B b) {
    return static_cast<C>(Widen<C>(a) + Widen<C>(b));
}
template <class A, class B, class C = CommonType<A, B>>
constexpr C operator-(A a, B b) {
    return static_cast<C>(Widen<C>(a) - Widen<C>(b));
}
template <class A, class B, class C = CommonType<A, B>>
constexpr C operator*(A a, B b) {
    return static_cast<C>(Widen<C>(a) * Widen<C>(b));
}
template <class A, class B, class C = CommonType<A, B>>
constexpr C operator/(A a, B b) {
    return static_cast<C>(Widen<C>(a) / Widen<C>(b));
}
template <class A, class B, class C = CommonType<A, B>>
constexpr bool operator==(A a, B b) {
    return Widen<C>(a) == Widen<C>(b);
}
template <class A, class B, class C = CommonType<A, B>>
constexpr bool operator!=(A a, B b) {
    return Widen<C>(a) != Widen<C>(b);
}
template <class A, class B, class C = CommonType<A, B>>
constexpr bool operator<(A a, B b) {
    return Widen<C>(a) < Widen<C>(b);
}
template <class A, class B, class C = CommonType<A, B>>
constexpr bool operator<=(A a, B b) {
    return Widen<C>(a) <= Widen<C>(b);
}
template <class A, class B, class C = CommonType<A, B>>
constexpr bool operator>(A a, B b) {
    return Widen<C>(a) > Widen<C>(b);
}
template <class A, class B, class C = CommonType<A, B>>
constexpr bool operator>=(A a, B b) {
    return Widen<C>(a) >= Widen<C>(b);
}

// What differs from std::numeric_limits<float>; the traits are the same.
template <class T>
class SmallFloatLimits : public std::numeric_limits<float> {
    static constexpr numeric::FloatFormat kFormat = T::kFormat;
    static constexpr T Make(uint64_t bits) { return T::FromBits(static_cast<uint16_t>(bits)); }

public:
    static constexpr int digits = kFormat.mantissa_bits + 1;
    static constexpr int digits10 = kFormat.mantissa_bits * 30103 / 100000;
    static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
    static constexpr int min_exponent = kFormat.MinExponent() + 1;
    static constexpr int max_exponent = kFormat.Bias() + 1;
    static constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;
    static constexpr int max_exponent10 = max_exponent * 30103 / 100000;

    static constexpr T min() noexcept { return Make(uint64_t{1} << kFormat.mantissa_bits); }
    static constexpr T max() noexcept { return Make(kFormat.MaxBits()); }
    static constexpr T lowest() noexcept { return Make(kFormat.SignBit() | kFormat.MaxBits()); }
    static constexpr T epsilon() noexcept {
        return Make(static_cast<uint64_t>(kFormat.Bias() - kFormat.mantissa_bits) << kFormat.mantissa_bits);
    }
    static constexpr T round_error() noexcept { return T(0.5f); }
    static constexpr T infinity() noexcept { return Make(kFormat.InfBits()); }
    static constexpr T quiet_NaN() noexcept { return Make(kFormat.NanBits()); }
    static constexpr T signaling_NaN() noexcept { return Make(kFormat.InfBits() | 1); }
    static constexpr T denorm_min() noexcept { return Make(1); }
};

}  // namespace detail

// IEEE 754 binary16.
class half : public detail::SmallFloat<half, 5, 10> {
public:
    half() = default;
    using SmallFloat::SmallFloat;
};

// The upper half of a float: 8 exponent bits, 7 mantissa bits.
class bfloat16_t : public detail::SmallFloat<bfloat16_t, 8, 7> {
public:
    bfloat16_t() = default;
    using SmallFloat::SmallFloat;
};

// One signed 4-bit element, -8..7, in a byte of its own, sign-extended. Tensors pack two a byte; that is the memory's
// affair. Construction keeps the low four bits, as any narrowing integer conversion does.
class int4b_t {
public:
    int4b_t() = default;
    constexpr int4b_t(int v) : value_(static_cast<int8_t>((v & 0x7) - (v & 0x8))) {}

    static constexpr int4b_t FromBits(uint8_t bits) { return int4b_t(bits); }
    constexpr uint8_t bits() const { return static_cast<uint8_t>(value_ & 0xF); }
    constexpr operator int() const { return value_; }

private:
    int8_t value_;
};

}  // namespace sfumato

namespace std {

template <>
class numeric_limits<sfumato::half> : public sfumato::detail::SmallFloatLimits<sfumato::half> {};

template <>
class numeric_limits<sfumato::bfloat16_t> : public sfumato::detail::SmallFloatLimits<sfumato::bfloat16_t> {};

template <>
class numeric_limits<sfumato::int4b_t> : public numeric_limits<int8_t> {
public:
    static constexpr int digits = 3;
    static constexpr int digits10 = 0;
    static constexpr sfumato::int4b_t min() noexcept { return -8; }
    static constexpr sfumato::int4b_t lowest() noexcept { return -8; }
    static constexpr sfumato::int4b_t max() noexcept { return 7; }
};

}  // namespace std
