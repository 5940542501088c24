// SPDX-License-Identifier: Apache-2.0
// Hints: conditions, and the causes a model leaves out.
#include "timing/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace sfumato::timing {
namespace {

using isa::Pipe;
using Kind = Event::Kind;

constexpr uint64_t kLine = 512;
constexpr double kFewCycles = 66;  // of a vector instruction whose head of 22 is more than a quarter

// Where data comes from before and goes to behind: a flag to an earlier stage gives a buffer back.
int Stage(Pipe pipe) {
    switch (pipe) {
        case Pipe::kMte2: return 0;
        case Pipe::kMte1: return 1;
        case Pipe::kM: return 2;
        case Pipe::kV: return 3;
        case Pipe::kMte3:
        case Pipe::kFix: return 4;
        default: return -1;
    }
}

bool GivesBack(const isa::Record& record) {
    const auto* flag = record.If<isa::Flag>();
    if (!flag) return false;
    const int from = Stage(flag->from), to = Stage(flag->to);
    return from > to && to >= 0;
}

// Bytes of lines that rows of a copy touch, over those it asks for.
double Lines512(const Event& e) {
    if (e.row_bytes == 0) return 1;
    const auto touched = [&](uint64_t offset) {
        return offset % kLine == 0 || offset / kLine == (offset + e.row_bytes - 1) / kLine
                   ? static_cast<double>(e.row_bytes)
                   : static_cast<double>((offset + e.row_bytes - 1) / kLine - offset / kLine + 1) * kLine;
    };
    // The starts of rows repeat within a line.
    const uint64_t rows = std::min<uint64_t>(e.rows, kLine);
    double sum = 0;
    for (uint64_t row = 0; row < rows; ++row) sum += touched(e.offset + row * e.pitch);
    return rows == 0 ? 1 : sum / static_cast<double>(rows * e.row_bytes);
}

// At issue it is nothing.
void Drop(Event& e) {
    e.kind = Kind::kBarrier;
    e.pipe = Pipe::kS;
}

bool IsNd2Nz(const Event& e) { return e.kind == Kind::kTransfer && e.efficiency < 1; }

}  // namespace

void Remove(Without without, const isa::Record& record, Event& e) {
    switch (without) {
        case Without::kConflicts: e.conflict = 0; return;
        case Without::kUnaligned:
            if (e.kind != Kind::kTransfer) return;
            e.offset -= e.offset % kLine;
            e.pitch = (e.pitch + kLine - 1) / kLine * kLine;
            return;
        case Without::kSmall:
            if (e.kind == Kind::kTransfer && !IsNd2Nz(e)) e.least = 0;
            return;
        case Without::kShortRows:
            if (!IsNd2Nz(e) || e.row_bytes >= kLine) return;
            e.least = 0;
            e.efficiency = 1;
            return;
        case Without::kHeads:
            if (e.kind == Kind::kWork && e.pipe == Pipe::kV && e.work < kFewCycles) e.head = 0;
            return;
        case Without::kLoadHeads:
            if (record.If<isa::Load2D>()) e.head = 0;
            return;
        case Without::kBuffers:
            if (GivesBack(record)) Drop(e);
            return;
        case Without::kBarriers:
            if (e.kind == Kind::kBarrierAll) Drop(e);
            return;
        default: return;
    }
}

std::string TextOf(const TimeHint& h) {
    return fmt::format("hint: {}{}: {}; {}; gain {}{:.3g} us, estimate ({})", h.name,
                       h.line ? fmt::format(" at {}:{}", h.file, h.line) : "", h.found, h.advice,
                       h.at_most ? "at most " : "", h.us, h.source);
}

Where Tally::Lines::Worst() const {
    const auto worst =
        std::max_element(cost.begin(), cost.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return worst == cost.end() ? Where{} : Where{worst->first.first, worst->first.second};
}

void Tally::Note(const Event& e) {
    const auto head = static_cast<double>(e.head), work = static_cast<double>(e.work);
    if (e.kind == Kind::kBarrierAll) {
        ++barrier_count_;
        barriers_.Add(e.where, 1);
    } else if (e.kind == Kind::kTransfer) {
        const uint64_t bytes = e.rows * e.row_bytes;
        const double lost = (Lines512(e) - 1) * static_cast<double>(bytes);
        ++copies_;
        ++sizes_[std::bit_width(bytes)];
        asked_ += static_cast<double>(bytes);
        if (lost > 0) unaligned_.Add(e.where, lost);
        if (IsNd2Nz(e) && e.row_bytes < kLine) short_rows_.Add(e.where, static_cast<double>(e.least));
        if (!IsNd2Nz(e) && bytes < 16384) small_.Add(e.where, 1);
    } else if (e.kind == Kind::kWork && e.pipe == Pipe::kV) {
        vector_cycles_ += head + work + static_cast<double>(e.conflict);
        if (e.conflict > 0) conflicts_.Add(e.where, static_cast<double>(e.conflict));
        if (work < kFewCycles) heads_.Add(e.where, head);
    } else if (e.kind == Kind::kWork && e.pipe == Pipe::kM) {
        ++mmads_;
    } else if (e.kind == Kind::kWork && e.pipe == Pipe::kMte1) {
        loads_.Add(e.where, 1);
    }
}

std::vector<TimeHint> Tally::Hints(const TimeEstimate& base,
                                   const std::array<double, static_cast<size_t>(Without::kCount)>& core_us) const {
    std::vector<TimeHint> hints;
    const auto path = [&](std::initializer_list<const char*> pipes) {
        double share = 0;
        for (const PathTime& p : base.path) {
            if (std::find(pipes.begin(), pipes.end(), p.pipe) != pipes.end()) share += p.share;
        }
        return share;
    };
    const auto gain = [&](Without without) { return base.core_us - core_us[static_cast<size_t>(without)]; };
    const auto add = [&](const char* name, const Lines& lines, std::string found, const char* advice,
                         const char* source, double us, bool at_most = false) {
        const Where where = lines.Worst();
        if (us > 0.005 * base.core_us)
            hints.push_back({name, std::move(found), advice, source, where.file, where.line, us, at_most});
    };
    const bool vector = path({"V"}) >= 0.1, copies = path({"MTE2", "MTE3", "FIX"}) >= 0.1;
    if (vector && conflicts_.all > 0.1 * vector_cycles_) {
        add("bank conflict", conflicts_,
            fmt::format("conflicts are {:.0f} % of V's cycles, above 10 %", 100 * conflicts_.all / vector_cycles_),
            "move an operand by 256 bytes, or give rows a pitch of one block more", "S3, S4, S25",
            gain(Without::kConflicts));
    }
    if (copies && unaligned_.all > asked_ * (1 / 0.95 - 1)) {
        add("rows not aligned", unaligned_,
            fmt::format("copies touch lines of 512 bytes that are {:.2f} times the bytes asked for, above 1.05",
                        1 + unaligned_.all / asked_),
            "pad rows, or shift the tile, to multiples of 512 bytes", "S36, S2", gain(Without::kUnaligned));
    }
    uint64_t below = 0;
    for (size_t bits = 0; bits <= 14; ++bits) below += sizes_[bits];
    if (copies && below * 2 > copies_) {
        add("copies too small", small_, fmt::format("{} of {} copies are below 16 KiB", below, copies_),
            "larger tiles, or one strided copy instead of a loop", "S36, S2", gain(Without::kSmall));
    }
    if (copies && short_rows_.all > 0) {
        add("ND2NZ rows short", short_rows_, "rows below 512 bytes cost 3.6 cycles each",
            "step over several K blocks in a copy", "S5", gain(Without::kShortRows));
    }
    double sum = 0, most = 0;
    for (const PipeTime& p : base.pipes) {
        if (p.pipe == "S") continue;
        sum += p.share;
        most = std::max(most, p.share);
    }
    if (sum > 0.8 && most < 0.8) {
        add("no overlap", {}, fmt::format("the pipes' busy shares add up to {:.2f}, and none is above 0.8", sum),
            "two buffers: InitBuffer with num 2", "S1, S9", gain(Without::kBuffers), true);
    }
    const auto scalar = std::find_if(base.pipes.begin(), base.pipes.end(), [](const auto& p) { return p.pipe == "S"; });
    if (scalar != base.pipes.end() && scalar->share > 0.5) {
        add("scalar-bound", {},
            fmt::format("the scalar unit is busy for {:.0f} % of core time, above 50 %", 100 * scalar->share),
            "vector calls instead of GetValue and SetValue", "S1, S9", gain(Without::kScalar));
    }
    if (vector && heads_.all > 0.25 * vector_cycles_) {
        add("repeats too few", heads_,
            fmt::format("heads of short instructions are {:.0f} % of V's cycles, above 25 %",
                        100 * heads_.all / vector_cycles_),
            "more repeats in a call", "head of 22 cycles", gain(Without::kHeads), true);
    }
    if (barrier_count_ >= 8 * std::max<uint64_t>(1, base.blocks)) {
        add("barrier of all pipes in a loop", barriers_,
            fmt::format("{} barriers PIPE_ALL in {} blocks, 8 or more in each", barrier_count_, base.blocks),
            "flags between the pipes that need them", "S13", gain(Without::kBarriers), true);
    }
    if (mmads_ > 0 && loads_.all > 4 * static_cast<double>(mmads_)) {
        add("many small loads", loads_,
            fmt::format("{:.1f} loads into L0 for each Mmad, above 4", loads_.all / static_cast<double>(mmads_)),
            "one Load3D", "S28, S6", gain(Without::kLoadHeads));
    }
    if (base.core_us > 1.1 * base.mean_core_us && base.mean_core_us > 0) {
        add("uneven cores", {},
            fmt::format("the last core ends {:.2f} times later than the mean, above 1.1",
                        base.core_us / base.mean_core_us),
            "split evenly", "S9", base.core_us - base.mean_core_us);
    }
    std::sort(hints.begin(), hints.end(), [](const auto& a, const auto& b) { return a.us > b.us; });
    return hints;
}

}  // namespace sfumato::timing
