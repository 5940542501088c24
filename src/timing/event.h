// SPDX-License-Identifier: Apache-2.0
// What the model keeps of a record: its pipe, and what decides how long it takes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "isa/record.h"

namespace sfumato::timing {

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
    Kind kind = Kind::kWork;
    isa::Pipe pipe = isa::Pipe::kS;
    isa::Pipe from = isa::Pipe::kS, to = isa::Pipe::kS;  // of a flag
    isa::Opcode op = isa::Opcode::vadd;
    uint8_t mode = 0;      // kCrossSet
    bool assumed = false;  // no published figure decides the cost
    bool write = false;    // kTransfer: to GM
    bool unit_flag = false;
    bool takes = false;           // kAwait
    bool many_loads = false;      // Load2D, one of the loads that a Load3D can do at once
    bool odd_width = false;       // Fixpipe of rows whose 8 floats at a time are no power of two
    bool long_reduction = false;  // ReduceRepeat of more than 8 repeats
    int32_t flag = 0;             // id, for people
    uint64_t index = 0;
    Where where;
    const char* call = "";
    float head = 0, work = 0, conflict = 0;  // cycles
    float least = 0;                         // kTransfer: cycles the pipe is occupied, at least
    float efficiency = 1;                    // kTransfer: of GM alone (ND2NZ)
    uint32_t allocation = 0, rows = 0;       // kTransfer
    uint64_t offset = 0, row_bytes = 0, pitch = 0;
    uint64_t key = 0;    // kSet, kWait: which flag; kAwait, kRaise: the counter; kCrossSet: the id
    uint64_t count = 1;  // kAwait: at least; kAfter; kWork of V: repeats
    // The record as the log prints it, where the sink wants it.
    std::shared_ptr<const std::string> text;
};

}  // namespace sfumato::timing
