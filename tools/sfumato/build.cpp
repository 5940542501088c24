// SPDX-License-Identifier: Apache-2.0
// `sfumato build-op`: builds the package of an operator project. `sfumato build`: the command line of the vendor's
// compiler, and what the compiler says as findings.
#include <fmt/format.h>

#include <cstring>

#include "findings.h"
#include "options.h"
#include "output.h"
#include "sfumato/build.h"
#include "sfumato/toolkit.h"

namespace sfumato::command {
namespace {

constexpr OptionHelp kBuildOpOptions[] = {
    {"-D", "NAME=VALUE", "ASCEND_COMPUTE_UNIT or vendor_name, which else come from CMakePresets.json; repeatable"},
    {"--out", "DIR", "with --autogen: where the aclnn functions go"},
    {"--kernel-options", "OP:OPTION",
     "an option of the kernel of OP, or of ALL, besides those of add_ops_compile_options(...) in "
     "op_kernel/CMakeLists.txt; repeatable"},
    {"--autogen", "", "only writes the aclnn functions"},
    {"-h, --help", "", "this list"}};

std::string BuildOpHelp() {
    return "usage: sfumato build-op [DIR] [OPTIONS]\n"
           "Compiles the operators of DIR, generates their aclnn functions and writes\n"
           "DIR/build_out/custom_opp_<os>_<machine>.run, a script that installs them.\n\n" +
           HelpLines(kBuildOpOptions);
}

}  // namespace

std::span<const OptionHelp> BuildOpOptionHelp() { return kBuildOpOptions; }

int RunBuildOp(int count, char** arguments) {
    toolkit::BuildOpOptions options;
    bool named = false;
    for (int i = 0; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "-h" || word == "--help") {
            PrintOut(BuildOpHelp());
            return kOk;
        }
        if (word.starts_with("-D") && word.size() > 2) {
            options.defines.push_back(word.substr(2));
        } else if (word.starts_with("--out=")) {
            options.out = word.substr(6);
        } else if (word.starts_with("--kernel-options=") && word.find(':') != word.npos) {
            options.kernel_options.push_back(word.substr(17));
        } else if (word == "--autogen") {
            options.autogen = true;
        } else if (word.starts_with("-") || named) {
            PrintError(fmt::format("error: '{}' is no option of build-op\n{}", word, BuildOpHelp()));
            return 1;
        } else {
            options.folder = word;
            named = true;
        }
    }
    if (options.autogen && options.out.empty()) {
        PrintError("error: --autogen needs --out=DIR\n");
        return 1;
    }
    const BuildResult result = toolkit::BuildOp(options);
    (result.exit_code == 0 ? PrintOut : PrintError)(result.messages);
    return result.exit_code;
}

int RunBuild(int count, char** arguments) {
    std::vector<std::string> words;
    const FindingsFiles files = TakeFindingsFiles(count, arguments, &words);
    if (files.on_stdout() > 1) {
        SayError(kOneOnStdout);
        return 1;
    }
    const BuildResult result = Build(words);
    (result.exit_code == 0 && count > 0 && files.on_stdout() == 0 ? PrintOut : PrintError)(result.messages);
    RunFindings run;
    if (result.exit_code != 0) {
        run.findings = CompileFindings(result.messages, "", "");
        run.error_kind = "compile";
        run.error = result.messages;
    }
    WriteFindings(files, run);
    return result.exit_code;
}

}  // namespace sfumato::command
