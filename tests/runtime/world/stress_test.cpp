// SPDX-License-Identifier: Apache-2.0
// The same on a machine that is busy: bytes, findings, and how much of a CPU many ranks take.
#include <atomic>
#include <ctime>
#include <thread>

#include "runtime/world/programs.h"

namespace sfumato::world_test {
namespace {

// Threads that take every CPU, twice over.
class Busy {
public:
    Busy() {
        for (unsigned i = 0; i < 2 * std::max(1u, std::thread::hardware_concurrency()); ++i) {
            threads_.emplace_back([this] {
                while (!over_.load(std::memory_order_relaxed)) {
                }
            });
        }
    }
    ~Busy() {
        over_ = true;
        for (auto& thread : threads_) thread.join();
    }

private:
    std::atomic<bool> over_ = false;
    std::vector<std::thread> threads_;
};

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kTimes = 3;
#else
constexpr int kTimes = 20;
#endif

int32_t Sent(uint32_t from, uint32_t to, uint32_t i) { return static_cast<int32_t>(from * 100 + to * 10 + i); }

// Each rank sends a row to every other; with `fault` the flag of the highest rank for rank 0 is forgotten, or it comes
// without a drain.
enum class Fault { kNone, kNoFlag, kNoDrain };
std::string AfterExchange(uint32_t ranks, const std::string& schedule, Fault fault, bool threads) {
    Ranks on(ranks, runtime::RankOrder::Parse(schedule, ranks), kWindowBytes);
    std::vector<uint8_t*> out(ranks);
    for (uint32_t r = 0; r < ranks; ++r) {
        out[r] = on.memories[r]->Allocate(kMostOut * 4, "out");
        std::memset(out[r], 0, kMostOut * 4);
    }
    const auto kernel = [&](uint32_t r) {
        Device d(on, r, out[r]);
        const auto flag = d.Filled(1, 8, [](uint32_t) { return 1; });
        for (uint32_t to = 0; to < d.ranks; ++to) {
            const bool wrong = r + 1 == d.ranks && to == 0;
            d.Store(d.Payload(to, r * 8), d.Filled(0, 8, [&](uint32_t i) { return Sent(r, to, i); }), 8);
            if (!wrong || fault != Fault::kNoDrain) Device::Drain();
            if (!wrong || fault != Fault::kNoFlag) d.Store(d.Flag(to, 0, r), flag, 8);
            Device::Drain();
        }
        d.AwaitAll(0, 1);
        d.Result(d.Load(2, d.Payload(r, 0), d.ranks * 8), d.ranks * 8);
    };
    const auto host = [&](uint32_t r) {
        for (int launch = 0; launch < 2; ++launch)
            on.Submit(
                r, 1, [&kernel, r] { kernel(r); }, true, schedule);
    };
    if (threads) {
        std::vector<std::thread> hosts;
        for (uint32_t r = 0; r < ranks; ++r) on.world.Serve(r);
        on.world.Leave();
        std::atomic<uint32_t> served = 0;
        for (uint32_t r = 0; r < ranks; ++r) {
            hosts.emplace_back([&, r] {
                on.world.Serve(r);
                ++served;
                while (served != ranks) std::this_thread::yield();
                host(r);
                on.Wait();
            });
        }
        for (auto& thread : hosts) thread.join();
    } else {
        for (uint32_t r = 0; r < ranks; ++r) host(r);
        on.Wait();
    }
    std::string text = on.Told();
    for (uint32_t r = 0; r < ranks; ++r) {
        std::vector<int32_t> got(ranks * 8);
        std::memcpy(got.data(), out[r], got.size() * 4);
        for (const int32_t value : got) text += std::to_string(value) + " ";
    }
    return text;
}

// Five programs, two of them wrong, twenty times each: with hosts that are threads and with one for all.
TEST(WorldStress, ALoadedMachineChangesNothing) {
    struct Of {
        uint32_t ranks;
        const char* schedule;
        Fault fault;
    };
    for (const Of& of : {Of{8, "eager", Fault::kNone}, Of{8, "torn", Fault::kNone}, Of{5, "seed:3", Fault::kNone},
                         Of{4, "eager", Fault::kNoFlag}, Of{4, "torn", Fault::kNoDrain}}) {
        const std::string quiet = AfterExchange(of.ranks, of.schedule, of.fault, false);
        EXPECT_EQ(quiet.find("deadlock") != std::string::npos, of.fault == Fault::kNoFlag) << quiet;
        const Busy busy;
        for (int i = 0; i < kTimes; ++i)
            ASSERT_EQ(AfterExchange(of.ranks, of.schedule, of.fault, i % 2 == 0), quiet) << of.schedule << ' ' << i;
    }
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
// In time of a CPU: other programs may run.
TEST(WorldStress, ABarrierOf64RanksTakesUnderTwoSeconds) {
    Ranks on(64, {}, kWindowBytes);
    const std::clock_t begin = std::clock();
    for (uint32_t r = 0; r < 64; ++r) {
        on.Submit(r, 1, [&on, r] {
            Device d(on, r, nullptr);
            d.Barrier(0, 1);
        });
    }
    on.Wait();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_EQ(on.Told(), "");
    EXPECT_LT(seconds, 2.0);
    std::printf("64 ranks: %.3f s\n", seconds);
}
#endif

}  // namespace
}  // namespace sfumato::world_test
