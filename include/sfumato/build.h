// SPDX-License-Identifier: Apache-2.0
// `sfumato build`: compiles programs whose sources hold kernels, launches and host code (docs/existing-programs.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfumato/report.h"

namespace sfumato {

struct BuildResult {
    int exit_code = 0;     // 0, or 1 when anything was refused
    std::string messages;  // the compiler's and our own, original lines; each line ends with a newline
};

// The command line of the vendor's compiler (framework.md 5.5), without its name: sources, objects, options. Throws
// nothing for what is wrong with it.
SFUMATO_API BuildResult Build(const std::vector<std::string>& arguments);

// An option of a command line that CLI11 does not read, as its help has it: "-o", "FILE", "what is written". Several
// names with ", " between; `value` is empty for a switch.
struct OptionHelp {
    std::string_view names, value, text;
};
SFUMATO_API std::span<const OptionHelp> BuildOptionHelp();
// Two columns, wrapped.
SFUMATO_API std::string HelpLines(std::span<const OptionHelp> options);

}  // namespace sfumato
