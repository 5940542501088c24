// SPDX-License-Identifier: Apache-2.0
// Reads the profiler's command lines (toolkit.md, "Profilers") and runs the program.
#include "msprof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

#include "findings.h"
#include "near.h"
#include "options.h"
#include "output.h"
#include "sfumato/environment.h"
#include "sfumato/jit.h"

namespace sfumato::command {
namespace fs = std::filesystem;
namespace {

constexpr OptionHelp kMsprofOptions[] = {
    {"--application", "COMMAND", "the program with its arguments; or these behind the options"},
    {"--output", "DIR", "where the folder with the files is made; default: this one"},
    {"--kernel-name", "NAMES", "op: beginnings of the names of kernels, with | between"},
    {"--launch-count", "N", "op: how many launches, default 1"},
    {"--launch-skip-before-match", "N", "op: launches before the first one that counts"},
    {"--soc-version", "NAME", "op simulator: the product that runs the kernels"},
    {"-h, --help", "", "this list"}};

// Options that choose what hardware counts, how it is sampled, or how much of it is kept: accepted, and nothing
// follows.
constexpr const char* kOfHardware =
    "aic-metrics aic-mode aic-freq ai-core aicpu ascendcl core-id delay device-id dump duration dvpp-freq "
    "dvpp-profiling "
    "environment ge-api hccl host-sys host-sys-pid host-sys-usage host-sys-usage-freq instr-profiling "
    "instr-profiling-freq kill "
    "l2 llc-profiling model-execution mstx mstx-domain-exclude mstx-domain-include mstx-include msproftx pc-sampling "
    "pipeline "
    "python-path replay-mode reports runtime-api storage-limit summary-format sys-cpu-freq sys-cpu-profiling "
    "sys-devices "
    "sys-hardware-mem sys-hardware-mem-freq sys-interconnection-freq sys-interconnection-profiling sys-io-profiling "
    "sys-io-sampling-freq sys-period sys-pid-profiling sys-pid-sampling-freq sys-profiling sys-sampling-freq "
    "task-memory "
    "task-time task-tsfw timeout type warm-up";

struct Refusal {
    const char *option, *why;
};
constexpr Refusal kRefused[] = {
    {"config", "an object file of a kernel is not run alone: give the program that launches it"},
    {"export", "the files are written when the program ends, and nothing is left to export"},
    {"parse", "the files are written when the program ends, and nothing is left to parse"},
    {"query", "the files are written when the program ends, and nothing is left to query"},
    {"analyze", "the files are written when the program ends, and nothing is left to analyse"},
    {"dynamic", "a program is told before it starts that it is to be estimated: start it by msprof"},
    {"pid", "a program is told before it starts that it is to be estimated: start it by msprof"}};

std::vector<std::string> Split(const std::string& text, char at) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (c == at)
            words.emplace_back();
        else
            words.back() += c;
    }
    std::erase(words, "");
    return words;
}

// As a shell takes a line without variables apart.
std::vector<std::string> Line(const std::string& text) {
    std::vector<std::string> words;
    bool inside = false;
    char quote = 0;
    for (const char c : text) {
        if (quote ? c == quote : c == '\'' || c == '"') {
            quote = quote ? 0 : c;
            if (!inside) words.emplace_back();
            inside = true;
        } else if (!quote && std::isspace(static_cast<unsigned char>(c))) {
            inside = false;
        } else {
            if (!inside) words.emplace_back();
            inside = true;
            words.back() += c;
        }
    }
    if (quote) throw Error(fmt::format("--application: a {} is not closed: {}", quote, text));
    return words;
}

size_t Number(const std::string& option, const std::string& value, size_t least) {
    size_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least)
        throw Error(fmt::format("--{} is '{}'; legal: a number, {} or more", option, value, least));
    return number;
}

std::vector<std::string> Known() {
    std::vector<std::string> names = Split(kOfHardware, ' ');
    for (const OptionHelp& option : kMsprofOptions) {
        if (option.names.starts_with("--")) names.emplace_back(option.names.substr(2));
    }
    for (const Refusal& refused : kRefused) names.emplace_back(refused.option);
    return names;
}

void Take(Profiling& asked, const std::string& name, const std::string& value) {
    if (name == "application") {
        const std::vector<std::string> line = Line(value);
        asked.program.insert(asked.program.end(), line.begin(), line.end());
    } else if (name == "output") {
        asked.output = value;
    } else if (name == "kernel-name") {
        asked.kernels = Split(value, '|');
    } else if (name == "launch-count") {
        asked.count = Number(name, value, 1);
    } else if (name == "launch-skip-before-match") {
        asked.skip = Number(name, value, 0);
    } else if (name == "soc-version") {
        ChipOf(value);
        asked.soc = value;
    } else {
        asked.unused.push_back("--" + name);
    }
}

// Without a folder: the one here goes first, as the vendor's tool has it.
std::string Located(const std::string& program) {
    if (program.find('/') == program.npos && access(program.c_str(), X_OK) == 0 && !fs::is_directory(program))
        return "./" + program;
    return program;
}

// Runs it and returns its exit code. A Ctrl-C is for the program.
int RunProgram(const std::vector<std::string>& words) {
    std::vector<char*> raw;
    for (const std::string& word : words) raw.push_back(const_cast<char*>(word.c_str()));
    raw.push_back(nullptr);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        execvp(raw[0], raw.data());
        SayError(fmt::format("msprof: cannot run {}: {}", words[0], std::strerror(errno)));
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child < 0) throw Error(fmt::format("cannot run {}: {}", words[0], std::strerror(errno)));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<nlohmann::ordered_json> Launches(const fs::path& file) {
    std::vector<nlohmann::ordered_json> all;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        auto launch = nlohmann::ordered_json::parse(line, nullptr, false);
        if (launch.is_object()) all.push_back(std::move(launch));  // a process that was killed may leave half a line
    }
    return all;
}

// Those that were asked for.
std::vector<nlohmann::ordered_json> Chosen(const Profiling& asked, const std::vector<nlohmann::ordered_json>& all) {
    std::vector<nlohmann::ordered_json> chosen;
    for (const auto& launch : all) {
        const std::string name = launch["kernel"];
        const auto begins = [&](const std::string& word) { return name.starts_with(word); };
        if (asked.kernels.empty() || std::ranges::any_of(asked.kernels, begins)) chosen.push_back(launch);
    }
    chosen.erase(chosen.begin(), chosen.begin() + std::min(asked.skip, chosen.size()));
    if (asked.count && chosen.size() > asked.count) chosen.resize(asked.count);
    return chosen;
}

// What the tool has to say about a run without a launch that counts.
std::string WhyNothing(const Profiling& asked, const std::vector<nlohmann::ordered_json>& all) {
    if (all.empty()) return "the program launched no kernel";
    std::set<std::string> names;
    for (const auto& launch : all) names.insert(launch["kernel"].get<std::string>());
    return fmt::format("no launch is of --kernel-name={} behind the first {}: launched were {}",
                       fmt::join(asked.kernels, "|"), asked.skip, fmt::join(names, ", "));
}

int Profile(const Profiling& asked) {
    std::error_code error;
    fs::create_directories(asked.output, error);
    if (error) throw Error(fmt::format("--output: cannot make {}: {}", asked.output, error.message()));
    char file[] = "/tmp/sfumato-msprof-XXXXXX";
    const int number = mkstemp(file);
    if (number < 0) throw Error(fmt::format("cannot make {}: {}", file, std::strerror(errno)));
    close(number);
    const char* options = std::getenv("SFUMATO_OPTIONS");
    setenv("SFUMATO_OPTIONS",
           fmt::format("{}{}estimates={}", options ? options : "", options && *options ? "," : "", file).c_str(), 1);
    if (!asked.soc.empty()) setenv("SFUMATO_CHIP", asked.soc.c_str(), 1);
    if (!asked.unused.empty())
        PrintError(fmt::format("msprof: {}: of the hardware's counters, which an estimate has none of\n",
                               fmt::join(asked.unused, ", ")));
    std::vector<std::string> program = asked.program;
    program[0] = Located(program[0]);
    const int code = RunProgram(program);
    const auto all = Launches(file), chosen = Chosen(asked, all);
    unlink(file);
    if (chosen.empty()) {
        if (code == 127 && all.empty()) return code;  // it did not start
        PrintError(fmt::format("msprof: nothing to estimate: {}\n", WhyNothing(asked, all)));
        return code;
    }
    PrintOut("msprof: estimates, not measurements (`sfumato time` tells what they rest on)\n" + ProfileTable(chosen));
    PrintOut(fmt::format("msprof: written to {}\n", WriteProfile(asked, chosen)));
    return code;
}

}  // namespace

Profiling ReadMsprof(const std::vector<std::string>& words) {
    Profiling asked;
    size_t i = 0;
    asked.op = i < words.size() && words[i] == "op";
    i += asked.op;
    asked.simulator = asked.op && i < words.size() && words[i] == "simulator";
    i += asked.simulator;
    if (asked.op) asked.count = 1;
    const std::vector<std::string> known = Known();
    for (; i < words.size() && words[i].starts_with("--"); ++i) {
        const size_t equals = std::min(words[i].find('='), words[i].size());
        const std::string name = words[i].substr(2, equals - 2);
        if (std::ranges::find(known, name) == known.end()) {
            const std::vector<std::string> near = Near(name, known);
            throw Error(
                fmt::format("--{} is no option of msprof{}", name, near.empty() ? "" : "; near: --" + near.front()));
        }
        for (const Refusal& refused : kRefused) {
            if (name == refused.option) throw Error(fmt::format("--{}: {}", name, refused.why));
        }
        if (equals < words[i].size()) {
            Take(asked, name, words[i].substr(equals + 1));
        } else if (i + 1 < words.size()) {
            Take(asked, name, words[++i]);
        } else {
            throw Error(fmt::format("--{} has no value", name));
        }
    }
    asked.program.insert(asked.program.end(), words.begin() + static_cast<ptrdiff_t>(i), words.end());
    if (asked.program.empty())
        throw Error("no program: give it behind the options, or as --application=\"./main arguments\"");
    return asked;
}

std::span<const OptionHelp> MsprofOptionHelp() { return kMsprofOptions; }

int RunMsprof(int count, char** arguments) {
    const std::vector<std::string> words(arguments, arguments + count);
    const auto own = std::ranges::find_if(words, [](const std::string& w) { return w == "-h" || w == "--help"; });
    if (own != words.end() && std::all_of(words.begin(), own, [](const std::string& w) {
            return w.starts_with("--") || w == "op" || w == "simulator";
        })) {
        PrintOut("usage: msprof [op [simulator]] [options] PROGRAM [arguments]\n\n" + HelpLines(kMsprofOptions));
        return kOk;
    }
    try {
        return Profile(ReadMsprof(words));
    } catch (const std::exception& error) {
        PrintError(fmt::format("msprof: error: {}\n", error.what()));
        return 1;
    }
}

}  // namespace sfumato::command
