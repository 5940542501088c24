// SPDX-License-Identifier: Apache-2.0
// Blocks and their barriers. Loops, conditions and threads are those of tests/python/test_tik_control.py.
#include "script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kZero = 0;

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

}  // namespace
}  // namespace sfumato::tik
