// SPDX-License-Identifier: Apache-2.0
// Findings for other programs: one JSON object, SARIF and JUnit (docs/findings.md), the same from every command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfumato/report.h"

namespace sfumato {

// One run of one kernel, or why there was none.
struct RunFindings {
    std::string name;                  // what people know the run by; empty: the kernel
    std::string source, chip, kernel;  // what is not known is empty
    uint32_t line = 0;                 // of the source, where it is not right; 0: not known
    uint32_t blocks = 0;
    std::string schedule;
    std::string task_type, task_type_from;
    uint64_t records = 0;
    std::vector<std::string> checked;  // the checks that were on
    std::vector<Report> findings;
    std::optional<std::vector<Reading>> rests_on;  // where it was asked for
    std::string error_kind, error;    // "usage", "compile": it did not start; "killed": it did not end; and why
    bool judged = false;              // error_kind is a verdict ("wrong"): it ran, and its result is not right
    std::string again;                // the command that runs it again
    std::optional<double> seconds;    // that it took on this machine
    uint32_t ranks = 0;               // of a world of ranks; 0: one device
    std::vector<std::string> groups;  // of ranks, with names
    std::string date;                 // of its end, as FindingsTool::date; empty: the tool's

    // Faults, warnings or notes.
    SFUMATO_API uint64_t Count(Severity severity) const;
    // It ran, nothing was a fault, and nobody judged its result not right.
    bool ok() const { return error_kind.empty() && Count(Severity::kFault) == 0; }
};

// What is written into the files about Sfumato itself.
struct FindingsTool {
    std::string version;
    std::string docs_url;  // where docs/ is published, ending with "/"; empty: SARIF has no helpUri
    std::string date;      // "2026-12-01T09:30:00Z", UTC; empty: left out
};
// Of this library; docs_url is $SFUMATO_DOCS_URL, date the present, or $SOURCE_DATE_EPOCH (seconds since 1970) where
// files have to be the same again.
SFUMATO_API FindingsTool ThisTool();

// Several runs as one, for the one object of JSON: the findings of all, each reading with the uses of all, the records
// and the seconds of all; of source, chip, kernel and the like what is the same in all; the first error.
SFUMATO_API RunFindings Together(const std::vector<RunFindings>& runs);
// Two spaces of indentation, a newline at the end. Bytes that are no UTF-8 are replaced.
SFUMATO_API std::string JsonOf(const RunFindings& run, const FindingsTool& tool = ThisTool());
// SARIF 2.1.0: one run of the tool, its results those of all runs.
SFUMATO_API std::string SarifOf(const std::vector<RunFindings>& runs, const FindingsTool& tool = ThisTool());
// JUnit XML: a testcase a run; each warning and fault, and a result that is not right, a failure; what did not start an
// error.
SFUMATO_API std::string JunitOf(const std::vector<RunFindings>& runs, const FindingsTool& tool = ThisTool());

// The faults compile-error that a compiler's messages tell, g++'s or clang's or our own lines "k.cpp:12: Tanh: ...";
// its notes are related places. Where no line tells a place: one, of the whole text. Never empty.
SFUMATO_API std::vector<Report> CompileFindings(const std::string& messages, const std::string& source,
                                                const std::string& chip);

// The names of what --check turns on: "races between cores", "outputs". Throws Error for a name there is none of.
SFUMATO_API std::vector<std::string> CheckNames(const std::string& check);

}  // namespace sfumato
