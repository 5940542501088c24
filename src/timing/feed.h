// SPDX-License-Identifier: Apache-2.0
// What a core has told the model of time.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "events/conflict.h"
#include "isa/record.h"
#include "timing/event_queue.h"
#include "timing/price_memo.h"
#include "trace/call_scopes.h"
#include "events/listener.h"

namespace sfumato::timing {

// Which records a record waits for where the compiler synchronises by operands, as TIK does: the latest of each other
// pipe that writes what it touches, or touches what it writes.
class OperandOrder {
public:
    // For each pipe the number of its record, from 1 on, that `record` waits for; 0: none. Then it counts as issued.
    using Waits = std::array<uint64_t, isa::kPipeCount>;
    Waits Issue(const isa::Record& record);

private:
    struct Touched {
        events::Access access;
        uint64_t number;
    };
    // Older ones are over by then: a queue has 32 places.
    static constexpr size_t kRemembered = 96;
    struct Recent {
        std::vector<Touched> touched;  // a ring
        size_t next = 0;
        uint64_t count = 0;  // records of the pipe
    };
    std::array<Recent, isa::kPipeCount> recent_;
};

// What a core has told, and the model has not used yet.
struct Feed {
    events::Place place;
    std::vector<Event> fresh;     // the core's own
    size_t enough = 0;            // of them, to offer them
    EventQueue stream;            // under the model's lock
    std::atomic<size_t> held{0};  // in the stream
    std::atomic<bool> resting{false};
    std::vector<std::pair<uint64_t, std::string>> fresh_texts;  // of events, by their index
    std::unordered_map<uint64_t, std::string> texts;            // under the model's lock
    uint64_t index = 0;                                         // of the next record
    double scalar = 0;                                          // cycles of accesses that are to be one event
    bool scalar_reads = false;
    std::vector<uint64_t> cache;  // lines of the data cache
    OperandOrder order;
    PriceMemo prices;
    std::optional<trace::CallScopes> scopes;  // of a timeline, under the model's lock
    bool begun = false, starving = false;
};

}  // namespace sfumato::timing
