// SPDX-License-Identifier: Apache-2.0
// A compiler's errors about names that the headers do not declare, as a sentence each.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sfumato::jit {

// What to say instead of the messages of g++ or clang; nothing when the first is not about a missing name. Public names
// of Ascend C (names.tsv) give one sentence each, with the place of their first use; without one, the first error
// stands alone, with the names it may have meant.
std::optional<std::string> ExplainMissingNames(std::string_view messages);

}  // namespace sfumato::jit
