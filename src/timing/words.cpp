// SPDX-License-Identifier: Apache-2.0
// An estimate as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sfumato/estimate.h"
#include "trace/json_text.h"

namespace sfumato {
namespace {

constexpr size_t kMostRows = 12;

// Three digits that matter: an estimate has no more.
std::string Us(double us) {
    return us >= 100  ? fmt::format("{:.0f} us", us)
           : us >= 10 ? fmt::format("{:.1f} us", us)
                      : fmt::format("{:.2f} us", us);
}

std::string Bytes(double bytes) {
    if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes / 1e9);
    if (bytes >= 1e6) return fmt::format("{:.2f} MB", bytes / 1e6);
    if (bytes >= 1e3) return fmt::format("{:.1f} kB", bytes / 1e3);
    return fmt::format("{:.0f} B", bytes);
}

std::string Count(uint64_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string Interval(const TimeEstimate& t) {
    if (t.factor == 0) return fmt::format("error       not known: {}", t.error_why);
    return fmt::format("between     {} and {}, class {}: {}", Us(t.core_us / t.factor), Us(t.core_us * t.factor),
                       t.error_class, t.error_why);
}

// What `one` says of each pipe that the line keeps busy.
template <class One>
std::string BusyPipes(const LineTime& line, const One& one) {
    std::vector<std::string> words;
    for (size_t p = 0; p < line.busy.size(); ++p) {
        if (line.busy[p] > 0) words.push_back(one(Name(static_cast<TimedPipe>(p)), line.busy[p]));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string Quoted(const std::string& text) {
    std::string quoted;
    trace::AppendJson(quoted, text);
    return quoted;
}

template <class List, class Row>
std::string Array(const List& list, const Row& row) {
    std::vector<std::string> rows;
    for (const auto& item : list) rows.push_back(row(item));
    return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::string HintOf(const TimeHint& h) {
    return fmt::format(
        "{{\"name\": {}, \"file\": {}, \"line\": {}, \"found\": {}, \"advice\": {}, \"gain_us\": {}, \"at_most\": {}, "
        "\"source\": {}}}",
        Quoted(h.name), h.line ? Quoted(h.file) : "null", h.line ? fmt::to_string(h.line) : "null", Quoted(h.found),
        Quoted(h.advice), h.gain_us ? fmt::format("{:.4f}", *h.gain_us) : "null", h.at_most, Quoted(h.source));
}

}  // namespace

const char* Name(TimedPipe pipe) {
    constexpr const char* kNames[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "other cores"};
    return kNames[static_cast<size_t>(pipe)];
}

const char* Name(Spent spent) {
    constexpr const char* kNames[] = {"work", "head", "bank conflicts", "latency", "sharing", "issue", "waiting"};
    return kNames[static_cast<size_t>(spent)];
}

std::string TextOf(const TimeEstimate& t) {
    std::string text = fmt::format(
        "estimate of {} on {}: {} on {}, {}\n"
        "  core time   {}  ({:.0f} cycles at {:.0f} MHz)\n"
        "  {}\n"
        "  task time   {}  with {} for the launch (2.5 to 20 us)\n",
        t.kernel.empty() ? "the kernel" : t.kernel, t.chip, Count(t.blocks, "block"), Count(t.cores, "core"),
        Count(t.records, "instruction"), Us(t.core_us), t.cycles, t.megahertz, Interval(t), Us(t.task_us),
        Us(t.head_us));
    text += "  pipes       busy            waits at flags, mean of the cores\n";
    for (const PipeTime& p : t.pipes)
        text += fmt::format("    {} {:<5} {:>10} {:>4.0f} %   {}\n", p.kind, Name(p.pipe), Us(p.busy), 100 * p.share,
                            Us(p.waiting));
    text += fmt::format(
        "  memory      {} read, {} of it from L2, {} written; {:.3f} TB/s of global memory, {:.0f} % of its rate\n",
        Bytes(static_cast<double>(t.gm_read)), Bytes(static_cast<double>(t.l2_hits)),
        Bytes(static_cast<double>(t.gm_written)), t.gm_tbs, 100 * t.gm_share);
    if (t.conflict_cycles > 0)
        text += fmt::format("  conflicts   {:.0f} cycles of V, all cores together\n", t.conflict_cycles);
    text += "  critical path\n";
    for (size_t i = 0; i < std::min(kMostRows, t.path.size()); ++i)
        text += fmt::format("    {:<11} {:<14} {:>10} {:>4.0f} %\n", Name(t.path[i].pipe), Name(t.path[i].cause),
                            Us(t.path[i].us), 100 * t.path[i].share);
    text += "  lines       of the critical path, by cost\n";
    for (size_t i = 0; i < std::min(kMostRows, t.lines.size()); ++i) {
        const LineTime& line = t.lines[i];
        const auto pipe = [](const char* name, double us) { return fmt::format("{} {}", name, Us(us)); };
        text += fmt::format("    {}:{}  {:.0f} %  {} instructions; all cores: {}{}\n", line.file, line.line,
                            100 * line.path, line.records, BusyPipes(line, pipe),
                            line.gm_bytes ? fmt::format("; {}", Bytes(static_cast<double>(line.gm_bytes))) : "");
    }
    if (!t.assumed.empty()) text += fmt::format("  without published figures: {}\n", fmt::join(t.assumed, ", "));
    if (!t.hints.empty())
        text += "  hints       what costs time, and the core time that a kernel without it would gain\n";
    for (const TimeHint& h : t.hints) {
        const std::string gain = h.gain_us ? fmt::format("{}{}, estimate", h.at_most ? "at most " : "", Us(*h.gain_us))
                                           : std::string("not modelled");
        text += fmt::format("    {}{}: {}\n      {}; gain {} ({})\n", h.name,
                            h.line ? fmt::format(" at {}:{}", h.file, h.line) : "", h.found, h.advice, gain, h.source);
    }
    for (const std::string& note : t.notes) text += "  note: " + note + "\n";
    return text;
}

std::string JsonOf(const TimeEstimate& t) {
    std::string text = fmt::format(
        "{{\"estimate\": true, \"chip\": {}, \"kernel\": {}, \"blocks\": {}, \"cores\": {}, \"records\": {}, "
        "\"megahertz\": {}, "
        "\"cycles\": {:.2f}, \"core_us\": {:.4f}, \"mean_core_us\": {:.4f}, \"launch_us\": {:.3f}, \"task_us\": "
        "{:.4f}, ",
        Quoted(t.chip), Quoted(t.kernel), t.blocks, t.cores, t.records, t.megahertz, t.cycles, t.core_us,
        t.mean_core_us, t.head_us, t.task_us);
    text += t.factor == 0
                ? fmt::format("\"error\": {{\"class\": \"{}\", \"why\": {}}}, ", t.error_class, Quoted(t.error_why))
                : fmt::format(
                      "\"error\": {{\"class\": \"{}\", \"why\": {}, \"factor\": {}, \"low_us\": {:.4f}, "
                      "\"high_us\": {:.4f}}}, ",
                      t.error_class, Quoted(t.error_why), t.factor, t.core_us / t.factor, t.core_us * t.factor);
    text += "\"pipes\": " + Array(t.pipes, [](const PipeTime& p) {
                return fmt::format(
                    "{{\"kind\": {}, \"pipe\": {}, \"busy_us\": {:.4f}, \"waiting_us\": {:.4f}, \"share\": {:.5f}}}",
                    Quoted(p.kind), Quoted(Name(p.pipe)), p.busy, p.waiting, p.share);
            });
    text += ", \"critical_path\": " + Array(t.path, [](const PathTime& p) {
                return fmt::format("{{\"pipe\": {}, \"cause\": {}, \"us\": {:.4f}, \"share\": {:.5f}}}",
                                   Quoted(Name(p.pipe)), Quoted(Name(p.cause)), p.us, p.share);
            });
    text += ", \"lines\": " + Array(t.lines, [](const LineTime& l) {
                const auto pipe = [](const char* name, double us) { return fmt::format("\"{}\": {:.4f}", name, us); };
                return fmt::format(
                    "{{\"file\": {}, \"line\": {}, \"records\": {}, \"gm_bytes\": {}, \"busy_us\": {{{}}}, "
                    "\"conflict_us\": {:.4f}, \"path_share\": {:.5f}}}",
                    Quoted(l.file), l.line, l.records, l.gm_bytes, BusyPipes(l, pipe), l.conflicts, l.path);
            });
    text += fmt::format(
        ", \"memory\": {{\"read\": {}, \"written\": {}, \"l2_hits\": {}, \"gm_tbs\": {:.5f}, \"gm_share\": {:.5f}}}, "
        "\"conflict_cycles\": {:.2f}, \"assumed\": {}, \"hints\": {}, \"notes\": {}}}",
        t.gm_read, t.gm_written, t.l2_hits, t.gm_tbs, t.gm_share, t.conflict_cycles, Array(t.assumed, Quoted),
        Array(t.hints, HintOf), Array(t.notes, Quoted));
    return text;
}

}  // namespace sfumato
