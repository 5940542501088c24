// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "timing/event_queue.h"
#include "timing/operand_order.h"
#include "timing/price_memo.h"
#include "trace/call_scopes.h"
#include "trace/observer.h"

namespace sfumato::timing {

// What a core has told, and the model has not used yet.
struct Feed {
    trace::Place place;
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
    bool in_order = false;        // the next record waits for its operands
    OperandOrder order;
    PriceMemo prices;
    std::optional<trace::CallScopes> scopes;  // of a timeline, under the model's lock
    bool begun = false, starving = false;
};

}  // namespace sfumato::timing
