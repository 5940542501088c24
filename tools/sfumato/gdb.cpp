// SPDX-License-Identifier: Apache-2.0
// `sfumato gdb`: compiles a kernel for a debugger and becomes gdb, which runs `sfumato run` on it.
#include <fmt/format.h>

#include <algorithm>
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

// LINE, with or without "if CONDITION", is one of the kernel's source; any other text is gdb's affair.
std::string Break(const std::string& text, const std::string& source) {
    const std::string place = text.substr(0, text.find(' '));
    const std::string line = place.substr(place.rfind(':') + 1);  // all of it without a colon
    if (line.find_first_not_of('0') == std::string::npos) {
        throw Error(fmt::format("--break '{}': there is no line 0: LINE, FILE:LINE or a function", text));
    }
    const bool number = place.find_first_not_of("0123456789") == std::string::npos;
    return number ? fmt::format("break {}:{}", source, text) : "break " + text;
}

// At the first statement of the kernel; of a template, of all its instances.
std::string BreakAtEntry(const KernelInfo& kernel) {
    return fmt::format("break -qualified -function {}", kernel.code_name.substr(0, kernel.code_name.find('<')));
}

}  // namespace

std::string GdbScript() {
    std::error_code error;
    fs::path above = fs::path(DescribeToolchain("").library).parent_path();
    for (int i = 0; i < 2 && above.has_parent_path(); ++i) {
        above = above.parent_path();
        const fs::path script = above / "share/sfumato/gdb/sfumato_gdb.py";
        if (fs::exists(script, error)) return script.string();
    }
    throw Error("share/sfumato/gdb/sfumato_gdb.py is missing beside the library: install Sfumato anew");
}

int Gdb(const RunOptions& options, const GdbOptions& gdb) {
    const char* chosen = std::getenv("SFUMATO_GDB");
    const std::string program = chosen && *chosen ? chosen : "gdb";
    std::vector<std::string> words = {program, "-q", "-x", GdbScript()};
    const auto execute = [&](const std::string& command) { words.insert(words.end(), {"-ex", command}); };
    execute("set breakpoint pending on");
    for (const std::string& folder : DescribeToolchain("").include_dirs)
        execute(fmt::format("python skip_headers({})", Quoted(folder)));
    RunOptions own = options;
    try {
        const auto kernels = CompileFor(own);
        if (gdb.breaks.empty()) execute(BreakAtEntry(kernels->Find(own.kernel)));
    } catch (const CompileError& e) {
        SayError(e.what());
        return kCompile;
    }
    for (const std::string& text : gdb.breaks) execute(Break(text, options.compile.source));
    execute("run");
    words.insert(words.end(), gdb.more.begin(), gdb.more.end());
    words.insert(words.end(), {"--args", Self().string(), "run", "--debugged"});
    words.insert(words.end(), gdb.run.begin(), gdb.run.end());
    Become(words);
    SayError(
        fmt::format("sfumato gdb needs gdb; {}: {}. Install it (Debian: apt-get install gdb), or name one with "
                    "SFUMATO_GDB",
                    program, std::strerror(errno)));
    return kUsage;
}

}  // namespace sfumato::command
