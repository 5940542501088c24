// SPDX-License-Identifier: Apache-2.0
// Every rule of chips/reports.toml has a wrong program, or stands in a short list with the reason.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <toml++/toml.h>

#include "check/rules.h"
#include "wrong_runner.h"

namespace sfumato::wrong {
namespace {

struct Text {
    std::string_view name, text;
};
constexpr Text kTexts[] = {
#include <wrong_texts.inc>
};
constexpr Text kTikSources[] = {
#include <tik_sources.inc>
};
// Wrong TIK programs: tests/python/tik_wrong_*.txt and those of tests/frontends/tik.
constexpr Text kTikScripts[] = {
#include <tik_scripts.inc>
};

// Rules no Ascend C program can reach; tests/check reaches them with records.
const std::map<std::string, std::string> kUnreachable = {
    {"deqscale-not-taken", "TIK only: Ascend C keeps the scale in a register, which other conversions ignore"},
    {"deqscale-address", "deqscale-tensor refuses such a tensor before"},
    {"half-block-unsupported", "every CastDeq to 8 bits of every chip chooses a half"},
    {"stride-range", "the members of the parameter structs hold legal values only"},
    {"past-memory", "a buffer ends before its memory does"},
    {"pad-to-gm", "DataCopyPad to global memory takes no padding"},
};

// Those of the group, or all.
std::set<std::string> RulesOfData(std::string_view group = {}) {
    std::set<std::string> ids;
    for (const auto& [name, text] : kTexts) {
        if (!name.ends_with("reports.toml")) continue;
        const auto table = toml::parse(text);
        for (const auto& rule : *table["rule"].as_array()) {
            bool wanted = group.empty();
            for (const auto& one : *rule.at_path("groups").as_array()) {
                wanted = wanted || one.value<std::string>() == group;
            }
            if (wanted) ids.insert(*rule.at_path("id").value<std::string>());
        }
    }
    return ids;
}

// What the first group of the expression matches in the texts.
template <size_t kCount>
void Collect(const Text (&texts)[kCount], const std::regex& expression, std::set<std::string>* ids) {
    for (const auto& [name, text] : texts) {
        const std::string source(text);
        for (std::sregex_iterator at(source.begin(), source.end(), expression), end; at != end; ++at) {
            ids->insert((*at)[1]);
        }
    }
}

// Problems of C++ (Refuse, Fail, ToReport and local words for them), faults of Python.
std::set<std::string> RulesOfTikSources() {
    const std::regex problem(R"re((?:Refuse|Fail|ToReport)\s*\([^;{}]*?\{\s*"([a-z0-9-]+)",)re");
    const std::regex local(R"re(\bfail\(\s*"([a-z]+-[a-z0-9-]+)",)re");
    const std::regex python(R"re((?:fault|_error)\(\s*"([a-z0-9-]+)",)re");
    std::set<std::string> ids;
    for (const std::regex* expression : {&problem, &local, &python}) Collect(kTikSources, *expression, &ids);
    return ids;
}

// "fault [id]" of the scripts' errors; {"name", "id", ...} and EXPECT_EQ(....rule, "id") of the C++ tests.
std::set<std::string> RulesOfTikScripts() {
    std::set<std::string> ids;
    Collect(kTikScripts, std::regex(R"re((?:fault|warning) \[([a-z0-9-]+)\])re"), &ids);
    Collect(kTikScripts, std::regex(R"re(\{"[^"]*",\s*"([a-z0-9-]+)",)re"), &ids);
    Collect(kTikScripts, std::regex(R"re(rule, "([a-z0-9-]+)")re"), &ids);
    return ids;
}

// The string literals of assignments to `rule` in the sources of the front end and the runtime.
std::set<std::string> RulesOfSources() {
    const std::regex assignment(R"re(\brule\s*=\s*([^;{}]*?)(,\s*\.|;))re"), literal(R"re("([a-z0-9-]+)")re");
    std::set<std::string> ids;
    for (const auto& [name, text] : kTexts) {
        if (!name.ends_with(".cpp") || name.starts_with("check/")) continue;
        const std::string source(text);
        for (std::sregex_iterator at(source.begin(), source.end(), assignment), end; at != end; ++at) {
            const std::string value = (*at)[1];
            for (std::sregex_iterator id(value.begin(), value.end(), literal); id != end; ++id) ids.insert((*id)[1]);
        }
    }
    return ids;
}

std::set<std::string> RulesOfPrograms() {
    std::set<std::string> ids;
    for (const Program& program : AllPrograms()) ids.insert(program.report.rule);
    return ids;
}

TEST(WrongRules, EveryRuleHasAWrongProgram) {
    const std::set<std::string> tested = RulesOfPrograms(), tik = RulesOfData("tik");
    for (const std::string& id : RulesOfData()) {
        if (tik.contains(id)) continue;
        EXPECT_NE(tested.contains(id), kUnreachable.contains(id))
            << id << ": add a wrong program, or say in kUnreachable why none can be";
    }
}

TEST(WrongRules, EveryRuleOfTikHasAWrongScript) {
    const std::set<std::string> tested = RulesOfTikScripts();
    for (const std::string& id : RulesOfData("tik")) {
        EXPECT_TRUE(tested.contains(id)) << id << ": add a script to tests/python/tik_wrong_scripts.txt";
    }
}

TEST(WrongRules, EveryUnreachableRuleIsTestedWithRecords) {
    std::string rules_test;
    for (const auto& [name, text] : kTexts) {
        if (name == "check/rules_test.cpp") rules_test = text;
    }
    ASSERT_FALSE(rules_test.empty());
#define SFUMATO_RULE(enumerator, id, severity, sentence, source) \
    if (kUnreachable.contains(id)) {                             \
        EXPECT_NE(rules_test.find(#enumerator), std::string::npos) << id; \
    }
#include "check/rules.inc"
#undef SFUMATO_RULE
}

TEST(WrongRules, TheDataNamesEveryRuleOfTheSources) {
    const std::set<std::string> data = RulesOfData(), sources = RulesOfSources();
    EXPECT_GT(sources.size(), 50u);
    for (const std::string& id : sources) EXPECT_TRUE(data.contains(id)) << id << " is missing in chips/reports.toml";
    const std::set<std::string> tik = RulesOfTikSources();
    EXPECT_GT(tik.size(), 60u);
    for (const std::string& id : tik) EXPECT_TRUE(data.contains(id)) << id << " is missing in chips/reports.toml";
    for (const check::RuleInfo& rule : check::kRules) EXPECT_TRUE(data.contains(rule.id)) << rule.id;
}

TEST(WrongRules, TheSourcesHaveEveryRuleOfTheData) {
    std::set<std::string> sources = RulesOfSources();
    sources.merge(RulesOfTikSources());
    std::set<std::string> checked;
    for (const check::RuleInfo& rule : check::kRules) checked.insert(rule.id);
    for (const std::string& id : RulesOfData()) {
        EXPECT_TRUE(sources.contains(id) || checked.contains(id)) << id << " of chips/reports.toml is never reported";
    }
}

}  // namespace
}  // namespace sfumato::wrong
