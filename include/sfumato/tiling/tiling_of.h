// SPDX-License-Identifier: Apache-2.0
// Tilings from words, for Python and the command (docs/tiling.md): what host code would get of the tiling functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sfumato/tiling/vector_planner.h"

namespace sfumato::tiling {

struct TilingField {
    std::string type, name;  // "int32_t", "baseM"
};
struct TilingValue {
    std::string name;                 // "TCubeTiling"; empty: several in one
    std::vector<TilingField> fields;  // each at its natural alignment
    std::string bytes;
};

// {"m", "512"}, {"a", "half NZ transposed"} ...
using TilingSettings = std::vector<std::pair<std::string, std::string>>;

// call: "matmul", "softmax", "layernorm", "layernormrstd", "rmsnorm", "topk", "transpose", "pad", "unpad", in any case.
// Throws Error with the constraint that cannot be met, or what is wrong with a setting.
SFUMATO_API TilingValue TilingOf(const std::string& chip, const std::string& call, const TilingSettings& settings);
// "matmul(m=512, n=512, k=512, a=half, b=half, c=float)", or several with numbers as a struct has them:
// "uint32:4 + matmul(...)".
SFUMATO_API TilingValue TilingOf(const std::string& chip, const std::string& text);

// Of an elementwise call ("Gelu"), whose elements have the type ("half").
SFUMATO_API TmpSizes TmpSizesOf(const std::string& call, const Dimensions& shape, const std::string& type);

}  // namespace sfumato::tiling
