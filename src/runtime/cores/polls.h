// SPDX-License-Identifier: Apache-2.0
// A core that reads global memory again and again rests until it changes, or is told that it never will.
#pragma once

#include <string>

#include "isa/record.h"
#include "runtime/cores/polling.h"

namespace sfumato::runtime {

class Core;

class Polls {
public:
    explicit Polls(Core& core);

    // Something others may see, or that shows that the core computes.
    void Progress() { polling_.Progress(); }
    // A record is about to run.
    void NoteRecord(const isa::Record& record);
    // A scalar read of global memory; Cleaned: DataCacheCleanAndInvalid of the line of this byte, or of all (null).
    void Reads(const uint8_t* address, uint64_t bytes, const char* call, Where where) {
        NoteAccess();
        if (polling_.Quiet()) [[unlikely]]
            Polled(address, bytes, true, call, where, NextIndex());
        line_.address = nullptr;
    }
    void Cleaned(const uint8_t* line) { polling_.Cleaned(line); }
    // The same of a line that other ranks may store to. What the program reads there through a pointer of its own is
    // not seen, so that a line that it cleans without a read that is seen counts as read.
    void CleanedShared(const uint8_t* line, const char* call, Where where);
    // The core is about to wait.
    void Rests() { accesses_left_ = most_accesses_; }
    // A poll found that no core can go on: what lies in this core's own queues runs, a record for each access.
    void StepIfOwed() {
        if (owes_step_) [[unlikely]]
            Step();
    }

private:
    uint64_t NextIndex() const;
    // A load of a few bytes each of several places, as of flags of all ranks, which lie far apart. False: it is none.
    bool PolledApart(const isa::Record& record);
    // A core that has accessed GM for long without a wait goes behind the others: it may wait for what one of them
    // does, in a way that is not recognised.
    void NoteAccess() {
        if (--accesses_left_ == 0) [[unlikely]]
            GoBehind();
    }
    void GoBehind();
    // cached: by the scalar unit. index: of the instruction that reads.
    void Polled(const uint8_t* address, uint64_t bytes, bool cached, const char* call, Where where, uint64_t index);
    void Step();
    void Stale(const char* call, Where where, uint64_t index);
    // "4 bytes at byte 0 of 'gm' and 4 bytes at byte 128 of 'gm'".
    std::string BytesText() const;
    // Of bytes that several ranks may touch: what lies there, and who stored it.
    std::string InWindow(const Polling::Read& read) const;

    Core& core_;
    Polling polling_;
    uint64_t first_index_ = 0;  // of the poll's first read
    bool owes_step_ = false;
    bool worked_out_ = false;  // nothing of this core's queues can run
    const uint64_t most_accesses_;
    uint64_t accesses_left_;
    struct {
        const uint8_t* address = nullptr;
        Where where;
    } line_;               // cleaned, and nothing has been read there since that is seen
    uint64_t rounds_ = 0;  // unchanged ones, before the core rests again
};

}  // namespace sfumato::runtime
