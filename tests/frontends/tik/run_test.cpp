// SPDX-License-Identifier: Apache-2.0
// Feeds, outputs, options of a run.
#include <functional>

#include "script.h"

namespace sfumato::tik {
namespace {

// out = in + 1, of 8 elements of int32.
struct AddOne : Script {
    explicit AddOne(const char* chip = "Ascend910B1", int64_t elements = 8) : Script(chip) {
        in = Gm("int32", elements, "in");
        out = Gm("int32", elements, "out");
        const TensorId ub = Local("int32", 8, "ub");
        Move(Ref(ub, "int32"), Ref(in, "int32"), int64_t{1});
        program.Call("vec_adds", {Ref(ub, "int32"), Ref(ub, "int32")},
                     {{"mask", int64_t{8}}, {"scalar", int64_t{1}}, {"repeat_times", int64_t{1}}, {"dst_rep_stride", int64_t{8}},
                      {"src_rep_stride", int64_t{8}}}, where);
        Move(Ref(out, "int32"), Ref(ub, "int32"), int64_t{1});
        Build({in}, {out});
    }
    TensorId in, out;
};

TEST(TikRun, OnEveryChip) {
    const std::vector<int32_t> data{1, 2, 3, 4, 5, 6, 7, 8};
    for (const char* chip : {"Ascend310P", "Ascend310P-Vector", "Ascend910B1", "Ascend910B", "Ascend310B1", "Ascend910_9391"}) {
        AddOne s(chip);
        const auto result = s.Run({FeedOf("in", data)});
        ASSERT_EQ(result.size(), 1u) << chip;
        EXPECT_EQ(As<int32_t>(result[0]), (std::vector<int32_t>{2, 3, 4, 5, 6, 7, 8, 9})) << chip;
    }
}

TEST(TikRun, FeedMustFit) {
    AddOne s;
    const std::vector<int32_t> data(8), small(4);
    EXPECT_EQ(ErrorOf([&] { s.program.Run({}, {}); }), "run: the input 'in' is missing; pass feed_dict={'in': ...}");
    EXPECT_EQ(ErrorOf([&] { s.program.Run({FeedOf("in", data), FeedOf("x", data)}, {}); }),
              "run: 'x' is no input of the kernel; its inputs are in");
    EXPECT_EQ(ErrorOf([&] { s.program.Run({FeedOf("in", small)}, {}); }), "run: 'in' has 16 bytes, the Tensor has 32");
    Script open;
    EXPECT_EQ(ErrorOf([&] { open.program.Run({}, {}); }), "run: BuildCCE has not been called");
}

TEST(TikRun, SizesGivenAtRunTime) {
    const std::vector<int32_t> data{1, 2, 3, 4, 5, 6, 7, 8};
    AddOne s("Ascend910B1", INT32_MAX);
    EXPECT_NE(ErrorOf([&] { s.program.Run({FeedOf("in", data)}, {}); }).find("does not say how large 'out' is"), std::string::npos);
    RunOptions options;
    options.shapes["out"] = {2, 4};
    const auto result = s.Run({FeedOf("in", data)}, options);
    ASSERT_EQ(result.size(), 1u);
    EXPECT_EQ(result[0].shape, (std::vector<int64_t>{2, 4}));
    EXPECT_EQ(As<int32_t>(result[0])[7], 9);
}

TEST(TikRun, InputScalars) {
    Script s;
    const ScalarId n = s.program.InputScalar("int32", "n", s.where);
    const TensorId out = s.Gm("int32", 8, "out"), ub = s.Local("int32", 8, "ub");
    s.program.Store(s.Ref(ub, "int32"), s.Binary("*", s.Var(n), s.Imm(int64_t{3})), s.where);
    s.Move(s.Ref(out, "int32"), s.Ref(ub, "int32"), int64_t{1});
    s.program.Build("kernel", {n}, {out}, {}, s.where);
    Feed f;
    f.name = "n";
    f.is_number = true;
    f.number = int64_t{-7};
    EXPECT_EQ(As<int32_t>(s.Run({f})[0])[0], -21);
    f.number = int64_t{1} << 40;
    EXPECT_EQ(ErrorOf([&] { s.program.Run({f}, {}); }), "run: 'n' does not fit int32");
    f.number = 1.5;
    EXPECT_EQ(ErrorOf([&] { s.program.Run({f}, {}); }), "run: 'n' is an InputScalar of int32; pass an int");
}

TEST(TikRun, ConstantDataAndFill) {
    Script s;
    TensorOptions table;
    table.has_init = true;
    for (uint8_t i = 0; i < 32; ++i) table.init.push_back(i);
    TensorOptions ones;
    ones.is_atomic_add = ones.has_init_fill = true;
    ones.init_fill = 1;
    const TensorId data = s.Gm("uint8", 32, "data", table), kept = s.Gm("float16", 16, "kept", ones), out = s.Gm("uint8", 64, "out");
    const TensorId ub = s.Local("uint8", 32, "ub");
    s.Move(s.Ref(ub, "uint8"), s.Ref(data, "uint8"), int64_t{1});
    s.Move(s.Ref(out, "uint8"), s.Ref(ub, "uint8"), int64_t{1});
    s.Build({}, {kept, out});
    const auto result = s.Run();
    ASSERT_EQ(result.size(), 2u);
    EXPECT_EQ(As<uint16_t>(result[0]), std::vector<uint16_t>(16, half(1).bits()));
    for (size_t i = 0; i < 64; ++i) EXPECT_EQ(result[1].bytes[i], i < 32 ? i : 0xFE);
}

TEST(TikRun, PrintsInC) {
    Script s;
    const ScalarId i = s.NewScalar("int32", s.Imm(int64_t{-5})), f = s.NewScalar("float16", s.Imm(1.5));
    s.program.Printf("i=%d f=%.2f 100%% %x\n", {s.Var(i), s.Var(f), s.Typed(int64_t{255}, "uint32")}, s.where);
    s.Build({}, {});
    RunOptions options;
    std::string text;
    options.launch.print = [&](std::string_view line) { text += line; };
    s.Run({}, options);
    EXPECT_EQ(text, "i=-5 f=1.50 100% ff\n");
}

TEST(TikRun, PrintsEveryConversion) {
    Script s;
    const ScalarId i = s.NewScalar("int32", s.Imm(int64_t{65})), f = s.NewScalar("float32", s.Imm(3e38));
    s.program.Printf("%o %#x %c %05d %d %u", {s.Var(i), s.Var(i), s.Var(i), s.Var(i), s.Var(f), s.Typed(~uint64_t{0}, "uint64")}, s.where);
    s.program.Printf("%128d", {s.Var(i)}, s.where);
    s.Build({}, {});
    RunOptions options;
    std::vector<std::string> lines;
    options.launch.print = [&](std::string_view line) { lines.emplace_back(line); };
    s.Run({}, options);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "101 0x41 A 00065 9223372036854775807 18446744073709551615");
    EXPECT_EQ(lines[1], std::string(126, ' ') + "65");
}

// Without TIK's synchronisation a schedule may change the bytes; with it, none does.
TEST(TikRun, SynchronisationIsInserted) {
    const std::vector<int32_t> data{1, 2, 3, 4, 5, 6, 7, 8};
    for (const bool disable : {false, true}) {
        Script s;
        const TensorId in = s.Gm("int32", 8, "in"), out = s.Gm("int32", 8, "out"), ub = s.Local("int32", 8, "ub");
        s.program.BeginScope(disable, s.where);
        s.Move(s.Ref(ub, "int32"), s.Ref(in, "int32"), int64_t{1});
        s.Move(s.Ref(out, "int32"), s.Ref(ub, "int32"), int64_t{1});
        s.End();
        s.Build({in}, {out});
        RunOptions late;
        late.launch.schedule = "late";
        const bool same = As<int32_t>(s.Run({FeedOf("in", data)}, late)[0]) == data;
        EXPECT_EQ(same, !disable);
        EXPECT_EQ(As<int32_t>(s.Run({FeedOf("in", data)})[0]), data);
    }
}

TEST(TikRun, AnAtomicModeLeftOnIsAWarning) {
    Script s;
    s.At(12);
    s.program.Call("set_atomic_add", {}, {{"mode", std::string("float32")}}, s.where);
    s.Build({}, {});
    const RunResult result = s.program.Run({}, {});
    ASSERT_EQ(result.launch.findings.size(), 1u);
    EXPECT_EQ(result.launch.findings[0].rule, "atomic-left-on");
    EXPECT_EQ(result.launch.findings[0].line, 12u);
    EXPECT_EQ(result.launch.findings[0].instruction, "set_atomic_add");
}

TEST(TikRun, LogNamesTheCallAndTheLine) {
    AddOne s;
    RunOptions options;
    std::vector<std::string> lines;
    options.launch.log = [&](std::string_view line) { lines.emplace_back(line); };
    s.Run({FeedOf("in", std::vector<int32_t>(8))}, options);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_NE(lines[1].find("vec_adds"), std::string::npos) << lines[1];
    EXPECT_NE(lines[1].find("script.py:1"), std::string::npos) << lines[1];
}

}  // namespace
}  // namespace sfumato::tik
