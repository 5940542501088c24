// SPDX-License-Identifier: Apache-2.0
// The words of what a core reports by itself.
#include "runtime/cores/core_reports.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"
#include "runtime/pipes/events.h"

namespace sfumato::runtime {
namespace {

// Flags in the words of the front end that uses them.
struct FlagWords {
    bool setter, tik;
    const char *set, *wait;

    FlagWords(isa::Api api, FlagIdentity identity)
        : setter(identity == FlagIdentity::kSetter),
          tik(api == isa::Api::kTik),
          set(tik ? Info(isa::Opcode::set_flag).tik : Info(isa::Opcode::set_flag).ascendc),
          wait(tik ? Info(isa::Opcode::wait_flag).tik : Info(isa::Opcode::wait_flag).ascendc) {}
    // "MTE2_V id 0", "PIPE_MTE2 to PIPE_V, event_id 0".
    std::string Event(uint8_t event, int id) const {
        const EventInfo& info = runtime::Event(event);
        return tik ? fmt::format("{} to {}, event_id {}", isa::Name(info.from), isa::Name(info.to), id)
                   : fmt::format("{} id {}", info.name, id);
    }
    // The call that sets the flag.
    std::string Call(const isa::Flag& flag) const {
        return tik ? fmt::format("{}('{}', '{}', {})", set, isa::Name(flag.from), isa::Name(flag.to), flag.id)
                   : fmt::format("{}<HardEvent::{}>({})", set, EventName(flag.event), flag.id);
    }
    // What sets a flag the other way; every event of two pipes has its reverse.
    std::string Back(const isa::Flag& flag) const {
        const EventInfo* back = FindEvent(flag.to, flag.from);
        return tik || !back ? fmt::format("{}('{}', '{}', id)", set, isa::Name(flag.to), isa::Name(flag.from))
                            : fmt::format("{}<HardEvent::{}>", set, back->name);
    }
    const char* same() const {
        if (setter) return "of the same setting pipe and id (--flags setter)";
        return tik ? "of the same pipes and event_id" : "of the same event and id";
    }
};

}  // namespace

Report FlagSetTwiceReport(const isa::Record& second, const Where& first, const isa::Record* wait,
                          FlagIdentity identity) {
    const FlagWords words(second.api, identity);
    const auto& flag = second.As<isa::Flag>();
    std::string found = fmt::format("set at {} and not waited for since", At(first));
    std::string hint = fmt::format("add the missing {}, or use another event id", words.wait);
    if (wait) {
        found = fmt::format("set at {}; {} has not come to the {} at {}", At(first), isa::Name(flag.to), words.wait,
                            At(wait->where));
        // The wait is there: what is missing is the way back, by which the setting pipe waits for it.
        hint = fmt::format(
            "let {} wait for {} before it sets the flag again: {} after that {}, and its {} "
            "before this {}; or alternate between two event ids",
            isa::Name(flag.from), isa::Name(flag.to), words.Back(flag), words.wait, words.wait, words.set);
    }
    return ToReport({Rule::kFlagSetTwice, words.Event(flag.event, flag.id), "the flag is already set", std::move(found),
                     fmt::format("one {} between two {} {}: a flag is binary", words.wait, words.set, words.same()),
                     std::move(hint)},
                    words.set, second.where);
}

Report WaitNeverSatisfied(const isa::Record& wait, const FlagBank& flags, FlagIdentity identity) {
    const FlagWords words(wait.api, identity);
    const auto& flag = wait.As<isa::Flag>();
    std::string found = fmt::format("no {} that {} could still reach", words.Call(flag), isa::Name(flag.from));
    if (const FlagBank::State& state = flags.Of(flag);
        words.setter && !flag.token && state.taken.line != 0 && state.taker != flag.event) {
        found += fmt::format("; the one before was taken by the {} of {} at {}", words.wait,
                             words.Event(state.taker, flag.id), At(state.taken));
    }
    return ToReport(
        {Rule::kWaitNeverSatisfied, flag.token ? EventName(flag.event) : words.Event(flag.event, flag.id),
         fmt::format("{} waits for ever", isa::Name(flag.to)), std::move(found),
         fmt::format("every {} has one {} {}", words.wait, words.set, words.same()),
         fmt::format("set the flag on {} after the work {} must wait for", isa::Name(flag.from), isa::Name(flag.to))},
        words.wait, wait.where);
}

void ReportFlagLeftSet(Core& core, const FlagBank::State& flag) {
    const FlagWords words(flag.api, core.launch().options.flags);
    core.findings().AddHere(
        {Rule::kFlagLeftSet, words.Event(flag.event, flag.id), "the flag is still set when the kernel ends",
         fmt::format("a {} without its {}", words.set, words.wait),
         fmt::format("every {} has one {}: a flag left set lets a wait of the next kernel pass", words.set, words.wait),
         fmt::format("add the {}, or remove the {}", words.wait, words.set)},
        words.set, flag.where);
}

void ReportAtomicLeftOn(Core& core) {
    const Where where = core.registers().atomic_where;
    core.findings().AddHere(
        {Rule::kAtomicLeftOn, "", "the kernel ends in an atomic mode", fmt::format("the mode set at {}", At(where)),
         "SetAtomicNone after the last atomic store: the mode stays on for the next kernel", "add SetAtomicNone()"},
        "SetAtomicNone", where);
}

void ReportLoopModeLeft(Core& core, const LoopMode& mode, const char* direction) {
    core.findings().AddHere({Rule::kLoopModeLeft, "type", fmt::format("the kernel ends in loop mode {}", direction),
                             fmt::format("the mode set at {}", At(mode.where)),
                             "ResetLoopModePara behind the last move: the mode stays on for the next kernel",
                             fmt::format("add ResetLoopModePara(DataCopyMVType::{})", direction)},
                            "SetLoopModePara", mode.where);
}

void ReportMaskLeft(Core& core) {
    const Registers& registers = core.registers();
    const bool counter = registers.counter_mode;
    const Where where = counter ? registers.counter_where : registers.mask_where;
    const char* call = counter ? "SetMaskCount" : "SetVectorMask";
    Report report =
        ToReport({Rule::kMaskLeft, "", counter ? "the kernel ends in counter mode" : "the kernel ends with this mask",
                  fmt::format("the {} set at {}", counter ? "mode" : "mask", At(where)),
                  "normal mode and a full mask at the end: the next kernel of the core finds what is left",
                  counter ? "add SetMaskNorm() and ResetMask()" : "add ResetMask()"},
                 call, where);
    // Most calls set a mask of their own.
    if (!counter) report.severity = Severity::kNote;
    report.index = core.next_index();
    core.findings().Add(std::move(report));
}

Report UnsetReport(const soc::Chip& chip, const Registers::UnsetRead& read) {
    const char* what = read.state & kMaskModeState ? "how the mask is read"
                       : read.state & kMaskState   ? "the mask"
                       : read.state & kLoadState   ? "the pad value and boundary of Load3D"
                                                   : "the atomic mode";
    const bool has_call = chip.static_tensors;
    Report report = ToReport(
        {Rule::kSocStateUnset, "", fmt::format("the instruction depends on {}, which the kernel has not set", what),
         has_call ? "neither InitSocState nor a TPipe before it" : "no TPipe before it",
         has_call ? "InitSocState() as the first statement of a kernel without a TPipe" : "a TPipe, which sets it",
         has_call ? "call InitSocState(): a kernel before this one may have left something else"
                  : "declare a TPipe first: a kernel before this one may have left something else"},
        read.call, read.where);
    report.index = read.index;
    return report;
}

void DeclareTaskType(Core& core, TaskType type, const char* name, Where where) {
    core.stopping().IfAsked();
    const LaunchState& launch = core.launch();
    // Declarations for other tiling keys are reached, too.
    if (launch.task_type_declared || ShapeOf(type) == ShapeOf(launch.task_type)) return;
    const Shape runs = ShapeOf(launch.task_type);
    const char* choice = type == TaskType::kMixAic11   ? nullptr
                         : type == TaskType::kMixAic12 ? "kMix"
                         : ShapeOf(type).cube          ? "kCube"
                                                       : "kVector";
    const std::string command =
        type == TaskType::kMixAic12 ? "" : fmt::format(", --core {}", ShapeOf(type).cube ? "aic" : "aiv");
    core.findings().AddHere(
        {Rule::kTaskTypeUnforeseen, name, "the launch runs on other cores",
         fmt::format("{} cube and {} vector cores a block, chosen before the declaration was reached", runs.cube,
                     runs.vector),
         "one declaration a tiling key, in the function that is launched: it is known before the launch",
         choice ? fmt::format("declare it there, or choose the cores: LaunchOptions::core = CoreChoice::{}{}", choice,
                              command)
                : "declare it there, and launch the function itself"},
        "KERNEL_TASK_TYPE", where);
}

void ReportBlocksBeyondCores(Core& core, const CrossCore::Call& call) {
    const LaunchState& launch = core.launch();
    const uint64_t at_once = launch.cores->blocks_at_once();
    core.findings().AddHere(
        {Rule::kBlocksExceedCores, "blocks", "cores wait for each other, and not all of them run at the same time",
         fmt::format("{}: {} of them start when others have ended", launch.blocks, launch.blocks - at_once),
         fmt::format("at most {} on {}", at_once, launch.chip.product),
         "launch no more blocks than the chip has cores, and let each do more"},
        call.name, call.where);
}

Report DeadlockOfCores(Core& core, const CrossCore::Call& call, uint64_t index, const CrossCore::Explanation& why) {
    const Cores& cores = *core.launch().cores;
    const std::string hint =
        cores.AllAtOnce()
            ? why.hint
            : fmt::format("launch at most {} blocks: the others start when these have ended", cores.blocks_at_once());
    Report report =
        ToReport({Rule::kDeadlock, "", "no core of the launch can go on",
                  fmt::format("{} waits for ever{}", core.place().name, why.found.empty() ? "" : ": " + why.found),
                  "a call or a store that other cores get to ends every wait", hint},
                 call.name, call.where);
    report.instruction = call.name.substr(0, call.name.find('('));
    report.index = index;
    return report;
}

}  // namespace sfumato::runtime
