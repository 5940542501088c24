// SPDX-License-Identifier: Apache-2.0
// What observers are told, and the log in both orders.
#include "trace/observer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "runtime/launch/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;
using Lines = std::vector<std::string>;

class Recorder final : public trace::Observer {
public:
    Lines lines;

    void LaunchBegun(const trace::LaunchFacts& facts) override {
        Add(fmt::format("launch {} {} {} {}", facts.chip, facts.kernel, facts.blocks, facts.cores));
    }
    void LaunchEnded() override { Add("end of launch"); }
    void BlockBegun(const trace::Place& place) override { Add(place.name + " begins"); }
    void BlockEnded(const trace::Place& place) override { Add(place.name + " ends"); }
    void Issued(const trace::Place&, const isa::Record& record) override {
        Add(fmt::format("issued {} {}", record.index, isa::CallName(record)));
    }
    void Executed(const trace::Place&, const isa::Record& record) override {
        Add(fmt::format("executed {} {}", record.index, isa::CallName(record)));
    }
    bool WantsTouches() const override { return true; }
    void Touched(const trace::Place&, const isa::Record* record, const trace::Touch& touch) override {
        Add(fmt::format("{} {} {} {}..{}", record ? isa::CallName(*record) : "scalar", touch.write ? "writes" : "reads",
                        isa::Name(touch.memory), touch.bytes.begin, touch.bytes.end));
    }

private:
    void Add(std::string line) {
        std::lock_guard lock(mutex_);
        lines.push_back(std::move(line));
    }
    std::mutex mutex_;
};

void TwoPipes(float* gm) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> a = buffer.Get<float>(64), b = buffer.GetWithOffset<float>(64, 256);
    GlobalTensor<float> source;
    source.SetGlobalBuffer(gm, 64);
    Duplicate(a, 1.0f, 64);
    DataCopy(b, source, 64);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(a, a, b, 64);
    PipeBarrier<PIPE_ALL>();
    b.SetValue(1, b.GetValue(0));
}

LaunchOptions Options(const char* schedule) {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.kernel = "two_pipes";
    options.schedule = schedule;
    return options;
}

TEST(Observer, IsToldEverythingInOrder) {
    GlobalMemory memory;
    auto* gm = reinterpret_cast<float*>(memory.Allocate(256, "gm"));
    Recorder recorder;
    const LaunchResult result = runtime::LaunchObserved(
        Options("late"), 1, memory, [gm] { TwoPipes(gm); }, &recorder);
    ASSERT_TRUE(result.findings.empty()) << result.findings[0].Text();
    const Lines want = {"launch Ascend910B1 two_pipes 1 1",
                        "aiv0 begins",
                        "issued 0 Duplicate",
                        "issued 1 DataCopy",
                        "issued 2 SetFlag",
                        "issued 3 WaitFlag",
                        "issued 4 Add",
                        "issued 5 PipeBarrier",
                        "Duplicate writes UB 0..256",
                        "executed 0 Duplicate",
                        "DataCopy writes UB 256..512",
                        "DataCopy reads GM 0..256",
                        "executed 1 DataCopy",
                        "executed 2 SetFlag",
                        "executed 3 WaitFlag",
                        "Add writes UB 0..256",
                        "Add reads UB 0..256",
                        "Add reads UB 256..512",
                        "executed 4 Add",
                        "executed 5 PipeBarrier",
                        "scalar reads UB 256..260",
                        "issued 6 SetValue",
                        "SetValue writes UB 260..264",
                        "executed 6 SetValue",
                        "aiv0 ends",
                        "end of launch"};
    EXPECT_EQ(recorder.lines, want);
}

TEST(Observer, TheLogHasBothOrders) {
    const auto log = [](const char* schedule, LogOrder order) {
        GlobalMemory memory;
        auto* gm = reinterpret_cast<float*>(memory.Allocate(256, "gm"));
        LaunchOptions options = Options(schedule);
        std::string calls;
        options.log = [&](std::string_view line) {
            for (const char* call : {"Duplicate", "DataCopy", "SetFlag", "WaitFlag", "PipeBarrier", "Add "}) {
                if (line.find(std::string(" ") + call) != std::string_view::npos) calls += call[0];
            }
        };
        options.log_order = order;
        EXPECT_TRUE(Launch(options, 1, memory, [gm] { TwoPipes(gm); }).ok());
        return calls;
    };
    EXPECT_EQ(log("ahead", LogOrder::kIssued), log("late", LogOrder::kIssued));
    EXPECT_EQ(log("eager", LogOrder::kExecuted), log("eager", LogOrder::kIssued));
    EXPECT_NE(log("ahead", LogOrder::kExecuted), log("late", LogOrder::kExecuted));
}

}  // namespace
}  // namespace sfumato
