// SPDX-License-Identifier: Apache-2.0
// The parts of a core, each by itself or on a core of a launch.
#include <gtest/gtest.h>

#include <csetjmp>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;
using runtime::CurrentCore;
using Lines = std::vector<std::string>;

isa::Record RecordOf(isa::Opcode op, isa::Memory dst) {
    isa::Record record(op);
    record.operand_count = 1;
    record.operand[0].memory = dst;
    return record;
}

TEST(Scopes, TheOutermostCallNamesWhatIsIssuedInIt) {
    runtime::Scopes scopes;
    isa::Record record = RecordOf(isa::Opcode::vadd, isa::Memory::kUb);
    EXPECT_EQ(scopes.outermost(), nullptr);
    const char* none = scopes.Begin("Gelu");
    const char* gelu = scopes.Begin("Tanh");
    EXPECT_STREQ(scopes.NameOf(record), "Gelu: Add");
    const char* kept = scopes.NameOf(record);
    scopes.End(gelu);
    EXPECT_STREQ(scopes.outermost(), "Gelu");
    scopes.End(none);
    EXPECT_EQ(scopes.outermost(), nullptr);
    scopes.Begin("Silu");
    EXPECT_STREQ(scopes.NameOf(record), "Silu: Add");
    EXPECT_STREQ(kept, "Gelu: Add");  // of a finding of before
    record.call = "AddRelu";
    EXPECT_STREQ(scopes.NameOf(record), "Silu: AddRelu");
}

TEST(Registers, TheFirstRecordThatReadsWhatNobodySetIsKept) {
    runtime::Registers registers;
    registers.BeginUnset(true, false);
    isa::Record inside = RecordOf(isa::Opcode::vadd, isa::Memory::kUb);
    EXPECT_FALSE(registers.ReadsUnset(inside));  // it said of nothing that it reads it
    registers.unset_reads = runtime::kMaskState;
    registers.Set(runtime::kMaskState);
    EXPECT_FALSE(registers.ReadsUnset(inside));
    isa::Record store = RecordOf(isa::Opcode::vadd, isa::Memory::kGm);
    store.index = 7;
    EXPECT_TRUE(registers.ReadsUnset(store));  // the atomic mode
    EXPECT_EQ(registers.unset_read.index, 7u);
    EXPECT_EQ(registers.unset_read.state, runtime::kAtomicState);
    EXPECT_FALSE(registers.ReadsUnset(store));  // told once
    EXPECT_EQ(registers.unset_read.index, 7u);
}

struct Stoppable {
    runtime::Cores cores{4, 1, 4};
    std::atomic<uint64_t> records = 5;
    runtime::Stopping first{cores, 0, records}, third{cores, 2, records};
};

TEST(Stopping, AFaultStopsTheCoresAbove) {
    Stoppable s;
    EXPECT_FALSE(s.third.Asked());
    EXPECT_NO_THROW(s.third.IfAsked());
    EXPECT_THROW(s.first.WithThoseAbove(), runtime::StopCore);
    EXPECT_FALSE(s.first.stood().stopped);  // it stopped by itself
    EXPECT_TRUE(s.third.Asked());
    EXPECT_THROW(s.third.IfAsked("Add", {"kernel.cpp", 3}), runtime::StopCore);
    EXPECT_TRUE(s.third.stood().stopped);
    EXPECT_EQ(s.third.stood().call, "Add");
    EXPECT_EQ(s.third.stood().where.line, 3u);
    EXPECT_EQ(s.third.stood().index, 5u);
    EXPECT_THROW(s.third.At("Mul", {}, true), runtime::StopCore);
    EXPECT_EQ(s.third.stood().call, "Add");  // where it stood first
}

TEST(Stopping, ADestructorDefersIt) {
    Stoppable s;
    s.first.Defer();
    EXPECT_TRUE(s.first.Asked());
    EXPECT_THROW(s.first.IfAsked(), runtime::StopCore);
}

TEST(Stopping, WhereNoExceptionCanLeaveItJumps) {
    Stoppable s;
    std::jmp_buf landing;
    volatile bool jumped = false;
    if (setjmp(landing) == 0) {
        s.first.landing = &landing;
        [&]() noexcept { s.first.Now(); }();
    } else {
        jumped = true;
    }
    EXPECT_TRUE(jumped);
}

// What a launch tells, as lines.
class Recorder final : public events::Listener {
public:
    Lines lines;
    std::unique_ptr<events::CoreListener> Begin(const events::Place&, events::Tell) override {
        return std::make_unique<OfCore>(lines);
    }

private:
    class OfCore final : public events::Hears<events::Accessed, events::Sync> {
    public:
        explicit OfCore(Lines& lines) : lines_(lines) {}
        void On(const events::Accessed& event) override {
            constexpr const char* kThrough[] = {"value", "reference", "left alone", "pointer"};
            const events::ScalarAccess& a = event.access;
            lines_.push_back(std::string(a.call) + (a.write ? " writes " : " reads ") + isa::Name(a.memory) + " " +
                             std::to_string(a.bytes.begin) + ", " + kThrough[static_cast<int>(a.through)]);
        }
        void On(const events::Sync& sync) override {
            using Kind = events::Sync::Kind;
            if (sync.kind == Kind::kFenced) lines_.push_back("fenced");
            if (sync.kind == Kind::kCleaned)
                lines_.push_back(sync.line ? "cleaned byte " + std::to_string(sync.line->byte) : "cleaned all");
            if (sync.kind == Kind::kWaits)
                lines_.push_back(std::string(sync.call) + " waits for " + std::to_string(sync.level));
            if (sync.kind == Kind::kReached) lines_.push_back("reached");
        }

    private:
        Lines& lines_;
    };
};

struct Ran {
    LaunchResult result;
    Lines lines;
};
Ran Launched(uint32_t blocks, void (*kernel)(float*), const char* schedule = "serial") {
    GlobalMemory memory;
    auto* gm = reinterpret_cast<float*>(memory.Allocate(1024, "gm"));
    std::fill_n(gm, 256, 0.0f);
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.check = "none";
    options.schedule = schedule;
    Recorder recorder;
    Ran run{runtime::LaunchObserved(
                options, blocks, memory, [=] { kernel(gm); }, &recorder),
            {}};
    run.lines = recorder.lines;
    return run;
}

TEST(ScalarUnit, TellsOfReferencesOnceItKnowsWhatBecameOfThem) {
    const Ran run = Launched(1, [](float*) {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 256);
        LocalTensor<float> a = buffer.Get<float>();
        Duplicate(a, 0.0f, 64);
        float& read = a(1);
        volatile float seen = read;
        (void)seen;
        float& written = a(2);
        written = 3;
        Adds(a, a, 1.0f, 64);
        EXPECT_EQ(a.GetValue(2), 4.0f);
    });
    ASSERT_TRUE(run.result.ok());
    EXPECT_EQ(run.lines, (Lines{"operator() reads UB 4, reference", "operator() reads UB 4, left alone",
                                "operator() reads UB 8, reference", "operator() writes UB 8, value",
                                "GetValue reads UB 8, value"}));
}

TEST(ScalarUnit, TellsOfLinesAndFences) {
    const Ran run = Launched(1, [](float* gm) {
        runtime::ScalarUnit& scalar = CurrentCore()->scalar();
        scalar.Clean(reinterpret_cast<uint8_t*>(gm) + 128, "dcci", {});
        scalar.Clean(nullptr, "dcci", {});
        scalar.Fence();
        int elsewhere = 0;
        scalar.Clean(&elsewhere, "dcci", {});
    });
    ASSERT_TRUE(run.result.ok());
    EXPECT_EQ(run.lines, (Lines{"cleaned byte 128", "cleaned all", "fenced"}));
}

constexpr uint64_t kCounter = runtime::MeetingCounter(runtime::Meeting::kSoftSync, 1);

TEST(Waits, ACoreWaitsForWhatAnotherRaises) {
    const Ran run = Launched(2, [](float* gm) {
        runtime::Core& core = *CurrentCore();
        if (core.place().order == 1) {
            gm[0] = 1;
            for (int i = 0; i < 3; ++i) core.waits().Signal(kCounter);
            return;
        }
        core.waits().Await({kCounter, 2, true}, {"TakeTwo", {}}, {1});
        EXPECT_EQ(gm[0], 1.0f);
        core.waits().Await({kCounter, 1, false}, {"SeeOne", {}}, {1});
    });
    ASSERT_TRUE(run.result.ok()) << run.result.findings[0].Text();
    EXPECT_EQ(run.lines, (Lines{"TakeTwo waits for 2", "reached", "SeeOne waits for 1", "reached"}));
}

TEST(Waits, WhatNobodyRaisesIsADeadlock) {
    const Ran run = Launched(2, [](float*) {
        runtime::Core& core = *CurrentCore();
        if (core.place().order == 0) core.waits().Await({kCounter, 1, true}, {"WaitForGood(7)", {"k.cpp", 9}}, {1});
    });
    ASSERT_EQ(run.result.findings.size(), 1u);
    const Report& report = run.result.findings[0];
    EXPECT_EQ(report.rule, Rule::kDeadlock);
    EXPECT_EQ(report.instruction, "WaitForGood");
    EXPECT_EQ(report.line, 9u);
    EXPECT_EQ(report.found, "aiv0 waits for ever: aiv1: ended");
}

TEST(Polls, ReadingAgainRestsUntilTheBytesChange) {
    const Ran run = Launched(2, [](float* gm) {
        runtime::Core& core = *CurrentCore();
        if (core.place().order == 1) {
            gm[0] = 1;
            return;
        }
        // One core at a time: the other runs when this one rests.
        uint64_t turns = 0;
        for (; gm[0] == 0; ++turns) {
            core.polls().Cleaned(nullptr);
            core.polls().Reads(reinterpret_cast<uint8_t*>(gm), 4, "GetValue", {"k.cpp", 1});
        }
        EXPECT_GT(turns, 64u);
        EXPECT_LT(turns, 80u);
    });
    EXPECT_TRUE(run.result.ok()) << run.result.findings[0].Text();
}

TEST(Polls, ARecordThatStoresIsProgress) {
    const Ran run = Launched(1, [](float* gm) {
        runtime::Core& core = *CurrentCore();
        isa::Record store = RecordOf(isa::Opcode::scalar_store, isa::Memory::kGm);
        // Never 64 reads on end: it never rests, nor is anything found.
        for (int i = 0; i < 2'000'000; ++i) {
            core.polls().Reads(reinterpret_cast<uint8_t*>(gm), 4, "GetValue", {"k.cpp", 1});
            if (i % 60 == 0) core.polls().NoteRecord(store);
        }
    });
    EXPECT_TRUE(run.result.ok());
}

TEST(Polls, WhatNobodyWritesIsADeadlock) {
    const Ran run = Launched(1, [](float* gm) {
        runtime::Core& core = *CurrentCore();
        for (;;) core.polls().Reads(reinterpret_cast<uint8_t*>(gm) + 8, 4, "GetValue", {"k.cpp", 4});
    });
    ASSERT_EQ(run.result.findings.size(), 1u);
    EXPECT_EQ(run.result.findings[0].rule, Rule::kDeadlock);
    EXPECT_EQ(run.result.findings[0].found,
              "aiv0 waits for ever: it reads 4 bytes at byte 8 of 'gm' again and again, and nobody changes them");
}

TEST(Findings, EachPlaceOnceAndAFaultEndsTheCore) {
    const Ran run = Launched(1, [](float*) {
        runtime::Findings& findings = CurrentCore()->findings();
        Finding warning{Rule::kFlagLeftSet, "", "a flag", "", "", ""};
        findings.AddHere(warning, "SetFlag(1)", {"k.cpp", 1});
        findings.AddHere(warning, "SetFlag(1)", {"k.cpp", 1});
        findings.AddHere(warning, "SetFlag(1)", {"k.cpp", 2});
        EXPECT_EQ(findings.all().size(), 2u);
        EXPECT_EQ(findings.all()[0].instruction, "SetFlag");
        findings.AddHere({Rule::kDeadlock, "", "a fault", "", "", ""}, "Wait", {"k.cpp", 3});
        ADD_FAILURE() << "a fault does not return";
    });
    ASSERT_EQ(run.result.findings.size(), 3u);
    EXPECT_EQ(run.result.findings[2].core, "aiv0");
}

TEST(Findings, OfTheFirstInstructionNameIt) {
    GlobalMemory memory;
    auto* gm = reinterpret_cast<float*>(memory.Allocate(1024, "gm"));
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.check = "init";
    const LaunchResult result = Launch(options, 1, memory, [gm] {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 256);
        GlobalTensor<float> to;
        to.SetGlobalBuffer(gm, 64);
        DataCopy(to, buffer.Get<float>(), 64);
    });
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].rule, Rule::kUninitialisedRead);
    EXPECT_EQ(result.findings[0].index, 0u);
}

}  // namespace
}  // namespace sfumato
