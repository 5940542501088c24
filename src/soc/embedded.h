// SPDX-License-Identifier: Apache-2.0
// The texts of chips/*.toml, compiled into the library by cmake/Generate.cmake.
#pragma once

#include <span>
#include <string_view>

namespace sfumato::soc {

struct EmbeddedFile {
    std::string_view name;  // "chips/ascend910b.toml"
    std::string_view text;
};

std::span<const EmbeddedFile> ChipFiles();

}  // namespace sfumato::soc
