// SPDX-License-Identifier: Apache-2.0
// What the pipes execute touches nothing (framework.md 2).
#include "isa/parts.h"

namespace sfumato::isa {

// What the pipes execute touches nothing.
Span SpanIn(const Record&, const Flag&, int) { return {}; }

void RunsIn(const Record&, const Flag&, int, const uint8_t*, Runs&) {}

void PrintIn(Out out, const Record&, const Flag& f) {
    fmt::format_to(out, " {}->{} id={}", Name(f.from) + 5, Name(f.to) + 5, f.id);
    if (f.token) fmt::format_to(out, " (queue, token {})", f.token);
}

Span SpanIn(const Record&, const Barrier&, int) { return {}; }

void RunsIn(const Record&, const Barrier&, int, const uint8_t*, Runs&) {}

void PrintIn(Out, const Record&, const Barrier&) {}

Span SpanIn(const Record&, const CrossFlag&, int) { return {}; }

void RunsIn(const Record&, const CrossFlag&, int, const uint8_t*, Runs&) {}

void PrintIn(Out out, const Record& r, const CrossFlag& f) {
    if (r.op == Opcode::ffts_cross_core_sync) fmt::format_to(out, " mode={}", f.mode);
    fmt::format_to(out, " id={}", f.id);
}

}  // namespace sfumato::isa
