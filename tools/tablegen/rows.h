// SPDX-License-Identifier: Apache-2.0
// The C++ form of an instruction: which macro of include/sfumato/ascendc/elementwise.h makes its templates.
#pragma once

#include "isa/opcode.h"

namespace sfumato::tablegen {

// "UNARY", "BINARY_PAIR" ...; empty for a row whose templates are written by hand, or that has no Ascend C name.
const char* CppForm(isa::Opcode op);

// Whether dst and sources of a row with a C++ form may differ in type.
bool TakesPairs(isa::Opcode op);

}  // namespace sfumato::tablegen
