// SPDX-License-Identifier: Apache-2.0
// Element types by the number that ge::DataType and aclDataType have in common (clients.md 6.3).
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

#include "sfumato/data_type.h"
#include "sfumato/half.h"
#include "sfumato/tiling/type_words.h"

namespace sfumato::host {

// Bits of an element; 0: it has no size.
constexpr uint32_t TypeBits(int number) {
    constexpr uint8_t kBits[] = {32, 16, 8,  32,  8,  0, 16, 16, 32, 64, 64, 64, 8,  0, 8, 8, 64, 128, 8, 16, 32,
                                 8,  16, 64, 128, 40, 0, 16, 0,  4,  1,  2,  2,  32, 8, 8, 8, 8,  6,   6, 4,  4};
    return number >= 0 && number < static_cast<int>(std::size(kBits)) ? kBits[number] : 0;
}

// Calls visit with a value of the type, bool as a byte. False where C++ has no type of it.
template <class Visit>
bool VisitType(int number, const Visit& visit) {
    const auto of = [&]<class T>(T value) {
        constexpr bool whole = !std::is_same_v<T, int4b_t>;
        if constexpr (whole) visit(std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>(value));
        return whole;
    };
    switch (number) {
#define SFUMATO_X(word, of_word, type, ...) \
    case of_word: return of(type());
        SFUMATO_TYPE_NUMBERS(SFUMATO_X)
#undef SFUMATO_X
        default: return false;
    }
}

// A number of the host as an element.
template <class T>
T ElementOf(double value) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(value);
    } else {
        return T(static_cast<float>(value));
    }
}

// The element type that the number stands for in kernels, or kCount.
constexpr DataType KernelType(uint64_t number) {
    const char* name = tiling::NameOfType(number);
    int type = 0;
    while (type < kDataTypeCount && !(name && std::string_view(NumpyName(static_cast<DataType>(type))) == name)) ++type;
    return static_cast<DataType>(type);
}

}  // namespace sfumato::host
