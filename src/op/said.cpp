// SPDX-License-Identifier: Apache-2.0
// Reports and log lines of host code.
#include "op/said.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "runtime/code/source_lines.h"

namespace sfumato::op {
namespace {

thread_local Said* current_said = nullptr;

constexpr size_t kMostErrors = 20;  // lines a report carries

}  // namespace

Said* CurrentSaid() { return current_said; }
SayTo::SayTo(Said& said) : before_(current_said) { current_said = &said; }
SayTo::~SayTo() { current_said = before_; }

void Fault(Finding finding, std::string_view call, Where where) {
    Report report =
        Stamped(ToReport(std::move(finding), call, where), current_said ? current_said->chip : std::string());
    report.severity = Severity::kFault;
    if (current_said && !current_said->fault) current_said->fault = report;
    throw KernelError(std::move(report));
}

void Warn(Finding finding, std::string_view call, Where where) {
    const Severity severity = Info(finding.rule).severity;
    if (current_said && current_said->strict && severity == Severity::kWarning) Fault(std::move(finding), call, where);
    if (!current_said) return;
    Report report = Stamped(ToReport(std::move(finding), call, where), current_said->chip);
    const bool known = std::ranges::any_of(current_said->findings, [&](const Report& other) {
        return other.rule == report.rule && other.file == report.file && other.line == report.line &&
               other.found == report.found;
    });
    if (!known) current_said->findings.push_back(std::move(report));
}

void Log(LogLevel level, Where where, const char* name, const char* format, ...) {
    constexpr const char* kNames[] = {"debug", "info", "warning", "error"};
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, again);
    va_end(again);
    while (!text.empty() && text.back() == '\n') text.pop_back();

    const std::string line = fmt::format("{}: {}{}{}", kNames[static_cast<int>(level)], name, *name ? ": " : "", text);
    const bool serious = level >= LogLevel::kWarning;
    if (!current_said) {
        if (serious) std::fprintf(stderr, "%s:%u: %s\n", where.file, where.line, line.c_str());
        return;
    }
    current_said->log += line + "\n";
    if (!serious) return;
    if (current_said->errors.size() == kMostErrors) current_said->errors.erase(current_said->errors.begin());
    current_said->errors.push_back({where.file, where.line, text});
}

std::string NameOf(const std::type_info& type) { return runtime::Demangled(type.name()); }

}  // namespace sfumato::op
