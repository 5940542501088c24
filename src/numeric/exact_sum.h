// SPDX-License-Identifier: Apache-2.0
// A sum of products of floats that is rounded once. Plain integer arithmetic: the clear form, not the fast one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sfumato/rounding.h"

namespace sfumato::numeric {

// A fixed-point number wide enough for every product of two floats and 2^20 of them added: 2^-298 is the product of the
// smallest subnormals, 2^256 bounds that of the largest numbers.
class ExactSum {
public:
    void AddProduct(float a, float b) {
        const Exact x = UnpackFloat(kFloatFormat, std::bit_cast<uint32_t>(a));
        const Exact y = UnpackFloat(kFloatFormat, std::bit_cast<uint32_t>(b));
        const bool negative = x.negative != y.negative;
        if (x.kind != Kind::kFinite || y.kind != Kind::kFinite) {
            const bool is_nan = x.kind == Kind::kNan || y.kind == Kind::kNan || IsZero(x) || IsZero(y);
            nan_ |= is_nan;
            (negative ? minus_inf_ : plus_inf_) |= !is_nan;
            return;
        }
        Add(x.significand * y.significand, static_cast<size_t>(x.exponent + y.exponent - kUnit), negative);
    }

    // To nearest even. An exact zero is +0, NaN is 0x7FC00000.
    float Round() const {
        if (nan_ || (plus_inf_ && minus_inf_)) return Pack({0, 0, false, Kind::kNan});
        if (plus_inf_ || minus_inf_) return Pack({0, 0, minus_inf_, Kind::kInf});
        const bool negative = words_[kWords - 1] >> 63;
        std::array<uint64_t, kWords> magnitude = words_;
        if (negative) Negate(magnitude);
        size_t top = kWords;
        while (top > 0 && magnitude[top - 1] == 0) --top;
        if (top == 0) return 0.0f;
        // The leading 64 bits; what lies below them only breaks ties, so that one bit stands for it.
        const int shift = std::countl_zero(magnitude[--top]);
        uint64_t significand = magnitude[top] << shift;
        uint64_t rest = 0;
        if (top > 0) {
            if (shift > 0) significand |= magnitude[top - 1] >> (64 - shift);
            rest = magnitude[top - 1] << shift;
            for (size_t i = 0; i + 1 < top; ++i) rest |= magnitude[i];
        }
        return Pack({significand | (rest != 0 ? 1 : 0), static_cast<int>(64 * top) - shift + kUnit, negative});
    }

private:
    static constexpr size_t kWords = 9;
    static constexpr int kUnit = -298;

    static bool IsZero(const Exact& v) { return v.kind == Kind::kFinite && v.significand == 0; }
    static float Pack(const Exact& v) {
        return std::bit_cast<float>(static_cast<uint32_t>(PackFloat(kFloatFormat, v, Rounding::kRint)));
    }

    static void Negate(std::array<uint64_t, kWords>& words) {
        bool carry = true;
        for (uint64_t& word : words) {
            word = ~word + (carry ? 1 : 0);
            carry = carry && word == 0;
        }
    }

    void Add(uint64_t significand, size_t shift, bool negative) {
        std::array<uint64_t, kWords> term{};
        const size_t at = shift / 64;
        term[at] = significand << shift % 64;
        if (shift % 64 != 0 && at + 1 < kWords) term[at + 1] = significand >> (64 - shift % 64);
        if (negative) Negate(term);
        uint64_t carry = 0;
        for (size_t i = at; i < kWords; ++i) {
            const uint64_t sum = words_[i] + term[i];
            const uint64_t with_carry = sum + carry;
            carry = (sum < term[i] ? 1 : 0) | (with_carry < sum ? 1 : 0);
            words_[i] = with_carry;
        }
    }

    std::array<uint64_t, kWords> words_{};  // two's complement, in units of 2^kUnit
    bool nan_ = false, plus_inf_ = false, minus_inf_ = false;
};

}  // namespace sfumato::numeric
