// SPDX-License-Identifier: Apache-2.0
// Names, lanes and spans of records.
#include "isa/record.h"

#include "isa/geometry.h"
#include "isa/spans.h"

namespace sfumato::isa {

const char* Name(Pipe pipe) {
    constexpr const char* kNames[] = {"PIPE_S",    "PIPE_V",   "PIPE_M", "PIPE_MTE1", "PIPE_MTE2",
                                      "PIPE_MTE3", "PIPE_FIX", "?",      "PIPE_ALL",  "?"};
    return pipe <= Pipe::kByOperands ? kNames[static_cast<int>(pipe)] : "?";
}

const char* Name(Memory memory) {
    constexpr const char* kNames[] = {"none", "GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB", "register"};
    return memory < Memory::kCount ? kNames[static_cast<int>(memory)] : "?";
}

uint32_t LanesPerRepeat(const Record& record) { return 1u << LanesShift(record); }

void Record::Become(Opcode opcode) {
    op.op_ = opcode;
    switch (Info(opcode).form) {
#define SFUMATO_FORM(form, family, ...) \
    case Form::k##form:                 \
        parameters_.emplace<form>();    \
        break;
#include "isa/forms.inc"
#undef SFUMATO_FORM
        case Form::kCount: break;
    }
}

std::logic_error Record::WrongForm() const {
    return std::logic_error(std::string("parameters of another form for ") + Info(op).opcode);
}

Span SpanOf(const Record& record, int operand) {
    const Operand& o = record.operand[static_cast<size_t>(operand)];
    if (operand >= record.operand_count) return {o.offset, o.offset};
    return VisitForm(record, [&](const auto& parameters) { return SpanIn(record, parameters, operand); });
}

}  // namespace sfumato::isa
