// SPDX-License-Identifier: Apache-2.0
// Flags and barriers (framework.md 2).
#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {

using isa::Record;

namespace {

SFUMATO_COLD bool EventId(const Record& r, const Context& c, int32_t id) {
    return Tell(r, c,
                {Rule::kEventIdRange, Spelling(r, "eventID", "event_id"), "the event id does not exist",
                 fmt::format("event id {}", id), fmt::format("0..{} on {}", c.chip->event_ids - 1, c.chip->name),
                 Spelling(r, "take ids from AllocEventID or FetchEventID", "use a flag again once it was waited for")});
}

}  // namespace

bool Check(const Record& r, const isa::Flag& flag, const Context& c) {
    // A token is a flag the queues insert: it has no id.
    const bool legal = flag.token != 0 || (flag.id >= 0 && static_cast<uint32_t>(flag.id) < c.chip->event_ids);
    return legal || EventId(r, c, flag.id);
}

bool Check(const Record&, const isa::Barrier&, const Context&) { return true; }
bool Check(const Record&, const isa::CrossFlag&, const Context&) { return true; }

}  // namespace sfumato::check
