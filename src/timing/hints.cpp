// SPDX-License-Identifier: Apache-2.0
// What makes a kernel slower than it need be: conditions over what the model has added up (the table of
// docs/spec/timing.md 9). What it would gain without a cause, the launch modelled again from its events says.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "timing/model.h"

namespace sfumato::timing {
namespace {

constexpr double kLeastGain = 0.005;  // of core time (decided)
constexpr double kOnPath = 0.1;       // share of the critical path of the pipe that a hint is about

size_t At(Without cause) { return static_cast<size_t>(cause); }

Where WorstLine(const Ledger& ledger, Without cause) {
    const Ledger::Line* worst = nullptr;
    for (const Ledger::Line& line : ledger.lines()) {
        const double cost = line.causes[At(cause)];
        if (cost > 0 && line.where.line != 0 && (!worst || cost > worst->causes[At(cause)])) worst = &line;
    }
    return worst ? worst->where : Where{};
}

double Percent(double part, double all) { return all > 0 ? 100 * part / all : 0; }

// What conditions compare.
struct Seen {
    const Ledger& ledger;
    const TimeEstimate& base;
    bool all_cores;

    double Cost(Without cause) const { return ledger.causes[At(cause)]; }
    double Path(std::initializer_list<TimedPipe> pipes) const {
        double share = 0;
        for (const PathTime& p : base.path) {
            if (std::ranges::find(pipes, p.pipe) != pipes.end()) share += p.share;
        }
        return share;
    }
    bool OnPath(std::initializer_list<TimedPipe> pipes) const { return Path(pipes) >= kOnPath; }
    bool Vector() const { return OnPath({TimedPipe::kV}); }
    bool Copies() const { return OnPath({TimedPipe::kMte2, TimedPipe::kMte3, TimedPipe::kFix}); }
    const Ledger::Pipe& Cube() const { return ledger.PipeOf(true, isa::Pipe::kM); }
    double OfVector(Without cause) const { return Percent(Cost(cause), ledger.vector_cycles); }
};

// What was seen of the cause, with the threshold; nothing: it is not there.
using Found = std::optional<std::string>;
constexpr bool kAtMost = true;  // a kernel can hardly be rid of all of it

constexpr struct {
    Without without;
    const char* name;
    Found (*find)(const Seen&);
    const char* advice;
    const char* source;
    bool at_most = false;
    double (*gain)(const Seen&) = nullptr;  // known without a model
} kHints[] = {
    {Without::kConflicts, "bank conflict",
     [](const Seen& s) -> Found {
         if (!s.Vector() || s.Cost(Without::kConflicts) <= 0.1 * s.ledger.vector_cycles) return {};
         return fmt::format("conflicts are {:.0f} % of V's cycles, above 10 %", s.OfVector(Without::kConflicts));
     },
     "move an operand by 256 bytes, or give rows a pitch of one block more", "S3, S4, S25"},
    {Without::kUnaligned, "rows not aligned",
     [](const Seen& s) -> Found {
         const auto asked = static_cast<double>(s.ledger.gm_read + s.ledger.gm_written);
         if (!s.Copies() || s.Cost(Without::kUnaligned) <= asked * (1 / 0.95 - 1)) return {};
         return fmt::format("copies touch lines of 512 bytes that are {:.2f} times the bytes asked for, above 1.05",
                            1 + s.Cost(Without::kUnaligned) / asked);
     },
     "pad rows, or shift the tile, to multiples of 512 bytes", "S36, S2"},
    {Without::kSmall, "copies too small",
     [](const Seen& s) -> Found {
         if (!s.Copies() || s.Cost(Without::kSmall) * 2 <= static_cast<double>(s.ledger.copies)) return {};
         return fmt::format("{:.0f} of {} copies are below 16 KiB", s.Cost(Without::kSmall), s.ledger.copies);
     },
     "larger tiles, or one strided copy instead of a loop", "S36, S2", kAtMost},
    {Without::kShortRows, "ND2NZ rows short",
     [](const Seen& s) -> Found {
         if (!s.Copies() || s.Cost(Without::kShortRows) <= 0) return {};
         return "rows below 512 bytes cost 3.6 cycles each";
     },
     "step over several K blocks in a copy", "S5"},
    {Without::kSameLines, "same line at once",
     [](const Seen& s) -> Found {
         if (!s.Copies() || s.Cost(Without::kSameLines) <= 0.05 * static_cast<double>(s.ledger.copies)) return {};
         return fmt::format("{:.0f} of {} copies read lines that other cores read, above 5 %",
                            s.Cost(Without::kSameLines), s.ledger.copies);
     },
     "begin each core elsewhere: rotate the order by the block index", "S29, S9"},
    {Without::kRereads, "reuse lost in L2",
     [](const Seen& s) -> Found {
         const auto read = static_cast<double>(s.ledger.gm_read);
         if (!s.Copies() || s.Cost(Without::kRereads) <= 0.05 * read) return {};
         return fmt::format("{:.0f} % of the bytes read were in L2 before and were thrown out, above 5 %",
                            Percent(s.Cost(Without::kRereads), read));
     },
     "cut the work into parts that fit L2, or SetL2CacheHint off for what is read once", "S2, S1", kAtMost},
    {Without::kOnePass, "inputs read once fill L2",
     [](const Seen& s) -> Found {
         if (!s.Copies() || s.Cost(Without::kOnePass) <= 0 || s.ledger.gm_written == 0) return {};
         return fmt::format("{:.1f} MB that are read once push what is written out of L2",
                            s.Cost(Without::kOnePass) / 1e6);
     },
     "SetL2CacheHint with CACHE_MODE_DISABLE for these inputs", "S1, S2"},
    {Without::kBuffers, "no overlap",
     [](const Seen& s) -> Found {
         double sum = 0, most = 0;
         for (const PipeTime& p : s.base.pipes) {
             if (p.pipe == TimedPipe::kS) continue;
             sum += p.share;
             most = std::max(most, p.share);
         }
         if (sum <= 0.8 || most >= 0.8) return {};
         return fmt::format("the pipes' busy shares add up to {:.2f}, and none is above 0.8", sum);
     },
     "two buffers: InitBuffer with num 2", "S1, S9", kAtMost},
    {Without::kScalar, "scalar-bound",
     [](const Seen& s) -> Found {
         double scalar = 0;
         for (const PipeTime& p : s.base.pipes) scalar = p.pipe == TimedPipe::kS ? std::max(scalar, p.share) : scalar;
         if (scalar <= 0.5 || s.Cost(Without::kScalar) <= 0) return {};
         return fmt::format("the scalar unit is busy for {:.0f} % of core time, above 50 %", 100 * scalar);
     },
     "vector calls instead of GetValue and SetValue", "S1, S9"},
    {Without::kIssue, "issue-bound",
     [](const Seen& s) -> Found {
         double issue = 0;
         for (const PathTime& p : s.base.path) {
             if (p.pipe == TimedPipe::kS && p.cause == Spent::kIssue) issue += p.share;
         }
         if (issue <= kOnPath) return {};
         return fmt::format("pipes wait for the issue of instructions for {:.0f} % of the critical path, above 10 %",
                            100 * issue);
     },
     "more work in an instruction; tiling known when it is compiled", "S1, S9", kAtMost},
    {Without::kHeads, "repeats too few",
     [](const Seen& s) -> Found {
         if (!s.Vector() || s.Cost(Without::kHeads) <= 0.25 * s.ledger.vector_cycles) return {};
         return fmt::format("heads of short instructions are {:.0f} % of V's cycles, above 25 %",
                            s.OfVector(Without::kHeads));
     },
     "more repeats in a call", "S1, S3", kAtMost},
    {Without::kReduction, "reduction by ReduceRepeat",
     [](const Seen& s) -> Found {
         if (!s.Vector() || s.Cost(Without::kReduction) <= 0.1 * s.ledger.vector_cycles) return {};
         return fmt::format("WholeReduceSum of more than 8 repeats is {:.0f} % of V's cycles, above 10 %",
                            s.OfVector(Without::kReduction));
     },
     "Add halves until one repeat is left, or BlockReduceSum first", "S10", kAtMost},
    {Without::kBarriers, "barrier of all pipes in a loop",
     [](const Seen& s) -> Found {
         if (s.ledger.barriers < 8 * std::max<uint64_t>(1, s.base.blocks)) return {};
         return fmt::format("{} barriers PIPE_ALL in {} blocks, 8 or more in each", s.ledger.barriers, s.base.blocks);
     },
     "flags between the pipes that need them", "S13", kAtMost},
    {Without::kLoadHeads, "many small loads",
     [](const Seen& s) -> Found {
         const auto mmads = static_cast<double>(s.Cube().records);
         if (!s.OnPath({TimedPipe::kMte1}) || mmads == 0 || s.Cost(Without::kLoadHeads) <= 4 * mmads) return {};
         return fmt::format("{:.1f} Load2D into L0 for each Mmad, above 4", s.Cost(Without::kLoadHeads) / mmads);
     },
     "one Load3D", "S28, S6"},
    {Without::kStarved, "cube starved",
     [](const Seen& s) -> Found {
         if (!s.OnPath({TimedPipe::kM}) || s.Cost(Without::kStarved) <= 0.05 * s.Cube().busy) return {};
         return fmt::format("heads of Mmads that waited are {:.0f} % of M's cycles, above 5 %",
                            Percent(s.Cost(Without::kStarved), s.Cube().busy));
     },
     "two buffers in L0, or a larger base block: 128x256x64 of half, 128x256x128 of int8", "S5", kAtMost},
    {Without::kOddWidth, "width of Fixpipe",
     [](const Seen& s) -> Found {
         if (s.Cost(Without::kOddWidth) <= 0 || !s.OnPath({TimedPipe::kFix})) return {};
         return "rows of a Fixpipe whose 8 floats at a time are no power of two";
     },
     "widen the base block", "S31"},
    {Without::kNothing, "head of the launch",
     [](const Seen& s) -> Found {
         if (s.base.task_us >= 20 || !s.all_cores) return {};
         return fmt::format("a task of {:.1f} us on all cores, {:.1f} us of it the launch", s.base.task_us,
                            s.base.head_us);
     },
     "fewer cores, or a kernel type of vector cores alone", "S35, S9"},
    {Without::kNothing, "uneven cores",
     [](const Seen& s) -> Found {
         if (s.base.core_us <= 1.1 * s.base.mean_core_us || s.base.mean_core_us <= 0) return {};
         return fmt::format("the last core ends {:.2f} times later than the mean, above 1.1",
                            s.base.core_us / s.base.mean_core_us);
     },
     "split evenly", "S9", false, [](const Seen& s) { return s.base.core_us - s.base.mean_core_us; }},
};

struct Candidate {
    TimeHint hint;  // without the gain, unless no run of the model is needed
    Without without = Without::kNothing;
};

// all_cores: of its kind.
std::vector<Candidate> FindHints(const Ledger& ledger, const TimeEstimate& base, bool all_cores) {
    const Seen seen{ledger, base, all_cores};
    std::vector<Candidate> found;
    for (const auto& row : kHints) {
        const Found what = row.find(seen);
        if (!what) continue;
        const Where where = WorstLine(ledger, row.without);
        TimeHint hint{row.name,   *what, row.advice, row.source, where.line ? where.file : "",
                      where.line, {},    row.at_most};
        if (row.gain) hint.gain_us = row.gain(seen);
        found.push_back({std::move(hint), row.without});
    }
    return found;
}

}  // namespace

std::vector<std::string> CauseNames() {
    std::vector<std::string> names(static_cast<size_t>(Without::kCount));
    for (const auto& row : kHints) {
        if (row.without != Without::kNothing) names[At(row.without)] = row.name;
    }
    return names;
}

std::vector<TimeHint> Model::Hints(const TimeEstimate& base, bool all_cores) {
    const std::vector<uint32_t> one_pass = l2_.Overflows() ? l2_.OnePass() : std::vector<uint32_t>();
    for (const uint32_t allocation : one_pass)
        ledger_.causes[static_cast<size_t>(Without::kOnePass)] += static_cast<double>(l2_.BytesOf(allocation));
    std::vector<TimeHint> hints;
    for (Candidate& found : FindHints(ledger_, base, all_cores)) {
        TimeHint& hint = found.hint;
        if (kept_.whole() && setup_.options.gains != TimeOptions::Gains::kNone && found.without != Without::kNothing &&
            found.without != Without::kOddWidth) {
            Setup again = setup_;
            again.drawing = nullptr;
            again.options.gains = TimeOptions::Gains::kNone;
            const bool unkept = found.without == Without::kOnePass;
            Model model(std::move(again), found.without);
            hint.gain_us = base.core_us - model.Replay(kept_, unkept ? one_pass : std::vector<uint32_t>());
        }
        // A cause that nothing waits for is none.
        if (hint.gain_us && *hint.gain_us <= kLeastGain * base.core_us) continue;
        hints.push_back(std::move(hint));
    }
    std::ranges::stable_sort(
        hints, [](const auto& a, const auto& b) { return a.gain_us.value_or(0) > b.gain_us.value_or(0); });
    return hints;
}

double Model::Replay(const Kept& kept, const std::vector<uint32_t>& uncached) {
    const std::lock_guard lock(mutex_);
    for (const auto& [allocation, cached] : kept.cache_hints) l2_.SetCached(allocation, cached);
    for (const uint32_t allocation : uncached) l2_.SetCached(allocation, false);
    for (size_t core = 0; core < feeds_.size(); ++core) {
        feeds_[core]->place.order = core;
        for (std::vector<Event> lot : kept.Of(core)) {
            for (Event& event : lot) Remove(without_, event);
            feeds_[core]->stream.Take(lot);
        }
    }
    while (next_block_ < std::min(setup_.blocks, setup_.blocks_at_once)) BeginBlock(0, Path::kStart);
    Advance();
    return last_ / cycles_per_us_;
}

}  // namespace sfumato::timing
