// SPDX-License-Identifier: Apache-2.0
// The order of a run as a timeline: which slice is where, what waits for what, and where cores stopped.
#include "trace/steps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/launch/launch.h"
#include "trace/kernels.h"

namespace sfumato {
namespace {

using Lines = std::vector<std::string>;

class Recorder final : public trace::TimelineSink {
public:
    Lines slices, arrows;
    std::vector<std::string> notes;

    void Begun(const trace::TimelineFacts&) override {}
    void Add(const events::Place&) override {}
    void Add(const trace::Slice& s) override {
        slices.push_back(fmt::format("{} {} {:g}..{:g} {}: {}", s.core, trace::RowName(s.row), s.begin, s.end,
                                     trace::Name(s.kind), s.name));
        notes.emplace_back(s.note);
    }
    void Add(const trace::Arrow& a) override {
        arrows.push_back(fmt::format("{} {} {:g} -> {} {} {:g}: {}", a.from.core, trace::RowName(a.from.row), a.from.at,
                                     a.to.core, trace::RowName(a.to.row), a.to.at, a.name));
    }
    void Add(const trace::Rate&) override {}
    void Ended(std::span<const Report>, const trace::TimelineEnd&) override {}
    std::string Close() override { return ""; }
};

Recorder Record(void (*kernel)(float*), uint32_t blocks = 1, const char* schedule = "eager") {
    GlobalMemory memory;
    auto* gm = reinterpret_cast<float*>(memory.Allocate(4096, "gm"));
    LaunchOptions options = test::TraceOptions("kernel");
    options.schedule = schedule;
    options.workers = 1;
    Recorder recorder;
    trace::Steps steps(&recorder, options.flags);
    const LaunchResult result = runtime::LaunchObserved(
        options, blocks, memory, [=] { kernel(gm); }, &steps);
    steps.Close(result.findings);
    return recorder;
}

TEST(Steps, FlagsAndBarriersOrderThePipes) {
    const Lines slices = {"0 MTE2 0..1 record: DataCopy", "0 MTE2 1..2 record: DataCopy",
                          "0 VECTOR 0..1 wait: WaitFlag", "0 VECTOR 1..2 record: Adds",
                          "0 VECTOR 2..3 record: Adds",   "0 FLOWCTRL 0..3 barrier: PipeBarrier",
                          "0 MTE3 3..4 record: DataCopy"};
    const Lines arrows = {"0 MTE2 0.875 -> 0 VECTOR 0.9375: PIPE_MTE2 to PIPE_V, id 0",
                          "0 MTE2 1.875 -> 0 VECTOR 2: PIPE_MTE2 to PIPE_V, id 1",
                          "0 VECTOR 2.875 -> 0 FLOWCTRL 2.9375: PIPE_ALL"};
    for (const char* schedule : {"eager", "late", "ahead", "seed:3"}) {
        Recorder seen = Record(test::TwoTiles, 1, schedule);
        if (schedule == std::string("eager")) {
            EXPECT_EQ(seen.slices, slices);
            EXPECT_EQ(seen.arrows, arrows);
        }
        // What a schedule runs first is no order of the program.
        std::sort(seen.slices.begin(), seen.slices.end());
        Lines sorted = slices;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(seen.slices, sorted) << schedule;
    }
}

TEST(Steps, CoresMeet) {
    const Recorder seen = Record(test::Meets, 2);
    const auto has = [&](const char* line) {
        return std::find(seen.slices.begin(), seen.slices.end(), line) != seen.slices.end();
    };
    EXPECT_TRUE(has("0 FLOWCTRL 0..2 barrier: SyncAll")) << fmt::format("{}", fmt::join(seen.slices, "\n"));
    EXPECT_TRUE(has("0 MTE3 2..3 record: DataCopy"));
    EXPECT_TRUE(has("1 MTE3 2..3 record: DataCopy"));
    EXPECT_EQ(seen.arrows, Lines{"1 VECTOR 1.875 -> 0 FLOWCTRL 1.9375: SyncAll"});
}

TEST(Steps, AWaitThatNeverEndsShowsWhereEachPipeStands) {
    const Recorder seen = Record(test::NeverSet);
    const Lines slices = {"0 MTE2 0..1 record: DataCopy", "0 VECTOR 0..5 never satisfied: WaitFlag",
                          "0 MTE3 0..5 never satisfied: WaitFlag"};
    ASSERT_EQ(seen.slices, slices);
    EXPECT_NE(seen.notes[1].find("PIPE_V waits for ever"), std::string::npos) << seen.notes[1];
    EXPECT_NE(seen.notes[1].find("behind it: Adds (line "), std::string::npos) << seen.notes[1];
    EXPECT_NE(seen.notes[2].find("behind it: DataCopy (line "), std::string::npos) << seen.notes[2];
}

TEST(Steps, AFaultStandsWhereTheCoreStopped) {
    const Recorder seen = Record(test::Misaligned);
    ASSERT_EQ(seen.slices, (Lines{"0 MTE2 0..1 record: DataCopy", "0 SCALAR 1..5 fault: ub-alignment"}));
    EXPECT_NE(seen.notes[1].find("ub-alignment"), std::string::npos);
}

}  // namespace
}  // namespace sfumato
