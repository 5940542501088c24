// SPDX-License-Identifier: Apache-2.0
// half and bfloat16 to float and back on vectors, exact on every target; loads and stores of fewer lanes than a vector.
// Included after hwy/highway.h, once per target.

#if defined(SFUMATO_EXEC_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_HALF_INL_H_
#undef SFUMATO_EXEC_HALF_INL_H_
#else
#define SFUMATO_EXEC_HALF_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

// Highway's own float16 conversions are faithful where the CPU has them (up to NaN payloads).
#undef SFUMATO_NATIVE_HALF
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_F16C)
#define SFUMATO_NATIVE_HALF 1
#elif HWY_ARCH_ARM_A64 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#define SFUMATO_NATIVE_HALF 1
#else
#define SFUMATO_NATIVE_HALF 0
#endif

// Masked loads and stores that touch only the active lanes, for every lane size.
#undef SFUMATO_NATIVE_MASK
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define SFUMATO_NATIVE_MASK 1
#else
#define SFUMATO_NATIVE_MASK 0
#endif

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class DF>
using HalfBits = hn::Vec<hn::Rebind<uint16_t, DF>>;

// NaN lanes become 0x7FC00000, the others stay.
template <class DF>
HWY_INLINE hn::Vec<DF> CanonicalNan(DF df, hn::Vec<DF> v) {
    const hn::RebindToUnsigned<DF> du;
    return hn::IfThenElse(hn::IsNaN(v), hn::BitCast(df, hn::Set(du, 0x7FC00000u)), v);
}

// half bits to float. Exact; NaN stays NaN with an unspecified payload.
template <class DF>
HWY_INLINE hn::Vec<DF> HalfToFloat(DF df, HalfBits<DF> bits) {
#if SFUMATO_NATIVE_HALF
    return hn::PromoteTo(df, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), bits));
#else
    // The exponent is rebiased by 112; inf and NaN need 112 more; a subnormal is (2^-14 + its value) - 2^-14, exact.
    const hn::RebindToSigned<DF> di;
    const auto v = hn::PromoteTo(di, bits);
    const auto rebias = hn::Set(di, 112 << 23);
    const auto shifted = hn::ShiftLeft<13>(hn::And(v, hn::Set(di, 0x7FFF)));
    const auto special = hn::Gt(shifted, hn::Set(di, (0x7C00 << 13) - 1));
    const auto normal = hn::Add(hn::Add(shifted, rebias), hn::IfThenElseZero(special, rebias));
    const auto tiny = hn::Sub(hn::BitCast(df, hn::Add(shifted, hn::Set(di, 113 << 23))), hn::Set(df, 0x1p-14f));
    const auto magnitude = hn::IfThenElse(hn::Lt(shifted, hn::Set(di, 1 << 23)), hn::BitCast(di, tiny), normal);
    const auto sign = hn::ShiftLeft<16>(hn::And(v, hn::Set(di, 0x8000)));
    return hn::BitCast(df, hn::Or(magnitude, sign));
#endif
}

// float to half bits, nearest even; overflow gives inf, NaN gives some NaN.
template <class DF>
HWY_INLINE HalfBits<DF> FloatToHalfRaw(DF df, hn::Vec<DF> v) {
#if SFUMATO_NATIVE_HALF
    (void)df;
    return hn::BitCast(hn::Rebind<uint16_t, DF>(), hn::DemoteTo(hn::Rebind<hwy::float16_t, DF>(), v));
#else
    const hn::RebindToSigned<DF> di;
    const hn::Rebind<uint16_t, DF> du16;
    const auto bits = hn::BitCast(di, v);
    const auto abs = hn::And(bits, hn::Set(di, 0x7FFFFFFF));
    const auto odd = hn::And(hn::ShiftRight<13>(abs), hn::Set(di, 1));
    const auto biased = hn::Add(hn::Add(abs, odd), hn::Set(di, 0xFFF - (112 << 23)));
    const auto normal = hn::ShiftRight<13>(biased);
    // Adding 0.5, whose last bit is half's smallest subnormal, rounds a small value to half's grid.
    const auto half = hn::Set(df, 0.5f);
    const auto tiny = hn::Sub(hn::BitCast(di, hn::Add(hn::BitCast(df, abs), half)), hn::BitCast(di, half));
    auto magnitude = hn::IfThenElse(hn::Lt(abs, hn::Set(di, 113 << 23)), tiny, normal);
    magnitude = hn::IfThenElse(hn::Gt(abs, hn::Set(di, 0x477FFFFF)), hn::Set(di, 0x7C00), magnitude);
    const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(di, 0x8000));
    const auto is_nan = hn::Gt(abs, hn::Set(di, 0x7F800000));
    return hn::DemoteTo(du16, hn::IfThenElse(is_nan, hn::Set(di, 0x7E00), hn::Or(magnitude, sign)));
#endif
}

// As FloatToHalfRaw; NaN gives 0x7E00.
template <class DF>
HWY_INLINE HalfBits<DF> FloatToHalfRint(DF df, hn::Vec<DF> v) {
#if SFUMATO_NATIVE_HALF
    return FloatToHalfRaw(df, CanonicalNan(df, v));
#else
    return FloatToHalfRaw(df, v);  // canonical already
#endif
}

// bfloat16 bits to float: the upper half of its bits.
template <class DF>
HWY_INLINE hn::Vec<DF> Bfloat16ToFloat(DF df, HalfBits<DF> bits) {
    const hn::RebindToUnsigned<DF> du;
    return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
}

// float to bfloat16 bits, nearest even; overflow gives inf, NaN gives 0x7FC0.
template <class DF>
HWY_INLINE HalfBits<DF> FloatToBfloat16Rint(DF df, hn::Vec<DF> v) {
    const hn::RebindToUnsigned<DF> du;
    const hn::RebindToSigned<DF> di;
    const hn::Rebind<uint16_t, DF> du16;
    const auto bits = hn::BitCast(du, v);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, odd), hn::Set(du, 0x7FFF)));
    const auto is_nan = hn::RebindMask(du, hn::IsNaN(v));
    (void)df;
    return hn::DemoteTo(du16, hn::BitCast(di, hn::IfThenElse(is_nan, hn::Set(du, 0x7FC0), rounded)));
}

// memcpy of fewer than 64 bytes without a call: overlapping moves of the largest power of two that fits.
HWY_INLINE void CopySmall(void* to, const void* from, size_t bytes) {
    if (bytes >= 64) __builtin_unreachable();
    auto* t = static_cast<uint8_t*>(to);
    const auto* f = static_cast<const uint8_t*>(from);
    const auto two = [&](auto word) {
        decltype(word) first, last;
        std::memcpy(&first, f, sizeof(word));
        std::memcpy(&last, f + bytes - sizeof(word), sizeof(word));
        std::memcpy(t, &first, sizeof(word));
        std::memcpy(t + bytes - sizeof(word), &last, sizeof(word));
    };
    struct Bytes32 {
        uint64_t words[4];
    };
    struct Bytes16 {
        uint64_t words[2];
    };
    if (bytes >= 32) {
        two(Bytes32());
    } else if (bytes >= 16) {
        two(Bytes16());
    } else if (bytes >= 8) {
        two(uint64_t());
    } else if (bytes >= 4) {
        two(uint32_t());
    } else if (bytes >= 2) {
        two(uint16_t());
    } else if (bytes == 1) {
        *t = *f;
    }
}

// The first n < Lanes(d) lanes of memory, the others 0. Touches no byte beyond them.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadFirst(D d, const T* from, size_t n) {
#if SFUMATO_NATIVE_MASK
    return hn::MaskedLoad(hn::FirstN(d, n), d, from);
#else
    HWY_ALIGN T lanes[HWY_LANES(T)] = {};
    if (n >= HWY_LANES(T)) __builtin_unreachable();
    if (sizeof(lanes) <= 64) {
        CopySmall(lanes, from, n * sizeof(T));
    } else {
        std::memcpy(lanes, from, n * sizeof(T));
    }
    return hn::LoadU(d, lanes);
#endif
}

// Stores the first n < Lanes(d) lanes and no byte beyond them.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void StoreFirst(hn::Vec<D> v, D d, T* to, size_t n) {
#if SFUMATO_NATIVE_MASK
    hn::BlendedStore(v, hn::FirstN(d, n), d, to);
#else
    HWY_ALIGN T lanes[HWY_LANES(T)];
    hn::StoreU(v, d, lanes);
    if (sizeof(lanes) <= 64) {
        CopySmall(to, lanes, n * sizeof(T));
    } else {
        std::memcpy(to, lanes, n * sizeof(T));
    }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
