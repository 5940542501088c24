// SPDX-License-Identifier: Apache-2.0
// The interface of those who watch a launch: the log, timelines, checks. An observer changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/record.h"

namespace sfumato::trace {

// Which core, and which block it runs.
struct Place {
    isa::CoreKind kind;
    uint32_t block;      // raw block number, the same for all cores of a block
    uint32_t sub_block;  // 0, or 0 and 1 for the vector cores of a cube core
    uint32_t ratio;      // vector cores per cube core of this launch
    uint64_t order;      // in the launch; reports are sorted by it
    std::string name;    // "aiv0", "aic3", "aiv2.1", "core5"
};

struct LaunchFacts {
    const std::string& chip;    // the product
    const std::string& kernel;  // "" when unknown
    uint32_t blocks;
    uint64_t cores;  // of all blocks
};

// Bytes of one memory that are read or written, as their hull.
struct Touch {
    isa::Memory memory;
    uint32_t allocation;  // GM only
    isa::Span bytes;
    bool write;
};

// How a core and others wait for each other (framework.md 2.7). What a core learns by it holds for everything it issues
// later.
struct CrossSync {
    enum class Kind : uint8_t {
        kFlagSet,     // `record` has set a flag: what its pipe had before it is done
        kFlagWaited,  // the wait `record` has passed
        kRaised,      // `counter` goes up by one, after everything issued
        kReached,     // it was at `level`, which the core takes off it or not
        kArrived,     // at a barrier of `level` members, after everything issued
        kMet,         // all have
        kDrained      // the core has waited for everything it has issued
    };
    Kind kind;
    uint64_t counter = 0, level = 0;
    bool takes = false;
    uint64_t index = 0;  // of the next record
    const isa::Record* record = nullptr;
};

// Calls about one core come one after another; those about different cores may come at once from several threads, so an
// observer guards what it keeps. It must not throw and must not use the core.
class Observer {
public:
    virtual ~Observer() = default;

    virtual void LaunchBegun(const LaunchFacts&) {}
    virtual void LaunchEnded() {}
    // A core begins and ends a block. A core that is cancelled before it starts does neither.
    virtual void BlockBegun(const Place&) {}
    virtual void BlockEnded(const Place&) {}
    // The record that is issued next waits for those before it whose order with it decides bytes, as TIK synchronises.
    virtual void InOrder(const Place&, const isa::Record&) {}
    // A checked record reached its pipe; and the schedule has executed it, or passed it if it is a flag or barrier.
    virtual void Issued(const Place&, const isa::Record&) {}
    virtual void Executed(const Place&, const isa::Record&) {}
    // False: not called about what is executed, which costs time. Asked once a block.
    virtual bool WantsExecuted() const { return true; }
    // What was touched: by a record, before its Executed; by the scalar unit, where `record` is null.
    virtual bool WantsTouches() const { return false; }
    virtual bool WantsScalarTouches() const { return WantsTouches(); }
    virtual void Touched(const Place&, const isa::Record*, const Touch&) {}
    // `call` waits for other cores; Synced or Executed follows, unless the wait never ends.
    virtual void Waits(const Place&, std::string_view, Where) {}
    virtual void Synced(const Place&, const CrossSync&) {}
    // An access of the scalar unit that is no record, in program order.
    virtual void Accessed(const Place&, isa::Memory, uint32_t /*allocation*/, isa::Span, bool /*write*/) {}
    // How cores wait for each other, by counters that cores raise. Before the wait: that it reaches a number, which is
    // then taken off it or not; after everything the core issued: it goes up by one.
    virtual void Awaits(const Place&, uint64_t /*counter*/, uint64_t /*at_least*/, bool /*takes*/) {}
    virtual void Raises(const Place&, uint64_t /*counter*/) {}
    // SetL2CacheHint of a tensor in this allocation.
    virtual void CacheHint(const Place&, uint32_t /*allocation*/, bool /*cached*/) {}
    // False: the core rests, while others can go on, until it is true again. Asked by any thread, under a lock.
    virtual bool HasRoom(const Place&) const { return true; }
    // A call of the program that issues several records; calls nest.
    virtual void CallBegun(const Place&, const char*, Where) {}
    virtual void CallEnded(const Place&) {}
};

}  // namespace sfumato::trace
