// SPDX-License-Identifier: Apache-2.0
// Numbers whose every operation rounds to a type: what the steps of a high-level call compute (adv.md 1.1).
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "frontends/adv/in_ub.h"

namespace sfumato::adv_test {

// Sums and products of T are exact in double, quotients and exponentials far more exact than T.
template <class T>
struct In {
    // Halves of the chip end at 65504, and none is NaN (vector_instructions.md 1).
    static inline bool saturates = false;
    double value;
    In(double v) : value(static_cast<float>(T(static_cast<float>(v)))) {}
    // Of an instruction.
    static In Result(double v) {
        In result(v);
        if (!saturates || sizeof(T) != 2) return result;
        return std::isnan(result.value) ? In(0) : In(std::clamp(result.value, -65504.0, 65504.0));
    }
    friend In operator+(In a, In b) { return Result(a.value + b.value); }
    friend In operator*(In a, In b) { return Result(a.value * b.value); }
    friend In operator/(In a, In b) { return Result(a.value / b.value); }
    friend In exp(In a) { return Result(std::exp(a.value)); }
};

// f(chip) on each, with the numbers of the chip.
template <class F>
void OnEachChip(const F& f) {
    for (const char* chip : kChips) {
        In<half>::saturates = std::string_view(chip) == kChips[1];
        f(chip);
    }
    In<half>::saturates = false;
}

}  // namespace sfumato::adv_test
