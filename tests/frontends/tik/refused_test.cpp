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

// At line 40, into 512 elements of `type` in UB, from `first` on.
void WrongDup(Script& s, const char* type, int64_t first, Value mask, Value scalar, Value repeat, Value stride) {
    const TensorId ub = s.Local(type, 512, "ub");
    s.At(40);
    s.program.Call("vec_dup", {s.Ref(ub, type, first)},
                   Dup(std::move(mask), std::move(scalar), std::move(repeat), std::move(stride)), s.where);
}

struct Wrong {
    const char* name;
    const char* rule;
    const char *found, *legal;
    std::function<void(Script&)> body;  // the mistake is at line 40
};

const std::vector<Wrong>& WrongScripts() {
    static const std::vector<Wrong> scripts = {
        {"mask above the lanes", "mask-range", "129", "1..128, the 16-bit elements a repeat of 256 bytes has",
         [](Script& s) { WrongDup(s, "float16", 0, int64_t{129}, 1.0, int64_t{1}, int64_t{8}); }},
        {"mask halves swapped", "mask-bits-high", "[0xff, 0x0] (high, low)", "a high half of 0 for 32-bit data",
         [](Script& s) { WrongDup(s, "float32", 0, ValueList{int64_t{255}, int64_t{0}}, 1.0, int64_t{1}, int64_t{8}); }},
        {"mask list of four", "mask-list", "a list of 4", "[mask_h, mask_l], 64 bits each",
         [](Script& s) { WrongDup(s, "float16", 0, ValueList{int64_t{1}, int64_t{1}, int64_t{1}, int64_t{1}}, 1.0, int64_t{1}, int64_t{8}); }},
        {"mask is a float", "parameter-type", "64.0", "an int, or a Scalar or Expr of an integer type",
         [](Script& s) { WrongDup(s, "float16", 0, 64.0, 1.0, int64_t{1}, int64_t{8}); }},
        {"repeat 0", "repeat-range", "0", "1..255; a Scalar or an Expr may be 0",
         [](Script& s) { WrongDup(s, "float16", 0, int64_t{1}, 1.0, int64_t{0}, int64_t{8}); }},
        {"repeat 256", "repeat-range", "256", "1..255; a Scalar or an Expr may be 0",
         [](Script& s) { WrongDup(s, "float16", 0, int64_t{1}, 1.0, int64_t{256}, int64_t{0}); }},
        {"stride -1", "parameter-range", "-1", "0 or more",
         [](Script& s) { WrongDup(s, "float16", 0, int64_t{1}, 1.0, int64_t{1}, int64_t{-1}); }},
        {"past the tensor", "out-of-buffer", "bytes 512..1280 of UB, 256 bytes too many",
         "up to byte 1024: 256 elements of float16 from here",
         [](Script& s) { WrongDup(s, "float16", 256, int64_t{128}, 1.0, int64_t{3}, int64_t{8}); }},
        {"misaligned", "ub-alignment", "byte offset 2 in UB", "a multiple of 32",
         [](Script& s) { WrongDup(s, "float16", 1, int64_t{128}, 1.0, int64_t{1}, int64_t{8}); }},
        {"slice before the tensor", "slice-start", "element -16", "0 or more",
         [](Script& s) { WrongDup(s, "float16", -16, int64_t{128}, 1.0, int64_t{1}, int64_t{8}); }},
        {"scalar of another type", "type-mismatch", "float32 beside float16", "float16",
         [](Script& s) {
             const TensorId ub = s.Local("float16", 512, "ub");
             const ScalarId f = s.NewScalar("float32");
             s.At(40);
             s.program.Call("vec_dup", {s.Ref(ub, "float16")}, Dup(int64_t{1}, s.Var(f), int64_t{1}, int64_t{8}), s.where);
             s.Build({}, {});
             const RunResult r = s.program.Run({}, {});
             throw TikError(r.launch.findings.at(0));
         }},
        {"fraction for integers", "parameter-type", "0.5", "a value of int32",
         [](Script& s) { WrongDup(s, "int32", 0, int64_t{1}, 0.5, int64_t{1}, int64_t{8}); }},
        {"type the chip lacks", "type-unsupported", "int8", "int16, float16, int32, float32",
         [](Script& s) {
             const TensorId ub = s.Local("int8", 512, "ub");
             s.At(40);
             s.program.Call("vec_adds", {s.Ref(ub, "int8"), s.Ref(ub, "int8")},
                            {{"mask", int64_t{1}}, {"scalar", int64_t{1}}, {"repeat_times", int64_t{1}},
                             {"dst_rep_stride", int64_t{8}}, {"src_rep_stride", int64_t{8}}}, s.where);
         }},
        {"round mode", "round-mode", "'nearest'", "'', 'none', 'round', 'floor', 'ceil', 'ceiling', 'away-zero', 'to-zero', 'odd'",
         [](Script& s) {
             const TensorId a = s.Local("float16", 512, "a"), b = s.Local("int32", 512, "b");
             s.At(40);
             s.program.Call("vec_conv", {s.Ref(b, "int32"), s.Ref(a, "float16")},
                            {{"mask", int64_t{64}}, {"round_mode", std::string("nearest")}, {"repeat_times", int64_t{1}},
                             {"dst_rep_stride", int64_t{8}}, {"src_rep_stride", int64_t{4}}}, s.where);
         }},
        {"missing tensor", "parameter-type", "nothing", "a Tensor",
         [](Script& s) {
             const TensorId a = s.Local("float16", 512, "a");
             s.At(40);
             s.program.Call("vec_add", {s.Ref(a, "float16"), s.Ref(a, "float16")}, {{"mask", int64_t{64}}}, s.where);
         }},
        {"path", "memory-path", "UB to L1", "GM to UB, GM to L1, UB to GM, UB to UB, L1 to GM, L1 to BT",
         [](Script& s) {
             const TensorId ub = s.Local("float16", 512, "ub"), l1 = s.Local("float16", 512, "l1", "local.L1");
             s.At(40);
             s.Move(s.Ref(l1, "float16"), s.Ref(ub, "float16"), int64_t{1});
         }},
        {"past an array in GM", "gm-out-of-range", "bytes 0..1056 of in, 32 bytes too many", "the 1024 bytes of in",
         [](Script& s) {
             const TensorId in = s.Gm("float16", 512, "in"), ub = s.Local("float16", 1024, "ub");
             s.At(40);
             s.Move(s.Ref(ub, "float16"), s.Ref(in, "float16"), int64_t{33});
         }},
        {"UB is full", "buffer-size", "131072 bytes", "65536 of the 196608 bytes of UB are left",
         [](Script& s) {
             s.Local("float16", 65536, "a");
             s.At(40);
             s.Local("float16", 65536, "b");
         }},
        {"UB is full for two threads", "buffer-size", "262144 bytes, 2 times 131072 for thread_num", "196608 of the 196608 bytes of UB are left",
         [](Script& s) {
             s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2}), 2);
             s.At(40);
             s.Local("float16", 65536, "a");
         }},
        {"memory the chip lacks", "buffer-size", "64 bytes", "Ascend310P-Vector has no L1",
         [](Script&) {
             Script s("Ascend310P-Vector");
             s.At(40);
             s.Local("float16", 32, "a", "local.L1");
         }},
        {"GM inside a block", "gm-scope", "one inside a `with` block", "the top level of the program",
         [](Script& s) {
             s.program.BeginScope(false, s.where);
             s.At(40);
             s.Gm("float16", 32, "a");
         }},
        {"name", "name", "'1a'", "letters, digits and underscores, no digit first",
         [](Script& s) { s.At(40), s.Gm("float16", 32, "1a"); }},
        {"shape", "shape", "(0,)", "sizes of 1 and more", [](Script& s) { s.At(40), s.Gm("float16", 0, "a"); }},
        {"scope name", "scope", "'local.UBUF'", "global, local.UB, local.L1, local.L0A, local.L0B, local.L0C, local.L1OUT, local.BT, local.FB",
         [](Script& s) { s.At(40), s.Local("float16", 32, "a", "local.UBUF"); }},
        {"element type", "dtype", "'float64'",
         "int4, int8, uint8, int16, uint16, float16, bfloat16, int32, uint32, float32, int64, uint64",
         [](Script& s) { s.At(40), s.Local("float64", 32, "a"); }},
        {"scalar out of its block", "scalar-scope", "made at line 3 in a scope that has ended",
         "a Scalar lives until the end of the `with` block it was made in",
         [](Script& s) {
             s.program.BeginScope(false, s.where);
             s.At(3);
             const ScalarId v = s.NewScalar("int32");
             s.End();
             s.At(40);
             s.Var(v);
         }},
        {"tensor out of its block", "tensor-scope", "made at line 3 in a scope that has ended",
         "a local Tensor lives until the end of the `with` block it was made in",
         [](Script& s) {
             s.program.BeginScope(false, s.where);
             s.At(3);
             const TensorId v = s.Local("int32", 8, "v");
             const RefId r = s.Ref(v, "int32");
             s.End();
             s.At(40);
             s.program.Call("vec_dup", {r}, Dup(int64_t{1}, int64_t{1}, int64_t{1}, int64_t{8}), s.where);
         }},
        {"expression out of its block", "scalar-scope", "made at line 4 in a scope that has ended",
         "a Scalar lives until the end of the `with` block it was made in",
         [](Script& s) {
             const ScalarId total = s.NewScalar("int32");
             s.At(4);
             const ScalarId i = s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2}));
             const ExprId e = s.Var(i);
             s.End();
             s.At(40);
             s.program.SetScalar(total, e, s.where);
         }},
        {"loop variable assigned", "scalar-read-only", "a loop variable", "a Scalar",
         [](Script& s) {
             const ScalarId i = s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2}));
             s.At(40);
             s.program.SetScalar(i, s.Imm(int64_t{1}), s.where);
         }},
        {"thread_num", "for-range", "5", "0..4",
         [](Script& s) { s.At(40), s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2}), 5); }},
        {"block_num is not endt", "for-range", "block_num 4, endt 8", "block_num should be 1 or 8",
         [](Script& s) { s.At(40), s.For(s.Imm(int64_t{0}), s.Imm(int64_t{8}), 1, 4); }},
        {"multi-core loop from 1", "for-range", "1", "0",
         [](Script& s) { s.At(40), s.For(s.Imm(int64_t{1}), s.Imm(int64_t{8}), 1, 8); }},
        {"second multi-core loop", "for-range", "a second one", "one multi-core loop a program",
         [](Script& s) {
             s.For(s.Imm(int64_t{0}), s.Imm(int64_t{8}), 1, 8);
             s.End();
             s.At(40);
             s.For(s.Imm(int64_t{0}), s.Imm(int64_t{8}), 1, 8);
         }},
        {"multi-core loop inside a loop", "for-range", "a for_range around it", "the outermost loop",
         [](Script& s) {
             s.For(s.Imm(int64_t{0}), s.Imm(int64_t{8}));
             s.At(40);
             s.For(s.Imm(int64_t{0}), s.Imm(int64_t{8}), 1, 8);
         }},
        {"multi-core loop with threads", "for-range", "2", "0 or 1",
         [](Script& s) { s.At(40), s.For(s.Imm(int64_t{0}), s.Imm(int64_t{8}), 2, 8); }},
        {"too many blocks", "for-range", "65536", "1..65535",
         [](Script& s) { s.At(40), s.For(s.Imm(int64_t{0}), s.Imm(int64_t{65536}), 1, 65536); }},
        {"break outside a loop", "break-scope", "a call outside every for_range", "inside for_range",
         [](Script& s) { s.At(40), s.program.Break(s.where); }},
        {"nested blocks without synchronisation", "stmt-scope", "one inside another", "disable_sync=False",
         [](Script& s) {
             s.program.BeginScope(true, s.where);
             s.At(40);
             s.program.BeginScope(true, s.where);
         }},
        {"barrier without a loop", "barrier-loop", "none before it", "a for_range with block_num above 1",
         [](Script& s) {
             TensorOptions o;
             o.is_workspace = true;
             const TensorId w = s.Gm("int64", 8, "w", o);
             s.At(40);
             s.program.BlockBarrier(s.Ref(w, "int64"), s.where);
         }},
        {"barrier without a workspace", "barrier-workspace", "w of int64 in GM",
         "a Tensor of int64 in GM with is_workspace=True",
         [](Script& s) {
             const TensorId w = s.Gm("int64", 8, "w");
             s.At(40);
             s.program.BlockBarrier(s.Ref(w, "int64"), s.where);
         }},
        {"element of L1", "scalar-position", "an element of a Tensor in L1", "a Tensor in UB or GM",
         [](Script& s) {
             const TensorId t = s.Local("int32", 8, "t", "local.L1");
             const RefId r = s.Ref(t, "int32");
             s.At(40);
             s.program.Load(r, s.where);
         }},
        {"element of GM on an old chip", "scalar-position", "an element of a Tensor in GM", "a Tensor in UB",
         [](Script&) {
             Script s("Ascend910A");
             const TensorId t = s.Gm("int32", 8, "t");
             s.At(40);
             s.program.Load(s.Ref(t, "int32"), s.where);
         }},
        {"workspace in UB", "tensor-option", "a Tensor in local.UB", "is_workspace, is_atomic_add and init_value with scope_gm",
         [](Script& s) {
             TensorOptions o;
             o.is_workspace = true;
             s.At(40);
             s.program.Tensor("int8", {32}, "local.UB", "t", o, s.where);
         }},
        {"tensor nobody passes", "build", "lost, made at line 1", "one of inputs, outputs, flowtable; or is_workspace=True",
         [](Script& s) {
             s.Gm("int8", 32, "lost");
             s.At(40);
             s.Build({}, {});
         }},
        {"open block", "build", "an open block", "every block ended",
         [](Script& s) {
             s.For(s.Imm(int64_t{0}), s.Imm(int64_t{8}));
             s.At(40);
             s.Build({}, {});
         }},
        {"one name twice", "build", "a", "names of inputs and outputs differ",
         [](Script& s) {
             const TensorId a = s.Gm("int8", 32, "a"), b = s.Gm("int8", 32, "a");
             s.At(40);
             s.Build({a}, {b});
         }},
        {"local tensor as input", "build", "local.UB", "Tensors with scope_gm",
         [](Script& s) {
             const TensorId a = s.Local("int8", 32, "a");
             s.At(40);
             s.Build({a}, {});
         }},
        {"call after BuildCCE", "program-frozen", "a call after BuildCCE of 'kernel'", "calls before BuildCCE",
         [](Script& s) {
             s.Build({}, {});
             s.At(40);
             s.NewScalar("int32");
         }},
    };
    return scripts;
}

TEST(TikRefused, EveryMistakeAtItsLine) {
    for (const Wrong& w : WrongScripts()) {
        Script s;
        const Report r = RefusedBy([&] { w.body(s); });
        EXPECT_EQ(r.rule, w.rule) << w.name;
        EXPECT_EQ(r.line, 40u) << w.name;
        EXPECT_EQ(r.file, "script.py") << w.name;
        EXPECT_EQ(r.found, w.found) << w.name;
        EXPECT_EQ(r.legal, w.legal) << w.name;
        EXPECT_FALSE(r.message.empty()) << w.name;
        EXPECT_FALSE(r.chip.empty()) << w.name;
    }
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
    EXPECT_TRUE(Program::Knows("scalar_conv"));
    EXPECT_THROW(s.program.Call("vec_fly", {}, {}, s.where), UnsupportedError);
}

}  // namespace
}  // namespace sfumato::tik
