// SPDX-License-Identifier: Apache-2.0
// Random programs of six cores that hand values to each other: the same bytes under every schedule, and an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "sfumato/launch.h"

namespace sfumato {
namespace {

using namespace AscendC;

constexpr uint32_t kCores = 6;         // that hold values, each a row of eight
constexpr uint32_t kRow = 8;           // int32
constexpr uint32_t kSteps = 12;        // of a program
constexpr uint32_t kStepRows = kCores * 2;
constexpr uint32_t kSlots = kSteps * kStepRows * kRow;  // where the workspaces begin
constexpr uint32_t kElements = kSlots + 2 * kCores * kSteps * kRow;

// Every core goes through the steps in this order, so that no wait is without its set.
struct Step {
    enum Kind : uint32_t { kHand, kSyncAll, kSoftSync, kFlagAll, kAtomic, kFlagPair, kRelay } kind;
    uint32_t from = 0, to = 0;  // kHand
    uint16_t id = 0;
};
// A vector kernel has six blocks; a mixed one three, of one cube core and two vector cores.
struct Program {
    bool mix;
    std::vector<Step> steps;
};

Program Random(uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    Program program{below(2) == 1, {}};
    for (uint32_t i = 0; i < kSteps; ++i) {
        Step step{static_cast<Step::Kind>(below(program.mix ? 7 : 5)), below(kCores), 0,
                  static_cast<uint16_t>(below(11))};
        step.to = (step.from + 1 + below(kCores - 1)) % kCores;
        if (step.kind != Step::kHand || below(3) != 0) program.steps.push_back(step);
        while (step.kind == Step::kHand && below(3) == 0 && program.steps.size() < kSteps) {
            std::swap(step.from, step.to);
            program.steps.push_back(step);
        }
    }
    program.steps.resize(std::min<size_t>(program.steps.size(), kSteps));
    return program;
}

// Below 2^20: sums of all cores stay exact.
int32_t Mixed(int32_t own, int32_t other) {
    return static_cast<int32_t>((static_cast<uint32_t>(own) * 31 + static_cast<uint32_t>(other) * 17 + 5) & 0xFFFFF);
}

// What each core holds in the end.
std::vector<int32_t> Expected(const Program& program) {
    std::vector<int32_t> values(kCores);
    for (uint32_t c = 0; c < kCores; ++c) values[c] = static_cast<int32_t>(c + 1);
    for (const Step& step : program.steps) {
        const std::vector<int32_t> before = values;
        uint32_t sum = 0;
        for (const int32_t v : before) sum += static_cast<uint32_t>(v);
        for (uint32_t c = 0; c < kCores; ++c) {
            switch (step.kind) {
                case Step::kHand:
                    if (c == step.to) values[c] = Mixed(before[c], before[step.from]);
                    break;
                case Step::kSyncAll:
                case Step::kSoftSync:
                case Step::kFlagAll: values[c] = Mixed(before[c], before[(c + 1) % kCores]); break;
                case Step::kAtomic: values[c] = Mixed(before[c], static_cast<int32_t>(sum)); break;
                case Step::kFlagPair:
                case Step::kRelay: values[c] = Mixed(before[c], before[c ^ 1]); break;
            }
        }
    }
    return values;
}

// A vector core: its value, and the moves that hand it on.
class VectorCore {
public:
    explicit VectorCore(uint8_t* gm) : index_(static_cast<uint32_t>(GetBlockIdx())) {
        gm_.SetGlobalBuffer(reinterpret_cast<int32_t*>(gm), kElements);
        pipe_.InitBuffer(buffer_, 8192);
        value_ = static_cast<int32_t>(index_ + 1);
    }
    void Run(const Program& program) {
        for (uint32_t at = 0; at < program.steps.size(); ++at) Do(program.steps[at], at);
        gm_.SetValue(index_, value_);
    }

private:
    LocalTensor<int32_t> At(uint32_t element) { return buffer_.Get<int32_t>()[element]; }
    GlobalTensor<int32_t> RowOf(uint32_t step, uint32_t row) { return gm_[(step * kStepRows + row + 1) * kRow]; }
    void Write(uint32_t step, uint32_t row) {
        Duplicate(At(0), value_, kRow);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(RowOf(step, row), At(0), kRow);
        SetFlag<HardEvent::MTE3_V>(EVENT_ID1);
        WaitFlag<HardEvent::MTE3_V>(EVENT_ID1);
    }
    void Read(uint32_t step, uint32_t row) {
        DataCopy(At(64), RowOf(step, row), kRow);
        SetFlag<HardEvent::MTE2_S>(EVENT_ID2);
        WaitFlag<HardEvent::MTE2_S>(EVENT_ID2);
        value_ = Mixed(value_, At(64).GetValue(0));
    }
    void Do(const Step& step, uint32_t at) {
        LocalTensor<int32_t> work = At(1024);
        switch (step.kind) {
            case Step::kHand:
                if (index_ == step.from) {
                    Write(at, index_);
                    IBSet(gm_[kSlots + kRow], work, static_cast<int32_t>(index_), static_cast<int32_t>(at));
                }
                if (index_ == step.to) {
                    IBWait(gm_[kSlots + kRow], work, static_cast<int32_t>(step.from), static_cast<int32_t>(at));
                    Read(at, step.from);
                }
                return;
            case Step::kAtomic:
                SetAtomicAdd<int32_t>();
                Write(at, 0);
                SetAtomicNone();
                SyncAll();
                return Read(at, 0);
            case Step::kSyncAll: Write(at, index_), SyncAll(); break;
            case Step::kSoftSync:
                Write(at, index_);
                SyncAll(gm_[kSlots + kRow + kCores * kSteps * kRow], work);
                break;
            case Step::kFlagAll:
                Write(at, index_);
                CrossCoreSetFlag<0, PIPE_MTE3>(step.id);
                CrossCoreWaitFlag(step.id);
                break;
            case Step::kFlagPair:
                Write(at, index_);
                CrossCoreSetFlag<1, PIPE_MTE3>(step.id);
                CrossCoreWaitFlag(step.id);
                return Read(at, index_ ^ 1);
            case Step::kRelay:
                Write(at, index_);
                CrossCoreSetFlag<2, PIPE_MTE3>(step.id);
                CrossCoreWaitFlag(step.id);
                return Read(at, kCores + (index_ ^ 1));
        }
        Read(at, (index_ + 1) % kCores);
    }

    uint32_t index_;
    int32_t value_;
    GlobalTensor<int32_t> gm_;
    TPipe pipe_;
    TBuf<> buffer_;
};

// A cube core copies the rows of its block in every relay.
void CubeCore(uint8_t* gm, const Program& program) {
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(reinterpret_cast<int32_t*>(gm), kElements);
    TPipe pipe;
    TBuf<TPosition::A1> l1;
    pipe.InitBuffer(l1, 1024);
    LocalTensor<int32_t> tile = l1.Get<int32_t>();
    const auto first = static_cast<uint32_t>(block_idx) * 2;
    for (uint32_t at = 0; at < program.steps.size(); ++at) {
        if (program.steps[at].kind != Step::kRelay) continue;
        CrossCoreWaitFlag(program.steps[at].id);
        DataCopy(tile, all[(at * kStepRows + first + 1) * kRow], 2 * kRow);
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(all[(at * kStepRows + kCores + first + 1) * kRow], tile, 2 * kRow);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
        CrossCoreSetFlag<2, PIPE_MTE3>(program.steps[at].id);
    }
}

TEST(CrossCoreRandom, ProgramsGiveTheSameBytesUnderEverySchedule) {
    for (uint32_t seed = 0; seed < 200; ++seed) {
        const Program program = Random(seed);
        const std::vector<int32_t> want = Expected(program);
        const std::string seeds[] = {"seed:" + std::to_string(seed), "seed:" + std::to_string(seed + 1000)};
        const std::pair<const char*, uint32_t> ways[] = {{"eager", 1},  {"eager", 2}, {"serial", 1},
                                                         {"late", 1},   {"ahead", 1}, {seeds[0].c_str(), 1},
                                                         {seeds[1].c_str(), 1}};
        std::vector<uint8_t> first;
        for (const auto& [schedule, workers] : ways) {
            GlobalMemory memory({.fill = 0});
            constexpr uint64_t kBytes = (kElements + kRow) * sizeof(int32_t);
            uint8_t* gm = memory.Allocate(kBytes, "gm");
            LaunchOptions options;
            options.chip = "Ascend910B1";
            options.schedule = schedule;
            options.workers = workers;
            options.core = program.mix ? CoreChoice::kMix : CoreChoice::kVector;
            options.check = "none";  // the last stores of the cores share a cache line
            const LaunchResult result = Launch(options, program.mix ? kCores / 2 : kCores, memory,
                                               std::function<void()>([&] {
                                                   if ASCEND_IS_AIC return CubeCore(gm, program);
                                                   VectorCore(gm).Run(program);
                                               }));
            ASSERT_TRUE(result.findings.empty()) << seed << ' ' << schedule << ' ' << result.findings[0].Text();
            std::vector<int32_t> got(kCores);
            std::memcpy(got.data(), gm, sizeof(int32_t) * kCores);
            ASSERT_EQ(got, want) << seed << ' ' << schedule << ' ' << workers;
            const std::vector<uint8_t> bytes(gm, gm + kBytes);
            if (first.empty()) first = bytes;
            ASSERT_EQ(bytes, first) << seed << ' ' << schedule << ' ' << workers;
        }
    }
}

}  // namespace
}  // namespace sfumato
