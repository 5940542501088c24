// SPDX-License-Identifier: Apache-2.0
// Collectives against MPFR, element by element: every type, operation and order, 1 to 64 ranks, bytes compared.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "numeric/collective.h"

namespace sfumato::numeric {
namespace {

class Number {
public:
    explicit Number(mpfr_prec_t precision = 700) { mpfr_init2(x_, precision); }
    ~Number() { mpfr_clear(x_); }
    Number(const Number&) = delete;
    Number& operator=(const Number&) = delete;
    operator mpfr_ptr() { return x_; }

private:
    mpfr_t x_;
};

// Precision and MPFR's exponents (significand in [0.5, 1)) of a floating type; double too, for sums in a wider type.
struct Grid {
    mpfr_prec_t precision;
    mpfr_exp_t emin, emax;
};
constexpr Grid kHalf{11, -23, 16}, kBfloat16{8, -132, 128}, kFloat{24, -148, 128}, kDouble{53, -1073, 1024};
Grid GridOf(DataType t) { return t == DataType::kHalf ? kHalf : t == DataType::kBfloat16 ? kBfloat16 : kFloat; }

void Round(mpfr_ptr x, Grid grid) {
    Number out(grid.precision);
    mpfr_set_emin(grid.emin);
    mpfr_set_emax(grid.emax);
    const int inexact = mpfr_set(out, x, MPFR_RNDN);
    mpfr_subnormalize(out, mpfr_check_range(out, inexact, MPFR_RNDN), MPFR_RNDN);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_set(x, out, MPFR_RNDN);
}

void Read(DataType type, uint64_t bits, mpfr_ptr x) {
    if (type == DataType::kFloat) {
        mpfr_set_flt(x, std::bit_cast<float>(static_cast<uint32_t>(bits)), MPFR_RNDN);
    } else if (type == DataType::kBfloat16) {
        mpfr_set_flt(x, std::bit_cast<float>(static_cast<uint32_t>(bits << 16)), MPFR_RNDN);
    } else {
        const auto exponent = static_cast<int>(bits >> 10 & 31);
        const double fraction = static_cast<double>(bits & 1023) / 1024;
        double value = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
        if (exponent == 31) value = fraction != 0 ? std::nan("") : HUGE_VAL;
        mpfr_set_d(x, bits >> 15 ? -value : value, MPFR_RNDN);
    }
}

uint64_t Write(DataType type, mpfr_ptr x) {
    if (mpfr_nan_p(x)) return type == DataType::kHalf ? 0x7E00 : type == DataType::kBfloat16 ? 0x7FC0 : 0x7FC00000;
    const float f = mpfr_get_flt(x, MPFR_RNDN);
    const auto bits = std::bit_cast<uint32_t>(f);
    if (type == DataType::kFloat) return bits;
    if (type == DataType::kBfloat16) return bits >> 16;
    const uint32_t sign = bits >> 16 & 0x8000;
    if (std::isinf(f)) return sign | 0x7C00;
    int exponent = 0;
    const float fraction = std::frexp(std::fabs(f), &exponent);
    if (f == 0) return sign;
    if (exponent < -13) return sign | static_cast<uint32_t>(std::ldexp(std::fabs(f), 24));
    return sign |
           ((static_cast<uint32_t>(exponent + 14) << 10) + (static_cast<uint32_t>(std::ldexp(fraction, 11)) - 1024));
}

void Combine(CollectiveOp op, mpfr_ptr a, mpfr_ptr b, Grid grid) {
    const bool max = op == CollectiveOp::kMax;
    if (op == CollectiveOp::kSum) {
        mpfr_add(a, a, b, MPFR_RNDN);
    } else if (op == CollectiveOp::kProd) {
        mpfr_mul(a, a, b, MPFR_RNDN);
    } else if (mpfr_nan_p(a) || mpfr_nan_p(b)) {
        mpfr_set_nan(a);
    } else if (mpfr_zero_p(a) && mpfr_zero_p(b)) {
        if (mpfr_signbit(b) != static_cast<int>(max)) mpfr_setsign(a, a, mpfr_signbit(b), MPFR_RNDN);
        if (max ? !mpfr_signbit(b) : mpfr_signbit(b)) mpfr_set(a, b, MPFR_RNDN);
    } else if (max ? mpfr_less_p(a, b) : mpfr_greater_p(a, b)) {
        mpfr_set(a, b, MPFR_RNDN);
    }
    if (!mpfr_nan_p(a)) Round(a, grid);
}

using Ranks = std::vector<uint32_t>;

uint64_t Floating(CollectiveOp op, DataType type, const std::vector<uint64_t>& x, const Ranks& ranks, bool tree,
                  bool wide) {
    const Grid grid = !wide ? GridOf(type) : type == DataType::kFloat ? kDouble : kFloat;
    const std::function<void(size_t, size_t, mpfr_ptr)> fold = [&](size_t from, size_t to, mpfr_ptr sum) {
        if (to - from == 1) return Read(type, x[ranks[from]], sum);
        const size_t half = tree ? from + (to - from + 1) / 2 : to - 1;
        Number other;
        fold(from, half, sum);
        fold(half, to, other);
        Combine(op, sum, other, grid);
    };
    Number sum;
    fold(0, ranks.size(), sum);
    if (!mpfr_nan_p(static_cast<mpfr_ptr>(sum))) Round(sum, GridOf(type));
    return Write(type, sum);
}

uint64_t Integer(CollectiveOp op, DataType type, const std::vector<uint64_t>& x) {
    const unsigned unused = 64 - BitsOf(type);
    const auto value = [&](uint64_t bits) { return static_cast<int64_t>(bits << unused) >> unused; };
    __int128 result = value(x[0]);
    for (size_t r = 1; r < x.size(); ++r) {
        const __int128 next = value(x[r]);
        switch (op) {
            case CollectiveOp::kSum: result = value(static_cast<uint64_t>(result + next)); break;
            case CollectiveOp::kProd: result = value(static_cast<uint64_t>(result * next)); break;
            case CollectiveOp::kMax: result = std::max(result, next); break;
            case CollectiveOp::kMin: result = std::min(result, next); break;
        }
    }
    return static_cast<uint64_t>(result) & (~uint64_t{0} >> unused);
}

// Ranks in the order of their elements i of count.
Ranks OrderOf(CollectiveOrder order, uint32_t n, uint64_t i, uint64_t count) {
    uint32_t first = 0;
    if (order == CollectiveOrder::kRing) {
        uint32_t chunk = 0;
        while (i >= count * (chunk + 1) / n) ++chunk;
        first = chunk + 1;
    }
    Ranks ranks;
    for (uint32_t k = 0; k < n; ++k) ranks.push_back((first + k) % n);
    return order == CollectiveOrder::kReverse ? Ranks(ranks.rbegin(), ranks.rend()) : ranks;
}

// Any bits, and where floats are interesting: near each other, zeros, subnormals, inf, NaN.
std::vector<uint8_t> Inputs(DataType type, uint64_t count, std::mt19937_64& random) {
    const uint32_t bytes = BitsOf(type) / 8;
    std::vector<uint8_t> out(count * bytes);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t bits = random();
        const uint64_t sign = bits & uint64_t{1} << (8 * bytes - 1);
        if (IsFloating(type) && i % 4 != 0) {
            const uint64_t one = type == DataType::kHalf ? 0x3C00 : type == DataType::kBfloat16 ? 0x3F80 : 0x3F800000;
            const uint64_t inf = type == DataType::kHalf ? 0x7C00 : type == DataType::kBfloat16 ? 0x7F80 : 0x7F800000;
            const uint64_t special[] = {0, 0, 1, bits & 255, inf - 1, inf, inf + 1, one};
            bits = i % 4 == 1 && i % 16 != 1 ? special[random() % 8] | sign : (one + bits % (one / 4)) | sign;
        }
        std::memcpy(&out[i * bytes], &bits, bytes);
    }
    return out;
}

uint64_t At(const std::vector<uint8_t>& bytes, DataType type, uint64_t i) {
    uint64_t bits = 0;
    std::memcpy(&bits, &bytes[i * BitsOf(type) / 8], BitsOf(type) / 8);
    return bits;
}

void Check(CollectiveOp op, DataType type, CollectiveOrder order, uint32_t n, uint64_t count) {
    std::mt19937_64 random(n * 1000 + static_cast<uint64_t>(type));
    std::vector<std::vector<uint8_t>> inputs;
    std::vector<const uint8_t*> of_ranks;
    for (uint32_t r = 0; r < n; ++r) inputs.push_back(Inputs(type, count, random));
    for (const auto& input : inputs) of_ranks.push_back(input.data());
    std::vector<uint8_t> out(inputs[0].size(), 0xEE);
    Collect(op, type, of_ranks, out.data(), count, order);
    for (uint64_t i = 0; i < count; ++i) {
        std::vector<uint64_t> x;
        for (const auto& input : inputs) x.push_back(At(input, type, i));
        const uint64_t expected =
            n == 1             ? x[0]
            : IsFloating(type) ? Floating(op, type, x, OrderOf(order, n, i, count), order == CollectiveOrder::kTree,
                                          order == CollectiveOrder::kWide && op <= CollectiveOp::kProd)
                               : Integer(op, type, x);
        ASSERT_EQ(At(out, type, i), expected) << CName(type) << " op " << static_cast<int>(op) << " order "
                                              << static_cast<int>(order) << " ranks " << n << " element " << i;
    }
}

TEST(CollectiveCheck, AllTypesOperationsAndOrders) {
    for (int t = 0; t < kDataTypeCount; ++t) {
        for (const auto op : {CollectiveOp::kSum, CollectiveOp::kProd, CollectiveOp::kMax, CollectiveOp::kMin}) {
            const auto type = static_cast<DataType>(t);
            if (!HasType(op, type)) continue;
            for (int order = 0; order < 5; ++order) {
                for (const uint32_t n : {1u, 2u, 3u, 5u, 8u, 64u})
                    Check(op, type, static_cast<CollectiveOrder>(order), n, n > 8 ? 130 : 700);
            }
        }
    }
}

TEST(CollectiveCheck, TypesAreThoseOfThePage) {
    EXPECT_TRUE(HasType(CollectiveOp::kMax, DataType::kInt64));
    EXPECT_FALSE(HasType(CollectiveOp::kProd, DataType::kInt16));
    EXPECT_FALSE(HasType(CollectiveOp::kProd, DataType::kBfloat16));
    EXPECT_TRUE(HasType(CollectiveOp::kSum, DataType::kBfloat16));
    EXPECT_FALSE(HasType(CollectiveOp::kSum, DataType::kUint8));
}

// Where orders differ they differ as they should: 2048 + 1 + 1 in half.
TEST(CollectiveCheck, OrdersShow) {
    const uint16_t x[3] = {0x6800, 0x3C00, 0x3C00};
    const uint8_t* of_ranks[3];
    for (int r = 0; r < 3; ++r) of_ranks[r] = reinterpret_cast<const uint8_t*>(&x[r]);
    const auto sum = [&](const char* order, std::optional<uint32_t> chunk = {}) {
        uint16_t out = 0;
        Collect(CollectiveOp::kSum, DataType::kHalf, of_ranks, reinterpret_cast<uint8_t*>(&out), 1,
                *CollectiveOrderNamed(order), chunk);
        return out;
    };
    EXPECT_EQ(sum("rank"), 0x6800);
    EXPECT_EQ(sum("reverse"), 0x6801);
    EXPECT_EQ(sum("tree"), 0x6800);
    EXPECT_EQ(sum("wide"), 0x6801);
    EXPECT_EQ(sum("ring", 0), 0x6801);  // (x1 + x2) + x0
    EXPECT_EQ(sum("ring", 2), 0x6800);
    EXPECT_FALSE(CollectiveOrderNamed("mesh"));
}

TEST(CollectiveCheck, InPlaceAndUnaligned) {
    std::vector<uint8_t> a(4001), b(4001);
    std::vector<float> x(1000), y(1000);
    for (size_t i = 0; i < 1000; ++i) x[i] = 0.1f * static_cast<float>(i), y[i] = 1.7f;
    std::memcpy(&a[1], x.data(), 4000);
    std::memcpy(&b[1], y.data(), 4000);
    const uint8_t* of_ranks[2] = {&a[1], &b[1]};
    Collect(CollectiveOp::kSum, DataType::kFloat, of_ranks, &b[1], 1000);
    for (size_t i = 0; i < 1000; ++i) y[i] = x[i] + y[i];
    EXPECT_EQ(std::memcmp(&b[1], y.data(), 4000), 0);
}

}  // namespace
}  // namespace sfumato::numeric
