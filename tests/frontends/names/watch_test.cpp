// SPDX-License-Identifier: Apache-2.0
// CheckLocalMemoryIA: which accesses a range catches, by unit and direction, at its edges, and when (framework.md 4.4).
#include <gtest/gtest.h>

#include "../on_chip.h"

namespace sfumato::names_test {
namespace {

using namespace AscendC;

// The bytes 64 to 127: (1, 3] in blocks.
CheckLocalMemoryIAParam Watched(int unit, bool write, uint8_t number = 0) {
    bool flags[6] = {};
    flags[2 * unit + (write ? 1 : 0)] = true;
    return {number, 1, 3, flags[0], flags[1], flags[2], flags[3], flags[4], flags[5], true};
}
enum Unit { kScalar, kVector, kMte };

// The rules that the kernel breaks with this range on, and off again at the end.
std::string Found(const char* chip, const CheckLocalMemoryIAParam& watched, const std::function<void(GM_ADDR)>& use,
                  const char* schedule = "") {
    GlobalMemory memory;
    LaunchOptions options;
    options.chip = chip;
    options.collect = true;
    if (*schedule) options.schedule = schedule;
    auto* gm = memory.Allocate(256, "gm");
    std::memset(gm, 0, 256);
    const LaunchResult result = Launch(options, 1, memory, [&] {
        for (uint32_t i = 0; i < 64; ++i) Ub<float>(0, 64).SetValue(i, 1.0f);
        PipeBarrier<PIPE_ALL>();
        CheckLocalMemoryIA(watched);
        use(gm);
        CheckLocalMemoryIAParam off = watched;
        off.isEnable = false;
        CheckLocalMemoryIA(off);
        Ub<float>(64, 16).SetValue(0, 1.0f);  // watched no more
    });
    std::string rules;
    for (const Report& report : result.findings) rules += (rules.empty() ? "" : " ") + std::string(Name(report.rule));
    return rules;
}

GlobalTensor<float> Gm(GM_ADDR at) {
    GlobalTensor<float> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<float*>(at), 64);
    return tensor;
}

struct Use {
    Unit unit;
    bool write;
    std::function<void(GM_ADDR)> in, beside;  // an access of bytes inside the range, and of those right beside it
};

const Use kUses[] = {
    {kScalar, false, [](GM_ADDR) { static_cast<void>(Ub<float>(96, 8).GetValue(7)); },
     [](GM_ADDR) {
         static_cast<void>(Ub<float>(32, 8).GetValue(7)), static_cast<void>(Ub<float>(128, 8).GetValue(0));
     }},
    {kScalar, true, [](GM_ADDR) { Ub<float>(64, 8).SetValue(0, 2.0f); },
     [](GM_ADDR) { Ub<float>(32, 8).SetValue(7, 2.0f), Ub<float>(128, 8).SetValue(0, 2.0f); }},
    {kVector, false, [](GM_ADDR) { Adds(Ub<float>(512, 8), Ub<float>(64, 8), 1.0f, 8); },
     [](GM_ADDR) {
         Adds(Ub<float>(512, 8), Ub<float>(32, 8), 1.0f, 8), Adds(Ub<float>(512, 8), Ub<float>(128, 8), 1.0f, 8);
     }},
    {kVector, true, [](GM_ADDR) { Duplicate(Ub<float>(96, 8), 1.0f, 8); },
     [](GM_ADDR) {
         Duplicate(Ub<float>(128, 8), 1.0f, 8);
         // Blocks on both sides of the range, by a stride.
         Duplicate(Ub<float>(32, 40), 1.0f, 16, 1, 3, 8);
     }},
    {kMte, false, [](GM_ADDR gm) { DataCopy(Gm(gm), Ub<float>(64, 8), 8); },
     [](GM_ADDR gm) { DataCopy(Gm(gm), Ub<float>(32, 8), 8), DataCopy(Gm(gm), Ub<float>(128, 8), 8); }},
    {kMte, true, [](GM_ADDR gm) { DataCopy(Ub<float>(96, 8), Gm(gm), 8); },
     [](GM_ADDR gm) { DataCopy(Ub<float>(128, 8), Gm(gm), 8); }},
};

TEST(Watch, EachUnitAndDirection) {
    for (const char* chip : {"Ascend910B1", "Ascend310P3", "Ascend310B1"}) {
        for (const Use& use : kUses) {
            const std::string name =
                std::string(chip) + ", unit " + std::to_string(use.unit) + ", write " + std::to_string(use.write);
            EXPECT_EQ(Found(chip, Watched(use.unit, use.write), use.in), "watched-access") << name;
            EXPECT_EQ(Found(chip, Watched(use.unit, use.write), use.beside), "") << name;
            EXPECT_EQ(Found(chip, Watched(use.unit, !use.write), use.in), "") << name;
            EXPECT_EQ(Found(chip, Watched((use.unit + 1) % 3, use.write), use.in), "") << name;
        }
    }
}

// What counts is when an instruction is issued, whatever the schedule does then.
TEST(Watch, UnderEverySchedule) {
    for (const char* schedule : {"eager", "late", "seed:3"}) {
        EXPECT_EQ(Found("Ascend910B1", Watched(kVector, true), kUses[3].in, schedule), "watched-access") << schedule;
        LaunchOptions options;
        options.schedule = schedule;
        const LaunchResult result = OnChip(
            "Ascend910B1",
            [] {
                Duplicate(Ub<float>(64, 8), 1.0f, 8);
                CheckLocalMemoryIA(Watched(kVector, true));
                CheckLocalMemoryIA({0, 1, 3, false, false, false, true, false, false, false});
                Duplicate(Ub<float>(64, 8), 1.0f, 8);
            },
            options);
        EXPECT_TRUE(result.findings.empty()) << schedule;
    }
}

TEST(Watch, FourRangesAtOnce) {
    GlobalMemory memory;
    for (uint8_t number = 0; number < 4; ++number) {
        EXPECT_EQ(Found("Ascend910B1", Watched(kVector, true, number),
                        [number](GM_ADDR) {
                            const auto other = static_cast<uint8_t>((number + 1) % 4);
                            CheckLocalMemoryIA({other, 10, 11, false, false, false, true, false, false, true});
                            Duplicate(Ub<float>(352, 8), 1.0f, 8);
                            CheckLocalMemoryIA({other, 10, 11, false, false, false, true, false, false, false});
                            Duplicate(Ub<float>(352, 8), 1.0f, 8);
                        }),
                  "watched-access");
    }
}

}  // namespace
}  // namespace sfumato::names_test
