// SPDX-License-Identifier: Apache-2.0
// The files about findings: what their formats demand of odd names and bytes, and what compilers' messages become.
#include "sfumato/findings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "report/rules.h"

namespace sfumato {
namespace {

Report Warning(const std::string& file = "k.cpp") {
    Report report;
    report.severity = Severity::kWarning;
    report.rule = Rule::kCopyTail;
    report.kernel = "scale<3, true>";
    report.message = "a < b && \"c\"";
    report.file = file;
    report.line = 7;
    return report;
}

RunFindings RunWith(std::vector<Report> findings) {
    RunFindings run;
    run.source = "k.cpp";
    run.kernel = "scale<3, true>";
    run.findings = std::move(findings);
    return run;
}

nlohmann::json ResultOf(const Report& report) {
    return nlohmann::json::parse(SarifOf({RunWith({report})}, {"1.2.3", ""}))["runs"][0]["results"][0];
}

TEST(Sarif, PathsAreUriReferences) {
    const auto uri = [](const std::string& file) {
        return ResultOf(Warning(file))["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    };
    EXPECT_EQ(uri("a/b_c-d.cpp"), "a/b_c-d.cpp");
    EXPECT_EQ(uri("/tmp/k.cpp"), "file:///tmp/k.cpp");
    EXPECT_EQ(uri("a b%\xC3\xA9:#.cpp"), "a%20b%25%C3%A9%3A%23.cpp");
}

TEST(Sarif, WithoutALineThereIsNoRegion) {
    Report report = Warning();
    report.line = 0;
    EXPECT_FALSE(ResultOf(report)["locations"][0]["physicalLocation"].contains("region"));
    report.file = "";
    report.line = 7;
    const auto location = ResultOf(report)["locations"][0];  // the source, as a whole
    EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "k.cpp");
    EXPECT_FALSE(location["physicalLocation"].contains("region"));
    report.related = {{"", 0, "nobody"}};
    const auto related = ResultOf(report)["relatedLocations"][0];
    EXPECT_EQ(related["message"]["text"], "nobody");
    EXPECT_FALSE(related.contains("physicalLocation"));
}

TEST(Sarif, EveryRuleOnceWithItsResults) {
    Report other = Warning();
    other.rule = Rule::kTrap;
    const auto log = nlohmann::json::parse(
        SarifOf({RunWith({Warning(), other}), RunWith({Warning()})}, {"1.2.3", "https://example.org/"}));
    const auto& run = log["runs"][0];
    EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
    ASSERT_EQ(run["tool"]["driver"]["rules"].size(), 2u);
    EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "copy-tail");
    EXPECT_EQ(run["tool"]["driver"]["rules"][0]["helpUri"], "https://example.org/reports.md#copy-tail");
    EXPECT_EQ(run["tool"]["driver"]["rules"][1]["id"], "trap");
    ASSERT_EQ(run["results"].size(), 3u);
    EXPECT_EQ(run["results"][1]["ruleIndex"], 1);
    EXPECT_EQ(run["results"][2]["ruleIndex"], 0);
    EXPECT_EQ(run["invocations"].size(), 2u);
}

TEST(Junit, NamesAndTextsAreEscaped) {
    RunFindings run = RunWith({Warning("a&b\n\x01.cpp")});
    run.source = "x\"y'\xFF.cpp";
    EXPECT_EQ(
        JunitOf({run}, {}),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites tests=\"1\" failures=\"1\" errors=\"0\">\n"
        "  <testsuite name=\"sfumato\" tests=\"1\" failures=\"1\" errors=\"0\">\n"
        "    <testcase name=\"scale&lt;3, true&gt;\" classname=\"x&quot;y'\xEF\xBF\xBD.cpp\" "
        "file=\"x&quot;y'\xEF\xBF\xBD.cpp\">\n"
        "      <failure type=\"copy-tail\" message=\"a &lt; b &amp;&amp; &quot;c&quot;\">warning [copy-tail] a &lt; b "
        "&amp;&amp; &quot;c&quot;&#10;  where:  a&amp;b&#10;\xEF\xBF\xBD.cpp:7, kernel scale&lt;3, "
        "true&gt;</failure>\n"
        "    </testcase>\n  </testsuite>\n</testsuites>\n");
}

// "wrong" of a case of a sweep on two chips, and one that is right.
std::vector<RunFindings> Judged() {
    RunFindings wrong, right;
    wrong.name = "Axpy float16 15, seed 1";
    wrong.source = "axpy.cpp";
    wrong.line = 12;
    wrong.chip = "Ascend910B1";
    wrong.error_kind = "wrong";
    wrong.error = "y: different\nby exact";
    wrong.again = "sfumato sweep 'a b'";
    wrong.judged = true;
    wrong.seconds = 0.25;
    wrong.date = "2026-12-01T09:30:00Z";
    wrong.findings = {Warning()};
    right.name = "Axpy float16 16";
    right.chip = "Ascend310P3";
    right.seconds = 1.5;
    right.date = "2026-12-01T09:29:59Z";
    return {wrong, right};
}

TEST(Junit, AWrongResultIsAFailureWithTimesChipDateAndVersion) {
    EXPECT_EQ(
        JunitOf(Judged(), {"1.2.3", "", "2027-01-01T00:00:00Z"}),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites tests=\"2\" failures=\"1\" errors=\"0\" time=\"1.750000\" timestamp=\"2026-12-01T09:30:00\">\n"
        "  <testsuite name=\"sfumato\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"1.750000\" "
        "timestamp=\"2026-12-01T09:30:00\">\n"
        "    <properties><property name=\"version\" value=\"1.2.3\"/><property name=\"chip\" "
        "value=\"Ascend310P3, Ascend910B1\"/></properties>\n"
        "    <testcase name=\"Axpy float16 15, seed 1\" classname=\"axpy.cpp\" file=\"axpy.cpp\" time=\"0.250000\">\n"
        "      <properties><property name=\"chip\" value=\"Ascend910B1\"/></properties>\n"
        "      <failure type=\"wrong\" message=\"y: different\">y: different&#10;by exact&#10;  "
        "again:  sfumato sweep 'a b'</failure>\n"
        "      <system-out>warning [copy-tail] a &lt; b &amp;&amp; &quot;c&quot;&#10;  where:  k.cpp:7, kernel "
        "scale&lt;3, true&gt;&#10;</system-out>\n"
        "    </testcase>\n"
        "    <testcase name=\"Axpy float16 16\" classname=\"sfumato\" time=\"1.500000\">\n"
        "      <properties><property name=\"chip\" value=\"Ascend310P3\"/></properties>\n"
        "    </testcase>\n  </testsuite>\n</testsuites>\n");
}

TEST(Sarif, AWrongResultIsAResult) {
    const auto log = nlohmann::json::parse(SarifOf(Judged(), {"1.2.3", "", "2027-01-01T00:00:00Z"}));
    const auto& run = log["runs"][0];
    ASSERT_EQ(run["results"].size(), 2u);
    EXPECT_EQ(run["results"][1]["ruleId"], "wrong");
    EXPECT_EQ(run["results"][1]["level"], "error");
    EXPECT_EQ(run["results"][1]["message"]["text"],
              "Axpy float16 15, seed 1: y: different\nby exact\n  again:  sfumato sweep 'a b'");
    const auto& place = run["results"][1]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "axpy.cpp");
    EXPECT_EQ(place["region"]["startLine"], 12);
    EXPECT_EQ(run["tool"]["driver"]["rules"][1]["id"], "wrong");
    EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
    EXPECT_EQ(run["invocations"][0]["endTimeUtc"], "2026-12-01T09:30:00Z");
    EXPECT_EQ(run["invocations"][0]["properties"]["chip"], "Ascend910B1");
    EXPECT_EQ(run["invocations"][1]["properties"]["seconds"], 1.5);
}

TEST(Json, VersionDateAndTime) {
    const std::vector<RunFindings> runs = Judged();
    const FindingsTool tool{"1.2.3", "", "2027-01-01T00:00:00Z"};
    const auto one = nlohmann::json::parse(JsonOf(runs[0], tool));
    EXPECT_EQ(one["ok"], false);
    EXPECT_EQ(one["version"], "1.2.3");
    EXPECT_EQ(one["date"], "2026-12-01T09:30:00Z");
    EXPECT_EQ(one["seconds"], 0.25);
    EXPECT_EQ(one["failure"]["kind"], "wrong");
    EXPECT_EQ(one["again"], "sfumato sweep 'a b'");
    EXPECT_FALSE(one.contains("error"));
    const auto all = nlohmann::json::parse(JsonOf(Together({runs[1], runs[0]}), tool));
    EXPECT_EQ(all["date"], "2026-12-01T09:30:00Z");
    EXPECT_EQ(all["seconds"], 1.75);
    EXPECT_EQ(all["failure"]["kind"], "wrong");
    EXPECT_EQ(nlohmann::json::parse(JsonOf({}, tool))["date"], "2027-01-01T00:00:00Z");
}

TEST(Tool, TheDateIsThatOfTheEnvironment) {
    ::setenv("SOURCE_DATE_EPOCH", "1796117400", 1);
    EXPECT_EQ(ThisTool().date, "2026-12-01T09:30:00Z");
    ::unsetenv("SOURCE_DATE_EPOCH");
    EXPECT_TRUE(ThisTool().date.size() == 20 && ThisTool().date >= "2026") << ThisTool().date;
}

TEST(Junit, ATestcaseARun) {
    RunFindings unknown, refused = RunWith({});
    unknown.findings = {Warning()};
    refused.kernel = "";
    refused.error_kind = "usage";
    refused.error = "which chip?\nmany";
    RunFindings nameless;
    const std::string text = JunitOf({RunWith({}), unknown, refused, nameless});
    EXPECT_NE(text.find("tests=\"4\" failures=\"1\" errors=\"1\""), std::string::npos);
    EXPECT_NE(text.find("<testcase name=\"scale&lt;3, true&gt;\" classname=\"sfumato\">"), std::string::npos);
    EXPECT_NE(text.find("<error type=\"usage\" message=\"which chip?\">which chip?&#10;many</error>"),
              std::string::npos);
    EXPECT_NE(text.find("<testcase name=\"run 4\" classname=\"sfumato\">"), std::string::npos);
}

TEST(CompileFindings, ErrorsWithTheirNotes) {
    const auto findings = CompileFindings(
        "k.cpp does not compile for Ascend910B1 (/usr/bin/c++ ended with 1)\n"
        "In file included from k.cpp:1:\n"
        "a.h: In function 'void f()':\n"
        "a.h:2:9: warning: unused\n"
        "a.h:2:9: note: of the warning\n"
        "a.h:3:9: error: 'y' was not declared\n"
        "    3 | int x = y;\n"
        "k.cpp:8:1: note: declared here\n"
        "k.cpp:9:   required from here\n"
        "k.cpp:9: fatal error: b.h: No such file\n",
        "k.cpp", "Ascend910B1");
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0].rule, "compile-error");
    EXPECT_EQ(findings[0].severity, Severity::kFault);
    EXPECT_EQ(findings[0].chip, "Ascend910B1");
    EXPECT_EQ(findings[0].message, "'y' was not declared");
    EXPECT_EQ(findings[0].file, "a.h");
    EXPECT_EQ(findings[0].line, 3u);
    ASSERT_EQ(findings[0].related.size(), 1u);
    EXPECT_EQ(findings[0].related[0].file, "k.cpp");
    EXPECT_EQ(findings[0].related[0].line, 8u);
    EXPECT_EQ(findings[0].related[0].note, "declared here");
    EXPECT_EQ(findings[1].message, "b.h: No such file");
    EXPECT_EQ(findings[1].line, 9u);
}

TEST(CompileFindings, OurOwnSentences) {
    const auto findings = CompileFindings("k.cpp:12: Tanh: high-level API, not supported yet", "k.cpp", "");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].message, "Tanh: high-level API, not supported yet");
    EXPECT_EQ(findings[0].line, 12u);
}

TEST(CompileFindings, WithoutAPlaceTheWholeText) {
    const auto findings = CompileFindings("no C++ compiler found\n\n", "k.cpp", "");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].message, "no C++ compiler found");
    EXPECT_EQ(findings[0].file, "k.cpp");
    EXPECT_EQ(findings[0].line, 0u);
    EXPECT_EQ(CompileFindings("", "k.cpp", "").size(), 1u);
}

}  // namespace
}  // namespace sfumato
