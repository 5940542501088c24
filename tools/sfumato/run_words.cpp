// SPDX-License-Identifier: Apache-2.0
// The command line of `sfumato run` and of the verbs that take the same words: declared for CLI11, then converted.
#include "run_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "findings.h"
#include "sfumato/environment.h"
#include "sfumato/launch_option.h"
#include "sfumato/rank_world.h"

namespace sfumato::command {

const char* const kExamples =
    "Examples:\n"
    "  sfumato run cast.cpp --chip Ascend910B1 -- src.npy 'out:int32[512]=dst.npy'\n"
    "  sfumato run add.cpp --chip Ascend310P3 --kernel add --blocks 8 --schedule late -- x.npy y.npy \\\n"
    "      'out:float16[8,2048]=z.npy' uint32:2048\n"
    "  sfumato check cast.cpp --chip Ascend910B1 --sarif cast.sarif -- src.npy 'out:int32[512]=dst.npy'\n"
    "  sfumato run t.cpp --chip Ascend910B1 --kernel 'scale<3, true>' --json=findings.json -- inout:x.npy=y.npy\n";

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 the kernel ran; 2 the command line or a file is wrong; 3 the source does not compile; 4 the kernel "
    "has a\n"
    "fault (no output file is written), or, with check and --fail-on warning, a warning (output files are written);\n"
    "6 the kernel ran and its output files are complete, but standard output, standard error, --json, --sarif, "
    "--junit,\n"
    "--log or --trace could not be written; 130 Ctrl-C ended it (no output file is written).\n";

std::string ChipNames() {
    std::string text;
    for (const ChipInfo& c : Chips()) {
        std::vector<std::string> products;
        for (const ProductInfo& p : c.products) products.push_back(p.name);
        text += fmt::format("  {:<18} {}{}\n", c.name, fmt::join(products, ", "), c.ascendc ? "" : " (TIK only)");
    }
    return text;
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

// --cast-round
std::string FlagOf(std::string_view name) {
    std::string flag = fmt::format("--{}", name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    return flag;
}

// What stands for the value in --help; nullptr: what CLI11 says.
const char* PlaceholderOf(const LaunchOption& option) {
    switch (option.kind) {
        case OptionKind::kSeconds: return "SECONDS";
        case OptionKind::kCycles: return "N";
        case OptionKind::kNumber: return std::string_view(option.standard).starts_with("0x") ? "0xNN" : "N";
        default: return std::string_view(option.name) == "trace" ? "FILE" : nullptr;
    }
}

// Adds the options that a route has; `words` outlives the parsing.
void AddLaunchOptions(CLI::App& app, int route, LaunchWords& words) {
    for (const LaunchOption& option : AllLaunchOptions()) {
        if (!option.Has(static_cast<uint16_t>(route)) || !option.set) continue;
        if (option.kind == OptionKind::kSwitch && std::string_view(option.standard) == "off") {
            app.add_flag(FlagOf(option.name), words.switches[option.name], option.sentence);
            continue;
        }
        std::string& text = words.texts[option.name] = option.standard;
        CLI::Option* added = app.add_option(FlagOf(option.name), text, option.sentence);
        if (const char* placeholder = PlaceholderOf(option)) added->type_name(placeholder);
        if (option.kind == OptionKind::kWord || option.kind == OptionKind::kSwitch)
            added->check(CLI::IsMember(option.Words()));
        if (*option.standard) added->capture_default_str();
    }
}

// Sets those that were given. Throws Error for a value that is not legal.
void SetLaunchOptions(LaunchOptions& options, const CLI::App& app, const LaunchWords& words) {
    for (const auto& [name, text] : words.texts) {
        const std::string flag = FlagOf(name);
        const CLI::Option* added = app.get_option_no_throw(flag);  // `words` may serve several verbs
        if (!added || added->count() == 0) continue;
        const LaunchOption& option = *FindLaunchOption(name);
        const std::optional<OptionValue> value = option.Parse(text);
        if (!value) throw Error(fmt::format("{} '{}' is not legal; legal: {}", flag, text, option.Legal()));
        option.set(options, *value);
    }
    for (const auto& [name, on] : words.switches) {
        OptionValue value;
        value.on = on;
        if (on) FindLaunchOption(name)->set(options, value);
    }
}

void AddRankOptions(CLI::App& run, RankOptions& ranks, RunWords& raw) {
    run.add_option(
           "--ranks", ranks.count,
           "run the kernel on so many devices at once, 1 to 64, which reach each other by windows; in arguments "
           "{rank} and {ranks} stand for numbers")
        ->type_name("N");
    run.add_option("--group", raw.groups,
                   "with --ranks: a group of some of them with windows of its own; all are the group world; repeatable")
        ->type_name("NAME=RANK,...")
        ->allow_extra_args(false);
    run.add_option("--repeat", ranks.repeat,
                   "with --ranks: how often each launches the kernel, without waiting between (check: 3)")
        ->type_name("N")
        ->capture_default_str();
    run.add_option("--window-mb", ranks.window_mb, "with --ranks: MiB of each window")
        ->type_name("N")
        ->capture_default_str();
}

// "tp=0,1,2".
void ParseGroup(const std::string& text, RankOptions& ranks) {
    const size_t equals = text.find('=');
    std::vector<uint32_t> members;
    for (size_t begin = equals + 1; equals != std::string::npos && begin <= text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        const std::string legal = fmt::format("no rank; legal: NAME=RANK,... with ranks 0 to {}", ranks.count - 1);
        members.push_back(static_cast<uint32_t>(
            ParseNumber("--group", text.substr(begin, end - begin), ranks.count - 1, legal.c_str())));
        begin = end + 1;
    }
    if (members.empty() || equals == 0) throw Error(fmt::format("--group '{}' is not NAME=RANK,...", text));
    ranks.groups.emplace_back(text.substr(0, equals), std::move(members));
}

void FinishRanks(RunOptions& o, const RunWords& raw, const CLI::App& run) {
    if (run.get_name() != "run" && run.get_name() != "check") return;
    if (!run.count("--ranks")) {
        for (const char* word : {"--group", "--repeat", "--window-mb"}) {
            if (run.count(word)) throw Error(fmt::format("{} is for several ranks: give --ranks N", word));
        }
        return;
    }
    if (o.ranks.count < 1 || o.ranks.count > RankWorld::kMostRanks)
        throw Error(fmt::format("--ranks {} is not legal; legal: 1 to {}", o.ranks.count, RankWorld::kMostRanks));
    if (o.ranks.repeat < 1) throw Error("--repeat 0 runs nothing: give at least 1");
    if (o.ranks.window_mb < 1 || o.ranks.window_mb > 4096)
        throw Error(fmt::format("--window-mb {} is not legal; legal: 1 to 4096", o.ranks.window_mb));
    for (const std::string& group : raw.groups) ParseGroup(group, o.ranks);
    if (run.get_name() == "check") {
        if (!run.count("--schedule")) o.launch.schedule = "all";
        if (!run.count("--repeat")) o.ranks.repeat = 3;
    }
    RankWorld::CheckSchedule(o.launch.schedule, o.ranks.count);
}

}  // namespace

std::string Placed(const std::string& text, uint32_t rank, uint32_t ranks) {
    std::string placed;
    for (size_t begin = 0; begin < text.size();) {
        const size_t open = std::min(text.find('{', begin), text.size()), close = text.find('}', open);
        placed += text.substr(begin, open - begin);
        if (open == text.size()) break;
        const std::string word = close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
        const bool name = !word.empty() && std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
        if (word == "rank" || word == "ranks") {
            if (ranks == 0)
                throw Error(fmt::format("argument '{}': {{{}}} stands for a number with --ranks N", text, word));
            placed += std::to_string(word == "rank" ? rank : ranks);
        } else if (name && ranks != 0) {
            throw Error(
                fmt::format("argument '{}': {{{}}} stands for nothing; legal are {{rank}} and {{ranks}}", text, word));
        } else {
            placed += '{';
            begin = open + 1;
            continue;
        }
        begin = close + 1;
    }
    return placed;
}

void AddRunOptions(CLI::App& run, RunOptions& o, RunWords& raw) {
    run.add_option("source", o.compile.source, "C++ source with the kernel")->required()->type_name("FILE");
    run.add_option("arguments", raw.arguments, "arguments of the kernel, in the order of its parameters; best after --")
        ->type_name("ARG");
    run.add_option("--chip", o.compile.chip, "chip family or product (`sfumato chips` lists them)")->type_name("NAME");
    run.add_option(
           "--kernel", o.kernel,
           "the kernel to run; needed where the file has several. A template with its arguments: 'name<3, true>'")
        ->type_name("NAME");
    run.add_option("--blocks", o.blocks, "how many blocks to run")->type_name("N")->capture_default_str();
    run.add_option("--tiling-key", raw.tiling_key,
                   "the number that TILING_KEY_IS compares with; the source is compiled for it")
        ->type_name("N");
    run.add_option("--tiling-struct", o.compile.tiling_struct, "the struct that GET_TILING_DATA reads")
        ->type_name("NAME");
    run.add_option("--tiling-header", o.compile.tiling_headers,
                   "header with BEGIN_TILING_DATA_DEF ..., included before the source; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
    run.add_option(
           "--template", raw.templates,
           "the combination of ASCENDC_TPL_ARGS_DECL to run, e.g. MODE=3,FAST=1; without it --tiling-key chooses")
        ->type_name("NAME=VALUE,...")
        ->allow_extra_args(false);
    run.add_option(
           "--dtype", raw.dtypes,
           "element type of a parameter, e.g. x=half, for DTYPE_X and ORIG_DTYPE_X; without it the type of the array "
           "given for x; repeatable")
        ->type_name("NAME=TYPE")
        ->allow_extra_args(false);
    run.add_option("--format", raw.formats, "format of a parameter, e.g. x=NZ, for FORMAT_X; default: ND; repeatable")
        ->type_name("NAME=FORMAT")
        ->allow_extra_args(false);
    run.add_option("-D", raw.defines, "define a macro; repeatable")->type_name("NAME[=VALUE]")->allow_extra_args(false);
    run.add_option("-I", o.compile.include_dirs, "folder of headers; repeatable")
        ->type_name("DIR")
        ->allow_extra_args(false);
    run.add_option("--flag", o.compile.flags, "a further flag for the compiler, e.g. --flag=-O2; repeatable")
        ->type_name("FLAG")
        ->allow_extra_args(false);
    run.add_option("--cache", o.compile.cache_dir,
                   "folder of compiled kernels (default: $SFUMATO_CACHE, else ~/.cache/sfumato)")
        ->type_name("DIR");
    if (run.get_name() == "run" || run.get_name() == "check") AddRankOptions(run, o.ranks, raw);
    AddLaunchOptions(run, run.get_name() == "time" ? kRunCommand | kEstimate : kRunCommand, raw.launch);
    run.add_option("--fail-on", raw.fail_on, "end with exit code 4 at a fault, or at a warning, too")
        ->check(CLI::IsMember({"fault", "warning"}));
    run.add_flag("--json{-}", raw.json, "write the findings as JSON to standard output, or with --json=FILE to a file");
    run.add_option("--sarif", raw.sarif, "write the findings as SARIF 2.1.0; - is standard output")->type_name("FILE");
    run.add_option("--junit", raw.junit, "write the findings as JUnit XML; - is standard output")->type_name("FILE");
    run.add_flag("--log{-}", raw.log,
                 "write a line for each instruction to standard error, or with --log=FILE to a file; --log=executed, "
                 "--log=executed:FILE: in the order of execution");
    run.footer(fmt::format("Arguments of the kernel:\n{}\n{}\n{}", ArgumentForms(), kExamples, kExitCodes));
}

void FinishFiles(RunOptions& o, const RunWords& raw, const CLI::App& run) {
    if (run.count("--json"))
        (run.get_name() == "time" ? o.time.json : o.files.json) = raw.json.empty() ? "-" : raw.json;
    if (run.count("--sarif")) o.files.sarif = raw.sarif;
    if (run.count("--junit")) o.files.junit = raw.junit;
    if (o.files.on_stdout() > 1) throw Error(kOneOnStdout);
}

void Finish(RunOptions& o, const RunWords& raw, const CLI::App& run) {
    std::vector<std::string> raw_arguments = raw.arguments;
    const bool check = run.get_name() == "check";
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
    if (run.get_name() == "time") o.launch.time.emplace();
    SetLaunchOptions(o.launch, run, raw.launch);
    if (check && !run.count("--check")) o.launch.check = "all";
    if (run.count("--log")) {
        constexpr std::string_view kExecuted = "executed";
        const bool executed = raw.log == kExecuted || raw.log.starts_with("executed:");
        o.launch.log_order = executed ? LogOrder::kExecuted : LogOrder::kIssued;
        o.log = !executed ? raw.log : raw.log == kExecuted ? "-" : raw.log.substr(kExecuted.size() + 1);
    }
    if (run.get_name() == "time") {
        // Before the kernel's own arguments stand further sources.
        while (!raw_arguments.empty() && raw_arguments.front().ends_with(".cpp")) {
            o.time.compared.push_back(raw_arguments.front());
            raw_arguments.erase(raw_arguments.begin());
        }
    }
    FinishRanks(o, raw, run);
    for (uint32_t rank = 0; rank < std::max(1u, o.ranks.count); ++rank) {
        for (const std::string& a : raw_arguments) {
            o.arguments.push_back(ParseArgument(Placed(a, rank, o.ranks.count)));
            using Kind = ArgumentSpec::Kind;
            const Kind kind = o.arguments.back().kind;
            if (o.ranks.count == 0 && (kind == Kind::kContext || kind == Kind::kWindow))
                throw Error(fmt::format("argument '{}' is for several ranks: give --ranks N", a));
        }
    }
}

}  // namespace sfumato::command
