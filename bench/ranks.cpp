// SPDX-License-Identifier: Apache-2.0
// Several ranks in one process: what a switch between ranks costs beside one between cores of a launch, in the same
// run, and how long dispatch and combine of a mixture of experts take. The exit code is 1 when a bound is missed.
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "runtime/memory/global_memory.h"
#include "runtime/world/world.h"
#include "sfumato/launch.h"

namespace sfumato::bench {
namespace {

using namespace AscendC;

double ProcessSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class T>
GlobalTensor<T> At(uint8_t* p, uint64_t count) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(p), count);
    return tensor;
}

LaunchResult OnChip(uint32_t blocks, GlobalMemory& memory, const std::function<void()>& kernel,
                    const std::string& schedule) {
    LaunchOptions options;
    options.chip = "Ascend910B1";
    options.core = CoreChoice::kVector;
    options.schedule = schedule;
    return Launch(options, blocks, memory, kernel);
}

// Ranks with a window each that lies in pages on demand.
class Windows {
public:
    Windows(uint32_t ranks, uint64_t bytes, std::string schedule)
        : bytes_(bytes),
          schedule_(std::move(schedule)),
          memories(ranks),
          world(ranks, runtime::RankOrder::Parse(schedule_, ranks)) {
        std::vector<uint32_t> all;
        for (uint32_t r = 0; r < ranks; ++r) {
            all.push_back(r);
            void* const window =
                mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (window == MAP_FAILED) throw std::bad_alloc();
            windows.push_back(static_cast<uint8_t*>(window));
        }
        for (GlobalMemory& memory : memories) {
            for (uint32_t r = 0; r < ranks; ++r)
                memory.impl()->Share(windows[r], bytes, fmt::format("window {}", r), r);
        }
        domain_ = world.AddDomain(all);
    }
    ~Windows() {
        for (uint8_t* window : windows) munmap(window, bytes_);
    }
    Windows& operator=(Windows&&) = delete;

    // On all ranks; whether nothing was found.
    bool Run(uint32_t blocks, const std::function<void(uint32_t rank)>& kernel) {
        bool clean = true;
        for (uint32_t r = 0; r < world.ranks(); ++r) {
            world.Submit(r, nullptr,
                         runtime::World::Launch{{"kernel<<<>>>", {}},
                                                [&, r] {
                                                    const LaunchResult result = OnChip(
                                                        blocks, memories[r], [&kernel, r] { kernel(r); }, schedule_);
                                                    for (const Report& report : result.findings)
                                                        fmt::print("{}\n", report.Text());
                                                    clean = clean && result.findings.empty();
                                                },
                                                {domain_}});
        }
        world.Block({"Wait", {}}, [this] {
            for (uint32_t r = 0; r < world.ranks(); ++r) {
                if (!world.IdleLocked(r)) return false;
            }
            return true;
        });
        return clean;
    }

private:
    const uint64_t bytes_;
    const std::string schedule_;
    runtime::World::Domain domain_ = 0;

public:
    std::vector<uint8_t*> windows;
    std::vector<GlobalMemory> memories;
    runtime::World world;
};

constexpr uint32_t kRing = 16, kRounds = 400;

// A flag goes round: `mine` is where this member waits, `next` where the next one does.
void GoRound(uint32_t member, uint8_t* mine, uint8_t* next) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 1024);
    auto seen = buffer.Get<int32_t>(), flag = seen[64];
    for (int32_t round = 1; round <= static_cast<int32_t>(kRounds); ++round) {
        while (member != 0 || round > 1) {
            DataCopy(seen, At<int32_t>(mine, 8), 8);
            PipeBarrier<PIPE_ALL>();
            if (seen.GetValue(0) >= round - (member == 0)) break;
        }
        Duplicate(flag, round, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(At<int32_t>(next, 8), flag, 8);
        PipeBarrier<PIPE_ALL>();
    }
}

double OfRanks() {
    Windows on(kRing, 4096, "eager");
    const double begin = ProcessSeconds();
    on.Run(1, [&](uint32_t r) { GoRound(r, on.windows[r], on.windows[(r + 1) % kRing]); });
    return ProcessSeconds() - begin;
}

double OfCores() {
    GlobalMemory memory;
    uint8_t* const flags = memory.Allocate(kRing * 64, "flags");
    std::memset(flags, 0, kRing * 64);
    const double begin = ProcessSeconds();
    OnChip(
        kRing, memory,
        [&] {
            const auto core = static_cast<uint32_t>(GetBlockIdx());
            GoRound(core, flags + core * 64, flags + (core + 1) % kRing * 64);
        },
        "serial");
    return ProcessSeconds() - begin;
}

bool Switches() {
    std::vector<double> ratios, ours;
    for (int i = 0; i < 15; ++i) {
        double ranks = 0, cores = 0;
        if (i % 2 == 0) ranks = OfRanks();
        cores = OfCores();
        if (i % 2 != 0) ranks = OfRanks();
        ratios.push_back(ranks / cores);
        ours.push_back(ranks);
    }
    std::ranges::sort(ratios);
    std::ranges::sort(ours);
    const double ratio = ratios[ratios.size() / 2];
    fmt::print("switch between ranks: {:.2f} of one between cores (<= 1.5), {:.0f} ns\n", ratio,
               ours[ours.size() / 2] * 1e9 / kRing / kRounds);
    return ratio <= 1.5;
}

constexpr uint32_t kRanks = 16, kBlocks = 16, kTokens = 256, kTop = 8, kHidden = 7168;
constexpr uint64_t kTokenBytes = kHidden * 2, kFlags = 1 << 16;
constexpr uint64_t kDispatch = kFlags, kCombine = kDispatch + kRanks * kTokens * kTokenBytes;
constexpr uint64_t kWindow = kCombine + uint64_t{kTokens} * kTop * kTokenBytes;

uint32_t ExpertOf(uint32_t rank, uint32_t token, uint32_t k) {
    return (rank * 7 + token * 5 + k * (1 + token % 2)) % kRanks;
}

// One core's part. Tokens are dispatched to their ranks, where an expert doubles them, and come back to be summed.
void DispatchAndCombine(const Windows& on, uint32_t rank, uint8_t* tokens, uint8_t* out) {
    const auto block = static_cast<uint32_t>(GetBlockIdx());
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 3 * kTokenBytes + 1024);
    auto row = buffer.Get<half>(), sum = row[kHidden], made = row[2 * kHidden];
    auto flag = row[3 * kHidden].ReinterpretCast<int32_t>();
    const auto signal = [&](uint32_t to, uint32_t area) {
        Duplicate(flag, 1, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(At<int32_t>(on.windows[to] + area * 32'768 + (rank * kBlocks + block) * 64, 8), flag, 8);
        PipeBarrier<PIPE_ALL>();
    };
    const auto await = [&](uint32_t from, uint32_t area, uint32_t of) {
        do {
            DataCopy(flag, At<int32_t>(on.windows[rank] + area * 32'768 + (from * kBlocks + of) * 64, 8), 8);
            PipeBarrier<PIPE_ALL>();
        } while (flag.GetValue(0) != 1);
    };
    for (uint32_t token = block; token < kTokens; token += kBlocks) {
        DataCopy(row, At<half>(tokens + token * kTokenBytes, kHidden), kHidden);
        PipeBarrier<PIPE_ALL>();
        for (uint32_t k = 0; k < kTop; ++k) {
            DataCopy(At<half>(on.windows[ExpertOf(rank, token, k)] + kDispatch + (rank * kTokens + token) * kTokenBytes,
                              kHidden),
                     row, kHidden);
        }
        PipeBarrier<PIPE_ALL>();
    }
    for (uint32_t to = 0; to < kRanks; ++to) signal(to, 0);
    // Of the tokens that came from each rank, this core works on its share.
    for (uint32_t from = 0; from < kRanks; ++from) {
        await(from, 0, block);
        for (uint32_t token = block; token < kTokens; token += kBlocks) {
            for (uint32_t k = 0; k < kTop; ++k) {
                if (ExpertOf(from, token, k) != rank) continue;
                DataCopy(row, At<half>(on.windows[rank] + kDispatch + (from * kTokens + token) * kTokenBytes, kHidden),
                         kHidden);
                PipeBarrier<PIPE_ALL>();
                AscendC::Add(made, row, row, static_cast<int32_t>(kHidden));
                PipeBarrier<PIPE_ALL>();
                DataCopy(At<half>(on.windows[from] + kCombine + (token * kTop + k) * kTokenBytes, kHidden), made,
                         kHidden);
                PipeBarrier<PIPE_ALL>();
            }
        }
        signal(from, 1);
    }
    for (uint32_t from = 0; from < kRanks; ++from) await(from, 1, block);
    for (uint32_t token = block; token < kTokens; token += kBlocks) {
        Duplicate(sum, static_cast<half>(0), static_cast<int32_t>(kHidden));
        for (uint32_t k = 0; k < kTop; ++k) {
            DataCopy(row, At<half>(on.windows[rank] + kCombine + (token * kTop + k) * kTokenBytes, kHidden), kHidden);
            PipeBarrier<PIPE_ALL>();
            AscendC::Add(sum, sum, row, static_cast<int32_t>(kHidden));
            PipeBarrier<PIPE_ALL>();
        }
        DataCopy(At<half>(out + token * kTokenBytes, kHidden), sum, kHidden);
        PipeBarrier<PIPE_ALL>();
    }
}

bool Experts(const std::string& schedule) {
    Windows on(kRanks, kWindow, schedule);
    std::vector<uint8_t*> tokens, out;
    for (uint32_t r = 0; r < kRanks; ++r) {
        tokens.push_back(on.memories[r].Allocate(kTokens * kTokenBytes, "tokens"));
        out.push_back(on.memories[r].Allocate(kTokens * kTokenBytes, "out"));
        std::vector<_Float16> values(kTokens * kHidden);
        for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<_Float16>((i + r) % 13);
        std::memcpy(tokens[r], values.data(), values.size() * 2);
    }
    const double cpu = ProcessSeconds();
    const auto begin = std::chrono::steady_clock::now();
    bool right = on.Run(kBlocks, [&](uint32_t r) { DispatchAndCombine(on, r, tokens[r], out[r]); });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (uint32_t r = 0; r < kRanks && right; ++r) {
        std::vector<_Float16> values(kTokens * kHidden);
        std::memcpy(values.data(), out[r], values.size() * 2);
        for (size_t i = 0; i < values.size(); ++i) {
            const auto want = static_cast<_Float16>(2 * kTop * ((i + r) % 13));
            if (values[i] == want) continue;
            fmt::print("rank {}: element {} is {}, not {}\n", r, i, static_cast<float>(values[i]),
                       static_cast<float>(want));
            right = false;
            break;
        }
    }
    fmt::print("dispatch and combine, {} ranks, {}: {:.2f} s, {:.2f} s of CPU (<= 20)\n", kRanks, schedule, seconds,
               ProcessSeconds() - cpu);
    return right && std::min(seconds, ProcessSeconds() - cpu) <= 20;
}

}  // namespace
}  // namespace sfumato::bench

int main() {
    const bool switches = sfumato::bench::Switches();
    bool experts = true;
    for (const char* schedule : {"eager", "torn"}) experts = sfumato::bench::Experts(schedule) && experts;
    return switches && experts ? 0 : 1;
}
