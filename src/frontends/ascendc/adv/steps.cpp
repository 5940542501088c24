// SPDX-License-Identifier: Apache-2.0
#include "frontends/ascendc/adv/steps.h"

#include <algorithm>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/vector.h"

namespace sfumato::ascendc::adv {

VectorOperand OperandOf(const Vec& vec) { return {&vec.view, 1, vec.type}; }

Vec As(const Vec& whole, DataType type) {
    Vec vec = whole;
    vec.type = type;
    vec.view.size = static_cast<uint32_t>(BytesOf(whole.type, whole.size()) * 8 / BitsOf(type));
    return vec;
}

uint64_t Element(DataType type, double value) {
    if (!IsFloating(type))
        return static_cast<uint64_t>(static_cast<int64_t>(value)) & ((uint64_t{1} << BitsOf(type)) - 1);
    return type == DataType::kHalf ? half(static_cast<float>(value)).bits() : ToBits(static_cast<float>(value));
}

Space::Space(const Caller& at) : at_(at.tmp.view) {
    if (!at.tmp.given)
        at_ = Framework::Of(at.core).Rest(AscendC::TPosition::VECCALC, DataType::kUint8, nullptr, at.where);
    if (at.tmp.given && !at_.address) {
        Unallocated(at.core, at.name, "sharedTmpBuffer", at.where);
        return;
    }
    left_ = std::min(at_.size, at_.room);
}

Vec Space::Take(DataType type, uint64_t count) {
    Vec vec{at_, type};
    vec.view.size = static_cast<uint32_t>(count);
    const uint64_t bytes = std::min<uint64_t>((BytesOf(type, count) + 31) / 32 * 32, left_);
    at_.address += bytes;
    at_.room -= static_cast<uint32_t>(bytes);
    left_ -= bytes;
    return vec;
}

VectorCall Steps::Begin(const Vec& dst) {
    Barrier();
    VectorCall call;
    call.dst = OperandOf(dst);
    call.where = where_;
    call.mask[0] = dst.size();
    return call;
}

void Steps::Barrier() {
    if (begun_) pipe_barrier(PIPE_V, where_);
    begun_ = true;
}

void Steps::Unary(Issue issue, const Vec& dst, const Vec& a) {
    VectorCall call = Begin(dst);
    call.src0 = OperandOf(a);
    issue(call);
}

void Steps::Binary(Issue issue, const Vec& dst, const Vec& a, const Vec& b) {
    VectorCall call = Begin(dst);
    call.src0 = OperandOf(a);
    call.src1 = OperandOf(b);
    issue(call);
}

void Steps::Scalar(Issue issue, const Vec& dst, const Vec& a, double b) {
    VectorCall call = Begin(dst);
    call.src0 = OperandOf(a);
    call.scalar = Element(a.type, b);
    issue(call);
}

void Steps::Function(isa::Opcode op, const Vec& dst, const Vec& a) {
    VectorCall call = Begin(dst);
    call.src0 = OperandOf(a);
    IssueVector(op, call);
}

void Steps::Function(isa::Opcode op, const Vec& dst, const Vec& a, const Vec& b) {
    VectorCall call = Begin(dst);
    call.src0 = OperandOf(a);
    call.src1 = OperandOf(b);
    IssueVector(op, call);
}

void Steps::Function(isa::Opcode op, const Vec& dst, const Vec& a, double b) {
    VectorCall call = Begin(dst);
    call.src0 = OperandOf(a);
    call.scalar = Element(a.type, b);
    IssueVector(op, call);
}

void Steps::Fill(const Vec& dst, uint64_t bits) {
    VectorCall call = Begin(dst);
    call.scalar = bits;
    vector_dup(call);
}

void Steps::Copy(const Vec& dst, const Vec& a) {
    const Vec from = As(a, DataType::kUint16);
    Or(As(dst, DataType::kUint16), from, from);
}

void Steps::Round(const Vec& dst, const Vec& a, Rounding rounding) {
    const soc::ConversionRow* row = ThisCore("Cast").chip().Conversion(isa::Api::kAscendC, a.type, dst.type);
    if (row && (row->modes >> static_cast<int>(rounding) & 1)) return Convert(dst, a, rounding);
    const Vec integers = As(dst, DataType::kInt32);  // Ascend310P
    Convert(integers, a, rounding);
    Convert(dst, integers, Rounding::kNone);
}

void Steps::Convert(const Vec& dst, const Vec& a, Rounding rounding) {
    // To nearest even is CAST_NONE where the chip has no other.
    const soc::ConversionRow* row = ThisCore("Cast").chip().Conversion(isa::Api::kAscendC, a.type, dst.type);
    if (rounding == Rounding::kRint && row && !(row->modes >> static_cast<int>(rounding) & 1))
        rounding = Rounding::kNone;
    VectorCall call = Begin(dst);
    call.src0 = OperandOf(a);
    call.rounding = rounding;
    vconv(call);
}

void Steps::Cast(const Vec& dst, const Vec& a, Rounding rounding) {
    if (dst.type != a.type) Convert(dst, a, rounding);
}

}  // namespace sfumato::ascendc::adv
