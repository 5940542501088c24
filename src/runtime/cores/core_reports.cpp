// SPDX-License-Identifier: Apache-2.0
// What a core reports by itself: flags, deadlocks, task types, modes left on.
#include <fmt/format.h>

#include <utility>

#include "report/finding.h"
#include "runtime/cores/core.h"
#include "runtime/launch/launch_state.h"
#include "runtime/pipes/events.h"

namespace sfumato::runtime {
namespace {

// The call's name without its arguments.
std::string_view NameIn(std::string_view call) { return call.substr(0, call.find('(')); }

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

void Core::FindHere(Finding finding, std::string_view call, Where where) {
    Report report = ToReport(std::move(finding), call, where);
    report.instruction = NameIn(call);
    report.index = records;
    Find(std::move(report));
}

bool Core::FollowsUnitFlags(const isa::Record& record) {
    auto wrong = unit_flags_.Follow(record);
    return !wrong || Tell(record, ToReport(std::move(*wrong), isa::CallName(record), record.where));
}

void Core::NoteSaturation(const isa::Record& record, const isa::MemoryMap& map) {
    overflowed_ = true;
    for (const auto& watch : watching_) watch->Saturated(record);
    if (!limited_) return;
    if (auto report = limited_->Look(record, map)) Find(record, std::move(*report));
}

void Core::BlocksExceedCores(const Call& call) {
    const uint64_t at_once = launch_->cores->blocks_at_once();
    FindHere({Rule::kBlocksExceedCores, "blocks", "cores wait for each other, and not all of them run at the same time",
              fmt::format("{}: {} of them start when others have ended", launch_->blocks, launch_->blocks - at_once),
              fmt::format("at most {} on {}", at_once, launch_->chip.product),
              "launch no more blocks than the chip has cores, and let each do more"},
             call.name, call.where);
}

void Core::StandsStill(const Call& call, uint64_t index, const CrossCore::Explanation& why) {
    CrossCore& cross_core = *launch_->cross_core;
    // What made it so has its own report: of the launch, or of a core that has stopped.
    if (cross_core.overflowed() || launch_->cores->StopsEarly()) {
        launch_->cores->StopAbove(place_.order);
        Stop();
    }
    const std::string hint = launch_->cores->AllAtOnce()
                                 ? why.hint
                                 : fmt::format("launch at most {} blocks: the others start when these have ended",
                                               launch_->cores->blocks_at_once());
    Report report =
        ToReport({Rule::kDeadlock, "", "no core of the launch can go on",
                  fmt::format("{} waits for ever{}", place_.name, why.found.empty() ? "" : ": " + why.found),
                  "a call or a store that other cores get to ends every wait", hint},
                 call.name, call.where);
    report.instruction = NameIn(call.name);
    report.index = index;
    Find(std::move(report));
    cross_core.Forget(place_.order);
}

void Core::FlagSetTwice(const isa::Record& second, const Where& first, const isa::Record* wait) {
    const FlagWords words(second.api, launch_->options.flags);
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
    Find(second,
         ToReport({Rule::kFlagSetTwice, words.Event(flag.event, flag.id), "the flag is already set", std::move(found),
                   fmt::format("one {} between two {} {}: a flag is binary", words.wait, words.set, words.same()),
                   std::move(hint)},
                  words.set, second.where));
}

void Core::Deadlock(const isa::Record& wait) {
    const FlagWords words(wait.api, launch_->options.flags);
    const auto& flag = wait.As<isa::Flag>();
    std::string found = fmt::format("no {} that {} could still reach", words.Call(flag), isa::Name(flag.from));
    if (const FlagBank::State& state = pipes_.flags().Of(flag);
        words.setter && !flag.token && state.taken.line != 0 && state.taker != flag.event) {
        found += fmt::format("; the one before was taken by the {} of {} at {}", words.wait,
                             words.Event(state.taker, flag.id), At(state.taken));
    }
    Find(wait,
         ToReport({Rule::kWaitNeverSatisfied, flag.token ? EventName(flag.event) : words.Event(flag.event, flag.id),
                   fmt::format("{} waits for ever", isa::Name(flag.to)), std::move(found),
                   fmt::format("every {} has one {} {}", words.wait, words.set, words.same()),
                   fmt::format("set the flag on {} after the work {} must wait for", isa::Name(flag.from),
                               isa::Name(flag.to))},
                  words.wait, wait.where));
}

void Core::FlagLeftSet(const FlagBank::State& flag) {
    const FlagWords words(flag.api, launch_->options.flags);
    FindHere(
        {Rule::kFlagLeftSet, words.Event(flag.event, flag.id), "the flag is still set when the kernel ends",
         fmt::format("a {} without its {}", words.set, words.wait),
         fmt::format("every {} has one {}: a flag left set lets a wait of the next kernel pass", words.set, words.wait),
         fmt::format("add the {}, or remove the {}", words.wait, words.set)},
        words.set, flag.where);
}

void Core::DeclareTaskType(TaskType type, const char* name, Where where) {
    CheckCancelled();
    // Declarations for other tiling keys are reached, too.
    if (launch_->task_type_declared || ShapeOf(type) == ShapeOf(launch_->task_type)) return;
    const Shape runs = ShapeOf(launch_->task_type);
    const char* choice = type == TaskType::kMixAic11   ? nullptr
                         : type == TaskType::kMixAic12 ? "kMix"
                         : ShapeOf(type).cube          ? "kCube"
                                                       : "kVector";
    const std::string command =
        type == TaskType::kMixAic12 ? "" : fmt::format(", --core {}", ShapeOf(type).cube ? "aic" : "aiv");
    FindHere({Rule::kTaskTypeUnforeseen, name, "the launch runs on other cores",
              fmt::format("{} cube and {} vector cores a block, chosen before the declaration was reached", runs.cube,
                          runs.vector),
              "one declaration a tiling key, in the function that is launched: it is known before the launch",
              choice ? fmt::format("declare it there, or choose the cores: LaunchOptions::core = CoreChoice::{}{}",
                                   choice, command)
                     : "declare it there, and launch the function itself"},
             "KERNEL_TASK_TYPE", where);
}

void Core::MaskLeft() {
    const bool counter = registers_.counter_mode;
    const Where where = counter ? registers_.counter_where : registers_.mask_where;
    const char* call = counter ? "SetMaskCount" : "SetVectorMask";
    Report report =
        ToReport({Rule::kMaskLeft, "", counter ? "the kernel ends in counter mode" : "the kernel ends with this mask",
                  fmt::format("the {} set at {}", counter ? "mode" : "mask", At(where)),
                  "normal mode and a full mask at the end: the next kernel of the core finds what is left",
                  counter ? "add SetMaskNorm() and ResetMask()" : "add ResetMask()"},
                 call, where);
    // Most calls set a mask of their own.
    if (!counter) report.severity = Severity::kNote;
    report.index = records;
    Find(std::move(report));
}

void Core::LookAtUnset(const isa::Record& record) {
    uint8_t reads = std::exchange(registers_.unset_reads, uint8_t{0});
    if (record.api == isa::Api::kTik) reads = registers_.unset = 0;
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm && record.op != isa::Opcode::scalar_store)
        reads |= kAtomicState;
    if (record.form() == isa::Form::kLoad3Dv1 || record.form() == isa::Form::kLoad3Dv2) reads |= kLoadState;
    reads &= registers_.unset;
    if (reads == 0) return;
    registers_.unset = 0;  // told once
    unset_read_ = {reads, isa::CallName(record), record.where, record.index};
    if (launch_->options.dirty_state) Find(UnsetReport(unset_read_));
}

Report Core::UnsetReport(const UnsetRead& read) const {
    const char* what = read.state & kMaskModeState ? "how the mask is read"
                       : read.state & kMaskState   ? "the mask"
                       : read.state & kLoadState   ? "the pad value and boundary of Load3D"
                                                   : "the atomic mode";
    const bool has_call = launch_->chip.static_tensors;
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

void Registers::Begin(bool split_cores) {
    unset = unset_reads = 0;
    control.atomic = isa::Atomic::kNone;
    atomic_where = {};
    if (!split_cores) return;
    mask = {~0ull, ~0ull};
    counter_mode = mask_counts = false;
    counter_where = mask_where = {};
    load_pad = load_boundary = 0;
}

void Registers::BeginUnset(bool split_cores, bool dirty) {
    unset = split_cores ? kAtomicState | kMaskModeState | kMaskState | kLoadState : kAtomicState;
    if (!dirty) return;
    control.atomic = isa::Atomic::kAdd;
    control.atomic_type = DataType::kFloat;
    if (!split_cores) return;
    counter_mode = true;
    mask = {1, 0};
    load_pad = 7;
}

void Core::AtomicLeftOn() {
    FindHere(
        {Rule::kAtomicLeftOn, "", "the kernel ends in an atomic mode",
         fmt::format("the mode set at {}", At(registers_.atomic_where)),
         "SetAtomicNone after the last atomic store: the mode stays on for the next kernel", "add SetAtomicNone()"},
        "SetAtomicNone", registers_.atomic_where);
}

}  // namespace sfumato::runtime
