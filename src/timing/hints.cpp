// SPDX-License-Identifier: Apache-2.0
// The table of docs/spec/timing.md 9.
#include "timing/hints.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfumato::timing {
namespace {

constexpr double kOnPath = 0.1;  // share of the critical path of the pipe that a hint is about

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

}  // namespace

std::vector<Candidate> FindHints(const Ledger& ledger, const TimeEstimate& base, bool all_cores) {
    std::vector<Candidate> found;
    const auto add = [&](Without without, const char* name, std::string what, const char* advice, const char* source,
                         bool at_most = false) {
        const Where where = WorstLine(ledger, without);
        TimeHint hint;
        hint.name = name;
        hint.found = std::move(what);
        hint.advice = advice;
        hint.source = source;
        if (where.line) hint.file = where.file;
        hint.line = where.line;
        hint.at_most = at_most;
        found.push_back({std::move(hint), without});
    };
    const auto cost = [&](Without cause) { return ledger.causes[At(cause)]; };
    const auto path = [&](std::initializer_list<const char*> pipes, const char* cause = nullptr) {
        double share = 0;
        for (const PathTime& p : base.path) {
            if (cause && p.cause != cause) continue;
            if (std::find(pipes.begin(), pipes.end(), p.pipe) != pipes.end()) share += p.share;
        }
        return share;
    };
    const bool vector = path({"V"}) >= kOnPath, copies = path({"MTE2", "MTE3", "FIX"}) >= kOnPath,
               loads = path({"MTE1"}) >= kOnPath, cube = path({"M"}) >= kOnPath;
    const auto copy_count = static_cast<double>(ledger.copies);
    const auto asked = static_cast<double>(ledger.gm_read + ledger.gm_written);
    const auto mmads = static_cast<double>(ledger.PipeOf(true, isa::Pipe::kM).records);

    if (vector && cost(Without::kConflicts) > 0.1 * ledger.vector_cycles)
        add(Without::kConflicts, "bank conflict",
            fmt::format("conflicts are {:.0f} % of V's cycles, above 10 %",
                        Percent(cost(Without::kConflicts), ledger.vector_cycles)),
            "move an operand by 256 bytes, or give rows a pitch of one block more", "S3, S4, S25");
    if (copies && cost(Without::kUnaligned) > asked * (1 / 0.95 - 1))
        add(Without::kUnaligned, "rows not aligned",
            fmt::format("copies touch lines of 512 bytes that are {:.2f} times the bytes asked for, above 1.05",
                        1 + cost(Without::kUnaligned) / asked),
            "pad rows, or shift the tile, to multiples of 512 bytes", "S36, S2");
    if (copies && cost(Without::kSmall) * 2 > copy_count)
        add(Without::kSmall, "copies too small",
            fmt::format("{:.0f} of {} copies are below 16 KiB", cost(Without::kSmall), ledger.copies),
            "larger tiles, or one strided copy instead of a loop", "S36, S2", true);
    if (copies && cost(Without::kShortRows) > 0)
        add(Without::kShortRows, "ND2NZ rows short", "rows below 512 bytes cost 3.6 cycles each",
            "step over several K blocks in a copy", "S5");
    if (copies && cost(Without::kSameLines) > 0.05 * copy_count)
        add(Without::kSameLines, "same line at once",
            fmt::format("{:.0f} of {} copies read lines that other cores read, above 5 %", cost(Without::kSameLines),
                        ledger.copies),
            "begin each core elsewhere: rotate the order by the block index", "S29, S9");
    if (copies && cost(Without::kRereads) > 0.05 * static_cast<double>(ledger.gm_read))
        add(Without::kRereads, "reuse lost in L2",
            fmt::format("{:.0f} % of the bytes read were in L2 before and were thrown out, above 5 %",
                        Percent(cost(Without::kRereads), static_cast<double>(ledger.gm_read))),
            "cut the work into parts that fit L2, or SetL2CacheHint off for what is read once", "S2, S1", true);
    if (copies && cost(Without::kOnePass) > 0 && ledger.gm_written > 0)
        add(Without::kOnePass, "inputs read once fill L2",
            fmt::format("{:.1f} MB that are read once push what is written out of L2", cost(Without::kOnePass) / 1e6),
            "SetL2CacheHint with CACHE_MODE_DISABLE for these inputs", "S1, S2");
    double sum = 0, most = 0;
    for (const PipeTime& p : base.pipes) {
        if (p.pipe == "S") continue;
        sum += p.share;
        most = std::max(most, p.share);
    }
    if (sum > 0.8 && most < 0.8)
        add(Without::kBuffers, "no overlap",
            fmt::format("the pipes' busy shares add up to {:.2f}, and none is above 0.8", sum),
            "two buffers: InitBuffer with num 2", "S1, S9", true);
    double scalar = 0;
    for (const PipeTime& p : base.pipes) scalar = p.pipe == "S" ? std::max(scalar, p.share) : scalar;
    if (scalar > 0.5 && cost(Without::kScalar) > 0)
        add(Without::kScalar, "scalar-bound",
            fmt::format("the scalar unit is busy for {:.0f} % of core time, above 50 %", 100 * scalar),
            "vector calls instead of GetValue and SetValue", "S1, S9");
    if (const double issue = path({"S"}, "issue"); issue > kOnPath)
        add(Without::kIssue, "issue-bound",
            fmt::format("pipes wait for the issue of instructions for {:.0f} % of the critical path, above 10 %",
                        100 * issue),
            "more work in an instruction; tiling known when it is compiled", "S1, S9", true);
    if (vector && cost(Without::kHeads) > 0.25 * ledger.vector_cycles)
        add(Without::kHeads, "repeats too few",
            fmt::format("heads of short instructions are {:.0f} % of V's cycles, above 25 %",
                        Percent(cost(Without::kHeads), ledger.vector_cycles)),
            "more repeats in a call", "S1, S3", true);
    if (vector && cost(Without::kReduction) > 0.1 * ledger.vector_cycles)
        add(Without::kReduction, "reduction by ReduceRepeat",
            fmt::format("WholeReduceSum of more than 8 repeats is {:.0f} % of V's cycles, above 10 %",
                        Percent(cost(Without::kReduction), ledger.vector_cycles)),
            "Add halves until one repeat is left, or BlockReduceSum first", "S10", true);
    if (ledger.barriers >= 8 * std::max<uint64_t>(1, base.blocks))
        add(Without::kBarriers, "barrier of all pipes in a loop",
            fmt::format("{} barriers PIPE_ALL in {} blocks, 8 or more in each", ledger.barriers, base.blocks),
            "flags between the pipes that need them", "S13", true);
    if (loads && mmads > 0 && cost(Without::kLoadHeads) > 4 * mmads)
        add(Without::kLoadHeads, "many small loads",
            fmt::format("{:.1f} Load2D into L0 for each Mmad, above 4", cost(Without::kLoadHeads) / mmads),
            "one Load3D", "S28, S6");
    if (cube && cost(Without::kStarved) > 0.05 * ledger.PipeOf(true, isa::Pipe::kM).busy)
        add(Without::kStarved, "cube starved",
            fmt::format("heads of Mmads that waited are {:.0f} % of M's cycles, above 5 %",
                        Percent(cost(Without::kStarved), ledger.PipeOf(true, isa::Pipe::kM).busy)),
            "two buffers in L0, or a larger base block: 128x256x64 of half, 128x256x128 of int8", "S5", true);
    if (cost(Without::kOddWidth) > 0 && path({"FIX"}) >= kOnPath)
        add(Without::kOddWidth, "width of Fixpipe", "rows of a Fixpipe whose 8 floats at a time are no power of two",
            "widen the base block", "S31");
    if (base.task_us < 20 && all_cores)
        add(Without::kNothing, "head of the launch",
            fmt::format("a task of {:.1f} us on all cores, {:.1f} us of it the launch", base.task_us, base.head_us),
            "fewer cores, or a kernel type of vector cores alone", "S35, S9");
    if (base.core_us > 1.1 * base.mean_core_us && base.mean_core_us > 0) {
        add(Without::kNothing, "uneven cores",
            fmt::format("the last core ends {:.2f} times later than the mean, above 1.1",
                        base.core_us / base.mean_core_us),
            "split evenly", "S9");
        found.back().hint.gain_us = base.core_us - base.mean_core_us;
    }
    return found;
}

}  // namespace sfumato::timing
