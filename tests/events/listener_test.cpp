// SPDX-License-Identifier: Apache-2.0
// Who hears which event of a core.
#include "events/listener.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sfumato::events {
namespace {

using Lines = std::vector<std::string>;

class Records final : public Hears<Issued, Executed> {
public:
    Records(Lines& lines, std::string name) : lines_(lines), name_(std::move(name)) {}
    ~Records() override { lines_.push_back(name_ + " goes"); }
    Records& operator=(Records&&) = delete;
    void On(const Issued& event) override { lines_.push_back(name_ + " issued " + std::to_string(event.record.index)); }
    void On(const Executed& event) override {
        lines_.push_back(name_ + " executed " + std::to_string(event.record.index));
    }

private:
    Lines& lines_;
    const std::string name_;
};

class Crowded final : public Hears<Sync> {
public:
    explicit Crowded(Lines& lines) : lines_(lines) {}
    void On(const Sync& sync) override { lines_.push_back("sync of " + std::to_string(sync.counter)); }
    bool HasRoom() const override { return false; }
    bool AsksForRoom() const override { return true; }

private:
    Lines& lines_;
};

TEST(Told, AsksThoseWhoHearTheEventInTheirOrder) {
    Lines lines;
    Told told;
    EXPECT_FALSE(told.any());
    isa::Record record;
    record.index = 3;
    told(Issued{record, false});  // nobody
    told.Add(std::make_unique<Records>(lines, "first"), true);
    told.Add(std::make_unique<Crowded>(lines), false);
    told.Add(std::make_unique<Records>(lines, "last"), true);
    EXPECT_TRUE(told.any());
    EXPECT_TRUE(told.Hears<Issued>());
    EXPECT_FALSE(told.Hears<Accessed>());
    told(Issued{record, false});
    told(Sync{.kind = Sync::Kind::kRaised, .counter = 8});
    told(Executed{record, {}});
    told(CoreEnded{4});  // nobody
    EXPECT_EQ(lines, (Lines{"first issued 3", "last issued 3", "sync of 8", "first executed 3", "last executed 3"}));
    ASSERT_EQ(told.rooms().size(), 1u);
    EXPECT_FALSE(told.rooms()[0]->HasRoom());
}

TEST(Told, WhatStaysInsideIsForThoseWhoWantIt) {
    Lines lines;
    Told told;
    isa::Record record;
    told.Add(std::make_unique<Records>(lines, "outside"), false);
    EXPECT_FALSE(told.on_chip());
    EXPECT_FALSE(told.Hears<Issued>(true));
    told(Issued{record, false}, true);
    EXPECT_TRUE(lines.empty());
    told.Add(std::make_unique<Records>(lines, "all"), true);
    EXPECT_TRUE(told.on_chip());
    told(Issued{record, false}, true);
    told(Issued{record, false}, false);
    EXPECT_EQ(lines, (Lines{"all issued 0", "outside issued 0", "all issued 0"}));
}

TEST(Told, NobodyHearsOnceTheListenersAreGone) {
    Lines lines;
    isa::Record record;
    Told told;
    told.Add(std::make_unique<Records>(lines, "one"), true);
    told.Add(std::make_unique<Crowded>(lines), true);
    told.Clear();
    told(Issued{record, false});
    EXPECT_EQ(lines, Lines{"one goes"});
    EXPECT_FALSE(told.Hears<Issued>());
    EXPECT_TRUE(told.rooms().empty());
}

}  // namespace
}  // namespace sfumato::events
