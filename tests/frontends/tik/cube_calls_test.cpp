// SPDX-License-Identifier: Apache-2.0
// A matrix product of TIK calls on coupled and separate cores, against the definition.
#include "script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kM = 32, kK = 48, kN = 16;

std::vector<uint16_t> Small(int64_t n, int step) {
    std::vector<uint16_t> data(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) data[static_cast<size_t>(i)] = half(static_cast<float>(i * step % 11 - 5)).bits();
    return data;
}

struct Matrices {
    explicit Matrices(Script& s)
        : a_gm(s.Gm("float16", kM * kK, "a")), b_gm(s.Gm("float16", kK * kN, "b")),
          a1(s.Local("float16", kM * kK, "a1", "local.L1")), b1(s.Local("float16", kK * kN, "b1", "local.L1")),
          c(s.Local("float32", kM * kN, "c", "local.L0C")) {
        s.Move(s.Ref(a1, "float16"), s.Ref(a_gm, "float16"), kM * kK / 16);
        s.Move(s.Ref(b1, "float16"), s.Ref(b_gm, "float16"), kK * kN / 16);
    }
    TensorId a_gm, b_gm, a1, b1, c;
};

// A 1x1 window is the matrix itself: load3dv1 and load3dv2 give what load2d gives.
TEST(TikCube, WindowsOfOnePixel) {
    for (const bool second : {false, true}) {
        Script s("Ascend310P");
        constexpr int64_t kPixels = 32;
        const TensorId in = s.Gm("float16", kPixels * 16, "in"), out = s.Gm("float16", kPixels * 16, "out");
        const TensorId l1 = s.Local("float16", kPixels * 16, "l1", "local.L1"), ub = s.Local("float16", kPixels * 16, "ub");
        s.Move(s.Ref(l1, "float16"), s.Ref(in, "float16"), kPixels);
        Params params{{"l1_h", int64_t{4}}, {"l1_w", int64_t{8}}, {"stride_w", int64_t{1}}, {"stride_h", int64_t{1}},
                      {"filter_w", int64_t{1}}, {"filter_h", int64_t{1}}, {"dilation_filter_w", int64_t{1}},
                      {"dilation_filter_h", int64_t{1}}};
        const ValueList pads{int64_t{0}, int64_t{0}, int64_t{0}, int64_t{0}};
        const Params first{{"pad", pads}, {"c1_index", int64_t{0}}, {"fetch_filter_w", int64_t{0}}, {"fetch_filter_h", int64_t{0}},
                           {"left_top_w", int64_t{0}}, {"left_top_h", int64_t{0}}, {"jump_offset", int64_t{1}},
                           {"repeat_mode", int64_t{1}}, {"repeat_time", int64_t{2}}};
        const Params other{{"pad_list", pads}, {"channel_size", int64_t{16}}, {"k_extension", int64_t{16}},
                           {"m_extension", kPixels}, {"k_start_pt", int64_t{0}}, {"m_start_pt", int64_t{0}}};
        for (const auto& p : second ? other : first) params.push_back(p);
        s.program.Call(second ? "load3dv2" : "load3dv1", {s.Ref(ub, "float16"), s.Ref(l1, "float16")}, params, s.where);
        s.Move(s.Ref(out, "float16"), s.Ref(ub, "float16"), kPixels);
        s.Build({in}, {out});
        const auto data = Small(kPixels * 16, 3);
        const auto result = s.Run({FeedOf("in", data)});
        ASSERT_EQ(result.size(), 1u) << second;
        EXPECT_EQ(As<uint16_t>(result[0]), data) << second;
    }
}

// The parts of a call that becomes several records keep their order under every schedule, also where the scope around
// it inserts no synchronisation.
TEST(TikCube, StepsKeepTheirOrder) {
    for (const char* schedule : {"eager", "late", "seed:5", "seed:6"}) {
        Script s("Ascend910A");
        Matrices x(s);
        const TensorId out = s.Gm("float32", kM * kN, "out");
        s.program.BeginScope(true, s.where);
        s.program.Call("matmul", {s.Ref(x.c, "float32"), s.Ref(x.a1, "float16"), s.Ref(x.b1, "float16")},
                       {{"m", kM}, {"k", kK}, {"n", kN}}, s.where);
        s.End();
        s.program.Call("fixpipe", {s.Ref(out, "float32"), s.Ref(x.c, "float32")},
                       {{"cburst_num", kN / 16}, {"burst_len", kM * 2}, {"dst_stride", int64_t{0}}, {"src_stride", int64_t{0}}},
                       s.where);
        s.Build({x.a_gm, x.b_gm}, {out});
        RunOptions options;
        options.launch.schedule = schedule;
        // A and B as columns of fractals: [K / 16, M, 16] and [K / 16, N, 16].
        const auto a = Small(kM * kK, 3), b = Small(kK * kN, 7);
        const auto result = s.Run({FeedOf("a", a), FeedOf("b", b)}, options);
        ASSERT_EQ(result.size(), 1u) << schedule;
        const auto c = As<float>(result[0]);
        for (int64_t m = 0; m < kM; ++m) {
            for (int64_t n = 0; n < kN; ++n) {
                float sum = 0;
                for (int64_t k = 0; k < kK; ++k) {
                    sum += static_cast<float>(half::FromBits(a[static_cast<size_t>((k / 16 * kM + m) * 16 + k % 16)])) *
                           static_cast<float>(half::FromBits(b[static_cast<size_t>((k / 16 * kN + n) * 16 + k % 16)]));
                }
                ASSERT_EQ(c[static_cast<size_t>((n / 16 * kM + m) * 16 + n % 16)], sum) << schedule << m << " " << n;
            }
        }
    }
}

TEST(TikCube, ProductsRunOnCubeCores) {
    Script s("Ascend910B1");
    Matrices x(s);
    s.program.Call("matmul", {s.Ref(x.c, "float32"), s.Ref(x.a1, "float16"), s.Ref(x.b1, "float16")},
                   {{"m", kM}, {"k", kK}, {"n", kN}}, s.where);
    s.Build({x.a_gm, x.b_gm}, {});
    EXPECT_EQ(s.program.Info().core_type, "CubeCore");
}

// What such a call works on lies behind every tensor that lives, those at chosen addresses among them.
TEST(TikCube, StepsFindNoRoom) {
    Script s("Ascend910A");
    Matrices x(s);
    const auto multiply = [&] {
        s.program.Call("matmul", {s.Ref(x.c, "float32"), s.Ref(x.a1, "float16"), s.Ref(x.b1, "float16")},
                       {{"m", kM}, {"k", kK}, {"n", kN}}, s.where);
    };
    multiply();
    TensorOptions options;
    options.start_addr = 32768;
    s.program.Tensor("float16", {16384}, "local.L0A", "rest", options, s.where);
    const Report report = RefusedBy([&] { multiply(); });
    EXPECT_EQ(report.rule, "buffer-size");
    EXPECT_EQ(report.instruction, "matmul");
    EXPECT_EQ(report.found, "0 bytes left");
}

// Sizes are checked before the places of slices are known, which are checked when the call runs.
TEST(TikCube, StepsOfMovingSlices) {
    Script s("Ascend910A");
    Matrices x(s);
    const ScalarId i = s.For(s.Imm(int64_t{0}), s.Imm(int64_t{2}));
    const auto multiply = [&](int64_t m) {
        const ExprId start = s.Binary("*", s.Var(i), s.Imm(kM * kK));
        s.program.Call("matmul", {s.Ref(x.c, "float32"), s.Ref(x.a1, "float16", start), s.Ref(x.b1, "float16")},
                       {{"m", m}, {"k", kK}, {"n", kN}}, s.where);
    };
    EXPECT_EQ(RefusedBy([&] { multiply(kM + 1); }).rule, "tensor-size");
    multiply(kM);
    s.End();
    s.Build({x.a_gm, x.b_gm}, {});
    const auto a = Small(kM * kK, 3), b = Small(kK * kN, 7);
    const RunResult result = s.program.Run({FeedOf("a", a), FeedOf("b", b)}, {});
    ASSERT_EQ(result.launch.findings.size(), 1u);
    EXPECT_EQ(result.launch.findings[0].rule, "tensor-size");
    EXPECT_EQ(result.launch.findings[0].operand, "a");
}

}  // namespace
}  // namespace sfumato::tik
