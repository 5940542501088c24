// SPDX-License-Identifier: Apache-2.0
// The translation unit around a user's source: it includes the source and exports the table of its kernels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/kernel_finder.h"
#include "jit/kernel_names.h"

namespace sfumato::jit {

constexpr const char *kWriteCounts = "sfumato_write_counts", *kForgetCounts = "sfumato_forget_counts";
constexpr std::string_view kTableSymbol = "sfumato_kernel_table";

// The instance of kernel templates a compilation asks for (framework.md 4.7).
struct AskedInstance {
    std::string words;            // "MODE=3,FAST=1"; empty: by its key
    std::optional<uint64_t> key;  // neither: none
};

// `source` stands between the quotes of the #include; the compiler reads the wrapper from its standard input, so the
// path in messages and in __builtin_FILE() is this text. `instantiations` are exported as written, by the names that
// the code has. The tiling headers come before the source.
std::string WriteWrapper(const std::string& source, const std::vector<FoundKernel>& kernels,
                         const std::vector<std::string>& instantiations, const AskedInstance& asked,
                         const std::vector<std::string>& tiling_headers, const TakenNames& taken = {});

// The compiler's messages without the lines that speak of the wrapper.
std::string FilterMessages(std::string_view messages, const std::string& source);

}  // namespace sfumato::jit
