// SPDX-License-Identifier: Apache-2.0
// What the chips take, as the sections of an instruction's page: types, conversions, paths.
#pragma once

#include <string>

#include "isa/opcode.h"

namespace sfumato::tablegen {

std::string LegalTables(isa::Opcode opcode);

}  // namespace sfumato::tablegen
