// SPDX-License-Identifier: Apache-2.0
// Random stores of several cores against an oracle by value: a byte that nobody wrote holds the pattern of the memory,
// so that it differs between two launches with two patterns.
#include <random>

#include "sanitize/launches.h"

namespace sfumato::sanitize_test {
namespace {

constexpr uint32_t kBytes = 8192, kBlocks = 4, kStores = 6;

// The same for a seed, whatever memory holds.
void StoreAtRandom(uint8_t* z, uint32_t seed) {
    std::mt19937 random(seed * kBlocks + static_cast<uint32_t>(GetBlockIdx()));
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    auto tile = Ub<uint8_t>(0, 4096);
    Duplicate(Ub<int16_t>(0, 2048), int16_t(0x5A5A), 2048);
    PipeBarrier<PIPE_ALL>();
    auto all = Gm<uint8_t>(z, kBytes);
    for (uint32_t i = 0; i < kStores; ++i) {
        const uint32_t at = below(kBytes - 1024);
        switch (below(4)) {
            case 0: DataCopy(all[at], tile, 32 * (1 + below(20))); break;
            case 1: DataCopyPad(all[at], tile, DataCopyExtParams(1 + below(4), 1 + below(60), 0, below(90), 0)); break;
            case 2: DataCopy(all[at], tile, DataCopyParams(1 + below(4), 1 + below(3), 0, below(4))); break;
            default: all.SetValue(at, 0x5A);
        }
    }
}

std::string FoundBy(uint32_t seed, uint8_t fill, std::vector<uint8_t>* bytes) {
    GlobalMemory memory({.fill = fill});
    uint8_t* z = memory.Allocate(kBytes, "z");
    memory.SetRole(z, Role::kOutput);
    LaunchOptions options;
    options.chip = "Ascend910B1";
    const LaunchResult result = Launch(options, kBlocks, memory, [=] { StoreAtRandom(z, seed); });
    bytes->assign(z, z + kBytes);
    for (const Report& report : result.findings) {
        if (report.rule == "output-unwritten") return report.found;
    }
    return "";
}

TEST(Outputs, RandomStoresLeaveWhatTheOracleSays) {
    uint32_t with_gaps = 0;
    for (uint32_t seed = 0; seed < 300; ++seed) {
        std::vector<uint8_t> one, other;
        const std::string found = FoundBy(seed, 0xFE, &one);
        ASSERT_EQ(FoundBy(seed, 0x01, &other), found);
        uint32_t ranges = 0, bytes = 0, begin = 0, end = 0, second = 0, second_end = 0;
        for (uint32_t i = 0; i < kBytes; ++i) {
            if (one[i] == other[i]) continue;
            ++bytes;
            if (i == 0 || one[i - 1] == other[i - 1]) ++ranges, begin = ranges == 1 ? i : begin;
            if (ranges == 1) end = i;
            if (ranges == 2 && (i == 0 || one[i - 1] == other[i - 1])) second = i;
            if (ranges == 2) second_end = i;
        }
        const auto number = [](uint32_t n) { return std::to_string(n); };
        std::string expected = "bytes " + number(begin) + " to " + number(end);
        if (ranges == 2)
            expected += " and bytes " + number(second) + " to " + number(second_end) + "; ";
        else if (ranges > 2)
            expected += " first; " + number(ranges) + " such ranges, ";
        else
            expected += "; ";
        expected += number(bytes) + " of 8192 bytes";
        ASSERT_EQ(found, ranges ? expected : "") << seed;
        with_gaps += ranges != 0;
    }
    EXPECT_GT(with_gaps, 250u);
}

// The bits themselves, at every alignment.
TEST(Outputs, RunsOfEveryAlignment) {
    for (uint32_t begin = 0; begin < 70; ++begin) {
        for (uint32_t end = begin + 1; end < 140; end += 3) {
            GlobalMemory memory;
            uint8_t* z = memory.Allocate(140, "z");
            memory.SetRole(z, Role::kOutput);
            LaunchOptions options;
            options.chip = "Ascend910B1";
            const LaunchResult result = Launch(options, 1, memory, [=] {
                Duplicate(Ub<int16_t>(0, 128), int16_t(0), 128);
                PipeBarrier<PIPE_ALL>();
                DataCopyPad(Gm<uint8_t>(z + begin, 140), Ub<uint8_t>(0, 256),
                            DataCopyExtParams(1, end - begin, 0, 0, 0));
            });
            ASSERT_EQ(result.findings.size(), 1u);
            const bool front = begin > 0;
            const uint32_t first = front ? 0 : end, last = front ? begin - 1 : 139;
            ASSERT_TRUE(
                result.findings[0].found.starts_with("bytes " + std::to_string(first) + " to " + std::to_string(last)))
                << begin << " " << end << " " << result.findings[0].found;
        }
    }
}

}  // namespace
}  // namespace sfumato::sanitize_test
