// SPDX-License-Identifier: Apache-2.0
// Wrong scripts: what is refused, at which line, with which words.
#include <functional>

#include "script.h"

namespace sfumato::tik {
namespace {

Params Dup(Value mask, Value scalar, Value repeat, Value stride) {
    return {{"mask", std::move(mask)}, {"scalar", std::move(scalar)}, {"repeat_times", std::move(repeat)},
            {"dst_rep_stride", std::move(stride)}};
}

// What Python refuses before, and other recorders may not. The others are scripts: tests/python/tik_wrong_*.txt.
TEST(TikRefused, WhatPythonDoesNotLetThrough) {
    const auto refuse = [](const std::function<void(Script&)>& body) {
        Script s;
        const Report r = RefusedBy([&] { body(s); });
        EXPECT_EQ(r.line, 40u);
        EXPECT_EQ(r.file, "script.py");
        return std::string(Name(r.rule)) + ": " + r.found + "; " + r.legal;
    };
    EXPECT_EQ(refuse([](Script& s) {
                  const TensorId ub = s.Local("float16", 512, "ub");
                  s.At(40);
                  const Params one = Dup(int64_t{128}, 1.0, int64_t{1}, int64_t{8});
                  s.program.Call("vec_dup", {s.Ref(ub, "float16", -16)}, one, s.where);
              }),
              "slice-start: element -16; 0 or more");
    EXPECT_EQ(refuse([](Script& s) { s.At(40), s.Gm("float16", 0, "a"); }), "shape: (0,); sizes of 1 and more");
    EXPECT_EQ(refuse([](Script& s) { s.At(40), s.Local("float64", 32, "a"); }),
              "dtype: 'float64'; int4, int8, uint8, int16, uint16, float16, bfloat16, int32, uint32, float32, int64, uint64");
    EXPECT_EQ(refuse([](Script& s) {
                  const ScalarId i = s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2}));
                  s.At(40);
                  s.program.SetScalar(i, s.Imm(int64_t{1}), s.where);
              }),
              "scalar-read-only: a loop variable; a Scalar");
    EXPECT_EQ(refuse([](Script& s) {
                  const ScalarId total = s.NewScalar("int32");
                  s.At(4);
                  const ExprId e = s.Var(s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2})));
                  s.End();
                  s.At(40);
                  s.program.SetScalar(total, e, s.where);
              }),
              "scalar-scope: made at line 4 in a scope that has ended; "
              "a Scalar lives until the end of the `with` block it was made in");
}

// Values that only a run knows are reported there, with the line of the statement.
TEST(TikRefused, ValuesOfTheRun) {
    const auto run = [](const std::function<void(Script&, TensorId)>& body) {
        Script s;
        const TensorId ub = s.Local("int32", 64, "ub");
        s.At(40);
        body(s, ub);
        s.Build({}, {});
        RunOptions collect;
        collect.launch.collect = true;
        const RunResult r = s.program.Run({}, collect);
        EXPECT_FALSE(r.launch.ok());
        EXPECT_TRUE(r.outputs.empty());
        return r.launch.findings.empty() ? Report{} : r.launch.findings.at(0);
    };
    const Report mask = run([](Script& s, TensorId ub) {
        const ScalarId m = s.NewScalar("int32", s.Imm(int64_t{65}));
        s.program.Call("vec_dup", {s.Ref(ub, "int32")}, Dup(s.Var(m), int64_t{1}, int64_t{1}, int64_t{8}), s.where);
    });
    EXPECT_EQ(mask.rule, "mask-range");
    EXPECT_EQ(mask.line, 40u);
    EXPECT_EQ(mask.instruction, "vec_dup");
    const Report divide = run([](Script& s, TensorId) {
        const ScalarId z = s.NewScalar("int32", s.Imm(int64_t{0}));
        s.program.SetScalar(z, s.Binary("//", s.Imm(int64_t{1}), s.Var(z)), s.where);
    });
    EXPECT_EQ(divide.rule, "division-by-zero");
    EXPECT_EQ(divide.line, 40u);
    const Report index = run([](Script& s, TensorId ub) {
        const ScalarId i = s.NewScalar("int32", s.Imm(int64_t{64}));
        s.program.SetScalar(i, s.program.Load(s.Ref(ub, "int32", s.Var(i)), s.where), s.where);
    });
    EXPECT_EQ(index.rule, "scalar-index");
    EXPECT_EQ(index.found, "byte offset 256");
    const Report start = run([](Script& s, TensorId ub) {
        const ScalarId i = s.NewScalar("int32", s.Imm(int64_t{-8}));
        s.program.Call("vec_dup", {s.Ref(ub, "int32", s.Var(i))}, Dup(int64_t{1}, int64_t{1}, int64_t{1}, int64_t{8}), s.where);
    });
    EXPECT_EQ(start.rule, "slice-start");
    EXPECT_EQ(start.instruction, "vec_dup");
    const Report array = run([](Script& s, TensorId) {
        const ScalarId a = s.program.ScalarArray("int32", 4, "a", s.where);
        const ScalarId i = s.NewScalar("int32", s.Imm(int64_t{4}));
        s.program.SetElement(a, s.Var(i), s.Imm(int64_t{1}), s.where);
    });
    EXPECT_EQ(array.found, "index 4");
}

TEST(TikRefused, LegacyCallsKeepTheirName) {
    Script s;
    const TensorId ub = s.Local("float16", 64, "ub");
    const Report r = RefusedBy([&] {
        s.program.Call("vector_dup", {s.Ref(ub, "float16")},
                       {{"mask", int64_t{200}}, {"scalar", 1.0}, {"repeat_times", int64_t{1}}, {"dst_blk_stride", int64_t{1}},
                        {"dst_rep_stride", int64_t{8}}}, s.where);
    });
    EXPECT_EQ(r.instruction, "vector_dup");
    EXPECT_EQ(r.message, "vector_dup: the mask is out of range");
}

TEST(TikRefused, UnknownCall) {
    Script s;
    EXPECT_FALSE(Program::Knows("vec_fly"));
    EXPECT_FALSE(Program::Knows("set_cond_task_id"));
    EXPECT_TRUE(Program::Knows("scalar_conv"));
    EXPECT_TRUE(Program::Knows("set_overflow_status"));
    EXPECT_THROW(s.program.Call("vec_fly", {}, {}, s.where), UnsupportedError);
}

}  // namespace
}  // namespace sfumato::tik
