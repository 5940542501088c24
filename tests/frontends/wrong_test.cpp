// SPDX-License-Identifier: Apache-2.0
// Every wrong program gives its one report, names the line, and the refused call writes nothing.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/golden.h"
#include "support/raised.h"
#include "wrong_runner.h"

namespace sfumato::wrong {

void PrintTo(const Program& program, std::ostream* out) { *out << program.name; }

namespace {

class WrongProgram : public testing::TestWithParam<Program> {};

const Report* Find(const Outcome& run, const char* rule) {
    const auto at =
        std::find_if(run.findings.begin(), run.findings.end(), [&](const Report& r) { return r.rule == rule; });
    return at == run.findings.end() ? nullptr : &*at;
}

void ExpectWrittenText(const Program& program, const Outcome& run, const Report& report) {
    ExpectText(run.wrong.file, program.name, StableText(run.findings));
    EXPECT_TRUE(report.message.starts_with(report.instruction)) << report.instruction;
    if (report.file.empty()) return;
    EXPECT_EQ(report.file, run.wrong.file);
    EXPECT_EQ(report.line, run.wrong.line);
}

void ExpectReport(const Program& program, const Outcome& run, const Report& report) {
    const Expected& want = program.report;
    EXPECT_STREQ(Name(report.severity), Name(want.severity));
    if (want.in_text()) return ExpectWrittenText(program, run, report);
    EXPECT_EQ(report.instruction, want.instruction);
    EXPECT_EQ(report.operand, want.operand);
    EXPECT_EQ(report.message, want.message);
    EXPECT_EQ(report.found, FoundOf(program, run));
    EXPECT_EQ(report.legal, want.legal);
    EXPECT_EQ(report.hint, want.hint);
    EXPECT_EQ(report.core, want.core);
    EXPECT_EQ(report.kernel, program.name);
    if (want.in_source) {
        EXPECT_EQ(report.file, run.wrong.file);
        EXPECT_EQ(report.line, run.wrong.line);
    } else {
        EXPECT_EQ(report.file, "");
    }
}

TEST_P(WrongProgram, GivesItsReport) {
    const Program& program = GetParam();
    const Outcome run = RunProgram(program, true);
    const Report* report = Find(run, program.report.rule);
    ASSERT_TRUE(report) << program.report.rule;
    ExpectReport(program, run, *report);
    Raised(report->rule);
    std::vector<std::string> others;
    for (const Report& other : run.findings) {
        if (&other != report) others.push_back(other.rule);
    }
    EXPECT_EQ(others, std::vector<std::string>(program.others.begin(), program.others.end()));
    EXPECT_EQ(run.ok, program.report.severity != Severity::kFault);
    if (!run.ok) {
        EXPECT_TRUE(run.gm_untouched);
    }
}

TEST_P(WrongProgram, WritesNothingWhenRefused) {
    const Program& program = GetParam();
    if (program.report.severity == Severity::kNote) GTEST_SKIP() << "a note refuses nothing";
    const Outcome run = RunProgram(program, false);
    const Report* report = Find(run, program.report.rule);
    ASSERT_TRUE(report) << program.report.rule;
    EXPECT_EQ(report->severity, Severity::kFault);  // a warning becomes one under strict
    if (!program.report.in_text()) {
        EXPECT_EQ(report->found, FoundOf(program, run));
    }
    EXPECT_EQ(run.wrote_after, program.report.of_result);
    EXPECT_TRUE(run.gm_untouched);
}

INSTANTIATE_TEST_SUITE_P(Table, WrongProgram, testing::ValuesIn(AllPrograms()),
                         [](const testing::TestParamInfo<Program>& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sfumato::wrong
