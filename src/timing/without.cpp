// SPDX-License-Identifier: Apache-2.0
#include "timing/without.h"

namespace sfumato::timing {
namespace {

using isa::Pipe;
using Kind = Event::Kind;

// Where data comes from before and goes to behind: a flag to an earlier stage gives a buffer back.
int Stage(Pipe pipe) {
    switch (pipe) {
        case Pipe::kMte2: return 0;
        case Pipe::kMte1: return 1;
        case Pipe::kM: return 2;
        case Pipe::kV: return 3;
        case Pipe::kMte3:
        case Pipe::kFix: return 4;
        case Pipe::kS:
        case Pipe::kCount:
        case Pipe::kAll:
        case Pipe::kByOperands: break;
    }
    return -1;
}

// At issue it is nothing.
void Drop(Event& e) {
    e.kind = Kind::kBarrier;
    e.pipe = Pipe::kS;
}

}  // namespace

bool GivesBack(const Event& e) {
    if (e.kind != Kind::kSet && e.kind != Kind::kWait && e.kind != Kind::kAfter) return false;
    const int from = Stage(e.from), to = Stage(e.to);
    return from > to && to >= 0;
}

bool IsNd2Nz(const Event& e) { return e.kind == Kind::kTransfer && e.nd2nz; }

void Remove(Without without, Event& e) {
    switch (without) {
        case Without::kConflicts:
            if (e.kind == Kind::kWork) e.cost.conflict = 0;
            return;
        case Without::kUnaligned:
            if (e.kind != Kind::kTransfer) return;
            e.copy.offset -= e.copy.offset % kGmLine;
            e.copy.pitch = (e.copy.pitch + kGmLine - 1) / kGmLine * kGmLine;
            return;
        case Without::kSmall:
            if (e.kind != Kind::kTransfer || IsNd2Nz(e)) return;
            e.copy.least = 0;
            e.is_part = e.copy.rows * e.copy.row_bytes < kSmallCopy;
            return;
        case Without::kShortRows:
            if (!IsNd2Nz(e) || e.copy.row_bytes >= kGmLine) return;
            e.copy.least = 0;
            e.copy.efficiency = 1;
            return;
        case Without::kHeads:
            if (e.kind == Kind::kWork && e.pipe == Pipe::kV && e.cost.work < kFewCycles) e.cost.head = 0;
            return;
        case Without::kReduction:
            // Halves are added at a cycle for each repeat.
            if (e.long_reduction) e.cost.work = static_cast<float>(e.cost.repeats);
            return;
        case Without::kLoadHeads:
            if (e.many_loads) e.cost.head = 0;
            return;
        case Without::kBuffers:
            if (GivesBack(e)) Drop(e);
            return;
        case Without::kBarriers:
            if (e.kind == Kind::kBarrierAll) Drop(e);
            return;
        case Without::kScalar:
            if (e.kind == Kind::kScalar || e.kind == Kind::kScalarRead) Drop(e);
            return;
        case Without::kNothing:
        case Without::kSameLines:
        case Without::kRereads:
        case Without::kOnePass:
        case Without::kStarved:
        case Without::kOddWidth:
        case Without::kIssue:
        case Without::kCount: return;
    }
}

void Remove(Without without, soc::TimingConstants& c) {
    if (without == Without::kSameLines) c.gm_same_address = c.l2_shared_panel = 1;
    if (without == Without::kStarved) c.mmad_head_wait = c.mmad_head;
    if (without == Without::kIssue) c.scalar_issue = 0;
}

}  // namespace sfumato::timing
