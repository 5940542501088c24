// SPDX-License-Identifier: Apache-2.0
// The wrong half of each pair is found in one eager run and keeps its outputs; the corrected half is silent, and right
// under every schedule. Reports are those of reports/, the table that of docs/checks/suite.md; SFUMATO_REWRITE=1 in the
// environment writes both anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "report/rules.h"
#include "sanitize/pairs/runner.h"
#include "support/golden.h"
#include "support/raised.h"

namespace sfumato::pairs {

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

namespace {

std::vector<Pair> AllPairs() {
    std::vector<Pair> all;
    for (const Class& of : Classes()) {
        for (Pair& pair : of.pairs()) all.push_back(std::move(pair));
    }
    return all;
}

std::string TextOf(const Outcome& run) { return StableText(run.findings); }

class OfSuite : public testing::TestWithParam<Pair> {};

TEST_P(OfSuite, WrongHalfIsFoundAndKeepsItsOutputs) {
    const Pair& pair = GetParam();
    ASSERT_TRUE(FindRule(pair.rule)) << pair.rule;
    const Outcome run = RunHalf(pair, true, pair.check);
    const Verdict verdict = Judge(pair, run);
    EXPECT_EQ(verdict.found, 1u) << TextOf(run);
    EXPECT_EQ(verdict.others, std::vector<std::string>(pair.others.begin(), pair.others.end())) << TextOf(run);
    Raised(pair.rule);
    for (const Report& report : run.findings) {
        EXPECT_TRUE(report.rule != "race" || report.related.size() == 1) << StableText(report);
    }
    if (Info(*FindRule(pair.rule)).severity != Severity::kFault) {
        EXPECT_TRUE(run.ok) << TextOf(run);
        EXPECT_TRUE(run.memory == RunHalf(pair, true, "none").memory);
    }
    RunHalf(pair, true, "default");
}

TEST_P(OfSuite, CorrectedHalfIsSilentAndRight) {
    const Pair& pair = GetParam();
    const Outcome run = RunHalf(pair, false, pair.check);
    const Verdict verdict = Judge(pair, run);
    EXPECT_EQ(verdict.found, 0u) << TextOf(run);
    EXPECT_EQ(verdict.others, std::vector<std::string>()) << TextOf(run);
    for (const char* check : {"none", "default"}) {
        const Outcome other = RunHalf(pair, false, check);
        EXPECT_TRUE(other.memory == run.memory) << check;
        EXPECT_EQ(Judge(pair, other).others, std::vector<std::string>()) << TextOf(other);
    }
    for (const char* schedule : {"late", "ahead", "seed:1", "seed:2", "seed:3", "seed:4"}) {
        const Outcome other = RunHalf(pair, false, "none", schedule);
        EXPECT_TRUE(other.memory == run.memory) << schedule << "\n" << TextOf(other);
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, OfSuite, testing::ValuesIn(AllPairs()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Suite, GivesTheReportsThatAreWrittenDown) {
    for (const Class& of : Classes()) {
        std::string text;
        for (const Pair& pair : of.pairs()) {
            std::vector<Report> reports = RunHalf(pair, true, pair.check).findings;
            std::erase_if(reports, [&](const Report& report) {
                return report.rule != pair.rule && report.severity == Severity::kNote;
            });
            text += Pinned(pair.name, StableText(reports));
        }
        ExpectFile(fmt::format("{}/reports/{}.txt", SFUMATO_PAIRS, of.name), text);
    }
}

// Where two pipes meet without a third between them.
TEST(Suite, AdvisesTheCallOfTheCorrectedHalf) {
    size_t compared = 0;
    for (const Class& of : Classes()) {
        if (std::string_view(of.name) == "order") continue;
        for (const Pair& pair : of.pairs()) {
            for (const Report& report : RunHalf(pair, true, pair.check).findings) {
                const std::string mend = MendOf(report);
                if (report.rule != pair.rule || mend.empty()) continue;
                EXPECT_NE(report.hint.find(mend), std::string::npos) << pair.name << "\n" << StableText(report);
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100u);
}

TEST(Suite, HasOneNameForEachPair) {
    std::set<std::string> names;
    for (const Pair& pair : AllPairs()) EXPECT_TRUE(names.insert(pair.name).second) << pair.name;
}

TEST(Suite, TableIsThatOfTheDocumentation) {
    std::string text =
        "# The suite of pairs\n\n"
        "Each pair is a wrong kernel and its corrected twin, which differ by the statement at fault "
        "(`tests/sanitize/pairs`). "
        "*found*: wrong\nhalves with the expected finding in one eager run under `--check=all`; *false alarms*: "
        "findings at "
        "warning or above besides, in either half. *races*: wrong halves that lack an order inside a core; *shown*: of "
        "these,\nthose that leave other bytes or a fault under `--schedule late` or `ahead`, without a check. The "
        "others "
        "no order shows:\nthe scalar unit has read before it issues the write, both accesses write the same bytes, or "
        "nothing reads them (the list is in\n`schedules_test.cpp`).\nWritten by the test `sanitize_pairs`.\n\n"
        "| class | pairs | found | false alarms | races | shown |\n|---|---|---|---|---|---|\n";
    struct Counts {
        size_t pairs = 0, found = 0, alarms = 0, races = 0, shown = 0;
    } all;
    const auto row = [&text](const std::string& name, const Counts& counts) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, counts.pairs, counts.found, counts.alarms,
                            counts.races, counts.shown);
    };
    for (const Class& of : Classes()) {
        Counts counts;
        for (const Pair& pair : of.pairs()) {
            const Verdict wrong = Judge(pair, RunHalf(pair, true, pair.check));
            const Verdict right = Judge(pair, RunHalf(pair, false, pair.check));
            ++counts.pairs;
            counts.found += wrong.found != 0;
            counts.alarms += wrong.found > 1 ? wrong.found - 1 : 0;
            counts.alarms += wrong.others.size() - std::min(wrong.others.size(), pair.others.size());
            counts.alarms += right.found + right.others.size();
        }
        for (const Pair& pair : WithMixedInputs(of)) {
            if (!IsRaceInACore(pair)) continue;
            ++counts.races;
            counts.shown += ShowsUnder(pair, "late") || ShowsUnder(pair, "ahead");
        }
        row(of.name, counts);
        all.races += counts.races, all.shown += counts.shown;
        all.pairs += counts.pairs, all.found += counts.found, all.alarms += counts.alarms;
    }
    row("all", all);
    std::vector<std::string> sources;
    for (const Pair& pair : AllPairs()) {
        if (*pair.source) sources.push_back(fmt::format("| `{}` | {} |\n", pair.name, pair.source));
    }
    if (!sources.empty())
        text += "\nRebuilt from public bug reports, in our own code:\n\n| pair | report |\n|---|---|\n";
    for (const std::string& source : sources) text += source;
    std::fputs(text.c_str(), stdout);
    ExpectFile(SFUMATO_SUITE_PAGE, text);
}

}  // namespace
}  // namespace sfumato::pairs
