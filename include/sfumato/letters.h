// SPDX-License-Identifier: Apache-2.0
// Words of ASCII in one case, for names that are compared or made without it.
#pragma once

#include <algorithm>
#include <string>

namespace sfumato {

inline std::string Lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}
inline std::string Upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

}  // namespace sfumato
