// SPDX-License-Identifier: Apache-2.0
// From the model's slices to those of a timeline that is written.
#include "timing/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sfumato::timing {
namespace {

using Drawn = trace::Slice::Kind;

// Where arrows leave and reach slices, from their ends: more than files round times by (0.1 ns).
Cycles Inside(Cycles begin, Cycles end) { return std::min(0.8, (end - begin) / 2); }

trace::Row RowOf(const Slice& slice) {
    if (slice.kind == SliceKind::kCross) return trace::Row::kFlow;
    if (slice.kind == SliceKind::kBarrier && slice.pipe == isa::Pipe::kS) return trace::Row::kFlow;
    return trace::RowOf(slice.pipe);
}

Drawn KindOf(SliceKind kind) {
    switch (kind) {
        case SliceKind::kRecord:
        case SliceKind::kScalar: return Drawn::kRecord;
        case SliceKind::kBarrier:
        case SliceKind::kCross: return Drawn::kBarrier;
        default: return Drawn::kWait;
    }
}

const char* CauseText(Cause cause) {
    constexpr const char* kTexts[] = {
        "the block began", "it was issued then", "its pipe was busy",     "it waited for a flag",      "a barrier",
        "another core",    "a full queue",       "it waits for a result", "another block had the core"};
    static_assert(std::size(kTexts) == static_cast<size_t>(Cause::kCount));
    return kTexts[static_cast<size_t>(cause)];
}

// "head 22 + work 64 + conflicts 8 cycles; begins when a flag was set".
std::string CostText(const Slice& slice) {
    const CostParts& cost = slice.cost;
    std::string text;
    const auto add = [&](const char* name, Cycles cycles) {
        if (cycles >= 0.05) text += fmt::format("{}{} {:.4g}", text.empty() ? "" : " + ", name, cycles);
    };
    add("head", cost.head);
    add("work", cost.work);
    add("bank conflicts", cost.conflict);
    add("sharing", cost.shared);
    if (!text.empty()) text += " cycles";
    if (cost.latency > 0) text += fmt::format(", seen {:.4g} later", cost.latency);
    if (cost.charged > cost.bytes && cost.bytes > 0)
        text += fmt::format("; costs as {} bytes: short or unaligned rows", cost.charged);
    if (cost.assumed) text += "; assumed";
    return text + fmt::format("{}begins when: {}", text.empty() ? "" : "; ", CauseText(slice.cause));
}

// Of the log's line, what follows the call's name and stands before the source line.
std::string_view Details(std::string_view line) {
    for (int word = 0; word < 3; ++word) {
        line.remove_prefix(std::min(line.size(), line.find(' ')));
        line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    }
    return line.substr(0, line.rfind("  "));
}

}  // namespace

void Drawing::Begun(const TimelineFacts& facts) {
    gbs_ = facts.megahertz / 1000;
    to_->Begun({std::string(facts.chip), std::string(facts.kernel), blocks_, "cycle", 1 / facts.megahertz, true});
}

void Drawing::Core(const trace::Place& place) { to_->Add(place); }

const Drawing::Row::Piece* Drawing::Row::Source(Cycles at) const {
    for (size_t back = 1; back <= std::min(count, kKept); ++back) {
        const Piece& piece = latest[(count - back) % kKept];
        if (piece.begin < at) return &piece;
    }
    return nullptr;
}

const Drawing::Row::Piece* Drawing::Row::Target(Cycles at) const {
    const Piece* found = nullptr;
    for (size_t back = 1; back <= std::min(count, kKept); ++back) {
        const Piece& piece = latest[(count - back) % kKept];
        if (piece.end < at) break;
        if (piece.Takes(at)) found = &piece;
    }
    return found;
}

void Drawing::Point(const Row::Waiting& arrow, uint64_t core, trace::Row row, const Row::Piece& to) {
    const Cycles at = to.waits ? to.end - Inside(to.begin, to.end) / 2 : to.begin;
    to_->Add(trace::Arrow{arrow.from, {core, static_cast<uint32_t>(row), at}, arrow.name});
}

void Drawing::Took(const Slice& s) {
    if (s.end <= s.begin) return;
    const trace::Row at = RowOf(s);
    trace::Slice slice;
    slice.core = s.id.core;
    slice.row = static_cast<uint32_t>(at);
    slice.kind = KindOf(s.kind);
    slice.begin = s.begin;
    slice.end = s.end;
    slice.name = *s.call ? s.call : "end of the block";  // its last wait for all pipes
    slice.where = s.where;
    slice.index = s.id.index == SliceId::kNoRecord ? 0 : s.id.index;
    slice.details = Details(s.text);
    slice.bytes = s.cost.bytes;
    const std::string cost = slice.kind == Drawn::kRecord ? CostText(s) : "";
    slice.note = cost;
    to_->Add(slice);
    Row& row = RowAt(s.id.core, at);
    const Row::Piece piece{s.begin, s.end, slice.kind != Drawn::kRecord};
    row.latest[row.count++ % Row::kKept] = piece;
    std::erase_if(row.into, [&](const Row::Waiting& arrow) {
        if (!piece.Takes(arrow.at)) return false;
        Point(arrow, s.id.core, at, piece);
        return true;
    });
}

void Drawing::Linked(const Arrow& a) {
    const auto from_row = trace::RowOf(a.from_pipe);
    const auto to_row = a.kind == SliceKind::kCross || (a.kind == SliceKind::kBarrier && a.to_pipe == isa::Pipe::kS)
                            ? trace::Row::kFlow
                            : trace::RowOf(a.to_pipe);
    const Row::Piece* source = RowAt(a.from_core, from_row).Source(a.from);
    if (!source) return;  // nothing that could be pointed from
    const trace::Point from{a.from_core, static_cast<uint32_t>(from_row),
                            std::min(a.from, source->end - Inside(source->begin, source->end))};
    std::string name = fmt::format("{} to {}", isa::Name(a.from_pipe), isa::Name(a.to_pipe));
    if (a.kind == SliceKind::kFlag) name += fmt::format(", id {}", a.flag);
    if (a.kind != SliceKind::kFlag) name = a.name;
    Row& row = RowAt(a.to_core, to_row);
    Row::Waiting arrow{from, a.to, std::move(name)};
    if (const Row::Piece* target = row.Target(a.to)) {
        Point(arrow, a.to_core, to_row, *target);
    } else {
        row.into.push_back(std::move(arrow));
    }
}

void Drawing::AdvanceRates(Cycles to) {
    while (to > rates_at_) {
        const Cycles until = std::min(to, stretch_ + Mean::kStretch);
        for (Mean& mean : means_) mean.sum += mean.now * (until - rates_at_);
        rates_at_ = until;
        if (until < stretch_ + Mean::kStretch) return;
        for (Mean& mean : means_) {
            const double value = std::round(mean.sum / Mean::kStretch * gbs_);
            if (value != mean.told) to_->Add(trace::Rate{mean.name, stretch_, value});
            mean.told = value;
            mean.sum = 0;
        }
        stretch_ = until;
    }
}

void Drawing::Flow(const Rates& rates) {
    AdvanceRates(rates.at);
    means_[0].now = rates.gm_read + rates.gm_write;
    means_[1].now = rates.l2;
}

void Drawing::Scope(uint64_t core, const trace::Slice& call) {
    trace::Slice slice = call;
    slice.core = core;
    to_->Add(slice);
}

void Drawing::Ended(Cycles total) { AdvanceRates(total + Mean::kStretch); }

}  // namespace sfumato::timing
