// SPDX-License-Identifier: Apache-2.0
// Vector calls to records: operands, strides, mask and the registers they read.
#include <fmt/format.h>

#include "frontends/ascendc/vector.h"
#include "runtime/launch_state.h"

namespace sfumato::ascendc {
namespace {

using isa::MaskMode;
using isa::Opcode;
using isa::Record;

// The bits the mask register keeps for elements of this record; a wider type has fewer lanes and ignores the rest.
std::array<uint64_t, 2> LaneBits(const std::array<uint64_t, 2>& bits, uint32_t lanes) {
    if (lanes >= 128) return bits;
    return {lanes >= 64 ? bits[0] : bits[0] & ((uint64_t{1} << lanes) - 1), 0};
}

std::array<uint64_t, 2> FirstBits(uint64_t n) {
    const auto word = [](uint64_t k) { return k >= 64 ? ~uint64_t{0} : (uint64_t{1} << k) - 1; };
    return {word(n), n > 64 ? word(n - 64) : 0};
}

}  // namespace

bool SetOperand(runtime::Core& core, const char* call, const char* name, const VectorOperand& operand, Where where,
                isa::Operand* out) {
    if (!ToOperand(core, call, name, *operand.tensor, operand.type, where, out)) return false;
    out->block_stride = operand.block_stride;
    out->repeat_stride = operand.repeat_stride;
    return true;
}

bool SetMask(runtime::Core& core, const VectorCall& call, Record* r) {
    runtime::Registers& regs = core.registers();
    switch (call.form) {
        case MaskForm::kCount:
            r->mask = {MaskMode::kCount, call.mask[0], {}};
            regs.mask_bits = {~uint64_t{0}, ~uint64_t{0}};
            regs.counter_mode = false;
            return true;
        case MaskForm::kContinuous:
            if (regs.counter_mode) {
                r->mask = {MaskMode::kCounter, call.mask[0], {}};
                regs.mask_count = call.mask[0];
            } else {
                r->mask = {MaskMode::kContinuous, call.mask[0], {}};
                regs.mask_bits = FirstBits(call.mask[0]);
            }
            return true;
        case MaskForm::kBits:
            if (regs.counter_mode) {
                r->mask = {MaskMode::kCounter, call.mask[0], {}};
                regs.mask_count = call.mask[0];
            } else {
                r->mask = {MaskMode::kBits, 0, {call.mask[0], call.mask[1]}};
                regs.mask_bits = {call.mask[0], call.mask[1]};
            }
            return true;
        case MaskForm::kRegister:
            if (call.mask[0] != AscendC::MASK_PLACEHOLDER &&
                !Find(core,
                      {.rule = "mask-placeholder",
                       .instruction = Info(r->op).ascendc,
                       .operand = "mask",
                       .message = "isSetMask is false but a mask is passed",
                       .found = fmt::format("mask {}", call.mask[0]),
                       .legal = "MASK_PLACEHOLDER: the mask is what SetVectorMask or the last masked call left",
                       .hint = "pass MASK_PLACEHOLDER, or leave isSetMask true"},
                      call.where)) {
                return false;
            }
            if (regs.counter_mode) {
                r->mask = {MaskMode::kCounter, regs.mask_count, {}};
            } else {
                r->mask = {MaskMode::kBits, 0, LaneBits(regs.mask_bits, LanesPerRepeat(*r))};
            }
            return true;
    }
    return true;
}

namespace {

// Builds everything but what one instruction adds; false when a finding refused the call.
bool Build(runtime::Core& core, Opcode op, const VectorCall& call, Record* r) {
    const auto& info = Info(op);
    r->op = op;
    r->pipe = isa::Pipe::kV;
    r->where = call.where;
    r->repeat = call.repeat;
    r->immediate = call.scalar;
    r->rounding = call.rounding;
    r->control = core.registers().control;
    r->operand_count = info.form == isa::Form::kBinary ? 3 : info.form == isa::Form::kFill ? 1 : 2;
    if (!SetOperand(core, info.ascendc, "dst", call.dst, call.where, &r->operand[0])) return false;
    if (r->operand_count > 1 &&
        !SetOperand(core, info.ascendc, r->operand_count > 2 ? "src0" : "src", call.src0, call.where, &r->operand[1]))
        return false;
    if (r->operand_count > 2 && !SetOperand(core, info.ascendc, "src1", call.src1, call.where, &r->operand[2]))
        return false;
    return SetMask(core, call, r);
}

}  // namespace

bool BuildVector(runtime::Core& core, Opcode op, const VectorCall& call, Record* r) { return Build(core, op, call, r); }

namespace {

void Issue(Opcode op, const VectorCall& call) {
    runtime::Core& core = ThisCore(Info(op).ascendc);
    Record record;
    if (Build(core, op, call, &record)) core.Issue(record);
}

}  // namespace

void vadd(const VectorCall& call) { Issue(Opcode::vadd, call); }
void vsub(const VectorCall& call) { Issue(Opcode::vsub, call); }
void vmul(const VectorCall& call) { Issue(Opcode::vmul, call); }
void vmax(const VectorCall& call) { Issue(Opcode::vmax, call); }
void vmin(const VectorCall& call) { Issue(Opcode::vmin, call); }
void vadds(const VectorCall& call) { Issue(Opcode::vadds, call); }
void vmuls(const VectorCall& call) { Issue(Opcode::vmuls, call); }
void vmaxs(const VectorCall& call) { Issue(Opcode::vmaxs, call); }
void vmins(const VectorCall& call) { Issue(Opcode::vmins, call); }
void vabs(const VectorCall& call) { Issue(Opcode::vabs, call); }
void vexp(const VectorCall& call) { Issue(Opcode::vexp, call); }
void vln(const VectorCall& call) { Issue(Opcode::vln, call); }
void vrec(const VectorCall& call) { Issue(Opcode::vrec, call); }
void vsqrt(const VectorCall& call) { Issue(Opcode::vsqrt, call); }
void vrsqrt(const VectorCall& call) { Issue(Opcode::vrsqrt, call); }
void vrelu(const VectorCall& call) { Issue(Opcode::vrelu, call); }
void vlrelu(const VectorCall& call) { Issue(Opcode::vlrelu, call); }
void vnot(const VectorCall& call) { Issue(Opcode::vnot, call); }
void vand(const VectorCall& call) { Issue(Opcode::vand, call); }
void vor(const VectorCall& call) { Issue(Opcode::vor, call); }
void vshl(const VectorCall& call) { Issue(Opcode::vshl, call); }
void vshr(const VectorCall& call) { Issue(Opcode::vshr, call); }
void vdiv(const VectorCall& call) { Issue(Opcode::vdiv, call); }
void vaxpy(const VectorCall& call) { Issue(Opcode::vaxpy, call); }
void vmla(const VectorCall& call) { Issue(Opcode::vmla, call); }
void vmadd(const VectorCall& call) { Issue(Opcode::vmadd, call); }
void vmaddrelu(const VectorCall& call) { Issue(Opcode::vmaddrelu, call); }
void vaddrelu(const VectorCall& call) { Issue(Opcode::vaddrelu, call); }
void vsubrelu(const VectorCall& call) { Issue(Opcode::vsubrelu, call); }
void vector_dup(const VectorCall& call) { Issue(Opcode::vector_dup, call); }
void vci(const VectorCall& call) { Issue(Opcode::vci, call); }

void vconv(const VectorCall& call) {
    runtime::Core& core = ThisCore("Cast");
    Record record;
    if (!Build(core, Opcode::vconv, call, &record)) return;
    // On Ascend910 the page defines CAST_ROUND as directed away from zero (conversions.md, "Round modes").
    if (call.rounding == Rounding::kRound && core.chip().directed_cast_round &&
        !core.launch().options.cast_round_ties) {
        record.rounding = Rounding::kAway;
    }
    core.Issue(record);
}

void vconv_deq(const VectorCall& call) {
    runtime::Core& core = ThisCore("CastDeq");
    Record record;
    if (!Build(core, Opcode::vconv_deq, call, &record)) return;
    if (BitsOf(call.dst.type) == 8) {
        record.half_block = call.half_block ? isa::HalfBlock::kLow : isa::HalfBlock::kHigh;
        const bool have_vector = record.control.deq == isa::DeqScale::kVector;
        const bool set = have_vector || record.control.deq == isa::DeqScale::kWord;
        if (set && have_vector != call.vector_deq &&
            !Find(core,
                  {.rule = "deqscale-form",
                   .instruction = "CastDeq",
                   .operand = "isVecDeq",
                   .message = "isVecDeq and the form of SetDeqScale disagree",
                   .found = fmt::format("isVecDeq {} after SetDeqScale({})", call.vector_deq,
                                        have_vector ? "tensor" : "scale, offset, signMode"),
                   .legal = "isVecDeq true with the tensor form, false with the scalar form"},
                  call.where)) {
            return;
        }
    }
    core.Issue(record);
}

}  // namespace sfumato::ascendc
