// SPDX-License-Identifier: Apache-2.0
// Lines of Markdown tables.
#pragma once

#include <string>
#include <vector>

namespace sfumato::tablegen {

inline std::string Join(const std::vector<std::string>& items, const char* separator) {
    std::string out;
    for (size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "" : separator) + items[i];
    return out;
}

// A line of a Markdown table.
inline std::string Line(const std::vector<std::string>& cells) { return "| " + Join(cells, " | ") + " |\n"; }

inline std::string Head(const std::vector<std::string>& titles) {
    std::string rule = "|";
    for (size_t i = 0; i < titles.size(); ++i) rule += "---|";
    return Line(titles) + rule + "\n";
}

}  // namespace sfumato::tablegen
