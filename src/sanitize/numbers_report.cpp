// SPDX-License-Identifier: Apache-2.0
// The words of the check of numbers, operation by operation.
#include "sanitize/numbers_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/geometry.h"
#include "report/finding.h"
#include "sanitize/numbers_values.h"

namespace sfumato::sanitize {
namespace {

using isa::Floats;
using isa::Record;
using Term = Sources::Term;

DataType TypeOfTerm(const Record& r, const Term& term) {
    if (term.operand >= 0) return r.operand[static_cast<size_t>(term.operand)].type;
    ScalarOperand scalar{r.dst().type, 0};
    ScalarOf(r, &scalar);
    return scalar.type;
}

// The element of dst: its number, or in L0C its fractal's.
std::string Element(const Record& r, uint64_t at) {
    return fmt::format("element {}", (at - r.dst().offset) * 8 / BitsOf(r.dst().type));
}

// "src0 1, src1 0", and whether one of them was never written.
std::string Operands(const LaunchView& launch, const Record& r, const Sources& sources) {
    std::string text;
    const size_t shown = std::min<size_t>(sources.count, Sources::kShown);
    const bool many = sources.count > Sources::kShown;
    const Term* unwritten = nullptr;
    for (size_t i = 0; i < shown; ++i) {
        const Term& term = sources.terms[i];
        if (!unwritten && IsUnwritten(launch, r, term)) unwritten = &term;
        if (many) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            term.operand < 0 ? "the scalar" : isa::OperandName(r, term.operand),
                            Show(TypeOfTerm(r, term), term.bits));
    }
    if (many) text = fmt::format("{} elements", sources.count);
    if (unwritten) {
        const isa::Operand& o = r.operand[static_cast<size_t>(unwritten->operand)];
        text += fmt::format(" ({} still holds the fill pattern of {} nobody wrote)",
                            isa::OperandName(r, unwritten->operand),
                            o.memory == isa::Memory::kGm ? "global memory" : isa::Name(o.memory));
    }
    return text;
}

const Term* TermOf(const Sources& sources, int operand) {
    for (size_t i = 0; i < std::min<size_t>(sources.count, Sources::kShown); ++i) {
        if (sources.terms[i].operand == operand) return &sources.terms[i];
    }
    return nullptr;
}

bool IsZeroTerm(const Record& r, const Sources& sources, int operand) {
    const Term* term = TermOf(sources, operand);
    return term && IsZero(TypeOfTerm(r, *term), term->bits);
}

bool DividesByZero(const Record& r, const Sources& sources) {
    const Floats of = MakesOf(r).floats;
    if (of == Floats::kQuotient) return IsZeroTerm(r, sources, 2);
    return (of == Floats::kReciprocal || of == Floats::kInverseRoot) && IsZeroTerm(r, sources, 1);
}

// What makes it infinite or NaN, in a few words.
std::string Cause(const Record& r, bool nan, const Sources& sources) {
    if (DividesByZero(r, sources)) return "a division by 0";
    const Floats of = MakesOf(r).floats;
    if (of == Floats::kLogarithm) return nan ? "the logarithm of a negative number" : "the logarithm of 0";
    if (of == Floats::kRoot || of == Floats::kInverseRoot) return "the root of a negative number";
    if (Has(r.op, isa::kHighLevel)) {
        return nan ? "the function is not defined there"
                   : fmt::format("a pole of the function, or more than {}, the largest {}", LargestOf(r.dst().type),
                                 CName(r.dst().type));
    }
    if (nan) return sources.count > 2 ? "infinities of both signs on the way" : "no number is the result";
    return fmt::format("more than {}, the largest {}", LargestOf(r.dst().type), CName(r.dst().type));
}

std::string Remedy(const Record& r, const Sources& sources) {
    if (DividesByZero(r, sources))
        return "keep the divisor from 0, e.g. add a small number to it, or Select afterwards";
    const Floats of = MakesOf(r).floats;
    if (of == Floats::kLogarithm || of == Floats::kRoot || of == Floats::kInverseRoot)
        return "limit the operand first, e.g. Maxs with the smallest number that may come";
    if (of == Floats::kExponential) return "subtract the largest element before Exp, as softmax does";
    return r.dst().type == DataType::kHalf ? "compute in float and convert at the end, or scale the data before"
                                           : "scale the data before";
}

Report Start(const LaunchView& launch, Rule rule, const Record& r) {
    Report report = ReportOf(rule);
    if (rule != Rule::kSubnormalFlushed && rule != Rule::kSaturated) report.severity = launch.numbers;
    report.instruction = isa::CallName(r);
    report.index = r.index;
    report.operand = isa::OperandName(r, 0);
    report.file = r.where.file;
    report.line = r.where.line;
    return report;
}

}  // namespace

bool IsUnwritten(const LaunchView& launch, const Record& r, const Term& term) {
    if (term.operand < 0) return false;
    const isa::Operand& o = r.operand[static_cast<size_t>(term.operand)];
    return IsFill(o.type, term.bits, o.memory == isa::Memory::kGm ? launch.gm_fill : launch.fill);
}

Report LimitedReport(const LaunchView& launch, const Record& r) {
    Report report = Start(launch, Rule::kSaturated, r);
    report.message = fmt::format("{}: a result overflowed and was saturated", isa::CallName(r));
    report.found = "a board gives another value; --check numbers says which";
    report.legal = fmt::format("nobody asked for a policy, and saturate is the default; the runtime of {} {}",
                               launch.chip.name, IsFloating(r.dst().type) ? "keeps inf and NaN" : "lets integers wrap");
    report.hint =
        fmt::format("for what a board gives: {}; with saturate in its place the values stay", launch.ask_board);
    return report;
}

Report LimitedReport(const LaunchView& launch, const Record& r, uint64_t at, uint64_t bits, uint64_t limited,
                     const Sources& sources) {
    const DataType type = r.dst().type;
    Report report = LimitedReport(launch, r);
    report.found = fmt::format("{} is {} from {}; a board gives {}{}", Element(r, at), Show(type, limited),
                               Operands(launch, r, sources), Show(type, bits), IsFloating(type) ? "" : ", wrapped");
    return report;
}

Report BirthReport(const LaunchView& launch, const Record& r, uint64_t at, uint64_t bits, const Sources& sources) {
    const bool nan = IsNan(r.dst().type, bits);
    Report report = Start(launch, nan ? Rule::kNanBorn : Rule::kInfBorn, r);
    report.message = fmt::format("{}: {} is born from finite numbers: {}", isa::CallName(r), nan ? "NaN" : "infinity",
                                 Cause(r, nan, sources));
    report.found =
        fmt::format("{} is {} from {}", Element(r, at), Show(r.dst().type, bits), Operands(launch, r, sources));
    report.legal = fmt::format("finite results: of {} up to {}", CName(r.dst().type), LargestOf(r.dst().type));
    report.hint = Remedy(r, sources);
    return report;
}

Report HiddenReport(const LaunchView& launch, const Record& r, uint64_t at, uint64_t bits, uint64_t limited,
                    const Sources& sources) {
    const DataType type = r.dst().type;
    const bool nan = IsNan(type, bits);
    Report report = Start(launch, Rule::kSaturationHidden, r);
    report.message =
        fmt::format("{}: the policy saturate hides {}{}", isa::CallName(r), nan ? "a NaN" : "an infinity",
                    sources.finite ? ": " + Cause(r, nan, sources) : std::string(", which came with the operands"));
    report.found = fmt::format("{} is {} instead of {} from {}", Element(r, at), Show(type, limited), Show(type, bits),
                               Operands(launch, r, sources));
    report.legal =
        launch.chip.board_overflow == Overflow::kInfNan
            ? fmt::format("saturate is the documented default; the runtime of {} uses inf and NaN", launch.chip.name)
            : fmt::format("{} has no other policy: finite results up to {}", launch.chip.name, LargestOf(type));
    report.hint = sources.finite ? Remedy(r, sources) : "look for the line that wrote the operand, or wrote it not";
    return report;
}

Report OverflowReport(const LaunchView& launch, const Record& r, uint64_t at, const Sources& sources,
                      const std::string& exact) {
    Report report = Start(launch, Rule::kIntegerOverflow, r);
    const DataType type = r.dst().type;
    const bool converts = isa::Converts(r.form()), limits = converts ||
                                                            Info(r.form()).made_of == isa::MadeOf::kProduct ||
                                                            r.control.overflow == Overflow::kSaturate;
    report.message =
        fmt::format("{}: {} does not fit {}, and {}", isa::CallName(r), converts ? "a number" : "an integer result",
                    CName(type), limits ? "is limited to the nearest end" : "wraps around");
    report.found = converts
                       ? fmt::format("{} from {}", Element(r, at), Operands(launch, r, sources))
                       : fmt::format("{} is {} exactly, from {}", Element(r, at), exact, Operands(launch, r, sources));
    const uint32_t bits = BitsOf(type);
    report.legal = fmt::format("{} to {}", -(int64_t{1} << (bits - 2)) * 2,
                               (int64_t{1} << (bits - 2)) - 1 + (int64_t{1} << (bits - 2)));
    report.hint =
        type == DataType::kInt16 ? "compute in int32_t or float" : "compute in float, or scale the data before";
    return report;
}

Report FlushedReport(const LaunchView& launch, const Record& r, uint64_t at, const Sources& sources) {
    Report report = Start(launch, Rule::kSubnormalFlushed, r);
    report.message = fmt::format("{}: a number that is not 0 becomes 0", isa::CallName(r));
    report.found = fmt::format("{} is 0 from {}", Element(r, at), Operands(launch, r, sources));
    report.legal = fmt::format("results of {} from {} on", CName(r.dst().type), Show(r.dst().type, 1));
    report.hint = "scale the data before, or keep a wider type";
    return report;
}

Report WithCount(Report report, uint64_t elements, uint64_t records) {
    if (elements > 1) {
        report.found +=
            fmt::format("; {} elements of {} instruction{} at this line", elements, records, records == 1 ? "" : "s");
    }
    return report;
}

bool RoundsToZero(const Record& r) {
    const Floats of = MakesOf(r).floats;
    if (of == Floats::kProduct || of == Floats::kQuotient) return true;
    // Wider types hold what is small.
    return of == Floats::kConverted && IsFloating(r.src0().type) && BitsOf(r.src0().type) >= BitsOf(r.dst().type);
}

bool RoundedToZero(const Record& r, const Sources& sources) {
    const size_t shown = std::min<size_t>(sources.count, Sources::kShown);
    if (MakesOf(r).floats == Floats::kQuotient) return !IsZeroTerm(r, sources, 1);
    return std::none_of(sources.terms.begin(), sources.terms.begin() + shown,
                        [&](const Term& term) { return IsZero(TypeOfTerm(r, term), term.bits); });
}

}  // namespace sfumato::sanitize
