// SPDX-License-Identifier: Apache-2.0
// Lanes of vector registers: which are on, which bytes are known, loops over elements, and the write of a result.
// Included after exec/format-inl.h, once per target. Plain loops over a whole register: the compiler makes vectors of
// them for each target.

#if defined(SFUMATO_EXEC_REGISTERS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_REGISTERS_LANES_INL_H_
#undef SFUMATO_EXEC_REGISTERS_LANES_INL_H_
#else
#define SFUMATO_EXEC_REGISTERS_LANES_INL_H_
#endif

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

#include "exec/registers/table.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

using KnownBytes = std::array<uint64_t, 4>;

// Lanes that are on: a bit a byte, all of an element alike. Highway's loads of bits read 8 bytes from any of the 32.
struct OnBytes {
    uint64_t words[5];
    bool all;
};

// Of elements, or of their halves in two registers, of kWidth bytes.
template <size_t kWidth>
HWY_INLINE OnBytes OnOf(const MaskRegister* mask) {
    OnBytes on;
    uint64_t both = ~uint64_t{0};
    for (size_t i = 0; i < 4; ++i) {
        on.words[i] = mask ? (mask->bits[i] & LowestBits(kWidth)) * ((uint64_t{1} << kWidth) - 1) : ~uint64_t{0};
        both &= on.words[i];
    }
    on.words[4] = 0;
    on.all = both == ~uint64_t{0};
    return on;
}

// An element is known where all its bytes are.
template <size_t kWidth>
HWY_INLINE KnownBytes WholeElements(KnownBytes known) {
    for (uint64_t& k : known) {
        if (kWidth >= 2) k &= k >> 1;
        if (kWidth >= 4) k &= k >> 2;
        if (kWidth >= 8) k &= k >> 4;
        k = (k & LowestBits(kWidth)) * ((uint64_t{1} << kWidth) - 1);
    }
    return known;
}

HWY_INLINE KnownBytes BothKnown(KnownBytes a, const KnownBytes& b) {
    for (size_t i = 0; i < 4; ++i) a[i] &= b[i];
    return a;
}

// to = from where on.
HWY_INLINE void Blend(uint8_t* to, const void* from, const OnBytes& on) {
    const hn::ScalableTag<uint8_t> d;
    const auto* bytes = static_cast<const uint8_t*>(from);
    const auto* bits = reinterpret_cast<const uint8_t*>(on.words);
    for (size_t i = 0; i < kRegisterBytes; i += hn::Lanes(d)) {
        const auto mask = hn::LoadMaskBits(d, bits + i / 8);
        hn::Store(hn::IfThenElse(mask, hn::Load(d, bytes + i), hn::Load(d, to + i)), d, to + i);
    }
}

// A bit for each byte of a register: its highest. Highway stores 8 bytes for few bits, too, so there is a fifth word.
HWY_INLINE std::array<uint64_t, 5> SignsOfBytes(const void* from) {
    const hn::ScalableTag<uint8_t> d;
    const auto* bytes = static_cast<const uint8_t*>(from);
    std::array<uint64_t, 5> bits{};
    auto* to = reinterpret_cast<uint8_t*>(bits.data());
    for (size_t i = 0; i < kRegisterBytes; i += hn::Lanes(d)) {
        hn::StoreMaskBits(d, hn::MaskFromVec(hn::Load(d, bytes + i)), to + i / 8);
    }
    return bits;
}

// A result, of which all bytes are given, to the lanes that are on; `bytes` is aligned to 64.
HWY_INLINE void WriteLanes(VectorRegister& dst, const void* bytes, const KnownBytes& known, const OnBytes& on,
                           bool merging) {
    const hn::ScalableTag<uint8_t> d;
    const auto* from = static_cast<const uint8_t*>(bytes);
    uint8_t* to = dst.bytes.data();
    if (HWY_LIKELY(on.all)) {
        for (size_t i = 0; i < kRegisterBytes; i += hn::Lanes(d)) hn::Store(hn::Load(d, from + i), d, to + i);
        dst.known = known;
        return;
    }
    if (!merging) {
        for (size_t i = 0; i < kRegisterBytes; i += hn::Lanes(d)) hn::Store(hn::Zero(d), d, to + i);
    }
    Blend(to, from, on);
    for (size_t i = 0; i < 4; ++i) {
        const uint64_t off = merging ? dst.known[i] : ~uint64_t{0};
        dst.known[i] = (known[i] & on.words[i]) | (off & ~on.words[i]);
    }
}

// Elements as the compiler may read them from bytes.
template <class T>
struct LaneOf {
    typedef T Type __attribute__((may_alias));
};
template <class T>
HWY_INLINE const typename LaneOf<T>::Type* LanesIn(const VectorRegister* from) {
    return reinterpret_cast<const typename LaneOf<T>::Type*>(from->bytes.data());
}

// What an operation takes: src0; src0 and src1 or the scalar; and what dst holds besides.
enum class Takes { kOne, kTwo, kThree };

template <Takes kTakes>
HWY_INLINE KnownBytes KnownOf(const RegisterCall& call, size_t i = 0) {
    KnownBytes known = call.src0[i].known;
    if (kTakes != Takes::kOne && call.src1) known = BothKnown(known, call.src1[i].known);
    return kTakes == Takes::kThree ? BothKnown(known, call.dst[i].known) : known;
}

// The lanes of src1, or of a register that the scalar fills.
template <class T>
struct SecondSource {
    static constexpr size_t kLanes = kRegisterBytes / sizeof(T);
    alignas(64) T filled[kLanes];
    const typename LaneOf<T>::Type* lanes;

    HWY_INLINE explicit SecondSource(const RegisterCall& call) {
        if (call.src1) {
            lanes = LanesIn<T>(call.src1);
        } else {
            for (size_t i = 0; i < kLanes; ++i) filled[i] = static_cast<T>(call.scalar);
            lanes = filled;
        }
    }
};

// Elements of 64 bits, of one register or of the low and high words of two.
constexpr size_t kMostWide = 2 * kRegisterBytes / sizeof(uint64_t);
HWY_INLINE void LoadWide(const VectorRegister* from, uint32_t registers, uint64_t* to) {
    if (registers == 1) {
        std::memcpy(to, from->bytes.data(), kRegisterBytes);
        return;
    }
    const auto *low = LanesIn<uint32_t>(from), *high = LanesIn<uint32_t>(from + 1);
    for (size_t i = 0; i < kMostWide; ++i) to[i] = low[i] | static_cast<uint64_t>(high[i]) << 32;
}
HWY_INLINE void WriteWide(const RegisterCall& call, const uint64_t* from, const KnownBytes* known) {
    if (call.registers == 1) {
        WriteLanes(*call.dst, from, WholeElements<8>(known[0]), OnOf<8>(call.mask), call.merging);
        return;
    }
    alignas(64) uint32_t low[kMostWide], high[kMostWide];
    for (size_t i = 0; i < kMostWide; ++i) {
        low[i] = static_cast<uint32_t>(from[i]);
        high[i] = static_cast<uint32_t>(from[i] >> 32);
    }
    const KnownBytes whole = WholeElements<4>(BothKnown(known[0], known[1]));
    const OnBytes on = OnOf<4>(call.mask);
    WriteLanes(call.dst[0], low, whole, on, call.merging);
    WriteLanes(call.dst[1], high, whole, on, call.merging);
}

// op of the elements of one lane after the other.
template <Takes kTakes, class T, class Op, class A, class B, class C>
HWY_INLINE void EachOf(T* HWY_RESTRICT out, size_t n, const Op& op, const A* a, const B* b, const C* c) {
    for (size_t i = 0; i < n; ++i) {
        if constexpr (kTakes == Takes::kOne) {
            out[i] = op(static_cast<T>(a[i]));
        } else if constexpr (kTakes == Takes::kTwo) {
            out[i] = op(static_cast<T>(a[i]), static_cast<T>(b[i]));
        } else {
            out[i] = op(static_cast<T>(a[i]), static_cast<T>(b[i]), static_cast<T>(c[i]));
        }
    }
}

template <class T, Takes kTakes, class Op>
HWY_INLINE void EachElement(const RegisterCall& call, const Op& op) {
    if constexpr (sizeof(T) == 8) {
        alignas(64) uint64_t a[kMostWide], b[kMostWide], c[kMostWide];
        alignas(64) T out[kMostWide];
        KnownBytes known[2];
        for (size_t i = 0; i < call.registers; ++i) known[i] = KnownOf<kTakes>(call, i);
        LoadWide(call.src0, call.registers, a);
        if (kTakes != Takes::kOne) {
            if (call.src1) LoadWide(call.src1, call.registers, b);
            for (size_t i = 0; !call.src1 && i < kMostWide; ++i) b[i] = call.scalar;
        }
        if (kTakes == Takes::kThree) LoadWide(call.dst, call.registers, c);
        EachOf<kTakes>(out, 32 * call.registers, op, a, b, c);
        WriteWide(call, reinterpret_cast<const uint64_t*>(out), known);
    } else {
        constexpr size_t kLanes = kRegisterBytes / sizeof(T);
        alignas(64) T out[kLanes];
        if constexpr (kTakes == Takes::kOne) {
            const auto* a = LanesIn<T>(call.src0);
            EachOf<kTakes, T>(out, kLanes, op, a, a, a);
        } else {
            const SecondSource<T> second(call);
            EachOf<kTakes, T>(out, kLanes, op, LanesIn<T>(call.src0), second.lanes, LanesIn<T>(call.dst));
        }
        WriteLanes(*call.dst, out, WholeElements<sizeof(T)>(KnownOf<kTakes>(call)), OnOf<sizeof(T)>(call.mask),
                   call.merging);
    }
}

// Results as CTRL has them: NaN is one pattern (arch950.md 4), and of halves that saturate, infinity is the largest
// number and NaN is 0.
template <class Format, class D = typename Format::D>
struct Limit {
    using T = hn::TFromD<D>;
    static constexpr bool kHalf = sizeof(T) == 2 && Format::kInf == 0x7C00;
    hn::Vec<D> inf, nan;

    HWY_INLINE Limit(D d, bool saturates) {
        saturates = saturates && kHalf;
        inf = hn::Set(d, static_cast<T>(saturates ? Format::kInf - 1 : Format::kInf));
        nan = hn::Set(d, saturates ? T{0} : hwy::LimitsMax<T>());
    }
    template <class V>
    HWY_INLINE V operator()(D d, V bits) const {
        const V magnitude = hn::And(bits, hn::Set(d, hwy::LimitsMax<T>()));
        const auto is_nan = hn::Gt(magnitude, hn::Set(d, T{Format::kInf}));
        if constexpr (kHalf) bits = hn::Or(hn::Xor(bits, magnitude), hn::Min(magnitude, inf));
        return hn::IfThenElse(is_nan, nan, bits);
    }
};

HWY_INLINE bool Saturates(const RegisterControl& control) { return control.decides && !control.ieee; }

using RegisterFloats = hn::ScalableTag<float>;
using RegisterHalves = Half<RegisterFloats>;

// n halves as floats, and floats as halves; n is a multiple of a vector's lanes, or there is room up to one.
HWY_INLINE void WidenHalves(const int16_t* from, float* to, size_t n) {
    const RegisterFloats df;
    const typename RegisterHalves::D d;
    for (size_t i = 0; i < n; i += hn::Lanes(df))
        hn::Store(RegisterHalves::Widen(df, hn::Load(d, from + i)), df, to + i);
}
HWY_INLINE void NarrowToHalves(const float* from, int16_t* to, size_t n, bool saturates) {
    const RegisterFloats df;
    const typename RegisterHalves::D d;
    const Limit<RegisterHalves> limit(d, saturates);
    for (size_t i = 0; i < n; i += hn::Lanes(df)) {
        hn::Store(limit(d, RegisterHalves::Narrow(df, hn::Load(df, from + i))), d, to + i);
    }
}
// Floats rounded to halves, in place.
HWY_INLINE void RoundToHalves(float* v, size_t n, bool saturates) {
    const RegisterFloats df;
    const typename RegisterHalves::D d;
    const Limit<RegisterHalves> limit(d, saturates);
    for (size_t i = 0; i < n; i += hn::Lanes(df)) {
        const auto half = limit(d, RegisterHalves::Narrow(df, hn::Load(df, v + i)));
        hn::Store(RegisterHalves::Widen(df, half), df, v + i);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
