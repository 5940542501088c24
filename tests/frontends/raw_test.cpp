// SPDX-License-Identifier: Apache-2.0
// Kernels of raw calls: the same bytes under every schedule, nothing to report, and the records of the calls of AscendC.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "frontends/kernels_raw.h"

namespace sfumato::frontends_test {
namespace {

std::vector<RawProgram> Programs() {
    std::vector<RawProgram> all = RawVectorPrograms();
    for (RawProgram& p : RawCubePrograms()) all.push_back(std::move(p));
    return all;
}

class Raw : public testing::TestWithParam<RawProgram> {};

TEST_P(Raw, SameBytesUnderEverySchedule) {
    const Program& program = GetParam().program;
    std::vector<std::string> schedules = {"eager", "late", "ahead", "all:4"};
    for (int seed = 1; seed <= 8; ++seed) schedules.push_back(fmt::format("seed:{}", seed));
    for (const std::string& chip : program.chips) {
        for (const std::string& schedule : schedules) {
            for (const uint32_t blocks : {1u, 4u}) {
                for (const bool auto_sync : {false, true}) {
                    const Outcome outcome = Execute(program, chip, schedule, blocks, auto_sync);
                    const std::string place = fmt::format("{} under {}, {} blocks", chip, schedule, blocks);
                    ASSERT_TRUE(Quiet(outcome.result)) << place << "\n" << outcome.result.findings.front().Text();
                    ASSERT_EQ(Difference(program, outcome), "") << place;
                }
            }
        }
        const Outcome checked = Execute(program, chip, "eager", 4, false, "all");
        EXPECT_EQ(Difference(program, checked), "") << chip;
        for (const Report& report : checked.result.findings) {
            if (report.severity != Severity::kNote) ADD_FAILURE() << chip << "\n" << report.Text();
        }
    }
}

// The lines of a log without places in the source.
std::vector<std::string> Records(Program program, const std::string& chip) {
    GlobalMemory memory(GlobalMemory::Options{.fill = kFill});
    std::vector<uint8_t*> gm;
    for (const Argument& argument : program.arguments) {
        gm.push_back(memory.Allocate(argument.before.size(), fmt::format("arg{}", gm.size())));
        std::copy(argument.before.begin(), argument.before.end(), gm.back());
    }
    std::vector<std::string> lines;
    LaunchOptions options;
    options.chip = chip;
    options.core = program.core;
    options.auto_sync = false;
    options.log = [&](std::string_view line) {
        lines.push_back(std::regex_replace(std::string(line), std::regex(" *\\(?[^ ]*\\.(cpp|h):[0-9]+\\)?"), ""));
    };
    Launch(options, 1, memory, [&] { program.kernel(gm.data()); });
    return lines;
}

TEST_P(Raw, GivesTheRecordsOfTheNamedCalls) {
    const RawProgram& raw = GetParam();
    if (!raw.named) GTEST_SKIP() << "no kernel of AscendC says the same";
    Program named = raw.program;
    named.kernel = raw.named;
    for (const std::string& chip : named.chips) {
        EXPECT_EQ(Difference(named, Execute(named, chip, "eager", 1, false)), "");
        EXPECT_EQ(Records(raw.program, chip), Records(named, chip)) << chip;
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Raw, testing::ValuesIn(Programs()),
                         [](const auto& param) { return param.param.program.name; });

}  // namespace

void PrintTo(const RawProgram& raw, std::ostream* out) { *out << raw.program.name; }

}  // namespace sfumato::frontends_test
