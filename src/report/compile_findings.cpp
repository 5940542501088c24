// SPDX-License-Identifier: Apache-2.0
// What a compiler says, as findings.
#include <regex>
#include <sstream>

#include "report/finding.h"
#include "sfumato/findings.h"

namespace sfumato {
namespace {

constexpr size_t kMostRelated = 8;

Report ErrorAt(const std::string& file, uint32_t line, const std::string& message, const std::string& chip) {
    Report report = Stamped(ReportOf(Rule::kCompileError), chip);
    report.message = message;
    report.file = file;
    report.line = line;
    return report;
}

}  // namespace

std::vector<Report> CompileFindings(const std::string& messages, const std::string& source, const std::string& chip) {
    // "k.cpp:2:9: error: text", "k.cpp:12: Tanh: text"; lines of source and of templates' histories begin with spaces.
    static const std::regex line_pattern(
        R"(^([^\s:][^:]*):(\d+):(?:(\d+):)? (?:(fatal error|error|warning|note): )?(\S.*)$)");
    std::vector<Report> findings;
    std::istringstream lines(messages);
    bool in_error = false;
    for (std::string line; std::getline(lines, line);) {
        std::smatch part;
        // The pattern is recursive: a generated line may be long.
        if (line.size() > 4000 || !std::regex_match(line, part, line_pattern)) continue;
        const auto number = static_cast<uint32_t>(std::stoul("0" + part[2].str().substr(0, 9)));
        const std::string level = part[4];
        if (level == "note") {
            if (in_error && findings.back().related.size() < kMostRelated)
                findings.back().related.push_back({part[1], number, part[5]});
            continue;
        }
        in_error = level != "warning";
        if (in_error) findings.push_back(ErrorAt(part[1], number, part[5], chip));
    }
    if (findings.empty()) {
        const size_t end = messages.find_last_not_of('\n');
        findings.push_back(ErrorAt(source, 0, messages.substr(0, end == std::string::npos ? 0 : end + 1), chip));
    }
    return findings;
}

}  // namespace sfumato
