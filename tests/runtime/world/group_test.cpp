// SPDX-License-Identifier: Apache-2.0
// The bytes of contexts, each field at the offset that ranks.md 6.2 and 6.3 give it, and the windows they point at.
#include "runtime/world/group.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "runtime/world/context_structs.h"
#include "sfumato/report.h"

namespace sfumato::runtime {
namespace {

using namespace contexts;

constexpr uint64_t kMega = uint64_t{1} << 20;

struct World8 {
    explicit World8(uint32_t ranks = 8) : world(ranks) {
        for (uint32_t r = 0; r < ranks; ++r) memories.push_back(std::make_unique<GlobalMemory>());
    }
    std::vector<GlobalMemory*> Of(const std::vector<uint32_t>& ranks) const {
        std::vector<GlobalMemory*> of;
        for (const uint32_t r : ranks) of.push_back(r < memories.size() ? memories[r].get() : nullptr);
        return of;
    }
    Group Make(const std::string& name, const std::vector<uint32_t>& ranks, const GroupOptions& options) {
        return {world, name, ranks, Of(ranks), options};
    }
    std::vector<std::unique_ptr<GlobalMemory>> memories;
    World world;
};

uint64_t Address(const uint8_t* p) { return reinterpret_cast<uintptr_t>(p); }

// Whether the fields that are told are all that is not zero.
template <class Struct>
bool OthersAreZero(const Struct& context, const Struct& told) {
    return std::memcmp(&context, &told, sizeof(Struct)) == 0;
}

TEST(Group, ContextOfA3) {
    World8 on;
    const std::vector<uint32_t> ranks = {1, 4, 6};
    const Group group = on.Make("tp", ranks, {3 * kMega, false, "Ascend910_9392"});
    for (uint32_t place = 0; place < 3; ++place) {
        const auto& got = *reinterpret_cast<const OperationResource*>(group.Context(place));
        auto want = std::make_unique<OperationResource>();
        want->workspace = Address(group.Workspace(place));
        want->workspace_bytes = 16 * kMega;
        want->rank = want->topology_rank = place;
        want->ranks = want->topology_ranks = want->remote_count = 3;
        want->window_bytes = 3 * kMega;
        want->in = Address(group.In(place));
        want->out = Address(group.Out(place));
        std::strcpy(want->name, "tp");
        want->exp_bytes = 2 * kMega;
        want->exp = Address(group.Exp(place));
        want->step = 16;
        want->device = static_cast<int32_t>(ranks[place]);
        want->pods = want->servers = want->deterministic = 1;
        want->notify_wait = 1836;
        for (uint32_t other = 0; other < 3; ++other) {
            want->remote[other].device = got.remote[other].device;
            const auto& relation = *reinterpret_cast<const Relation*>(got.remote[other].device);
            const Relation told = {
                other, ranks[other], Address(group.In(other)), Address(group.Out(other)), Address(group.Exp(other)),
                {}};
            EXPECT_TRUE(OthersAreZero(relation, told));
            EXPECT_EQ(GroupOf(&relation), &group);
        }
        EXPECT_TRUE(OthersAreZero(got, *want));
    }
}

TEST(Group, ContextOfA2) {
    World8 on;
    const std::vector<uint32_t> ranks = {2, 3};
    const Group group = on.Make("ep", ranks, {kMega, false, "Ascend910B1"});
    for (uint32_t place = 0; place < 2; ++place) {
        const auto& got = *reinterpret_cast<const CombinedParameter*>(group.Context(place));
        auto want = std::make_unique<CombinedParameter>();
        want->workspace = Address(group.Workspace(place));
        want->workspace_bytes = 16 * kMega;
        want->rank = place;
        want->ranks = 2;
        want->window_bytes = kMega;
        want->rma_bytes = sizeof(Rma);
        want->rma = got.rma;
        want->capability = got.capability;
        want->capability_bytes = 8;
        for (uint32_t r = 0; r < 2; ++r) want->in[r] = Address(group.In(r)), want->out[r] = Address(group.Out(r));
        EXPECT_TRUE(OthersAreZero(got, *want));
        EXPECT_EQ(*got.capability, 4u);
        EXPECT_TRUE(OthersAreZero(*got.rma, {place, 2, 0, 64, 56, 16, {}, got.rma->memories}));
        for (uint32_t r = 0; r < 2; ++r) {
            const Memories& of = got.rma->memories[r];
            EXPECT_EQ(of.count, 4u);
            EXPECT_EQ(of.bytes, sizeof(Detail));
            const uint8_t* const addresses[] = {group.In(place), group.In(r), group.Out(place), group.Out(r)};
            for (uint32_t i = 0; i < 4; ++i) {
                EXPECT_EQ(of.list[i].bytes, kMega);
                EXPECT_EQ(of.list[i].address, Address(addresses[i]));
                EXPECT_EQ(of.list[i].key, 0u);
            }
        }
    }
}

TEST(Group, EveryMemberSeesAllWindowsAndItsOwnContext) {
    World8 on;
    const Group group = on.Make("tp", {0, 2}, {kMega, false, "Ascend910_9392"});
    for (const uint32_t rank : {0u, 2u}) {
        const uint32_t place = rank / 2;
        EXPECT_EQ(group.PlaceOf(rank), static_cast<int>(place));
        for (const uint8_t* window : {group.In(1), group.Out(0), group.Exp(1)})
            EXPECT_TRUE(on.memories[rank]->Owns(window));
        EXPECT_TRUE(on.memories[rank]->Owns(group.Context(place)));
        EXPECT_FALSE(on.memories[rank]->Owns(group.Context(1 - place)));
        EXPECT_FALSE(on.memories[rank]->Owns(group.Workspace(1 - place)));
    }
    EXPECT_EQ(group.PlaceOf(1), -1);
    EXPECT_FALSE(on.memories[1]->Owns(group.In(0)));
    const Group::Place place = group.Find(group.Exp(1) + 77);
    EXPECT_EQ(place.part, Group::Part::kExp);
    EXPECT_EQ(place.place, 1u);
    EXPECT_EQ(place.offset, 77u);
}

TEST(Group, WindowsStartAsZerosOrAsThePattern) {
    World8 on;
    for (const bool fill : {false, true}) {
        const Group group = on.Make("tp", {0, 1}, {20 * kMega + 4096, fill, "Ascend910B1"});
        for (const uint8_t* window : {group.In(0), group.Out(1)}) {
            EXPECT_EQ(Address(window) % (2 * kMega), 0u);
            for (const uint64_t at : {uint64_t{0}, 8 * kMega, 20 * kMega + 4095})
                EXPECT_EQ(window[at], fill ? 0xFE : 0);
        }
        EXPECT_EQ(group.Exp(0)[1000], 0);
        group.In(0)[8 * kMega] = 1;  // no other byte of that pattern
        EXPECT_EQ(group.In(0)[0], fill ? 0xFE : 0);
        EXPECT_EQ(group.In(1)[8 * kMega], fill ? 0xFE : 0);
    }
}

TEST(Group, IsFoundWhileItLives) {
    World8 on, other;
    const uint8_t* window = nullptr;
    const void* first = nullptr;
    for (int i = 0; i < 2; ++i) {
        const Group group = on.Make("tp", {0, 1}, {kMega, false, "Ascend910B1"});
        const Group second = on.Make("dp", {1, 5}, {kMega, false, "Ascend910B1"});
        window = group.In(1);
        EXPECT_EQ(GroupOf(window + 5), &group);
        EXPECT_EQ(GroupOf(second.Context(1)), &second);
        EXPECT_EQ(GroupOf(&on), nullptr);
        EXPECT_EQ(GroupNamed(on.world, "tp"), &group);
        EXPECT_EQ(GroupNamed(on.world, "pp"), nullptr);
        EXPECT_EQ(GroupNamed(other.world, "tp"), nullptr);
        EXPECT_EQ(GroupNames(on.world, 1), "'tp', 'dp'");
        EXPECT_EQ(GroupNames(on.world, 2), "none");
        if (i == 1) {
            EXPECT_EQ(window, first);
        }  // contexts are the same each time
        first = window;
    }
    EXPECT_EQ(GroupOf(window), nullptr);
    EXPECT_FALSE(on.memories[0]->Owns(window));
}

// Refused, with the sentence.
std::string Refused(World8& on, const std::string& name, const std::vector<uint32_t>& ranks,
                    const GroupOptions& options) {
    try {
        const Group group = on.Make(name, ranks, options);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(Group, WhatCannotBeIsRefused) {
    World8 on(64);
    std::vector<uint32_t> all(64);
    for (uint32_t r = 0; r < 64; ++r) all[r] = r;
    EXPECT_EQ(Refused(on, "world", all, {.chip = "Ascend910B1"}),
              "group 'world' of 64 ranks: the context of Ascend910B (A2) has room for 32; Ascend910_9392 and its "
              "sisters (A3) take up to 64");
    EXPECT_EQ(Refused(on, "world", all, {.chip = "Ascend910_9392"}), "");
    EXPECT_EQ(Refused(on, "world", {0}, {.chip = "Ascend310P3"}),
              "Ascend310P3: the context of a group is known for Ascend910B1 and its sisters (A2) and for "
              "Ascend910_9392 and its sisters (A3): run the kernel on one of these");
    EXPECT_EQ(Refused(on, "a", {0, 64}, {.chip = "Ascend910B1"}), "group 'a': rank 64; the world has ranks 0 to 63");
    EXPECT_EQ(Refused(on, "a", {1, 1}, {.chip = "Ascend910B1"}), "group 'a': a rank is in it twice");
    EXPECT_EQ(Refused(on, "a", {}, {.chip = "Ascend910B1"}), "group 'a': it has no rank");
    EXPECT_EQ(Refused(on, "", {0}, {.chip = "Ascend910B1"}), "group '': a name of 0 letters; legal are 1 to 127");
    EXPECT_EQ(Refused(on, "a", {0}, {.window_bytes = 0, .chip = "Ascend910B1"}),
              "group 'a': windows of 0 bytes; legal are 4096 to 68719476736");
    const Group group = on.Make("a", {0}, {.chip = "Ascend910B1"});
    EXPECT_EQ(Refused(on, "a", {1}, {.chip = "Ascend910B1"}),
              "group 'a': there is one of this name already in the world");
}

}  // namespace
}  // namespace sfumato::runtime
