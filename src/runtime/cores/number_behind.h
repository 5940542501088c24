// SPDX-License-Identifier: Apache-2.0
// Words of options with a number: "seed:7", "all:20".
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace sfumato::runtime {

// The number behind the prefix; none where the text does not begin with it, or more or less follows than a decimal T.
template <class T>
std::optional<T> NumberBehind(std::string_view prefix, std::string_view text) {
    if (!text.starts_with(prefix)) return std::nullopt;
    T number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace sfumato::runtime
