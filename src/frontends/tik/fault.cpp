// SPDX-License-Identifier: Apache-2.0
// Mistakes on their way to a report, and slices as operands: what recording and running share.
#include "frontends/tik/fault.h"

#include <fmt/format.h>

#include <utility>

namespace sfumato::tik {

void Refuse(Problem problem) { throw Refused{std::move(problem)}; }

Report ToReport(const Problem& problem, std::string_view call, Where where) {
    Report report;
    report.rule = problem.rule;
    report.instruction = call;
    report.operand = problem.operand;
    report.message = fmt::format("{}: {}", call, problem.message);
    report.found = problem.found;
    report.legal = problem.legal;
    report.hint = problem.hint;
    report.file = where.file;
    report.line = where.line;
    return report;
}

isa::Operand MakeOperand(const TensorNode& tensor, DataType type, int64_t offset, uint64_t copy) {
    const uint64_t start = tensor.offset + copy * tensor.pitch;
    if (offset < 0) {
        Refuse({"slice-start", tensor.name, "the slice starts before the Tensor", fmt::format("element {}", offset),
                "0 or more", "check how the index is computed"});
    }
    isa::Operand o;
    o.memory = tensor.memory;
    o.type = type;
    o.allocation = tensor.gm >= 0 ? static_cast<uint32_t>(tensor.gm) : 0;
    o.offset = start + BytesOf(type, static_cast<uint64_t>(offset));
    o.limit = start + tensor.bytes;
    return o;
}

}  // namespace sfumato::tik
