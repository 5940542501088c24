// SPDX-License-Identifier: Apache-2.0
// The text of a printf of a kernel.
#pragma once

#include <string>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::tik {

struct PrintValue {
    DataType type;
    uint64_t value;
};

// Each conversion by its value, in C's format. One without a value stays as it is.
std::string FormatText(const std::string& format, const std::vector<PrintValue>& values);

}  // namespace sfumato::tik
