// SPDX-License-Identifier: Apache-2.0
// Global memory and the on-chip memories: alignment, fill, guards, who is told about which address.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime/memory/core_memory.h"
#include "runtime/memory/global_memory.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

LaunchOptions Options() {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.kernel = "writer";
    return options;
}

TEST(GlobalMemory, AllocationsAreAlignedAndFilled) {
    for (const uint32_t alignment : {1u, 32u, 512u, 4096u}) {
        GlobalMemory memory({.fill = 0xA5, .alignment = alignment});
        for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{31}, uint64_t{4097}, uint64_t{5} << 20}) {
            uint8_t* p = memory.Allocate(bytes, "x");
            ASSERT_NE(p, nullptr);
            EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % alignment, 0u);
            EXPECT_TRUE(std::all_of(p, p + bytes, [](uint8_t b) { return b == 0xA5; }));
            EXPECT_EQ(memory.SizeOf(p), bytes);
            EXPECT_TRUE(memory.Owns(p));
            EXPECT_FALSE(memory.Owns(p + 1));
        }
    }
}

// More blocks than are kept, of sizes that share one and of sizes that do not.
TEST(GlobalMemory, ABlockThatWasKeptBeginsAnew) {
    for (const uint64_t bytes : {uint64_t{5} << 20, (uint64_t{5} << 20) + 100, uint64_t{9} << 20, uint64_t{5} << 20}) {
        GlobalMemory memory({.fill = 0xA5});
        std::vector<uint8_t*> blocks;
        for (int i = 0; i < 10; ++i) blocks.push_back(memory.Allocate(bytes, "x"));
        for (uint8_t* p : blocks) {
            ASSERT_TRUE(std::all_of(p, p + bytes, [](uint8_t b) { return b == 0xA5; }));
            std::memset(p - 64, 1, bytes + 128);
            std::memset(p - 64, 0xFD, 64);
            std::memset(p + bytes, 0xFD, 64);
        }
        EXPECT_TRUE(Launch(Options(), 1, memory, [] {}).findings.empty());
    }
}

TEST(GlobalMemory, AnAlignmentThatIsNoPowerOfTwoIsRefused) {
    for (const uint32_t alignment : {0u, 3u, 48u})
        EXPECT_THROW(GlobalMemory({.alignment = alignment}), Error) << alignment;
}

TEST(GlobalMemory, FreeingTwiceOrElsewhereIsAnError) {
    GlobalMemory memory;
    uint8_t* p = memory.Allocate(64, "p");
    EXPECT_THROW(memory.Free(p + 1), Error);
    memory.Free(p);
    EXPECT_FALSE(memory.Owns(p));
    EXPECT_THROW(memory.Free(p), Error);
    EXPECT_THROW(memory.SizeOf(p), Error);
    int host = 0;
    EXPECT_THROW(memory.Free(&host), Error);
    EXPECT_THROW(memory.Free(nullptr), Error);
}

TEST(GlobalMemory, DamagedGuardsAreReportedWithTheirAllocation) {
    GlobalMemory memory;
    memory.Allocate(100, "innocent");
    uint8_t* p = memory.Allocate(100, "victim");
    for (const int64_t at : {int64_t{-1}, int64_t{128}, int64_t{300}}) {
        const uint8_t kept = p[at];
        const LaunchResult result = Launch(Options(), 1, memory, [&] { p[at] = 1; });
        p[at] = kept;
        ASSERT_EQ(result.findings.size(), 1u) << at;
        EXPECT_FALSE(result.ok());
        EXPECT_EQ(result.findings[0].rule, "gm-guard");
        EXPECT_EQ(result.findings[0].operand, "victim");
        EXPECT_EQ(result.findings[0].kernel, "writer");
    }
    // The rest of its last block of 32 bytes is its own.
    for (const size_t at : {size_t{99}, size_t{100}, size_t{127}})
        EXPECT_TRUE(Launch(Options(), 1, memory, [&] { p[at] = 1; }).findings.empty()) << at;
}

// What a search through all allocations finds; -1: none.
int HolderOf(const GlobalMemory::Impl& memory, const uint8_t* p) {
    for (size_t i = 0; i < memory.allocations.size(); ++i) {
        const auto& a = memory.allocations[i];
        if (a.live && p >= a.base && p <= a.base + a.bytes) return static_cast<int>(i);
    }
    return -1;
}
int NearestTo(const GlobalMemory::Impl& memory, const uint8_t* p) {
    int best = -1;
    int64_t best_distance = INT64_MAX;
    for (size_t i = 0; i < memory.allocations.size(); ++i) {
        const auto& a = memory.allocations[i];
        const int64_t before = a.base - p, behind = p - (a.base + a.bytes);
        const int64_t distance = std::max<int64_t>({before, behind, 0});
        if (a.live && distance < best_distance) best = static_cast<int>(i), best_distance = distance;
    }
    return best;
}

TEST(GlobalMemory, LookupAgreesWithASearchThroughAll) {
    GlobalMemory memory;
    const GlobalMemory::Impl& impl = *memory.impl();
    EXPECT_EQ(impl.Nearest(&memory), -1);
    std::mt19937 random(7);
    std::vector<uint8_t*> blocks;
    for (int step = 0; step < 2000; ++step) {
        if (blocks.empty() || random() % 3 != 0) {
            blocks.push_back(memory.Allocate(random() % 5 == 0 ? 0 : random() % 3000, "b" + std::to_string(step)));
        } else {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            memory.Free(blocks.back());
            EXPECT_FALSE(memory.Owns(blocks.back()));
            blocks.pop_back();
        }
        if (blocks.empty()) continue;
        uint8_t* const block = blocks[random() % blocks.size()];
        const uint64_t bytes = memory.SizeOf(block);
        ASSERT_TRUE(memory.Owns(block));
        for (const int64_t at : {int64_t{0}, static_cast<int64_t>(bytes), static_cast<int64_t>(bytes) + 1,
                                 static_cast<int64_t>(random() % 8000) - 4000}) {
            const uint8_t* p = block + at;
            ASSERT_EQ(impl.Find(p), HolderOf(impl, p)) << step << " " << at;
            ASSERT_EQ(impl.Nearest(p), NearestTo(impl, p)) << step << " " << at;
        }
    }
}

TEST(DescribeAddress, NamesAllocationsAndWhatLiesNextToThem) {
    GlobalMemory memory;
    EXPECT_EQ(DescribeAddress(&memory, &memory), "outside every allocation");
    uint8_t* p = memory.Allocate(1024, "dst");
    EXPECT_EQ(DescribeAddress(p, &memory), "'dst'+0x0");
    EXPECT_EQ(DescribeAddress(p + 0x40, &memory), "'dst'+0x40");
    EXPECT_EQ(DescribeAddress(p + 1032, &memory), "8 bytes past the end of 'dst' (1024 bytes)");
    EXPECT_EQ(DescribeAddress(p - 4, &memory), "4 bytes before 'dst' (1024 bytes)");
    EXPECT_EQ(DescribeAddress(p, nullptr), "");
    memory.Free(p);
    EXPECT_EQ(DescribeAddress(p, &memory), "outside every allocation");
}

TEST(CoreMemory, IsDescribedWhileInUseAndReusedAfterwards) {
    using runtime::CoreMemory;
    const soc::Chip chip = soc::FindChip("Ascend910B1");
    auto memory = CoreMemory::Acquire(chip);
    memory->set_owner("aiv3");
    uint8_t* ub = memory->Base(isa::Memory::kUb);
    const uint64_t bytes = memory->Bytes(isa::Memory::kUb);
    EXPECT_EQ(bytes, chip.Bytes(isa::Memory::kUb));
    EXPECT_EQ(memory->Base(isa::Memory::kGm), nullptr);
    EXPECT_EQ(CoreMemory::Describe(ub + 0x40), "UB+0x40 of core aiv3");
    EXPECT_EQ(CoreMemory::Describe(ub + bytes + 8),
              "8 bytes past the end of UB (" + std::to_string(bytes) + " bytes) of core aiv3");
    EXPECT_EQ(CoreMemory::Describe(&bytes), "");
    EXPECT_EQ(DescribeAddress(ub + 1, nullptr), "UB+0x1 of core aiv3");
    std::memset(ub, 1, bytes);
    CoreMemory::Release(std::move(memory));
    EXPECT_EQ(CoreMemory::Describe(ub + 0x40), "");
    auto again = CoreMemory::Acquire(chip);
    EXPECT_EQ(again->Base(isa::Memory::kUb), ub);
    CoreMemory::Release(std::move(again));
}

TEST(CoreMemoryDeath, AStorePastTheMemoryHitsAGuardPage) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const soc::Chip chip = soc::FindChip("Ascend910B1");
    auto memory = runtime::CoreMemory::Acquire(chip);
    constexpr uint64_t kRoundedUp = 64 * 1024;
    volatile uint8_t* end =
        memory->Base(isa::Memory::kUb) + (memory->Bytes(isa::Memory::kUb) + kRoundedUp - 1) / kRoundedUp * kRoundedUp;
    EXPECT_DEATH(*end = 1, "");
    runtime::CoreMemory::Release(std::move(memory));
}

}  // namespace
}  // namespace sfumato
