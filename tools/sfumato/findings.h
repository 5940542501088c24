// SPDX-License-Identifier: Apache-2.0
// Shows findings: as text on standard error, as JSON where --json says.
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace sfumato::command {

// "error: message" or "warning: message" on standard error, coloured on a terminal.
void Say(Severity severity, const std::string& message);
void SayError(const std::string& message);

class Findings {
public:
    explicit Findings(const RunOptions& options) : options_(options) {}

    void Add(Report report) { reports_.push_back(std::move(report)); }
    bool HasFault() const;
    // Prints all reports and the line "1 fault, 0 warnings, 2 notes", and writes the JSON. The findings of `result` are
    // among those added.
    void Show(const LaunchResult& result) const;
    // The JSON of a run that did not start: {"ok": false, "error": {...}}.
    void ShowError(const std::string& kind, const std::string& message) const;

private:
    void WriteJson(const std::string& text) const;

    const RunOptions& options_;
    std::vector<Report> reports_;
};

}  // namespace sfumato::command
