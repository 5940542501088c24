// SPDX-License-Identifier: Apache-2.0
// Complex numbers in registers, of halves or floats (arch950.md 2.2, 2.7): of one register pair after pair, of two the
// real parts and behind them the imaginary parts. Each product, sum and quotient is rounded; a modulus is correctly
// rounded once.
#include "exec/registers/table.h"
#include "exec/run.h"
#include "exec/runs.h"
#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/registers/complex.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/half-inl.h"

#include "exec/format-inl.h"
#include "exec/registers/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t kMostComplex = kRegisterBytes / 2;

// Parts as floats, whatever their type.
struct Parts {
    alignas(64) float re[kMostComplex] = {}, im[kMostComplex] = {};
};

// T holds a part: int16_t a half, int32_t a float.
template <class T>
constexpr size_t ComplexLanes(uint32_t registers) {
    return registers * kRegisterBytes / (2 * sizeof(T));
}

template <class T>
void Widened(const T* from, float* to, size_t n) {
    if constexpr (sizeof(T) == 2) {
        WidenHalves(from, to, n);
    } else {
        std::memcpy(to, from, n * sizeof(float));
    }
}

template <class T>
void LoadComplex(const VectorRegister* from, uint64_t scalar, uint32_t registers, Parts& to) {
    alignas(64) T re[kMostComplex], im[kMostComplex];
    const size_t n = ComplexLanes<T>(registers);
    for (size_t i = 0; i < n; ++i) {
        if (!from) {
            re[i] = static_cast<T>(scalar);
            im[i] = static_cast<T>(scalar >> sizeof(T) * 8);
        } else {
            const size_t place = registers == 1 ? 2 * i * sizeof(T) : i * sizeof(T);
            std::memcpy(&re[i], from->bytes.data() + place, sizeof(T));
            std::memcpy(&im[i], registers == 1 ? from->bytes.data() + place + sizeof(T) : from[1].bytes.data() + place,
                        sizeof(T));
        }
    }
    Widened(re, to.re, n);
    Widened(im, to.im, n);
}

// Parts in the type, NaN and infinity as CTRL has them.
template <class T>
void Narrowed(const float* from, T* to, size_t n, bool saturates) {
    if constexpr (sizeof(T) == 2) {
        NarrowToHalves(from, to, n, saturates);
    } else {
        const Limit<Float<RegisterFloats>> limit(hn::ScalableTag<int32_t>(), false);
        const hn::ScalableTag<int32_t> d;
        for (size_t i = 0; i < n; i += hn::Lanes(d)) {
            hn::Store(limit(d, hn::BitCast(d, hn::Load(RegisterFloats(), from + i))), d, to + i);
        }
    }
}

template <class T>
void WriteComplex(const RegisterCall& call, const Parts& from, const KnownBytes* known, bool saturates) {
    alignas(64) T re[kMostComplex], im[kMostComplex];
    const size_t n = ComplexLanes<T>(call.registers);
    Narrowed(from.re, re, n, saturates);
    Narrowed(from.im, im, n, saturates);
    if (call.registers == 1) {
        alignas(64) T pairs[kMostComplex];
        for (size_t i = 0; i < n; ++i) {
            pairs[2 * i] = re[i];
            pairs[2 * i + 1] = im[i];
        }
        constexpr size_t kWidth = 2 * sizeof(T);
        WriteLanes(*call.dst, pairs, WholeElements<kWidth>(known[0]), OnOf<kWidth>(call.mask), call.merging);
        return;
    }
    const KnownBytes whole = WholeElements<sizeof(T)>(BothKnown(known[0], known[1]));
    const OnBytes on = OnOf<sizeof(T)>(call.mask);
    WriteLanes(call.dst[0], re, whole, on, call.merging);
    WriteLanes(call.dst[1], im, whole, on, call.merging);
}

// Steps of one rounding each.
template <class T>
struct Steps {
    size_t n;
    bool saturates;

    template <class Op>
    void Each(const float* a, const float* b, float* to, const Op& op) const {
        for (size_t i = 0; i < n; ++i) to[i] = op(a[i], b[i]);
        if constexpr (sizeof(T) == 2) RoundToHalves(to, n, saturates);
    }
    void Sum(const float* a, const float* b, float* to) const {
        Each(a, b, to, [](float x, float y) { return x + y; });
    }
    void Difference(const float* a, const float* b, float* to) const {
        Each(a, b, to, [](float x, float y) { return x - y; });
    }
    void Product(const float* a, const float* b, float* to) const {
        Each(a, b, to, [](float x, float y) { return x * y; });
    }
    void Quotient(const float* a, const float* b, float* to) const {
        Each(a, b, to, [](float x, float y) { return x / y; });
    }
};

// (ac - bd, ad + bc); by the conjugate (ac + bd, bc - ad).
template <class T>
void MultiplyComplex(const Steps<T>& steps, const Parts& x, const Parts& y, bool conjugate, Parts& to) {
    alignas(64) float ac[kMostComplex], bd[kMostComplex];
    steps.Product(x.re, y.re, ac);
    steps.Product(x.im, y.im, bd);
    if (conjugate) {
        steps.Sum(ac, bd, to.re);
    } else {
        steps.Difference(ac, bd, to.re);
    }
    alignas(64) float ad[kMostComplex], bc[kMostComplex];
    steps.Product(x.re, y.im, ad);
    steps.Product(x.im, y.re, bc);
    if (conjugate) {
        steps.Difference(bc, ad, to.im);
    } else {
        steps.Sum(ad, bc, to.im);
    }
}

template <class T, RegisterOp kOp>
uint32_t RunComplex(const RegisterCall& call, const RegisterControl& control) {
    const Steps<T> steps{ComplexLanes<T>(call.registers), Saturates(control)};
    Parts x, y, to;
    LoadComplex<T>(call.src0, 0, call.registers, x);
    LoadComplex<T>(call.src1, call.scalar, call.registers, y);
    if constexpr (kOp == RegisterOp::kAdd) {
        steps.Sum(x.re, y.re, to.re);
        steps.Sum(x.im, y.im, to.im);
    } else if constexpr (kOp == RegisterOp::kSub) {
        steps.Difference(x.re, y.re, to.re);
        steps.Difference(x.im, y.im, to.im);
    } else if constexpr (kOp == RegisterOp::kMul) {
        MultiplyComplex(steps, x, y, false, to);
    } else {
        Parts product;
        MultiplyComplex(steps, x, y, true, product);
        alignas(64) float squares[kMostComplex], more[kMostComplex];
        steps.Product(y.re, y.re, squares);
        steps.Product(y.im, y.im, more);
        steps.Sum(squares, more, squares);
        steps.Quotient(product.re, squares, to.re);
        steps.Quotient(product.im, squares, to.im);
    }
    KnownBytes known[2];
    for (size_t i = 0; i < call.registers; ++i) known[i] = KnownOf<Takes::kTwo>(call, i);
    WriteComplex<T>(call, to, known, Saturates(control));
    return 0;
}

// The modulus, to one register of parts: element i to lane i. Lanes that have no element are 0.
template <class T>
uint32_t RunModulus(const RegisterCall& call, const RegisterControl& control) {
    const size_t n = ComplexLanes<T>(call.registers), bits_each = 2 * sizeof(T) / call.registers;
    Parts x;
    LoadComplex<T>(call.src0, 0, call.registers, x);
    alignas(64) T re[kMostComplex], im[kMostComplex], out[kMostComplex] = {};
    Narrowed(x.re, re, n, false);
    Narrowed(x.im, im, n, false);
    RunArgs args;
    args.src0 = args.dst = re;
    args.src1 = im;
    args.n = n;
    args.overflow = Overflow::kInfNan;
    FindRun(isa::Opcode::vhypot, sizeof(T) == 2 ? DataType::kHalf : DataType::kFloat)(args);
    Widened(re, x.re, n);
    for (size_t i = 0; i < n; ++i) x.re[i] += x.im[i] != x.im[i] ? x.im[i] : 0.0f;
    Narrowed(x.re, out, n, Saturates(control));
    const KnownBytes* from[] = {&call.src0[0].known, &call.src0[call.registers - 1].known};
    KnownBytes known{}, on_bits{};
    const uint64_t lane = (uint64_t{1} << sizeof(T)) - 1, element = (uint64_t{1} << bits_each) - 1;
    for (size_t i = 0; i < kRegisterBytes / sizeof(T); ++i) {
        const size_t to = i * sizeof(T), bit = i * bits_each;
        const bool on = i < n && (!call.mask || (call.mask->bits[bit / 64] >> bit % 64 & 1));
        bool whole = true;
        for (const KnownBytes* k : from) whole = whole && (i >= n || ((*k)[bit / 64] >> bit % 64 & element) == element);
        known[to / 64] |= whole || !on ? lane << to % 64 : 0;
        on_bits[to / 64] |= on ? lane << to % 64 : 0;
    }
    const OnBytes on{{on_bits[0], on_bits[1], on_bits[2], on_bits[3], 0}, false};
    WriteLanes(*call.dst, out, known, on, call.merging);
    return 0;
}

template <class T>
void AddComplexOf(RegisterTable& table, DataType type) {
    using enum RegisterOp;
    table.At(kAdd, type) = RunComplex<T, kAdd>;
    table.At(kSub, type) = RunComplex<T, kSub>;
    table.At(kMul, type) = RunComplex<T, kMul>;
    table.At(kDiv, type) = RunComplex<T, kDiv>;
    table.At(kAbs, type) = RunModulus<T>;
}

void RegisterComplex(RegisterTable& table) {
    AddComplexOf<int16_t>(table, DataType::kComplex32);
    AddComplexOf<int32_t>(table, DataType::kComplex64);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {
void AddComplex(RegisterTable& table) { SFUMATO_FOR_TARGET(RegisterComplex)(table); }
}  // namespace sfumato::exec
#endif
