// SPDX-License-Identifier: Apache-2.0
// Loops, conditions, blocks: what runs, in which order, on which core.
#include "script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kZero = 0;

// A program that counts in a scalar; the count is its output.
struct Counter : Script {
    Counter() { total = NewScalar("int32", Imm(kZero)); }
    void Add(ExprId e) { program.SetScalar(total, Binary("+", Var(total), e), where); }
    void Add(int64_t n) { Add(Imm(n)); }
    int32_t Result() { return Evaluate<int32_t>(*this, Var(total), "int32"); }
    ScalarId total;
};

TEST(TikControl, LoopsNest) {
    Counter c;
    const ScalarId i = c.For(c.Imm(int64_t{2}), c.Imm(int64_t{5}));
    const ScalarId j = c.For(c.Var(i), c.Imm(int64_t{6}));
    c.Add(c.Var(j));
    c.End();
    c.End();
    EXPECT_EQ(c.Result(), (2 + 3 + 4 + 5) + (3 + 4 + 5) + (4 + 5));
}

TEST(TikControl, AnEmptyLoopDoesNothing) {
    Counter c;
    c.For(c.Imm(int64_t{5}), c.Imm(int64_t{5}));
    c.Add(1);
    c.End();
    c.For(c.Imm(int64_t{5}), c.Imm(int64_t{-5}));
    c.Add(1);
    c.End();
    EXPECT_EQ(c.Result(), 0);
}

TEST(TikControl, BreakAndContinueLeaveTheInnermostLoop) {
    Counter c;
    c.For(c.Imm(kZero), c.Imm(int64_t{3}));
    const ScalarId j = c.For(c.Imm(kZero), c.Imm(int64_t{10}));
    c.program.BeginIf(c.Binary("==", c.Var(j), c.Imm(int64_t{1})), c.where);
    c.program.Continue(c.where);
    c.End();
    c.program.BeginIf(c.Binary("==", c.Var(j), c.Imm(int64_t{4})), c.where);
    c.program.Break(c.where);
    c.End();
    c.Add(c.Var(j));
    c.End();
    c.End();
    EXPECT_EQ(c.Result(), 3 * (0 + 2 + 3));
}

TEST(TikControl, ReturnEndsTheKernel) {
    Script s;
    const TensorId out = s.Gm("int32", 8, "out");
    const TensorId ub = s.Local("int32", 8, "ub");
    s.For(s.Imm(kZero), s.Imm(int64_t{10}));
    s.program.Store(s.Ref(ub, "int32"), s.Imm(int64_t{5}), s.where);
    s.Move(s.Ref(out, "int32"), s.Ref(ub, "int32"), int64_t{1});
    s.program.Return(s.where);
    s.End();
    s.program.Store(s.Ref(ub, "int32"), s.Imm(int64_t{6}), s.where);
    s.Move(s.Ref(out, "int32"), s.Ref(ub, "int32"), int64_t{1});
    s.Build({}, {out});
    EXPECT_EQ(As<int32_t>(s.Run()[0])[0], 5);
}

TEST(TikControl, OneClauseOfAChainRuns) {
    for (int64_t value = 0; value < 5; ++value) {
        Counter c;
        const ScalarId v = c.NewScalar("int32", c.Imm(value));
        const auto is = [&](int64_t n) { return c.Binary("==", c.Var(v), c.Imm(n)); };
        c.program.BeginIf(is(0), c.where);
        c.Add(1);
        c.End();
        c.program.BeginElif(is(1), c.where);
        c.Add(10);
        c.End();
        c.program.BeginElif(is(2), c.where);
        c.Add(100);
        c.End();
        c.program.BeginElse(c.where);
        c.program.BeginIf(is(3), c.where);
        c.Add(1000);
        c.End();
        c.program.BeginElse(c.where);
        c.Add(10000);
        c.End();
        c.End();
        c.Add(100000);
        const int expected[] = {100001, 100010, 100100, 101000, 110000};
        EXPECT_EQ(c.Result(), expected[value]) << value;
    }
}

TEST(TikControl, ElseFollowsAClauseOnly) {
    Script s;
    s.At(4);
    EXPECT_EQ(RefusedBy([&] { s.program.BeginElse(s.where); }).rule, "else-scope");
    const ScalarId v = s.NewScalar("int32", s.Imm(kZero));
    s.program.BeginIf(s.Var(v), s.where);
    s.End();
    s.program.SetScalar(v, s.Imm(int64_t{1}), s.where);
    const Report report = RefusedBy([&] { s.program.BeginElif(s.Var(v), s.where); });
    EXPECT_EQ(report.message, "elif_scope: elif_scope can only follow an if_scope or an elif_scope");
    s.program.BeginIf(s.Var(v), s.where);
    s.End();
    s.program.BeginElse(s.where);
    s.End();
    EXPECT_EQ(RefusedBy([&] { s.program.BeginElse(s.where); }).rule, "else-scope");
}

// Every core writes its number; the blocks share global memory.
TEST(TikControl, CoresRunOneIterationEach) {
    constexpr int64_t kBlocks = 6;
    for (const bool dynamic : {false, true}) {
        Script s;
        const TensorId out = s.Gm("int32", 8 * kBlocks, "out");
        ExprId count = s.Imm(kBlocks);
        if (dynamic) count = s.Var(s.NewScalar("int32", s.Imm(kBlocks)));
        const ScalarId i = s.program.BeginFor(s.Imm(kZero), count, "i", "int32", 1, count, s.where);
        const TensorId ub = s.Local("int32", 8, "ub");
        s.program.Store(s.Ref(ub, "int32"), s.Binary("+", s.Var(i), s.Imm(int64_t{100})), s.where);
        s.Move(s.Ref(out, "int32", s.Binary("*", s.Var(i), s.Imm(int64_t{8}))), s.Ref(ub, "int32"), int64_t{1});
        s.End();
        s.Build({}, {out});
        EXPECT_EQ(s.program.Info().block_dim, dynamic ? 0 : kBlocks);
        const auto values = As<int32_t>(s.Run()[0]);
        for (size_t b = 0; b < kBlocks; ++b) EXPECT_EQ(values[8 * b], static_cast<int32_t>(100 + b)) << b;
    }
}

// Before the barrier every block writes its part, behind it the block before reads that.
TEST(TikControl, ABarrierOrdersBlocks) {
    constexpr int64_t kBlocks = 8;
    Script s;
    TensorOptions workspace;
    workspace.is_workspace = workspace.is_atomic_add = true;
    const TensorId sync = s.Gm("int64", 4 * kBlocks, "sync", workspace);
    const TensorId parts = s.Gm("int32", 8 * kBlocks, "parts", workspace);
    const TensorId out = s.Gm("int32", 8 * kBlocks, "out");
    const ScalarId i = s.For(s.Imm(kZero), s.Imm(kBlocks), 1, kBlocks);
    const TensorId ub = s.Local("int32", 8, "ub");
    const auto place = [&](ExprId block) { return s.Binary("*", block, s.Imm(int64_t{8})); };
    s.program.Store(s.Ref(ub, "int32"), s.Var(i), s.where);
    s.Move(s.Ref(parts, "int32", place(s.Var(i))), s.Ref(ub, "int32"), int64_t{1});
    s.program.BlockBarrier(s.Ref(sync, "int64"), s.where);
    const ExprId next = s.Binary("%", s.Binary("+", s.Var(i), s.Imm(int64_t{1})), s.Imm(kBlocks));
    s.Move(s.Ref(ub, "int32"), s.Ref(parts, "int32", place(next)), int64_t{1});
    s.Move(s.Ref(out, "int32", place(s.Var(i))), s.Ref(ub, "int32"), int64_t{1});
    s.program.BlockBarrier(s.Ref(sync, "int64"), s.where);
    s.End();
    s.Build({}, {out});
    for (int run = 0; run < 5; ++run) {
        const auto values = As<int32_t>(s.Run()[0]);
        for (size_t b = 0; b < kBlocks; ++b) EXPECT_EQ(values[8 * b], static_cast<int32_t>((b + 1) % kBlocks));
    }
}

TEST(TikControl, ABarrierOneBlockMissesIsReported) {
    Script s;
    TensorOptions workspace;
    workspace.is_workspace = true;
    const TensorId sync = s.Gm("int64", 16, "sync", workspace);
    const ScalarId i = s.For(s.Imm(kZero), s.Imm(int64_t{4}), 1, 4);
    s.program.BeginIf(s.Binary("!=", s.Var(i), s.Imm(int64_t{2})), s.where);
    s.At(31);
    s.program.BlockBarrier(s.Ref(sync, "int64"), s.where);
    s.End();
    s.End();
    s.Build({}, {});
    const RunResult result = s.program.Run({}, {});
    ASSERT_FALSE(result.launch.ok());
    EXPECT_EQ(result.launch.findings[0].rule, "barrier");
    EXPECT_EQ(result.launch.findings[0].line, 31u);
}

// Double buffering gives each trip the other copy, and the same values under every schedule.
TEST(TikControl, ThreadsHaveCopiesOfTheirTensors) {
    constexpr int64_t kTrips = 9;
    std::vector<int32_t> data(8 * kTrips);
    for (size_t k = 0; k < data.size(); ++k) data[k] = static_cast<int32_t>(k * k);
    for (const int64_t threads : {0, 1, 2, 3, 4}) {
        for (const char* schedule : {"eager", "late", "ahead", "seed:5"}) {
            Script s;
            const TensorId in = s.Gm("int32", 8 * kTrips, "in"), out = s.Gm("int32", 8 * kTrips, "out");
            const uint64_t before = s.program.Available("local.UB");
            const ScalarId i = s.For(s.Imm(kZero), s.Imm(kTrips), threads);
            const TensorId ub = s.Local("int32", 8, "ub");
            EXPECT_EQ(before - s.program.Available("local.UB"), 32u * static_cast<uint64_t>(std::max<int64_t>(1, threads)));
            const ExprId at = s.Binary("*", s.Var(i), s.Imm(int64_t{8}));
            s.Move(s.Ref(ub, "int32"), s.Ref(in, "int32", at), int64_t{1});
            s.program.Call("vec_adds", {s.Ref(ub, "int32"), s.Ref(ub, "int32")},
                           {{"mask", int64_t{8}}, {"scalar", s.Var(i)}, {"repeat_times", int64_t{1}},
                            {"dst_rep_stride", int64_t{8}}, {"src_rep_stride", int64_t{8}}},
                           s.where);
            s.Move(s.Ref(out, "int32", at), s.Ref(ub, "int32"), int64_t{1});
            s.End();
            EXPECT_EQ(before, s.program.Available("local.UB"));
            s.Build({in}, {out});
            RunOptions options;
            options.launch.schedule = schedule;
            const auto values = As<int32_t>(s.Run({FeedOf("in", data)}, options)[0]);
            for (size_t k = 0; k < data.size(); ++k) {
                ASSERT_EQ(values[k], data[k] + static_cast<int32_t>(k / 8)) << threads << " " << schedule << " " << k;
            }
        }
    }
}

}  // namespace
}  // namespace sfumato::tik
