// SPDX-License-Identifier: Apache-2.0
// Runs under a debugger: where they stop, what can be read there, how they end.
#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

#include "script.h"

namespace sfumato::tik {
namespace {

using Action = Debugger::Action;

// Answers every stop by a function.
struct Steered : Debugger {
    explicit Steered(std::function<Action(const DebugStop&)> how) : answer(std::move(how)) {}
    Action Stopped(const DebugStop& stop) override {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        lines.push_back(stop.where.line);
        return answer(stop);
    }
    bool Interrupted() override { return interrupt.exchange(false); }

    std::function<Action(const DebugStop&)> answer;
    std::vector<uint32_t> lines;
    std::atomic<bool> interrupt{false};
    std::thread::id caller = std::this_thread::get_id();
};

Action Next(const DebugStop&) { return Action::kNext; }
Action Go(const DebugStop&) { return Action::kContinue; }

// for i in 0..trips (line 2, double-buffered): n += i (3); ub = n by the scalar unit (4); if n > 0 (5): mark (6).
struct Sums : Script {
    explicit Sums(int64_t trips, int64_t blocks = 1) {
        out = Gm("int32", 8 * blocks, "out");
        At(1);
        n = NewScalar("int32", Imm(int64_t{0}));
        At(2);
        i = For(Imm(int64_t{0}), Imm(trips), blocks > 1 ? 1 : 2, blocks);
        ub = Local("int32", 8, "ub");
        At(3);
        next = Binary("+", Var(n), Var(i));
        program.SetScalar(n, next, where);
        At(4);
        program.Store(Ref(ub, "int32"), Var(n), where);
        At(5);
        positive = Binary(">", Var(n), Imm(int64_t{0}));
        program.BeginIf(positive, where);
        At(6);
        program.Mark(where);
        End();
        At(7);
        Move(Ref(out, "int32", Binary("*", Var(i), Imm(blocks > 1 ? int64_t{8} : int64_t{0}))), Ref(ub, "int32"),
             int64_t{1});
        End();
        Build({}, {out});
    }
    TensorId out, ub;
    ScalarId n, i;
    ExprId next, positive;
};

TEST(TikDebug, StopsBeforeEveryStatement) {
    Sums s(2);
    Steered steered(Next);
    const RunResult result = s.program.Debug({}, {}, steered);
    EXPECT_EQ(steered.lines, (std::vector<uint32_t>{1, 2, 3, 4, 5, 7, 3, 4, 5, 6, 7}));
    EXPECT_FALSE(result.quit);
    ASSERT_EQ(result.outputs.size(), 1u);
    EXPECT_EQ(As<int32_t>(result.outputs[0])[0], 1);
}

TEST(TikDebug, BreakpointsMayChangeAtAStop) {
    Sums s(4);
    Steered steered([&](const DebugStop& stop) {
        if (stop.where.line == 4) steered.breakpoints = {5};
        return Action::kContinue;
    });
    steered.breakpoints = {3};
    s.program.Debug({}, {}, steered, false);
    EXPECT_EQ(steered.lines, (std::vector<uint32_t>{4, 6, 6, 6}));
    EXPECT_EQ(s.program.Statements(), 9u);
}

TEST(TikDebug, ValuesAreThoseAfterEverythingIssued) {
    for (const char* schedule : {"eager", "late", "seed:5"}) {
        Sums s(3);
        RunOptions options;
        options.launch.schedule = schedule;
        std::vector<int64_t> seen;
        std::vector<int32_t> stored, out;
        Steered steered([&](const DebugStop& stop) {
            if (stop.where.line == 7) {
                seen.push_back(std::get<int64_t>(stop.Value(s.next)));
                seen.push_back(std::get<int64_t>(stop.Value(s.positive)));
                EXPECT_EQ(stop.Values(s.n).size(), 1u);
                stored.push_back(As<int32_t>(stop.Contents(s.ub))[0]);
                EXPECT_EQ(stop.loops.size(), 1u);
                EXPECT_EQ(stop.loops[0].end, 3);
                EXPECT_EQ(stop.loops[0].where.line, 2u);
            }
            if (stop.where.line == 3 && stop.loops[0].value > 0) out.push_back(As<int32_t>(stop.Contents(s.out))[0]);
            return Action::kNext;
        });
        s.program.Debug({}, options, steered);
        EXPECT_EQ(seen, (std::vector<int64_t>{0, 0, 2, 1, 5, 1})) << schedule;
        EXPECT_EQ(stored, (std::vector<int32_t>{0, 1, 3})) << schedule;
        EXPECT_EQ(out, (std::vector<int32_t>{0, 1})) << schedule;
    }
}

TEST(TikDebug, AskingForWhatIsNotThereChangesNothing) {
    Sums s(1);
    Steered steered([&](const DebugStop& stop) {
        if (stop.where.line > 2) return Action::kNext;
        EXPECT_EQ(ErrorOf([&] { stop.Contents(s.ub); }),
                  "ub lives in the with block of script.py:2 only, which is not running here");
        EXPECT_NE(ErrorOf([&] { stop.Value(s.next); }).find("which is not running here"), std::string::npos);
        EXPECT_NE(ErrorOf([&] { stop.Values(s.i); }).find("which is not running here"), std::string::npos);
        return Action::kNext;
    });
    EXPECT_TRUE(s.program.Debug({}, {}, steered).launch.findings.empty());

    Script r;
    const ScalarId at = r.NewScalar("int32", r.Imm(int64_t{40}));
    const TensorId ub = r.Local("int32", 8, "ub");
    const ExprId beyond = r.program.Load(r.Ref(ub, "int32", r.Var(at)), r.where);
    r.program.Mark(r.where);
    r.Build({}, {});
    std::string error;
    Steered asking([&](const DebugStop& stop) {
        if (stop.statement == 1) error = ErrorOf([&] { stop.Value(beyond); });
        return Action::kNext;
    });
    EXPECT_TRUE(r.program.Debug({}, {}, asking).launch.findings.empty());
    EXPECT_NE(error.find("outside"), std::string::npos) << error;
}

TEST(TikDebug, BlocksRunOneAfterAnother) {
    Sums s(60, 60);  // more than the chip's 48 vector cores
    std::vector<uint32_t> order;
    Steered steered([&](const DebugStop& stop) {
        if (order.empty() || order.back() != stop.block) order.push_back(stop.block);
        for (uint32_t b = 0; b < stop.blocks.size(); ++b) {
            EXPECT_EQ(stop.blocks[b], b < stop.block    ? DebugStop::BlockState::kEnded
                                      : b == stop.block ? DebugStop::BlockState::kRuns
                                                        : DebugStop::BlockState::kWaits);
        }
        return Action::kNext;
    });
    const RunResult result = s.program.Debug({}, {}, steered);
    ASSERT_EQ(order.size(), 60u);
    for (uint32_t b = 0; b < 60; ++b) EXPECT_EQ(order[b], b);
    ASSERT_EQ(result.outputs.size(), 1u);
    EXPECT_EQ(As<int32_t>(result.outputs[0])[8 * 59], 59);
}

TEST(TikDebug, QuitsAnywhere) {
    for (const uint32_t last : {0u, 1u, 2u}) {
        Sums s(3, 3);
        Steered steered([&](const DebugStop& stop) { return stop.block == last ? Action::kQuit : Action::kNext; });
        const RunResult result = s.program.Debug({}, {}, steered);
        EXPECT_TRUE(result.quit);
        EXPECT_TRUE(result.outputs.empty());
        EXPECT_EQ(steered.lines.back(), 1u);
    }
}

TEST(TikDebug, ABarrierEndsATurn) {
    Script s;
    TensorOptions workspace;
    workspace.is_workspace = true;
    const TensorId meet = s.Gm("int64", 16, "meet", workspace);
    s.At(1);
    s.For(s.Imm(int64_t{0}), s.Imm(int64_t{3}), 1, 3);
    s.At(2);
    s.program.BlockBarrier(s.Ref(meet, "int64"), s.where);
    s.At(3);
    s.program.Mark(s.where);
    s.End();
    s.Build({}, {});
    std::vector<std::pair<uint32_t, uint32_t>> seen;
    Steered steered([&](const DebugStop& stop) {
        seen.emplace_back(stop.block, stop.where.line);
        return Action::kNext;
    });
    EXPECT_TRUE(s.program.Debug({}, {}, steered).launch.ok());
    EXPECT_EQ(seen, (std::vector<std::pair<uint32_t, uint32_t>>{
                        {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {0, 3}, {1, 3}, {2, 3}}));
    // Quitting while others wait at it reports nothing.
    Steered quits([](const DebugStop& stop) { return stop.block == 1 ? Action::kQuit : Action::kNext; });
    const RunResult result = s.program.Debug({}, {}, quits);
    EXPECT_TRUE(result.quit);
    EXPECT_EQ(quits.lines, (std::vector<uint32_t>{1, 2, 1}));
}

TEST(TikDebug, AFaultStopsBeforeTheRunEnds) {
    Script s;
    const ScalarId repeats = s.NewScalar("int32", s.Imm(int64_t{9}));
    const TensorId ub = s.Local("float16", 256, "ub");
    s.At(5);
    s.program.Call("vec_adds", {s.Ref(ub, "float16"), s.Ref(ub, "float16")},
                   {{"mask", int64_t{128}},
                    {"scalar", 1.0},
                    {"repeat_times", s.Var(repeats)},
                    {"dst_rep_stride", int64_t{8}},
                    {"src_rep_stride", int64_t{8}}},
                   s.where);
    s.Build({}, {});
    Report fault;
    Steered steered([&](const DebugStop& stop) {
        if (!stop.fault) return Action::kContinue;
        fault = *stop.fault;
        EXPECT_EQ(std::get<int64_t>(stop.Values(repeats)[0]), 9);
        return Action::kContinue;
    });
    const RunResult result = s.program.Debug({}, {}, steered, false);
    EXPECT_EQ(steered.lines, (std::vector<uint32_t>{5}));
    ASSERT_FALSE(result.launch.findings.empty());
    EXPECT_EQ(result.launch.findings[0].rule, fault.rule);
    EXPECT_TRUE(result.outputs.empty());
}

TEST(TikDebug, AnInterruptStopsALoop) {
    Sums s(1 << 30);
    Steered steered([&](const DebugStop& stop) {
        if (stop.where.line != 1) return Action::kQuit;
        steered.interrupt = true;
        return Action::kContinue;
    });
    EXPECT_TRUE(s.program.Debug({}, {}, steered).quit);
    EXPECT_EQ(steered.lines.size(), 2u);
}

TEST(TikDebug, WhatTheDebuggerThrowsEndsTheRun) {
    Sums s(2);
    Steered steered([](const DebugStop&) -> Action { throw std::out_of_range("mine"); });
    EXPECT_THROW(s.program.Debug({}, {}, steered), std::out_of_range);
    EXPECT_EQ(steered.lines.size(), 1u);
    Script open;
    Steered go(Go);
    EXPECT_EQ(ErrorOf([&] { open.program.Debug({}, {}, go); }), "run: BuildCCE has not been called");
}

}  // namespace
}  // namespace sfumato::tik
