// SPDX-License-Identifier: Apache-2.0
// What kernel code writes with half, bfloat16_t and int4b_t must compile, as C++17 and C++20; values checked
// statically.
#include "sfumato/choice.h"
#include "sfumato/half.h"

namespace sfumato {
namespace {

template <class A, class B>
constexpr bool kSame = std::is_same_v<A, B>;

template <class T>
constexpr bool kPlain =
    std::is_trivially_copyable_v<T>&& std::is_trivially_default_constructible_v<T>&& std::is_standard_layout_v<T>;

static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2 && sizeof(int4b_t) == 1);
static_assert(alignof(half) == 2 && alignof(bfloat16_t) == 2 && alignof(int4b_t) == 1);
static_assert(kPlain<half> && kPlain<bfloat16_t> && kPlain<int4b_t>);

union Overlay {
    uint16_t raw;
    half value;
};
static_assert(sizeof(Overlay) == 2);

template <class H>
constexpr bool ArithmeticTypesAreRight() {
    const H x = 3;
    static_assert(kSame<decltype(x + x), H> && kSame<decltype(x - x), H>);
    static_assert(kSame<decltype(x * x), H> && kSame<decltype(x / x), H>);
    static_assert(kSame<decltype(x * 2), H> && kSame<decltype(2 * x), H> && kSame<decltype(x * uint64_t{2}), H>);
    static_assert(kSame<decltype(x * 2.0f), float> && kSame<decltype(2.0f * x), float>);
    static_assert(kSame<decltype(x * 2.0), double> && kSame<decltype(-x), H> && kSame<decltype(+x), H>);
    return true;
}
static_assert(ArithmeticTypesAreRight<half>() && ArithmeticTypesAreRight<bfloat16_t>());
static_assert(kSame<decltype(half(1) * bfloat16_t(1)), float>);

// What choices between operands of two types become.
constexpr half kOne = 1;
static_assert(kSame<decltype(detail::Chosen<float>(kOne)), float> &&
              kSame<decltype(detail::Chosen<half>(2.0)), double>);
static_assert(kSame<decltype(detail::Chosen<half>(2049)), half> && detail::Chosen<half>(2049) == 2048);
static_assert(kSame<decltype(detail::Chosen<half>(kOne)), const half&> &&
              kSame<decltype(detail::Chosen<int>(1L)), long>);
static_assert(kSame<decltype(detail::Chosen<bfloat16_t>(half(1))), half>);

template <class H>
constexpr bool KernelCodeWorks() {
    H x = 1.0f;
    H z = 3;
    H from_double = 1.5, braced{2.5f}, list[3] = {1, 2.0f, 3.0};
    float f = x;
    double d = x;
    int32_t i = z;
    int64_t wide = list[2];
    uint8_t small = static_cast<uint8_t>(z);
    float y = z * 2.0f;
    f += z;
    i += z;
    bool ok = f == 4.0f && d == 1.0 && i == 6 && wide == 3 && small == 3 && y == 6.0f && (H)1.5 == from_double;

    x += 1;
    x -= 0.5f;
    x *= z;
    x /= 2.0;
    ok = ok && x == 2.25f && x++ == 2.25f && ++x == 4.25 && x-- == 4.25f && --x == 2.25f;
    x = 7;
    ok = ok && H(2) * x == 14 && x > 0 && 0 < x && x >= 7 && x <= 7.0 && x != 8 && !(x < z) && x == x && -x == -7;
    ok = ok && static_cast<float>(x) == 7.0f && static_cast<int>(braced) == 2 && (x ? true : false) && !H(0);
    ok = ok && (x > z ? x : z) == x && (x > z ? x : H(0)) == x && H{}.bits() == 0;
    const H constant = H::FromBits(x.bits());
    return ok && constant == x && static_cast<H>(true) == 1 && static_cast<H>(int4b_t(-3)) == -3;
}
static_assert(KernelCodeWorks<half>() && KernelCodeWorks<bfloat16_t>());

static_assert(static_cast<half>(bfloat16_t(1.5f)) == 1.5f && static_cast<bfloat16_t>(half(1.5f)) == 1.5f);
static_assert(!std::is_convertible_v<half, bfloat16_t> && !std::is_convertible_v<bfloat16_t, half>);
static_assert(std::is_convertible_v<half, float> && std::is_convertible_v<int, half>);

// A template with an explicit element type takes literals, as vector calls with a scalar operand do.
template <class T>
constexpr T Second(const T&, const T& scalar) {
    return scalar;
}
static_assert(Second<half>(half(1), 2) == 2 && Second<bfloat16_t>(bfloat16_t(1), 2.0f) == 2);
static_assert(Second<int4b_t>(int4b_t(1), 2) == 2);

constexpr int4b_t kSeven = 7;
static_assert(kSeven == 7 && kSeven + 1 == 8 && kSeven.bits() == 7 && int4b_t(-8).bits() == 8 && int4b_t(-8) < kSeven);
static_assert(int4b_t::FromBits(0xF) == -1 && int4b_t(8) == -8 && int4b_t(static_cast<int>(half(3))) == 3);

// The ends of the formats, as constants: g++ 9 and 10 have them by another way than the others.
constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
static_assert(half(0.0f).bits() == 0 && half(-0.0f).bits() == 0x8000 && bfloat16_t(-0.0).bits() == 0x8000);
static_assert(half(kInf).bits() == 0x7C00 && half(-kInf).bits() == 0xFC00 && half(kNan).bits() == 0x7E00);
static_assert(half(0x1p-24f).bits() == 1 && half(0x1p-25f).bits() == 0 && half(0x1.8p-25).bits() == 1);
static_assert(half(65519.0f).bits() == 0x7BFF && half(65520.0).bits() == 0x7C00 && half(1e300).bits() == 0x7C00);
static_assert(bfloat16_t(0x1p-133f).bits() == 1 && bfloat16_t(0x1p-149f).bits() == 0);
static_assert(bfloat16_t(0x1.FEp127f).bits() == 0x7F7F && bfloat16_t(0x1.FFp127f).bits() == 0x7F80);
static_assert(bfloat16_t(std::numeric_limits<double>::denorm_min()).bits() == 0);
static_assert(float(half::FromBits(1)) == 0x1p-24f && float(half::FromBits(0x8001)) == -0x1p-24f);
static_assert(float(half::FromBits(0x7C00)) == kInf && float(half::FromBits(0xFC00)) == -kInf);
static_assert(float(half::FromBits(0x7E00)) != float(half::FromBits(0x7E00)));
static_assert(half(float(half::FromBits(0x8000))).bits() == 0x8000);
static_assert(float(bfloat16_t::FromBits(1)) == 0x1p-133f && float(bfloat16_t::FromBits(0x7F7F)) == 0x1.FEp127f);

static_assert(std::numeric_limits<int4b_t>::min() == -8 && std::numeric_limits<int4b_t>::max() == 7);
static_assert(std::numeric_limits<half>::max() == 65504.0f && std::numeric_limits<half>::lowest() == -65504.0f);

}  // namespace
}  // namespace sfumato
