// SPDX-License-Identifier: Apache-2.0
// The options of the verbs, and what runs each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "argument_spec.h"
#include "report/exit_code.h"
#include "sfumato/build.h"
#include "sfumato/jit.h"
#include "sfumato/launch.h"
#include "sfumato/toolkit.h"

namespace CLI {
class App;
}

namespace sfumato::command {

// The files about findings; "-" is standard output.
struct FindingsFiles {
    std::optional<std::string> json, sarif, junit;
    // How many of them are standard output, which is for one.
    int on_stdout() const { return (json == "-") + (sarif == "-") + (junit == "-"); }
};

// `sfumato time`.
struct TimeFiles {
    std::optional<std::string> json;    // a file, "-" for standard output
    double* core_us = nullptr;          // shared with the process that runs the kernel: what it estimates
    std::vector<std::string> compared;  // further sources, estimated with the same arguments
};

// `sfumato run --ranks`.
struct RankOptions {
    uint32_t count = 0;                                                      // 0: one device, as ever
    std::vector<std::pair<std::string, std::vector<uint32_t>>> groups = {};  // beside "world"
    uint32_t repeat = 1, window_mb = 200;
};

struct RunOptions {
    CompileOptions compile;
    LaunchOptions launch;
    std::string kernel;
    uint32_t kernel_line = 0;  // in the source; known when it is compiled
    uint32_t blocks = 1;
    std::vector<ArgumentSpec> arguments;  // with ranks those of each, one rank after another
    RankOptions ranks;
    FindingsFiles files;
    std::optional<std::string> log;  // a file, "-" for standard error
    bool fail_on_warning = false;    // exit code 4 also when there are only warnings; the outputs are written
    bool says_checked = false;       // at the end: which checks were on
    TimeFiles time;                  // where launch.time is set
    bool debugged = false;           // under a debugger: no process of its own, one worker
};

// `sfumato init`.
struct InitOptions {
    std::string name, chip = "Ascend910B1";
    bool named = false;
    std::string ci;  // "github", "gitlab"; empty: no recipe
};

// `sfumato env`.
struct EnvOptions {
    toolkit::EnvironmentOptions environment;
    std::string shell = "sh";
    bool check = false;
    bool plain = false;  // the variables alone
};

// `sfumato test`.
struct TestOptions {
    EnvOptions env;
    std::string build;  // for the shell; empty: by what the folder holds
    bool no_build = false;
};

// `sfumato toolkit`.
struct ToolkitOptions {
    std::string action, folder;
};

// `sfumato gdb` and `lldb`. The kernel's own options are those of `sfumato run`.
struct DebuggerOptions {
    std::vector<std::string> breaks;  // FILE:LINE, LINE, or what the debugger takes; empty: the kernel's entry
    std::vector<std::string> run;     // the command line of `sfumato run` after the verb
    std::vector<std::string> more;    // of the debugger
};

// `sfumato run` and `sfumato check`.
int Run(const RunOptions& options);
// The rest of a rank's words before ParseArgument: {rank} and {ranks} become numbers. ranks 0: there are none, and none
// may be asked for. Throws Error.
std::string Placed(const std::string& text, uint32_t rank, uint32_t ranks);
// `sfumato time`: one estimate for each source, and how they compare.
int Time(const RunOptions& options);
// The estimate of a run, as text or JSON.
void ShowEstimate(const RunOptions& options, const TimeEstimate& estimate);
// The kernels as Run compiles them, with the types that the arguments have. Throws as Compile does.
std::shared_ptr<CompiledKernels> CompileFor(RunOptions& options);
// Compiles for a debugger, gdb or lldb, and becomes it, which runs the command. Returns only when there is none.
int Debug(const RunOptions& options, std::string_view name, const DebuggerOptions& asked);
// The programs that a debugger may be, those tried first in front.
std::vector<std::string> DebuggerPrograms(std::string_view name);
// A script with printers, in share/sfumato/gdb beside the library: of a prefix, a wheel, the build tree. Throws Error.
std::string DebuggerScript(const char* name);
void AddInitOptions(CLI::App& init, InitOptions& options);
// Writes the folder as a whole, or nothing; without a name the recipe for CI alone. Throws Error.
int Init(const InitOptions& options);
void AddEnvOptions(CLI::App& env, EnvOptions& options);
// `command`: its words up to a null; none: the settings are printed. Throws Error.
int RunEnv(EnvOptions options, char** command);
// Makes this process one that sees the toolkit; an exit code. Throws Error.
int EnterEnvironment(EnvOptions& options);
void AddTestOptions(CLI::App& test, TestOptions& options);
// `command`: as of RunEnv; none: pytest. Throws Error.
int RunTest(TestOptions options, char** command);
void AddToolkitOptions(CLI::App& toolkit, ToolkitOptions& options);
// Throws Error.
int RunToolkit(const ToolkitOptions& options);
int ShowChips(bool json);
// One family, by its name or that of a product, in any case. Throws Error for another name.
int ShowChip(const std::string& name, bool json);
// What is here of what Sfumato uses, and the command for what is not. 0, or 1 where kernels cannot run.
int Doctor(const std::string& cache_dir, bool json);
// A verb that the Python package reads: which module is run, and what begins the sentence when there is no Python.
struct PythonVerb {
    std::string_view name;
    const char *module, *what;
};
constexpr PythonVerb kPythonVerbs[] = {{"tik", "sfumato.tik", "TIK scripts need"},
                                       {"op", "sfumato._op_command", "operator projects need"},
                                       {"diff", "sfumato._diff_command", "comparisons need"},
                                       {"ulp", "sfumato.measuring._command", "figures of errors need"},
                                       {"judge", "sfumato._judge_command", "verdicts need"},
                                       {"sweep", "sfumato.sweeping._command", "sweeps need"},
                                       {"record", "sfumato.recording._command", "records of boards need"},
                                       {"reports", "sfumato._reports_command", "files of findings need"}};
// The Python that those become; and where it finds the package, set in the environment.
std::string PythonProgram();
// This program; empty when the system does not tell.
std::filesystem::path Self();
// Becomes another program; returns only when there is none, with errno.
void Become(const std::vector<std::string>& words);
// nullptr: another verb.
const PythonVerb* FindPythonVerb(std::string_view name);
// Becomes the module, with `before` as further arguments. Returns only when there is no Python.
int RunPython(const PythonVerb& verb, const std::vector<std::string>& before, int count, char** arguments);
// `sfumato build`: the vendor's command line, but for --json, --sarif and --junit.
int RunBuild(int count, char** arguments);
// `sfumato build-op`: the package of an operator project. 0 or 1, as a compiler.
int RunBuildOp(int count, char** arguments);
// `sfumato op_build` and `sfumato opc`, for build files of operator projects. 0 or 1.
int RunOpBuild(int count, char** arguments);
int RunOpc(int count, char** arguments);
// `sfumato msopgen`: the vendor's generator. 0 or 1.
int RunMsopgen(int count, char** arguments);
// `sfumato msprof`: the vendor's profiler. The program's exit code; 1 where the command line is wrong.
int RunMsprof(int count, char** arguments);
// `sfumato npu-smi`: the vendor's list of devices. 0 or 1.
int RunNpuSmi(int count, char** arguments);
// The options of these, for their help and for Describe.
std::span<const OptionHelp> BuildOpOptionHelp();
std::span<const OptionHelp> OpBuildOptionHelp();
std::span<const OptionHelp> OpcOptionHelp();
std::span<const OptionHelp> MsopgenOptionHelp();
std::span<const OptionHelp> MsprofOptionHelp();
// What asks for Describe, as the only word; no user needs it.
constexpr const char* kDescribe = "--describe";
// The command line as JSON, from the declarations that read it: verbs with their options, and the chips, for the man
// page, completion and docs/command.md. Verbs that the Python package reads come with its module alone.
std::string Describe(const CLI::App& app);

}  // namespace sfumato::command
