// SPDX-License-Identifier: Apache-2.0
// Tells the options apart by their words: what is not known here is for the system's compiler to say.
#include "jit/toolkit_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "jit/build_options.h"

namespace sfumato::jit {
namespace {

// Brackets around options for one half of a source: here both halves are one.
constexpr const char* kMarks[] = {"-Xhost-start",
                                  "-Xhost-end",
                                  "-Xaicore-start",
                                  "-Xaicore-end",
                                  "-xasc",
                                  "-xcce",
                                  "-forward-options-to-host-compiler"};

}  // namespace

ToolkitOption ReadToolkitOption(const std::vector<std::string>& words, size_t at) {
    const std::string& word = words[at];
    if (std::ranges::find(kMarks, word) != std::end(kMarks)) return {1, ""};
    const bool has_next = at + 1 < words.size();
    if (word == "-mllvm") return {has_next ? size_t{2} : size_t{1}, ""};
    if (word == "-x" && has_next && (words[at + 1] == "asc" || words[at + 1] == "cce")) return {2, ""};
    if (word.starts_with("--cce-auto-s")) {
        if (word == "--cce-auto-sync" || word == "--cce-auto-sync=on") return {1, "auto_sync=on"};
        if (word == "--cce-auto-sync=off") return {1, "auto_sync=off"};
        throw BuildError(Rule::kBuildOption,
                         fmt::format("unknown option {}; legal are --cce-auto-sync=on and --cce-auto-sync=off", word));
    }
    // "-cce-...": of "-mllvm -cce-...", where CMake has left out a second -mllvm.
    const bool nothing = word.starts_with("--cce-") || word.starts_with("-cce-") || word.starts_with("--run-mode=");
    return {nothing ? size_t{1} : size_t{0}, ""};
}

std::vector<std::string> WithoutToolkitOptions(const std::vector<std::string>& words) {
    std::vector<std::string> left;
    std::string launch;
    for (size_t i = 0; i < words.size();) {
        const ToolkitOption option = ReadToolkitOption(words, i);
        const bool chip = words[i].starts_with("--npu-arch=") || words[i].starts_with("--npu-soc=");
        if (option.words == 0 && !chip) left.push_back(words[i]);
        if (!option.launch.empty()) launch = option.launch;
        i += std::max<size_t>(option.words, 1);
    }
    if (!launch.empty()) left.push_back(fmt::format("-DSFUMATO_BUILD_OPTIONS=\"{}\"", launch));
    return left;
}

}  // namespace sfumato::jit
