// SPDX-License-Identifier: Apache-2.0
// The rows of the table of rules, and reports made of them.
#include "report/rules.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "report/finding.h"

namespace sfumato {
namespace {

TEST(Rules, IdsAreUniqueAndKebabCase) {
    std::set<std::string> ids;
    for (const RuleInfo& rule : kRules) {
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
        EXPECT_EQ(std::string(rule.id).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos)
            << rule.id;
        EXPECT_EQ(&Info(*FindRule(rule.id)), &rule);
        EXPECT_TRUE(std::string_view(rule.sentence).ends_with('.')) << rule.id;
        EXPECT_STRNE(rule.source, "") << rule.id;
    }
    EXPECT_FALSE(FindRule("no-such-rule"));
}

// Whoever refuses a call before its values are known throws: only faults can.
TEST(Rules, RulesOfTypesAreFaults) {
    for (const RuleInfo& rule : kRules) {
        if (rule.known == Known::kTypes) EXPECT_EQ(rule.severity, Severity::kFault) << rule.id;
    }
}

// A rule has one owner, and a clause that goes on behind a colon.
TEST(Rules, OwnersAreNamedOnce) {
    std::set<Rule> rules;
    for (const OwnerInfo& owner : kOwners) {
        const std::string why = owner.why;
        EXPECT_TRUE(rules.insert(owner.rule).second) << Info(owner.rule).id;
        EXPECT_NE(owner.whose, Whose::kProgram) << Info(owner.rule).id;
        EXPECT_FALSE(why.empty() || why.ends_with('.') || std::isupper(static_cast<unsigned char>(why[0]))) << why;
    }
}

TEST(Rules, AFindingBecomesAReport) {
    const Report r =
        ToReport({Rule::kGmPadding, "src", "reads on", "31 bytes", "none", "pad"}, "DataCopy", {"a.cpp", 7});
    EXPECT_EQ(r.severity, Severity::kWarning);
    EXPECT_EQ(r.rule, "gm-padding");
    EXPECT_EQ(r.instruction, "DataCopy");
    EXPECT_EQ(r.Text(),
              "warning [gm-padding] DataCopy: reads on\n  where:  a.cpp:7\n  found:  src: 31 bytes\n"
              "  legal:  none\n  whose:  the documentation's: no page says whether a whole block may reach past an "
              "allocation\n  do:     pad");
    EXPECT_EQ(ToReport({Rule::kChip, "", "no chip", "", "", ""}, "", {}).message, "no chip");
}

}  // namespace
}  // namespace sfumato
