// SPDX-License-Identifier: Apache-2.0
// Activations, step by step (adv.md 4.3).
#include "frontends/ascendc/adv/elementwise.h"

namespace sfumato::ascendc::adv::steps {

// 1 / (1 + e^-x).
void Sigmoid(Piece& p) {
    p.Muls(p.dst, p.src0, -1);
    p.Exp(p.dst, p.dst);
    p.Adds(p.dst, p.dst, 1);
    p.Duplicate(p.tmp[0], 1);
    p.Div(p.dst, p.tmp[0], p.dst);
}

// x / (1 + e^(-1.5957691 (x + 0.044715 x^3))).
void Gelu(Piece& p) {
    const Vec& t = p.tmp[0];
    p.Mul(t, p.src0, p.src0);
    p.Mul(t, t, p.src0);
    p.Muls(t, t, 0.044715);
    p.Add(t, t, p.src0);
    p.Muls(t, t, -1.5957691);
    p.Exp(t, t);
    p.Adds(t, t, 1);
    p.Div(p.dst, p.src0, t);
}

// x / (1 + e^(-1.702 x)).
void FasterGelu(Piece& p) {
    const Vec& t = p.tmp[0];
    p.Muls(t, p.src0, -1.702);
    p.Exp(t, t);
    p.Adds(t, t, 1);
    p.Div(p.dst, p.src0, t);
}

// x (0.5 + sgn(x) (0.5 - 0.1444 (min(0.70710678 |x|, 1.769) - 1.769)^2)). The factor of sgn is positive: it gets the
// sign bit of x, which tells +0 from -0 only where the product with x is 0 anyway.
void FasterGeluV2(Piece& p) {
    const Vec &a = p.tmp[0], &sign = p.tmp[1];
    const auto bits = [](const Vec& v) { return As(v, DataType::kUint16); };
    p.Abs(a, p.src0);
    p.Muls(a, a, 0.70710678);
    p.Mins(a, a, 1.769);
    p.Adds(a, a, -1.769);
    p.Mul(a, a, a);
    p.Muls(a, a, -0.1444);
    p.Adds(a, a, 0.5);
    p.Duplicate(sign, -0.0);
    p.And(bits(sign), bits(sign), bits(p.src0));
    p.Or(bits(a), bits(a), bits(sign));
    p.Adds(a, a, 0.5);
    p.Mul(p.dst, a, p.src0);
}

namespace {

// x / (1 + e^(-beta x)), in dst alone.
void SwishOf(Piece& p, const Vec& x, double beta) {
    p.Muls(p.dst, x, -beta);
    p.Exp(p.dst, p.dst);
    p.Adds(p.dst, p.dst, 1);
    p.Div(p.dst, x, p.dst);
}

}  // namespace

void Silu(Piece& p) { SwishOf(p, p.src0, 1); }
void Swish(Piece& p) { SwishOf(p, p.src0, p.scalar); }

void SwiGLU(Piece& p) {
    SwishOf(p, p.src1, p.scalar);
    p.Mul(p.dst, p.src0, p.dst);
}

// src0 y / (1 + e^(-0.0713548162726 y (y^2 + 22.363860002236))) of y = src1.
void GeGLU(Piece& p) {
    p.Mul(p.dst, p.src1, p.src1);
    p.Adds(p.dst, p.dst, 22.363860002236);
    p.Mul(p.dst, p.dst, p.src1);
    p.Muls(p.dst, p.dst, -0.0713548162726);
    p.Exp(p.dst, p.dst);
    p.Adds(p.dst, p.dst, 1);
    p.Div(p.dst, p.src1, p.dst);
    p.Mul(p.dst, p.src0, p.dst);
}

void ReGlu(Piece& p) {
    p.Relu(p.dst, p.src1);
    p.Mul(p.dst, p.src0, p.dst);
}

}  // namespace sfumato::ascendc::adv::steps
