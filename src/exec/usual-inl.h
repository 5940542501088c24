// SPDX-License-Identifier: Apache-2.0
// Functions of float whose usual arguments are evaluated to few bits more than a float has, a whole vector at a time.
// Included after exec/double-inl.h, once per target.

#if defined(SFUMATO_EXEC_USUAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_USUAL_INL_H_
#undef SFUMATO_EXEC_USUAL_INL_H_
#else
#define SFUMATO_EXEC_USUAL_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// Adding it to a float rounds that to an integer and leaves it in the low bits.
constexpr float kShift = 0x1.8p23f;

// Function::Value(df, x, y) sets y to the results of a vector, and is false where it has other arguments than the usual
// or a result is open. Such a vector goes the way of Function::WithCare; it does so outside of the loop, whose
// constants a call would drop.
template <class DF, class Function>
struct UsualFirst {
    using D = hn::RebindToSigned<DF>;

    static bool Run(const RunArgs& args) {
        const D d;
        const auto* src = static_cast<const int32_t*>(args.src0);
        auto* dst = static_cast<int32_t*>(args.dst);
        const size_t step = hn::Lanes(d);
        for (size_t i = 0;;) {
            i = WhileUsual(src, dst, i, args.n);
            if (i == args.n) return false;
            if (const size_t n = args.n - i; n < step) {
                StoreFirst(WithCare(LoadFirst(d, src + i, n)), d, dst + i, n);
                return false;
            }
            hn::StoreU(WithCare(hn::LoadU(d, src + i)), d, dst + i);
            i += step;
        }
    }

private:
    // Up to the first vector that wants care, or is none.
    static size_t WhileUsual(const int32_t* src, int32_t* dst, size_t i, size_t n) {
        const D d;
        const DF df;
        for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
            auto y = hn::Zero(df);
            if (HWY_UNLIKELY(!Function::Value(df, hn::BitCast(df, hn::LoadU(d, src + i)), y))) break;
            hn::StoreU(hn::BitCast(d, y), d, dst + i);
        }
        return i;
    }
    static HWY_NOINLINE hn::Vec<D> WithCare(hn::Vec<D> a) {
        const D d;
        const hn::Half<D> dh;
        if constexpr (requires { typename Function::Second; }) {
            const DF df;
            auto y = hn::Zero(df);
            if (Function::Second::Value(df, hn::BitCast(df, a), y)) return hn::BitCast(d, y);
        }
        const InDouble<hn::RepartitionToWide<DF>, Float, typename Function::WithCare> op;
        Policy<hn::Half<D>> policy{false, hn::FirstN(dh, 0)};  // it is for half alone
        return hn::Combine(d, op(dh, hn::UpperHalf(dh, a), policy), op(dh, hn::LowerHalf(dh, a), policy));
    }
};

// For UsualFirst: a function that is Rest(dd, x, k) 2^k, k found in float; Usual(df, x) names the arguments that give
// normal floats.
template <class Function>
struct InHalves {
    using WithCare = typename Function::WithCare;

    template <class DF, class V>
    static HWY_INLINE bool Value(DF df, V x, V& y) {
        const hn::RebindToSigned<DF> d;
        const hn::Half<DF> dh;
        const hn::RepartitionToWide<DF> dd;
        const hn::RebindToSigned<decltype(dd)> di;
        const auto shifted = Function::Shifted(df, x), k = hn::Sub(shifted, hn::Set(df, kShift));
        const auto rest = [&](auto half_x, auto half_k) {
            return Function::Rest(dd, hn::PromoteTo(dd, half_x), hn::PromoteTo(dd, half_k));
        };
        const auto low = rest(hn::LowerHalf(dh, x), hn::LowerHalf(dh, k));
        const auto high = rest(hn::UpperHalf(dh, x), hn::UpperHalf(dh, k));
        // A double's last 29 bits are dropped: open are those nearer to half of that than the window.
        constexpr auto kOpen = static_cast<int64_t>(Function::kWindow * 0x1p53), kHalf = int64_t{1} << 28;
        static_assert((kOpen & (kOpen - 1)) == 0);
        const auto open = [&](auto z) {
            const auto bits = hn::Add(hn::BitCast(di, z), hn::Set(di, kOpen - kHalf));
            return hn::Eq(hn::And(bits, hn::Set(di, 2 * kHalf - 2 * kOpen)), hn::Zero(di));
        };
        const auto rounded = hn::Combine(df, hn::DemoteTo(dh, high), hn::DemoteTo(dh, low));
        y = hn::BitCast(df, hn::Add(hn::BitCast(d, rounded), hn::ShiftLeft<23>(hn::BitCast(d, shifted))));
        return hn::AllTrue(df, Function::Usual(df, x)) && hn::AllFalse(di, hn::Or(open(low), open(high)));
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
