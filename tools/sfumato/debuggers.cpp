// SPDX-License-Identifier: Apache-2.0
// `sfumato gdb` and `sfumato lldb`: compile a kernel for a debugger and become it, which runs `sfumato run`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "findings.h"
#include "options.h"
#include "sfumato/environment.h"

namespace sfumato::command {
namespace {

namespace fs = std::filesystem;

// A string of Python.
std::string Quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

// LINE, with or without "if CONDITION", is one of the kernel's source; any other text is the debugger's affair.
std::string BreakPlace(const std::string& text, const std::string& source) {
    const std::string place = text.substr(0, text.find(' '));
    const std::string line = place.substr(place.rfind(':') + 1);  // all of it without a colon
    if (line.find_first_not_of('0') == std::string::npos) {
        throw Error(fmt::format("--break '{}': there is no line 0: LINE, FILE:LINE or a function", text));
    }
    const bool number = place.find_first_not_of("0123456789") == std::string::npos;
    return number ? fmt::format("{}:{}", source, text) : text;
}

// The first statement of the kernel; of a template, of all its instances.
std::string BreakEntry(const KernelInfo& kernel) { return kernel.code_name.substr(0, kernel.code_name.find('<')); }

using CommandLine = std::vector<std::string>;

void AddCommand(CommandLine& words, const char* option, const std::string& command) {
    words.insert(words.end(), {option, command});
}

void BeginGdb(CommandLine& words) {
    AddCommand(words, "-x", DebuggerScript("sfumato_gdb.py"));
    AddCommand(words, "-ex", "set breakpoint pending on");
    for (const std::string& folder : DescribeToolchain("").include_dirs)
        AddCommand(words, "-ex", fmt::format("python skip_headers({})", Quoted(folder)));
}

void BeginLldb(CommandLine& words) {
    AddCommand(words, "-O", fmt::format("command script import {}", Quoted(DebuggerScript("sfumato_lldb.py"))));
}

// What differs.
struct Debugger {
    std::string_view name;  // the verb
    const char* variable;   // names another program
    std::array<const char*, 7> programs;
    const char *quiet, *execute, *arguments;  // options
    const char *at_entry, *at_place;          // commands, before a place
    void (*begin)(CommandLine&);
    const char* package;
};
constexpr Debugger kDebuggers[] = {
    {"gdb", "SFUMATO_GDB", {"gdb"}, "-q", "-ex", "--args", "break -qualified -function ", "break ", BeginGdb, "gdb"},
    // Debian 12's plain lldb has a Python that does not start.
    {"lldb",
     "SFUMATO_LLDB",
     {"lldb-20", "lldb-19", "lldb-18", "lldb-17", "lldb-16", "lldb"},
     "--source-quietly",
     "-o",
     "--",
     "sfumato-break ",
     "sfumato-break ",
     BeginLldb,
     "lldb-16"}};

const Debugger& FindDebugger(std::string_view name) {
    return *std::ranges::find_if(kDebuggers, [&](const Debugger& one) { return one.name == name; });
}

}  // namespace

std::string DebuggerScript(const char* name) {
    std::error_code error;
    fs::path above = fs::path(DescribeToolchain("").library).parent_path();
    for (int i = 0; i < 2 && above.has_parent_path(); ++i) {
        above = above.parent_path();
        const fs::path script = above / "share/sfumato/gdb" / name;
        if (fs::exists(script, error)) return script.string();
    }
    throw Error(fmt::format("share/sfumato/gdb/{} is missing beside the library: install Sfumato anew", name));
}

std::vector<std::string> DebuggerPrograms(std::string_view name) {
    const auto& programs = FindDebugger(name).programs;
    return {programs.begin(), std::ranges::find(programs, nullptr)};
}

int Debug(const RunOptions& options, std::string_view name, const DebuggerOptions& asked) {
    const Debugger& debugger = FindDebugger(name);
    const char* chosen = std::getenv(debugger.variable);
    CommandLine programs = DebuggerPrograms(name);
    if (chosen && *chosen) programs = {chosen};
    CommandLine words = {"", debugger.quiet};
    debugger.begin(words);
    RunOptions own = options;
    try {
        const auto kernels = CompileFor(own);
        if (asked.breaks.empty())
            AddCommand(words, debugger.execute, debugger.at_entry + BreakEntry(kernels->Find(own.kernel)));
    } catch (const CompileError& e) {
        SayError(e.what());
        return kCompile;
    }
    for (const std::string& text : asked.breaks)
        AddCommand(words, debugger.execute, debugger.at_place + BreakPlace(text, options.compile.source));
    AddCommand(words, debugger.execute, "run");
    words.insert(words.end(), asked.more.begin(), asked.more.end());
    words.insert(words.end(), {debugger.arguments, Self().string(), "run", "--debugged"});
    words.insert(words.end(), asked.run.begin(), asked.run.end());
    for (const std::string& program : programs) {
        words[0] = program;
        Become(words);
    }
    SayError(
        fmt::format("sfumato {0} needs {0}; {1}: {2}. Install it (Debian: apt-get install {3}), or name one with {4}",
                    name, programs.back(), std::strerror(errno), debugger.package, debugger.variable));
    return kUsage;
}

}  // namespace sfumato::command
