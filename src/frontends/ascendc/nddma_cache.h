// SPDX-License-Identifier: Apache-2.0
// The read cache of NDDMA, which holds no bytes here: what would be stale in it (arch950.md 1.3).
#pragma once

#include <deque>
#include <vector>

#include "isa/record.h"
#include "runtime/cores/core.h"

namespace sfumato::ascendc {

// What NDDMA of a core has read of global memory since NdDmaDci, and what the core has written of that since.
class NdDmaCache {
public:
    explicit NdDmaCache(runtime::Core& core) : core_(core) {}

    // A record is about to be issued. Warns where NDDMA reads bytes again that another pipe has written since.
    void Issuing(const isa::Record& record);
    void Drop() { reads_.clear(); }

private:
    struct Read {
        isa::Record record;
        isa::Span hull;
        std::vector<isa::Span> written;
        const char* call = nullptr;  // that wrote last
        Where where;
    };
    // A cache is small: older reads are forgotten.
    static constexpr size_t kMostReads = 256;

    void Look(const isa::Record& record);
    void Note(const isa::Record& store);

    runtime::Core& core_;
    std::deque<Read> reads_;
};

}  // namespace sfumato::ascendc
