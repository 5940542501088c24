// SPDX-License-Identifier: Apache-2.0
// The rules every record must keep (vector.md): types, alignment, ranges, mask, overlap. Runs at issue, before anything
// is written.
#pragma once

#include <cstdint>
#include <string>

#include "isa/record.h"
#include "report/finding.h"
#include "soc/chip.h"

namespace sfumato::check {

// Receives findings. A fault must not return: the sink throws, or marks the record refused and returns.
class Sink {
public:
    virtual ~Sink() = default;
    // Fills chip, kernel, core, index, instruction, file and line from the record; the checker gives the rest.
    virtual void Find(const isa::Record& record, Report report) = 0;
};

// What a GM allocation looks like to the checker.
struct GmRange {
    uint64_t bytes;
    const char* name;
    uint64_t padding = 0;    // the rest of the block of 32 bytes in which it ends
    bool has_owner = false;  // it is a part of an array that goes on behind it
    bool constant = false;   // nobody may write it
    bool window = false;     // of a rank, where other ranks may touch it, too
};

struct Context {
    const soc::Chip* chip;
    const GmRange* gm;  // by allocation index
    Sink* sink;
    bool strict = false;       // warnings count as faults
    bool listed_call = false;  // records are steps of a high-level call that pages list for the chip
};

// Bytes behind the end of a window, from its first byte on.
Finding PastWindow(std::string operand, const GmRange& window, isa::Span bytes, bool write);
// unlisted-on-chip: what is found of a call.
Finding UnlistedOn(const soc::Chip& chip, std::string found);

// True: execute it. False: the record was refused (a fault was found and the sink collected it) or does nothing
// (repeat 0, block count 0: a note was given).
bool CheckRecord(const isa::Record& record, const Context& context);

// True when rules of the record concern bytes of UB as they stand when it executes: offsets, the bits that choose, or
// the range of a function.
inline bool ReadsContents(const isa::Record& record) {
    switch (record.form()) {
        case isa::Form::kGather:
        case isa::Form::kGatherBlocks:
        case isa::Form::kScatter:
        case isa::Form::kInterpolate: return true;
        case isa::Form::kGatherMask: return record.operand_count == 3;
        default: return isa::Has(record.op, isa::kHighLevel);
    }
}
// Those rules, for a record that CheckRecord let pass; `ub` is the first byte of UB. As CheckRecord.
bool CheckContents(const isa::Record& record, const Context& context, const uint8_t* ub);

}  // namespace sfumato::check
