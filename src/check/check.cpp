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

namespace {

// Of a type or a path that no page lists for the chip; told once for each call's name.
SFUMATO_COLD void TellUnlisted(const Record& r, const Context& c) {
    const auto op = static_cast<size_t>(r.op);
    const soc::Unlisted& unlisted = c.chip->unlisted;
    const isa::Memory src = r.operand_count > 1 ? r.src0().memory : isa::Memory::kNone, dst = r.dst().memory;
    std::string found;
    if ((unlisted.types[op] >> static_cast<int>(r.dst().type)) & 1) found = TypeName(r, r.dst().type);
    if ((unlisted.paths[op][static_cast<size_t>(src)] >> static_cast<int>(dst)) & 1)
        found = fmt::format("{} to {}", isa::Name(src), isa::Name(dst));
    if (!found.empty()) Tell(r, c, UnlistedOn(*c.chip, std::move(found)));
}

}  // namespace

Finding UnlistedOn(const soc::Chip& chip, std::string found) {
    return {Rule::kUnlistedOnChip, "", fmt::format("no page lists this for {}", chip.name),
            std::move(found),      "", "published operators run it there: it runs here, too"};
}

bool CheckRecord(const Record& r, const Context& c) {
    const bool good = VisitForm(r, [&](const auto& parameters) { return Check(r, parameters, c); });
    if (good && c.chip->unlisted.any && !c.listed_call && r.api == isa::Api::kAscendC && r.operand_count > 0)
        [[unlikely]]
        TellUnlisted(r, c);
    return good;
}

}  // namespace sfumato::check
