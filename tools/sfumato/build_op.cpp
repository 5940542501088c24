// SPDX-License-Identifier: Apache-2.0
// `sfumato build-op`: builds the package of an operator project.
#include <fmt/format.h>

#include "options.h"
#include "output.h"
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
        const std::string word = arguments[i], value = word.substr(word.find('=') + 1);
        if (word == "-h" || word == "--help") {
            PrintOut(BuildOpHelp());
            return kOk;
        }
        if (word.starts_with("-D") && word.size() > 2) {
            options.defines.push_back(word.substr(2));
        } else if (word.starts_with("--out=")) {
            options.out = value;
        } else if (word.starts_with("--kernel-options=") && word.find(':') != word.npos) {
            options.kernel_options.push_back(value);
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

}  // namespace sfumato::command
