// SPDX-License-Identifier: Apache-2.0
// Stores to memory of other ranks that arrive late, in parts and in another order than they were issued in: what the
// schedules `torn` and `seed` make of them (ranks.md 3.1).
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "isa/record.h"
#include "runtime/cores/schedule.h"
#include "runtime/pipes/pipes.h"

namespace sfumato::runtime {

class Core;

// Of one core. What MTE3 and Fixpipe have stored to shared memory is taken back at once, in parts that arrive whole: of
// one burst, what lies in an aligned block of 512 bytes; of several, 32 bytes. The parts are stored when their pipe is
// drained or the core waits, others running in between. The core itself never sees memory without them. Atomic stores
// arrive at once.
class HeldStores {
public:
    HeldStores(Core& core, const Schedule& schedule);
    // What a core that stopped had issued arrives.
    ~HeldStores();
    HeldStores& operator=(HeldStores&&) = delete;

    // Around the run of a record.
    void Begin(const isa::Record& record);
    void End();
    // Before the core reads or writes these bytes of GM in another way.
    void Touch(uint32_t allocation, isa::Span bytes);
    // A flag was set or waited for, or a barrier passed.
    void Passed(const isa::Record& control);
    // Everything was drained, or the core is about to wait for others.
    void ArriveAll();

private:
    struct Part {
        uint64_t number;  // of its store
        isa::Pipe pipe;
        uint32_t allocation;
        isa::Span bytes;
        size_t at;    // of the bytes to store, in bytes_
        bool joined;  // arrives together with the part before it
    };

    uint8_t* Memory(const Part& part) const;
    void Cut(const isa::Record& record);
    // Those of these pipes that were issued before.
    void Arrive(PipeSet pipes, uint64_t before);
    // Of the parts that are due, the one that comes next; parts_.size(): none is.
    size_t Next(PipeSet pipes, uint64_t before);
    // The part and those joined to it.
    void Store(size_t part);
    void LetOthersRun();

    Core& core_;
    const bool random_order_, yields_at_random_;
    Random random_;
    std::deque<Part> parts_;       // oldest first
    std::vector<uint8_t> bytes_;   // of all of them
    std::vector<Part> new_parts_;  // of the record that runs; bytes_ holds what was there before
    uint64_t stores_ = 0;
    std::unordered_map<uint64_t, uint64_t> sets_;  // flags out of these pipes: stores_ when they were set
    bool arriving_ = false;
};

}  // namespace sfumato::runtime
