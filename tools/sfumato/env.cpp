// SPDX-License-Identifier: Apache-2.0
// `sfumato env`: prints the settings that lead programs to the toolkit folder, or runs one under them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "findings.h"
#include "options.h"
#include "output.h"
#include "shown.h"

namespace sfumato::command {
namespace {

// In single quotes, with what ends them written so that the shell reads it as itself.
std::string Quoted(const std::string& value, const char* quote) {
    std::string text = "'";
    for (const char c : value) text += c == '\'' ? std::string(quote) : std::string(1, c);
    return text + "'";
}

std::string ForShell(const std::string& shell, const std::vector<toolkit::Setting>& settings) {
    std::string text;
    if (shell == "json") {
        nlohmann::ordered_json json;
        for (const auto& [name, value] : settings) json[name] = value;
        return json.dump(2) + "\n";
    }
    for (const auto& [name, value] : settings) {
        if (shell != "fish") {
            text += fmt::format("export {}={}\n", name, Quoted(value, "'\\''"));
            continue;
        }
        // A list, split at the colons.
        const bool list =
            name == "PATH" || name == "LD_LIBRARY_PATH" || name == "PYTHONPATH";  // CMake takes its own apart
        text += fmt::format("set -gx {}{} {}\n", list ? "--path " : "", name, Quoted(value, "\\'"));
    }
    return text;
}

int Check() {
    const std::vector<Report> findings = toolkit::CheckEnvironment();
    for (const Report& report : findings) PrintError(report.Text() + "\n");
    return findings.empty() ? kOk : kFault;
}

bool IsSame(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    return std::filesystem::equivalent(a, b, ignored);
}
// Where the folder is at /usr/local/Ascend, as in a namespace of ours, or where root has linked it.
bool IsShown(const std::string& folder) {
    const std::string file = "/ascend-toolkit/set_env.sh";
    return IsSame(kPlace + file, folder + file);
}

constexpr const char* kNotShown =
    "note: /usr/local/Ascend is not Sfumato's toolkit folder ({}): a build that names it needs {}\n";

// Shows the folder to what this process becomes, or says once why not.
void ShowIt(const std::string& folder) {
    if (IsSame(folder, kPlace)) return;
    const std::string why = Show(folder);
    if (why.empty() || IsShown(folder)) return;
    PrintError(fmt::format(kNotShown, why, "`sfumato toolkit link`"));
}

}  // namespace

void AddEnvOptions(CLI::App& env, EnvOptions& o) {
    env.add_option("--chip", o.environment.chip,
                   "product that the kernels run on (default: $SFUMATO_CHIP, else what a program was built for, else "
                   "Ascend910B1)")
        ->type_name("NAME");
    env.add_flag("--torch", o.environment.torch, "also set PYTHONPATH, where Python finds torch_npu");
    env.add_flag("--plain", o.plain, "only set variables; show nothing at /usr/local/Ascend");
    env.add_option("--shell", o.shell, "print for this shell (sh, fish), or as JSON")
        ->check(CLI::IsMember({"sh", "fish", "json"}))
        ->capture_default_str();
    env.add_flag("--check", o.check, "say what is wrong with the present environment; exit code 4 if something is");
    env.footer(
        "eval \"$(sfumato env)\" sets the variables in this shell; `sfumato env -- COMMAND ...` runs a command under\n"
        "them, which finds the folder at /usr/local/Ascend, too. The machine stays as it is.");
}

int EnterEnvironment(EnvOptions& o) {
    try {
        o.environment.command_dir = Self().parent_path().string();
        for (const auto& [name, value] : toolkit::Environment(o.environment)) setenv(name.c_str(), value.c_str(), 1);
        if (!o.plain) ShowIt(toolkit::LinkFolder());
        return kOk;
    } catch (const KernelError& error) {
        PrintError(std::string(error.what()) + "\n");
        return kFault;
    }
}

int RunEnv(EnvOptions o, char** command) {
    if (*command && !o.check) {
        if (const int code = EnterEnvironment(o); code != kOk) return code;
        execvp(command[0], command);
        SayError(fmt::format("cannot run {}: {}", command[0], std::strerror(errno)));
        return 127;
    }
    try {
        if (o.check) return Check();
        o.environment.command_dir = Self().parent_path().string();
        PrintOut(ForShell(o.shell, toolkit::Environment(o.environment)));
        if (o.shell != "json" && !o.plain && !IsShown(toolkit::LinkFolder()))
            PrintError(fmt::format(kNotShown, "eval only sets variables",
                                   "`sfumato env -- COMMAND`, or `sfumato toolkit link`"));
        return kOk;
    } catch (const KernelError& error) {
        PrintError(std::string(error.what()) + "\n");
        return kFault;
    }
}

}  // namespace sfumato::command
