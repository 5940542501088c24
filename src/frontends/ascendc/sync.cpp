// SPDX-License-Identifier: Apache-2.0
// Flags and barriers to records (framework.md 2.2, 2.3).
#include <fmt/format.h>

#include <utility>

#include "frontends/ascendc/framework.h"
#include "frontends/ascendc/pipe_names.h"

namespace sfumato::ascendc {
namespace {

using isa::Opcode;
using isa::Pipe;

// Pipes of a core kind (framework.md 2.1): a flag on a pipe the core lacks would never be set.
bool HasPipe(const runtime::Core& core, Pipe pipe) {
    switch (core.place().kind) {
        case isa::CoreKind::kVector:
            return pipe == Pipe::kS || pipe == Pipe::kV || pipe == Pipe::kMte2 || pipe == Pipe::kMte3;
        case isa::CoreKind::kCube: return pipe != Pipe::kV;
        case isa::CoreKind::kAiCore:
            if (core.chip().vector_only)
                return pipe == Pipe::kS || pipe == Pipe::kV || pipe == Pipe::kMte2 || pipe == Pipe::kMte3;
            return pipe != Pipe::kFix || core.chip().Bytes(isa::Memory::kFb) != 0;
    }
    return true;
}

const char* PipeHint(const runtime::Core& core, Pipe pipe) {
    switch (core.place().kind) {
        case isa::CoreKind::kCube: return "the pipe belongs to the vector cores: guard the call with ASCEND_IS_AIV";
        case isa::CoreKind::kVector: return "the pipe belongs to the cube cores: guard the call with ASCEND_IS_AIC";
        case isa::CoreKind::kAiCore: break;
    }
    return pipe == Pipe::kFix ? "CO1 to CO2 runs on PIPE_V here: use M_V and V_M" : "";
}

}  // namespace

Pipe ToPipe(::pipe_t pipe) {
    switch (pipe) {
        case PIPE_S: return Pipe::kS;
        case PIPE_V: return Pipe::kV;
        case PIPE_M: return Pipe::kM;
        case PIPE_MTE1: return Pipe::kMte1;
        case PIPE_MTE2: return Pipe::kMte2;
        case PIPE_MTE3: return Pipe::kMte3;
        case PIPE_FIX: return Pipe::kFix;
        case PIPE_ALL: return Pipe::kAll;
        default: return Pipe::kByOperands;
    }
}

const char* PipeName(::pipe_t pipe) {
    constexpr const char* kNames[] = {"PIPE_S",   "PIPE_V",    "PIPE_M",    "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3",
                                      "PIPE_ALL", "PIPE_MTE4", "PIPE_MTE5", "PIPE_V2",   "PIPE_FIX"};
    return static_cast<size_t>(pipe) < std::size(kNames) ? kNames[static_cast<size_t>(pipe)] : "?";
}

bool CheckPipe(runtime::Core& core, Pipe pipe, const char* call, Where where) {
    if (HasPipe(core, pipe)) return true;
    std::string legal;
    for (int p = 0; p < isa::kPipeCount; ++p) {
        if (HasPipe(core, static_cast<Pipe>(p)))
            legal += fmt::format("{}{}", legal.empty() ? "" : ", ", isa::Name(static_cast<Pipe>(p)));
    }
    return Refuse(core, call, where,
                  {Rule::kPipeUnsupported, isa::Name(pipe), fmt::format("this core has no {}", isa::Name(pipe)),
                   fmt::format("{} on core {}", isa::Name(pipe), core.place().name), legal, PipeHint(core, pipe)});
}

namespace {

bool CheckFlag(runtime::Core& core, Opcode op, uint8_t event, int id, const char* call, Where where) {
    const auto& info = runtime::Event(event);
    if (!CheckPipe(core, info.from, call, where) || !CheckPipe(core, info.to, call, where)) return false;
    Framework& framework = Framework::Of(core);
    framework.CheckEventId(event, id, call, where);
    if (op == Opcode::set_flag) framework.statics().FlagSet(event, id, where);
    return true;
}

void IssueFlag(Opcode op, const char* call, uint8_t event, int id, Where where) {
    if (event == kNoEvent) return;
    runtime::Core& core = ThisCore(call);
    if (!CheckFlag(core, op, event, id, call, where)) return;
    if (!std::exchange(Framework::Of(core).flag_by_pipes, false)) NoteUnlisted(core, call, where);
    isa::Record r(op);
    const isa::Flag flag{runtime::Event(event).from, runtime::Event(event).to, event, id, 0};
    r.Set(flag);
    r.pipe = op == Opcode::set_flag ? flag.from : flag.to;
    r.where = where;
    core.Issue(r);
}

}  // namespace

void set_flag(uint8_t event, int id, Where where) { IssueFlag(Opcode::set_flag, "SetFlag", event, id, where); }
void wait_flag(uint8_t event, int id, Where where) { IssueFlag(Opcode::wait_flag, "WaitFlag", event, id, where); }

void pipe_barrier(::pipe_t pipe, Where where) {
    runtime::Core& core = ThisCore("PipeBarrier");
    isa::Record record(Opcode::pipe_barrier);
    record.pipe = ToPipe(pipe);
    record.where = where;
    if (record.pipe == Pipe::kByOperands || record.pipe == Pipe::kS) {
        Find(core, "PipeBarrier", where,
             {Rule::kBarrierPipe, "", "no barrier exists for this pipe", PipeName(pipe),
              "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL", ""});
        return;
    }
    if (record.pipe != Pipe::kAll && !CheckPipe(core, record.pipe, "PipeBarrier", where)) return;
    core.Issue(record);
}

uint8_t EventOf(::pipe_t from, ::pipe_t to, const char* call, Where where) {
    std::string legal;
    for (uint8_t event = 0; event < runtime::kEventCount; ++event) {
        const auto& info = runtime::Event(event);
        if (info.from != ToPipe(from)) continue;
        if (info.to == ToPipe(to)) {
            Framework::Of(ThisCore(call)).flag_by_pipes = true;
            return event;
        }
        legal += fmt::format("{}{}", legal.empty() ? "" : ", ", isa::Name(info.to));
    }
    Find(ThisCore(call), call, where,
         {Rule::kEventPair, "", "no flag joins these two pipes", fmt::format("{} to {}", PipeName(from), PipeName(to)),
          legal.empty() ? fmt::format("no flag starts at {}", PipeName(from))
                        : fmt::format("{} to {}", PipeName(from), legal),
          ""});
    return kNoEvent;
}

}  // namespace sfumato::ascendc
