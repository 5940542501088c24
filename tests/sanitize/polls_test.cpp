// SPDX-License-Identifier: Apache-2.0
// A read that comes between what the checks are told of a store and the store itself.
#include "sanitize/polls.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "report/rules.h"
#include "sanitize/races.h"

namespace sfumato::sanitize {
namespace {

struct Launch {
    std::vector<uint8_t> gm = std::vector<uint8_t>(256);
    uint8_t* bases[1] = {gm.data()};
    isa::MemoryMap memory;
    soc::Chip chip = soc::FindChip("Ascend910B1");
    LaunchView view{chip,
                    Checks::Parse("default"),
                    true,
                    FlagIdentity::kEvent,
                    2,
                    0,
                    0,
                    Severity::kNote,
                    {{gm.data(), 256, "gm", GmRole::kWorkspace, true, {}}},
                    [](uint64_t core) { return "aiv" + std::to_string(core); },
                    {}};
    Races races{view};
    std::vector<Report> told;
    events::Told cores[2];

    Launch() {
        memory.gm = bases;
        for (uint32_t core = 0; core < 2; ++core) {
            cores[core].Add(races.Begin({isa::CoreKind::kVector, core, 0, 1, core, "aiv" + std::to_string(core)},
                                        [this](Report report) { told.push_back(std::move(report)); }),
                            false);
        }
    }

    isa::Record Store(uint64_t index) {
        isa::Record record(isa::Opcode::scalar_store);
        record.pipe = isa::Pipe::kS;
        record.index = index;
        record.where = {"kernel.cpp", 1};
        record.operand_count = 1;
        record.operand[0].memory = isa::Memory::kGm;
        record.operand[0].type = DataType::kInt32;
        return record;
    }
    // What the read sees.
    int32_t Read() {
        const events::ScalarAccess access{isa::Memory::kGm, 0, {0, 4}, false, "GetValue", {"kernel.cpp", 2}, 0};
        const uint8_t* instead = nullptr;
        cores[1](events::Accessed{access, memory, instead});
        int32_t value;
        std::memcpy(&value, instead ? instead : gm.data(), sizeof(value));
        cores[1](events::Sync{.kind = events::Sync::Kind::kCleaned, .line = &line});
        return value;
    }
    void Write(int32_t value) { std::memcpy(gm.data(), &value, sizeof(value)); }

    const events::Sync::Line line{0, 0};
};

TEST(Polls, AReadBeforeTheStoreHasWrittenWaitsForIt) {
    Launch launch;
    const isa::Record store = launch.Store(0);
    launch.cores[0](events::Issued{store, false});
    launch.cores[0](events::Executing{store, launch.memory});
    EXPECT_EQ(launch.Read(), 0);  // judged behind the store, and before it
    launch.Write(7);
    launch.cores[0](events::Executed{store, launch.memory});
    launch.cores[0](events::Sync{.kind = events::Sync::Kind::kCleaned, .line = &launch.line});
    int turns = 0;
    while (launch.Read() == 0) ASSERT_LT(++turns, 3);
    EXPECT_TRUE(launch.told.empty());
    const std::vector<Report> late = launch.races.Finish(true);
    EXPECT_TRUE(late.empty()) << late[0].Text();
}

// Others see a store of the scalar unit before it is judged, and checks are told of it before others see it.
TEST(Polls, AReadBeforeAPostedStoreHasWrittenWaitsForIt) {
    Launch launch;
    isa::Record store = launch.Store(0);
    store.immediate = 7;
    EXPECT_EQ(launch.Read(), 0);
    launch.cores[0](events::Issued{store, false});
    launch.cores[0](events::Posted{store, 0});
    EXPECT_EQ(launch.Read(), 0);  // posted, and not there yet
    launch.Write(7);
    int turns = 0;
    while (launch.Read() == 0) ASSERT_LT(++turns, 3);
    launch.cores[0](events::Executing{store, launch.memory});
    launch.cores[0](events::Executed{store, launch.memory});
    launch.cores[0](events::Sync{.kind = events::Sync::Kind::kCleaned, .line = &launch.line});
    EXPECT_TRUE(launch.told.empty());
    const std::vector<Report> late = launch.races.Finish(true);
    EXPECT_TRUE(late.empty()) << late[0].Text();
}

TEST(Polls, APostedStoreThatChangesNothingIsNotAwaited) {
    Launch launch;
    const isa::Record store = launch.Store(0);
    launch.cores[0](events::Issued{store, false});
    launch.cores[0](events::Posted{store, 0});
    EXPECT_EQ(launch.Read(), 0);
    launch.cores[0](events::Executing{store, launch.memory});
    launch.cores[0](events::Executed{store, launch.memory});
    EXPECT_EQ(launch.Read(), 0);
    const std::vector<Report> late = launch.races.Finish(true);
    ASSERT_EQ(late.size(), 1u);
    EXPECT_EQ(late[0].rule, Rule::kEqualBytes) << late[0].Text();
}

// A store that left what it found is awaited by nobody, and what it raced with is said.
TEST(Polls, AStoreThatChangesNothingIsNotAwaited) {
    Launch launch;
    const isa::Record store = launch.Store(0);
    launch.cores[0](events::Issued{store, false});
    launch.cores[0](events::Executing{store, launch.memory});
    EXPECT_EQ(launch.Read(), 0);
    launch.Write(0);
    launch.cores[0](events::Executed{store, launch.memory});
    EXPECT_EQ(launch.Read(), 0);
    const std::vector<Report> late = launch.races.Finish(true);
    ASSERT_EQ(late.size(), 1u);
    EXPECT_EQ(late[0].rule, Rule::kEqualBytes) << late[0].Text();
}

}  // namespace
}  // namespace sfumato::sanitize
