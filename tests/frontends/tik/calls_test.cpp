// SPDX-License-Identifier: Apache-2.0
// Vector calls and moves beyond the general form, which tests/python/test_tik_general.py runs.
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
}

}  // namespace
}  // namespace sfumato::tik
