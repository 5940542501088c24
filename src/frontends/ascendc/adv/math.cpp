// SPDX-License-Identifier: Apache-2.0
// Mathematical functions (adv.md 5): one instruction each.
#include "frontends/ascendc/adv/elementwise.h"

namespace sfumato::ascendc::adv::steps {

using enum isa::Opcode;

void Sin(Piece& p) { p.Function(vsin, p.dst, p.src0); }
void Cos(Piece& p) { p.Function(vcos, p.dst, p.src0); }
void Tan(Piece& p) { p.Function(vtan, p.dst, p.src0); }
void Asin(Piece& p) { p.Function(vasin, p.dst, p.src0); }
void Acos(Piece& p) { p.Function(vacos, p.dst, p.src0); }
void Atan(Piece& p) { p.Function(vatan, p.dst, p.src0); }
void Sinh(Piece& p) { p.Function(vsinh, p.dst, p.src0); }
void Cosh(Piece& p) { p.Function(vcosh, p.dst, p.src0); }
void Tanh(Piece& p) { p.Function(vtanh, p.dst, p.src0); }
void Asinh(Piece& p) { p.Function(vasinh, p.dst, p.src0); }
void Acosh(Piece& p) { p.Function(vacosh, p.dst, p.src0); }
void Atanh(Piece& p) { p.Function(vatanh, p.dst, p.src0); }
void Erf(Piece& p) { p.Function(verf, p.dst, p.src0); }
void Erfc(Piece& p) { p.Function(verfc, p.dst, p.src0); }
void Lgamma(Piece& p) { p.Function(vlgamma, p.dst, p.src0); }
void Digamma(Piece& p) { p.Function(vdigamma, p.dst, p.src0); }
void Log2(Piece& p) { p.Function(vlog2, p.dst, p.src0); }
void Log10(Piece& p) { p.Function(vlog10, p.dst, p.src0); }
void Log(Piece& p) { p.Ln(p.dst, p.src0); }

void SinCos(Piece& p) {
    p.Function(vsin, p.dst, p.src0);
    p.Function(vcos, p.src1, p.src0);
}

void Power(Piece& p) {
    if (p.sources == 2) return p.Function(vpower, p.dst, p.src0, p.src1);
    p.Function(p.scalar_first ? vspower : vpowers, p.dst, p.src0, p.scalar);
}
void Fmod(Piece& p) { p.Function(vfmod, p.dst, p.src0, p.src1); }
void Hypot(Piece& p) { p.Function(vhypot, p.dst, p.src0, p.src1); }

}  // namespace sfumato::ascendc::adv::steps
