// SPDX-License-Identifier: Apache-2.0
// Vector functions: the runs that they have touched, as the record has them.
#include "isa/parts.h"

namespace sfumato::isa {

namespace {

const VectorFunction::Runs& TouchedBy(const VectorFunction& function, int operand) {
    return operand == 0 ? function.written : function.read;
}

}  // namespace

Span SpanIn(const Record& r, const VectorFunction& function, int operand) {
    const VectorFunction::Runs& touched = TouchedBy(function, operand);
    if (touched.count == 0) return Nothing(OperandOf(r, operand));
    return {touched.runs[0].begin, touched.runs[touched.count - 1].end};
}

void RunsIn(const Record&, const VectorFunction& function, int operand, const uint8_t*, Runs& runs) {
    const VectorFunction::Runs& touched = TouchedBy(function, operand);
    for (uint32_t i = 0; i < touched.count; ++i) AddSpan(touched.runs[i], runs);
}

void PrintIn(Out out, const Record&, const VectorFunction& function) {
    fmt::format_to(out, " runs={}+{}", function.written.count, function.read.count);
}

}  // namespace sfumato::isa
