// SPDX-License-Identifier: Apache-2.0
// The command `sfumato`: its verbs, and how a command line reaches one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "explain/explain.h"
#include "findings.h"
#include "near.h"
#include "options.h"
#include "output.h"
#include "plain.h"
#include "run_words.h"
#include "sfumato/environment.h"

namespace sfumato::command {
namespace {

// What the command line says; CLI11 fills it.
struct Said {
    int argc;
    char** argv;
    int own = argc;  // where the first "--" is; what follows is the kernel's, or another program's
    RunOptions run;
    RunWords words;
    ExplainOptions explain;
    InitOptions init;
    EnvOptions env;
    TestOptions test;
    ToolkitOptions toolkit;
    bool json = false;
    std::string chip, cache_dir;
};

// Without optimisation, with the names of all variables. After the user's own flags.
constexpr const char* kDebugFlags[] = {"--flag=-O0", "--flag=-g"};

// Where the kernel's arguments end: at the second "--", if there is one.
int KernelEnd(int own, int argc, char** argv) {
    int end = std::min(own + 1, argc);
    while (end < argc && std::string_view(argv[end]) != "--") ++end;
    return end;
}

// The command line of `sfumato gdb`, split: what is `sfumato run`'s, and, behind a second "--", the debugger's.
DebuggerOptions ForDebugger(int own, int argc, char** argv, const std::vector<std::string>& breaks) {
    DebuggerOptions asked;
    asked.breaks = breaks;
    for (int i = 2; i < own; ++i) {
        const std::string_view word = argv[i];
        if (word == "--break") {
            ++i;
        } else if (!word.starts_with("--break=")) {
            asked.run.emplace_back(word);
        }
    }
    asked.run.insert(asked.run.end(), std::begin(kDebugFlags), std::end(kDebugFlags));
    asked.run.emplace_back("--");
    asked.run.insert(asked.run.end(), argv + std::min(own + 1, argc), argv + KernelEnd(own, argc, argv));
    asked.more.assign(argv + std::min(KernelEnd(own, argc, argv) + 1, argc), argv + argc);
    return asked;
}

// The first word that names a Python script, before the kernel's own arguments; nullptr without.
const char* NamedScript(int argc, char** argv) {
    for (int i = 2; i < argc && std::string_view(argv[i]) != "--"; ++i) {
        if (argv[i][0] != '-' && std::string_view(argv[i]).ends_with(".py")) return argv[i];
    }
    return nullptr;
}

void AddRun(CLI::App& app, Said& said) {
    AddRunOptions(app, said.run, said.words);
    if (app.get_name() == "run") app.add_flag("--debugged", said.run.debugged)->group("");  // of `sfumato gdb`
}

void AddDebugger(CLI::App& app, Said& said, const char* footer) {
    AddRun(app, said);
    app.add_option("--break", said.words.breaks,
                   "where to stop: LINE, FILE:LINE or a function; default: the kernel; repeatable")
        ->type_name("PLACE")
        ->allow_extra_args(false);
    app.footer(footer);
}

void AddGdb(CLI::App& app, Said& said) {
    AddDebugger(app, said,
                "What follows a second -- goes to gdb: sfumato gdb k.cpp --chip Ascend910B1 -- x.npy -- -ex bt\n"
                "SFUMATO_GDB names another gdb. docs/debugging.md tells more.");
}

void AddLldb(CLI::App& app, Said& said) {
    AddDebugger(app, said,
                "What follows a second -- goes to lldb: sfumato lldb k.cpp --chip Ascend910B1 -- x.npy -- -o bt\n"
                "SFUMATO_LLDB names another lldb (16 or newer). docs/debugging.md tells more.");
}

void AddChips(CLI::App& app, Said& said) {
    app.add_option("chip", said.chip, "a family or a product: print all that is known of it")->type_name("CHIP");
    app.add_flag("--json", said.json, "print JSON");
}

void AddDoctor(CLI::App& app, Said& said) {
    app.add_flag("--json", said.json, "print JSON");
    app.add_option("--cache", said.cache_dir, "look at this folder of compiled kernels")->type_name("DIR");
    app.footer(
        "What is missing stands with the command that installs it on this machine: of apt-get, dnf or conda.\n"
        "The exit code is 1 if kernels cannot be compiled, else 0: kernels need nothing of the rest.");
}

bool IsDebugger(std::string_view verb) { return verb == "gdb" || verb == "lldb"; }

// run, check, gdb, lldb and time.
int RunKernel(const CLI::App& verb, Said& said) {
    const bool debugger = IsDebugger(verb.get_name());
    const int kernel_end = debugger ? KernelEnd(said.own, said.argc, said.argv) : said.argc;
    if (said.own < said.argc)
        said.words.arguments.insert(said.words.arguments.end(), said.argv + said.own + 1, said.argv + kernel_end);
    RunOptions& options = said.run;
    FinishFiles(options, said.words, verb);
    try {
        Finish(options, said.words, verb);
    } catch (const Error& e) {
        Findings(options).ShowError("usage", e.what());
        throw;
    }
    if (debugger) {
        options.compile.flags.insert(options.compile.flags.end(), {"-O0", "-g"});
        return Debug(options, verb.get_name(), ForDebugger(said.own, said.argc, said.argv, said.words.breaks));
    }
    if (verb.get_name() == "time") return Time(options);
    if (options.debugged) options.launch.workers = 1;
    return Run(options);
}

int InPython(int count, char** arguments) { return RunPython(*FindPythonVerb(arguments[-1]), {}, count, arguments); }

struct Verb {
    std::string_view name;
    const char* sentence;
    void (*add)(CLI::App&, Said&) = nullptr;              // declares its words
    int (*run)(const CLI::App&, Said&) = nullptr;         // what they ask for, as an exit code
    int (*reads)(int count, char** arguments) = nullptr;  // in place of both: it reads its command line itself
};

constexpr Verb kVerbs[] = {
    {"run", "Compile a kernel, unless that is done, and run it", AddRun, RunKernel},
    {"check", "Run a kernel, or a TIK script, with every check on", AddRun, RunKernel},
    {"gdb", "Run a kernel under gdb, stopped at its entry or at --break", AddGdb, RunKernel},
    {"lldb", "Run a kernel under lldb, stopped at its entry or at --break", AddLldb, RunKernel},
    {"time", "Estimate how long a kernel would take on a board, and why", AddRun, RunKernel},
    {"init", "Write the folder of a new kernel: source, tests, CMake, VS Code, CI",
     [](CLI::App& app, Said& said) { AddInitOptions(app, said.init); },
     [](const CLI::App&, Said& said) { return Init(said.init); }},
    {"explain", "Draw which element a load puts where, as text or SVG",
     [](CLI::App& app, Said& said) { AddExplainOptions(app, said.explain); },
     [](const CLI::App& app, Said& said) { return Explain(app, said.explain); }},
    {"tik", "Run a TIK script (Python), and a kernel it builds", nullptr, nullptr, InPython},
    {"op", "Run an operator project: its tiling function, then its kernel", nullptr, nullptr, InPython},
    {"diff", "Compare two files of arrays, and say where and how they differ", nullptr, nullptr, InPython},
    {"ulp", "Say how far the results of a call are from exact ones", nullptr, nullptr, InPython},
    {"judge", "Say whether kernels solve a task: a verdict for each, in a sandbox", nullptr, nullptr, InPython},
    {"sweep", "Run many cases of operators and kernels, and keep their results", nullptr, nullptr, InPython},
    {"record", "Record what a board computes to the bit, and use such records", nullptr, nullptr, InPython},
    {"reports", "Put files of findings together, for GitHub and GitLab", nullptr, nullptr, InPython},
    {"env", "Let programs that look for the vendor's toolkit find Sfumato",
     [](CLI::App& app, Said& said) { AddEnvOptions(app, said.env); },
     [](const CLI::App&, Said& said) { return RunEnv(said.env, said.argv + std::min(said.own + 1, said.argc)); }},
    {"test", "Build a repository that was written for boards, and run its tests",
     [](CLI::App& app, Said& said) { AddTestOptions(app, said.test); },
     [](const CLI::App&, Said& said) { return RunTest(said.test, said.argv + std::min(said.own + 1, said.argc)); }},
    {"toolkit", "Make links where builds look for the vendor's toolkit, or take them away",
     [](CLI::App& app, Said& said) { AddToolkitOptions(app, said.toolkit); },
     [](const CLI::App&, Said& said) { return RunToolkit(said.toolkit); }},
    // These have the command lines of the vendor's programs of these names, and its compiler's.
    {"msopgen", "Write an operator project from a description in JSON", nullptr, nullptr, RunMsopgen},
    {"build-op", "Build the package of an operator project", nullptr, nullptr, RunBuildOp},
    {"op_build", "Write what build files of operator projects ask of op_build", nullptr, nullptr, RunOpBuild},
    {"opc", "Compile a kernel for the build files of an operator project", nullptr, nullptr, RunOpc},
    {"msprof", "Run a program and estimate the time of its launches", nullptr, nullptr, RunMsprof},
    {"npu-smi", "List the device that programs see", nullptr, nullptr, RunNpuSmi},
    {"build", "Compile a program with kernels, launches and host code", nullptr, nullptr, RunBuild},
    {"chips", "List the chips: families, products, cores, memories, and what is supported", AddChips,
     [](const CLI::App&, Said& said) {
         return said.chip.empty() ? ShowChips(said.json) : ShowChip(said.chip, said.json);
     }},
    {"doctor", "Say what is here, what is missing, and which command installs it", AddDoctor,
     [](const CLI::App&, Said& said) { return Doctor(said.cache_dir, said.json); }},
};

const Verb* FindVerb(std::string_view name) {
    const auto* at = std::ranges::find_if(kVerbs, [&](const Verb& v) { return v.name == name; });
    return at == std::end(kVerbs) ? nullptr : at;
}

// What a verb of kernels does with a TIK script; none: it is given no script.
std::optional<int> OfScript(std::string_view verb, int argc, char** argv) {
    const bool compiles = verb == "run" || verb == "time";
    const char* script = compiles || verb == "check" || IsDebugger(verb) ? NamedScript(argc, argv) : nullptr;
    if (script == nullptr) return std::nullopt;
    if (compiles) {
        if (script != argv[2]) return std::nullopt;
        SayError(fmt::format("{0} is a Python script; sfumato tik {0} runs a TIK script{1}", script,
                             verb == "time" ? ", and --time estimates its kernel" : ""));
        return kUsage;
    }
    if (verb == "check")
        return RunPython(*FindPythonVerb("tik"), {"--check=all", "--fail-on=warning"}, argc - 2, argv + 2);
    SayError(fmt::format("{0} is a TIK script, which has a debugger of its own: sfumato tik {0} --debug", script));
    return kUsage;
}

// Tells a command line that cannot be read, in the files of findings, too.
int Refuse(const CLI::App& app, const CLI::ParseError& error, const Said& said) {
    const std::string text = Plain(app, error);
    SayError(text);
    const Verb* verb = said.argc > 1 ? FindVerb(said.argv[1]) : nullptr;
    if (verb && verb->run == RunKernel && verb->name != "time") {
        std::vector<std::string> others;
        const FindingsFiles files = TakeFindingsFiles(said.own - 2, said.argv + 2, &others);
        RunFindings unread;
        unread.error_kind = "usage";
        unread.error = text;
        if (files.on_stdout() <= 1) WriteFindings(files, unread);
    }
    const auto parsed = app.get_subcommands();
    PrintError(fmt::format("`sfumato{} --help` lists what is legal.\n",
                           parsed.empty() ? "" : " " + parsed.front()->get_name()));
    return kUsage;
}

int Main(int argc, char** argv) {
    CLI::App app{"Sfumato runs Ascend AI Core kernels bit-faithfully on an ordinary CPU.", "sfumato"};
    app.set_version_flag("--version", "sfumato " + Version());
    app.require_subcommand(1);
    app.footer("`sfumato run --help` explains the arguments of a kernel.\n\n" + std::string(kExamples));
    Said said{argc, argv};
    // Values of the kernel such as -1 are not options.
    said.own = static_cast<int>(std::find(argv + std::min(argc, 1), argv + argc, std::string_view("--")) - argv);
    const Verb* verb = argc > 1 ? FindVerb(argv[1]) : nullptr;
    for (const Verb& one : kVerbs) {
        CLI::App* added = app.add_subcommand(std::string(one.name), one.sentence);
        if (one.add && (verb == nullptr || verb == &one)) one.add(*added, said);  // the words of others are never read
    }
    if (argc == 2 && argv[1] == std::string_view(kDescribe)) {
        PrintOut(Describe(app));
        return kOk;
    }
    if (argc > 1 && argv[1][0] != '-' && !verb) {
        std::vector<std::string> names;
        for (const Verb& one : kVerbs) names.emplace_back(one.name);
        SayError(UnknownCommand(argv[1], names));
        return kUsage;
    }
    if (verb && verb->reads) return verb->reads(argc - 2, argv + 2);
    if (const auto code = verb ? OfScript(verb->name, argc, argv) : std::nullopt) return *code;
    IgnoreWriteSignals();
    try {
        app.parse(said.own, argv);
    } catch (const CLI::Success& e) {
        return app.exit(e);  // --help, --version
    } catch (const CLI::ParseError& e) {
        return Refuse(app, e, said);
    }
    const CLI::App& parsed = *app.get_subcommands().front();
    try {
        return FindVerb(parsed.get_name())->run(parsed, said);
    } catch (const std::exception& e) {
        if (std::ferror(stdout)) return kOk;  // a print failed: Finished says so
        SayError(e.what());
        return kUsage;
    }
}

}  // namespace
}  // namespace sfumato::command

int main(int argc, char** argv) {
    using namespace sfumato::command;
    ReserveStreams();
    return Finished(Main(argc, argv));
}
