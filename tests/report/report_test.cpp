// SPDX-License-Identifier: Apache-2.0
// The text and the JSON of a report.
#include "sfumato/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/rules.h"

namespace sfumato {
namespace {

Report Full() {
    return {Severity::kFault,
            Rule::kUbAlignment,
            "Ascend910B",
            "cast_simple_kernel",
            "aiv0",
            "Cast",
            2,
            "dst",
            "Cast: the destination is not aligned",
            "byte offset 20 in UB",
            "a multiple of 32",
            "start at an index that is a multiple of 8 elements of int32_t",
            "cast.cpp",
            27};
}

TEST(Report, Text) {
    EXPECT_EQ(Full().Text(),
              "fault [ub-alignment] Cast: the destination is not aligned\n"
              "  where:  cast.cpp:27, kernel cast_simple_kernel, core aiv0, instruction 2 (Ascend910B)\n"
              "  found:  dst: byte offset 20 in UB\n"
              "  legal:  a multiple of 32\n"
              "  do:     start at an index that is a multiple of 8 elements of int32_t");
}

TEST(Report, EmptyFieldsAreLeftOut) {
    Report r;
    r.severity = Severity::kWarning;
    r.rule = Rule::kCopyTail;
    r.message = "DataCopy: the tail is not moved";
    EXPECT_EQ(r.Text(), "warning [copy-tail] DataCopy: the tail is not moved");
    r.chip = "Ascend910";
    r.operand = "count";
    EXPECT_EQ(r.Text(), "warning [copy-tail] DataCopy: the tail is not moved\n  where:  (Ascend910)\n  found:  count");
}

TEST(Report, JsonHoldsEveryField) {
    Report r = Full();
    r.hint = "a \"quoted\"\nhint\\";
    const auto json = nlohmann::json::parse(r.Json());
    EXPECT_EQ(json.size(), 15u);
    EXPECT_EQ(json["severity"], "fault");
    EXPECT_EQ(json["rule"], "ub-alignment");
    EXPECT_EQ(json["whose"], "program");
    EXPECT_EQ(json["chip"], r.chip);
    EXPECT_EQ(json["kernel"], r.kernel);
    EXPECT_EQ(json["core"], r.core);
    EXPECT_EQ(json["instruction"], r.instruction);
    EXPECT_EQ(json["index"], 2);
    EXPECT_EQ(json["operand"], r.operand);
    EXPECT_EQ(json["message"], r.message);
    EXPECT_EQ(json["found"], r.found);
    EXPECT_EQ(json["legal"], r.legal);
    EXPECT_EQ(json["hint"], r.hint);
    EXPECT_EQ(json["file"], r.file);
    EXPECT_EQ(json["line"], 27);
    r.file = "bad\xFF.cpp";
    EXPECT_NO_THROW(nlohmann::json::parse(r.Json()));
}

// The line stands only where the finding is not the program's.
TEST(Report, SaysWhoseItIs) {
    Report r = Full();
    EXPECT_STREQ(r.Whose(), "program");
    r.rule = Rule::kSimtUnsupported;
    r.hint = "";
    EXPECT_STREQ(r.Whose(), "sfumato");
    EXPECT_TRUE(
        r.Text().ends_with("\n  legal:  a multiple of 32\n"
                           "  whose:  Sfumato's: no chip with SIMT is modelled"));
    r.rule = Rule::kStrideUnit;
    r.hint = "leave it";
    EXPECT_STREQ(r.Whose(), "documentation");
    EXPECT_TRUE(r.Text().ends_with("\n  whose:  the documentation's: no page defines its units\n  do:     leave it"));
    EXPECT_EQ(nlohmann::json::parse(r.Json())["whose"], "documentation");
}

TEST(Reading, TextAndJson) {
    Reading r{"Exp", "The result is rounded once.", "assumed", "page Exp", "", "k.cpp", 7, 1};
    EXPECT_EQ(r.Text(), "assumed [Exp] The result is rounded once.\n  where:  k.cpp:7\n  source: page Exp");
    r.count = 12;
    r.option = "`--other`";
    EXPECT_EQ(r.Text(),
              "assumed [Exp] The result is rounded once.\n  where:  k.cpp:7, 12 times\n  source: page Exp\n"
              "  switch: `--other`");
    const auto json = nlohmann::json::parse(r.Json());
    const nlohmann::json want = {
        {"call", "Exp"},         {"reading", r.reading}, {"tag", "assumed"}, {"source", "page Exp"},
        {"switch", "`--other`"}, {"file", "k.cpp"},      {"line", 7},        {"count", 12}};
    EXPECT_EQ(json, want);
}

TEST(Report, KernelErrorSaysTheText) {
    const KernelError error(Full());
    EXPECT_EQ(error.what(), Full().Text());
    EXPECT_EQ(error.report().rule, "ub-alignment");
}

}  // namespace
}  // namespace sfumato
