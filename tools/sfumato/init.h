// SPDX-License-Identifier: Apache-2.0
// `sfumato init`: the folder of a new kernel.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace sfumato::command {

struct InitOptions {
    std::string name, chip = "Ascend910B1";
};

void AddInitOptions(CLI::App& init, InitOptions& options);
// Writes the folder as a whole, or nothing. Throws Error.
int Init(const InitOptions& options);

}  // namespace sfumato::command
