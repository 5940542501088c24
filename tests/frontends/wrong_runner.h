// SPDX-License-Identifier: Apache-2.0
// Runs a wrong program and keeps what the marks in it saw.
#pragma once

#include <cstdint>
#include <vector>

#include "wrong_programs.h"

namespace sfumato::wrong {

struct Outcome {
    std::vector<Report> findings;
    bool ok = false;
    bool gm_untouched = true;     // global memory still holds the fill pattern
    bool wrote_after = false;     // UB or global memory changed after Wrong()
    Where wrong;                  // the mark
};

// stop: as launched by default. Otherwise faults are collected, and warnings count as faults when the rule is of one, so
// that the bytes after the refused call can be looked at.
Outcome RunProgram(const Program& program, bool stop);

Severity SeverityOf(const Program& program);

}  // namespace sfumato::wrong
