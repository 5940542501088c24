// SPDX-License-Identifier: Apache-2.0
// What a launch costs beside its kernel, against a pooled thread that is woken and joined; and what a barrier of 48
// cores costs as fibres and as threads.
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

#include "kernel_operator.h"
#include "pairs.h"
#include "sfumato/tik.h"

namespace sfumato::bench {
namespace {

constexpr int kLaunches = 50;

// A thread that waits for work, as the workers of a launch do.
class PooledThread {
public:
    PooledThread() : thread_([this] { Serve(); }) {}
    ~PooledThread() {
        Wake(true);
        thread_.join();
    }
    void WakeAndJoin() {
        Wake(false);
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !wanted_; });
    }

private:
    void Wake(bool end) {
        std::lock_guard lock(mutex_);
        wanted_ = true;
        end_ = end;
        changed_.notify_all();
    }
    void Serve() {
        std::unique_lock lock(mutex_);
        while (!end_) {
            changed_.wait(lock, [this] { return wanted_; });
            wanted_ = false;
            changed_.notify_all();
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    bool wanted_ = false, end_ = false;
    std::thread thread_;
};

void Nothing() {}

void EmptyLaunch(benchmark::State& state, uint32_t blocks) {
    GlobalMemory memory;
    PooledThread pooled;
    const KernelCall kernel{Nothing, reinterpret_cast<const void*>(&Nothing), {}, {}, nullptr, {}, {}};
    const auto ours = [&] {
        for (int i = 0; i < kLaunches; ++i) LaunchOrFail(state, blocks, memory, kernel);
    };
    const auto native = [&] {
        for (int i = 0; i < kLaunches; ++i) pooled.WakeAndJoin();
    };
    MeasurePairs(state, {Measure::kSpeed, kNoBound}, Clock::kElapsed, {ours, 1}, {native, 1}, kLaunches);
}
BENCHMARK_CAPTURE(EmptyLaunch, one, 1)->Name("launch_1_block")->UseManualTime()->MinTime(0.3);
BENCHMARK_CAPTURE(EmptyLaunch, eight, 8)->Name("launch_8_blocks")->UseManualTime()->MinTime(0.3);
BENCHMARK_CAPTURE(EmptyLaunch, all, 48)->Name("launch_48_blocks")->UseManualTime()->MinTime(0.3);

constexpr int kCores = 48, kBarriers = 100;

// A TIK program that is nothing but barriers.
void RecordBarriers(tik::Program* p) {
    const Where at{"bench.py", 1};
    const auto number = [&](int64_t v) { return p->Immediate(v, at); };
    tik::TensorOptions workspace;
    workspace.is_workspace = true;
    const tik::TensorId meet = p->Tensor("int64", {4 * kCores}, "global", "meet", workspace, at);
    p->BeginFor(number(0), number(kCores), "block", "int32", 1, number(kCores), at);
    p->BeginFor(number(0), number(kBarriers), "i", "int32", 1, number(1), at);
    p->BlockBarrier(p->Ref(meet, number(0), "int64", at), at);
    p->End(at);
    p->End(at);
    p->Build("barriers", {}, {}, {}, at);
}

// Threads that meet as they do with a mutex and a condition variable.
void MeetThreads() {
    std::mutex mutex;
    std::condition_variable changed;
    int arrived = 0, barriers = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kCores; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < kBarriers; ++i) {
                std::unique_lock lock(mutex);
                if (++arrived == kCores) {
                    arrived = 0;
                    ++barriers;
                    changed.notify_all();
                } else {
                    changed.wait(lock, [&, now = barriers] { return barriers != now; });
                }
            }
        });
    }
    for (std::thread& t : threads) t.join();
}

void Barrier(benchmark::State& state) {
    tik::Program program("Ascend910B1");
    RecordBarriers(&program);
    const auto ours = [&] {
        const tik::RunResult result = program.Run({}, {});
        if (!result.launch.ok()) state.SkipWithError(result.launch.findings.back().Text().c_str());
    };
    MeasurePairs(state, {Measure::kCost, 1}, Clock::kElapsed, {ours, 1}, {MeetThreads, 1}, kBarriers);
}
BENCHMARK(Barrier)->Name("barrier_48_cores")->UseManualTime()->MinTime(0.3);

// The same by SyncAll of Ascend C.
void SyncAllOfCores(benchmark::State& state) {
    GlobalMemory memory;
    const auto ours = [&] {
        LaunchOrFail(state, kCores, memory, [] {
            for (int i = 0; i < kBarriers; ++i) AscendC::SyncAll();
        });
    };
    MeasurePairs(state, {Measure::kCost, 1}, Clock::kElapsed, {ours, 1}, {MeetThreads, 1}, kBarriers);
}
BENCHMARK(SyncAllOfCores)->Name("sync_all_48_cores")->UseManualTime()->MinTime(0.3);

}  // namespace
}  // namespace sfumato::bench
