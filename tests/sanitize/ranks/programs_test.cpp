// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks under several schedules: what they are told, and that their twins are told nothing.
#include <regex>

#include "sanitize/ranks/rank_programs.h"
#include "support/golden.h"
#include "support/raised.h"

namespace sfumato::ranks {
namespace {

using runtime::RankOrder;

const std::pair<const char*, RankOrder> kOrders[] = {
    {"eager", {RankOrder::Kind::kEager, 0}},
    {"late", {RankOrder::Kind::kLate, 0}},
    {"skew:1", {RankOrder::Kind::kSkew, 1}},
    {"seed:7", {RankOrder::Kind::kSeed, 7}},
};

std::vector<Report> RunProgram(const Program& program, RankOrder order, bool right) {
    Ranks on(program.ranks, order);
    on.adjust = [&program](uint32_t, LaunchOptions& options) { options.check = program.check; };
    std::vector<uint8_t*> own;
    for (const auto& memory : on.memories) own.push_back(memory->Allocate(1024, "workspace"));
    for (uint32_t round = 1; round <= program.rounds; ++round) {
        for (uint32_t rank = 0; rank < program.ranks; ++rank) {
            if (!right && rank == program.absent) continue;
            on.Submit(
                rank, program.blocks,
                [&on, &own, &program, rank, round, right] {
                    Kernel kernel(on.windows, rank, round, right);
                    kernel.own_of = own;
                    kernel.own = own[rank];
                    program.kernel(kernel);
                },
                true, "eager", program.core);
        }
    }
    on.Wait();
    std::vector<Report> reports;
    for (const auto& of_rank : on.results) {
        for (const LaunchResult& result : of_rank)
            reports.insert(reports.end(), result.findings.begin(), result.findings.end());
    }
    return reports;
}

class RankPrograms : public testing::TestWithParam<Table::Row> {};

// How often a core has polled before, and so the numbers of its instructions, is the schedule's.
std::string WithoutNumbers(const std::string& text) {
    static const std::regex number(", instruction [0-9]+");
    return std::regex_replace(text, number, "");
}

TEST_P(RankPrograms, AreTold) {
    const Program& program = GetParam().program;
    uint32_t found = 0;
    std::vector<std::pair<std::string, std::string>> texts;  // and under which schedules
    for (const auto& [name, order] : kOrders) {
        const std::vector<Report> reports = RunProgram(program, order, false);
        found += std::ranges::any_of(reports, [&](const Report& r) { return r.rule == program.rule; });
        const std::string text = WithoutNumbers(StableText(reports));
        const auto same = std::ranges::find_if(texts, [&](const auto& t) { return t.first == text; });
        if (same == texts.end()) {
            texts.push_back({text, name});
        } else {
            same->second += std::string(", ") + name;
        }
    }
    EXPECT_GE(found, 3u);
    Raised(program.rule);
    std::string all;
    for (const auto& [text, names] : texts) all += (all.empty() ? "" : "\n") + ("under " + names + ":\n" + text);
    ExpectText(GetParam().source, program.name, all);
}

TEST_P(RankPrograms, TwinsAreSilent) {
    for (const auto& [name, order] : kOrders)
        EXPECT_EQ(StableText(RunProgram(GetParam().program, order, true)), "") << name;
}

INSTANTIATE_TEST_SUITE_P(Ranks, RankPrograms, testing::ValuesIn(Table::All()),
                         [](const auto& row) { return row.param.program.name; });

}  // namespace
}  // namespace sfumato::ranks
