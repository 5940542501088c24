// SPDX-License-Identifier: Apache-2.0
// The distinct conversions behind the rows of tests/data/conversion_support.csv.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sfumato/data_type.h"

namespace sfumato::conformance {

struct Case {
    DataType src, dst;
    Rounding rounding;
    bool scaled;  // takes a deqscale
    auto operator<=>(const Case&) const = default;
};

struct Table {
    size_t row_mode_pairs = 0;  // each spelling of each row counted
    std::vector<Case> cases;    // distinct, in the order of the file
};

// Throws std::runtime_error naming the line when the file cannot be read or holds an unknown word.
Table ReadTable(const std::string& path);

std::string Name(const Case& c);  // "float32_float16_CAST_ODD"; usable as a test's name

}  // namespace sfumato::conformance
