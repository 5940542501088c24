// SPDX-License-Identifier: Apache-2.0
// Bytes on chip that an asynchronous call may still read.
#pragma once

#include <algorithm>
#include <vector>

#include "isa/spans.h"
#include "sanitize/history.h"

namespace sfumato::sanitize {

class HeldBytes {
public:
    bool empty() const { return held_.empty(); }
    void Add(isa::Memory memory, isa::Span bytes, const Access& by) { held_.push_back({memory, bytes, by}); }
    void Clear() { held_.clear(); }
    // A write of them, once for each call: met(call, bytes of both).
    template <class Met>
    void Meet(isa::Memory memory, isa::Span run, const Met& met) {
        std::erase_if(held_, [&](const Held& held) {
            if (held.memory != memory || !held.bytes.Overlaps(run)) return false;
            met(held.by, isa::Span{std::max(held.bytes.begin, run.begin), std::min(held.bytes.end, run.end)});
            return true;
        });
    }

private:
    struct Held {
        isa::Memory memory;
        isa::Span bytes;
        Access by;
    };
    std::vector<Held> held_;
};

}  // namespace sfumato::sanitize
