// SPDX-License-Identifier: Apache-2.0
// One thing that is known of a chip, with where it is known from.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sfumato {

struct ChipFact {
    std::string key;      // as in chips/*.toml, tables before a dot: "event_ids", "memories.UB", "ascendc.types.Add"
    std::string words;    // what it says
    std::string source;   // the page, or a document of docs/spec
    std::string tag;      // "documented", "recorded", "decided", "assumed"; empty where the chip files have none
    bool applies = true;  // false: it means nothing on this chip, whatever the value
    std::variant<bool, uint64_t, std::string, std::vector<std::string>> value;
};

}  // namespace sfumato
