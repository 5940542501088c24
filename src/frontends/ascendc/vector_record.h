// SPDX-License-Identifier: Apache-2.0
// Operands and masks of vector calls, for the files that build their records.
#pragma once

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {

// A tensor with its strides; false when it was reported.
bool SetOperand(runtime::Core& core, const char* call, const char* name, const VectorOperand& operand, Where where,
                isa::Operand* out);

// The mask of the record, whose operands are set, and what the call leaves in the mask register (vector.md).
bool SetMask(runtime::Core& core, const VectorCall& call, isa::Record* record);

}  // namespace sfumato::ascendc
