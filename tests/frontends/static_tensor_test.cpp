// SPDX-License-Identifier: Apache-2.0
// Kernels without a TPipe: right ones under every schedule, allocators, the state of a core, the same records in two
// styles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontends/on_chip.h"
#include "frontends/static_kernels.h"
#include "support/golden.h"

namespace sfumato::frontends_test {

void PrintTo(const StaticProgram& tested, std::ostream* out) { *out << tested.program.name; }

namespace {

using namespace AscendC;

std::vector<StaticProgram> Programs() {
    std::vector<StaticProgram> all;
    for (auto* group : {StaticVectorPrograms, StaticLanePrograms, StaticCubePrograms}) {
        for (StaticProgram& program : group()) all.push_back(std::move(program));
    }
    return all;
}

class StaticTensors : public testing::TestWithParam<StaticProgram> {};

void ExpectRight(const Program& program, const std::string& chip, const std::string& schedule, uint32_t blocks,
                 bool auto_sync, const char* check = "") {
    const Outcome outcome = Execute(program, chip, schedule, blocks, auto_sync, check);
    const std::string place = fmt::format("{} on {} under {}, {} blocks", program.name, chip, schedule, blocks);
    for (const Report& report : outcome.result.findings) ADD_FAILURE() << place << "\n" << report.Text();
    EXPECT_EQ(Difference(program, outcome), "") << place;
}

TEST_P(StaticTensors, SameBytesUnderEverySchedule) {
    std::vector<std::string> schedules = {"eager", "late", "ahead", "all:2"};
    for (int seed = 1; seed <= 8; ++seed) schedules.push_back(fmt::format("seed:{}", seed));
    const StaticProgram& tested = GetParam();
    for (const std::string& chip : tested.program.chips) {
        for (const uint32_t blocks : tested.blocks) {
            for (const std::string& schedule : schedules) {
                ExpectRight(tested.program, chip, schedule, blocks, true);
                ExpectRight(tested.program, chip, schedule, blocks, false);
                if (HasFailure()) return;
            }
        }
    }
}

TEST_P(StaticTensors, NoCheckFindsAnything) {
    const StaticProgram& tested = GetParam();
    for (const std::string& chip : tested.program.chips)
        ExpectRight(tested.program, chip, "eager", tested.blocks.back(), false, "races,init,outputs,raw");
}

INSTANTIATE_TEST_SUITE_P(All, StaticTensors, testing::ValuesIn(Programs()),
                         [](const testing::TestParamInfo<StaticProgram>& tested) { return tested.param.program.name; });

// --- allocators and constants

TEST(LocalMemAllocator, GoesOnBehindEachTensor) {
    const auto result = OnChip("Ascend910B1", [] {
        LocalMemAllocator<Hardware::UB> ub;
        EXPECT_EQ(ub.GetCurAddr(), 0u);
        const auto a = ub.Alloc<float, 1024>();
        EXPECT_EQ(ub.GetCurAddr(), 4096u);
        const auto b = ub.Alloc<half>(100);
        EXPECT_EQ(ub.GetCurAddr(), 4096u + 224);
        const auto c = ub.Alloc<TPosition::VECIN, int4b_t>(100);
        EXPECT_EQ(ub.GetCurAddr(), 4096u + 224 + 64);
        const auto d = ub.Alloc<TPosition::VECOUT, int8_t, 5>();
        EXPECT_EQ(ub.GetCurAddr(), 4096u + 224 + 96);
        EXPECT_EQ(a.GetSize(), 1024u);
        EXPECT_EQ(b.GetSize(), 100u);
        EXPECT_EQ(c.GetSize(), 100u);
        EXPECT_EQ(d.GetSize(), 5u);
        EXPECT_EQ(b.GetPhyAddr() - a.GetPhyAddr(), 4096u);
        EXPECT_EQ(a.GetPosition(), static_cast<int32_t>(TPosition::VECCALC));
        EXPECT_EQ(c.GetPosition(), static_cast<int32_t>(TPosition::VECIN));
        EXPECT_EQ(d.GetPosition(), static_cast<int32_t>(TPosition::VECOUT));
    });
    EXPECT_TRUE(result.findings.empty());
}

template <Hardware hard>
void ExpectNext(TPosition position, uint32_t next) {
    LocalMemAllocator<hard> allocator;
    EXPECT_EQ(allocator.template Alloc<half>(1).GetPosition(), static_cast<int32_t>(position));
    EXPECT_EQ(allocator.GetCurAddr(), next);
    allocator.template Alloc<half>(next / 2);
    EXPECT_EQ(allocator.GetCurAddr(), 2 * next);
}

TEST(LocalMemAllocator, RoundsAsEachMemoryNeeds) {
    LaunchOptions options;
    options.core = CoreChoice::kCube;
    const auto result = OnChip(
        "Ascend910B1",
        [] {
            ExpectNext<Hardware::L1>(TPosition::A1, 32);
            ExpectNext<Hardware::L0A>(TPosition::A2, 512);
            ExpectNext<Hardware::L0B>(TPosition::B2, 512);
            ExpectNext<Hardware::L0C>(TPosition::CO1, 64);
            ExpectNext<Hardware::BIAS>(TPosition::C2, 64);
            ExpectNext<Hardware::FIXBUF>(TPosition::C2PIPE2GM, 128);
        },
        options);
    EXPECT_TRUE(result.findings.empty());
}

TEST(LocalMemAllocator, HandsOutWholeMemories) {
    const auto result = OnChip("Ascend310P3", [] {
        LocalMemAllocator ub;
        ub.Alloc<uint8_t>(256 * 1024);
        EXPECT_EQ(ub.GetCurAddr(), 256u * 1024);
        LocalMemAllocator<Hardware::L1> l1;
        l1.Alloc<half, 512 * 1024>();
        EXPECT_EQ(l1.GetCurAddr(), 1024u * 1024);
    });
    EXPECT_TRUE(result.findings.empty());
}

// --- the state of a core

// Adds 1 by a mask of all lanes and stores to GM.
void AddOne(uint8_t* gm, bool sets) {
    if (sets) InitSocState();
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    GlobalTensor<float> g;
    g.SetGlobalBuffer(reinterpret_cast<float*>(gm), 64);
    DataCopy(a, g, 64);
    Sync<HardEvent::MTE2_V>();
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, UnaryRepeatParams());
    Sync<HardEvent::V_MTE3>();
    DataCopy(g, a, 64);
    PipeBarrier<PIPE_ALL>();
}

struct Stated {
    LaunchResult result;
    std::vector<float> values;
};
Stated AddOneWith(bool sets, bool dirty, const char* chip = "Ascend910B1") {
    GlobalMemory memory;
    const std::vector<float> before(64, 2.0f);
    uint8_t* gm = memory.Allocate(256, "gm", before.data());
    LaunchOptions options;
    options.chip = chip;
    options.kernel = "add_one";
    options.dirty_state = dirty;
    Stated stated{Launch(options, 1, memory, [=] { AddOne(gm, sets); }), std::vector<float>(64)};
    std::memcpy(stated.values.data(), gm, 256);
    return stated;
}

TEST(State, IsClearedBetweenLaunches) {
    const Stated stated = AddOneWith(false, false);
    EXPECT_EQ(stated.values, std::vector<float>(64, 3.0f));
    ExpectReports(__FILE__, "never_set", stated.result.findings);
}

TEST(State, OfAKernelBeforeIsReportedAndSeen) {
    const Stated stated = AddOneWith(false, true);
    // One lane is added to, and all are added to what was there.
    std::vector<float> want(64, 4.0f);
    want[0] = 5.0f;
    EXPECT_EQ(stated.values, want);
    ExpectReports(__FILE__, "dirty", stated.result.findings);
}

TEST(State, OfAKernelBeforeIsGoneBehindInitSocState) {
    for (const bool dirty : {false, true}) {
        const Stated stated = AddOneWith(true, dirty);
        EXPECT_EQ(stated.values, std::vector<float>(64, 3.0f));
        EXPECT_TRUE(stated.result.findings.empty());
    }
}

// On coupled cores it is the atomic mode alone.
TEST(State, OfCoupledCores) {
    const Stated stated = AddOneWith(false, true, "Ascend310P3");
    EXPECT_EQ(stated.values, std::vector<float>(64, 5.0f));
    ExpectReports(__FILE__, "dirty_coupled", stated.result.findings);
}

TEST(State, ATPipeSetsIt) {
    LaunchOptions options;
    options.dirty_state = true;
    const auto result = OnChip(
        "Ascend910B1",
        [] {
            TPipe pipe;
            LocalTensor<float> a(TPosition::VECCALC, 0, 64);
            Duplicate(a, 1.0f, 64);
            Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, UnaryRepeatParams());
            PipeBarrier<PIPE_ALL>();
            EXPECT_EQ(a.GetValue(63), 2.0f);
        },
        options);
    EXPECT_TRUE(result.findings.empty());
}

// A kernel may set by hand what it depends on.
TEST(State, SetByHand) {
    for (const bool dirty : {false, true}) {
        LaunchOptions options;
        options.dirty_state = dirty;
        GlobalMemory memory;
        options.chip = "Ascend910B1";
        uint8_t* gm = memory.Allocate(256, "gm");
        const auto result = Launch(options, 1, memory, [=] {
            LocalTensor<float> a(TPosition::VECCALC, 0, 64);
            GlobalTensor<float> g;
            g.SetGlobalBuffer(reinterpret_cast<float*>(gm), 64);
            SetAtomicNone();
            SetMaskNorm();
            ResetMask();
            Duplicate<float, false>(a, 1.0f, MASK_PLACEHOLDER, 1, 1, 8);
            Sync<HardEvent::V_MTE3>();
            DataCopy(g, a, 64);
            PipeBarrier<PIPE_ALL>();
        });
        EXPECT_TRUE(result.findings.empty());
    }
}

// --- kernels that are none of these, and get no report

TEST(NoStaticTensors, APipeLater) {
    const auto result = OnChip("Ascend910B1", [] {
        LocalTensor<float> a(TPosition::VECCALC, 65536, 64);
        SetFlag<HardEvent::V_MTE2>(7);
        WaitFlag<HardEvent::V_MTE2>(7);
        Duplicate<float>(a, 1.0f, 64, 1, 1, 8);
        TPipe pipe;
        LocalTensor<float> b(TPosition::VECCALC, 0, 64);
        WholeReduceSum(b, a, 64, 1, 1, 1, 8);
    });
    EXPECT_TRUE(result.findings.empty());
}

// Pointers alone: the vendor's own examples never set the state.
TEST(NoStaticTensors, PointersAlone) {
    const auto result = OnChip("Ascend910B1", [] {
        set_flag(PIPE_V, PIPE_MTE2, EVENT_ID7);
        wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID7);
        LocalTensor<float> a;
        a.SetAddr({256, 0, static_cast<uint8_t>(TPosition::VECCALC)});
        Duplicate<float>(a, 1.0f, 64, 1, 1, 8);
    });
    EXPECT_TRUE(result.findings.empty());
}

}  // namespace
}  // namespace sfumato::frontends_test
