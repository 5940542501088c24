// SPDX-License-Identifier: Apache-2.0
// Rewrites launches, kernel<<<blocks, l2, stream>>>(arguments), to calls of sfumato/host/launch.h, in place: every line
// stays where it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfumato::jit {

struct Diagnostic {
    uint32_t line, column;  // from 1; columns count bytes
    std::string rule, message;
};

struct Rewritten {
    std::string text;
    uint32_t launches = 0;
    bool has_kernel = false;  // some declaration says __global__
    std::vector<Diagnostic> errors;
};

// Launches in code and in the bodies of #define. With an error the text is of no use.
Rewritten RewriteLaunches(std::string_view source);

}  // namespace sfumato::jit
