// SPDX-License-Identifier: Apache-2.0
// Happens-before by its definition: sets of steps.
#include "races_reference.h"

namespace sfumato::sanitize::reference {

using isa::Memory;
using isa::Pipe;
using Kind = Step::Kind;

bool Reaches(const events::Place& from, uint8_t mode, const events::Place& to) {
    switch (mode) {
        case 0: return from.kind == to.kind;
        case 1: return from.kind == to.kind && from.block == to.block;
        default: return from.kind != to.kind && from.block == to.block;
    }
}

Bytes Conflict(const Step& a, const Step& b, Memory memory, uint32_t allocation) {
    Bytes both;
    if (memory != Memory::kGm && a.core != b.core) return both;
    for (const Touch& x : a.touches) {
        if (x.memory != memory || x.allocation != allocation) continue;
        for (const Touch& y : b.touches) {
            if (y.memory != memory || y.allocation != allocation) continue;
            if (x.way == Way::kRead && y.way == Way::kRead) continue;
            if (x.way == Way::kAtomic && y.way == Way::kAtomic) continue;
            both |= x.bytes & y.bytes;
        }
    }
    return both;
}

bool Conflict(const Step& a, const Step& b) {
    for (const Touch& x : a.touches) {
        if (Conflict(a, b, x.memory, x.allocation).any()) return true;
    }
    return false;
}

Reference::Reference(const Program& program)
    : program_(program),
      ran_(program.steps.size()),
      at_issue_(program.steps.size()),
      after_(program.steps.size()),
      scalar_(program.cores.size()) {}

Reference::Done Reference::UpTo(size_t step) const {
    Done done;
    for (size_t i = 0; i <= step; ++i) {
        if (program_.steps[i].core != program_.steps[step].core || program_.steps[i].pipe != program_.steps[step].pipe)
            continue;
        done.Add(i);
        done.Add(ran_[i]);
    }
    return done;
}

Reference::Done Reference::AllOf(uint32_t core) const {
    Done done;
    for (size_t i = 0; i < program_.steps.size(); ++i) {
        if (program_.steps[i].core != core || !issued_[i]) continue;
        done.Add(i);
        done.Add(ran_[i]);
    }
    return done;
}

Reference::Done Reference::KnownTo(size_t step) {
    const Step& s = program_.steps[step];
    if (s.pipe == Pipe::kS) return scalar_[s.core];
    Done known = at_issue_[step];
    for (const auto& [from, done] : pipes_[{s.core, s.pipe}]) {
        if (from <= step) known.Add(done);
    }
    return known;
}

void Reference::Learns(size_t step, const Done& done) {
    const Step& s = program_.steps[step];
    if (s.pipe == Pipe::kS) return scalar_[s.core].Add(done);
    pipes_[{s.core, s.pipe}].emplace_back(step, done);
}

// What the compiler or TIK keeps in order (framework.md 2.5).
bool Reference::Inserts(const Step& earlier, const Step& later) const {
    if (program_.in_order && later.kind == Kind::kRecord) return true;
    if (!program_.auto_sync || program_.cores[later.core].kind == isa::CoreKind::kCube) return false;
    if (earlier.pipe == Pipe::kV && later.pipe == Pipe::kV) return true;
    const auto element = [](const Step& s) {
        return s.kind == Kind::kScalar && (s.touches[0].memory != Memory::kGm || s.touches[0].way == Way::kRead);
    };
    const auto side = [](const Step& s) {
        return s.pipe == Pipe::kV || s.pipe == Pipe::kMte2 || s.pipe == Pipe::kMte3;
    };
    return (element(earlier) && side(later)) || (element(later) && side(earlier));
}

// Where others race for the bytes of two steps of one core, the checks may not see that these two meet.
bool Reference::IsCertain(size_t earlier, size_t later) const {
    const Step &e = program_.steps[earlier], &l = program_.steps[later];
    for (const Touch& touch : l.touches) {
        Bytes both = Conflict(e, l, touch.memory, touch.allocation);
        bool after = false;  // the earlier one, as a record may be that it has overtaken
        for (const size_t other : order_) {
            const Step& o = program_.steps[other];
            after = after || other == earlier;
            if (other == earlier || (!after && Before(other, earlier))) continue;
            for (const Touch& t : o.touches) {
                const bool shared = t.memory == Memory::kGm || o.core == e.core;
                if (shared && t.memory == touch.memory && t.allocation == touch.allocation && t.way != Way::kRead)
                    both &= ~t.bytes;
            }
        }
        if (both.any()) return true;
    }
    return false;
}

void Reference::Issued(size_t step) {
    issued_.set(step);
    at_issue_[step] = scalar_[program_.steps[step].core];
}

void Reference::Arrived(size_t step) {
    const Step& s = program_.steps[step];
    const Done all = AllOf(s.core);
    scalar_[s.core].Add(all);
    meetings_[{s.counter, arrived_[{s.counter, s.core}]++}].Add(all);
}

void Reference::Ran(size_t step) {
    const Step& s = program_.steps[step];
    Done& ran = ran_[step];
    ran.Add(KnownTo(step));
    switch (s.kind) {
        case Kind::kRecord:
        case Kind::kScalar:
            // The scalar unit is in order with itself; a pipe is not.
            if (s.pipe == Pipe::kS) {
                ran.Add(UpTo(step));
                ran.rules.reset(step), ran.told.reset(step);
            }
            for (const size_t earlier : order_) {
                const Step& e = program_.steps[earlier];
                if (e.core != s.core || !e.IsAccess() || !Inserts(e, s) || !Conflict(e, s)) continue;
                Done done = UpTo(earlier);
                if (!IsCertain(earlier, step)) done.rules.reset();
                ran.Add(done);
                Learns(step, done);
            }
            break;
        case Kind::kSet: after_[step] = UpTo(step); break;
        case Kind::kWait: Learns(step, after_[s.other]); break;
        case Kind::kBarrier: Learns(step, UpTo(step)); break;
        case Kind::kAll: scalar_[s.core].Add(AllOf(s.core)); break;
        case Kind::kCrossSet:
            after_[step] = UpTo(step);
            sets_[{s.core, s.id}].push_back(step);
            break;
        case Kind::kCrossWait: {
            const size_t before = waits_[{s.core, s.id}]++;
            for (uint32_t from = 0; from < program_.cores.size(); ++from) {
                if (Reaches(program_.cores[from], s.mode, program_.cores[s.core]))
                    scalar_[s.core].Add(after_[sets_[{from, s.id}][before]]);
            }
            break;
        }
        case Kind::kRaise:
            after_[step] = AllOf(s.core);
            scalar_[s.core].Add(after_[step]);
            counters_[s.counter].push_back(step);
            break;
        case Kind::kReach:
            scalar_[s.core].Add(AllOf(s.core));
            scalar_[s.core].Add(after_[counters_[s.counter][reached_[s.counter]++]]);
            break;
        case Kind::kMeet: scalar_[s.core].Add(meetings_[{s.counter, arrived_[{s.counter, s.core}] - 1}]); break;
    }
    order_.push_back(step);
}

void Reference::Told(size_t earlier, size_t later) {
    Done done = UpTo(earlier);
    done.rules.reset();
    ran_[later].Add(done);
    Learns(later, done);
}

}  // namespace sfumato::sanitize::reference
