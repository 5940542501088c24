// SPDX-License-Identifier: Apache-2.0
// What listeners hear, and the log in both orders.
#include "events/listener.h"

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

class Recorder final : public events::Listener {
public:
    Lines lines;

    void LaunchBegun(const events::LaunchFacts& facts) override {
        Add(fmt::format("launch {} {} {} {}", facts.chip, facts.kernel, facts.blocks, facts.cores));
    }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell) override {
        return std::make_unique<OfCore>(*this, place.name);
    }
    std::vector<Report> Finish(bool clean) override {
        Add(clean ? "end of launch" : "end of a launch that failed");
        return {};
    }

private:
    class OfCore final : public events::Hears<events::Issued, events::Executing, events::Executed, events::Accessed,
                                              events::Sync, events::Call, events::CoreEnded> {
    public:
        OfCore(Recorder& all, std::string name) : all_(all), name_(std::move(name)) { all_.Add(name_ + " begins"); }
        ~OfCore() override { all_.Add(name_ + " goes"); }
        OfCore& operator=(OfCore&&) = delete;
        void On(const events::Issued& event) override { Add("issued", event.record); }
        void On(const events::Executing& event) override { Add("runs", event.record); }
        void On(const events::Executed& event) override { Add("executed", event.record); }
        void On(const events::Accessed& event) override {
            const events::ScalarAccess& access = event.access;
            all_.Add(fmt::format("scalar {} {} {}..{}", access.write ? "writes" : "reads", isa::Name(access.memory),
                                 access.bytes.begin, access.bytes.end));
        }
        void On(const events::Sync& sync) override {
            if (sync.kind == events::Sync::Kind::kPassed) Add("passed", *sync.record);
            if (sync.kind == events::Sync::Kind::kDrained) all_.Add("drained");
        }
        void On(const events::Call& call) override {
            all_.Add(call.kind == events::Call::Kind::kEnded ? "call ends" : fmt::format("call {}", call.name));
        }
        void On(const events::CoreEnded&) override { all_.Add(name_ + " ends"); }

    private:
        void Add(const char* what, const isa::Record& record) {
            all_.Add(fmt::format("{} {} {}", what, record.index, isa::CallName(record)));
        }
        Recorder& all_;
        const std::string name_;
    };
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

TEST(Listener, IsToldEverythingInOrder) {
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
                        "runs 0 Duplicate",
                        "executed 0 Duplicate",
                        "runs 1 DataCopy",
                        "executed 1 DataCopy",
                        "passed 2 SetFlag",
                        "passed 3 WaitFlag",
                        "runs 4 Add",
                        "executed 4 Add",
                        "passed 5 PipeBarrier",
                        "scalar reads UB 256..260",
                        "issued 6 SetValue",
                        "runs 6 SetValue",
                        "executed 6 SetValue",
                        "drained",  // by the TPipe
                        "drained",
                        "aiv0 ends",
                        "aiv0 goes",
                        "end of launch"};
    EXPECT_EQ(recorder.lines, want);
}

TEST(Listener, TheLogHasBothOrders) {
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
