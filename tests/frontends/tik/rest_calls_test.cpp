// SPDX-License-Identifier: Apache-2.0
// High precision, changes of depth, copies, flags and control registers as TIK calls.
#include <numeric>

#include "script.h"

namespace sfumato::tik {
namespace {

constexpr int64_t kOne = 1, kEight = 8;

Params Precise(int64_t mask, int64_t repeats) {
    return {{"mask", mask}, {"repeat_times", repeats}, {"dst_rep_stride", kEight}, {"src_rep_stride", kEight}};
}

Params Unary(Value mask, int64_t repeats, int64_t dst_stride, int64_t src_stride) {
    return {{"mask", std::move(mask)},      {"repeat_times", repeats},        {"dst_blk_stride", kOne},
            {"src_blk_stride", kOne},       {"dst_rep_stride", dst_stride},   {"src_rep_stride", src_stride}};
}

// What dst holds after one call on data in UB.
template <class To, class T, class Call>
std::vector<To> After(const char* chip, const char* src_type, const char* dst_type, const std::vector<T>& data,
                           int64_t dst_elements, const Call& call) {
    Script s(chip);
    const auto n = static_cast<int64_t>(data.size());
    const TensorId in = s.Gm(src_type, n, "in"), out = s.Gm(dst_type, dst_elements, "out");
    const TensorId src = s.Local(src_type, n, "src"), dst = s.Local(dst_type, dst_elements, "dst");
    s.Move(s.Ref(src, src_type), s.Ref(in, src_type), n * static_cast<int64_t>(sizeof(T)) / 32);
    call(s, dst, src);
    s.Move(s.Ref(out, dst_type), s.Ref(dst, dst_type), kEight);
    s.Build({in}, {out});
    return As<To>(s.Run({FeedOf("in", data)}).at(0));
}

TEST(TikRest, HighPrecisionIsCorrectlyRounded) {
    std::vector<uint16_t> data(128, half(0.0009765625f).bits());
    data[1] = half(1.0f).bits();
    const auto precise = [](Script& s, TensorId dst, TensorId src) {
        const TensorId work = s.Local("float16", 11 * 128, "work");
        s.program.Call("vec_expm1_high_preci",
                       {s.Ref(dst, "float16"), s.Ref(src, "float16"), s.Ref(work, "float16")}, Precise(128, 1),
                       s.where);
    };
    const auto found = After<uint16_t>("Ascend910B1", "float16", "float16", data, 128, precise);
    EXPECT_EQ(found[0], half(0.00097751617431640625f).bits());  // exp(x) - 1 of halves is x
    EXPECT_EQ(found[1], half(1.71875f).bits());
}

TEST(TikRest, HighPrecisionNeedsItsWorkTensor) {
    const auto refuse = [](const char* chip, const char* work_type, int64_t elements) {
        Script s(chip);
        const TensorId src = s.Local("float16", 256, "src"), dst = s.Local("float16", 256, "dst");
        const TensorId work = s.Local(work_type, elements, "work");
        s.At(40);
        return RefusedBy([&] {
            s.program.Call("vec_rsqrt_high_preci",
                           {s.Ref(dst, "float16"), s.Ref(src, "float16"), s.Ref(work, work_type)}, Precise(100, 2),
                           s.where);
        });
    };
    EXPECT_EQ(refuse("Ascend910B1", "float32", 1192).Text(),
              "fault [work-size] vec_rsqrt_high_preci: the work tensor is too small\n"
              "  where:  script.py:40 (Ascend910B)\n"
              "  found:  work_tensor: 1192 elements of float32\n"
              "  legal:  1200 elements: 5 times the extent of src\n"
              "  do:     make it larger");
    EXPECT_EQ(refuse("Ascend310", "float32", 1200).legal, "1440 elements: 6 times the extent of src");
    EXPECT_EQ(refuse("Ascend910B1", "float16", 4000).legal, "float32 in UB");
}

TEST(TikRest, HighPrecisionKeepsItsWorkTensorApart) {
    Script s;
    const TensorId src = s.Local("float16", 2048, "src"), dst = s.Local("float16", 128, "dst");
    const Report report = RefusedBy([&] {
        s.program.Call("vec_ln_high_preci", {s.Ref(dst, "float16"), s.Ref(src, "float16"), s.Ref(src, "float16", 64)},
                       Precise(128, 1), s.where);
    });
    EXPECT_EQ(report.rule, "operands-share");
    EXPECT_EQ(report.found, "bytes 128..2688 of UB, with src");
}

TEST(TikRest, DepthsSaturate) {
    std::vector<int32_t> data(64);
    std::iota(data.begin(), data.end(), -32);
    data[0] = 40000;
    data[1] = -40000;
    const auto found =
        After<int16_t>("Ascend310P3", "int32", "int16", data, 128, [](Script& s, TensorId dst, TensorId src) {
            s.program.Call("vcbd", {s.Ref(dst, "int16"), s.Ref(src, "int32")}, Unary(int64_t{64}, 1, 4, 8), s.where);
        });
    EXPECT_EQ(found[0], 32767);
    EXPECT_EQ(found[1], -32768);
    EXPECT_TRUE(std::equal(data.begin() + 2, data.end(), found.begin() + 2));
}

TEST(TikRest, CopiesCountTheElementsOfARepeat) {
    Script s;
    const TensorId src = s.Local("float16", 512, "src"), dst = s.Local("float16", 512, "dst");
    Params params = Unary(int64_t{129}, 2, 8, 8);
    params.emplace_back("mask_mode", std::string("counter"));
    s.At(40);
    const Report report = RefusedBy(
        [&] { s.program.Call("vcopy", {s.Ref(dst, "float16"), s.Ref(src, "float16")}, params, s.where); });
    EXPECT_EQ(report.rule, "mask-range");
    EXPECT_EQ(report.found, "129");
    EXPECT_EQ(report.legal, "1..128");
    EXPECT_EQ(report.line, 40u);
}

TEST(TikRest, FlagsJoinPipes) {
    const auto refuse = [](const char* from, const char* to, int64_t id) {
        Script s;
        return RefusedBy([&] {
            const Params params = {{"pipe", std::string(from)}, {"trigger_pipe", std::string(to)}, {"event_id", id}};
            s.program.Call("set_flag", {}, params, s.where);
        });
    };
    EXPECT_EQ(refuse("PIPE_X", "PIPE_V", 0).rule, "pipe-unsupported");
    EXPECT_EQ(refuse("PIPE_V", "PIPE_FIX", 0).rule, "event-pair");
    EXPECT_EQ(refuse("PIPE_V", "PIPE_MTE3", 8).rule, "event-id-range");
}

TEST(TikRest, RegistersTakeWhatIsModelled) {
    const auto refuse = [](const char* call, const char* param, Value value) {
        Script s;
        return RefusedBy([&] { s.program.Call(call, {}, {{param, std::move(value)}}, s.where); });
    };
    EXPECT_EQ(refuse("set_fp2int_mode", "mode", int64_t{1}).rule, "parameter-unsupported");
    EXPECT_EQ(refuse("set_fp2fp_mode", "mode", int64_t{2}).legal, "0..1");
    EXPECT_EQ(refuse("set_system_cache", "mode", 1.5).rule, "parameter-type");
    EXPECT_EQ(refuse("get_overflow_status", "status", int64_t{1}).legal, "a Scalar");
    EXPECT_TRUE(Program::Knows("set_overflow_status"));
    EXPECT_FALSE(Program::Knows("set_cond_task_id"));
}

}  // namespace
}  // namespace sfumato::tik
