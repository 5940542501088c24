// SPDX-License-Identifier: Apache-2.0
// Reads the options of the vendor's compiler (framework.md 5.5): what they mean here, or that they mean nothing.
#include "jit/build_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "jit/toolkit_options.h"
#include "sanitize/checks.h"
#include "sfumato/build.h"

namespace sfumato {
namespace jit {
namespace {

// Libraries of the vendor's that libsfumato stands for.
constexpr std::array kOwnLibraries = {
    "sfumato",
#include "vendor_libraries.inc"
};

class Reader {
public:
    explicit Reader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

    BuildOptions Run() {
        for (; next_ < arguments_.size(); ++next_) Read(arguments_[next_]);
        if (options_.help) return std::move(options_);
        if (options_.inputs.empty()) throw BuildError(Rule::kBuildOption, "no source is given");
        const bool one_output = options_.mode == BuildMode::kObject || options_.mode == BuildMode::kSource;
        if (one_output && !options_.output.empty() && options_.inputs.size() > 1) {
            throw BuildError(Rule::kBuildOption,
                             fmt::format("{} sources cannot go into one {}", options_.inputs.size(), options_.output));
        }
        return std::move(options_);
    }

private:
    // The option's value, joined to it ("-Idir", "--chip=X") or the next word.
    bool Takes(const std::string& word, const std::string& option, std::string* value) {
        if (word == option) {
            if (next_ + 1 >= arguments_.size()) throw BuildError(Rule::kBuildOption, option + " needs a value");
            *value = arguments_[++next_];
            return true;
        }
        const bool is_long = option.starts_with("--");
        const std::string joined = is_long ? option + "=" : option;
        if (!word.starts_with(joined) || (option.size() > 2 && !is_long)) return false;
        *value = word.substr(joined.size());
        return true;
    }

    void Read(const std::string& word) {
        if (word.empty()) return;
        if (word[0] != '-' || word == "-") {
            options_.inputs.push_back({word, language_});
            return;
        }
        if (ReadMode(word) || ReadChip(word) || ReadValue(word) || ReadIgnored(word)) return;
        if (word.starts_with("-std=") || word.starts_with("--std=")) return;  // C++20 always: the headers need it
        if (word.starts_with("--")) {
            throw BuildError(Rule::kBuildOption,
                             fmt::format("unknown option {}; `sfumato build --help` lists what is legal", word));
        }
        if (word == "-M" || word == "-MM" || word == "-E" || word == "-S") {
            throw BuildError(Rule::kBuildOption,
                             fmt::format("{} is not done here: use -c, -shared, -lib or none", word));
        }
        const bool of_linker = word.starts_with("-Wl,") || word.starts_with("-static-lib") ||
                               word.starts_with("-fuse-ld=") || word == "-s" || word == "-rdynamic";
        if (of_linker) {
            options_.link.push_back(word);
        } else {
            options_.compile.push_back(word);
        }
    }

    bool ReadMode(const std::string& word) {
        static const std::map<std::string, BuildMode> kModes = {
            {"-c", BuildMode::kObject},           {"-dc", BuildMode::kObject},
            {"-shared", BuildMode::kShared},      {"--shared", BuildMode::kShared},
            {"-lib", BuildMode::kStatic},         {"--cce-build-static-lib", BuildMode::kStatic},
            {"--emit-source", BuildMode::kSource}};
        if (word == "-v" || word == "--verbose") return options_.verbose = true;
        if (word == "-h" || word == "--help") return options_.help = true;
        const auto it = kModes.find(word);
        if (it == kModes.end()) return false;
        options_.mode = it->second;
        return true;
    }

    bool ReadChip(const std::string& word) {
        std::string value;
        if (Takes(word, "--chip", &value) || Takes(word, "--npu-soc", &value)) {
            if (!by_arch_) options_.chip = value;
            return true;
        }
        const bool old = Takes(word, "--cce-aicore-arch", &value);
        if (!old && !Takes(word, "--npu-arch", &value)) return false;
        static const std::map<std::string, const char*> kArchitectures = {
            {"dav-1001", "Ascend910"},      {"dav-c100", "Ascend910"},       {"dav-2002", "Ascend310P"},
            {"dav-m200", "Ascend310P"},     {"dav-2201", "Ascend910B"},      {"dav-c220", "Ascend910B"},
            {"dav-c220-vec", "Ascend910B"}, {"dav-c220-cube", "Ascend910B"}, {"dav-3002", "Ascend310B"},
            {"dav-m300", "Ascend310B"},     {"dav-3510", "Ascend950"},       {"dav-c310", "Ascend950"},
            {"dav-c310-vec", "Ascend950"},  {"dav-c310-cube", "Ascend950"}};
        const auto it = kArchitectures.find(value);
        if (it == kArchitectures.end()) {
            throw BuildError(Rule::kBuildOption,
                             fmt::format("no chip here is {}; legal are dav-1001 (Ascend910), dav-2002 (Ascend310P), "
                                         "dav-2201 (Ascend910B), dav-3002 (Ascend310B), dav-3510 (Ascend950)",
                                         value));
        }
        // The architecture wins over a product of another family.
        options_.chip = it->second;
        by_arch_ = true;
        return true;
    }

    bool ReadValue(const std::string& word) {
        std::string value;
        if (word == "-xasc" || word == "-xcce") return language_ = "asc", true;
        if (Takes(word, "-x", &value)) return language_ = value == "cce" ? "asc" : value, true;
        if (Takes(word, "-o", &options_.output)) return true;
        if (Takes(word, "--launch-headers", &options_.launch_headers)) return true;
        if (word.starts_with("-MF") || word == "-MT" || word == "-MQ") {
            const std::string option = word.substr(0, 3);
            if (!(word.size() > 3 && (value = word.substr(3), true)) && !Takes(word, option, &value)) return false;
            if (option == "-MF") options_.dependencies = value;
            options_.compile.insert(options_.compile.end(), {option, value});
            return true;
        }
        if (word.starts_with("-M")) return options_.compile.push_back(word), true;
        for (const char* option : {"-include", "-isystem", "-iquote", "-idirafter"}) {
            if (word != option) continue;
            Takes(word, option, &value);
            options_.compile.insert(options_.compile.end(), {option, value});
            return true;
        }
        for (const char* option : {"-I", "-D", "-U"}) {
            if (!Takes(word, option, &value)) continue;
            if (option[1] == 'D') options_.macros.push_back(value.substr(0, value.find('=')));
            options_.compile.push_back(option + value);
            return true;
        }
        if (Takes(word, "-L", &value)) return options_.link.push_back("-L" + value), true;
        if (Takes(word, "-l", &value)) {
            const bool own = std::ranges::find(kOwnLibraries, value) != kOwnLibraries.end();
            if (!own) options_.link.push_back("-l" + value);
            return true;
        }
        return false;
    }

    bool ReadIgnored(const std::string& word) {
        std::string value;
        if (word == "--enable-simt") {
            throw BuildError(Rule::kSimtUnsupported, "--enable-simt: no chip here has SIMT; leave it out");
        }
        if (Takes(word, "--check", &value)) {
            const sanitize::Checks checks = sanitize::Checks::Parse(value);
            options_.raw = checks.Has(sanitize::Check::kRaw);
            std::replace(value.begin(), value.end(), ',', '+');
            AddLaunch("check=" + value);
            return true;
        }
        if (word == "--sanitizer") return AddLaunch("strict=1"), true;
        const ToolkitOption option = ReadToolkitOption(arguments_, next_);
        if (option.words == 0) return false;
        if (option.launch.empty())
            options_.ignored.push_back(word + (option.words > 1 ? " " + arguments_[next_ + 1] : ""));
        AddLaunch(option.launch);
        next_ += option.words - 1;
        return true;
    }

    void AddLaunch(const std::string& option) {
        if (!option.empty()) options_.launch += (options_.launch.empty() ? "" : ",") + option;
    }

    const std::vector<std::string>& arguments_;
    size_t next_ = 0;
    std::string language_;
    bool by_arch_ = false;
    BuildOptions options_;
};

}  // namespace

bool BuildOptions::Defines(const std::string& name) const { return std::ranges::find(macros, name) != macros.end(); }

BuildOptions ReadBuildOptions(const std::vector<std::string>& arguments) { return Reader(arguments).Run(); }

std::string BuildHelp() {
    return "Usage: sfumato build SOURCES [OPTIONS]\n"
           "Compiles programs with kernels, launches and host code in one file, for the CPU.\n\n" +
           HelpLines(BuildOptionHelp()) +
           "A program runs with SFUMATO_CHIP, SFUMATO_OPTIONS and SFUMATO_ON_FAULT (docs/existing-programs.md).\n";
}

}  // namespace jit

std::span<const OptionHelp> BuildOptionHelp() {
    static constexpr OptionHelp kOptions[] = {
        {"-o", "FILE", "what is written"},
        {"-c, -dc", "", "an object; without -c, -shared and -lib: a program"},
        {"-shared", "", "a shared library"},
        {"-lib", "", "a static library"},
        {"--chip, --npu-soc", "NAME", "the product or family; default Ascend910B1"},
        {"--npu-arch", "NAME", "the family: dav-1001, dav-2002, dav-2201, dav-3002, dav-3510; wins over a product"},
        {"-x", "LANGUAGE",
         "asc, c++ or none: of the sources that follow; else .asc and .cce, and .cpp with a kernel or a launch, are "
         "Ascend "
         "C, and any other source is plain C++"},
        {"-I, -isystem", "DIR",
         "as for the system's compiler ($SFUMATO_CXX, $CXX, c++), which does the work; so are -U, -l, "
         "-O, -g, -f, -m, -W, -MD, -MF, -MT"},
        {"-D", "NAME[=VALUE]", "likewise"},
        {"-L", "DIR", "likewise"},
        {"-include", "FILE", "likewise"},
        {"--sanitizer", "", "strict=1 for the launches of these sources"},
        {"--cce-auto-sync=off", "", "auto_sync=off for the launches of these sources"},
        {"--check", "NAMES", "what the launches look for, as in `sfumato run`; raw compiles for it"},
        {"--launch-headers", "DIR", "writes aclrtlaunch_<kernel>.h for each kernel, with what it declares"},
        {"--emit-source", "", "writes the C++ source instead of compiling it"},
        {"--compiler", "COMMAND...",
         "first of all: runs that compiler, and says what is known of the names it misses; CMake's targets of kernels "
         "do it"},
        {"--json", "FILE", "the compiler's errors for other programs (docs/findings.md)"},
        {"--sarif", "FILE", "likewise, as SARIF"},
        {"--junit", "FILE", "likewise, as JUnit XML"},
        {"-v, --verbose", "", "the commands, and the options that mean nothing here"},
        {"-h, --help", "", "this list"}};
    return kOptions;
}

std::string HelpLines(std::span<const OptionHelp> options) {
    constexpr size_t kColumn = 28, kWidth = 118;
    std::string text;
    for (const OptionHelp& option : options) {
        const bool joined = option.names.starts_with("--") && !option.names.ends_with("off");
        std::string line = fmt::format("  {}", option.names);
        if (!option.value.empty()) line += fmt::format("{}{}", joined ? '=' : ' ', option.value);
        if (line.size() + 2 > kColumn) {
            text += line + '\n';
            line.clear();
        }
        line.resize(kColumn, ' ');
        for (std::string_view rest = option.text; !rest.empty();) {
            const size_t space = rest.find(' '), length = std::min(space, rest.size());
            if (line.size() + length > kWidth) {
                text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
                line.assign(kColumn, ' ');
            }
            line += std::string(rest.substr(0, length)) + ' ';
            rest.remove_prefix(std::min(length + 1, rest.size()));
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

}  // namespace sfumato
