// SPDX-License-Identifier: Apache-2.0
// Vector calls and moves: masks, strides, scalars known early and late, whole UB compared with an oracle of the page.
#include <functional>
#include <random>

#include "script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kElements = 16 * 128;  // of float16

std::vector<uint16_t> Halves(uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<uint16_t> data(kElements);
    for (uint16_t& h : data) h = half(static_cast<float>(static_cast<int>(random() % 2000) - 1000) / 8).bits();
    return data;
}

float ToFloat(uint16_t bits) { return half::FromBits(bits); }

struct Strides {
    int64_t block, repeat;
};

struct Case {
    const char* call;
    int sources;
    bool scalar, blocks;  // takes a scalar; takes block strides
    std::function<float(float, float)> meaning;
};

const Case kCases[] = {
    {"vec_add", 2, false, false, [](float a, float b) { return a + b; }},
    {"vec_sub", 2, false, false, [](float a, float b) { return a - b; }},
    {"vec_mul", 2, false, false, [](float a, float b) { return a * b; }},
    {"vec_max", 2, false, false, [](float a, float b) { return a > b ? a : b; }},
    {"vec_min", 2, false, false, [](float a, float b) { return a < b ? a : b; }},
    {"vadd", 2, false, true, [](float a, float b) { return a + b; }},
    {"vsub", 2, false, true, [](float a, float b) { return a - b; }},
    {"vmul", 2, false, true, [](float a, float b) { return a * b; }},
    {"vmax", 2, false, true, [](float a, float b) { return a > b ? a : b; }},
    {"vmin", 2, false, true, [](float a, float b) { return a < b ? a : b; }},
    {"vec_adds", 1, true, false, [](float a, float b) { return a + b; }},
    {"vec_muls", 1, true, false, [](float a, float b) { return a * b; }},
    {"vadds", 1, true, true, [](float a, float b) { return a + b; }},
    {"vmuls", 1, true, true, [](float a, float b) { return a * b; }},
    {"vec_dup", 0, true, false, [](float, float b) { return b; }},
    {"vector_dup", 0, true, true, [](float, float b) { return b; }},
};

float Saturated(float f) { return f > 65504 ? 65504 : f < -65504 ? -65504 : f; }

// One call on random data, its numbers known while recording or not, against the definition of lanes, blocks, repeats.
void Check(const Case& c, uint32_t seed, bool late) {
    std::mt19937 random(seed);
    const bool counter = c.scalar && c.sources == 1 && seed % 5 == 0;
    const bool bits = !counter && seed % 3 == 0;
    const auto repeats = static_cast<int64_t>(1 + random() % 3);
    const auto count = static_cast<int64_t>(1 + random() % (counter ? 300 : 128));
    const uint64_t low = random() | 1, high = (uint64_t{random()} << 32) | random();
    const auto stride = [&] { return Strides{c.blocks ? static_cast<int64_t>(1 + random() % 2) : 1, static_cast<int64_t>(16 + random() % 3)}; };
    const Strides to = stride(), from0 = stride(), from1 = stride();
    const double scalar = 2.5;

    Script s;
    TensorId in[3], ub[3];
    const char *names[] = {"a", "b", "c"}, *locals[] = {"ua", "ubb", "uc"};
    for (int i = 0; i < 3; ++i) {
        in[i] = s.Gm("float16", kElements, names[i]);
        ub[i] = s.Local("float16", kElements, locals[i]);
        s.Move(s.Ref(ub[i], "float16"), s.Ref(in[i], "float16"), int64_t{kElements / 16});
    }
    const TensorId out = s.Gm("float16", kElements, "out");
    const auto number = [&](int64_t n) -> Value {
        if (!late) return n;
        return s.Var(s.NewScalar("int64", s.Imm(n)));
    };
    const auto word = [&](uint64_t n) -> Value {
        if (!late) return n;
        return s.Var(s.NewScalar("uint64", s.Typed(n, "uint64")));
    };
    Params params;
    params.emplace_back("mask", bits ? Value(ValueList{word(high), word(low)}) : number(count));
    if (c.scalar) params.emplace_back("scalar", late ? Value(s.Var(s.NewScalar("float16", s.Imm(scalar)))) : Value(scalar));
    params.emplace_back("repeat_times", number(repeats));
    const auto strides = [&](const std::string& name, Strides v) {
        if (c.blocks) params.emplace_back(name + "_blk_stride", number(v.block));
        params.emplace_back(name + "_rep_stride", number(v.repeat));
    };
    strides("dst", to);
    if (c.sources == 1) strides("src", from0);
    if (c.sources == 2) strides("src0", from0), strides("src1", from1);
    if (counter) params.emplace_back("mask_mode", std::string("counter"));
    std::vector<RefId> refs{s.Ref(ub[0], "float16")};
    for (int i = 0; i < c.sources; ++i) refs.push_back(s.Ref(ub[i + 1], "float16"));
    s.program.Call(c.call, refs, params, s.where);
    s.Move(s.Ref(out, "float16"), s.Ref(ub[0], "float16"), int64_t{kElements / 16});
    s.Build({in[0], in[1], in[2]}, {out});

    const auto a = Halves(seed), b = Halves(seed + 1), d = Halves(seed + 2);
    std::vector<uint16_t> expected = a;
    const int64_t rounds = counter ? (count + 127) / 128 : repeats;
    for (int64_t r = 0; r < rounds; ++r) {
        for (int64_t lane = 0; lane < 128; ++lane) {
            const bool on = counter ? r * 128 + lane < count
                            : bits  ? ((lane < 64 ? low : high) >> (lane % 64)) & 1
                                    : lane < count;
            const auto at = [&](Strides v) {
                return static_cast<size_t>((r * v.repeat + lane / 16 * v.block) * 16 + lane % 16);
            };
            if (!on) continue;
            const float x = c.sources > 0 ? ToFloat(b[at(from0)]) : 0;
            const float y = c.scalar ? static_cast<float>(scalar) : ToFloat(d[at(from1)]);
            expected[at(to)] = half(Saturated(c.meaning(x, y))).bits();
        }
    }
    const auto result = s.Run({FeedOf("a", a), FeedOf("b", b), FeedOf("c", d)});
    ASSERT_EQ(result.size(), 1u);
    EXPECT_EQ(As<uint16_t>(result[0]), expected) << c.call << " seed " << seed << (late ? " late" : "");
}

TEST(TikCalls, VectorCallsAgainstTheDefinition) {
    for (const Case& c : kCases) {
        for (uint32_t seed = 1; seed <= 12; ++seed) {
            Check(c, seed, false);
            Check(c, seed, true);
        }
    }
}

TEST(TikCalls, RepeatOfAScalarMayBeZero) {
    Script s;
    const TensorId ub = s.Local("float16", 128, "ub");
    const ScalarId none = s.NewScalar("int32", s.Imm(int64_t{0}));
    const auto call = [&](Value repeat) {
        s.program.Call("vec_dup", {s.Ref(ub, "float16")},
                       {{"mask", int64_t{128}}, {"scalar", 1.0}, {"repeat_times", repeat}, {"dst_rep_stride", int64_t{8}}},
                       s.where);
    };
    call(s.Var(none));
    EXPECT_EQ(RefusedBy([&] { call(int64_t{0}); }).rule, "repeat-range");
    s.Build({}, {});
    const RunResult result = s.program.Run({}, {});
    EXPECT_TRUE(result.launch.ok());
    ASSERT_EQ(result.launch.findings.size(), 1u);
    EXPECT_EQ(result.launch.findings[0].rule, "repeat-zero");
}

TEST(TikCalls, CounterModeIsNormalOnOldChips) {
    for (const auto& [chip, elements] : {std::pair{"Ascend310", 2}, std::pair{"Ascend310P", 4}}) {
        Script s(chip);
        const TensorId out = s.Gm("float32", 128, "out");
        const TensorId ub = s.Local("float32", 128, "ub");
        s.program.Call("vec_dup", {s.Ref(ub, "float32")},
                       {{"mask", int64_t{64}}, {"scalar", 0.0}, {"repeat_times", int64_t{2}}, {"dst_rep_stride", int64_t{8}}},
                       s.where);
        s.program.Call("vec_adds", {s.Ref(ub, "float32"), s.Ref(ub, "float32")},
                       {{"mask", int64_t{2}}, {"scalar", 1.0}, {"repeat_times", int64_t{2}}, {"dst_rep_stride", int64_t{8}},
                        {"src_rep_stride", int64_t{8}}, {"mask_mode", std::string("counter")}},
                       s.where);
        s.Move(s.Ref(out, "float32"), s.Ref(ub, "float32"), int64_t{16});
        s.Build({}, {out});
        float sum = 0;
        for (const float f : As<float>(s.Run()[0])) sum += f;
        EXPECT_EQ(sum, chip == std::string("Ascend310") ? 4 : 2) << chip << elements;
    }
}

// Halves of destination blocks, and every form of the scale (tik.md 3.3, 3.5).
TEST(TikCalls, ConversionsWithAScale) {
    for (const int form : {0, 1, 2, 3}) {
        for (const bool high : {false, true}) {
            Script s("Ascend310P");
            const TensorId in = s.Gm("int16", 128, "in"), words = s.Gm("uint64", 16, "words"), out = s.Gm("int8", 256, "out");
            const TensorId x = s.Local("int16", 128, "x"), w = s.Local("uint64", 16, "w"), y = s.Local("int8", 256, "y");
            s.Move(s.Ref(x, "int16"), s.Ref(in, "int16"), int64_t{8});
            s.Move(s.Ref(w, "uint64"), s.Ref(words, "uint64"), int64_t{4});
            s.program.Call("vec_dup", {s.Ref(y, "int16")},
                           {{"mask", int64_t{128}}, {"scalar", int64_t{0}}, {"repeat_times", int64_t{1}}, {"dst_rep_stride", int64_t{8}}},
                           s.where);
            // 2.0 and offset 3, signed.
            const uint64_t word = uint64_t{1} << 46 | uint64_t{3} << 37 | 0x40000000;
            Params params{{"mask", int64_t{128}}, {"round_mode", std::string("none")}, {"repeat_times", int64_t{1}},
                          {"dst_rep_stride", int64_t{8}}, {"src_rep_stride", int64_t{8}}, {"ldst_high_half", int64_t{high}}};
            std::vector<RefId> refs{s.Ref(y, "int8"), s.Ref(x, "int16")};
            if (form == 0) params.emplace_back("deqscale", static_cast<int64_t>(word));
            if (form == 1) params.emplace_back("deqscale", s.Var(s.NewScalar("uint64", s.Typed(word, "uint64"))));
            if (form == 2) params.emplace_back("deqscale", ValueList{2.0, int64_t{3}});
            if (form == 3) refs.push_back(s.Ref(w, "uint64"));
            s.program.Call("vec_conv", refs, params, s.where);
            s.Move(s.Ref(out, "int8"), s.Ref(y, "int8"), int64_t{8});
            s.Build({in, words}, {out});
            std::vector<int16_t> data(128);
            for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int16_t>(i) - 64;
            const auto result = s.Run({FeedOf("in", data), FeedOf("words", std::vector<uint64_t>(16, word))});
            ASSERT_EQ(result.size(), 1u);
            const auto bytes = As<int8_t>(result[0]);
            for (size_t i = 0; i < 128; ++i) {
                const int value = std::clamp(2 * data[i] + 3, -128, 127);
                EXPECT_EQ(bytes[i / 16 * 32 + i % 16 + (high ? 16 : 0)], value) << form << high << i;
                EXPECT_EQ(bytes[i / 16 * 32 + i % 16 + (high ? 0 : 16)], 0) << form << high << i;
            }
        }
    }
}

TEST(TikCalls, MovesWithGapsAndPads) {
    Script s;
    const TensorId in = s.Gm("float16", 256, "in"), out = s.Gm("float16", 256, "out");
    const TensorId ub = s.Local("float16", 256, "ub");
    s.program.Call("data_move", {s.Ref(ub, "float16"), s.Ref(in, "float16")},
                   {{"sid", int64_t{0}}, {"nburst", int64_t{3}}, {"burst", int64_t{2}}, {"src_stride", int64_t{1}}, {"dst_stride", int64_t{2}}},
                   s.where);
    s.program.Call("data_move_pad", {s.Ref(out, "float16"), s.Ref(ub, "float16")},
                   {{"nburst", int64_t{3}}, {"burst", int64_t{6}}, {"dst_gap", int64_t{4}}, {"src_gap", int64_t{3}}}, s.where);
    s.Build({in}, {out});
    const auto data = Halves(3);
    const auto result = s.Run({FeedOf("in", std::vector<uint16_t>(data.begin(), data.begin() + 256))});
    ASSERT_EQ(result.size(), 1u);
    const auto got = As<uint16_t>(result[0]);
    for (size_t b = 0; b < 3; ++b) {
        for (size_t i = 0; i < 3; ++i) EXPECT_EQ(got[b * 5 + i], data[b * 48 + i]) << b << i;
        for (size_t i = 3; i < 5; ++i) EXPECT_EQ(got[b * 5 + i], 0xFEFE) << b << i;
    }
}

// Several cores add into one tensor of GM.
TEST(TikCalls, AtomicAdd) {
    Script s;
    TensorOptions zeroed;
    zeroed.is_atomic_add = true;
    const TensorId out = s.Gm("float32", 64, "out", zeroed);
    const auto mode = [&](Value v) { s.program.Call("set_atomic_add", {}, {{"mode", std::move(v)}}, s.where); };
    const ScalarId i = s.For(s.Imm(int64_t{0}), s.Imm(int64_t{10}), 1, 10);
    const TensorId ub = s.Local("float32", 64, "ub");
    s.program.Call("vec_dup", {s.Ref(ub, "float32")},
                   {{"mask", int64_t{64}}, {"scalar", 0.0}, {"repeat_times", int64_t{1}}, {"dst_rep_stride", int64_t{8}}}, s.where);
    const ScalarId f = s.NewScalar("float32"), n = s.NewScalar("int32", s.Var(i));
    s.program.Call("scalar_conv", {}, {{"round_mode", std::string("none")}, {"dst", s.Var(f)}, {"src", s.Var(n)}}, s.where);
    s.program.Call("vec_adds", {s.Ref(ub, "float32"), s.Ref(ub, "float32")},
                   {{"mask", int64_t{64}}, {"scalar", s.Var(f)}, {"repeat_times", int64_t{1}}, {"dst_rep_stride", int64_t{8}}, {"src_rep_stride", int64_t{8}}},
                   s.where);
    mode(int64_t{1});
    s.Move(s.Ref(out, "float32"), s.Ref(ub, "float32"), int64_t{8});
    mode(int64_t{0});
    s.End();
    s.Build({}, {out});
    for (const float v : As<float>(s.Run()[0])) EXPECT_EQ(v, 45);
    Script old("Ascend310");
    EXPECT_EQ(RefusedBy([&] { old.program.Call("set_atomic_add", {}, {{"mode", int64_t{1}}}, old.where); }).rule,
              "atomic-unsupported");
}

}  // namespace
}  // namespace sfumato::tik
