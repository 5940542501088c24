// SPDX-License-Identifier: Apache-2.0
// Results moved by a unit in the last place, where no page settles it (isa::LastBits, docs/last-bits.md).
#pragma once

#include "exec/run.h"
#include "isa/record.h"

namespace sfumato::exec {

// A run of half or float, and how its results move. `op` is one of the trait kMovesLastBit.
struct Moved {
    RunFn run;
    isa::Opcode op;
    DataType type;
    isa::LastBits bits;
    const uint16_t* table;  // of LookUp
};

// Halves from args.moved->table. Its bits are final: the overflow policy changes none.
bool LookUp(const RunArgs& args);

// args.moved->run, and its results moved: quotients within 0.27 units of a midpoint to its other side, others by one
// unit. Exact and special results stay. Scalar code, for launches that ask for it.
bool RunMoved(const RunArgs& args);

}  // namespace sfumato::exec
