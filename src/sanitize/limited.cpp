// SPDX-License-Identifier: Apache-2.0
// The first result of a record that differs on a board.
#include "sanitize/limited.h"

#include <fmt/format.h>

#include "sanitize/numbers_integers.h"
#include "sanitize/numbers_report.h"
#include "sanitize/numbers_results.h"
#include "sanitize/numbers_values.h"
#include "sanitize/unlimited.h"

namespace sfumato::sanitize {
namespace {

using isa::Record;

// What the check of numbers finds in the place of this.
bool IsOfNumbers(const Record& r) { return ComputesFloats(r) || IntegerCheckOf(r) != IntegerCheck::kNone; }

// Whether a result is made of an element that holds the fill pattern.
bool OfUnwritten(const LaunchView& launch, const Record& r, const isa::MemoryMap& map, const Sources& sources) {
    if (sources.count > Sources::kShown) return SourceOfFill(r, map, launch.fill) != nullptr;
    for (size_t i = 0; i < sources.count; ++i) {
        if (IsUnwritten(launch, r, sources.terms[i])) return true;
    }
    return false;
}

}  // namespace

bool Limited::Asks(const Record& r) const {
    if (r.control.overflow_asked || r.control.overflow != Overflow::kSaturate || r.operand_count == 0) return false;
    if (r.dst().type == DataType::kFloat && r.src0().type == DataType::kFloat) return false;
    return !told_.contains({r.where.file, r.where.line});
}

std::optional<Report> Limited::Look(const Record& r, const isa::MemoryMap& map) {
    if (!looks_ || (launch_.checks.Has(Check::kNumbers) && IsOfNumbers(r))) return std::nullopt;
    const auto tell = [&](Report report) {
        told_.insert({r.where.file, r.where.line});
        return report;
    };
    if (r.dst().memory == isa::Memory::kRegister) return tell(LimitedReport(launch_, r));
    Unlimited unlimited(r, before_, map, launch_.gm.size(), launch_.execute);
    const DataType type = r.dst().type;
    const Bytes limited = MemoryOf(r.dst(), map);
    std::optional<Report> report;
    uint64_t differ = 0;
    ForEachResult(
        r, before_, unlimited.results(), map.base[static_cast<int>(isa::Memory::kUb)], [](uint64_t) { return true; },
        [&](uint64_t at, uint64_t bits, const Sources& sources) {
            const uint64_t was = BitsAt(type, limited.At(at));
            if (was == bits || OfUnwritten(launch_, r, map, sources)) return;
            if (++differ == 1) report = LimitedReport(launch_, r, at, bits, was, sources);
        });
    if (!report) return std::nullopt;
    if (differ > 1) report->found += fmt::format("; {} elements of this instruction", differ);
    return tell(std::move(*report));
}

}  // namespace sfumato::sanitize
