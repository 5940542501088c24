// SPDX-License-Identifier: Apache-2.0
// Programs of records for one core or several, and a slow judge of their races: the set of all steps that are done
// before each step, and all accesses of every byte.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "isa/record.h"
#include "events/listener.h"

namespace sfumato::sanitize::reference {

constexpr size_t kMostSteps = 128;
constexpr uint64_t kWindow = 1024, kWindowBegin = 512;  // the bytes of each memory that programs touch: of two roots
using Steps = std::bitset<kMostSteps>;
using Bytes = std::bitset<kWindow>;

enum class Way : uint8_t { kRead, kWrite, kAtomic };

struct Touch {
    isa::Memory memory;
    uint32_t allocation;
    Way way;
    Bytes bytes;
};

struct Step {
    enum class Kind : uint8_t {
        kRecord,     // moves or computes
        kScalar,     // GetValue, SetValue: at once
        kSet,        // SetFlag, EnQue
        kWait,       // of the flag that `other` sets
        kBarrier,    // of a pipe
        kAll,        // PipeBarrier<PIPE_ALL>
        kCrossSet,   // CrossCoreSetFlag
        kCrossWait,  // CrossCoreWaitFlag
        kRaise,      // IBSet: `other` counts it
        kReach,      // IBWait
        kMeet        // SyncAll: arrives, then goes on when all have
    };
    Kind kind = Kind::kRecord;
    uint32_t core = 0;
    isa::Pipe pipe = isa::Pipe::kS;
    isa::Record record;
    std::vector<Touch> touches;
    size_t other = 0;      // kWait: its set
    uint32_t group = 0;    // steps that need each other; 0: none
    uint64_t counter = 0;  // kRaise, kReach, kMeet
    uint8_t mode = 0, id = 0;

    bool IsAccess() const { return kind == Kind::kRecord || kind == Kind::kScalar; }
};

struct Program {
    std::vector<events::Place> cores;
    std::vector<Step> steps;  // of all cores; each core's in its order; a wait behind what ends it
    bool auto_sync = false, in_order = false;
    bool on_chip = true;  // races inside a core are looked for, too
};

// Random, but the same for a seed.
Program RandomProgram(uint64_t seed);
// Without one step, and without what needs it.
Program Without(const Program& program, size_t step);
std::string Print(const Step& step);

// Whether setting a flag of this mode on one core counts for the waits of another (framework.md 2.7).
bool Reaches(const events::Place& from, uint8_t mode, const events::Place& to);

// Bytes of a memory that two steps touch, of which at least one writes; two atomic stores are no conflict.
Bytes Conflict(const Step& a, const Step& b, isa::Memory memory, uint32_t allocation);
bool Conflict(const Step& a, const Step& b);

// Which steps are done before a step starts (framework.md 2.3 to 2.7). Steps come in the order in which they run.
class Reference {
public:
    explicit Reference(const Program& program);

    // The scalar unit has issued a step to its pipe, or runs it itself.
    void Issued(size_t step);
    void Ran(size_t step);
    // SyncAll: the core has come; it has run when it goes on.
    void Arrived(size_t step);
    // A report: its two accesses count as ordered from here on.
    void Told(size_t earlier, size_t later);

    // By the rules alone; and where what was told counts as ordered, too.
    bool Before(size_t earlier, size_t later) const { return ran_[later].rules[earlier]; }
    bool BeforeOrTold(size_t earlier, size_t later) const { return ran_[later].told[earlier]; }
    const std::vector<size_t>& order() const { return order_; }

private:
    struct Done {
        Steps rules, told;
        void Add(const Done& o) { rules |= o.rules, told |= o.told; }
        void Add(size_t step) { rules.set(step), told.set(step); }
    };
    // The steps of a pipe up to one in program order, and what was done before them.
    Done UpTo(size_t step) const;
    // Everything a core has issued.
    Done AllOf(uint32_t core) const;
    // What a step may rely on when it starts; and what it and all behind it on its pipe may, from now on.
    Done KnownTo(size_t step);
    void Learns(size_t step, const Done& done);
    bool Inserts(const Step& earlier, const Step& later) const;
    bool IsCertain(size_t earlier, size_t later) const;

    const Program& program_;
    std::vector<Done> ran_, at_issue_, after_;  // of each step; after_: of those that others wait for
    Steps issued_;
    std::vector<Done> scalar_;  // of each core: what its scalar unit has waited for
    // What waits and barriers of a pipe hold it back for, from a step on.
    std::map<std::pair<uint32_t, isa::Pipe>, std::vector<std::pair<size_t, Done>>> pipes_;
    std::map<std::pair<uint32_t, uint8_t>, size_t> waits_;  // of a core, for a flag between cores
    std::map<std::pair<uint32_t, uint8_t>, std::vector<size_t>> sets_;
    std::map<uint64_t, std::vector<size_t>> counters_;
    std::map<uint64_t, size_t> reached_;
    std::map<std::pair<uint64_t, uint32_t>, size_t> arrived_;
    std::map<std::pair<uint64_t, size_t>, Done> meetings_;  // of a counter, the n-th
    std::vector<size_t> order_;
};

}  // namespace sfumato::sanitize::reference
