// SPDX-License-Identifier: Apache-2.0
// Runs a program and compares the whole of its memory.
#include "frontends/kernels.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfumato::frontends_test {

Outcome Execute(const Program& program, const std::string& chip, const std::string& schedule, uint32_t blocks,
                bool auto_sync, const char* check) {
    GlobalMemory memory(GlobalMemory::Options{.fill = kFill});
    std::vector<uint8_t*> gm;
    for (const Argument& argument : program.arguments) {
        gm.push_back(memory.Allocate(argument.before.size(), fmt::format("arg{}", gm.size())));
        std::copy(argument.before.begin(), argument.before.end(), gm.back());
    }
    LaunchOptions options;
    options.chip = chip;
    options.kernel = program.name;
    options.schedule = schedule;
    options.auto_sync = auto_sync;
    options.core = program.core;
    options.overflow = Overflow::kSaturate;  // what the oracles compute
    options.fill = kFill;
    options.check = check;
    Outcome outcome;
    outcome.result = Launch(options, blocks, memory, [&] { program.kernel(gm.data()); });
    for (size_t i = 0; i < gm.size(); ++i)
        outcome.memory.emplace_back(gm[i], gm[i] + program.arguments[i].before.size());
    return outcome;
}

std::string Difference(const Program& program, const Outcome& outcome) {
    for (size_t a = 0; a < program.arguments.size(); ++a) {
        const Bytes &want = program.arguments[a].after, &have = outcome.memory[a];
        const auto [w, h] = std::mismatch(want.begin(), want.end(), have.begin());
        if (w != want.end())
            return fmt::format("argument {} byte {}: {:#04x}, must be {:#04x}", a, w - want.begin(), *h, *w);
    }
    return "";
}

bool Quiet(const LaunchResult& result) {
    return std::all_of(result.findings.begin(), result.findings.end(),
                       [](const Report& report) { return report.severity == Severity::kNote; });
}

}  // namespace sfumato::frontends_test
