// SPDX-License-Identifier: Apache-2.0
// The ways to add, each by its definition (docs/last-bits.md).
#include "exec/cube/accumulate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "exec/cube/matmul.h"
#include "numeric/exact_sum.h"

namespace sfumato::exec {
namespace {

using Kind = isa::Accumulation::Kind;
using numeric::Exact;

size_t GroupOf(const isa::Accumulation& way, size_t k0) {
    if (way.kind == Kind::kK0Block) return k0;
    return way.group != 0 ? way.group : 1;
}

Exact Unpack(float v) { return numeric::UnpackFloat(numeric::kFloatFormat, std::bit_cast<uint32_t>(v)); }

int TopOf(const Exact& v) { return numeric::BitWidth(v.significand) + v.exponent; }

numeric::ExactSum SumOf(size_t count, const float* a, const float* b, size_t b_step) {
    numeric::ExactSum sum;
    for (size_t i = 0; i < count; ++i) sum.AddProduct(a[i], b[i * b_step]);
    return sum;
}

}  // namespace

SlowSum::SlowSum(const isa::Accumulation& way, size_t k0, bool saturate)
    : way_(way), group_(GroupOf(way, k0)), saturate_(saturate) {}

float SlowSum::Add(size_t count, const float* a, const float* b, size_t b_step, float c) {
    for (size_t first = 0; first < count; first += group_) {
        c = OfGroup(std::min(group_, count - first), a + first, b + first * b_step, b_step, c);
    }
    return c;
}

float SlowSum::Limited(float x) {
    if (!saturate_ || std::isfinite(x)) return x;
    saturated_ = true;
    return Saturated(x);
}

float SlowSum::OfGroup(size_t count, const float* a, const float* b, size_t b_step, float c) {
    switch (way_.kind) {
        case Kind::kSequential:
        case Kind::kSequentialRounded: return Limited(c + Limited(a[0] * b[0]));
        case Kind::kTree: return Limited(Tree(count, a, b, b_step) + c);
        case Kind::kAligned: return Limited(Aligned(count, a, b, b_step, c));
        case Kind::kSequentialFused:
        case Kind::kExactWithC: {
            numeric::ExactSum sum = SumOf(count, a, b, b_step);
            sum.AddProduct(c, 1.0f);
            return Limited(sum.Round() + 0.0f);  // an integer 0 has no sign
        }
        case Kind::kK0Block:
        case Kind::kExactThenC: break;
    }
    return Limited(c + Limited(SumOf(count, a, b, b_step).Round()));
}

float SlowSum::Tree(size_t count, const float* a, const float* b, size_t b_step) {
    std::array<float, isa::kMostGroup> level;
    for (size_t i = 0; i < count; ++i) level[i] = Limited(a[i] * b[i * b_step]);
    for (; count > 1; count = (count + 1) / 2) {
        for (size_t i = 0; i + 1 < count; i += 2) level[i / 2] = Limited(level[i] + level[i + 1]);
        if (count % 2 != 0) level[count / 2] = level[count - 1];
    }
    return level[0];
}

float SlowSum::Aligned(size_t count, const float* a, const float* b, size_t b_step, float c) const {
    std::array<Exact, isa::kMostGroup + 1> terms;
    // Doubles hold what is not finite; no product of floats overflows there.
    double special = c;
    for (size_t i = 0; i < count; ++i) {
        const float x = a[i], y = b[i * b_step];
        special += double{x} * double{y};
        const Exact p = Unpack(x), q = Unpack(y);
        terms[i] = {p.significand * q.significand, p.exponent + q.exponent, p.negative != q.negative};
    }
    if (!std::isfinite(special)) return static_cast<float>(special);
    terms[count] = Unpack(c);
    int top = INT32_MIN;
    for (size_t i = 0; i <= count; ++i) {
        if (terms[i].significand != 0) top = std::max(top, TopOf(terms[i]));
    }
    if (top == INT32_MIN) return 0;
    const int unit = top - way_.width;
    int64_t sum = 0;
    for (size_t i = 0; i <= count; ++i) {
        const auto cut = static_cast<int64_t>(numeric::RoundToUnit(terms[i], unit, Rounding::kTrunc));
        sum += terms[i].negative ? -cut : cut;
    }
    const Exact total{static_cast<uint64_t>(std::llabs(sum)), unit, sum < 0};
    constexpr int kTopOfFloat = 128;
    if (sum != 0 && TopOf(total) > kTopOfFloat) return sum < 0 ? -HUGE_VALF : HUGE_VALF;  // not the largest float
    const Rounding rounding = way_.nearest ? Rounding::kRint : Rounding::kTrunc;
    return std::bit_cast<float>(static_cast<uint32_t>(numeric::PackFloat(numeric::kFloatFormat, total, rounding))) +
           0.0f;
}

}  // namespace sfumato::exec
