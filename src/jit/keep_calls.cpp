// SPDX-License-Identifier: Apache-2.0
// Reads what an object calls, and where that is doubtful what its optimised twin calls.
#include "jit/keep_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "jit/add_section.h"
#include "jit/scratch_folder.h"
#include "jit/second_try.h"
#include "runtime/code/call_notes.h"
#include "runtime/code/code_use.h"
#include "sfumato/report.h"

namespace sfumato::jit {
namespace {

using runtime::CallsOf;

constexpr const char* kSections = "-ffunction-sections";  // calls within a section leave no trace

// Whether a function may run on cube cores, or with others, for calls that never run.
bool HasDoubtful(const CallsOf& calls) {
    return std::ranges::any_of(calls, [](const auto& call) {
        const std::set<std::string> entries = runtime::EntriesOf(call.second);
        const CodeUse use = runtime::UseOf(entries);
        return (use.cube || use.cross_core) && !entries.contains("DeclareTaskType");
    });
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
        std::string warning;
        unoptimised = unoptimised && HasDoubtful(calls);
        if (unoptimised) {
            const ScratchFolder folder;
            const std::string made = folder.File(0, ".o");
            const ProcessResult done = again(made);
            unoptimised = done.exit_code != 0;
            if (!unoptimised) calls = runtime::CallsIn(made);
            if (unoptimised) {
                warning = fmt::format(
                    "{0}: warning: it does not compile with optimisation, which is how the cores of its kernels are "
                    "derived: {1}\n{0}: note: calls that never run count now: a vector kernel whose code has calls of "
                    "the cube unit runs as a mixed one; declare KERNEL_TASK_TYPE_DEFAULT, or make the source compile "
                    "with optimisation\n",
                    source, FirstError(done.output));
            }
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
