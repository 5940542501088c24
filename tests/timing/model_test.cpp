// SPDX-License-Identifier: Apache-2.0
// The parts of the model of time by themselves: sharing, L2, bank conflicts, critical path.
#include <gtest/gtest.h>

#include "soc/chip.h"
#include "soc/timing.h"
#include "timing/cost.h"
#include "timing/l2.h"
#include "timing/path.h"
#include "timing/ports.h"

namespace sfumato::timing {
namespace {

const soc::TimingConstants& Constants() { return soc::FindChip("Ascend910B1").timing->constants; }

TEST(PortsTest, WhoWantsLittleGetsItAndTheOthersShareTheRest) {
    Ports ports(100, 1000, 1000);
    ports.Start(0, {Ports::kGm, 20, 1}, 200, 1);
    ports.Start(0, {Ports::kGm, 90, 1}, 800, 2);
    // 20 for the first, 80 for the second: both end at 10.
    EXPECT_EQ(ports.NextEnd(), 10);
    EXPECT_EQ(ports.FlowOfGm(), 100);
    EXPECT_EQ(ports.End(), 1u);
    EXPECT_EQ(ports.FlowOfGm(), 90);
    EXPECT_EQ(ports.End(), 2u);
    EXPECT_EQ(ports.NextEnd(), Ports::kNever);
}

TEST(PortsTest, PortsDoNotShareWithEachOther) {
    Ports ports(32, 64, 1000);
    ports.Start(0, {Ports::kGm, 32, 1}, 320, 1);
    ports.Start(0, {Ports::kL2, 64}, 1280, 2);
    EXPECT_EQ(ports.NextEnd(), 10);
    EXPECT_EQ(ports.End(), 1u);
    EXPECT_EQ(ports.NextEnd(), 20);
}

// Row add_c5: cores that read and store at once store at what the reads leave of the way into L2.
TEST(PortsTest, StoresHaveWhatReadsLeaveOfTheWayIntoL2) {
    Ports ports(80, 1000, 100);
    ports.Start(0, {Ports::kGm, 90, 1}, 800, 1);
    ports.Start(0, {Ports::kStore, 40}, 400, 2);
    // 80 of reads leave 20; when they have ended at 10, the 200 that are left of the store go at its own 40.
    EXPECT_EQ(ports.NextEnd(), 10);
    EXPECT_EQ(ports.End(), 1u);
    EXPECT_EQ(ports.NextEnd(), 15);
}

// What is written back costs the port of global memory, and what that could not move it was idle for.
TEST(PortsTest, WhatIsWrittenBackSlowsReads) {
    Ports ports(80, 1000, 1000);
    ports.Start(0, {Ports::kGm, 90, 2}, 400, 1);
    EXPECT_EQ(ports.FlowOfGm(), 80);
    EXPECT_EQ(ports.NextEnd(), 10);
    EXPECT_EQ(ports.End(), 1u);
    EXPECT_EQ(ports.TakeIdle(10), 0);
    EXPECT_EQ(ports.TakeIdle(15), 400);
    EXPECT_EQ(ports.TakeIdle(15), 0);
}

TEST(L2Test, WhatWasReadIsHeldUntilItIsTheOldest) {
    L2 l2(256 << 10, {1 << 20});
    const auto read = [&](uint64_t offset) { return l2.Touch({0, 1, offset, 64 << 10, 0, 0, false}).hit_share; };
    EXPECT_EQ(read(0), 0);
    EXPECT_EQ(read(0), 1);
    for (uint64_t i = 1; i <= 4; ++i) EXPECT_EQ(read(i << 16), 0);
    EXPECT_EQ(read(4 << 16), 1);
    EXPECT_EQ(read(0), 0);
}

TEST(L2Test, RowsThatAreNotAlignedCostTheirLines) {
    L2 l2(1 << 20, {1 << 20});
    EXPECT_EQ(l2.Touch({0, 1, 0, 2048, 0, 0, false}).charged, 2048);
    EXPECT_EQ(l2.Touch({0, 1, 64, 2048, 0, 0, false}).charged, 2560);
    EXPECT_EQ(l2.Touch({0, 1, 64, 128, 0, 0, false}).charged, 128);
}

// Cores that take tiles in turn read lines of their own; where rows are not aligned, they meet in the ends alone.
TEST(L2Test, LinesAreSharedWhereTwoCoresReadThem) {
    L2 l2(1 << 20, {1 << 18});
    const auto shared = [&](uint32_t core, uint64_t offset, uint64_t bytes) {
        return l2.Touch({.allocation = 0, .rows = 1, .offset = offset, .row_bytes = bytes, .core = core}).shared;
    };
    for (uint32_t tile = 0; tile < 16; ++tile) EXPECT_FALSE(shared(tile % 4, tile * 4096, 4096)) << tile;
    EXPECT_FALSE(shared(0, 0, 4096));
    EXPECT_TRUE(shared(1, 0, 4096));
    EXPECT_TRUE(shared(0, 0, 4096));
    for (uint32_t tile = 0; tile < 8; ++tile) EXPECT_FALSE(shared(tile, 100000 + tile * 4000, 4000)) << tile;
    EXPECT_FALSE(shared(1, 200000, 64));
    EXPECT_TRUE(shared(2, 200064, 64));
}

// Reads pay for lines that were stored and are given up, stores only when writing back has fallen behind; what global
// memory had time for before is free.
TEST(L2Test, WhatWasStoredIsWrittenBackWhenItIsGivenUp) {
    constexpr uint64_t kSize = 256 << 10;
    const auto touch = [](L2& l2, uint64_t offset, uint64_t bytes, bool write) {
        return l2.Touch({.rows = 1, .offset = offset, .row_bytes = bytes, .write = write}).written_back;
    };
    L2 l2(kSize, {1 << 20});
    EXPECT_EQ(touch(l2, 0, kSize, true), 0) << "there is room";
    EXPECT_EQ(touch(l2, kSize, kSize / 64, true), 0) << "less than the reserve of a 32nd";
    EXPECT_EQ(touch(l2, kSize * 2, kSize / 64, false), kSize / 32);
    EXPECT_EQ(touch(l2, kSize * 3, kSize / 2, true), kSize / 2 - kSize / 32);
    l2.WriteBack(kSize);
    EXPECT_EQ(touch(l2, kSize * 2, kSize / 4, false), 0) << "written back ahead";
    L2 read(kSize, {1 << 20});
    touch(read, 0, kSize, false);
    EXPECT_EQ(touch(read, kSize, kSize, false), 0) << "nothing was stored";
}

TEST(L2Test, AnArrayWithoutTheHintIsNotHeld) {
    L2 l2(1 << 20, {1 << 20});
    l2.SetCached(0, false);
    EXPECT_EQ(l2.Touch({0, 1, 0, 2048, 0, 0, false}).hit_share, 0);
    EXPECT_EQ(l2.Touch({0, 1, 0, 2048, 0, 0, false}).hit_share, 0);
}

isa::Record Add(uint64_t src0, uint64_t src1, uint64_t dst) {
    isa::Record r(isa::Opcode::vadd);
    r.operand_count = 3;
    const uint64_t offsets[] = {dst, src0, src1};
    for (size_t i = 0; i < 3; ++i) {
        r.operand[i].memory = isa::Memory::kUb;
        r.operand[i].type = DataType::kFloat;
        r.operand[i].offset = offsets[i];
    }
    r.repeat = 64;
    r.mask.mode = isa::MaskMode::kContinuous;
    r.mask.count = 64;
    return r;
}

// Addresses of the rows bank_s1 to bank_s5 of tests/timing/timing_fit.csv.
TEST(BanksTest, OperandsConflictByGroupAndBank) {
    const auto extra = [](const isa::Record& r) { return BankConflicts(Constants(), r, 64).extra; };
    EXPECT_EQ(extra(Add(0, 0x10100, 0x20000)), 0);
    EXPECT_EQ(extra(Add(0, 0x4000, 0x10000)), 64);
    EXPECT_EQ(extra(Add(0, 0x10000, 0x14100)), 64);
    EXPECT_NEAR(extra(Add(0, 0x10100, 0x4020)), 63 * 0.77, 1e-9);
    EXPECT_EQ(extra(Add(0, 0x10100, 0)), 0) << "in place";
    // The destination leaves the bank of the second source after 32 of the 64 repeats.
    EXPECT_NEAR(extra(Add(0x20000, 0x4100, 0xE000)), 32 * 0.77, 1e-9);
}

TEST(PathTest, FoldingKeepsTheSums) {
    Path path;
    Path::Step step;
    step.pipe = TimedPipe::kV;
    step.spent[0] = 2;
    Path::Node a = Path::kStart, b = Path::kStart;
    for (int i = 0; i < 1000; ++i) {
        step.line = static_cast<uint32_t>(i % 3);
        a = path.Add(a, step);
        if (i == 499) b = a;
        if (i % 100 == 0) path.Fold({&a, &b});
    }
    path.Fold({&a, &b});
    EXPECT_EQ(path.To(a).by_pipe[1][0], 2000);
    EXPECT_EQ(path.To(b).by_pipe[1][0], 1000);
    EXPECT_EQ(path.To(a).by_line.at(0), 668);
}

}  // namespace
}  // namespace sfumato::timing
