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

// A function of float that is Rest(dd, x, k) 2^k, k found in float: Usual(df, x) names the arguments that give normal
// floats. A vector with others, or with a result that the window leaves open, goes the way of Function::WithCare; it
// does so outside of the loop, whose constants a call would drop.
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
            const size_t n = HWY_MIN(step, args.n - i);
            StoreFirst(WithCare(LoadFirst(d, src + i, n)), d, dst + i, n);
            i += n;
        }
    }

private:
    // Up to the first vector that wants care, or is none.
    static size_t WhileUsual(const int32_t* src, int32_t* dst, size_t i, size_t n) {
        const D d;
        const DF df;
        const hn::Half<DF> dh;
        const hn::RepartitionToWide<DF> dd;
        const hn::RebindToSigned<decltype(dd)> di;
        for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
            const auto x = hn::BitCast(df, hn::LoadU(d, src + i));
            const auto shifted = Function::Shifted(df, x), k = hn::Sub(shifted, hn::Set(df, kShift));
            const auto rest = [&](auto half_x, auto half_k) {
                return Function::Rest(dd, hn::PromoteTo(dd, half_x), hn::PromoteTo(dd, half_k));
            };
            const auto low = rest(hn::LowerHalf(dh, x), hn::LowerHalf(dh, k));
            const auto high = rest(hn::UpperHalf(dh, x), hn::UpperHalf(dh, k));
            // A double's last 29 bits are dropped: open are those nearer to half of that than the window.
            constexpr auto kOpen = static_cast<int64_t>(Function::kWindow * 0x1p53), kHalf = int64_t{1} << 28;
            static_assert((kOpen & (kOpen - 1)) == 0);
            const auto open = [&](auto y) {
                const auto bits = hn::Add(hn::BitCast(di, y), hn::Set(di, kOpen - kHalf));
                return hn::Eq(hn::And(bits, hn::Set(di, 2 * kHalf - 2 * kOpen)), hn::Zero(di));
            };
            if (HWY_UNLIKELY(!hn::AllTrue(df, Function::Usual(df, x)) ||
                             !hn::AllFalse(di, hn::Or(open(low), open(high))))) {
                break;
            }
            const auto y = hn::Combine(df, hn::DemoteTo(dh, high), hn::DemoteTo(dh, low));
            const auto exponent = hn::ShiftLeft<23>(hn::BitCast(d, shifted));
            hn::StoreU(hn::Add(hn::BitCast(d, y), exponent), d, dst + i);
        }
        return i;
    }
    static HWY_NOINLINE hn::Vec<D> WithCare(hn::Vec<D> a) {
        const D d;
        const hn::Half<D> dh;
        const typename InDouble<hn::RepartitionToWide<DF>, Float, typename Function::WithCare>::template Op<false> op;
        auto changed = hn::FirstN(dh, 0);  // the policy is for half alone
        return hn::Combine(d, op(dh, hn::UpperHalf(dh, a), changed), op(dh, hn::LowerHalf(dh, a), changed));
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
