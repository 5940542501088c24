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

TEST_P(WrongProgram, GivesItsReport) {
    const Program& program = GetParam();
    const Outcome run = RunProgram(program, true);
    ExpectReports(run.wrong.file, program.name, run.findings);
    const Report* report = Find(run, program.rule);
    ASSERT_TRUE(report) << program.rule;
    Raised(report->rule);
    EXPECT_TRUE(report->message.starts_with(report->instruction)) << report->instruction;
    EXPECT_EQ(report->severity, SeverityOf(program));
    if (!report->file.empty()) {
        EXPECT_EQ(report->file, run.wrong.file);
        EXPECT_EQ(report->line, run.wrong.line);
    }
    EXPECT_EQ(run.ok, report->severity != Severity::kFault);
    if (!run.ok) {
        EXPECT_TRUE(run.gm_untouched);
    }
}

TEST_P(WrongProgram, WritesNothingWhenRefused) {
    const Program& program = GetParam();
    if (SeverityOf(program) == Severity::kNote) GTEST_SKIP() << "a note refuses nothing";
    const Outcome run = RunProgram(program, false);
    const Report* report = Find(run, program.rule);
    ASSERT_TRUE(report) << program.rule;
    EXPECT_EQ(report->severity, Severity::kFault);  // a warning becomes one under strict
    EXPECT_EQ(run.wrote_after, program.launched.of_result);
    EXPECT_TRUE(run.gm_untouched);
}

INSTANTIATE_TEST_SUITE_P(Table, WrongProgram, testing::ValuesIn(Table<Program>::All()),
                         [](const testing::TestParamInfo<Program>& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sfumato::wrong
