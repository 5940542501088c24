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

}  // namespace sfumato::ascendc::adv::steps
