// SPDX-License-Identifier: Apache-2.0
// A correctly synchronised program gives the same bytes under every schedule; one with a step missing does not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "frontends/kernels.h"

namespace sfumato::frontends_test {
namespace {

std::vector<std::string> Schedules() {
    std::vector<std::string> schedules = {"eager", "late", "ahead"};
    for (int seed = 1; seed <= 20; ++seed) schedules.push_back(fmt::format("seed:{}", seed));
    return schedules;
}

std::vector<Program> CorrectPrograms() {
    std::vector<Program> all;
    for (auto* group : {QueuePrograms, FlagPrograms, MovePrograms, MaskPrograms, ConvertPrograms, CubeProductPrograms,
                        CubeChainPrograms}) {
        for (Program& program : group()) all.push_back(std::move(program));
    }
    return all;
}
std::vector<BrokenProgram> AllBrokenPrograms() {
    std::vector<BrokenProgram> all;
    for (auto* group : {BrokenPrograms, BrokenCubeProductPrograms, BrokenCubeChainPrograms}) {
        for (BrokenProgram& broken : group()) all.push_back(std::move(broken));
    }
    return all;
}

void ExpectRight(const Program& program, const std::string& chip, const std::string& schedule, uint32_t blocks,
                 bool auto_sync) {
    const Outcome outcome = Execute(program, chip, schedule, blocks, auto_sync);
    const std::string place =
        fmt::format("{} on {} under {}, {} blocks, auto_sync {}", program.name, chip, schedule, blocks, auto_sync);
    EXPECT_TRUE(Quiet(outcome.result)) << place << "\n" << outcome.result.findings.front().Text();
    EXPECT_EQ(Difference(program, outcome), "") << place;
}

class Correct : public testing::TestWithParam<Program> {};

TEST_P(Correct, SameBytesUnderEverySchedule) {
    const Program& program = GetParam();
    for (const std::string& chip : program.chips) {
        for (const std::string& schedule : Schedules()) {
            for (const uint32_t blocks : {1u, 4u}) {
                ExpectRight(program, chip, schedule, blocks, true);
                if (!program.auto_sync) ExpectRight(program, chip, schedule, blocks, false);
                if (HasFailure()) return;
            }
        }
    }
}

TEST_P(Correct, AllSchedulesFindNothing) {
    const Program& program = GetParam();
    const Outcome outcome = Execute(program, program.chips.back(), "all:4", 4, program.auto_sync);
    EXPECT_TRUE(Quiet(outcome.result)) << outcome.result.findings.front().Text();
    EXPECT_EQ(Difference(program, outcome), "");
}

// The rules that a right program breaks on purpose (tests/data/known_findings.csv); none for most.
std::set<std::string> KnownFindings(const std::string& name) {
    std::set<std::string> rules;
    std::ifstream file(SFUMATO_TEST_DATA "/known_findings.csv");
    for (std::string program, rule, why; std::getline(file, program, ',');) {
        std::getline(file, rule, ','), std::getline(file, why);
        if (program == name) rules.insert(rule);
    }
    return rules;
}

TEST_P(Correct, EveryCheckFindsNothing) {
    const Program& program = GetParam();
    std::set<std::string> rules;
    std::string texts;
    for (const std::string& chip : program.chips) {
        for (const bool auto_sync : {true, program.auto_sync}) {
            const Outcome outcome = Execute(program, chip, "eager", 4, auto_sync, "all");
            EXPECT_EQ(Difference(program, outcome), "") << chip;
            for (const Report& report : outcome.result.findings) {
                if (report.severity == Severity::kNote) continue;
                rules.insert(Name(report.rule));
                texts += report.Text() + "\n";
            }
        }
    }
    EXPECT_EQ(rules, KnownFindings(program.name)) << texts;
}

INSTANTIATE_TEST_SUITE_P(Programs, Correct, testing::ValuesIn(CorrectPrograms()),
                         [](const auto& param) { return param.param.name; });

class Broken : public testing::TestWithParam<BrokenProgram> {};

TEST_P(Broken, IsShownByItsScheduleAndNotByEager) {
    const auto& [missing, schedule, program] = GetParam();
    for (const std::string& chip : program.chips) {
        for (const uint32_t blocks : {1u, 4u}) {
            const std::string place =
                fmt::format("{} without {} on {}, {} blocks", program.name, missing, chip, blocks);
            EXPECT_EQ(Difference(program, Execute(program, chip, "eager", blocks, program.auto_sync)), "") << place;
            const Outcome shown = Execute(program, chip, schedule, blocks, program.auto_sync);
            EXPECT_NE(Difference(program, shown), "") << place << ": not shown by " << schedule;
            for (int again = 0; again < 3; ++again) {
                EXPECT_EQ(Execute(program, chip, schedule, blocks, program.auto_sync).memory, shown.memory)
                    << place << ": not deterministic";
            }
        }
    }
}

// The two steps are named: one of them, or what wrote the byte, is told with a line.
TEST_P(Broken, AllSchedulesNameTwoSteps) {
    const auto& [missing, schedule, program] = GetParam();
    const Outcome outcome = Execute(program, program.chips.back(), "all:20", 1, program.auto_sync);
    EXPECT_EQ(Difference(program, outcome), "") << "what is kept is eager's";
    const auto& findings = outcome.result.findings;
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [](const Report& r) { return r.rule == "schedule-dependent"; });
    if (found == findings.end()) {
        // Then a flag that the missing one kept from it is set twice, which is a fault before bytes differ.
        ASSERT_FALSE(findings.empty()) << program.name << " without " << missing;
        EXPECT_EQ(findings[0].rule, "flag-set-twice") << missing;
        EXPECT_NE(findings[0].hint.find("SetFlag<HardEvent::" + missing.substr(5, 6) + "> after that WaitFlag"),
                  std::string::npos)
            << missing << "\n" << findings[0].Text();
        return;
    }
    EXPECT_EQ(found->related.size(), 1u) << missing << "\n" << found->Text();
    EXPECT_NE(found->line, 0u) << found->Text();
}

// With auto_sync the compiler's own flags and barriers stand in for the missing ones between S and V and within V.
TEST(AutoSync, StandsInForScalarFlagsAndVectorBarriers) {
    const std::set<std::string> covered = {"flag S_V", "flag V_S", "flag MTE2_S", "PIPE_V barrier"};
    size_t found = 0;
    for (const BrokenProgram& broken : BrokenPrograms()) {
        if (!covered.count(broken.missing)) continue;
        ++found;
        for (const std::string& schedule : Schedules()) ExpectRight(broken.program, "Ascend910B", schedule, 1, true);
    }
    EXPECT_EQ(found, covered.size());
}

std::string Identifier(std::string text) {
    for (char& c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return text;
}
INSTANTIATE_TEST_SUITE_P(Programs, Broken, testing::ValuesIn(AllBrokenPrograms()),
                         [](const auto& param) { return Identifier(param.param.missing); });

}  // namespace

void PrintTo(const Program& program, std::ostream* os) { *os << program.name; }
void PrintTo(const BrokenProgram& broken, std::ostream* os) {
    *os << broken.program.name << " without " << broken.missing;
}

}  // namespace sfumato::frontends_test
