// SPDX-License-Identifier: Apache-2.0
// Compares, selects and moves of CMPMASK (vector_instructions.md 2, 3).
#include "isa/parts.h"
#include "isa/vector_registers.h"

namespace sfumato::isa {

uint64_t CompareRepeats(const Record& r) {
    const bool total = r.mask.mode == MaskMode::kCount || r.mask.mode == MaskMode::kCounter;
    return total ? r.mask.count >> LanesShift(r) : r.repeat;
}

Span SpanIn(const Record& r, const Compare&, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (o.memory == Memory::kRegister) return kCmpMask.span();
    const uint64_t repeats = r.op == Opcode::vcmp ? 1 : CompareRepeats(r);
    return operand == 0 ? At(o, 0, (repeats << LanesShift(r)) / 8) : WholeRepeats(r, operand, repeats);
}

void RunsIn(const Record& r, const Compare& s, int operand, const uint8_t*, Runs& runs) {
    if (operand == 0 || OperandOf(r, operand).memory == Memory::kRegister) return AddSpan(SpanIn(r, s, operand), runs);
    AddWholeRepeats(r, operand, r.op == Opcode::vcmp ? 1 : CompareRepeats(r), 0, runs);
}

void PrintIn(Out out, const Record& r, const Compare& s) {
    fmt::format_to(out, " {}", Name(s.mode));
    if (r.operand_count == 2) PrintValue(out, r);
}

Span SpanIn(const Record& r, const Select& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const uint32_t shift = LanesShift(r);
    const Lanes lanes = LanesOf(r, shift);
    if (operand != r.operand_count - 1) return VectorSpan(r, WalkOf(r, operand, shift), lanes);
    if (o.memory == Memory::kRegister) return kCmpMask.span();
    if (lanes.repeats == 0) return Nothing(o);
    if (s.mode == Select::Mode::kCmpMask) return At(o, 0, (lanes.end + 7) / 8);
    return At(o, lanes.first / 8, ((lanes.repeats - 1) << shift) / 8 + (lanes.last_end + 7) / 8);
}

void RunsIn(const Record& r, const Select& s, int operand, const uint8_t*, Runs& runs) {
    const Operand& o = OperandOf(r, operand);
    if (operand != r.operand_count - 1) return AddActiveLanes(r, operand, runs);
    if (o.memory == Memory::kRegister || s.mode == Select::Mode::kCmpMask) {
        return AddSpan(SpanIn(r, s, operand), runs);
    }
    const uint32_t shift = LanesShift(r);
    ForEachLaneRun(r, LanesOf(r, shift), [&](uint64_t repeat, uint32_t first, uint32_t end) {
        const uint64_t at = (repeat << shift) / 8;
        runs.Add(at + first / 8, (end - 1) / 8 + 1 - first / 8);
    });
}

void PrintIn(Out out, const Record& r, const Select& s) {
    fmt::format_to(out, " mode={}", static_cast<int>(s.mode));
    if (r.operand_count == 3) PrintValue(out, r);
}

Span SpanIn(const Record& r, const RegisterMove&, int operand) {
    const Operand& o = OperandOf(r, operand);
    return At(o, 0, kCmpMaskMoved);
}

void RunsIn(const Record& r, const RegisterMove& s, int operand, const uint8_t*, Runs& runs) {
    AddSpan(SpanIn(r, s, operand), runs);
}

void PrintIn(Out out, const Record& r, const RegisterMove&) {
    if (r.operand_count == 1) PrintValue(out, r);
}

}  // namespace sfumato::isa
