// SPDX-License-Identifier: Apache-2.0
// From records to the rules of their form, and from findings to the sink.
#include "check/check.h"

#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {

using isa::Record;

bool Tell(const Record& r, const Context& c, Finding finding) {
    Report report = ToReport(std::move(finding), isa::CallName(r), r.where);
    if (report.severity == Severity::kWarning && c.strict) report.severity = Severity::kFault;
    const bool fault = report.severity == Severity::kFault;
    c.sink->Find(r, std::move(report));
    return !fault;
}

const char* TypeName(const Record& r, DataType type) { return r.api == isa::Api::kTik ? NumpyName(type) : CName(type); }

std::string PlaceText(const isa::Operand& o, const Context& c) {
    if (o.memory != isa::Memory::kGm) return fmt::format("byte offset {} in {}", o.offset, isa::Name(o.memory));
    return fmt::format("byte offset {} of {} in GM", o.offset, c.gm[o.allocation].name);
}

bool CheckRecord(const Record& r, const Context& c) {
    return VisitForm(r, [&](const auto& parameters) { return Check(r, parameters, c); });
}

}  // namespace sfumato::check
