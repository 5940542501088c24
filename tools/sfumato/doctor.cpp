// SPDX-License-Identifier: Apache-2.0
// `sfumato doctor`: what is here of what Sfumato uses, and the command that installs what is not.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "findings.h"
#include "options.h"
#include "sfumato/environment.h"

namespace sfumato::command {
namespace {

using Json = nlohmann::ordered_json;

enum class NeedKind { kCompiler, kProgram, kModule };
enum Manager { kApt, kDnf, kConda, kPip, kManagers };

// What is used, and what each manager of packages calls it; null: it has none. What pip has is a module of Python.
struct Need {
    NeedKind kind;
    const char *name, *what;
    std::array<const char*, kManagers> packages;
};
constexpr Need kNeeds[] = {
    {NeedKind::kCompiler, "c++", "kernels", {"g++", "gcc-c++", "gxx", nullptr}},
    {NeedKind::kProgram, "gdb", "sfumato gdb and F5 in VS Code", {"gdb", "gdb", "gdb", nullptr}},
    {NeedKind::kProgram, "lldb", "sfumato lldb", {"lldb", "lldb", "lldb", nullptr}},
    {NeedKind::kProgram, "cmake", "projects with CMakeLists.txt", {"cmake", "cmake", "cmake", nullptr}},
    {NeedKind::kProgram,
     "python3",
     "sfumato tik, op, diff, judge, sweep, record",
     {"python3", "python3", "python", nullptr}},
    {NeedKind::kModule, "numpy", "the package sfumato", {"python3-numpy", "python3-numpy", "numpy", "numpy"}},
    {NeedKind::kModule, "ml_dtypes", "the package sfumato", {nullptr, nullptr, "ml_dtypes", "ml_dtypes"}},
    {NeedKind::kModule, "pytest", "tests of kernels", {"python3-pytest", "python3-pytest", "pytest", "pytest"}},
    {NeedKind::kModule, "torch", "torch_npu, sfumato env --torch", {nullptr, nullptr, "pytorch-cpu", "torch"}},
    {NeedKind::kModule, "plotly", "heat maps of sfumato sweep", {nullptr, nullptr, "plotly", "plotly"}},
    {NeedKind::kModule, "allpairspy", "pairs of parameters in sweeps", {nullptr, nullptr, nullptr, "allpairspy"}},
    {NeedKind::kModule, "tqdm", "progress of judge and sweep", {"python3-tqdm", "python3-tqdm", "tqdm", "tqdm"}},
    {NeedKind::kModule,
     "hypothesis",
     "sfumato.testing with hypothesis",
     {"python3-hypothesis", "python3-hypothesis", "hypothesis", "hypothesis"}},
    {NeedKind::kModule, "ray", "sweeps on a cluster", {nullptr, nullptr, "ray-core", "ray"}},
};

std::string VariableOf(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// The words of ID, ID_LIKE and VERSION_CODENAME in /etc/os-release; tests name another file.
std::set<std::string> Distributions() {
    const std::string given = VariableOf("SFUMATO_OS_RELEASE");
    std::ifstream file(given.empty() ? "/etc/os-release" : given);
    std::set<std::string> words;
    for (std::string line; std::getline(file, line);) {
        const size_t equals = line.find('=');
        const std::string key = line.substr(0, equals);
        if (equals == std::string::npos || (key != "ID" && key != "ID_LIKE" && key != "VERSION_CODENAME")) continue;
        std::string value = line.substr(equals + 1);
        std::erase(value, '"');
        std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
        std::istringstream list(value);
        for (std::string word; list >> word;) words.insert(word);
    }
    return words;
}

// That of programs here; kManagers: one that we do not know.
Manager ManagerHere() {
    if (!VariableOf("CONDA_PREFIX").empty()) return kConda;
    constexpr std::pair<const char*, Manager> kNames[] = {{"debian", kApt}, {"ubuntu", kApt},     {"fedora", kDnf},
                                                          {"rhel", kDnf},   {"centos", kDnf},     {"openeuler", kDnf},
                                                          {"anolis", kDnf}, {"opencloudos", kDnf}};
    const std::set<std::string> here = Distributions();
    for (const auto& [name, manager] : kNames) {
        if (here.contains(name)) return manager;
    }
    return kManagers;
}

std::string FindInPath(const std::string& program) {
    std::istringstream path(VariableOf("PATH"));
    for (std::string dir; std::getline(path, dir, ':');) {
        const std::string file = dir + "/" + program;
        std::error_code ignored;
        if (access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file, ignored)) return file;
    }
    return "";
}

// What the interpreter says of itself.
struct PythonHere {
    std::string program, version;
    bool is_systems = false;  // its packages belong to the distribution
    std::set<std::string> modules;
};

PythonHere AskPython() {
    PythonHere python{PythonProgram(), "", false, {}};
    std::string script =
        "import importlib.util, os, sys, sysconfig\n"
        "print(sys.version.split()[0])\n"
        "mark = os.path.join(sysconfig.get_path(\"stdlib\"), \"EXTERNALLY-MANAGED\")\n"
        "print(int(sys.prefix == sys.base_prefix and os.path.exists(mark)))\n"
        "for name in sys.argv[1:]:\n"
        "    print(name if importlib.util.find_spec(name) else \"\")\n";
    std::string command = "exec \"$SFUMATO_ASKED\" -c '" + script + "' sfumato";
    for (const Need& need : kNeeds) command += need.kind == NeedKind::kModule ? fmt::format(" {}", need.name) : "";
    setenv("SFUMATO_ASKED", python.program.c_str(), 1);
    FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
    unsetenv("SFUMATO_ASKED");
    if (!pipe) return python;
    std::string text;
    for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    pclose(pipe);
    std::istringstream lines(text);
    std::string managed;
    std::getline(lines, python.version);
    std::getline(lines, managed);
    python.is_systems = managed == "1";
    for (std::string name; std::getline(lines, name);) python.modules.insert(name);
    return python;
}

// How a thing is installed; empty where we know no way.
std::string InstallCommand(const Need& need, Manager manager, const PythonHere& python) {
    // Packages of a distribution are seen by its own Python alone.
    const bool own = need.kind == NeedKind::kModule && manager != kConda && !python.is_systems;
    const char* package = manager == kManagers || own ? nullptr : need.packages[manager];
    const std::string root = geteuid() == 0 ? "" : "sudo ";
    // Its plain lldb has a Python that does not start.
    if (package && package == std::string_view("lldb") && Distributions().contains("bookworm")) package = "lldb-16";
    if (package) {
        if (manager == kConda) return fmt::format("conda install -c conda-forge {}", package);
        return fmt::format("{}{} install {}", root, manager == kApt ? "apt-get" : "dnf", package);
    }
    const char* by_pip = need.packages[kPip];
    if (!by_pip) return "";
    const char* may = python.is_systems ? " --user --break-system-packages" : "";
    return fmt::format("{} -m pip install{} {}", python.program, may, by_pip);
}

struct NeedAnswer {
    const Need* need;
    std::string found;  // a path, or "yes" of a module; empty: missing
    std::string command;
};

std::string DebuggerHere(const std::string& name) {
    if (const std::string own = VariableOf(name == "gdb" ? "SFUMATO_GDB" : "SFUMATO_LLDB"); !own.empty()) {
        return own.find('/') == std::string::npos ? FindInPath(own) : access(own.c_str(), X_OK) == 0 ? own : "";
    }
    for (const std::string& program : DebuggerPrograms(name)) {
        if (const std::string path = FindInPath(program); !path.empty()) return path;
    }
    return "";
}

std::vector<NeedAnswer> AskAll(const ToolchainInfo& tools, const PythonHere& python) {
    const Manager manager = ManagerHere();
    std::vector<NeedAnswer> answers;
    for (const Need& need : kNeeds) {
        NeedAnswer answer{&need, "", InstallCommand(need, manager, python)};
        const std::string name = need.name;
        if (need.kind == NeedKind::kCompiler) {
            answer.found = tools.compiler_problem.empty() ? tools.compiler : "";
        } else if (need.kind == NeedKind::kModule) {
            if (python.version.empty()) continue;  // Python itself is missing
            answer.found = python.modules.contains(name) ? "yes" : "";
        } else if (name == "python3") {
            answer.found = python.version.empty() ? "" : python.program;
        } else {
            answer.found = name == "cmake" ? FindInPath(name) : DebuggerHere(name);
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

std::string Megabytes(uint64_t bytes) { return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20)); }

std::string PrefixLine(const ToolchainInfo& t) {
    if (!t.prefix_problem.empty()) return fmt::format("not made: {}", t.prefix_problem);
    if (t.prefixes == 0) return "none yet: the first kernel has it made in the background";
    return fmt::format("{} ({} of {} at most): kernels compile in a third of the time", t.prefixes,
                       Megabytes(t.prefix_bytes), Megabytes(t.prefix_limit));
}

void Print(const ToolchainInfo& t, const PythonHere& python, const std::vector<NeedAnswer>& answers) {
    const std::string includes = t.include_dirs.empty() ? "NOT FOUND: set SFUMATO_INCLUDE to the directory that holds "
                                                          "kernel_operator.h"
                                                        : fmt::format("{}", fmt::join(t.include_dirs, ", "));
    std::vector<std::string> programs, modules;
    for (const NeedAnswer& answer : answers) {
        if (answer.found.empty()) continue;
        if (answer.need->kind == NeedKind::kModule) modules.emplace_back(answer.need->name);
        if (answer.need->kind == NeedKind::kProgram) programs.push_back(answer.found);
    }
    fmt::print("version   {}\n", Version());
    fmt::print("library   {}\n", t.library);
    fmt::print("headers   {}\n", t.include_problem.empty() ? includes : t.include_problem);
    fmt::print("compiler  {}\n", t.compiler_problem.empty() ? fmt::format("{} ({})", t.compiler, t.compiler_version)
                                                            : t.compiler_problem);
    fmt::print("SIMD      {} in use; usable here: {}\n", CurrentSimdTarget(), fmt::join(SimdTargets(), ", "));
    fmt::print("CPUs      {}\n", sysconf(_SC_NPROCESSORS_ONLN));
    fmt::print("cache     {} ({}{})\n", t.cache_dir.empty() ? "none: HOME is not set" : t.cache_dir,
               Megabytes(t.cache_bytes), t.cache_writable ? "" : ", not writable: every run compiles");
    fmt::print("prefix    {}\n", PrefixLine(t));
    fmt::print("programs  {}\n", fmt::join(programs, ", "));
    if (!python.version.empty())
        fmt::print("Python    {} {}: {}\n", python.program, python.version, fmt::join(modules, ", "));
    for (const NeedAnswer& answer : answers) {
        if (!answer.found.empty()) continue;
        fmt::print("missing   {}, for {}: {}\n", answer.need->name, answer.need->what,
                   answer.command.empty() ? "install it as this system does" : answer.command);
    }
}

Json ToJson(const ToolchainInfo& t, const std::vector<NeedAnswer>& answers, bool usable) {
    Json needs = Json::array();
    for (const NeedAnswer& answer : answers) {
        needs.push_back({{"name", answer.need->name},
                         {"for", answer.need->what},
                         {"found", !answer.found.empty()},
                         {"command", answer.found.empty() ? answer.command : ""}});
    }
    return {{"ok", usable},
            {"version", Version()},
            {"library", t.library},
            {"include_dirs", t.include_dirs},
            {"compiler", t.compiler},
            {"compiler_version", t.compiler_version},
            {"simd_targets", SimdTargets()},
            {"simd_current", CurrentSimdTarget()},
            {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
            {"cache_dir", t.cache_dir},
            {"cache_bytes", t.cache_bytes},
            {"cache_writable", t.cache_writable},
            {"prefixes", t.prefixes},
            {"prefix_bytes", t.prefix_bytes},
            {"prefix_limit", t.prefix_limit},
            {"prefix_problem", t.prefix_problem},
            {"needs", std::move(needs)}};
}

}  // namespace

int Doctor(const std::string& cache_dir, bool json) {
    const ToolchainInfo t = DescribeToolchain(cache_dir);
    const bool usable = t.compiler_problem.empty() && t.include_problem.empty() && !t.include_dirs.empty();
    const PythonHere python = AskPython();
    const std::vector<NeedAnswer> answers = AskAll(t, python);
    if (json) {
        fmt::print("{}\n", ToJson(t, answers, usable).dump(2));
    } else {
        Print(t, python, answers);
        fmt::print("{}\n", usable ? "ready to run kernels" : "NOT ready: correct what is said above");
    }
    return usable ? kOk : 1;
}

}  // namespace sfumato::command
