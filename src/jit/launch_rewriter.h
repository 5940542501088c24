// SPDX-License-Identifier: Apache-2.0
// Rewrites launches, kernel<<<blocks, l2, stream>>>(arguments), to calls of sfumato/host/launch.h, in place: every line
// stays where it is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/kernel_names.h"
#include "jit/qualifiers.h"
#include "report/rules.h"

namespace sfumato::jit {

struct Diagnostic {
    uint32_t line, column;  // from 1; columns count bytes
    Rule rule;
    std::string message;
    std::string file = {};
};

struct Rewritten {
    std::string text;
    uint32_t launches = 0;
    bool has_kernel = false;  // some declaration says __global__
    bool changed = false;     // the text is another
    std::vector<Diagnostic> errors;
    std::set<uint32_t> left_out;  // lines of ASSERTs that are
};

// What to include in place of "name", or of <name> (`angled`); "" leaves it.
using Includes = std::function<std::string(const std::string& name, bool angled)>;

// Launches in code and in the bodies of #define; the qualifiers of functions in brackets go. Kernels whose name is
// taken get their name of the code, where they are declared, launched and named to a macro. With an error the text is
// of no use. `macros`: those of the files read before, and then of this one, too. `wrong`: lines whose ASSERTs do not
// compile.
Rewritten RewriteLaunches(std::string_view source, const Includes& includes = {}, const TakenNames& taken = {},
                          MacroWords* macros = nullptr, const std::set<uint32_t>& wrong = {});

}  // namespace sfumato::jit
