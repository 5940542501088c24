// SPDX-License-Identifier: Apache-2.0
// Issue, findings and the end of a block.
#include "runtime/core.h"

#include <fmt/format.h>
#include <pthread.h>

#include <cstring>

#include "exec/exec.h"
#include "report/finding.h"
#include "runtime/events.h"
#include "runtime/launch_state.h"

namespace sfumato::runtime {
namespace {

std::string At(const Where& where) { return fmt::format("{}:{}", where.file, where.line); }

// Flags in the words of the front end that uses them.
struct FlagWords {
    bool tik;
    const char *set, *wait;

    explicit FlagWords(isa::Api api)
        : tik(api == isa::Api::kTik),
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
    const char* same() const { return tik ? "of the same pipes and event_id" : "of the same event and id"; }
};

}  // namespace

constinit thread_local Core* t_core [[gnu::tls_model("initial-exec")]] = nullptr;

Core::Core(LaunchState* launch, Place place, CoreMemory* memory)
    : launch_(launch),
      place_(std::move(place)),
      memory_(memory),
      pipes_(this, launch->schedule, launch->options.auto_sync, place_.order),
      check_context_{&launch->chip, launch->gm_range.data(), this, launch->options.strict},
      observed_(!launch->observers.empty()) {
    map_.gm = launch->gm_base.data();
    map_.base[static_cast<int>(isa::Memory::kRegister)] = vector_registers_.data();
    registers_.control.overflow = launch->overflow;
    memory_->set_owner(place_.name);
    Enter();
    for (trace::Observer* o : launch_->observers) o->BlockBegun(place_);
}

Core::~Core() {
    for (trace::Observer* o : launch_->observers) o->BlockEnded(place_);
    SetCurrentCore(nullptr);
}

void Core::Enter() {
    SetCurrentCore(this);
    pthread_setname_np(pthread_self(), place_.name.substr(0, 15).c_str());
}

template <class Wait>
auto Core::Rest(const Wait& wait) {
    exec::Publish();
    SetCurrentCore(nullptr);
    const auto result = wait();
    Enter();
    CheckCancelled();
    return result;
}

bool Core::launch_auto_sync() const { return launch_->options.auto_sync; }

uint8_t* Core::FillMemory(isa::Memory memory) {
    uint8_t* base = memory_->Base(memory);
    if (base) std::memset(base, launch_->options.fill, memory_->Bytes(memory));
    return map_.base[static_cast<int>(memory)] = base;
}

int Core::FindGm(const void* p) const { return launch_->FindGm(p); }
const check::GmRange& Core::Gm(uint32_t allocation) const { return launch_->gm_range[allocation]; }
uint8_t* Core::GmBase(uint32_t allocation) const { return launch_->gm_base[allocation]; }

void Core::Stop() { throw StopCore{}; }

bool Core::Cancelled() const { return deferred_stop_ || launch_->cores->Stopped(place_.order); }

void Core::CheckCancelled() {
    if (Cancelled()) Stop();
}

void Core::Issue(isa::Record& record, bool in_order) {
    CheckCancelled();
    record.index = next_index_++;
    record.core_kind = place_.kind;
    record.sub_block = static_cast<uint8_t>(place_.sub_block);
    if (!CheckRecord(record, check_context_)) return;
    if (observed_) [[unlikely]]
        TellIssued(record);
    if (pipes_.RunsAtOnce(record)) return ExecuteRecord(record);
    if (in_order) pipes_.DrainConflicting(record);
    pipes_.Push(record);
}

void Core::AwaitTurn() {
    Rest([this] { return launch_->turns->Await(place_.order); });
    has_turn_ = true;
}

void Core::Settle() {
    pipes_.DrainAll();
    exec::Publish();
}

const char* Core::MeetOthers() {
    CheckCancelled();
    if (!launch_->cores->AllAtOnce()) return "a launch with more blocks than cores: they do not run together";
    const bool met = Rest([this] { return launch_->turns->Meet(place_.order); });
    has_turn_ = false;
    return met ? nullptr : "a block that ended without reaching it";
}

void Core::TellIssued(const isa::Record& record) {
    for (trace::Observer* o : launch_->observers) o->Issued(place_, record);
}

void Core::TellExecuted(const isa::Record& record) {
    for (trace::Observer* o : launch_->observers) {
        if (o->WantsTouches()) {
            VisitTouched(record, [&](isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write) {
                o->Touched(place_, &record, {memory, allocation, bytes, write});
            });
        }
        o->Executed(place_, record);
    }
}

void Core::Passed(const isa::Record& control) {
    if (observed_) TellExecuted(control);
}

void Core::CallBegun(const char* name, Where where) {
    for (trace::Observer* o : launch_->observers) o->CallBegun(place_, name, where);
}

void Core::CallEnded() {
    for (trace::Observer* o : launch_->observers) o->CallEnded(place_);
}

void Core::ExecuteRecord(const isa::Record& record) {
    if (isa::IsAtomic(record) && !has_turn_) [[unlikely]]
        AwaitTurn();
    if (check::ReadsContents(record) &&
        !CheckContents(record, check_context_, map_.base[static_cast<int>(isa::Memory::kUb)])) {
        return;
    }
    if (exec::Execute(record, map_)) NoteSaturation(record);
    if (observed_) [[unlikely]]
        TellExecuted(record);
}

void Core::NoteSaturation(const isa::Record& record) {
    overflowed_ = true;
    if (launch_->chip.board_overflow != Overflow::kInfNan) return;
    if (record.where.file == last_saturation_.file && record.where.line == last_saturation_.line) return;
    last_saturation_ = record.where;
    Report report = ReportOf(Rule::kSaturated);
    report.operand = "dst";
    report.message = fmt::format("{}: a result overflowed and was saturated", isa::CallName(record));
    report.found = "an inf or NaN result under the policy saturate";
    report.legal =
        fmt::format("saturate is the documented default; the runtime of {} uses inf and NaN", launch_->chip.name);
    report.hint = record.api == isa::Api::kTik ? "run with overflow=\"board\" to see what the board returns"
                                               : "run with --overflow board to see what the board returns";
    Find(record, std::move(report));
}

bool Core::Find(Report report) {
    if (report.severity == Severity::kWarning && launch_->options.strict) report.severity = Severity::kFault;
    report.chip = launch_->chip.name;
    report.kernel = launch_->options.kernel;
    report.core = place_.name;
    const bool fault = report.severity == Severity::kFault;
    if (seen_.emplace(report.rule, report.file, report.line).second) findings_.push_back(std::move(report));
    if (!fault) return true;
    if (!launch_->options.collect) {
        launch_->cores->StopAbove(place_.order);
        Stop();
    }
    return false;
}

void Core::Find(const isa::Record& record, Report report) {
    report.index = record.index;
    report.instruction = isa::CallName(record);
    report.file = record.where.file;
    report.line = record.where.line;
    Find(std::move(report));
}

void Core::FlagSetTwice(const isa::Record& second, const Where& first) {
    const FlagWords words(second.api);
    Report report = ReportOf(Rule::kFlagSetTwice);
    report.operand = words.Event(second.As<isa::Flag>().event, second.As<isa::Flag>().id);
    report.message = fmt::format("{}: the flag is already set", words.set);
    report.found = fmt::format("set at {} and not waited for since", At(first));
    report.legal = fmt::format("one {} between two {} {}: a flag is binary", words.wait, words.set, words.same());
    report.hint = fmt::format("add the missing {}, or use another event id", words.wait);
    Find(second, std::move(report));
}

void Core::Deadlock(const isa::Record& wait) {
    const FlagWords words(wait.api);
    Report report = ReportOf(Rule::kWaitNeverSatisfied);
    const auto& flag = wait.As<isa::Flag>();
    report.operand = flag.token ? EventName(flag.event) : words.Event(flag.event, flag.id);
    report.message = fmt::format("{}: {} waits for ever", words.wait, isa::Name(flag.to));
    report.found = fmt::format("no {} that {} could still reach", words.Call(flag), isa::Name(flag.from));
    report.legal = fmt::format("every {} has one {} {}", words.wait, words.set, words.same());
    report.hint =
        fmt::format("set the flag on {} after the work {} must wait for", isa::Name(flag.from), isa::Name(flag.to));
    Find(wait, std::move(report));
}

void Core::AwaitScalar(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write) {
    CheckCancelled();
    if (pipes_.Idle()) return;
    pipes_.DrainPipe(isa::Pipe::kS);
    if (launch_->options.auto_sync) pipes_.DrainOverlapping(memory, allocation, bytes, write);
}

void Core::ScalarAccess(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write) {
    AwaitScalar(memory, allocation, bytes, write);
    if (!observed_) return;
    for (trace::Observer* o : launch_->observers) {
        if (o->WantsTouches()) o->Touched(place_, nullptr, {memory, allocation, bytes, write});
    }
}

uint64_t Core::VectorRegister(const isa::VectorRegister& which) {
    CheckCancelled();
    pipes_.DrainOverlapping(isa::Memory::kRegister, 0, which.span(), false);
    uint64_t word = 0;
    std::memcpy(&word, vector_registers_.data() + which.at, sizeof(word));
    return word;
}

void Core::DrainNoThrow() noexcept {
    try {
        pipes_.DrainAll();
    } catch (const StopCore&) {
        deferred_stop_ = true;
    }
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
    Report report = ReportOf(Rule::kTaskTypeUnforeseen);
    report.instruction = "KERNEL_TASK_TYPE";
    report.operand = name;
    report.index = next_index_;
    report.message = "KERNEL_TASK_TYPE: the launch runs on other cores";
    report.found = fmt::format("{} cube and {} vector cores a block, chosen before the declaration was reached",
                               runs.cube, runs.vector);
    report.legal = "one declaration a tiling key, in the function that is launched: it is known before the launch";
    report.hint =
        choice ? fmt::format(
                     "declare it there, or choose the cores: LaunchOptions::core = CoreChoice::{}{}", choice,
                     type == TaskType::kMixAic12 ? "" : fmt::format(", --core {}", ShapeOf(type).cube ? "aic" : "aiv"))
               : "declare it there, and launch the function itself";
    report.file = where.file;
    report.line = where.line;
    Find(std::move(report));
}

void Core::AtomicLeftOn() {
    Report report = ReportOf(Rule::kAtomicLeftOn);
    report.instruction = "SetAtomicNone";
    report.index = next_index_;
    report.message = "SetAtomicNone: the kernel ends in an atomic mode";
    report.found = fmt::format("the mode set at {}", At(registers_.atomic_where));
    report.legal = "SetAtomicNone after the last atomic store: the mode stays on for the next kernel";
    report.hint = "add SetAtomicNone()";
    report.file = registers_.atomic_where.file;
    report.line = registers_.atomic_where.line;
    Find(std::move(report));
}

void Core::Finish() {
    CheckCancelled();
    Drain();
    if (front_end_) front_end_->KernelEnd();
    if (registers_.control.atomic != isa::Atomic::kNone) AtomicLeftOn();
    for (const auto& flag : pipes_.FlagsLeft()) {
        const FlagWords words(flag.api);
        Report report = ReportOf(Rule::kFlagLeftSet);
        report.instruction = words.set;
        report.index = next_index_;
        report.operand = words.Event(flag.event, flag.id);
        report.message = fmt::format("{}: the flag is still set when the kernel ends", words.set);
        report.found = fmt::format("a {} without its {}", words.set, words.wait);
        report.legal = fmt::format("every {} has one {}: a flag left set lets a wait of the next kernel pass",
                                   words.set, words.wait);
        report.hint = fmt::format("add the {}, or remove the {}", words.wait, words.set);
        report.file = flag.where.file;
        report.line = flag.where.line;
        Find(std::move(report));
    }
}

}  // namespace sfumato::runtime
