// SPDX-License-Identifier: Apache-2.0
// Hints: each wrong kernel has its own, at its line, and the kernel without the cause takes what the hint says less.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernel_operator.h"
#include "runtime/launch/launch.h"
#include "timing/model.h"

namespace sfumato::timing {
namespace {

using namespace AscendC;

struct Modelled {
    TimeEstimate base;
    const TimeHint* Find(const std::string& name) const {
        for (const TimeHint& hint : base.hints) {
            if (hint.name == name) return &hint;
        }
        return nullptr;
    }
    std::string Text() const { return TextOf(base); }
};

Modelled ModelOf(void (*kernel)(uint8_t*)) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(4 << 20, "gm");
    const soc::Chip chip = soc::FindChip("Ascend910B2");
    Model::Setup setup{chip, {}, nullptr, 1, 0, 1, 1, {4 << 20}, {}, {}, {}};
    setup.make_set_flag = [] { return [](uint64_t, uint8_t, uint32_t) { return std::vector<uint64_t>{}; }; };
    setup.is_barrier = [](uint64_t) { return false; };
    Model model(std::move(setup));
    LaunchOptions options;
    options.chip = "Ascend910B2";
    options.workers = 1;
    const LaunchResult result = runtime::LaunchObserved(
        options, 1, memory, [=] { kernel(gm); }, &model);
    EXPECT_TRUE(result.ok()) << (result.findings.empty() ? "" : result.findings[0].Text());
    return {model.Estimate()};
}

uint32_t conflict_line = 0;

// Rows bank_s1 and bank_s2 of timing_fit.csv: 2390 and 4167 ticks of 20 ns.
template <uint32_t kSecond, uint32_t kOut>
void Adds1000(uint8_t*) {
    LocalTensor<float> a(TPosition::VECIN, 0, 4096), b(TPosition::VECIN, kSecond, 4096),
        c(TPosition::VECOUT, kOut, 4096);
    conflict_line = __LINE__ + 1;
    for (int i = 0; i < 1000; ++i) Add(c, a, b, 64, 64, {1, 1, 1, 8, 8, 8});
}

TEST(Hints, FindTheBankConflictAndItsGain) {
    const Modelled conflict = ModelOf(Adds1000<0x4000, 0x10000>), apart = ModelOf(Adds1000<0x10100, 0x20000>);
    const TimeHint* hint = conflict.Find("bank conflict");
    ASSERT_NE(hint, nullptr) << conflict.Text();
    EXPECT_EQ(hint->line, conflict_line);
    EXPECT_EQ(apart.Find("bank conflict"), nullptr) << apart.Text();
    EXPECT_NEAR(*hint->gain_us, conflict.base.core_us - apart.base.core_us, 0.01 * *hint->gain_us);
    const double published = (4167 - 2390) * 0.02;
    EXPECT_NEAR(*hint->gain_us, published, 0.2 * published);
}

// 64 copies of 32 rows of 512 bytes, from `shift` bytes on.
template <uint32_t kShift>
void Copies(uint8_t* gm) {
    LocalTensor<uint8_t> ub(TPosition::VECIN, 0, 16384);
    GlobalTensor<uint8_t> from;
    from.SetGlobalBuffer(gm, 4 << 20);
    for (uint32_t i = 0; i < 64; ++i) DataCopy(ub, from[i * 32768 + kShift], DataCopyParams{32, 16, 16, 0});
}

// 64 copies of 2 KiB, each before the Adds that uses it, in one buffer.
void OneBuffer(uint8_t* gm) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, 32768);
    GlobalTensor<float> from;
    from.SetGlobalBuffer(reinterpret_cast<float*>(gm), 1 << 20);
    for (uint32_t i = 0; i < 32; ++i) {
        LocalTensor<float> x = queue.AllocTensor<float>();
        DataCopy(x, from[i * 8192], 8192);
        queue.EnQue(x);
        x = queue.DeQue<float>();
        for (int n = 0; n < 6; ++n) Adds(x, x, 1.0f, 8192);
        queue.FreeTensor(x);
    }
}

// 128 KiB in tiles, each through one buffer.
template <uint32_t kTile>
void Tiles(uint8_t* gm) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, kTile * 4);
    GlobalTensor<float> from;
    from.SetGlobalBuffer(reinterpret_cast<float*>(gm), 1 << 20);
    for (uint32_t at = 0; at < 32768; at += kTile) {
        LocalTensor<float> x = queue.AllocTensor<float>();
        DataCopy(x, from[at], kTile);
        queue.EnQue(x);
        x = queue.DeQue<float>();
        Adds(x, x, 1.0f, kTile);
        queue.FreeTensor(x);
    }
}

void ShortInstructions(uint8_t*) {
    LocalTensor<float> x(TPosition::VECIN, 0, 64);
    for (int i = 0; i < 500; ++i) Adds(x, x, 1.0f, 64);
}

void Barriers(uint8_t* gm) {
    LocalTensor<float> x(TPosition::VECIN, 0, 8192);
    GlobalTensor<float> from;
    from.SetGlobalBuffer(reinterpret_cast<float*>(gm), 1 << 20);
    for (uint32_t i = 0; i < 16; ++i) {
        DataCopy(x, from[i * 8192], 8192);
        PipeBarrier<PIPE_ALL>();
        Adds(x, x, 1.0f, 8192);
        PipeBarrier<PIPE_ALL>();
    }
}

TEST(Hints, FindRowsThatAreNotAligned) {
    const Modelled shifted = ModelOf(Copies<32>), aligned = ModelOf(Copies<0>);
    const TimeHint* hint = shifted.Find("rows not aligned");
    ASSERT_NE(hint, nullptr) << shifted.Text();
    EXPECT_EQ(aligned.Find("rows not aligned"), nullptr) << aligned.Text();
    EXPECT_NEAR(*hint->gain_us, shifted.base.core_us - aligned.base.core_us, 0.05 * *hint->gain_us);
}

TEST(Hints, FindTheMissingSecondBuffer) {
    const Modelled one = ModelOf(OneBuffer);
    const TimeHint* hint = one.Find("no overlap");
    ASSERT_NE(hint, nullptr) << one.Text();
    EXPECT_TRUE(hint->at_most);
    EXPECT_GT(*hint->gain_us, 0.2 * one.base.core_us);
}

// What small copies cost is the latency of each, which a copy of 16 KiB has once.
TEST(Hints, FindSmallCopies) {
    const Modelled small = ModelOf(Tiles<256>), large = ModelOf(Tiles<4096>);
    const TimeHint* hint = small.Find("copies too small");
    ASSERT_NE(hint, nullptr) << small.Text();
    EXPECT_TRUE(hint->at_most);
    EXPECT_EQ(large.Find("copies too small"), nullptr) << large.Text();
    // Larger tiles have fewer heads of V, too.
    EXPECT_GT(*hint->gain_us, 0.7 * (small.base.core_us - large.base.core_us));
    EXPECT_LT(*hint->gain_us, small.base.core_us - large.base.core_us);
}

TEST(Hints, FindShortInstructions) {
    const Modelled found = ModelOf(ShortInstructions);
    const TimeHint* hint = found.Find("repeats too few");
    ASSERT_NE(hint, nullptr) << found.Text();
    EXPECT_GT(*hint->gain_us, 0.5 * found.base.core_us);
}

TEST(Hints, FindBarriersInALoop) {
    const Modelled found = ModelOf(Barriers);
    ASSERT_NE(found.Find("barrier of all pipes in a loop"), nullptr) << found.Text();
}

TEST(Hints, SayWhyAndWhere) {
    TimeEstimate estimate;
    estimate.hints.push_back(
        {"bank conflict", "conflicts are 43 % of V's cycles, above 10 %", "move it", "S3", "a.cpp", 7, 1.25, true});
    estimate.hints.push_back({"head of the launch", "a task of 9 us", "fewer cores", "S35", "", 0, {}, false});
    const std::string text = TextOf(estimate);
    EXPECT_EQ(text.substr(text.find("  hints")),
              "  hints       what costs time, and the core time that a kernel without it would gain\n"
              "    bank conflict at a.cpp:7: conflicts are 43 % of V's cycles, above 10 %\n"
              "      move it; gain at most 1.25 us, estimate (S3)\n"
              "    head of the launch: a task of 9 us\n"
              "      fewer cores; gain not modelled (S35)\n");
}

}  // namespace
}  // namespace sfumato::timing
