// SPDX-License-Identifier: Apache-2.0
// What the tilings of the vector calls have in common.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "sfumato/tiling/vector_planner.h"
#include "tiling/cube_words.h"

namespace sfumato::tiling {

// What the fields of tilings hold.
template <std::integral T>
uint32_t U32(T value) {
    return static_cast<uint32_t>(value);
}

// Throws unless the shape has `least` to `most` axes of at least 1.
uint64_t Elements(const std::string& call, const Dimensions& shape, size_t least, size_t most);
void CheckTypeSize(const std::string& call, uint32_t size, std::initializer_list<uint32_t> legal);

// Throws unless a row is whole blocks.
void CheckRow(const std::string& call, int64_t columns, uint32_t type_size);

}  // namespace sfumato::tiling
