// SPDX-License-Identifier: Apache-2.0
// Refusals, and slices as operands.
#pragma once

#include "frontends/tik/calls.h"

namespace sfumato::tik {

// Thrown by Refuse; caught where the call is recorded or executed.
struct Refused {
    Finding finding;
};

// A slice that starts `offset` elements of `type` into the copy of a tensor. An offset outside the tensor is refused.
isa::Operand MakeOperand(const TensorNode& tensor, DataType type, int64_t offset, uint64_t copy);

}  // namespace sfumato::tik
