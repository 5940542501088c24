// SPDX-License-Identifier: Apache-2.0
// The translation unit around a user's source: it includes the source and exports the table of its kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jit/kernel_finder.h"

namespace sfumato::jit {

constexpr std::string_view kTableSymbol = "sfumato_kernel_table";

// `source` stands between the quotes of the #include; the compiler reads the wrapper from its standard input, so the
// path in messages and in __builtin_FILE() is this text. `instantiations` are exported as written.
std::string WriteWrapper(const std::string& source, const std::vector<FoundKernel>& kernels,
                         const std::vector<std::string>& instantiations);

// The compiler's messages without the lines that speak of the wrapper.
std::string FilterMessages(std::string_view messages, const std::string& source);

}  // namespace sfumato::jit
