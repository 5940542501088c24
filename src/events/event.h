// SPDX-License-Identifier: Apache-2.0
// What a core tells while it runs a block, one struct an event. What an event refers to lives as long as the telling.
#pragma once

#include <cstdint>
#include <string_view>

#include "events/place.h"
#include "isa/memory_map.h"
#include "isa/record.h"
#include "sfumato/report.h"

namespace sfumato::events {

// A checked record reached its pipe, in program order. in_order: TIK lets it wait for those before it whose order with
// it decides bytes.
struct Issued {
    const isa::Record& record;
    bool in_order;
};

// The offsets or bits that say what a record reaches are about to be checked.
struct Choosing {
    const isa::Record& record;
    const isa::MemoryMap& memory;
};

// A store of the scalar unit that others see from here on, though it runs later; before: the bits it replaces.
struct Posted {
    const isa::Record& record;
    uint64_t before;
};

// A record that moves or computes is about to run, on memory as it reads it.
struct Executing {
    const isa::Record& record;
    const isa::MemoryMap& memory;
};

// The schedule has run it: memory holds what it wrote. limited: the policy `saturate` changed a result.
struct Executed {
    const isa::Record& record;
    const isa::MemoryMap& memory;
    bool limited = false;
};

// The launch skips data: what the record would write is not there.
struct Skipped {
    const isa::Record& record;
};

// An access of the scalar unit that is no record, at once and in program order.
struct ScalarAccess {
    isa::Memory memory;
    uint32_t allocation;  // GM only
    isa::Span bytes;
    bool write;
    const char* call;  // "GetValue"
    Where where;
    uint64_t index;                   // of the next record
    const uint8_t* before = nullptr;  // what the bytes were, of a write that memory has already
    // A read through a reference comes twice: when the program gets it, and once it has left the element as it was.
    // kPointer: through a pointer of the kernel's own, which waits for nothing.
    enum class Through : uint8_t { kValue, kReference, kLeftAlone, kPointer } through = Through::kValue;

    // Whether it is an instruction's of the scalar unit that the log of a board would have.
    bool IsCall() const { return through == Through::kValue || through == Through::kReference; }
};
struct Accessed {
    const ScalarAccess& access;
    const isa::MemoryMap& memory;
    const uint8_t*& instead;  // the bytes that a load shall see instead of those in memory, or nullptr
};

// A vector function loads these bytes of UB (512 at most): the bits of those that are defined, and whether all are.
struct Loading {
    isa::Span bytes;
    uint64_t* defined;
    bool& all;
};

// A synchronisation: of the pipes of a core, and of cores (framework.md 2.3 to 2.8). What a core learns by one holds
// for everything it issues later.
struct Sync {
    enum class Kind : uint8_t {
        kPassed,      // `record`, a flag that was set or waited for or a barrier, in the order of its pipe
        kFlagSet,     // `record` has set a flag for other cores: what its pipe had before it is done
        kFlagWaited,  // `record` has waited for one
        kRaised,      // `counter` goes up by one, after everything issued
        kWaits,       // `call` is about to wait until `counter` is at `level`; one of those below follows, if it ends
        kReached,     // it was at `level`
        kArrived,     // at a barrier of `level` members, after everything issued: `counter` goes up by one
        kMet,         // all have
        kDrained,     // the core has waited for everything it has issued
        kEnded,       // a vector core has ended: its cube core waits for `counter`, and relies on no more than that
        kCleaned,     // DataCacheCleanAndInvalid of the `line`, or of the whole cache (nullptr)
        kFenced       // DataSyncBarrier
    };
    struct Line {
        uint32_t allocation;
        uint64_t byte;
    };
    // Counters that cores of several ranks raise and reach.
    static constexpr uint64_t kOfWorld = uint64_t{1} << 63;
    Kind kind;
    uint64_t counter = 0, level = 0;
    bool takes = false;  // kWaits, kReached: the core takes the level off the counter
    uint64_t index = 0;  // of the next record
    const isa::Record* record = nullptr;
    const Line* line = nullptr;
    std::string_view call = {};
    Where where = {};
};

// A call of the program. kMade: it is no instruction; kBegun, kEnded: it issues other records, or waits for other
// cores, until it ends; kRange: a range that the program marks begins. Calls and ranges nest.
struct Call {
    enum class Kind : uint8_t { kMade, kBegun, kRange, kEnded } kind;
    std::string_view name = {};
    Where where = {};
};

// What the program says of bytes.
struct Marked {
    enum class As : uint8_t {
        kRenewed,   // on chip: they begin a new life, by `call`, AllocTensor or InitBuffer
        kHeld,      // on chip: an asynchronous call reads them until the core has waited for it
        kReleased,  // it has, for all such calls
        kElements,  // SetGlobalBuffer gave a pointer into the allocation elements of `type`
        kCached,    // SetL2CacheHint of a tensor in the allocation
        kUncached
    };
    As as;
    isa::Memory memory = isa::Memory::kGm;
    uint32_t allocation = 0;  // GM only
    isa::Span bytes = {};
    DataType type = DataType::kUint8;
    const char* call = "";
    Where where = {};
    uint64_t index = 0;  // of the next record
};
// For kRenewed: the source of a high-level call that may overwrite it.
inline constexpr const char* kReusedSource = "isReuseSource";

// A rule the record breaks, or is noted for; not yet executed, unless data decide.
struct Found {
    const isa::Record& record;
    const Report& report;
};

// The kernel has come to its end on this core, which no fault has stopped. Its listeners go in any case.
struct CoreEnded {
    uint64_t index;  // of the next record
};

}  // namespace sfumato::events
