// SPDX-License-Identifier: Apache-2.0
// Kernels without a TPipe: right ones under every schedule, allocators, the state of a core, the same records in two
// styles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

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

// Chips whose pages have no such kernels: a tensor at an address is one beside others.
TEST(NoStaticTensors, OtherChips) {
    for (const char* chip : {"Ascend910A", "Ascend310B1"}) {
        const auto result = OnChip(chip, [] {
            LocalTensor<float> a(TPosition::VECCALC, 0, 64);
            SetFlag<HardEvent::V_MTE2>(3);
            WaitFlag<HardEvent::V_MTE2>(3);
            Duplicate<float>(a, 1.0f, 64, 1, 1, 8);
        });
        for (const Report& report : result.findings) EXPECT_EQ(report.rule, "unlisted-on-chip") << chip;
    }
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

// --- the same program in two styles

// The instructions of a launch as the log has them, without their numbers, places and lines of source, and without what
// orders them.
std::vector<std::string> Instructions(CoreChoice core, const std::function<void(uint8_t* const*)>& kernel) {
    GlobalMemory memory;
    std::vector<uint8_t*> gm;
    for (const char* name : {"x", "y", "z"}) gm.push_back(memory.Allocate(8192, name));
    std::vector<std::string> lines;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.core = core;
    options.log = [&](std::string_view line) {
        if (line.find("SetFlag") != line.npos || line.find("WaitFlag") != line.npos || line.find("Barrier") != line.npos)
            return;
        const std::regex changing("#[0-9]+ |[+][0-9]+:|  ?[^ ]*[.]cpp:[0-9]+");
        lines.push_back(std::regex_replace(std::string(line), changing, ""));
    };
    const LaunchResult result = Launch(options, 1, memory, [&] { kernel(gm.data()); });
    EXPECT_TRUE(result.findings.empty()) << result.findings.front().Text();
    return lines;
}

constexpr uint32_t kAdded = 256;

void AddByQueues(uint8_t* const* gm) {
    GlobalTensor<float> x, y, z;
    x.SetGlobalBuffer((__gm__ float*)gm[0], 2 * kAdded);
    y.SetGlobalBuffer((__gm__ float*)gm[1], 2 * kAdded);
    z.SetGlobalBuffer((__gm__ float*)gm[2], 2 * kAdded);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> xs, ys;
    TQue<TPosition::VECOUT, 2> zs;
    pipe.InitBuffer(xs, 2, kAdded * sizeof(float));
    pipe.InitBuffer(ys, 2, kAdded * sizeof(float));
    pipe.InitBuffer(zs, 2, kAdded * sizeof(float));
    for (uint32_t i = 0; i < 2; ++i) {
        auto a = xs.AllocTensor<float>(), b = ys.AllocTensor<float>();
        DataCopy(a, x[i * kAdded], kAdded);
        DataCopy(b, y[i * kAdded], kAdded);
        xs.EnQue(a), ys.EnQue(b);
        a = xs.DeQue<float>(), b = ys.DeQue<float>();
        auto c = zs.AllocTensor<float>();
        Add(c, a, b, kAdded);
        zs.EnQue(c);
        xs.FreeTensor(a), ys.FreeTensor(b);
        c = zs.DeQue<float>();
        DataCopy(z[i * kAdded], c, kAdded);
        zs.FreeTensor(c);
    }
}

void AddByHand(uint8_t* const* gm) {
    InitSocState();
    GlobalTensor<float> x, y, z;
    x.SetGlobalBuffer((__gm__ float*)gm[0], 2 * kAdded);
    y.SetGlobalBuffer((__gm__ float*)gm[1], 2 * kAdded);
    z.SetGlobalBuffer((__gm__ float*)gm[2], 2 * kAdded);
    LocalMemAllocator ub;
    for (uint32_t i = 0; i < 2; ++i) {
        const auto a = ub.Alloc<float, kAdded>(), b = ub.Alloc<float, kAdded>(), c = ub.Alloc<float, kAdded>();
        DataCopy(a, x[i * kAdded], kAdded);
        DataCopy(b, y[i * kAdded], kAdded);
        Sync<HardEvent::MTE2_V>();
        Add(c, a, b, kAdded);
        Sync<HardEvent::V_MTE3>();
        DataCopy(z[i * kAdded], c, kAdded);
    }
    PipeBarrier<PIPE_ALL>();
}

constexpr uint32_t kFractal = 256;

// Two matrices of one fractal from L1 on, and the product out.
template <class Placed>
void Multiply(uint8_t* const* gm, const Placed& p) {
    GlobalTensor<half> x, y;
    GlobalTensor<float> z;
    x.SetGlobalBuffer((__gm__ half*)gm[0], kFractal);
    y.SetGlobalBuffer((__gm__ half*)gm[1], kFractal);
    z.SetGlobalBuffer((__gm__ float*)gm[2], kFractal);
    DataCopy(p.a1, x, kFractal);
    DataCopy(p.b1, y, kFractal);
    Sync<HardEvent::MTE2_MTE1>();
    LoadData(p.a2, p.a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(p.b2, p.b1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    Sync<HardEvent::MTE1_M>();
    Mmad(p.c, p.a2, p.b2, MmadParams(16, 16, 16, 0, false, true));
    Sync<HardEvent::M_FIX>();
    Fixpipe(z, p.c, FixpipeParamsV220(16, 16, 16, 16, false));
    PipeBarrier<PIPE_ALL>();
}
struct ByHand {
    LocalTensor<half> a1{TPosition::A1, 0, kFractal}, b1{TPosition::B1, 512, kFractal};
    LocalTensor<half> a2{TPosition::A2, 0, kFractal}, b2{TPosition::B2, 0, kFractal};
    LocalTensor<float> c{TPosition::CO1, 0, kFractal};
};
struct ByPipe {
    ByPipe() {
        pipe.InitBuffer(a1_buffer, 512);
        pipe.InitBuffer(b1_buffer, 512);
        pipe.InitBuffer(a2_buffer, 512);
        pipe.InitBuffer(b2_buffer, 512);
        pipe.InitBuffer(c_buffer, 1024);
        a1 = a1_buffer.Get<half>(), b1 = b1_buffer.Get<half>();
        a2 = a2_buffer.Get<half>(), b2 = b2_buffer.Get<half>(), c = c_buffer.Get<float>();
    }
    TPipe pipe;
    TBuf<TPosition::A1> a1_buffer;
    TBuf<TPosition::B1> b1_buffer;
    TBuf<TPosition::A2> a2_buffer;
    TBuf<TPosition::B2> b2_buffer;
    TBuf<TPosition::CO1> c_buffer;
    LocalTensor<half> a1, b1, a2, b2;
    LocalTensor<float> c;
};

TEST(TwoStyles, GiveTheSameInstructions) {
    const auto queues = Instructions(CoreChoice::kVector, AddByQueues);
    EXPECT_EQ(queues.size(), 8u);
    EXPECT_EQ(queues, Instructions(CoreChoice::kVector, AddByHand));
    const auto pipe = Instructions(CoreChoice::kCube, [](auto gm) { Multiply(gm, ByPipe()); });
    EXPECT_EQ(pipe.size(), 6u);
    EXPECT_EQ(pipe, Instructions(CoreChoice::kCube, [](auto gm) {
                  InitSocState();
                  Multiply(gm, ByHand());
              }));
}

// Library calls in a kernel without a TPipe take the last two ids.
TEST(TwoStyles, LibraryTakesTheLastIds) {
    GlobalMemory memory;
    uint8_t* gm = memory.Allocate(4096, "gm");
    std::string flags;
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.log = [&](std::string_view line) {
        if (line.find("SetFlag") != line.npos) flags += line;
    };
    Launch(options, 1, memory, [=] {
        InitSocState();
        LocalTensor<float> a(TPosition::VECCALC, 0, 64);
        GlobalTensor<float> g;
        g.SetGlobalBuffer((__gm__ float*)gm, 1024);
        InitGlobalMemory(g, 1024, 1.0f);
    });
    EXPECT_NE(flags.find("id=6"), flags.npos) << flags;
    EXPECT_EQ(flags.find("id=0"), flags.npos) << flags;
}

}  // namespace
}  // namespace sfumato::frontends_test
