// SPDX-License-Identifier: Apache-2.0
// What high-level calls are written in: basic instructions on tensors in UB, one after another on the vector pipe.
#pragma once

#include <cstdint>

#include "frontends/ascendc/adv/operands.h"
#include "isa/units.h"
#include "sfumato/round_up.h"
#include "sfumato/tiling/row_need.h"

namespace sfumato::ascendc::adv {

using isa::BlockElements, isa::CeilDiv;

// A tensor in UB, or a part of one: view.size elements of `type`.
struct Vec {
    LocalView view;
    DataType type = DataType::kFloat;
    uint64_t size() const { return view.size; }
};
// `count` elements from element `first` on; they are there.
inline Vec Part(const Vec& whole, uint64_t first, uint64_t count) {
    Vec part = whole;
    const uint64_t bytes = BytesOf(whole.type, first);
    part.view.address += bytes;
    part.view.room -= static_cast<uint32_t>(bytes);
    part.view.size = static_cast<uint32_t>(count);
    return part;
}
// All elements from element `first` on.
inline Vec From(const Vec& whole, uint64_t first) { return Part(whole, first, whole.size() - first); }
// The same bytes as elements of another type.
Vec As(const Vec& whole, DataType type);
VectorOperand OperandOf(const Vec& vec);

inline Vec VecOf(const VectorOperand& operand) { return {*operand.tensor, operand.type}; }

// The bits of a number as an element of `type`: half and float, to nearest even, and integers.
uint64_t Element(DataType type, double value);

// UB that a call may use: what the caller lent, or what InitBuffer left.
class Space {
public:
    explicit Space(const Caller& at);
    uint64_t bytes() const { return left_; }
    // The next `count` elements, from a multiple of 32 bytes; they are there.
    Vec Take(DataType type, uint64_t count);

private:
    LocalView at_;
    uint64_t left_ = 0;
};

// Every step works on all elements of dst, and begins when the one before has ended.
class Steps {
public:
    explicit Steps(Where where) : where_(where) {}

    void Add(const Vec& dst, const Vec& a, const Vec& b) { Binary(vadd, dst, a, b); }
    void Sub(const Vec& dst, const Vec& a, const Vec& b) { Binary(vsub, dst, a, b); }
    void Mul(const Vec& dst, const Vec& a, const Vec& b) { Binary(vmul, dst, a, b); }
    void Div(const Vec& dst, const Vec& a, const Vec& b) { Binary(vdiv, dst, a, b); }
    void Max(const Vec& dst, const Vec& a, const Vec& b) { Binary(vmax, dst, a, b); }
    void Min(const Vec& dst, const Vec& a, const Vec& b) { Binary(vmin, dst, a, b); }
    void Adds(const Vec& dst, const Vec& a, double b) { Scalar(vadds, dst, a, b); }
    void Muls(const Vec& dst, const Vec& a, double b) { Scalar(vmuls, dst, a, b); }
    void Maxs(const Vec& dst, const Vec& a, double b) { Scalar(vmaxs, dst, a, b); }
    void Mins(const Vec& dst, const Vec& a, double b) { Scalar(vmins, dst, a, b); }
    void Exp(const Vec& dst, const Vec& a) { Unary(vexp, dst, a); }
    void Ln(const Vec& dst, const Vec& a) { Unary(vln, dst, a); }
    void Abs(const Vec& dst, const Vec& a) { Unary(vabs, dst, a); }
    void Sqrt(const Vec& dst, const Vec& a) { Unary(vsqrt, dst, a); }
    void Relu(const Vec& dst, const Vec& a) { Unary(vrelu, dst, a); }
    // An instruction of the high-level calls alone (isa::kHighLevel).
    void Function(isa::Opcode op, const Vec& dst, const Vec& a);
    void Function(isa::Opcode op, const Vec& dst, const Vec& a, const Vec& b);
    void Function(isa::Opcode op, const Vec& dst, const Vec& a, double b);
    void Or(const Vec& dst, const Vec& a, const Vec& b) { Binary(vor, dst, a, b); }
    void And(const Vec& dst, const Vec& a, const Vec& b) { Binary(vand, dst, a, b); }
    void Not(const Vec& dst, const Vec& a) { Unary(vnot, dst, a); }
    void Axpy(const Vec& dst, const Vec& a, double b) { Scalar(vaxpy, dst, a, b); }
    void Duplicate(const Vec& dst, double value) { Fill(dst, Element(dst.type, value)); }
    void Fill(const Vec& dst, uint64_t bits);
    // The bytes of `a`, whatever they are. Whole blocks are 16-bit elements.
    void Copy(const Vec& dst, const Vec& a);
    // To an integer, as a number of the same type; where the chip has no such cast, by way of int32.
    void Round(const Vec& dst, const Vec& a, Rounding rounding);
    // To the type of dst; nothing for the same type.
    void Cast(const Vec& dst, const Vec& a, Rounding rounding);
    void Barrier();

protected:
    using Issue = void (*)(const VectorCall&);
    Where where() const { return where_; }
    // A call on dst, behind the step before.
    VectorCall Begin(const Vec& dst);
    Where where_;

private:
    void Unary(Issue issue, const Vec& dst, const Vec& a);
    void Binary(Issue issue, const Vec& dst, const Vec& a, const Vec& b);
    void Scalar(Issue issue, const Vec& dst, const Vec& a, double b);
    void Convert(const Vec& dst, const Vec& a, Rounding rounding);

    bool begun_ = false;
};

}  // namespace sfumato::ascendc::adv
