// SPDX-License-Identifier: Apache-2.0
// What a compiler refuses in programs that boards take, and the options with which it does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/process.h"

namespace sfumato::jit {

struct SecondTry {
    std::vector<std::string> options;  // none: nothing known helps
    std::string warnings;              // of the program, each ended by a line break
};

// By what the compiler said; `tried`: options that it had.
//   Element types that a call does not take, in code that may never run, where they alone stopped it: with
//   SFUMATO_ANY_TYPE they compile, and are faults when the call runs (types.h).
//   Names that many programs define themselves: with SFUMATO_DECLARES_X the headers declare X (static_tensor.h).
SecondTry TryAgain(std::string_view messages, const std::vector<std::string>& tried);

// Runs a compiler, and again while options may help; of the output the warnings come first.
ProcessResult RunCompilerAgain(std::vector<std::string> command);

}  // namespace sfumato::jit
