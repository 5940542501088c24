// SPDX-License-Identifier: Apache-2.0
// Reads what an object calls, and where that is doubtful what its optimised twin calls.
#include "jit/keep_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "jit/add_section.h"
#include "jit/scratch_folder.h"
#include "jit/second_try.h"
#include "runtime/code/call_notes.h"
#include "runtime/code/code_use.h"
#include "runtime/code/source_lines.h"
#include "sfumato/report.h"

namespace sfumato::jit {
namespace {

using runtime::CallsOf;

constexpr const char* kSections = "-ffunction-sections";  // calls within a section leave no trace

// Functions that may run on cube cores, or with others, for calls that never run.
std::vector<std::string> Doubtful(const CallsOf& calls) {
    std::vector<std::string> functions;
    for (const auto& [function, reached] : calls) {
        const std::set<std::string> entries = runtime::EntriesOf(reached);
        const CodeUse use = runtime::UseOf(entries);
        if ((use.cube || use.cross_core) && !entries.contains("DeclareTaskType")) functions.push_back(function);
    }
    return functions;
}

std::string NamesOf(const std::vector<std::string>& functions) {
    constexpr size_t kShown = 4;
    std::vector<std::string> names;
    for (size_t i = 0; i < std::min(functions.size(), kShown); ++i)
        names.push_back(runtime::Demangled(functions[i].c_str()));
    if (functions.size() > kShown) names.push_back(fmt::format("{} more", functions.size() - kShown));
    return fmt::format("{}", fmt::join(names, ", "));
}

// The first that the compiler says is wrong.
std::string FirstError(const std::string& messages) {
    const size_t at = messages.find("error: ");
    if (at == messages.npos) return messages.substr(0, messages.find('\n'));
    const size_t begin = messages.rfind('\n', at) + 1;  // npos + 1 is 0
    return messages.substr(begin, messages.find('\n', at) - begin);
}

}  // namespace

bool IsUnoptimised(const std::vector<std::string>& command) {
    bool unoptimised = true;
    for (const std::string_view word : command) {
        if (word.starts_with("-O")) unoptimised = word == "-O0" || word == "-Og";
    }
    return unoptimised;
}

std::vector<std::string> CompiledAgain(std::vector<std::string> command, const std::string& object,
                                       const std::vector<std::string>& options) {
    constexpr std::string_view kWithWord[] = {"-o", "-MF", "-MT", "-MQ"};
    constexpr std::string_view kAlone[] = {"-MD",           "-MMD",          "-MP",         "-MG",
                                           "--coverage",    "-coverage",     "-save-temps", "-ftest-coverage",
                                           "-gsplit-dwarf", "-fprofile-arcs"};
    std::vector<std::string> again;
    for (size_t i = 0; i < command.size(); ++i) {
        if (std::ranges::find(kWithWord, command[i]) != std::end(kWithWord)) {
            ++i;
        } else if (std::ranges::find(kAlone, command[i]) == std::end(kAlone) && !command[i].starts_with("-MF") &&
                   !command[i].starts_with("-Wp,-M")) {
            again.push_back(command[i]);
        }
    }
    again.insert(again.end(), options.begin(), options.end());
    // Warnings are those of the object itself.
    again.insert(again.end(), {"-g0", "-w", "-o", object});
    return again;
}

std::string KeepCalls(const std::string& object, const std::string& source, bool unoptimised,
                      const CompileAgain& again) {
    try {
        CallsOf calls = runtime::CallsIn(object);
        if (calls.empty()) return "";
        const std::vector<std::string> doubtful = unoptimised ? Doubtful(calls) : std::vector<std::string>();
        std::string warning;
        if (!doubtful.empty()) {
            const ScratchFolder folder;
            const std::string made = folder.File(0, ".o");
            const ProcessResult done = again(made);
            if (done.exit_code == 0) {
                calls = runtime::CallsIn(made);
                unoptimised = false;
            } else {
                warning = fmt::format(
                    "{}: warning: it does not compile with optimisation, which is how the cores of its kernels are "
                    "derived: {}\n{}: note: calls that never run count now, and a vector kernel may run as a mixed "
                    "one: "
                    "{}; declare KERNEL_TASK_TYPE_DEFAULT in it, or make the source compile with -O3\n",
                    source, FirstError(done.output), source, NamesOf(doubtful));
            }
        } else {
            unoptimised = false;
        }
        if (!calls.empty()) AddSection(object, runtime::kCallsSection, runtime::CallsText(calls, unoptimised));
        return warning;
    } catch (const Error& error) {
        return fmt::format(
            "{}: warning: the calls of its kernels, by which their cores are derived, are not noted: {}\n", source,
            error.what());
    }
}

ProcessResult CompileKeepingCalls(std::vector<std::string> command) {
    const auto after = [&](const char* option) {
        const auto it = std::ranges::find(command, option);
        return it == command.end() || it + 1 == command.end() ? "" : it[1];
    };
    const std::string source = after("-c"), object = after("-o");
    if (source.empty() || object.empty()) return RunCompilerAgain(std::move(command));
    command.emplace_back(kSections);
    ProcessResult done = RunCompilerAgain(command);
    if (done.exit_code == 0) {
        done.output += KeepCalls(object, source, IsUnoptimised(command), [&](const std::string& made) {
            return RunCompilerAgain(CompiledAgain(command, made, {"-O3", "-fno-lto"}));
        });
    }
    return done;
}

}  // namespace sfumato::jit
