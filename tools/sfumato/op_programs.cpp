// SPDX-License-Identifier: Apache-2.0
// `sfumato op_build` and `sfumato opc`: programs of the toolkit folder that the build files of operator projects call.
#include <fmt/format.h>

#include "options.h"
#include "output.h"
#include "sfumato/build.h"
#include "sfumato/toolkit.h"

namespace sfumato::command {
namespace {

constexpr OptionHelp kOpBuildOptions[] = {{"-h, --help", "", "this list"}};
constexpr OptionHelp kOpcOptions[] = {
    {"--input_param", "FILE", "JSON with the operator, and the types and formats of its parameters"},
    {"--soc_version", "CHIP", "the product to compile for"},
    {"--output", "DIR", "where the binary and its description go"},
    {"--main_func, --op_mode, --impl_mode, --simplified_key_mode", "WORD", "accepted: they mean nothing here"},
    {"-h, --help", "", "this list"}};

std::string OpBuildHelp() {
    return "usage: sfumato op_build LIBRARY DIR\n"
           "Writes the aclnn functions, prototypes and information of the operators that\n"
           "LIBRARY registers into DIR. The build files of an operator project call it.\n\n" +
           HelpLines(kOpBuildOptions);
}
std::string OpcHelp() {
    return "usage: sfumato opc FILE --input_param=FILE --soc_version=CHIP --output=DIR\n"
           "Compiles the kernel of an operator for one combination of types and formats.\n"
           "The build files of an operator project call it.\n\n" +
           HelpLines(kOpcOptions);
}

int Finish(const BuildResult& result) {
    (result.exit_code == 0 ? PrintOut : PrintError)(result.messages);
    return result.exit_code;
}

}  // namespace

std::span<const OptionHelp> OpBuildOptionHelp() { return kOpBuildOptions; }
std::span<const OptionHelp> OpcOptionHelp() { return kOpcOptions; }

int RunOpBuild(int count, char** arguments) {
    std::vector<std::string> words(arguments, arguments + count);
    if (count > 0 && (words[0] == "-h" || words[0] == "--help")) {
        PrintOut(OpBuildHelp());
        return kOk;
    }
    // Options behind the two are the vendor's, of newer releases.
    if (count < 2 || words[0].starts_with("-") || words[1].starts_with("-")) {
        PrintError(fmt::format("error: op_build needs a library and a folder\n{}", OpBuildHelp()));
        return 1;
    }
    return Finish(toolkit::BuildTexts(words[0], words[1]));
}

int RunOpc(int count, char** arguments) {
    toolkit::OpcOptions options;
    const std::pair<std::string, std::string*> kNamed[] = {{"--input_param", &options.input_param},
                                                           {"--soc_version", &options.soc_version},
                                                           {"--output", &options.output}};
    for (int i = 0; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "-h" || word == "--help") {
            PrintOut(OpcHelp());
            return kOk;
        }
        if (!word.starts_with("--")) {
            options.source = word;
            continue;
        }
        const size_t equals = std::min(word.find('='), word.size());
        std::string value = equals < word.size() ? word.substr(equals + 1) : "";
        if (equals == word.size() && i + 1 < count && arguments[i + 1][0] != '-') value = arguments[++i];
        for (const auto& [name, to] : kNamed) {
            if (word.compare(0, equals, name) == 0) *to = value;
        }
    }
    for (const auto& [name, value] : kNamed) {
        if (!value->empty()) continue;
        PrintError(fmt::format("error: opc: {} is missing\n{}", name, OpcHelp()));
        return 1;
    }
    return Finish(toolkit::CompileCombination(options));
}

}  // namespace sfumato::command
