// SPDX-License-Identifier: Apache-2.0
// The loop under every arithmetic run: whole vectors, and a tail that touches exactly the remaining elements.
// Included after exec/half-inl.h, once per target.

#if defined(SFUMATO_EXEC_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_LOOP_INL_H_
#undef SFUMATO_EXEC_LOOP_INL_H_
#else
#define SFUMATO_EXEC_LOOP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// dst[i] = op(d, src0[i], b, changed), b = src1[i] or the scalar; lanes are the stored bits, as the lane type of D. op
// ORs into the mask `changed` the lanes the policy `saturate` changed. op on zeros must not set it unless it would for
// every lane (a scalar operand of inf or NaN), because lanes past n hold zeros.
template <bool kScalarOperand, class D, class Op>
HWY_INLINE bool RunLoop(D d, const RunArgs& args, Op op) {
    using T = hn::TFromD<D>;
    const size_t step = hn::Lanes(d);
    const size_t n = args.n;
    const T* a = static_cast<const T*>(args.src0);
    const T* b = static_cast<const T*>(args.src1);
    T* dst = static_cast<T*>(args.dst);
    const auto scalar =
        hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), static_cast<hwy::MakeUnsigned<T>>(args.scalar)));
    auto changed = hn::FirstN(d, 0);
    if (n < step) {
        const auto va = LoadFirst(d, a, n);
        const auto vb = kScalarOperand ? scalar : LoadFirst(d, b, n);
        StoreFirst(op(d, va, vb, changed), d, dst, n);
        return !hn::AllFalse(d, changed);
    }
    // The last vector overlaps the one before it; computed first, because the loop may overwrite its sources.
    const size_t last = n - step;
    const auto tail_a = hn::LoadU(d, a + last);
    const auto tail = op(d, tail_a, kScalarOperand ? scalar : hn::LoadU(d, b + last), changed);
    size_t i = 0;
    for (; i + 2 * step <= n; i += 2 * step) {
        const auto a0 = hn::LoadU(d, a + i);
        const auto a1 = hn::LoadU(d, a + i + step);
        const auto r0 = op(d, a0, kScalarOperand ? scalar : hn::LoadU(d, b + i), changed);
        const auto r1 = op(d, a1, kScalarOperand ? scalar : hn::LoadU(d, b + i + step), changed);
        hn::StoreU(r0, d, dst + i);
        hn::StoreU(r1, d, dst + i + step);
    }
    if (i < last) {
        hn::StoreU(op(d, hn::LoadU(d, a + i), kScalarOperand ? scalar : hn::LoadU(d, b + i), changed), d, dst + i);
    }
    hn::StoreU(tail, d, dst + last);
    return !hn::AllFalse(d, changed);
}

// The run of an operator, a class template over the policy.
template <class D, template <bool kSaturate> class Op, bool kScalarOperand>
bool Run(const RunArgs& args) {
    const D d;
    return args.overflow == Overflow::kSaturate ? RunLoop<kScalarOperand>(d, args, Op<true>())
                                                : RunLoop<kScalarOperand>(d, args, Op<false>());
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
