// SPDX-License-Identifier: Apache-2.0
// The order of a run, the calls that a launch makes of its detectors, and the comparison.
#include "races_run.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "sanitize/races.h"

namespace sfumato::sanitize::reference {
namespace {

using isa::Memory;
using isa::Pipe;
using Kind = Step::Kind;

constexpr uint64_t kBytes = kWindowBegin + kWindow + 512;  // of an allocation
constexpr const char* kFile = "kernel.cpp";

const soc::Chip& ChipWithoutCaches() {
    static const soc::Chip chip = [] {
        soc::Chip made = soc::FindChip("Ascend910B1");
        made.clean_cache = false;
        return made;
    }();
    return chip;
}

class Run {
public:
    Run(const Program& program, Order order, uint64_t seed)
        : program_(program),
          order_(order),
          random_(seed),
          reference_(program),
          launch_{ChipWithoutCaches(),
                  Checks::Parse(program.on_chip ? "races" : "default"),
                  program.auto_sync,
                  FlagIdentity::kEvent,
                  program.cores.size(),
                  0,
                  0,
                  Severity::kNote,
                  {},
                  [](uint64_t core) { return "core" + std::to_string(core); },
                  {}},
          cores_(program.cores.size()),
          pair_told_(program.steps.size()) {
        for (auto& content : content_) content.resize(kBytes);
        for (size_t i = 0; i < 2; ++i) {
            gm_[i] = content_[i].data();
            launch_.gm.push_back({gm_[i], kBytes, "gm" + std::to_string(i), GmRole::kWorkspace, true, {}});
        }
        memory_.gm = gm_;
        memory_.base[static_cast<size_t>(Memory::kUb)] = content_[2].data();
        memory_.base[static_cast<size_t>(Memory::kL1)] = content_[3].data();
        races_.emplace(launch_);
        for (size_t i = 0; i < cores_.size(); ++i) {
            // Flags that are set again too early are no accesses.
            cores_[i].told = std::make_unique<events::Told>();
            const auto tell = [this](Report report) {
                if (report.rule != "flag-set-twice") told_.push_back(report);
            };
            cores_[i].told->Add(races_->Begin(program.cores[i], tell), races_->WantsOnChip());
        }
        for (size_t i = 0; i < program.steps.size(); ++i) cores_[program.steps[i].core].steps.push_back(i);
    }

    std::string Judge(Counts* counts) {
        size_t left = program_.steps.size();
        for (size_t idle = 0; left > 0 && wrong_.empty();) {
            Core& core = cores_[random_() % cores_.size()];
            const size_t ran = reference_.order().size();
            const bool moved = order_ == Order::kProgram ? (RunNext(core) || Issue(core))
                               : random_() % 2           ? Issue(core)
                                                         : RunPipe(core, random_() % isa::kPipeCount);
            left -= reference_.order().size() - ran;
            idle = moved ? 0 : idle + 1;
            if (idle > 100'000) return "the program stands still";
        }
        if (wrong_.empty()) Compare(counts);
        return wrong_;
    }

private:
    struct Core {
        std::vector<size_t> steps;
        size_t next = 0;       // of them, that is issued next
        uint64_t records = 0;  // issued
        bool arrived = false;
        std::array<std::vector<size_t>, isa::kPipeCount> queue;
        std::unique_ptr<events::Told> told;

        bool Idle() const {
            return std::all_of(queue.begin(), queue.end(), [](const auto& q) { return q.empty(); });
        }
    };
    using FlagName = std::array<uint64_t, 4>;
    FlagName NameOf(const Step& s) const {
        const auto& flag = s.record.As<isa::Flag>();
        if (flag.token) return {s.core, 1, flag.token, 0};
        return {s.core, 0, flag.event, static_cast<uint64_t>(flag.id)};
    }
    Where WhereOf(size_t step) const { return {kFile, static_cast<uint32_t>(step + 1)}; }
    isa::Record RecordOf(size_t step) const {
        isa::Record record = program_.steps[step].record;
        if (record.pipe != Pipe::kAll) record.pipe = program_.steps[step].pipe;
        record.where = WhereOf(step);
        record.core_kind = program_.cores[program_.steps[step].core].kind;
        record.index = index_.at(step);
        return record;
    }

    // The front of the queue that was issued first.
    bool RunNext(Core& core) {
        std::vector<size_t> pipes;
        for (size_t p = 0; p < core.queue.size(); ++p) {
            if (!core.queue[p].empty()) pipes.push_back(p);
        }
        std::sort(pipes.begin(), pipes.end(), [&](size_t a, size_t b) { return core.queue[a][0] < core.queue[b][0]; });
        return std::any_of(pipes.begin(), pipes.end(), [&](size_t pipe) { return RunPipe(core, pipe); });
    }

    bool Issue(Core& core) {
        if (core.next == core.steps.size()) return false;
        const size_t step = core.steps[core.next];
        const Step& s = program_.steps[step];
        if (s.pipe == Pipe::kS) {
            if (!RunScalar(core, step)) return false;
        } else {
            if (program_.in_order && !core.Idle()) return false;
            index_[step] = core.records++;
            Tell(core, events::Issued{RecordOf(step), program_.in_order});
            reference_.Issued(step);
            core.queue[static_cast<size_t>(s.pipe)].push_back(step);
        }
        ++core.next;
        return true;
    }

    // True when the scalar unit has done its step.
    bool RunScalar(Core& core, size_t step) {
        const Step& s = program_.steps[step];
        if (!CanRun(core, s)) return false;
        if (!core.arrived) reference_.Issued(step);
        const bool counts =
            s.kind == Kind::kSet || s.kind == Kind::kWait || s.kind == Kind::kAll || s.kind == Kind::kCrossWait;
        if (counts) {
            index_[step] = core.records++;
            if (s.kind != Kind::kCrossWait) Tell(core, events::Issued{RecordOf(step), false});
        }
        using Sync = events::Sync::Kind;
        const auto synced = [&](Sync kind, uint64_t level = 0) {
            (*core.told)(events::Sync{kind, s.counter, level, kind == Sync::kReached, core.records});
        };
        switch (s.kind) {
            case Kind::kScalar: {
                reference_.Ran(step);
                const Touch& touch = s.touches[0];
                uint64_t begin = 0;
                while (!touch.bytes[begin]) ++begin;
                const isa::Span bytes{kWindowBegin + begin, kWindowBegin + begin + touch.bytes.count()};
                const events::ScalarAccess access{touch.memory,
                                                  touch.allocation,
                                                  bytes,
                                                  touch.way == Way::kWrite,
                                                  touch.way == Way::kWrite ? "SetValue" : "GetValue",
                                                  WhereOf(step),
                                                  core.records};
                const uint8_t* instead = nullptr;
                (*core.told)(events::Accessed{access, memory_, instead}, touch.memory != Memory::kGm);
                Accessed(step);
                return true;
            }
            case Kind::kRaise:
                synced(Sync::kDrained);
                ++raised_[s.counter];
                synced(Sync::kRaised);
                break;
            case Kind::kReach:
                synced(Sync::kDrained);
                --raised_[s.counter];
                synced(Sync::kReached, 1);
                break;
            case Kind::kMeet:
                if (!core.arrived) {
                    synced(Sync::kDrained);
                    synced(Sync::kArrived, cores_.size());
                    reference_.Arrived(step);
                    meeting_[&core] = ++met_[s.counter];
                    core.arrived = true;
                    return false;
                }
                core.arrived = false;
                synced(Sync::kMet);
                break;
            default: Pass(core, step); return true;
        }
        reference_.Ran(step);
        return true;
    }

    // Whether what the step waits for has happened.
    bool CanRun(const Core& core, const Step& s) {
        switch (s.kind) {
            case Kind::kSet: return !flags_[NameOf(s)];
            case Kind::kWait: return flags_[NameOf(s)];
            case Kind::kCrossWait: {
                const uint64_t waits = waited_[{s.core, s.id}];
                for (uint32_t from = 0; from < cores_.size(); ++from) {
                    if (Reaches(program_.cores[from], s.mode, program_.cores[s.core]) && sets_[{from, s.id}] <= waits)
                        return false;
                }
                return true;
            }
            case Kind::kAll:
            case Kind::kRaise: return core.Idle();
            case Kind::kReach: return core.Idle() && raised_[s.counter] > 0;
            case Kind::kMeet: {
                if (!core.arrived) return core.Idle();
                const uint64_t members = cores_.size();
                return met_[s.counter] >= (meeting_[&core] + members - 1) / members * members;
            }
            case Kind::kScalar:
                // An element waits for what is pending on its bytes.
                for (const auto& queue : core.queue) {
                    for (const size_t other : queue) {
                        if (program_.auto_sync && Conflict(program_.steps[other], s)) return false;
                    }
                }
                return true;
            default: return true;
        }
    }

    bool RunPipe(Core& core, size_t pipe) {
        auto& queue = core.queue[pipe];
        if (queue.empty()) return false;
        const size_t at = order_ == Order::kOvertaking ? Overtaking(queue, static_cast<Pipe>(pipe)) : 0;
        const size_t step = queue[at];
        const Step& s = program_.steps[step];
        if (!CanRun(core, s)) return false;
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(at));
        if (s.kind != Kind::kRecord) return Pass(core, step), true;
        reference_.Ran(step);
        const isa::Record record = RecordOf(step);
        Tell(core, events::Executing{record, memory_});
        Tell(core, events::Executed{record, memory_});
        Accessed(step);
        return true;
    }

    // As cores do (runtime/cores/core.h).
    template <class Event>
    static void Tell(const Core& core, const Event& event) {
        (*core.told)(event, isa::StaysInside(event.record));
    }

    // A record that may run before those in front of it: they move or compute, too, or set flags.
    size_t Overtaking(const std::vector<size_t>& queue, Pipe pipe) {
        if (pipe == Pipe::kV && program_.auto_sync) return 0;
        std::vector<size_t> candidates;
        for (size_t i = 0; i < queue.size(); ++i) {
            const Step& s = program_.steps[queue[i]];
            if (s.kind == Kind::kRecord && !isa::IsAtomic(s.record))
                candidates.push_back(i);
            else if (i == 0 || (s.kind != Kind::kSet && s.kind != Kind::kCrossSet))
                break;
        }
        return candidates.empty() ? 0 : candidates[random_() % candidates.size()];
    }

    // A flag or barrier.
    void Pass(Core& core, size_t step) {
        const Step& s = program_.steps[step];
        const isa::Record record = RecordOf(step);
        events::Sync sync{events::Sync::Kind::kFlagSet, 0, 0, false, core.records, &record};
        if (s.kind == Kind::kSet || s.kind == Kind::kWait) flags_[NameOf(s)] = s.kind == Kind::kSet;
        if (s.kind == Kind::kCrossSet) {
            ++sets_[{s.core, s.id}];
            (*core.told)(sync);
        }
        if (s.kind == Kind::kCrossWait) {
            ++waited_[{s.core, s.id}];
            sync.kind = events::Sync::Kind::kFlagWaited;
            (*core.told)(sync);
        }
        (*core.told)(events::Sync{events::Sync::Kind::kPassed, 0, 0, false, core.records, &record});
        reference_.Ran(step);
    }

    struct Pair {
        size_t first, second;
        Bytes bytes;
        Memory memory;
        uint32_t allocation;
    };

    static Bytes Range(uint64_t begin, uint64_t last) {
        Bytes bytes;
        for (uint64_t i = begin; i <= last; ++i) {
            if (i >= kWindowBegin && i < kWindowBegin + kWindow) bytes.set(i - kWindowBegin);
        }
        return bytes;
    }

    // The pair of a report; `second` is the line at fault.
    Pair PairOf(const Report& report) {
        Pair pair{report.related[0].line - size_t{1}, report.line - size_t{1}, {}, Memory::kGm, 0};
        unsigned long long begin = 0, last = 0;
        unsigned allocation = 0;
        const size_t at = report.found.find("bytes ");
        const int found =
            std::sscanf(report.found.c_str() + at, "bytes %llu to %llu of 'gm%u'", &begin, &last, &allocation);
        if (found == 2) pair.memory = report.operand == "UB" ? Memory::kUb : Memory::kL1;
        pair.allocation = allocation;
        pair.bytes = Range(begin, last);
        return pair;
    }

    void Wrong(const std::string& what, size_t earlier, size_t later) {
        if (!wrong_.empty()) return;
        wrong_ = what + ": steps " + std::to_string(earlier) + " and " + std::to_string(later);
    }

    void Check(const Pair& pair) {
        const Bytes conflict =
            Conflict(program_.steps[pair.first], program_.steps[pair.second], pair.memory, pair.allocation);
        if (pair.bytes.none() || (pair.bytes & ~conflict).any())
            Wrong("told of bytes that are no conflict", pair.first, pair.second);
    }

    // After a step has run: what was told of it, and whether that is all.
    void Accessed(size_t later) {
        const Step& l = program_.steps[later];
        for (const Report& report : told_) {
            Pair pair = PairOf(report);
            // Steps of a core are numbered in the order of the program, whatever ran first.
            if (report.rule == "race" && pair.first > pair.second)
                Wrong("told against the order of the program", pair.first, pair.second);
            if (pair.first == later) std::swap(pair.first, pair.second);
            if (pair.second != later) Wrong("told of another step", pair.first, pair.second);
            Check(pair);
            if (reference_.Before(pair.first, later)) Wrong("told, and is ordered", pair.first, later);
            reference_.Told(pair.first, later);
            pair_told_[later].set(pair.first);
        }
        told_count_ += told_.size();
        told_.clear();
        if (order_ == Order::kOvertaking || !program_.on_chip) return;
        for (const size_t earlier : reference_.order()) {
            const Step& e = program_.steps[earlier];
            if (earlier == later || e.core != l.core || !e.IsAccess()) continue;
            if (reference_.BeforeOrTold(earlier, later)) continue;
            for (const Touch& touch : l.touches) {
                if (touch.memory == Memory::kGm && cores_.size() > 1) continue;
                if (Conflict(e, l, touch.memory, touch.allocation).any()) Wrong("a race is not told", earlier, later);
            }
        }
    }

    // Of the whole launch.
    void Compare(Counts* counts) {
        std::array<Bytes, 2> told;
        const auto add = [&](size_t a, size_t b) {
            for (uint32_t gm = 0; gm < 2; ++gm)
                told[gm] |= Conflict(program_.steps[a], program_.steps[b], Memory::kGm, gm);
        };
        std::vector<size_t> place(program_.steps.size());
        const auto& order = reference_.order();
        for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
        for (const Report& report : races_->Finish(true)) {
            Pair pair = PairOf(report);
            if (place[pair.first] > place[pair.second]) std::swap(pair.first, pair.second);
            Check(pair);
            if (program_.steps[pair.first].core == program_.steps[pair.second].core ||
                reference_.Before(pair.first, pair.second))
                Wrong("told, and is ordered", pair.first, pair.second);
            add(pair.first, pair.second);
            ++told_count_;
        }
        for (size_t later = 0; later < program_.steps.size(); ++later) {
            for (size_t earlier = 0; earlier < program_.steps.size(); ++earlier) {
                if (pair_told_[later][earlier]) add(earlier, later);
            }
        }
        // What pipes of one core race for is told where that is looked for; elsewhere nothing is said of these bytes.
        for (size_t i = 0; i < order.size() && !program_.on_chip; ++i) {
            for (size_t j = 0; j < i; ++j) {
                const bool one_core = program_.steps[order[j]].core == program_.steps[order[i]].core;
                if (one_core && !reference_.Before(order[j], order[i])) add(order[j], order[i]);
            }
        }
        for (size_t i = 0; i < order.size(); ++i) {
            const Step& l = program_.steps[order[i]];
            if (!l.IsAccess()) continue;
            ++counts->accesses;
            for (size_t j = 0; j < i; ++j) {
                const Step& e = program_.steps[order[j]];
                if (!e.IsAccess() || (!program_.on_chip && e.core == l.core)) continue;
                for (uint32_t gm = 0; gm < 2; ++gm) {
                    const Bytes conflict = Conflict(e, l, Memory::kGm, gm);
                    if (conflict.none()) continue;
                    const bool before = reference_.BeforeOrTold(order[j], order[i]);
                    ++(before ? counts->ordered : counts->raced);
                    if (!before && order_ != Order::kOvertaking && (conflict & ~told[gm]).any())
                        Wrong("a race between cores is not told", order[j], order[i]);
                }
                if (program_.on_chip && !reference_.BeforeOrTold(order[j], order[i]) && told_count_ == 0 &&
                    Conflict(e, l))
                    Wrong("no race at all is told", order[j], order[i]);
            }
        }
        ++counts->programs;
        counts->records += order.size();
        counts->told += told_count_;
    }

    const Program& program_;
    const Order order_;
    std::mt19937_64 random_;
    Reference reference_;
    LaunchView launch_;
    std::array<std::vector<uint8_t>, 4> content_;  // of global memory, UB and L1: nothing computes
    uint8_t* gm_[2];
    isa::MemoryMap memory_;
    std::optional<Races> races_;
    std::vector<Core> cores_;
    std::map<size_t, uint64_t> index_;
    std::map<FlagName, bool> flags_;
    std::map<std::pair<uint32_t, uint8_t>, uint64_t> sets_, waited_;
    std::map<uint64_t, uint64_t> raised_, met_;
    std::map<const Core*, uint64_t> meeting_;
    std::vector<Report> told_;
    std::vector<Steps> pair_told_;
    uint64_t told_count_ = 0;
    std::string wrong_;
};

}  // namespace

std::string Judge(const Program& program, Order order, uint64_t seed, Counts* counts) {
    return Run(program, order, seed).Judge(counts);
}

}  // namespace sfumato::sanitize::reference
