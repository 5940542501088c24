// SPDX-License-Identifier: Apache-2.0
// Wrong programs of several ranks, each with its right twin: one edit away. Tables in races.cpp and its neighbours, the
// runner in programs_test.cpp.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "runtime/world/ranks.h"

namespace sfumato::ranks {

// What a core of a rank has: a window of each rank, and room in UB, which a cube core has not.
class Kernel {
public:
    Kernel(decltype(Ranks::windows)& windows, uint32_t of_rank, uint32_t of_round, bool is_right)
        : rank(of_rank),
          ranks(static_cast<uint32_t>(windows.size())),
          next((of_rank + 1) % ranks),
          before((of_rank + ranks - 1) % ranks),
          round(of_round),
          right(is_right),
          windows_(windows) {
        core = GetBlockIdx();
        if ASCEND_IS_AIC
            return;
        Ub& ub = ub_.emplace();
        data = ub.At(0, 256), seen = ub.At(256, 256), flag = ub.At(512, 8), one = ub.At(520, 8);
        Fill(data, static_cast<int32_t>(100 * (rank + 1) + round));
        Fill(flag, static_cast<int32_t>(round));
        Fill(one, 1);
    }

    const uint32_t rank, ranks, next, before;
    const uint32_t round;  // 1 for the first launch
    const bool right;      // the twin
    uint32_t core;
    // 1024 bytes of each rank that no other rank may touch; the rank's own.
    std::vector<uint8_t*> own_of;
    uint8_t* own = nullptr;

private:
    decltype(Ranks::windows)& windows_;
    std::optional<Ub> ub_;

public:
    // 1024 bytes of the rank's own, 1024 to load into, a flag of the round, one of 1: 32 bytes each.
    LocalTensor<int32_t> data, seen, flag, one;

    // Of a rank's window: so many int32 from this byte on.
    GlobalTensor<int32_t> At(uint32_t of, uint32_t byte, uint32_t count = 8) const {
        return Gm<int32_t>(windows_[of].data() + byte, count);
    }
    static void Fill(LocalTensor<int32_t> tensor, int32_t value) {
        Duplicate(tensor, value, static_cast<int32_t>(tensor.GetSize()));
        PipeBarrier<PIPE_ALL>();
    }
    // The first value of what lies there.
    int32_t Load(const GlobalTensor<int32_t>& from, CallSite site = CallSite::Here()) {
        DataCopy(seen, from, static_cast<uint32_t>(from.GetSize()), site);
        PipeBarrier<PIPE_ALL>();
        return seen.GetValue(0);
    }
};
// All of a tensor; the barrier is the program's.
inline void Store(const GlobalTensor<int32_t>& to, const LocalTensor<int32_t>& from, CallSite site = CallSite::Here()) {
    DataCopy(to, from, static_cast<uint32_t>(to.GetSize()), site);
}
inline void Drain() { PipeBarrier<PIPE_ALL>(); }

struct Program {
    const char* name;
    const char* rule;
    void (*kernel)(Kernel& k);
    uint32_t ranks = 2;
    uint32_t blocks = 1;
    uint32_t rounds = 1;  // launches of each rank
    const char* check = "races";
    uint32_t absent = UINT32_MAX;  // a rank that launches nothing, but for the twin
    CoreChoice core = CoreChoice::kDefault;
};

// The programs of a file: they are among All() by being defined.
struct Table {
    Table(const char* source, std::initializer_list<Program> programs) {
        for (const Program& program : programs) All().push_back({source, program});
    }
    struct Row {
        const char* source;
        Program program;
    };
    static std::vector<Row>& All() {
        static std::vector<Row> all;
        return all;
    }
};

}  // namespace sfumato::ranks
