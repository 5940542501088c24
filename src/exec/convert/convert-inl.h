// SPDX-License-Identifier: Apache-2.0
// What the conversions share, compiled once per SIMD target: element loaders, rounding to an integer, rounding of bit
// patterns, and the loop. Rules: conversions.md.
#if defined(SFUMATO_EXEC_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_CONVERT_INL_H_
#undef SFUMATO_EXEC_CONVERT_INL_H_
#else
#define SFUMATO_EXEC_CONVERT_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "exec/convert/convert.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

template <class D>
using V = hn::VFromD<D>;
template <class D>
using Unsigned = hn::RebindToUnsigned<D>;
template <class D>
using Signed = hn::RebindToSigned<D>;

// NaN lanes become +0 (what an integer or a saturated result holds for NaN).
template <class D>
HWY_INLINE V<D> ZeroNan(D, V<D> x) {
    return hn::IfThenElseZero(hn::Eq(x, x), x);
}

// ---- Loaders: N elements of memory as N floats, exactly. NaN stays NaN, not yet canonical.

struct HalfSource {
    using Raw = uint16_t;
    template <class D>
    static HWY_INLINE V<D> Load(D d, const Raw* p) {
        return HalfToFloat(d, hn::LoadU(hn::Rebind<uint16_t, D>(), p));
    }
};

struct Bfloat16Source {
    using Raw = uint16_t;
    template <class D>
    static HWY_INLINE V<D> Load(D d, const Raw* p) {
        return Bfloat16ToFloat(d, hn::LoadU(hn::Rebind<uint16_t, D>(), p));
    }
};

struct FloatSource {
    using Raw = float;
    template <class D>
    static HWY_INLINE V<D> Load(D d, const Raw* p) {
        return hn::LoadU(d, p);
    }
};

// Integers of at most 16 bits: every value is a float.
template <class T>
struct IntSource {
    using Raw = T;
    template <class D>
    static HWY_INLINE V<D> Load(D d, const Raw* p) {
        return hn::ConvertTo(d, hn::PromoteTo(Signed<D>(), hn::LoadU(hn::Rebind<T, D>(), p)));
    }
};

// ---- Rounding to an integer, exact in float. inf and NaN come through; the sign of a zero result is not defined.

template <class D>
HWY_INLINE V<D> RoundNearestEven(D d, V<D> x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128  // whose Round is wrong just below 0.5
    const auto large = hn::Set(d, 8388608.0f);            // 2^23: the sum has no fraction bits
    const auto magnitude = hn::Abs(x);
    const auto rounded = hn::CopySign(hn::Sub(hn::Add(magnitude, large), large), x);
    return hn::IfThenElse(hn::Lt(magnitude, large), rounded, x);
#else
    (void)d;
    return hn::Round(x);
#endif
}

template <Rounding R, class D>
HWY_INLINE V<D> RoundToIntegral(D d, V<D> x) {
    if constexpr (R == Rounding::kRint) {
        return RoundNearestEven(d, x);
    } else if constexpr (R == Rounding::kFloor) {
        return hn::Floor(x);
    } else if constexpr (R == Rounding::kCeil) {
        return hn::Ceil(x);
    } else if constexpr (R == Rounding::kTrunc) {
        return hn::Trunc(x);
    } else {
        const auto kept = hn::Trunc(x);
        const auto rest = hn::Abs(hn::Sub(x, kept));  // exact; NaN for inf, where no comparison holds
        const auto next = hn::Add(kept, hn::CopySign(hn::Set(d, 1.0f), x));
        if constexpr (R == Rounding::kRound) {
            return hn::IfThenElse(hn::Ge(rest, hn::Set(d, 0.5f)), next, kept);
        } else if constexpr (R == Rounding::kAway) {
            return hn::IfThenElse(hn::Gt(rest, hn::Zero(d)), next, kept);
        } else {
            static_assert(R == Rounding::kOdd);
            const auto half = hn::Mul(kept, hn::Set(d, 0.5f));
            const auto steps = hn::And(hn::Gt(rest, hn::Zero(d)), hn::Eq(half, hn::Trunc(half)));
            return hn::IfThenElse(steps, next, kept);
        }
    }
}

// As int32, saturated, NaN 0. Highway's float to int32 conversions return the closest int32 for every number.
template <Rounding R, class D>
HWY_INLINE V<Signed<D>> RoundToInt32(D d, V<D> x) {
    x = ZeroNan(d, x);
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    if constexpr (R == Rounding::kRint) return hn::NearestInt(x);
#endif
    return hn::ConvertTo(Signed<D>(), RoundToIntegral<R>(d, x));
}

// The second rounding of a conversion through a dequantisation word: a product to an integer in [-256, 255], NaN to 0,
// then the word's offset (conversions.md; cube.md 5.2). DemoteTo limits the sum to the destination.
template <class D>
HWY_INLINE V<Signed<D>> OffsetProduct(D d, V<D> product, V<Signed<D>> offset) {
    const Signed<D> di;
    const auto limited = hn::Min(hn::Max(ZeroNan(d, product), hn::Set(d, -256.0f)), hn::Set(d, 255.0f));
    // Where a unit is 1 the sum rounds to an integer, to nearest even, and its bits count from those of the constant.
    const auto unit = hn::Set(d, 12582912.0f);
    const auto rounded = hn::Sub(hn::BitCast(di, hn::Add(limited, unit)), hn::BitCast(di, unit));
    return hn::Add(rounded, offset);
}

// ---- Rounding of bit patterns: IEEE magnitudes order like integers, and a carry reaches the exponent as it should.

// Drops the low kDrop bits of float magnitudes (no sign bit), rounded; `negative` is all ones in negative lanes. The
// result is shifted down.
template <Rounding R, int kDrop, class DU>
HWY_INLINE V<DU> RoundBits(DU du, V<DU> magnitude, V<DU> negative) {
    using T = hn::TFromD<DU>;
    const auto low = hn::Set(du, static_cast<T>((T{1} << kDrop) - 1));
    static_assert(R != Rounding::kRint);  // every user has a faster way
    if constexpr (R == Rounding::kRound) {
        magnitude = hn::Add(magnitude, hn::Set(du, static_cast<T>(T{1} << (kDrop - 1))));
    } else if constexpr (R == Rounding::kAway) {
        magnitude = hn::Add(magnitude, low);
    } else if constexpr (R == Rounding::kFloor) {
        magnitude = hn::Add(magnitude, hn::And(negative, low));
    } else if constexpr (R == Rounding::kCeil) {
        magnitude = hn::Add(magnitude, hn::AndNot(negative, low));
    } else if constexpr (R == Rounding::kOdd) {
        // Adding `low` to the dropped bits carries exactly when one of them is set.
        const auto carry = hn::And(hn::Add(hn::And(magnitude, low), low), hn::Set(du, static_cast<T>(T{1} << kDrop)));
        magnitude = hn::Or(magnitude, carry);
    }
    return hn::ShiftRight<kDrop>(magnitude);
}

// All ones in the lanes whose sign bit is set.
template <class D>
HWY_INLINE V<Unsigned<D>> NegativeLanes(D, V<D> x) {
    return hn::BitCast(Unsigned<D>(), hn::BroadcastSignBit(hn::BitCast(Signed<D>(), x)));
}

// Doubles rounded to float once, in any mode. A finite result is zero, normal, or nothing to the rounding that
// follows: integers, and their products with a scale. inf and NaN come through, except to nearest even on Highway's
// scalar target.
template <Rounding R, class DD>
HWY_INLINE V<hn::Rebind<float, DD>> RoundDoubleToFloat(DD dd, V<DD> x) {
    const hn::Rebind<float, DD> df;
    if constexpr (R == Rounding::kRint) {
        return hn::DemoteTo(df, x);
    } else {
        const Unsigned<DD> du;
        const auto bits = hn::BitCast(du, x);
        const auto sign = hn::And(bits, hn::Set(du, uint64_t{1} << 63));
        const auto rounded = hn::ShiftLeft<29>(RoundBits<R, 29>(du, hn::AndNot(sign, bits), NegativeLanes(dd, x)));
        return hn::DemoteTo(df, hn::BitCast(dd, hn::Or(rounded, sign)));
    }
}

// ---- The loop

constexpr size_t kBufferBytes = HWY_MAX_BYTES < 64 ? 64 : HWY_MAX_BYTES;

// Copies fewer elements than a vector holds.
template <class T>
HWY_INLINE void CopyRest(T* to, const T* from, size_t n) {
    if constexpr (HWY_MAX_BYTES <= 64) {
        CopySmall(to, from, n * sizeof(T));
    } else {
        std::memcpy(to, from, n * sizeof(T));
    }
}

// Steps over n elements, Kernel::Lanes() at a time: kernel.Step(src, dst, index of the first element, acc). Kernels
// with a kPairs of true take two steps at once where they can: kernel.StepPair; a kMayRepeat of true lets the last step
// overlap the one before. Otherwise the rest goes through a buffer padded with zeros. Nothing outside [0, n) is read or
// written.
template <class Kernel, class Acc>
HWY_INLINE void ForEach(const Kernel& kernel, const RunArgs& args, Acc& acc) {
    const auto* s = static_cast<const typename Kernel::Src*>(args.src0);
    auto* d = static_cast<typename Kernel::Dst*>(args.dst);
    const size_t n = args.n;
    const size_t lanes = Kernel::Lanes();
    size_t i = 0;
    if constexpr (requires { requires Kernel::kPairs; }) {
        for (; i + 2 * lanes <= n; i += 2 * lanes) kernel.StepPair(s + i, d + i, acc);
    }
    for (; i + lanes <= n; i += lanes) kernel.Step(s + i, d + i, i, acc);
    if (i == n) return;
    if constexpr (requires { requires Kernel::kMayRepeat; }) {
        if (n >= lanes) return kernel.Step(s + n - lanes, d + n - lanes, n - lanes, acc);
    }
    alignas(64) typename Kernel::Src last_src[kBufferBytes / sizeof(*s)] = {};
    alignas(64) typename Kernel::Dst last_dst[kBufferBytes / sizeof(*d)];
    CopyRest(last_src, s + i, n - i);
    kernel.Step(last_src, last_dst, i, acc);
    CopyRest(d + i, last_dst, n - i);
}

// Kernels that step by the lanes of a vector of Lane.
template <class Lane, class SrcRaw, class DstRaw>
struct Stepper {
    using Src = SrcRaw;
    using Dst = DstRaw;
    using D = hn::ScalableTag<Lane>;
    static size_t Lanes() { return hn::Lanes(D()); }
};

// The run of a kernel that needs nothing but its elements and replaces none.
template <class Kernel>
bool RunKernel(const RunArgs& args) {
    char unused = 0;
    ForEach(Kernel(), args, unused);
    return false;
}

// Source elements through float lanes into a sink: Sink::Store(d, values, dst, acc), Sink::Replaced(d, acc). Where
// there is a Sink::kOrdinaryBelow, pairs of vectors with magnitudes below it (as float bits) take the short
// Sink::StoreOrdinary(d, values, dst).
template <class Source, class Sink>
struct FloatLanes : Stepper<float, typename Source::Raw, typename Sink::Raw> {
    using D = hn::ScalableTag<float>;
    // Of two widths, dst is not a source: elements may be converted twice.
    static constexpr bool kMayRepeat = sizeof(typename Source::Raw) != sizeof(typename Sink::Raw);
    static constexpr bool kPairs = requires {
        requires Sink::kOrdinaryBelow >
        0;
    };

    template <class Acc>
    HWY_INLINE void StepPair(const typename Source::Raw* src, typename Sink::Raw* dst, Acc& acc) const {
        const D d;
        const size_t step = hn::Lanes(d);
        const auto v0 = Source::Load(d, src), v1 = Source::Load(d, src + step);
        if (HWY_LIKELY(IsOrdinary(src, v0, v1))) {
            Sink::StoreOrdinary(d, v0, dst);
            Sink::StoreOrdinary(d, v1, dst + step);
        } else {
            Sink::Store(d, v0, dst, acc);
            Sink::Store(d, v1, dst + step, acc);
        }
    }

    template <class Acc>
    HWY_INLINE void Step(const typename Source::Raw* src, typename Sink::Raw* dst, size_t, Acc& acc) const {
        Sink::Store(D(), Source::Load(D(), src), dst, acc);
    }

    static bool Run(const RunArgs& args) {
        auto acc = hn::Zero(Unsigned<D>());
        ForEach(FloatLanes(), args, acc);
        return Sink::Replaced(D(), acc);
    }

private:
    static HWY_INLINE bool IsOrdinary(const typename Source::Raw* src, V<D> v0, V<D> v1) {
        if constexpr (std::is_same_v<Source, HalfSource> && Sink::kOrdinaryBelow > 0x477FE000) {
            // Every finite half is: one look at the elements of both.
            const hn::Repartition<int16_t, D> d16;
            const auto magnitude = hn::And(hn::BitCast(d16, hn::LoadU(hn::RebindToUnsigned<decltype(d16)>(), src)),
                                           hn::Set(d16, int16_t{0x7FFF}));
            return hn::AllTrue(d16, hn::Lt(magnitude, hn::Set(d16, int16_t{0x7C00})));
        } else {
            const Signed<D> di;
            const auto magnitude = hn::Max(hn::BitCast(di, hn::Abs(v0)), hn::BitCast(di, hn::Abs(v1)));
            return hn::AllTrue(di, hn::Lt(magnitude, hn::Set(di, int32_t{Sink::kOrdinaryBelow})));
        }
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // SFUMATO_EXEC_CONVERT_INL_H_
