// SPDX-License-Identifier: Apache-2.0
// Text as JSON, appended: for files too large to be built in memory.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

namespace sfumato::trace {

// In quotes. Text is UTF-8; other bytes become U+FFFD.
void AppendJson(std::string& out, std::string_view text);
// In tens of thousandths: sums and differences of such numbers stay exact.
void AppendTenThousandths(std::string& out, int64_t number);

}  // namespace sfumato::trace
