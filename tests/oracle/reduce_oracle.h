// SPDX-License-Identifier: Apache-2.0
// Reductions and transposes, element by element: vector_instructions.md 6 and 7 read literally, without exec, numeric
// or the walks of isa.
#pragma once

#include "isa/record.h"
#include "oracle/image.h"

namespace sfumato::oracle {

// What a record does to UB and to the vector unit's registers. `ub` is the image before.
struct ReduceMemory {
    const Bytes& ub;
    Bytes& expected;
    Bytes& registers;
};

// Each returns true when the policy `saturate` changed a result.
bool ExpectReduce(const isa::Record& record, const ReduceMemory& memory);        // form kReduce
bool ExpectReduceTensor(const isa::Record& record, const ReduceMemory& memory);  // form kReduceTensor

void ExpectTransposeSquares(const isa::Record& record, const ReduceMemory& memory);
void ExpectTransposeBlocks(const isa::Record& record, const ReduceMemory& memory);
void ExpectTransposeChannels(const isa::Record& record, const ReduceMemory& memory);

}  // namespace sfumato::oracle
