// SPDX-License-Identifier: Apache-2.0
// Shows findings: as text on standard error, and in the files that --json, --sarif and --junit name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "sfumato/findings.h"

namespace sfumato::command {

// "error: message" or "warning: message" on standard error, coloured on a terminal.
void Say(Severity severity, const std::string& message);
void SayError(const std::string& message);

constexpr const char* kOneOnStdout = "--json, --sarif, --junit: only one of them can go to standard output";

// What --json, --sarif and --junit of a command line ask for, be the rest as it may: that goes to `others`. --json
// alone is standard output, --sarif and --junit take the next word.
FindingsFiles TakeFindingsFiles(int count, char* const* words, std::vector<std::string>* others);

// Writes the run to each of the files; what cannot be written is said and lost.
void WriteFindings(const FindingsFiles& files, const RunFindings& run);

class Findings {
public:
    explicit Findings(const RunOptions& options) : options_(options) {}

    void Add(Report report) { reports_.push_back(std::move(report)); }
    bool HasFault() const { return Has(Severity::kFault); }
    // What --fail-on names is among them.
    bool Fails() const { return HasFault() || (options_.fail_on_warning && Has(Severity::kWarning)); }
    // Prints all reports and the line "1 fault, 0 warnings, 2 notes", and writes the files. The findings of `result`
    // are among those added; seconds: of the launch.
    void Show(const LaunchResult& result, std::optional<double> seconds = {}) const;
    // Of a run that did not start: the reports, with kind and message as its error.
    void ShowError(const std::string& kind, const std::string& message) const;

private:
    bool Has(Severity severity) const;
    RunFindings About() const;

    const RunOptions& options_;
    std::vector<Report> reports_;
};

}  // namespace sfumato::command
