// SPDX-License-Identifier: Apache-2.0
// Calls of mathematics made of basic instructions (adv.md 5). Half data come widened.
#include "frontends/ascendc/adv/elementwise.h"

namespace sfumato::ascendc::adv::steps {

void Floor(Piece& p) { p.Round(p.dst, p.src0, Rounding::kFloor); }
void Ceil(Piece& p) { p.Round(p.dst, p.src0, Rounding::kCeil); }
void Trunc(Piece& p) { p.Round(p.dst, p.src0, Rounding::kTrunc); }
void Round(Piece& p) { p.Round(p.dst, p.src0, Rounding::kRint); }

void Frac(Piece& p) {
    p.Round(p.tmp[0], p.src0, Rounding::kTrunc);
    p.Sub(p.dst, p.src0, p.tmp[0]);
}

// The sum of the integers on both sides of the number cut to [-1, 1], cut again: casts make 0 of NaN and of -0.
void Sign(Piece& p) {
    const Vec above = As(p.dst, DataType::kInt32), below = As(p.tmp[1], DataType::kInt32);
    p.Mins(p.tmp[0], p.src0, 1);
    p.Maxs(p.tmp[0], p.tmp[0], -1);
    p.Cast(above, p.tmp[0], Rounding::kCeil);
    p.Cast(below, p.tmp[0], Rounding::kFloor);
    p.Add(below, above, below);
    p.Mins(below, below, 1);
    p.Maxs(below, below, -1);
    p.Cast(p.dst, below, Rounding::kRint);
}

// (a or b) and not (a and b).
void Xor(Piece& p) {
    p.And(p.dst, p.src0, p.src1);
    p.Not(p.dst, p.dst);
    p.Or(p.tmp[0], p.src0, p.src1);
    p.And(p.dst, p.dst, p.tmp[0]);
}

void ClampMax(Piece& p) { p.Mins(p.dst, p.src0, p.scalar); }
void ClampMin(Piece& p) { p.Maxs(p.dst, p.src0, p.scalar); }

// e^floor(x) times the first terms of the series of e^(x - floor(x)): term i is term i - 1 times the fraction times
// 1/i.
void Exp(Piece& p) {
    const auto level = static_cast<int>(p.scalar);
    if (level == 0) return p.Exp(p.dst, p.src0);
    const Vec &fraction = p.tmp[0], &term = p.tmp[1], &sum = p.tmp[2];
    p.Round(p.dst, p.src0, Rounding::kFloor);
    p.Sub(fraction, p.src0, p.dst);
    p.Duplicate(term, 1);
    p.Duplicate(sum, 1);
    for (int i = 1; i <= level; ++i) {
        p.Mul(term, term, fraction);
        p.Muls(term, term, 1.0 / i);
        p.Add(sum, sum, term);
    }
    p.Exp(p.dst, p.dst);
    p.Mul(p.dst, p.dst, sum);
}

}  // namespace sfumato::ascendc::adv::steps
