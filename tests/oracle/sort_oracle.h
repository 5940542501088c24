// SPDX-License-Identifier: Apache-2.0
// Sorts, merges and moves of a field of records: vector_instructions.md 8 read literally, without exec or the helpers
// of isa.
#pragma once

#include "oracle/reduce_oracle.h"

namespace sfumato::oracle {

void ExpectProposalField(const isa::Record& record, const ReduceMemory& memory);
void ExpectSortGroups(const isa::Record& record, const ReduceMemory& memory);
void ExpectMergeQueues(const isa::Record& record, const ReduceMemory& memory);

}  // namespace sfumato::oracle
