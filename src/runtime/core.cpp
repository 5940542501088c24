// SPDX-License-Identifier: Apache-2.0
// Issue, findings and the end of a block.
#include "runtime/core.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "exec/exec.h"
#include "isa/geometry.h"
#include "report/finding.h"
#include "runtime/events.h"
#include "runtime/launch_state.h"
#include "sanitize/fill_pattern.h"
#include "sanitize/race_words.h"

namespace sfumato::runtime {
namespace {

std::string At(const Where& where) { return fmt::format("{}:{}", where.file, where.line); }

// The call's name without its arguments.
std::string NameIn(const CrossCore::Call& call) { return call.name.substr(0, call.name.find('(')); }

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
    // What sets a flag the other way; every event of two pipes has its reverse.
    std::string Back(const isa::Flag& flag) const {
        const EventInfo* back = FindEvent(flag.to, flag.from);
        return tik || !back ? fmt::format("{}('{}', '{}', id)", set, isa::Name(flag.to), isa::Name(flag.from))
                            : fmt::format("{}<HardEvent::{}>", set, back->name);
    }
    const char* same() const { return tik ? "of the same pipes and event_id" : "of the same event and id"; }
};

}  // namespace

constinit thread_local ScalarPort* t_core [[gnu::tls_model("initial-exec")]] = nullptr;

Core::Core(LaunchState* launch, Place place, CoreMemory* memory)
    : launch_(launch),
      place_(std::move(place)),
      memory_(memory),
      pipes_(this, launch->schedule, launch->options.auto_sync, place_.order),
      check_context_{&launch->chip, launch->gm_range.data(), this, launch->options.strict},
      observed_(!launch->observers.empty()) {
    map_.gm = launch->gm_base.data();
    map_.scratch = &memory->scratch();
    map_.base[static_cast<int>(isa::Memory::kRegister)] = vector_registers_.data();
    registers_.control.overflow = launch->overflow;
    memory_->set_owner(place_.name);
    launch_->cores->Watch(place_.order, &records);
    Enter();
    for (trace::Observer* o : launch_->observers) o->BlockBegun(place_);
    for (const auto& detector : launch_->detectors) {
        watching_.push_back(detector->Begin(place_, [this](Report report) {
            if (report.index == 0) report.index = records;
            Find(std::move(report));
        }));
        watches_on_chip_ = watches_on_chip_ || detector->WantsOnChip();
    }
}

Core::~Core() {
    for (trace::Observer* o : launch_->observers) o->BlockEnded(place_);
    launch_->cores->Watch(place_.order, nullptr);
    SetCurrentCore(nullptr);
}

// Not inlined: the thread may be another than before.
[[gnu::noinline]] void Core::Enter() {
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
    map_.base[static_cast<int>(memory)] = base;
    if (memory == isa::Memory::kUb && base && !observed_ && !watches_on_chip_) OpenScalarPort();
    return base;
}

// Stores of other schedules are records for the pipes; a cube core's are reported.
void Core::OpenScalarPort() {
    ub = map_.base[static_cast<int>(isa::Memory::kUb)];
    ub_bytes = memory_->Bytes(isa::Memory::kUb);
    pending = &pipes_.pending();
    stopped_above = &launch_->cores->stopped_above();
    order = place_.order;
    if (launch_->schedule.kind != Schedule::Kind::kEager || place_.kind == isa::CoreKind::kCube) return;
    stores = chip().types[static_cast<size_t>(isa::Api::kAscendC)][static_cast<size_t>(isa::Opcode::scalar_store)];
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
    record.index = Count();
    record.core_kind = place_.kind;
    record.sub_block = static_cast<uint8_t>(place_.sub_block);
    if (record.If<isa::Elementwise>()) record.packed = isa::IsPacked(record);
    if (!CheckRecord(record, check_context_)) return;
    if (observed_ || Watches(record)) [[unlikely]]
        TellIssued(record, in_order);
    if (isa::IsAtomic(record) || record.op == isa::Opcode::ffts_cross_core_sync) ++to_tell_;
    if (pipes_.RunsAtOnce(record)) return ExecuteRecord(record);
    if (in_order) pipes_.DrainConflicting(record);
    pipes_.Push(record);
}

void Core::AwaitTurn() {
    Rest([this] { return launch_->cross_core->AwaitTurn(place_.order); });
    has_turn_ = true;
}

void Core::Drain() {
    pipes_.DrainAll();
    Synced({.kind = sanitize::CrossSync::Kind::kDrained});
}

void Core::Settle() {
    Drain();
    exec::Publish();
}

const char* Core::MeetOthers() {
    CheckCancelled();
    if (!launch_->cores->AllAtOnce()) return "a launch with more blocks than cores: they do not run together";
    CrossCore& cross_core = *launch_->cross_core;
    const uint64_t self = place_.order, counter = MeetingCounter(Meeting::kCores, 0);
    Synced({.kind = sanitize::CrossSync::Kind::kArrived, .counter = counter, .level = launch_->cores->count()});
    const Condition all = cross_core.Arrive(self, counter, launch_->cores->count());
    has_turn_ = false;
    const auto woken = Rest([&] { return cross_core.Await(self, all, {"block_barrier", {}}, {}); });
    cross_core.Forget(self);
    if (woken == Cores::Woken::kNever && launch_->cores->StopsEarly()) Stop();
    if (woken == Cores::Woken::kDone) Synced({.kind = sanitize::CrossSync::Kind::kMet, .counter = counter});
    return woken == Cores::Woken::kDone ? nullptr : "a block that ended without reaching it";
}

void Core::IssueWait(isa::Record& record, const Condition& condition, const Call& call) {
    CheckCancelled();
    record.index = Count();
    record.core_kind = place_.kind;
    record.sub_block = static_cast<uint8_t>(place_.sub_block);
    if (observed_) TellIssued(record, false);
    AwaitCondition(condition, call, launch_->cross_core->FlagSetters(place_.order), {});
    Synced({.kind = sanitize::CrossSync::Kind::kFlagWaited, .record = &record});
    Passed(record);
}

void Core::Await(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                 const std::function<void()>& taken) {
    AwaitCondition(condition, call, setters, taken);
    Synced({.kind = sanitize::CrossSync::Kind::kReached,
            .counter = condition.counter,
            .level = condition.at_least,
            .takes = condition.takes});
}

void Core::AwaitCondition(const Condition& condition, const Call& call, const std::vector<uint64_t>& setters,
                          const std::function<void()>& taken) {
    CheckCancelled();
    CrossCore& cross_core = *launch_->cross_core;
    if (!launch_->cores->AllAtOnce()) BlocksExceedCores(call);
    polling_.Progress();
    // What was issued goes on. As late as possible: only when no other core can.
    const bool late =
        launch_->schedule.kind == Schedule::Kind::kLate || launch_->schedule.kind == Schedule::Kind::kSeed;
    // What the canonical run has before the wait is told before it.
    while ((to_tell_ != 0 || (!late && !cross_core.Holds(condition))) && pipes_.Step()) {
    }
    has_turn_ = false;
    for (;;) {
        const bool can_work = pipes_.CanStep();
        const auto woken =
            Rest([&] { return cross_core.Await(place_.order, condition, call, setters, can_work, taken); });
        if (woken == Cores::Woken::kNever) StandsStill(call, records, cross_core.Explain(place_.order));
        if (woken != Cores::Woken::kWork) return;
        pipes_.Step();
    }
}

void Core::BlocksExceedCores(const Call& call) {
    Report report = ReportOf(Rule::kBlocksExceedCores);
    report.instruction = NameIn(call);
    report.index = records;
    report.operand = "blocks";
    report.message = fmt::format("{}: cores wait for each other, and not all of them run at the same time", call.name);
    const uint64_t at_once = launch_->cores->blocks_at_once();
    report.found =
        fmt::format("{}: {} of them start when others have ended", launch_->blocks, launch_->blocks - at_once);
    report.legal = fmt::format("at most {} on {}", at_once, launch_->chip.product);
    report.hint = "launch no more blocks than the chip has cores, and let each do more";
    report.file = call.where.file;
    report.line = call.where.line;
    Find(std::move(report));
}

void Core::Meet(uint64_t counter, const std::vector<uint64_t>& members, const Call& call) {
    CheckCancelled();
    Settle();
    Synced({.kind = sanitize::CrossSync::Kind::kArrived, .counter = counter, .level = members.size()});
    const Condition all = launch_->cross_core->Arrive(place_.order, counter, members.size());
    if (launch_->schedule.one_core_at_a_time) Rest([this] { return launch_->cores->Yield(place_.order); });
    AwaitCondition(all, call, members, {});
    Synced({.kind = sanitize::CrossSync::Kind::kMet, .counter = counter});
}

void Core::Signal(uint64_t counter, const std::function<void()>& also) {
    CheckCancelled();
    polling_.Progress();
    Synced({.kind = sanitize::CrossSync::Kind::kRaised, .counter = counter});
    launch_->cross_core->Add(place_.order, counter, also);
    MaybeYield();
}

void Core::MaybeYield() {
    if (launch_->cores->Yields()) Rest([this] { return launch_->cores->Yield(place_.order); });
}

void Core::SetCrossFlag(const isa::Record& set) {
    exec::Publish();
    polling_.Progress();
    --to_tell_;
    const auto& flag = set.As<isa::CrossFlag>();
    Synced({.kind = sanitize::CrossSync::Kind::kFlagSet, .record = &set});
    launch_->cross_core->Set(place_.order, flag.mode, flag.id, set.where);
}

void Core::StandsStill(const Call& call, uint64_t index, const CrossCore::Explanation& why) {
    CrossCore& cross_core = *launch_->cross_core;
    // What made it so has its own report: of the launch, or of a core that has stopped.
    if (cross_core.overflowed() || launch_->cores->StopsEarly()) {
        launch_->cores->StopAbove(place_.order);
        Stop();
    }
    Report report = ReportOf(Rule::kDeadlock);
    report.instruction = NameIn(call);
    report.index = index;
    report.message = fmt::format("{}: no core of the launch can go on", call.name);
    report.found = fmt::format("{} waits for ever{}", place_.name, why.found.empty() ? "" : ": " + why.found);
    report.legal = "a call or a store that other cores get to ends every wait";
    report.hint = launch_->cores->AllAtOnce()
                      ? why.hint
                      : fmt::format("launch at most {} blocks: the others start when these have ended",
                                    launch_->cores->blocks_at_once());
    report.file = call.where.file;
    report.line = call.where.line;
    Find(std::move(report));
    cross_core.Forget(place_.order);
}

// A load of up to so many bytes may be a poll; more is data.
constexpr uint64_t kMostPolled = 512;
// Reads that find nothing changed, shared by the cores that poll, before it is certain that nothing will.
constexpr uint64_t kMostPolls = 300'000;

void Core::NotePolling(const isa::Record& record) {
    if (record.operand_count > 0 && record.dst().memory == isa::Memory::kGm) return polling_.Progress();
    if (record.operand_count != 2 || record.operand[1].memory != isa::Memory::kGm) return polling_.Worked();
    if (!polling_.Quiet()) return;
    const isa::Span span = SpanOf(record, 1);
    if (span.end - span.begin > kMostPolled) return polling_.Progress();
    Polled(GmBase(record.operand[1].allocation) + span.begin, span.end - span.begin, false, record.index,
           {isa::CallName(record), record.where});
}

void Core::StalePoll(const Call& call, uint64_t index) {
    Report report = ToReport(sanitize::StalePoll(), call.name, call.where);
    report.index = index;
    Find(std::move(report));
}

// "4 bytes at byte 0 of 'gm' and 4 bytes at byte 128 of 'gm'".
std::string Core::PolledBytes() const {
    constexpr size_t kMostNamed = 3;
    std::vector<Polling::Read> reads = polling_.reads();
    std::sort(reads.begin(), reads.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    std::string text;
    for (size_t i = 0; i < reads.size() && i < kMostNamed; ++i) {
        const int gm = FindGm(reads[i].address);
        text += fmt::format("{}{} bytes", i == 0 ? "" : " and ", reads[i].bytes);
        if (gm < 0) continue;
        const auto allocation = static_cast<uint32_t>(gm);
        text += fmt::format(" at byte {} of '{}'", reads[i].address - GmBase(allocation), Gm(allocation).name);
    }
    if (reads.size() > kMostNamed) text += fmt::format(" and {} other places", reads.size() - kMostNamed);
    return text;
}

void Core::Polled(const uint8_t* address, uint64_t bytes, bool cached, uint64_t index, const Call& call) {
    switch (polling_.Again(address, bytes, cached, call.where)) {
        case Polling::Found::kOther:
            if (polling_.Begins()) poll_index_ = index;
            return;
        case Polling::Found::kChanged: poll_rounds_ = 0; return;
        case Polling::Found::kStale: poll_rounds_ = 0; return StalePoll(call, index);
        case Polling::Found::kUnchanged: break;
    }
    if (polling_.rounds() < poll_rounds_) return;
    CheckCancelled();
    CrossCore& cross_core = *launch_->cross_core;
    const uint64_t most = kMostPolls / std::max<uint64_t>(1, cross_core.live_pollers()) / polling_.reads().size();
    const bool last_time = polling_.rounds() >= most;
    const auto woken = Rest([&] {
        return cross_core.AwaitChange(
            place_.order, [this] { return polling_.Differs(); }, last_time, call);
    });
    // Others may wait for what lies in this core's own queues; the next scalar access runs some of it, unless nothing
    // is pending.
    if (woken == Cores::Woken::kWork && owes_step_) worked_out_ = true;
    owes_step_ = woken == Cores::Woken::kWork && !worked_out_;
    poll_rounds_ = woken == Cores::Woken::kWork && worked_out_ ? most : 0;
    if (woken == Cores::Woken::kDone) {
        worked_out_ = false;
        // The program's read sees the change, and may be its last.
        if (polling_.LastIsStale()) StalePoll(call, index);
        polling_.Changed();
    }
    if (woken == Cores::Woken::kNever) {
        const std::string others = cross_core.Explain(place_.order).found;
        const auto& reads = polling_.reads();
        const auto lowest = std::min_element(reads.begin(), reads.end(),
                                             [](const auto& a, const auto& b) { return a.address < b.address; });
        StandsStill({call.name, lowest->where}, poll_index_,
                    {fmt::format("it reads {} again and again, and nobody changes them{}", PolledBytes(),
                                 others.empty() ? others : "; " + others),
                     "write these bytes on another core, on every path and before that core waits for this one"});
        Stop();  // with faults collected, too: the program would read for ever
    }
}

void Core::TellIssued(const isa::Record& record, bool in_order) {
    for (trace::Observer* o : launch_->observers) o->Issued(place_, record);
    if (!Watches(record)) return;
    for (const auto& watch : watching_) watch->Issued(record, in_order);
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
    for (const auto& watch : watching_) watch->Passed(control);
    if (observed_) TellExecuted(control);
}

void Core::CallBegun(const char* name, Where where) {
    for (trace::Observer* o : launch_->observers) o->CallBegun(place_, name, where);
}

void Core::CallEnded() {
    for (trace::Observer* o : launch_->observers) o->CallEnded(place_);
}

void Core::ExecuteRecord(const isa::Record& record) {
    NotePolling(record);
    if (isa::IsAtomic(record)) [[unlikely]] {
        --to_tell_;
        if (!has_turn_) AwaitTurn();
    }
    if (check::ReadsContents(record)) {
        if (watches_on_chip_) {
            for (const auto& watch : watching_) watch->Choosing(record, map_);
        }
        if (!CheckContents(record, check_context_, map_.base[static_cast<int>(isa::Memory::kUb)])) return;
    }
    if (Watches(record)) {
        for (const auto& watch : watching_) watch->Executing(record, map_);
        Run(record);
        for (const auto& watch : watching_) watch->Executed(record, map_);
    } else {
        Run(record);
    }
    if (observed_) [[unlikely]]
        TellExecuted(record);
}

void Core::Run(const isa::Record& record) {
    if (exec::Execute(record, map_)) NoteSaturation(record);
}

void Core::NoteSaturation(const isa::Record& record) {
    overflowed_ = true;
    for (const auto& watch : watching_) watch->Saturated(record);
    // The check of numbers says it in more detail.
    if (launch_->chip.board_overflow != Overflow::kInfNan || launch_->checks.Has(sanitize::Check::kNumbers)) return;
    if (record.where.file == last_saturation_.file && record.where.line == last_saturation_.line) return;
    last_saturation_ = record.where;
    Report report = ReportOf(Rule::kSaturated);
    report.operand = "dst";
    report.message = fmt::format("{}: a result overflowed and was saturated", isa::CallName(record));
    report.found = "an inf or NaN result under the policy saturate";
    if (const char* source = sanitize::SourceOfFill(record, map_, launch_->options.fill))
        report.found += fmt::format("; {} has elements that hold the fill pattern: nobody wrote them", source);
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
    for (const auto& watch : watching_) watch->Found(record, report);
    report.index = record.index;
    report.instruction = isa::CallName(record);
    report.file = record.where.file;
    report.line = record.where.line;
    Find(std::move(report));
}

void Core::FlagSetTwice(const isa::Record& second, const Where& first, const isa::Record* wait) {
    const FlagWords words(second.api);
    const auto& flag = second.As<isa::Flag>();
    Report report = ReportOf(Rule::kFlagSetTwice);
    report.operand = words.Event(flag.event, flag.id);
    report.message = fmt::format("{}: the flag is already set", words.set);
    report.found = fmt::format("set at {} and not waited for since", At(first));
    if (wait) {
        report.found = fmt::format("set at {}; {} has not come to the {} at {}", At(first), isa::Name(flag.to),
                                   words.wait, At(wait->where));
    }
    report.legal = fmt::format("one {} between two {} {}: a flag is binary", words.wait, words.set, words.same());
    report.hint = fmt::format("add the missing {}, or use another event id", words.wait);
    // The wait is there: what is missing is the way back, by which the setting pipe waits for it.
    if (wait) {
        report.hint = fmt::format(
            "let {} wait for {} before it sets the flag again: {} after that {}, and its {} "
            "before this {}; or alternate between two event ids",
            isa::Name(flag.from), isa::Name(flag.to), words.Back(flag), words.wait, words.wait, words.set);
    }
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
    if (owes_step_) [[unlikely]] {
        owes_step_ = false;
        worked_out_ = !pipes_.Step();
    }
    if (pipes_.Idle()) return;
    pipes_.DrainPipe(isa::Pipe::kS);
    if (launch_->options.auto_sync) pipes_.DrainOverlapping(memory, allocation, bytes, write);
}

const uint8_t* Core::ScalarAccess(isa::Memory memory, uint32_t allocation, isa::Span bytes, bool write,
                                  const char* call, Where where) {
    AwaitScalar(memory, allocation, bytes, write);
    const uint8_t* instead = TellRaw({memory, allocation, bytes, write, call, where, records});
    if (!observed_) return instead;
    for (trace::Observer* o : launch_->observers) {
        if (o->WantsTouches()) o->Touched(place_, nullptr, {memory, allocation, bytes, write});
    }
    return instead;
}

void Core::Cleaned(const void* address) {
    polling_.Cleaned();
    if (watching_.empty()) return;
    pipes_.DrainPipe(isa::Pipe::kS);  // stores before it are in the cache
    const int gm = address ? FindGm(address) : -1;
    if (address && gm < 0) return;
    const auto allocation = static_cast<uint32_t>(gm);
    for (const auto& watch : watching_) {
        if (address) {
            watch->Cleaned(&allocation,
                           static_cast<uint64_t>(static_cast<const uint8_t*>(address) - GmBase(allocation)));
        } else {
            watch->Cleaned(nullptr, 0);
        }
    }
}

const uint8_t* Core::TellRaw(const sanitize::ScalarAccess& access) {
    const uint8_t* instead = nullptr;
    if (!watches_on_chip_ && (access.memory != isa::Memory::kGm || watching_.empty())) return instead;
    for (const auto& watch : watching_) {
        const uint8_t* seen = watch->Scalar(access, map_);
        if (seen) instead = seen;
    }
    return instead;
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
        Drain();
    } catch (const StopCore&) {
        deferred_stop_ = true;
        ub_bytes = 0;  // the next access stops
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
    report.index = records;
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
    report.index = records;
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
        report.index = records;
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
    for (const auto& watch : watching_) watch->Ended();
}

}  // namespace sfumato::runtime
