// SPDX-License-Identifier: Apache-2.0
// `sfumato build`: compiles programs whose sources hold kernels, launches and host code (docs/existing-programs.md).
#pragma once

#include <string>
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

// What `sfumato build --help` prints.
SFUMATO_API std::string BuildHelp();

}  // namespace sfumato
