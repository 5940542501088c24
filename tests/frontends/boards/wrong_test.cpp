// SPDX-License-Identifier: Apache-2.0
// Each wrong kernel gives the report that stands in reports/, and its twin none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/raised.h"
#include "wrong.h"

namespace sfumato::boards {

void PrintTo(const Wrong& tested, std::ostream* out) { *out << tested.name; }

namespace {

class WrongOnBoards : public testing::TestWithParam<Wrong> {};

std::vector<Report> Told(const Wrong& tested, bool wrong) {
    std::vector<float> x(kFloats);
    for (uint32_t i = 0; i < kFloats; ++i) x[i] = static_cast<float>(i * 7 % 10);
    const Argument y{Bytes(kBytes, kFill), {}};
    const Program program{tested.name, {tested.chip}, {In(x), y}, [&](auto gm) { tested.kernel(gm[0], gm[1], wrong); }};
    const auto& [schedule, check, blocks, auto_sync] = tested.options;
    std::vector<Report> findings = Execute(program, tested.chip, schedule, blocks, auto_sync, check).result.findings;
    // Notes say of each program that no page lists SetFlag for Ascend310B.
    std::erase_if(findings, [](const Report& report) { return report.rule == "unlisted-on-chip"; });
    return findings;
}

TEST_P(WrongOnBoards, GivesItsReport) {
    const std::vector<Report> reports = Told(GetParam(), true);
    ASSERT_FALSE(reports.empty());
    for (const Report& report : reports) Raised(report.rule);
    ExpectReports(GetParam().file, GetParam().name, reports);
}

TEST_P(WrongOnBoards, TwinGivesNone) {
    for (const Report& report : Told(GetParam(), false)) ADD_FAILURE() << report.Text();
}

std::vector<Wrong> All() {
    std::vector<Wrong> all;
    for (auto* group : {WrongVector, WrongCalls, WrongCube}) {
        for (const Wrong& wrong : group()) all.push_back(wrong);
    }
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, WrongOnBoards, testing::ValuesIn(All()),
                         [](const testing::TestParamInfo<Wrong>& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace sfumato::boards
