// SPDX-License-Identifier: Apache-2.0
// The loop under every arithmetic run: whole vectors, and a tail that touches exactly the remaining elements.
// Included after exec/half-inl.h, once per target.

#if defined(SFUMATO_EXEC_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_LOOP_INL_H_
#undef SFUMATO_EXEC_LOOP_INL_H_
#else
#define SFUMATO_EXEC_LOOP_INL_H_
#endif

#include <type_traits>

#include "isa/record.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// What an operator takes behind the tag of dst: src0, then src1 or the scalar, then what dst holds.
enum class Inputs { kOne, kTwo, kScalar, kTwoAndDst, kScalarAndDst };

// Whether the policy `saturate` is in force, and the lanes it changed.
template <class D>
struct Policy {
    bool saturate;
    hn::Mask<D> changed;
};

// An operator that makes the loop around it cheap says kLong: its code then stands once, in a function of its own.
template <class Op, class D, class... V>
HWY_NOINLINE hn::Vec<D> Apart(D d, const Op& op, Policy<D>& policy, V... v) {
    return op(d, v..., policy);
}

// dst[i] = op(d, inputs at i..., policy); lanes are the stored bits, as the lane types of D (dst) and DS (sources and
// scalar), which have as many lanes.
template <Inputs kInputs, class D, class DS, class Op>
HWY_INLINE bool RunLoop(D d, DS ds, const RunArgs& args, const Op& op) {
    using T = hn::TFromD<D>;
    using TS = hn::TFromD<DS>;
    const size_t step = hn::Lanes(d);
    const size_t n = args.n;
    const TS* a = static_cast<const TS*>(args.src0);
    const TS* b = static_cast<const TS*>(args.src1);
    T* dst = static_cast<T*>(args.dst);
    const auto scalar =
        hn::BitCast(ds, hn::Set(hn::RebindToUnsigned<DS>(), static_cast<hwy::MakeUnsigned<TS>>(args.scalar)));
    Policy<D> policy{args.overflow == Overflow::kSaturate, hn::FirstN(d, 0)};
    const size_t b_places = args.same_block ? isa::kBlockBytes / sizeof(TS) - 1 : ~size_t{0};
    const auto apply = [&](auto... v) {
        if constexpr (requires { requires Op::kLong; }) {
            return Apart(d, op, policy, v...);
        } else {
            return op(d, v..., policy);
        }
    };
    const auto at = [&](size_t i, auto load) {
        const auto va = load(ds, a + i);
        if constexpr (kInputs == Inputs::kOne) {
            return apply(va);
        } else if constexpr (kInputs == Inputs::kTwo) {
            return apply(va, load(ds, b + (i & b_places)));
        } else if constexpr (kInputs == Inputs::kScalar) {
            return apply(va, scalar);
        } else if constexpr (kInputs == Inputs::kTwoAndDst) {
            return apply(va, load(ds, b + (i & b_places)), load(d, dst + i));
        } else {
            return apply(va, scalar, load(d, dst + i));
        }
    };
    const auto whole = [](auto tag, const auto* from) { return hn::LoadU(tag, from); };
    if (n < step) {
        StoreFirst(at(0, [&](auto tag, const auto* from) { return LoadFirst(tag, from, n); }), d, dst, n);
        // The lanes past n held zeros.
        return !hn::AllFalse(d, hn::And(policy.changed, hn::FirstN(d, n)));
    }
    // The last vector overlaps the one before it; computed first, because the loop may overwrite its sources.
    const size_t last = n - step;
    const auto tail = at(last, whole);
    size_t i = 0;
    for (; i + 2 * step <= n; i += 2 * step) {
        const auto r0 = at(i, whole);
        const auto r1 = at(i + step, whole);
        hn::StoreU(r0, d, dst + i);
        hn::StoreU(r1, d, dst + i + step);
    }
    if (i < last) hn::StoreU(at(i, whole), d, dst + i);
    hn::StoreU(tail, d, dst + last);
    return !hn::AllFalse(d, policy.changed);
}

// The run of an operator. One that needs more than its inputs is made from RunArgs.
template <class D, class Op, Inputs kInputs, class DS = D>
bool Run(const RunArgs& args) {
    if constexpr (std::is_constructible_v<Op, const RunArgs&>) {
        return RunLoop<kInputs>(D(), DS(), args, Op(args));
    } else {
        return RunLoop<kInputs>(D(), DS(), args, Op());
    }
}
// The same of one that is another with the policy than without.
template <class D, template <bool kSaturate> class Op, Inputs kInputs>
bool RunByPolicy(const RunArgs& args) {
    return args.overflow == Overflow::kSaturate ? Run<D, Op<true>, kInputs>(args) : Run<D, Op<false>, kInputs>(args);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
