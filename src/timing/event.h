// SPDX-License-Identifier: Apache-2.0
// What the model keeps of a record: its pipe, and what decides how long it takes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/record.h"

namespace sfumato::timing {

// Of the core's clock since the cores of the launch began.
using Cycles = double;

struct Event {
    enum class Kind : uint8_t {
        kWork,      // occupies its pipe for a time the record alone decides
        kTransfer,  // between GM or L2 and the core: other cores decide, too
        kSet,       // a flag
        kWait,
        kAfter,       // the pipe waits for record `count` of pipe `from`, from 1 on
        kBarrier,     // of one pipe
        kBarrierAll,  // the scalar unit waits for all
        kCrossSet,    // CrossCoreSetFlag, in the queue of its pipe
        kAwait,       // the scalar unit waits for a counter
        kRaise,       // the scalar unit raises one, after all that was issued
        kScalarRead,  // of UB: waits for V
        kScalar,      // other accesses of the scalar unit
        kEnd          // of the block
    };
    // Which part of the union: by kind, see below.
    Kind kind = Kind::kWork;
    isa::Pipe pipe = isa::Pipe::kS;
    isa::Pipe from = isa::Pipe::kS, to = isa::Pipe::kS;  // of a flag
    isa::Opcode op{};
    uint8_t mode = 0;          // kCrossSet
    bool assumed : 1 = false;  // no published figure decides the cost
    bool write : 1 = false;    // kTransfer: to GM
    bool unit_flag : 1 = false;
    bool takes : 1 = false;           // kAwait
    bool many_loads : 1 = false;      // Load2D, one of the loads that a Load3D can do at once
    bool odd_width : 1 = false;       // Fixpipe of rows whose 8 floats at a time are no power of two
    bool long_reduction : 1 = false;  // ReduceRepeat of more than 8 repeats
    bool nd2nz : 1 = false;           // kTransfer
    bool is_part : 1 = false;         // kTransfer: a copy of kSmallCopy bytes has its latency, and this is a part of it
    bool has_text : 1 = false;        // the model keeps it
    int32_t flag = 0;                 // id, for people
    uint32_t scope = 0;               // the call of the program it belongs to, of a timeline
    uint64_t index = 0;
    Where where;
    const char* call = "";
    struct Cost {  // cycles
        float head, work, conflict;
        uint32_t repeats;  // of V
    };
    struct Copy {
        float least;       // cycles the pipe is occupied, at least
        float efficiency;  // of GM alone (ND2NZ)
        uint32_t allocation, rows;
        uint64_t offset, row_bytes, pitch;
    };
    struct Sync {
        uint64_t key;    // kSet, kWait: which flag; kAwait, kRaise: the counter; kCrossSet: the id
        uint64_t count;  // kAwait: at least; kAfter
    };
    union {
        Copy copy{};  // kTransfer
        Cost cost;    // kWork, kScalar, kScalarRead
        Sync sync;    // the others
    };
};
static_assert(std::is_trivially_copyable_v<Event>);

}  // namespace sfumato::timing
