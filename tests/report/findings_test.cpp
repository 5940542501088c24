// SPDX-License-Identifier: Apache-2.0
// The files about findings: what their formats demand of odd names and bytes, and what compilers' messages become.
#include "sfumato/findings.h"

#include <gtest/gtest.h>

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
        JunitOf({run}),
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
