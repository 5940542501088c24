// SPDX-License-Identifier: Apache-2.0
// The error function and its complement in double. Included after exec/double-inl.h, once per target.

#if defined(SFUMATO_EXEC_ERF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_ERF_INL_H_
#undef SFUMATO_EXEC_ERF_INL_H_
#else
#define SFUMATO_EXEC_ERF_INL_H_
#endif

#include <iterator>

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// 2/sqrt(pi) times the series of x (-x^2)^n / (n! (2n + 1)), |x| < 0.75.
template <class DD, class V>
HWY_INLINE V ErfNearZero(DD dd, V x) {
    static constexpr double kSeries[] = {1.0,
                                         -1.0 / 3,
                                         1.0 / (2 * 5),
                                         -1.0 / (6 * 7),
                                         1.0 / (24 * 9),
                                         -1.0 / (120 * 11),
                                         1.0 / (720 * 13),
                                         -1.0 / (5040 * 15),
                                         1.0 / (40320 * 17),
                                         -1.0 / (362880 * 19),
                                         1.0 / (3628800 * 21),
                                         -1.0 / (39916800.0 * 23),
                                         1.0 / (479001600.0 * 25),
                                         -1.0 / (6227020800.0 * 27),
                                         1.0 / (87178291200.0 * 29),
                                         -1.0 / (1307674368000.0 * 31),
                                         1.0 / (20922789888000.0 * 33)};
    return hn::Mul(hn::Mul(x, hn::Set(dd, 0x1.20dd750429b6dp+0)), Polynomial(dd, hn::Mul(x, x), kSeries));
}

// erfc of x, a float from 0.75 to 10.25: e^(-x^2) / (1 + 2x) times a Chebyshev sum in a line of (x - 3.75) / (x
// + 3.75). x^2 is exact. The sum was fitted with 512 bits; what it leaves out is below 2^-60.
template <class DD, class V>
HWY_INLINE V ErfcFarFromZero(DD dd, V x) {
    static constexpr double kSum[] = {
        0x1.3d6173392fb01p+0,   -0x1.bbbaf668dbdedp-5, -0x1.d8c305a3e310cp-7,  0x1.222e94c520b1ap-7,
        -0x1.5a66f2329ebd1p-9,  0x1.26a53bbfd29c7p-11, -0x1.7c0019b745b15p-14, 0x1.6d1b65bce1a0bp-17,
        -0x1.d28e0cc5dae08p-21, 0x1.9155c40d7f1adp-26, 0x1.244d1c29c9783p-28,  -0x1.2ba64e1ac4682p-31,
        0x1.4e8a84dd971cdp-39,  0x1.51404eb378508p-38, -0x1.2419937947bcap-42, -0x1.50a0c354e5f1p-45,
        0x1.151d1204f0a42p-48,  0x1.6c37c989c21dap-52, -0x1.b717213488c81p-55, -0x1.e55c10671e246p-59};
    const V centre = hn::Set(dd, 3.75), one = hn::Set(dd, 1.0);
    const V fraction = hn::Div(hn::Sub(x, centre), hn::Add(x, centre));
    // From -1 to 1; twice that is what Clenshaw's recurrence takes.
    const V t = hn::Add(hn::Mul(fraction, hn::Set(dd, 0x1.c4b73dfa9c4b7p+0)), hn::Set(dd, 0x1.6e7bf53896e7cp-3));
    const V twice = hn::Add(t, t);
    V next = hn::Zero(dd), after = hn::Zero(dd);
    for (size_t i = std::size(kSum) - 1; i > 0; --i) {
        const V now = hn::Add(hn::Sub(hn::Mul(twice, next), after), hn::Set(dd, kSum[i]));
        after = next;
        next = now;
    }
    const V sum = hn::Add(hn::Sub(hn::Mul(t, next), after), hn::Set(dd, kSum[0]));
    const V e = ExpParts<DD>(dd, hn::Neg(hn::Mul(x, x))).Exp(dd);
    return hn::Div(hn::Mul(e, sum), hn::Add(one, hn::Add(x, x)));
}

// erf x, or 1 - erf x where kComplement.
template <bool kComplement, class DD, class V>
HWY_INLINE V ErfInDouble(DD dd, V x) {
    const V one = hn::Set(dd, 1.0), magnitude = hn::Abs(x);
    const V near = ErfNearZero(dd, hn::IfThenElse(hn::Lt(magnitude, one), x, hn::Zero(dd)));
    const V far = ErfcFarFromZero(dd, hn::Max(hn::Min(magnitude, hn::Set(dd, 10.25)), hn::Set(dd, 0.75)));
    const auto small = hn::Lt(magnitude, hn::Set(dd, 0.75));
    V y;
    if constexpr (kComplement) {
        const V of_far = hn::IfThenElse(hn::Lt(x, hn::Zero(dd)), hn::Sub(hn::Set(dd, 2.0), far), far);
        y = hn::IfThenElse(small, hn::Sub(one, near), of_far);
    } else {
        y = hn::IfThenElse(small, near, hn::CopySign(hn::Sub(one, far), x));
    }
    return hn::IfThenElse(hn::IsNaN(x), x, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
