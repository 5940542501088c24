// SPDX-License-Identifier: Apache-2.0
// From the model's slices to those of a timeline that is written.
#include "timing/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "timing/without.h"

namespace sfumato::timing {
namespace {

// Where arrows leave and reach slices, from their ends: more than files round times by (0.1 ns).
Cycles Inside(Cycles begin, Cycles end) { return std::min(0.8, (end - begin) / 2); }

const char* CauseText(Cause cause) {
    constexpr const char* kTexts[] = {"the block began", "it was issued then", "its pipe was busy",
                                      "it waited for a flag", "a barrier"};
    static_assert(std::size(kTexts) == static_cast<size_t>(Cause::kCount));
    return kTexts[static_cast<size_t>(cause)];
}

// "head 22 + work 64 + conflicts 8 cycles; begins when a flag was set".
std::string CostText(const CostParts& cost, Cause cause) {
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
    return text + fmt::format("{}begins when: {}", text.empty() ? "" : "; ", CauseText(cause));
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

void Drawing::Begun(const events::LaunchFacts& facts, double megahertz) {
    gbs_ = megahertz / 1000;
    to_->Begun({std::string(facts.chip), std::string(facts.kernel), facts.blocks, "cycle", 1 / megahertz, true});
}

void Drawing::Core(const events::Place& place) {
    cores_[place.name] = place.order;
    to_->Add(place);
}

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

void Drawing::Point(const Row::Waiting& arrow, uint64_t core, uint32_t row, const Row::Piece& to) {
    const Cycles at = to.waits ? to.end - Inside(to.begin, to.end) / 2 : to.begin;
    to_->Add(trace::Arrow{arrow.from, {core, row, at}, arrow.name});
}

void Drawing::Add(const trace::Slice& slice) {
    to_->Add(slice);
    ++slices_;
    Cycles& done = done_[slice.core];
    done = std::max(done, slice.end);
}

uint32_t Drawing::Worked(trace::Slice slice, const CostParts& cost, Cause cause) {
    if (slice.end <= slice.begin) return 0;
    const std::string note = CostText(cost, cause);
    slice.details = Details(slice.details);
    slice.bytes = cost.bytes;
    slice.note = note;
    slice.causes = cost.causes | (cause == Cause::kIssue ? BitOf(Without::kIssue) : 0);
    Took(slice);
    return slices_;
}

void Drawing::Took(const trace::Slice& slice) {
    if (slice.end <= slice.begin) return;
    Add(slice);
    Row& row = RowAt(slice.core, slice.row);
    const Row::Piece piece{slice.begin, slice.end, slice.kind != trace::Slice::Kind::kRecord};
    row.latest[row.count++ % Row::kKept] = piece;
    std::erase_if(row.into, [&](const Row::Waiting& arrow) {
        if (!piece.Takes(arrow.at)) return false;
        Point(arrow, slice.core, slice.row, piece);
        return true;
    });
}

void Drawing::Linked(const trace::Arrow& a) {
    const Row::Piece* source = RowAt(a.from.core, a.from.row).Source(a.from.at);
    if (!source) return;  // nothing that could be pointed from
    const trace::Point from{a.from.core, a.from.row,
                            std::min(a.from.at, source->end - Inside(source->begin, source->end))};
    Row& row = RowAt(a.to.core, a.to.row);
    Row::Waiting arrow{from, a.to.at, std::string(a.name)};
    if (const Row::Piece* target = row.Target(a.to.at)) {
        Point(arrow, a.to.core, a.to.row, *target);
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

void Drawing::Flow(Cycles at, double gm, double l2) {
    AdvanceRates(at);
    means_[0].now = gm;
    means_[1].now = l2;
}

void Drawing::Ended(Cycles total, uint32_t last) {
    AdvanceRates(total + Mean::kStretch);
    end_.last = last;
    end_.causes = CauseNames();
    std::ranges::sort(end_.uses, {}, &trace::PlaceUse::core);
}

void Drawing::Stopped(std::span<const Report> findings) {
    constexpr Cycles kLeast = 64;
    Cycles last = 0;
    for (const auto& [core, done] : done_) last = std::max(last, done);
    for (const Report& finding : findings) {
        const auto core = cores_.find(finding.core);
        if (finding.severity != Severity::kFault || core == cores_.end()) continue;
        const Cycles since = done_[core->second], end = last + std::max(kLeast, last / 8);  // seen beside what was done
        if (since >= end) continue;  // the core's first fault is there
        trace::AddFault(to_, finding, core->second, since, end);
        done_[core->second] = end;
    }
}

void Drawing::Scope(uint64_t core, trace::Slice call) {
    call.core = core;
    Add(call);
}

}  // namespace sfumato::timing
