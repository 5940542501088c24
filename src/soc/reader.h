// SPDX-License-Identifier: Apache-2.0
// One chip file to a Chip.
#pragma once

#include <string_view>

#include "soc/chip.h"

namespace sfumato::soc {

struct OrderedChip {
    int order = 0;  // place in Families()
    Chip chip;
};

// Throws sfumato::Error with file and line for every key, type, mode or memory it does not know or misses: such a file
// is an error of Sfumato itself.
OrderedChip ReadChip(std::string_view file, std::string_view text);

// Sets `product` and the core counts.
void SelectProduct(Chip& chip, const Product& product);

// A type's name in an api's spelling; false when it has none.
bool ParseType(std::string_view name, isa::Api api, DataType* type);

}  // namespace sfumato::soc
