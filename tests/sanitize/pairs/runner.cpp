// SPDX-License-Identifier: Apache-2.0
// Launches of halves, and the lines of source behind reports.
#include "sanitize/pairs/runner.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>
#include <utility>

namespace sfumato::pairs {
namespace {

constexpr uint8_t kFill = 0xFE;

// By its name in the folder of the pairs; none of a file of another folder.
const std::vector<std::string>& Lines(const std::string& name) {
    static std::map<std::string, std::vector<std::string>> files;
    const auto [at, fresh] = files.try_emplace(name);
    if (fresh) {
        std::ifstream in(std::string(SFUMATO_PAIRS) + "/" + name);
        for (std::string line; std::getline(in, line);) {
            line.erase(0, line.find_first_not_of(' '));
            at->second.push_back(line);
        }
    }
    return at->second;
}

}  // namespace

Outcome RunHalf(const Pair& pair, bool wrong, const std::string& check, const std::string& schedule) {
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
    options.workers = wrong ? 1 : 2;
    options.print = [](std::string_view) {};
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
            verdict.others.push_back(report.rule);
        }
    }
    return verdict;
}

std::string StableText(const Report& report) {
    std::string text = report.Text();
    for (const char* suffix : {".cpp:", ".h:"}) {
        for (size_t at = 0; (at = text.find(suffix, at)) != std::string::npos;) {
            const size_t digits = at + std::strlen(suffix);
            const size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
            const size_t path = text.find_last_of(" (", at) + 1;
            const std::string file = text.substr(path, digits - 1 - path);
            const auto& lines = Lines(file.substr(file.rfind('/') + 1));
            const size_t line = end == digits ? 0 : std::stoul(text.substr(digits, end - digits));
            at = digits;
            if (line == 0 || line > lines.size()) continue;
            const std::string words = "«" + lines[line - 1] + "»";
            text.replace(path, end - path, words);
            at = path + words.size();
        }
    }
    return text;
}

std::string MendOf(const Report& report) {
    const auto& lines = Lines(report.file.substr(report.file.rfind('/') + 1));
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
