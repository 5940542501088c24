// SPDX-License-Identifier: Apache-2.0
// The runs of arithmetic and fill instructions, by opcode and element type.
#pragma once

#include "exec/run.h"

namespace sfumato::exec {

struct RunTable {
    RunFn run[isa::kOpcodeCount][kDataTypeCount] = {};
    RunFn widening[isa::kOpcodeCount] = {};  // half sources, float dst
    RunFn& At(isa::Opcode op, DataType type) { return run[static_cast<int>(op)][static_cast<int>(type)]; }
};

// Each adds what its source defines, for the target in force.
void AddFloatRuns(RunTable& table);
void AddIntegerRuns(RunTable& table);
void AddFillRuns(RunTable& table);
void AddLogicRuns(RunTable& table);
void AddFunctionRuns(RunTable& table);
void AddRealRuns(RunTable& table);
void AddCompositeRuns(RunTable& table);

// nullptr where the types have no such instruction.
RunFn FindRun(isa::Opcode op, DataType dst, DataType src);
// Of instructions that convert, but for Cast and CastDeq; nullptr where the types have none.
RunFn FindConvertingRun(isa::Opcode op, DataType dst, DataType src);
inline RunFn FindRun(isa::Opcode op, DataType type) { return FindRun(op, type, type); }

}  // namespace sfumato::exec
