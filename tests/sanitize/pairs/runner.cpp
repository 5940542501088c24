// SPDX-License-Identifier: Apache-2.0
// Launches of halves, and the lines of source behind reports.
#include "sanitize/pairs/runner.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "support/golden.h"

namespace sfumato::pairs {
namespace {

constexpr uint8_t kFill = 0xFE;

}  // namespace

Outcome RunHalf(const Pair& pair, bool wrong, const std::string& check, const std::string& schedule, uint32_t workers,
                const std::function<void(LaunchOptions&)>& with) {
    GlobalMemory memory({.fill = kFill});
    std::vector<GM_ADDR> gm;
    for (const Memory& wanted : pair.gm) {
        gm.push_back(memory.Allocate(wanted.size, wanted.name, wanted.bytes.empty() ? nullptr : wanted.bytes.data()));
        memory.SetRole(gm.back(), wanted.role);
    }
    LaunchOptions options;
    options.chip = pair.chip;
    options.kernel = pair.name;
    options.core = pair.core;
    options.auto_sync = pair.auto_sync;
    options.check = check;
    options.schedule = schedule;
    options.fill = kFill;
    // What wrong halves leave behind depends on nobody's speed; right ones give the same on any threads.
    options.workers = workers == kAsUsers ? 0 : workers != 0 ? workers : wrong ? 1 : 2;
    if (pair.system_workspace) options.system_workspace = kSystemWorkspaceBytes;
    options.print = [](std::string_view) {};
    if (with) with(options);
    const LaunchResult result =
        Launch(options, pair.blocks, memory, std::function<void()>([&] { pair.program(gm.data(), wrong); }));
    Outcome run{result.findings, result.ok(), {}};
    for (size_t i = 0; i < gm.size(); ++i) run.memory.emplace_back(gm[i], gm[i] + pair.gm[i].size);
    return run;
}

std::vector<Pair> WithMixedInputs(const Class& of) {
    constexpr uint32_t kPrime = 61;
    constexpr size_t kTurn = 16;  // bytes: whole elements of every type
    const uint32_t before = std::exchange(input_period, kPrime);
    std::vector<Pair> pairs = of.pairs();
    input_period = before;
    for (Pair& pair : pairs) {
        for (size_t i = 1; i < pair.gm.size(); ++i) {
            std::vector<uint8_t>& bytes = pair.gm[i].bytes;
            if (bytes.size() > i * kTurn)
                std::rotate(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i * kTurn), bytes.end());
        }
    }
    return pairs;
}

bool IsRaceInACore(const Pair& pair) { return std::string_view(pair.rule) == "race"; }

bool ShowsUnder(const Pair& pair, const std::string& schedule) {
    const Outcome other = RunHalf(pair, true, "none", schedule);
    return !other.ok || other.memory != RunHalf(pair, true, "none").memory;
}

Verdict Judge(const Pair& pair, const Outcome& run) {
    Verdict verdict;
    for (const Report& report : run.findings) {
        if (report.rule == pair.rule) {
            ++verdict.found;
        } else if (report.severity != Severity::kNote) {
            verdict.others.push_back(Name(report.rule));
        }
    }
    return verdict;
}

std::string MendOf(const Report& report) {
    const auto& lines = LinesOf(report.file);
    if (report.line < 2 || report.line > lines.size()) return "";
    const std::string& before = lines[report.line - 2];
    if (before.rfind("if (!wrong", 0) != 0) return "";
    for (const char* call : {"Sync<HardEvent::", "PipeBarrier<"}) {
        const size_t at = before.find(call);
        if (at == std::string::npos) continue;
        const size_t name = at + std::strlen(call);
        const std::string mend = before.substr(name, before.find('>', name) - name);
        return mend == "PIPE_ALL" ? "" : mend;
    }
    return "";
}

}  // namespace sfumato::pairs
