// SPDX-License-Identifier: Apache-2.0
// Programs of several ranks with exact references: what a kernel has in hand, and how each runs under every schedule.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/world/ranks.h"

namespace sfumato::world_test {

// Of a window: areas of flags, one of 64 bytes a rank, and behind them the payload.
constexpr uint64_t kFlagBytes = 64, kFlagArea = 64 * kFlagBytes, kFlagAreas = 8;
constexpr uint64_t kPayload = kFlagArea * kFlagAreas, kWindowBytes = 256 << 10;
// Elements of the result of a rank at most, and of its own scratch behind it.
constexpr uint64_t kMostOut = 4096;

// A core of a rank's kernel, with UB and the windows of all ranks.
class Device {
public:
    Device(const Ranks& on, uint32_t of_rank, uint8_t* out)
        : rank(of_rank), ranks(static_cast<uint32_t>(on.windows.size())), on_(on), out_(out) {}

    uint8_t* Window(uint32_t of) const { return const_cast<uint8_t*>(on_.windows[of].data()); }
    uint8_t* Flag(uint32_t of, uint32_t area, uint32_t from) const {
        return Window(of) + area * kFlagArea + from * kFlagBytes;
    }
    // Int32 number `at` of the payload.
    uint8_t* Payload(uint32_t of, uint64_t at) const { return Window(of) + kPayload + at * 4; }
    uint8_t* Out(uint64_t at = 0) const { return out_ + at * 4; }
    static void Drain() { PipeBarrier<PIPE_ALL>(); }

    // Row 0 to 7 of UB: of 1,024 elements.
    LocalTensor<int32_t> Row(uint32_t row, uint32_t count = 1024) { return UbOf().At(row * 1024, count); }
    LocalTensor<int32_t> Filled(uint32_t row, uint32_t count, const std::function<int32_t(uint32_t)>& value) {
        auto tensor = Row(row, count);
        for (uint32_t i = 0; i < count; ++i) tensor.SetValue(i, value(i));
        Drain();
        return tensor;
    }
    // From UB to GM and back, multiples of 8 elements.
    void Store(uint8_t* to, const LocalTensor<int32_t>& row, uint32_t count) {
        DataCopy(Gm<int32_t>(to, count), row, count);
    }
    LocalTensor<int32_t> Load(uint32_t row, const uint8_t* from, uint32_t count) {
        auto tensor = Row(row, count);
        DataCopy(tensor, Gm<int32_t>(const_cast<uint8_t*>(from), count), count);
        Drain();
        return tensor;
    }
    // A flag of 32 bytes; what was stored before must be drained. Row 15.
    void Signal(uint8_t* flag, int32_t value) {
        auto row = UbOf().At(15 * 1024, 8);
        Duplicate(row, value, 8);
        Drain();
        Store(flag, row, 8);
        Drain();
    }
    // Until it is at least `value`; its value. Row 14.
    int32_t Await(const uint8_t* flag, int32_t value) {
        auto row = UbOf().At(14 * 1024, 8);
        do {
            DataCopy(row, Gm<int32_t>(const_cast<uint8_t*>(flag), 8), 8);
            Drain();
        } while (row.GetValue(0) < value);
        return row.GetValue(0);
    }
    void SignalAll(uint32_t area, int32_t value) {
        for (uint32_t to = 0; to < ranks; ++to) Signal(Flag(to, area, rank), value);
    }
    void AwaitAll(uint32_t area, int32_t value) {
        for (uint32_t from = 0; from < ranks; ++from) Await(Flag(rank, area, from), value);
    }
    // Everyone's earlier stores are there. `round` rises from 1.
    void Barrier(uint32_t area, int32_t round) {
        Drain();
        SignalAll(area, round);
        AwaitAll(area, round);
    }
    // Adds a row of UB to memory, atomically.
    void Add(uint8_t* to, const LocalTensor<int32_t>& row, uint32_t count) {
        SetAtomicAdd<int32_t>();
        Store(to, row, count);
        SetAtomicNone();
    }
    void Result(const LocalTensor<int32_t>& row, uint32_t count, uint64_t at = 0) {
        Drain();
        Store(Out(at), row, count);
        Drain();
    }

    const uint32_t rank, ranks;

private:
    const Ranks& on_;
    uint8_t* const out_;
    Ub& UbOf() { return ub_ ? *ub_ : ub_.emplace(); }
    std::optional<Ub> ub_;  // a cube core has none
};

struct Program {
    std::string name;
    // On each core; `launch` counts from 0.
    std::function<void(Device&, uint32_t launch)> kernel;
    // What rank `rank` of `ranks` has in its result at the end; its size is how much is compared.
    std::function<std::vector<int32_t>(uint32_t ranks, uint32_t rank)> want;
    uint32_t blocks = 1;
    CoreChoice core = CoreChoice::kVector;
    uint32_t launches = 1;
    uint32_t most_ranks = 64;
    bool named = true;
    const char* check = "all";  // nothing is found
    // Of a rank's memory before the first launch.
    std::function<void(uint8_t* out, uint32_t rank)> prepare = {};
};

struct Run {
    uint32_t ranks;
    std::string schedule;
};

// R in 1, 2, 3, 8, 16, 32 and 64, many schedules for few ranks and few for many.
std::vector<Run> EveryRun(const Program& program);
// What is wrong with the program's results or was told, or nothing.
std::string Wrong(const Program& program, const Run& run);
// Under each of them.
void Check(const Program& program);

}  // namespace sfumato::world_test
