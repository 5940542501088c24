// SPDX-License-Identifier: Apache-2.0
// The instruction log: what --log prints.
#pragma once

#include <string>
#include <string_view>

#include "isa/record.h"

namespace sfumato::trace {

// One line: the core's name, then Print(record).
std::string LogLine(std::string_view core, const isa::Record& record);

}  // namespace sfumato::trace
