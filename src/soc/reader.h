// SPDX-License-Identifier: Apache-2.0
// One chip file to a Chip.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "soc/chip.h"

namespace sfumato::soc {

// Products that are sold under another name.
struct Series {
    std::string name;                   // "Atlas A3"
    std::vector<std::string> called;    // "Ascend910C"
    std::vector<std::string> products;  // "Ascend910_9362"
};

struct OrderedChip {
    int order = 0;  // place in Families()
    Chip chip;
    std::vector<Series> series;
};

// Throws sfumato::Error with file and line for every key, type, mode or memory it does not know or misses: such a file
// is an error of Sfumato itself.
OrderedChip ReadChip(std::string_view file, std::string_view text);

// Sets `product` and the core counts.
void SelectProduct(Chip& chip, const Product& product);

// A type's name in an api's spelling; false when it has none.
bool ParseType(std::string_view name, isa::Api api, DataType* type);

}  // namespace sfumato::soc
