// SPDX-License-Identifier: Apache-2.0
// The table of tiling structs (src/tiling/vector_structs.txt) as rows for the preprocessor.
#include <fmt/format.h>

#include <sstream>

#include "tablegen.h"

namespace sfumato::tablegen {

std::string TilingStructs(const std::string& table) {
    std::string out =
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// Generated from src/tiling/vector_structs.txt. Do not edit.\n"
        "// SFUMATO_TILING_TYPE(Name), SFUMATO_TILING_FIELD(type, name) in order, SFUMATO_TILING_END(Name).\n";
    std::istringstream lines(table);
    std::string name, type;
    const auto end = [&] {
        if (!name.empty()) out += fmt::format("SFUMATO_TILING_END({})\n", name);
    };
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            if (word.ends_with(':')) {
                end();
                name = word.substr(0, word.size() - 1);
                out += fmt::format("SFUMATO_TILING_TYPE({})\n", name);
            } else if (word == "float" || word == "bool" || word.ends_with("_t")) {
                type = word;
            } else {
                out += fmt::format("SFUMATO_TILING_FIELD({}, {})\n", type, word);
            }
        }
    }
    end();
    return out;
}

}  // namespace sfumato::tablegen
