// SPDX-License-Identifier: Apache-2.0
// What exec says to a record no check lets through.
#pragma once

#include <string>

#include "isa/record.h"

namespace sfumato::exec {

// Throws std::logic_error: the instruction's names, then `why` ("has no conversion from ...").
[[noreturn]] void Refuse(const isa::Record& record, const std::string& why);

}  // namespace sfumato::exec
