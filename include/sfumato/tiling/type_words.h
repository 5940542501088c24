// SPDX-License-Identifier: Apache-2.0
// The words of element types as people write them, and their numbers (framework.md 4.8).
#pragma once

#include <cstdint>
#include <string_view>

#include "sfumato/type_numbers.h"

namespace sfumato::tiling {

struct TypeWord {
    const char *dt, *type, *numpy;
    uint64_t number;
};
inline constexpr TypeWord kTypeWords[] = {
#define SFUMATO_X(word, number, type, numpy) {#word, #type, numpy, number},
    SFUMATO_TYPE_NUMBERS(SFUMATO_X) SFUMATO_SMALL_FLOAT_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
};

// "half", "float16", "DT_FLOAT16" and "C_DT_FLOAT16" are 1; -1: no type.
constexpr int NumberOfType(std::string_view word) {
    if (word.starts_with("C_DT_")) word.remove_prefix(2);
    const bool dt = word.starts_with("DT_");
    if (dt) word.remove_prefix(3);
    for (const TypeWord& t : kTypeWords) {
        if (dt ? word == t.dt : word == t.type || word == t.numpy) return static_cast<int>(t.number);
    }
    return -1;
}
// As NumPy writes it; nullptr: no type has the number.
constexpr const char* NameOfType(uint64_t number) {
    for (const TypeWord& t : kTypeWords) {
        if (t.number == number) return t.numpy;
    }
    return nullptr;
}

}  // namespace sfumato::tiling
