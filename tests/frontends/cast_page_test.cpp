// SPDX-License-Identifier: Apache-2.0
// The worked examples of the Cast page: its three call forms, the masked form, and its own kernel text.
#include <gtest/gtest.h>

#include <fstream>

#include "frontends/kernels.h"

#ifdef SFUMATO_PAGE_KERNEL
#include SFUMATO_PAGE_KERNEL
#endif

namespace sfumato::frontends_test {
namespace {

using namespace AscendC;

constexpr uint32_t kCount = 512;

enum class Form { kCalCount, kContinuous, kBitwise, kMask32 };

template <Form form>
__global__ __aicore__ void cast_form(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<half> xg;
    GlobalTensor<int32_t> yg;
    xg.SetGlobalBuffer((__gm__ half*)x, kCount);
    yg.SetGlobalBuffer((__gm__ int32_t*)y, kCount);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> source;
    TQue<QuePosition::VECOUT, 1> target;
    pipe.InitBuffer(source, 1, kCount * sizeof(half));
    pipe.InitBuffer(target, 1, kCount * sizeof(int32_t));
    LocalTensor<half> srcLocal = source.AllocTensor<half>();
    DataCopy(srcLocal, xg, kCount);
    source.EnQue(srcLocal);
    srcLocal = source.DeQue<half>();
    LocalTensor<int32_t> dstLocal = target.AllocTensor<int32_t>();
    uint64_t mask[2] = {UINT64_MAX, 0};
    if (form == Form::kCalCount) Cast(dstLocal, srcLocal, RoundMode::CAST_CEIL, kCount);
    if (form == Form::kContinuous) Cast(dstLocal, srcLocal, RoundMode::CAST_CEIL, 64, 8, {1, 1, 8, 4});
    if (form == Form::kBitwise) Cast(dstLocal, srcLocal, RoundMode::CAST_CEIL, mask, 8, {1, 1, 8, 4});
    if (form == Form::kMask32) Cast(dstLocal, srcLocal, RoundMode::CAST_CEIL, 32, 8, {1, 1, 8, 4});
    target.EnQue(dstLocal);
    source.FreeTensor(srcLocal);
    dstLocal = target.DeQue<int32_t>();
    DataCopy(yg, dstLocal, kCount);
    target.FreeTensor(dstLocal);
}

std::vector<double> Numbers(const std::string& name) {
    std::ifstream file(SFUMATO_TEST_DATA "/ascendc_cast_ceil/" + name);
    std::vector<double> numbers;
    for (double v; file >> v;) numbers.push_back(v);
    EXPECT_EQ(numbers.size(), kCount) << name;
    return numbers;
}

// Elements whose place in a repeat of 64 is `defined` or more keep what the buffer held: the fill.
Program PageProgram(const std::string& suffix, uint32_t defined, void (*kernel)(GM_ADDR, GM_ADDR)) {
    std::vector<uint16_t> x;
    for (const double v : Numbers("src" + suffix + ".txt")) x.push_back(HalfBits(v));
    std::vector<int32_t> y;
    for (const double v : Numbers("dst" + suffix + ".txt")) {
        y.push_back(y.size() % 64 < defined ? static_cast<int32_t>(v) : static_cast<int32_t>(kFill * 0x01010101u));
    }
    return {"page", kAllChips, {In(x), Out(y)}, [kernel](uint8_t* const* gm) { kernel(gm[0], gm[1]); }};
}

void ExpectRight(const Program& program) {
    for (const std::string& chip : program.chips) {
        for (const std::string schedule : {"eager", "late", "ahead", "seed:1", "seed:2", "seed:3"}) {
            const Outcome outcome = Execute(program, chip, schedule, 1, true);
            EXPECT_TRUE(Quiet(outcome.result)) << chip << outcome.result.findings.front().Text();
            EXPECT_EQ(Difference(program, outcome), "") << chip << " " << schedule;
        }
    }
}

// The register of SetDeqScale is for the conversions that take a scale: a Cast of other types gives the same with it.
template <class Src, class Dst, RoundMode mode>
__aicore__ void CastTwice(GlobalTensor<int32_t> differences, uint32_t at) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out;
    pipe.InitBuffer(in, 128 * sizeof(Src));
    pipe.InitBuffer(out, 3 * 128 * sizeof(Dst));
    LocalTensor<Src> x = in.Get<Src>();
    LocalTensor<Dst> y = out.Get<Dst>();
    for (uint32_t i = 0; i < 128; ++i) x.SetValue(i, static_cast<Src>(static_cast<float>(i) - 60.0f));
    PipeBarrier<PIPE_ALL>();
    Cast(y, x, mode, 128);
    SetDeqScale(static_cast<half>(0.3));
    Cast(y[128], x, mode, 128);
    SetDeqScale(0.37f, -12, true);
    Cast(y[256], x, mode, 128);
    PipeBarrier<PIPE_ALL>();
    int32_t different = 0;
    for (uint32_t i = 0; i < 128; ++i) {
        const auto wanted = static_cast<float>(y.GetValue(i));
        different += static_cast<float>(y.GetValue(128 + i)) != wanted;
        different += static_cast<float>(y.GetValue(256 + i)) != wanted;
    }
    differences.SetValue(at, different);
}
__global__ __aicore__ void scale_left_behind(GM_ADDR out) {
    GlobalTensor<int32_t> differences;
    differences.SetGlobalBuffer((__gm__ int32_t*)out, 8);
    CastTwice<half, float, RoundMode::CAST_NONE>(differences, 0);
    CastTwice<float, half, RoundMode::CAST_NONE>(differences, 1);
    CastTwice<half, int8_t, RoundMode::CAST_NONE>(differences, 2);
    CastTwice<int8_t, half, RoundMode::CAST_NONE>(differences, 3);
    CastTwice<half, int32_t, RoundMode::CAST_RINT>(differences, 4);
    CastTwice<uint8_t, half, RoundMode::CAST_NONE>(differences, 5);
    CastTwice<float, int32_t, RoundMode::CAST_RINT>(differences, 6);
    CastTwice<int32_t, float, RoundMode::CAST_NONE>(differences, 7);
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(differences);
}
TEST(CastPage, ScaleLeftBehind) {
    ExpectRight({"scale_left_behind", {"Ascend910A", "Ascend310P3", "Ascend910B1"}, {Out(std::vector<int32_t>(8))},
                 [](uint8_t* const* gm) { scale_left_behind(gm[0]); }});
}

TEST(CastPage, FirstElements) { ExpectRight(PageProgram("", 64, cast_form<Form::kCalCount>)); }
TEST(CastPage, ContinuousMask) { ExpectRight(PageProgram("", 64, cast_form<Form::kContinuous>)); }
TEST(CastPage, BitwiseMask) { ExpectRight(PageProgram("", 64, cast_form<Form::kBitwise>)); }
TEST(CastPage, First32OfEvery64) { ExpectRight(PageProgram("_mask32", 32, cast_form<Form::kMask32>)); }

TEST(CastPage, KernelTextOfThePage) {
#ifdef SFUMATO_PAGE_KERNEL
    ExpectRight(PageProgram("", 64, cast_simple_kernel));
#else
    GTEST_SKIP() << "the specification's pages are not next to the project";
#endif
}

}  // namespace
}  // namespace sfumato::frontends_test
