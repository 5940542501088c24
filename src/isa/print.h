// SPDX-License-Identifier: Apache-2.0
// Parts of the line that Print(record) gives.
#pragma once

#include <string>

#include "isa/record.h"

namespace sfumato::isa {

// Appends what follows the call's name, without the source line: operands, mask, repeats, parameters. Begins with a
// space where there is any.
void PrintDetails(std::string& line, const Record& record);

}  // namespace sfumato::isa
