// SPDX-License-Identifier: Apache-2.0
// Sorts, merges and moves of a field of records (vector_instructions.md 8). None saturates.
#pragma once

#include "exec/exec.h"

namespace sfumato::exec {

// Each executes a checked record.
void MoveField(const isa::Record& record, const MemoryMap& memory);  // vconcat, vextract
void SortRecords(const isa::Record& record, const MemoryMap& memory);
void MergeRecords(const isa::Record& record, const MemoryMap& memory);

}  // namespace sfumato::exec
