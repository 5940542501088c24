// SPDX-License-Identifier: Apache-2.0
// Whole operators on the boards that have what they call: exact under every schedule, and no check finds anything.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "operators.h"

namespace sfumato::boards {
namespace {

struct Case {
    Operator op;
    const char* chip;
};
void PrintTo(const Case& tested, std::ostream* out) { *out << tested.op.name << " on " << tested.chip; }

std::vector<Case> Cases() {
    std::vector<Case> cases;
    for (auto* group : {ElementOperators, RowOperators, ImageOperators, MoveOperators, ProductOperators, CubeOperators,
                        RankOperators, SumOperators}) {
        for (const Operator& op : group()) {
            if (op.boards & k310B) cases.push_back({op, "Ascend310B1"});
            if (op.boards & k310P) cases.push_back({op, "Ascend310P3"});
        }
    }
    return cases;
}

class Boards : public testing::TestWithParam<Case> {
protected:
    const Board board_ = BoardOf(GetParam().chip);
    const Program program_ = GetParam().op.on(board_);

    // 3: parts that are not equal.
    std::vector<uint32_t> Launches() const {
        const Blocks blocks = GetParam().op.blocks;
        if (blocks != Blocks::kAny) return {blocks == Blocks::kOne ? 1u : board_.cores};
        return {1u, 3u, std::max(4u, board_.cores)};
    }
    void ExpectRight(const std::string& schedule, uint32_t blocks, bool auto_sync, const char* check = "") {
        const Outcome outcome = Execute(program_, board_.chip, schedule, blocks, auto_sync, check);
        const std::string place = fmt::format("under {}, {} blocks, auto_sync {}", schedule, blocks, auto_sync);
        for (const Report& report : outcome.result.findings) {
            if (report.severity != Severity::kNote) ADD_FAILURE() << place << "\n" << report.Text();
        }
        EXPECT_EQ(Difference(program_, outcome), "") << place;
    }
};

TEST_P(Boards, SameBytesUnderEverySchedule) {
    std::vector<std::string> schedules = {"eager", "serial", "late", "ahead", "all:2"};
    for (int seed = 1; seed <= 20; ++seed) schedules.push_back(fmt::format("seed:{}", seed));
    for (const std::string& schedule : schedules) {
        for (const uint32_t blocks : Launches()) {
            ExpectRight(schedule, blocks, true);
            if (GetParam().op.own_sync) ExpectRight(schedule, blocks, false);
            if (HasFailure()) return;
        }
    }
}

TEST_P(Boards, EveryCheckFindsNothing) {
    for (const uint32_t blocks : Launches()) ExpectRight("eager", blocks, !GetParam().op.own_sync, "all");
}

INSTANTIATE_TEST_SUITE_P(All, Boards, testing::ValuesIn(Cases()), [](const testing::TestParamInfo<Case>& tested) {
    return fmt::format("{}_{}", tested.param.op.name, tested.param.chip);
});

TEST(Registry, HasOperatorsOfBothBoards) {
    size_t on_310b = 0, on_310p = 0;
    for (const Case& one : Cases()) ++(one.chip == std::string("Ascend310B1") ? on_310b : on_310p);
    EXPECT_GE(on_310b, 25u);
    EXPECT_GE(on_310p, 25u);
}

}  // namespace
}  // namespace sfumato::boards
