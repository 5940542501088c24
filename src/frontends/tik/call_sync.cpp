// SPDX-License-Identifier: Apache-2.0
// Flags and barriers of the pipes to records (tik.md 1.2), for blocks under new_stmt_scope(disable_sync=True).
#include <fmt/format.h>

#include "frontends/tik/calls.h"
#include "runtime/pipes/events.h"

namespace sfumato::tik {
namespace {

using isa::Pipe;
using isa::Record;

// "PIPE_MTE2", or "MTE2".
Pipe PipeOf(const CallValues& v, Param param, bool all) {
    const std::string_view text = v.Text(param, "");
    std::string legal;
    for (int i = 0; i <= static_cast<int>(Pipe::kAll); ++i) {
        const auto pipe = static_cast<Pipe>(i);
        if (pipe == Pipe::kCount || (pipe == Pipe::kAll && !all) || (pipe == Pipe::kS && all)) continue;
        const std::string_view name = isa::Name(pipe);
        if (text == name || text == name.substr(5)) return pipe;
        legal += fmt::format("{}'{}'", legal.empty() ? "" : ", ", name);
    }
    Refuse({Rule::kPipeUnsupported, Name(param), "there is no such pipe", fmt::format("'{}'", text), legal, ""});
}

}  // namespace

void BuildFlag(const CallValues& v, Record* r) {
    const Pipe from = PipeOf(v, Param::pipe, false), to = PipeOf(v, Param::trigger_pipe, false);
    std::string legal;
    for (uint8_t event = 0; event < runtime::kEventCount; ++event) {
        const runtime::EventInfo& info = runtime::Event(event);
        if (info.from == from) legal += fmt::format("{}'{}'", legal.empty() ? "" : ", ", isa::Name(info.to));
        if (info.from != from || info.to != to) continue;
        r->Set(isa::Flag{from, to, event, static_cast<int32_t>(v.Count(Param::event_id, 0)), 0});
        r->pipe = r->op == isa::Opcode::set_flag ? from : to;
        return;
    }
    Refuse({Rule::kEventPair, "trigger_pipe", "no flag joins these pipes",
            fmt::format("{} to {}", isa::Name(from), isa::Name(to)), fmt::format("from {}: {}", isa::Name(from), legal),
            "pipe is the one that sets the flag, trigger_pipe the one that waits"});
}

void BuildPipeBarrier(const CallValues& v, Record* r) { r->pipe = PipeOf(v, Param::pipe, true); }

}  // namespace sfumato::tik
