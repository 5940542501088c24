// SPDX-License-Identifier: Apache-2.0
// The runs of arithmetic and fill instructions, by opcode and element type.
#pragma once

#include "exec/run.h"

namespace sfumato::exec {

struct RunTable {
    RunFn run[isa::kOpcodeCount][kDataTypeCount] = {};
    RunFn& At(isa::Opcode op, DataType type) { return run[static_cast<int>(op)][static_cast<int>(type)]; }
};

// Each adds what its source defines, for the target in force.
void AddFloatRuns(RunTable& table);
void AddIntegerRuns(RunTable& table);
void AddFillRuns(RunTable& table);

// nullptr where the type has no such instruction.
RunFn FindRun(isa::Opcode op, DataType type);

}  // namespace sfumato::exec
