// SPDX-License-Identifier: Apache-2.0
// The usual casts of registers, loop by loop: rounding to nearest, and to integers that clamp by any mode; other ways
// go element by element (conversions.cpp).
#include "exec/registers/fast_casts.h"

#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "exec/registers/cast_lanes.h"
#include "exec/registers/conversions.h"
#include "exec/targets.h"
#include "numeric/small_floats.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/fast_casts.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef SFUMATO_EXEC_REGISTERS_CAST_TABLES
#define SFUMATO_EXEC_REGISTERS_CAST_TABLES
namespace sfumato::exec::casts {

// Of bytes: all are exact, so that the ways of rounding do not matter.
template <DataType From, DataType To>
constexpr std::array<CastBits<To, From>, 256> MakeResults() {
    std::array<CastBits<To, From>, 256> results{};
    for (uint32_t i = 0; i < 256; ++i) results[i] = static_cast<CastBits<To, From>>(ElementOrPair<From, To>(How(), i));
    return results;
}
template <DataType From, DataType To>
inline constexpr std::array<CastBits<To, From>, 256> kByteResults = MakeResults<From, To>();

// Of floats to hif8, half away from zero, which looks at four bits of mantissa at most: by the high 13 bits.
constexpr int kHifloat8Dropped = 19;
inline const std::array<uint8_t, 8192>& Hifloat8Results() {
    static const std::array<uint8_t, 8192> results = [] {
        std::array<uint8_t, 8192> made{};
        for (uint32_t i = 0; i < made.size(); ++i) {
            made[i] = numeric::ToSmallFloat(DataType::kFloat, DataType::kHifloat8, {}, i << kHifloat8Dropped);
        }
        return made;
    }();
    return results;
}

}  // namespace sfumato::exec::casts
#endif

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {

using casts::CastBits;
using casts::How;
using enum DataType;

template <class S, class D, class F>
void Loop(const casts::WiderOf<S, D>* HWY_RESTRICT in, casts::WiderOf<S, D>* HWY_RESTRICT out, uint32_t source_at,
          uint32_t result_at, const F& f) {
    using W = casts::WiderOf<S, D>;
    for (size_t i = 0; i < kRegisterBytes / sizeof(W); ++i) {
        const auto element = static_cast<S>(sizeof(S) < sizeof(W) ? in[i] >> source_at : in[i]);
        const auto result = static_cast<W>(static_cast<D>(f(element)));
        out[i] = static_cast<W>(sizeof(D) < sizeof(W) ? result << result_at : result);
    }
}
template <class S, class D, class F>
void CastLoop(const RegisterCall& c, const F& f) {
    casts::CastRegister<S, D>(c, [&](const auto* in, auto* out, uint32_t source_at, uint32_t result_at) {
        Loop<S, D>(in, out, source_at, result_at, f);
    });
}

template <DataType T>
using IntegerOf = std::conditional_t<casts::IsUnsigned(T), CastBits<T, T>, std::make_signed_t<CastBits<T, T>>>;

// Calls f with the rounding mode as a constant.
template <class F>
void WithRounding(Rounding rounding, const F& f) {
    switch (rounding) {
        case Rounding::kRound: return f.template operator()<Rounding::kRound>();
        case Rounding::kFloor: return f.template operator()<Rounding::kFloor>();
        case Rounding::kCeil: return f.template operator()<Rounding::kCeil>();
        case Rounding::kTrunc: return f.template operator()<Rounding::kTrunc>();
        default: return f.template operator()<Rounding::kRint>();
    }
}

template <DataType From>
uint32_t FloatBits(CastBits<From, From> bits) {
    if constexpr (From == kHalf) return casts::HalfToFloat(bits);
    if constexpr (From == kBfloat16) return casts::Bfloat16ToFloat(bits);
    if constexpr (From == kFloat) return bits;
    if constexpr (casts::IsInteger(From)) {
        return casts::BitsOfFloat(static_cast<float>(static_cast<IntegerOf<From>>(bits)));
    }
}

// To integers that clamp; int4 by pairs.
template <DataType From, DataType To>
bool CastToInteger(const RegisterCall& c, const How& how) {
    if (how.low_bits || how.rounding == Rounding::kOdd || how.rounding == Rounding::kAway) return false;
    WithRounding(how.rounding, [&]<Rounding kRounding>() {
        if constexpr (To == kInt4) {
            CastLoop<uint32_t, uint8_t>(c, [](uint32_t pair) {
                const auto low = static_cast<CastBits<From, From>>(pair),
                           high = static_cast<CastBits<From, From>>(pair >> 16);
                const int32_t first = casts::FloatToInteger<kRounding, -8, 7>(FloatBits<From>(low));
                return (first & 15) | casts::FloatToInteger<kRounding, -8, 7>(FloatBits<From>(high)) << 4;
            });
        } else {
            using S = CastBits<From, From>;
            using Limits = std::numeric_limits<IntegerOf<To>>;
            CastLoop<S, CastBits<To, To>>(c, [](S s) {
                return casts::FloatToInteger<kRounding, Limits::min(), Limits::max()>(FloatBits<From>(s));
            });
        }
    });
    return true;
}

// By pairs: bfloat16 to fp4.
template <DataType To, bool kAway>
void CastToFp4(const RegisterCall& c) {
    constexpr int kMantissa = To == kFp4E2m1 ? 1 : 2;  // the least normal number is 1 in either
    CastLoop<uint32_t, uint8_t>(c, [](uint32_t pair) {
        const auto code = [](uint32_t bits) {
            return casts::FloatToCode<uint8_t, kMantissa, 0, 7, kAway, 4>(bits, 7, 0, true);
        };
        return code(FloatBits<kBfloat16>(static_cast<uint16_t>(pair))) |
               code(FloatBits<kBfloat16>(static_cast<uint16_t>(pair >> 16))) << 4;
    });
}

template <DataType From>
bool CastToHifloat8(const RegisterCall& c, const How& how) {
    if (how.hybrid) return false;
    const std::array<uint8_t, 8192>& results = casts::Hifloat8Results();
    const uint32_t nan = how.saturates ? 0 : 0x80;
    CastLoop<CastBits<From, From>, uint8_t>(c, [&, saturates = how.saturates](CastBits<From, From> s) {
        const uint32_t bits = FloatBits<From>(s), magnitude = bits & 0x7FFFFFFF;
        const uint32_t code = results[bits >> casts::kHifloat8Dropped];
        const uint32_t finite = saturates && (code & 0x7F) == 0x6F ? code - 1 : code;
        return magnitude > casts::kInf ? nan : finite;
    });
    return true;
}

// To a float from what FloatBits holds exactly, or, to float itself, by its one rounding.
template <DataType From, DataType To, bool kAway>
void CastToFloat(const RegisterCall& c, const How& how) {
    using S = CastBits<From, From>;
    using D = CastBits<To, To>;
    const bool saturates = how.saturates;
    const uint32_t nan = saturates && !how.keeps_nan ? 0 : 0x7F;
    if constexpr (To == kFloat) CastLoop<S, D>(c, [](S s) { return FloatBits<From>(s); });
    if constexpr (To == kHalf) {
        CastLoop<S, D>(c, [=](S s) { return casts::FloatToHalf<kAway>(FloatBits<From>(s), saturates); });
    }
    if constexpr (To == kBfloat16) {
        CastLoop<S, D>(c, [=](S s) { return casts::FloatToBfloat16<kAway>(FloatBits<From>(s), saturates); });
    }
    if constexpr (To == kFp8E4m3) {
        const uint32_t large = saturates ? 0x7E : 0x7F;
        CastLoop<S, D>(c, [=](S s) {
            return casts::FloatToCode<uint8_t, 3, -6, 0x7E, kAway>(FloatBits<From>(s), large, nan, saturates);
        });
    }
    if constexpr (To == kFp8E5m2) {
        const uint32_t large = saturates ? 0x7B : 0x7C;
        CastLoop<S, D>(c, [=](S s) {
            return casts::FloatToCode<uint8_t, 2, -14, 0x7B, kAway>(FloatBits<From>(s), large, nan, true);
        });
    }
    if constexpr (casts::IsPair(To)) CastToFp4<To, kAway>(c);
}

template <DataType From, DataType To>
bool CastToNearest(const RegisterCall& c, const How& how) {
    constexpr bool kRoundsInFloat = To == kFloat && casts::IsInteger(From) && BitsOf(From) == 32;
    if (how.rounding == Rounding::kRint) {
        CastToFloat<From, To, false>(c, how);
    } else if (how.rounding == Rounding::kRound && !kRoundsInFloat) {
        CastToFloat<From, To, true>(c, how);
    } else {
        return false;
    }
    return true;
}

template <DataType From, DataType To, bool kClamps>
void CastIntegers(const RegisterCall& c) {
    using S = IntegerOf<From>;
    using D = IntegerOf<To>;
    using Limits = std::numeric_limits<D>;
    CastLoop<CastBits<From, From>, CastBits<To, To>>(c, [](CastBits<From, From> bits) {
        const auto s = static_cast<S>(bits);
        if (!kClamps) return static_cast<D>(s);
        const D high = std::cmp_greater(s, Limits::max()) ? Limits::max() : static_cast<D>(s);
        return std::cmp_less(s, Limits::min()) ? Limits::min() : high;
    });
}

template <DataType From, DataType To>
bool CastFast(const RegisterCall& c, const How& how) {
    if constexpr (BitsOf(From) <= 8 && From != kInt8 && From != kUint8) {
        using S = CastBits<From, To>;
        CastLoop<S, CastBits<To, From>>(c, [](S s) { return casts::kByteResults<From, To>[s]; });
        return true;
    } else if constexpr (To == kFp8E8m0) {
        CastLoop<uint16_t, uint8_t>(c, [](uint16_t s) { return s >> 7; });
        return true;
    } else if constexpr (To == kHifloat8) {
        return CastToHifloat8<From>(c, how);
    } else if constexpr (!casts::IsInteger(To)) {
        return CastToNearest<From, To>(c, how);
    } else if constexpr (!casts::IsInteger(From)) {
        return CastToInteger<From, To>(c, how);
    } else {
        how.low_bits ? CastIntegers<From, To, false>(c) : CastIntegers<From, To, true>(c);
        return true;
    }
}

// The pairs that go element by element alone.
constexpr bool IsSlow(DataType from, DataType to) {
    return (from == kFloat && to == kInt64) || (from == kInt64 && to == kFloat) || (from == kInt16 && to == kInt4);
}

struct FastCastMaker {
    FastCastTable table;

    template <DataType From, DataType... To>
    void Add() {
        (AddOne<From, To>(), ...);
    }
    template <DataType From, DataType To>
    void AddOne() {
        if constexpr (!IsSlow(From, To)) table.run[static_cast<int>(From)][static_cast<int>(To)] = &CastFast<From, To>;
    }
};

const FastCastTable* MakeFastCasts() {
    static const FastCastTable table = [] {
        FastCastMaker t;
        AddCasts(t);
        return t.table;
    }();
    return &table;
}

void MulsCastLoop(const RegisterCall& c, bool saturates) {
    const float scalar = casts::FloatOf(static_cast<uint32_t>(c.scalar));
    CastLoop<uint32_t, uint16_t>(c, [=](uint32_t s) {
        return casts::FloatToHalf<true>(casts::BitsOfFloat(casts::FloatOf(s) * scalar), saturates);
    });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
namespace {

using MulsCastFn = void (*)(const RegisterCall&, bool);
struct FastForms {
    const FastCastTable* casts;
    MulsCastFn muls_cast;
};
const void* BuildFastForms() {
    static FastForms forms;
    forms = {SFUMATO_FOR_TARGET(MakeFastCasts)(), &SFUMATO_FOR_TARGET(MulsCastLoop)};
    return &forms;
}
PerTarget<FastForms> fast_forms(BuildFastForms);

}  // namespace

const FastCastTable& FastCasts() { return *fast_forms.Get().casts; }
void FastMulsCast(const RegisterCall& call, bool saturates) { fast_forms.Get().muls_cast(call, saturates); }

}  // namespace sfumato::exec
#endif
