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
    explicit Polls(Core& core) : core_(core) {}

    // Something others may see, or that shows that the core computes.
    void Progress() { polling_.Progress(); }
    // A record is about to run.
    void NoteRecord(const isa::Record& record);
    // A scalar read of global memory; Cleaned: DataCacheCleanAndInvalid.
    void Reads(const uint8_t* address, uint64_t bytes, const char* call, Where where) {
        if (polling_.Quiet()) [[unlikely]]
            Polled(address, bytes, true, call, where, NextIndex());
    }
    void Cleaned() { polling_.Cleaned(); }
    // A poll found that no core can go on: what lies in this core's own queues runs, a record for each access.
    void StepIfOwed() {
        if (owes_step_) [[unlikely]]
            Step();
    }

private:
    uint64_t NextIndex() const;
    // cached: by the scalar unit. index: of the instruction that reads.
    void Polled(const uint8_t* address, uint64_t bytes, bool cached, const char* call, Where where, uint64_t index);
    void Step();
    void Stale(const char* call, Where where, uint64_t index);
    // "4 bytes at byte 0 of 'gm' and 4 bytes at byte 128 of 'gm'".
    std::string BytesText() const;

    Core& core_;
    Polling polling_;
    uint64_t first_index_ = 0;  // of the poll's first read
    bool owes_step_ = false;
    bool worked_out_ = false;  // nothing of this core's queues can run
    uint64_t rounds_ = 0;      // unchanged ones, before the core rests again
};

}  // namespace sfumato::runtime
