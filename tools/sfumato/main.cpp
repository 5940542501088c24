// SPDX-License-Identifier: Apache-2.0
// The command `sfumato`: reads the command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "describe.h"
#include "env.h"
#include "explain/explain.h"
#include "findings.h"
#include "init.h"
#include "msopgen.h"
#include "near.h"
#include "options.h"
#include "output.h"
#include "sfumato/environment.h"

namespace sfumato::command {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  sfumato run cast.cpp --chip Ascend910B1 -- src.npy 'out:int32[512]=dst.npy'\n"
    "  sfumato run add.cpp --chip Ascend310P3 --kernel add --blocks 8 --schedule late -- x.npy y.npy \\\n"
    "      'out:float16[8,2048]=z.npy' uint32:2048\n"
    "  sfumato check cast.cpp --chip Ascend910B1 --sarif cast.sarif -- src.npy 'out:int32[512]=dst.npy'\n"
    "  sfumato run t.cpp --chip Ascend910B1 --kernel 'scale<3, true>' --json=findings.json -- inout:x.npy=y.npy\n";

constexpr const char* kExitCodes =
    "Exit codes: 0 the kernel ran; 2 the command line or a file is wrong; 3 the source does not compile; 4 the kernel "
    "has a\n"
    "fault (no output file is written), or, with check and --fail-on warning, a warning (output files are written);\n"
    "6 the kernel ran and its output files are complete, but standard output, standard error, --json, --sarif, "
    "--junit,\n"
    "--log or --trace could not be written; 130 Ctrl-C ended it (no output file is written).\n";

// Texts of options that are converted after parsing.
struct Raw {
    std::vector<std::string> defines, arguments, templates, dtypes, formats;
    std::string overflow = "saturate", auto_sync = "on", core, cast_round = "page", mmad_order = "sequential",
                flags = "event", fill = "0xFE", fail_on = "fault", json, sarif, junit, log, tiling_key;
    std::vector<std::string> breaks;
    std::string l2 = "cold", launch = "usual";
    double scalar_cycles = 0;
    std::string gains = "small";
    bool strict = false, rests_on = false;
};

std::string ChipNames() {
    std::string text;
    for (const ChipInfo& c : Chips()) {
        std::vector<std::string> products;
        for (const ProductInfo& p : c.products) products.push_back(p.name);
        text += fmt::format("  {:<18} {}{}\n", c.name, fmt::join(products, ", "), c.ascendc ? "" : " (TIK only)");
    }
    return text;
}

void AddRunOptions(CLI::App& run, RunOptions& o, Raw& raw) {
    run.add_option("source", o.compile.source, "C++ source with the kernel")->required()->type_name("FILE");
    run.add_option("arguments", raw.arguments, "the kernel's arguments, in its order; best after --")->type_name("ARG");
    run.add_option("--chip", o.compile.chip, "chip family or product (`sfumato chips` lists them)")->type_name("NAME");
    run.add_option("--kernel", o.kernel,
                   "which kernel; optional when the file has one. A template with its arguments: 'name<3, true>'")
        ->type_name("NAME");
    run.add_option("--blocks", o.blocks, "number of blocks")->type_name("N")->capture_default_str();
    run.add_option("--tiling-key", raw.tiling_key,
                   "what TILING_KEY_IS compares with; the source is compiled for this key")
        ->type_name("N");
    run.add_option("--tiling-struct", o.compile.tiling_struct, "the struct of GET_TILING_DATA")->type_name("NAME");
    run.add_option("--tiling-header", o.compile.tiling_headers,
                   "header included before the source, with BEGIN_TILING_DATA_DEF ...; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
    run.add_option("--template", raw.templates,
                   "the combination of ASCENDC_TPL_ARGS_DECL to run, e.g. MODE=3,FAST=1; else --tiling-key chooses it")
        ->type_name("NAME=VALUE,...")
        ->allow_extra_args(false);
    run.add_option(
           "--dtype", raw.dtypes,
           "element type of an argument, e.g. x=half: DTYPE_X, ORIG_DTYPE_X, FORMAT_X; without it that of the array "
           "given for x; repeatable")
        ->type_name("NAME=TYPE")
        ->allow_extra_args(false);
    run.add_option("--format", raw.formats, "format of an argument, e.g. x=NZ: FORMAT_X; default ND; repeatable")
        ->type_name("NAME=FORMAT")
        ->allow_extra_args(false);
    run.add_option("-D", raw.defines, "macro for the compiler; repeatable")
        ->type_name("NAME[=VALUE]")
        ->allow_extra_args(false);
    run.add_option("-I", o.compile.include_dirs, "include directory; repeatable")
        ->type_name("DIR")
        ->allow_extra_args(false);
    run.add_option("--flag", o.compile.flags, "another flag for the compiler, e.g. --flag=-O2; repeatable")
        ->type_name("FLAG")
        ->allow_extra_args(false);
    run.add_option("--cache", o.compile.cache_dir,
                   "folder of compiled kernels (default $SFUMATO_CACHE or ~/.cache/sfumato)")
        ->type_name("DIR");
    run.add_option("--overflow", raw.overflow,
                   "what an inf or NaN result becomes: saturate, infnan, or as the board sets it")
        ->check(CLI::IsMember({"saturate", "infnan", "board"}))
        ->capture_default_str();
    run.add_option(
        "--check", o.launch.check,
        "what to look for besides: races, init, outputs, sync, numbers, raw, with commas between; all; none");
    run.add_option(
           "--schedule", o.launch.schedule,
           "order among pipes and cores: eager, serial, late, ahead, seed:N; all or all:N: eager, late, ahead and "
           "N seeds, and where their bytes differ")
        ->capture_default_str();
    run.add_option("--auto-sync", raw.auto_sync, "synchronisation the vendor's compiler inserts by default: on, off")
        ->check(CLI::IsMember({"on", "off"}))
        ->capture_default_str();
    run.add_option("--core", raw.core,
                   "cores of a kernel that declares no type, where the chip separates them: aiv, aic, or mix, which is "
                   "one aic with two aiv; without it those its code needs")
        ->check(CLI::IsMember({"aiv", "aic", "mix"}));
    run.add_option("--cast-round", raw.cast_round, "Ascend910: CAST_ROUND as its page says, or nearest with ties away")
        ->check(CLI::IsMember({"page", "ties"}))
        ->capture_default_str();
    run.add_option("--mmad-order", raw.mmad_order,
                   "how Mmad adds real products: one after another along k, or in exact blocks of 32 bytes")
        ->check(CLI::IsMember({"sequential", "k0-block"}))
        ->capture_default_str();
    run.add_option("--flags", raw.flags,
                   "what is one flag of SetFlag and WaitFlag: an event and an id, or the setting pipe and an id")
        ->check(CLI::IsMember({"event", "setter"}))
        ->capture_default_str();
    run.add_option("--fill", raw.fill, "byte that memory nobody wrote holds")->type_name("0xNN")->capture_default_str();
    run.add_option("--timeout", o.launch.timeout,
                   "ends a launch that takes longer at the next instruction of each core, and says where they stood")
        ->type_name("SECONDS");
    run.add_flag("--strict", raw.strict, "warnings are faults");
    run.add_flag("--rests-on", raw.rests_on,
                 "lists the readings of the documentation that the run used where no page decides");
    run.add_option("--fail-on", raw.fail_on, "what exit code 4 is for: a fault, or a warning, too")
        ->check(CLI::IsMember({"fault", "warning"}));
    run.add_flag("--json{-}", raw.json, "findings as JSON to standard output, or with --json=FILE to a file");
    run.add_option("--sarif", raw.sarif, "findings as SARIF 2.1.0; - is standard output")->type_name("FILE");
    run.add_option("--junit", raw.junit, "findings as JUnit XML; - is standard output")->type_name("FILE");
    run.add_flag("--log{-}", raw.log,
                 "one line per instruction to standard error, or with --log=FILE to a file; --log=executed, "
                 "--log=executed:FILE: in the order of execution");
    run.add_option("--trace", o.launch.trace,
                   "the timeline of the run's order, which pipe did what after what: .html to look at, .json or "
                   ".json.gz for Perfetto")
        ->type_name("FILE");
    run.footer(fmt::format("Arguments of the kernel:\n{}\n{}\n{}", ArgumentForms(), kExamples, kExitCodes));
}

TimeOptions::Gains GainsOf(const std::string& word) {
    return word == "all"    ? TimeOptions::Gains::kAll
           : word == "none" ? TimeOptions::Gains::kNone
                            : TimeOptions::Gains::kSmall;
}

// What `sfumato time` has besides.
void AddTimeOptions(CLI::App& time, RunOptions& o, Raw& raw) {
    time.add_option("--l2", raw.l2,
                    "what L2 holds before the launch: nothing (cold), or the inputs (warm), as where "
                    "operators are run again and again")
        ->check(CLI::IsMember({"cold", "warm"}))
        ->capture_default_str();
    time.add_option("--launch", raw.launch,
                    "what the launch adds to the task time: of one of many launches, or of the first")
        ->check(CLI::IsMember({"usual", "cold"}))
        ->capture_default_str();
    time.add_option("--scalar-cycles", raw.scalar_cycles,
                    "cycles of the scalar unit before each instruction, for the C++ code between instructions")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    time.add_option(
            "--gains", raw.gains,
            "hints say what a kernel without the cause would gain, which takes events that are kept: of launches "
            "up to 131072 instructions (small), of all (140 bytes an instruction), or of none")
        ->check(CLI::IsMember({"small", "all", "none"}))
        ->capture_default_str();
    time.add_flag(
        "--skip-data", o.launch.skip_data,
        "instructions move and compute nothing, and no output is written: for large kernels whose scalar code "
        "reads no results");
}

// Decimal, or hexadecimal after 0x. A sign is refused: CLI11 would count from 2^64.
uint64_t ParseNumber(const char* option, const std::string& text, uint64_t most, const char* legal) {
    const std::optional<uint64_t> value = Unsigned(text);
    if (!value || *value > most) throw Error(fmt::format("{} '{}' is {}", option, text, legal));
    return *value;
}

// "x=half,y=float" to its pairs; all the options of one name together.
std::vector<std::pair<std::string, std::string>> Pairs(const char* option, const std::vector<std::string>& texts) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& text : texts) {
        for (size_t begin = 0; begin <= text.size();) {
            const size_t end = std::min(text.find(',', begin), text.size()), equals = text.find('=', begin);
            if (equals == std::string::npos || equals >= end || equals == begin || equals + 1 == end) {
                throw Error(
                    fmt::format("{} '{}': '{}' is not NAME=VALUE", option, text, text.substr(begin, end - begin)));
            }
            pairs.emplace_back(text.substr(begin, equals - begin), text.substr(equals + 1, end - equals - 1));
            begin = end + 1;
        }
    }
    return pairs;
}

// What decides where an error is told, too.
void FinishFiles(RunOptions& o, const Raw& raw, const CLI::App& run) {
    if (run.count("--json"))
        (run.get_name() == "time" ? o.time.json : o.files.json) = raw.json.empty() ? "-" : raw.json;
    if (run.count("--sarif")) o.files.sarif = raw.sarif;
    if (run.count("--junit")) o.files.junit = raw.junit;
    if (o.files.on_stdout() > 1) throw Error(kOneOnStdout);
}

// Converts what CLI11 left as text. Throws Error.
void Finish(RunOptions& o, const Raw& raw, const CLI::App& run) {
    std::vector<std::string> raw_arguments = raw.arguments;
    const bool check = run.get_name() == "check";
    if (check && !run.count("--check")) o.launch.check = "all";
    o.says_checked = check || run.count("--check");
    o.fail_on_warning = run.count("--fail-on") ? raw.fail_on == "warning" : check;
    if (o.compile.chip.empty()) {
        throw Error(fmt::format("which chip? Give --chip NAME, a family or a product:\n{}", ChipNames()));
    }
    if (o.blocks == 0) throw Error("--blocks 0 runs nothing: give at least 1");
    o.launch.chip = o.compile.chip;
    if (!o.kernel.empty()) o.compile.instantiations = {o.kernel};
    if (run.count("--tiling-key")) {
        o.launch.tiling_key = ParseNumber("--tiling-key", raw.tiling_key, UINT64_MAX, "no key: 0 to 2^64 - 1");
        o.compile.tiling_key = o.launch.tiling_key;
    }
    o.compile.template_values = Pairs("--template", raw.templates);
    o.compile.dtypes = Pairs("--dtype", raw.dtypes);
    o.compile.formats = Pairs("--format", raw.formats);
    for (const std::string& d : raw.defines) {
        const size_t equals = d.find('=');
        // As for a compiler: -DNAME is -DNAME=1.
        o.compile.defines.emplace_back(d.substr(0, equals), equals == std::string::npos ? "1" : d.substr(equals + 1));
    }
    o.launch.route = Route::kRun;
    if (run.count("--overflow")) {
        o.launch.overflow = raw.overflow == "infnan"  ? Overflow::kInfNan
                            : raw.overflow == "board" ? Overflow::kBoard
                                                      : Overflow::kSaturate;
    }
    o.launch.auto_sync = raw.auto_sync == "on";
    o.launch.core = raw.core == "aic"   ? CoreChoice::kCube
                    : raw.core == "aiv" ? CoreChoice::kVector
                    : raw.core == "mix" ? CoreChoice::kMix
                                        : CoreChoice::kDefault;
    o.launch.cast_round_ties = raw.cast_round == "ties";
    o.launch.mmad_order = raw.mmad_order == "k0-block" ? MmadOrder::kK0Block : MmadOrder::kSequential;
    o.launch.flags = raw.flags == "setter" ? FlagIdentity::kSetter : FlagIdentity::kEvent;
    o.launch.strict = raw.strict;
    o.launch.rests_on = raw.rests_on;
    o.launch.fill = static_cast<uint8_t>(ParseNumber("--fill", raw.fill, 255, "no byte: 0x00 to 0xFF"));
    if (o.launch.timeout && !(*o.launch.timeout > 0))
        throw Error(fmt::format("--timeout {} is no time to run for: give seconds above 0", *o.launch.timeout));
    if (run.count("--log")) {
        constexpr std::string_view kExecuted = "executed";
        const bool executed = raw.log == kExecuted || raw.log.starts_with("executed:");
        o.launch.log_order = executed ? LogOrder::kExecuted : LogOrder::kIssued;
        o.log = !executed ? raw.log : raw.log == kExecuted ? "-" : raw.log.substr(kExecuted.size() + 1);
    }
    if (run.get_name() == "time") {
        o.launch.time = TimeOptions{raw.l2 == "warm", raw.launch == "cold", raw.scalar_cycles, GainsOf(raw.gains)};
        // Before the kernel's own arguments stand further sources.
        while (!raw_arguments.empty() && raw_arguments.front().ends_with(".cpp")) {
            o.time.compared.push_back(raw_arguments.front());
            raw_arguments.erase(raw_arguments.begin());
        }
    }
    for (const std::string& a : raw_arguments) o.arguments.push_back(ParseArgument(a));
}

// Without optimisation, with the names of all variables. After the user's own flags.
constexpr const char* kDebugFlags[] = {"--flag=-O0", "--flag=-g"};

// Where the kernel's arguments end: at the second "--", if there is one.
int KernelEnd(int own, int argc, char** argv) {
    int end = std::min(own + 1, argc);
    while (end < argc && std::string_view(argv[end]) != "--") ++end;
    return end;
}

// The command line of `sfumato gdb`, split: what is `sfumato run`'s, and, behind a second "--", gdb's.
GdbOptions ForGdb(int own, int argc, char** argv, const std::vector<std::string>& breaks) {
    GdbOptions gdb;
    gdb.breaks = breaks;
    for (int i = 2; i < own; ++i) {
        const std::string_view word = argv[i];
        if (word == "--break") {
            ++i;
        } else if (!word.starts_with("--break=")) {
            gdb.run.emplace_back(word);
        }
    }
    gdb.run.insert(gdb.run.end(), std::begin(kDebugFlags), std::end(kDebugFlags));
    gdb.run.emplace_back("--");
    gdb.run.insert(gdb.run.end(), argv + std::min(own + 1, argc), argv + KernelEnd(own, argc, argv));
    gdb.more.assign(argv + std::min(KernelEnd(own, argc, argv) + 1, argc), argv + argc);
    return gdb;
}

// The first word that names a Python script, before the kernel's own arguments; nullptr without.
const char* NamedScript(int argc, char** argv) {
    for (int i = 2; i < argc && std::string_view(argv[i]) != "--"; ++i) {
        if (argv[i][0] != '-' && std::string_view(argv[i]).ends_with(".py")) return argv[i];
    }
    return nullptr;
}

int Main(int argc, char** argv) {
    CLI::App app{"Sfumato runs Ascend AI Core kernels bit-faithfully on an ordinary CPU.", "sfumato"};
    app.set_version_flag("--version", "sfumato " + Version());
    app.require_subcommand(1);
    app.footer("`sfumato run --help` explains the arguments of a kernel.\n\n" + std::string(kExamples));
    CLI::App& run = *app.add_subcommand("run", "Compile a kernel (cached) and run it");
    CLI::App& gdb = *app.add_subcommand("gdb", "Run a kernel under gdb, stopped at its entry or at --break");
    CLI::App& init = *app.add_subcommand("init", "Write the folder of a new kernel: source, tests, CMake, VS Code");
    CLI::App& check = *app.add_subcommand("check", "Run a kernel with every check on; TIK scripts, too");
    CLI::App& time = *app.add_subcommand("time", "Estimate how long a kernel would take on a board, and why");
    CLI::App& explain =
        *app.add_subcommand("explain", "Show which source element of a load lands where, as text and as SVG");
    // The command lines of kPythonVerbs are read by the Python package.
    CLI::App& tik = *app.add_subcommand("tik", "Run a TIK script (Python), and a kernel it builds");
    CLI::App& op = *app.add_subcommand("op", "Run an operator project: its tiling function, then its kernel");
    CLI::App& diff = *app.add_subcommand("diff", "Compare two files of arrays, and say where and how they differ");
    CLI::App& judge = *app.add_subcommand("judge", "Give a verdict about kernels that a task asked for, each isolated");
    CLI::App& sweep = *app.add_subcommand("sweep", "Run many cases of operators and kernels, and keep their results");
    CLI::App& env = *app.add_subcommand("env", "Lead programs for the vendor's toolkit to Sfumato");
    // Its command line is that of the vendor's generator.
    CLI::App& msopgen = *app.add_subcommand("msopgen", "Write an operator project from a description in JSON");
    CLI::App& build_op = *app.add_subcommand("build-op", "Build the package of an operator project");
    // Its command line is that of the vendor's compiler.
    CLI::App& build = *app.add_subcommand("build", "Compile a program with kernels, launches and host code");
    CLI::App& chips =
        *app.add_subcommand("chips", "List chip families, products, memories, cores and what is supported");
    CLI::App& doctor = *app.add_subcommand("doctor", "Say whether everything needed is here");
    RunOptions options;
    Raw raw;
    bool chips_json = false, doctor_json = false;
    std::string cache_dir, chip_name;
    AddRunOptions(run, options, raw);
    AddRunOptions(check, options, raw);
    AddRunOptions(gdb, options, raw);
    AddRunOptions(time, options, raw);
    AddTimeOptions(time, options, raw);
    gdb.add_option("--break", raw.breaks, "where to stop: LINE, FILE:LINE, a function; default the kernel; repeatable")
        ->type_name("PLACE")
        ->allow_extra_args(false);
    gdb.footer(
        "What follows a second -- is gdb's: sfumato gdb k.cpp --chip Ascend910B1 -- x.npy -- -ex bt\n"
        "SFUMATO_GDB names another gdb. docs/debugging.md tells more.");
    run.add_flag("--debugged", options.debugged)->group("");  // of `sfumato gdb`
    ExplainOptions explain_options;
    AddExplainOptions(explain, explain_options);
    InitOptions init_options;
    AddInitOptions(init, init_options);
    EnvOptions env_options;
    AddEnvOptions(env, env_options);
    chips.add_option("chip", chip_name, "one family or product: all that is known of it")->type_name("CHIP");
    chips.add_flag("--json", chips_json, "as JSON");
    doctor.add_flag("--json", doctor_json, "as JSON");
    doctor.add_option("--cache", cache_dir, "folder of compiled kernels to look at")->type_name("DIR");

    if (argc == 2 && argv[1] == std::string_view(kDescribe)) {
        PrintOut(Describe(app));
        return kOk;
    }
    // What follows the first "--" is the kernel's: values such as -1 are not options.
    int own = argc;
    for (int i = 1; i < argc && own == argc; ++i) {
        if (std::string_view(argv[i]) == "--") own = i;
    }
    const auto verbs = {&run,   &check, &gdb, &time,    &init,     &explain, &tik,   &op,    &diff,
                        &judge, &sweep, &env, &msopgen, &build_op, &build,   &chips, &doctor};
    const auto is_first = [&](const CLI::App* verb) { return verb->get_name() == argv[1]; };
    if (argc > 1 && argv[1][0] != '-' && std::none_of(verbs.begin(), verbs.end(), is_first)) {
        std::vector<std::string> names;
        for (const CLI::App* verb : verbs) names.push_back(verb->get_name());
        SayError(UnknownCommand(argv[1], names));
        return kUsage;
    }
    if (const PythonVerb* verb = argc > 1 ? FindPythonVerb(argv[1]) : nullptr)
        return RunPython(*verb, {}, argc - 2, argv + 2);
    if (argc > 1 && is_first(&check) && NamedScript(argc, argv))
        return RunPython(*FindPythonVerb("tik"), {"--check=all", "--fail-on=warning"}, argc - 2, argv + 2);
    if (argc > 1 && is_first(&gdb)) {
        if (const char* script = NamedScript(argc, argv)) {
            SayError(
                fmt::format("{0} is a TIK script, which has a debugger of its own: sfumato tik {0} --debug", script));
            return kUsage;
        }
    }
    if (argc > 1 && is_first(&msopgen)) return RunMsopgen(argc - 2, argv + 2);
    if (argc > 1 && is_first(&build_op)) return RunBuildOp(argc - 2, argv + 2);
    if (argc > 1 && is_first(&build)) return RunBuild(argc - 2, argv + 2);
    IgnoreWriteSignals();
    try {
        app.parse(own, argv);
    } catch (const CLI::Success& e) {
        return app.exit(e);  // --help, --version
    } catch (const CLI::ParseError& e) {
        SayError(e.what());
        if (argc > 1 && (is_first(&run) || is_first(&check) || is_first(&gdb))) {
            std::vector<std::string> others;
            const FindingsFiles files = TakeFindingsFiles(own - 2, argv + 2, &others);
            RunFindings unread;
            unread.error_kind = "usage";
            unread.error = e.what();
            if (files.on_stdout() <= 1) WriteFindings(files, unread);
        }
        PrintError(fmt::format("`sfumato{} --help` lists what is legal.\n", run.parsed()       ? " run"
                                                                            : check.parsed()   ? " check"
                                                                            : gdb.parsed()     ? " gdb"
                                                                            : time.parsed()    ? " time"
                                                                            : explain.parsed() ? " explain"
                                                                                               : ""));
        return kUsage;
    }
    const int kernel_end = gdb.parsed() ? KernelEnd(own, argc, argv) : argc;
    if (own < argc) raw.arguments.insert(raw.arguments.end(), argv + own + 1, argv + kernel_end);
    try {
        if (chips.parsed()) return chip_name.empty() ? ShowChips(chips_json) : ShowChip(chip_name, chips_json);
        if (explain.parsed()) return Explain(explain, explain_options);
        if (init.parsed()) return Init(init_options);
        if (env.parsed()) return RunEnv(env_options, argv + std::min(own + 1, argc));
        if (doctor.parsed()) return Doctor(cache_dir, doctor_json);
        const CLI::App& verb = check.parsed() ? check : gdb.parsed() ? gdb : time.parsed() ? time : run;
        FinishFiles(options, raw, verb);
        try {
            Finish(options, raw, verb);
        } catch (const Error& e) {
            Findings(options).ShowError("usage", e.what());
            throw;
        }
        if (gdb.parsed()) {
            options.compile.flags.insert(options.compile.flags.end(), {"-O0", "-g"});
            return Gdb(options, ForGdb(own, argc, argv, raw.breaks));
        }
        if (time.parsed()) return Time(options);
        if (options.debugged) options.launch.workers = 1;
        return Run(options);
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
