// SPDX-License-Identifier: Apache-2.0
// Vector calls to records: operands, strides, mask and the registers they read.
#include <fmt/format.h>

#include <utility>

#include "frontends/ascendc/vector.h"

#include "frontends/ascendc/vector_record.h"
#include "isa/units.h"
#include "runtime/launch/launch_state.h"

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

}  // namespace

void RefuseType(const char* takes, DataType found, Where where) {
    const std::string_view words = takes;
    const std::string call(words.substr(0, words.find(':')));
    runtime::Core& core = ThisCore(call.c_str());
    Refuse(core, call.c_str(), where,
           {Rule::kTypeUnsupported, "", "the call does not take this element type", CName(found),
            std::string(words.substr(call.size() + 2)), "convert to a type it takes first"});
    core.stopping().Now();
}

bool SetOperand(runtime::Core& core, const char* call, const char* name, const VectorOperand& operand, Where where,
                isa::Operand* out) {
    if (!ToOperand(core, call, name, *operand.tensor, operand.type, where, out)) return false;
    out->block_stride = operand.block_stride;
    out->repeat_stride = operand.repeat_stride;
    return true;
}

namespace {

// A mode or a mask that another call left, where this one means something else (vector.md, Mask).
void TellMaskLeft(runtime::Core& core, const Record& r, const VectorCall& call, Severity severity, Where left,
                  std::string found, const char* hint) {
    Report report = ToReport({Rule::kMaskLeft, "mask", "what an earlier call left says how the mask is read",
                              std::move(found), "the mode and the mask that the call is written for", hint},
                             isa::CallName(r), call.where);
    report.severity = severity;
    report.index = core.next_index();
    report.related.push_back({left.file, left.line, "sets it"});
    core.findings().Add(std::move(report));
}

// More repeats than the count needs, or bits: written for normal mode.
void CheckCounter(runtime::Core& core, const VectorCall& call, const Record& r) {
    const bool bits = call.form == MaskForm::kBits;
    const uint64_t lanes = LanesPerRepeat(r);
    if (!bits && (call.mask[0] == 0 || call.repeat <= isa::CeilDiv(call.mask[0], lanes))) return;
    TellMaskLeft(core, r, call, Severity::kWarning, core.registers().counter_where,
                 bits ? "a mask of bits in counter mode: its low half is the number of elements"
                      : fmt::format("{} repeats in counter mode: the mask of {} is the number of elements in all",
                                    call.repeat, call.mask[0]),
                 "call SetMaskNorm() behind the last call that counts");
}

// What the call reads of what the kernel has not set, and what it sets.
void TellUnset(MaskForm form, runtime::Registers* regs) {
    const bool from_register = form == MaskForm::kRegister;
    if (form != MaskForm::kCount)
        regs->unset_reads = runtime::kMaskModeState | (from_register ? runtime::kMaskState : 0);
    if (form == MaskForm::kCount) regs->Set(runtime::kMaskModeState);
    if (!from_register) regs->Set(runtime::kMaskState);
}

}  // namespace

void SetMask(runtime::Core& core, const VectorCall& call, Record* r) {
    runtime::Registers& regs = core.registers();
    if (regs.unset != 0) [[unlikely]]
        TellUnset(call.form, &regs);
    // A mode that a kernel before has left was said then.
    const bool chosen = regs.counter_mode && regs.counter_where.line != 0;
    if (chosen && (call.form == MaskForm::kContinuous || call.form == MaskForm::kBits)) CheckCounter(core, call, *r);
    if (call.form == MaskForm::kRegister && !regs.counter_mode && regs.mask_counts)
        TellMaskLeft(core, *r, call, Severity::kNote, regs.mask_where,
                     fmt::format("{:#x}, set as a number of elements, is read as bits", regs.mask[0]),
                     "call ResetMask() behind SetMaskNorm(), or set the bits");
    if (call.form != MaskForm::kRegister)
        regs.mask_where = {}, regs.mask_counts = regs.counter_mode && call.form != MaskForm::kCount;
    const auto counter = [&] { return isa::Mask{MaskMode::kCounter, regs.mask[0], {}}; };
    switch (call.form) {
        case MaskForm::kCount:
            r->mask = {MaskMode::kCount, call.mask[0], {}};
            regs.mask = {~uint64_t{0}, ~uint64_t{0}};
            regs.counter_mode = false;
            return;
        case MaskForm::kContinuous:
            regs.mask = regs.counter_mode ? std::array<uint64_t, 2>{call.mask[0], 0} : FirstBits(call.mask[0]);
            r->mask = regs.counter_mode ? counter() : isa::Mask{MaskMode::kContinuous, call.mask[0], {}};
            return;
        case MaskForm::kBits:
            regs.mask = {call.mask[0], call.mask[1]};
            r->mask = regs.counter_mode ? counter() : isa::Mask{MaskMode::kBits, 0, regs.mask};
            return;
        case MaskForm::kRegister:
            core.Called("isSetMask = false", call.where);
            r->mask =
                regs.counter_mode ? counter() : isa::Mask{MaskMode::kBits, 0, LaneBits(regs.mask, LanesPerRepeat(*r))};
            return;
    }
}

namespace {

// What SetDeqScale left counts for conversions that take a scale (conversions.md).
bool TakesScale(const soc::Chip& chip, const Record& r) {
    if (!isa::Converts(Info(r.op).form)) return false;
    const soc::ConversionRow* row = chip.ConversionOf(r);
    return row && row->deq != soc::DeqKind::kNone;
}

// Builds everything but what one instruction adds; false when a finding refused the call.
bool Build(runtime::Core& core, Opcode op, const VectorCall& call, Record* r) {
    const auto& info = Info(op);
    r->Become(op);
    r->pipe = isa::Pipe::kV;
    r->where = call.where;
    r->repeat = call.repeat;
    r->immediate = call.scalar;
    r->rounding = call.rounding;
    r->control = core.registers().control;
    // Forms of their own add what they have beside dst and src.
    r->operand_count = r->If<isa::Elementwise>() ? Info(info.form).operands : 2;
    if (!SetOperand(core, info.ascendc, "dst", call.dst, call.where, &r->operand[0])) return false;
    if (r->operand_count > 1 &&
        !SetOperand(core, info.ascendc, r->operand_count > 2 ? "src0" : "src", call.src0, call.where, &r->operand[1]))
        return false;
    if (r->operand_count > 2 && !SetOperand(core, info.ascendc, "src1", call.src1, call.where, &r->operand[2]))
        return false;
    SetMask(core, call, r);
    if (r->control.deq != isa::DeqScale::kNone && !TakesScale(core.chip(), *r)) r->control.deq = isa::DeqScale::kNone;
    return true;
}

}  // namespace

bool BuildVector(runtime::Core& core, Opcode op, const VectorCall& call, Record* r) { return Build(core, op, call, r); }

namespace {

// The counter mode of Copy: its elements in each repeat, which may be more than 8 blocks (vector_instructions.md 4.5).
// A repeat of more is a record of its own, whose repeats follow each other as their blocks do.
void IssueEachRepeat(runtime::Core& core, Record record) {
    if (record.mask.count <= LanesPerRepeat(record)) {
        record.mask.mode = MaskMode::kContinuous;
        return core.Issue(record);
    }
    uint64_t steps[2] = {};
    for (size_t i = 0; i < 2; ++i) {
        steps[i] = uint64_t{record.operand[i].repeat_stride} * isa::kBlockBytes;
        record.operand[i].repeat_stride = record.operand[i].block_stride * isa::kBlocksPerRepeat;
    }
    for (uint32_t repeats = std::exchange(record.repeat, 1); repeats > 0; --repeats) {
        core.Issue(record);
        for (size_t i = 0; i < 2; ++i) record.operand[i].offset += steps[i];
    }
}

}  // namespace

void IssueVector(Opcode op, const VectorCall& call) {
    runtime::Core& core = ThisCore(Info(op).ascendc);
    Record record;
    if (!Build(core, op, call, &record)) return;
    const bool each_repeat = record.mask.mode == MaskMode::kCounter && Has(op, isa::kEachRepeat);
    each_repeat ? IssueEachRepeat(core, record) : core.Issue(record);
}

#define SFUMATO_ROW(form, Name, opcode) \
    void opcode(const VectorCall& call) { IssueVector(Opcode::opcode, call); }
#include "sfumato/ascendc/rows.inc"
#undef SFUMATO_ROW

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
            !Find(core, "CastDeq", call.where,
                  {Rule::kDeqscaleForm, "isVecDeq", "isVecDeq and the form of SetDeqScale disagree",
                   fmt::format("isVecDeq {} after SetDeqScale({})", call.vector_deq,
                               have_vector ? "tensor" : "scale, offset, signMode"),
                   "isVecDeq true with the tensor form, false with the scalar form", ""})) {
            return;
        }
    }
    core.Issue(record);
}

}  // namespace sfumato::ascendc
