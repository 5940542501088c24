// SPDX-License-Identifier: Apache-2.0
// Vector calls as records, for the forms with parameters of their own.
#pragma once

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {

// The operands with their strides, mask, repeat and registers of a call; false when a finding refused it.
bool BuildVector(runtime::Core& core, isa::Opcode op, const VectorCall& call, isa::Record* record);

// Builds the record of a row without parameters of its own and issues it.
void IssueVector(isa::Opcode op, const VectorCall& call);

}  // namespace sfumato::ascendc
