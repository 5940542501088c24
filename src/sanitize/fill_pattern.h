// SPDX-License-Identifier: Apache-2.0
// Memory that nobody wrote, by its value: it holds one byte throughout.
#pragma once

#include <cstdint>

#include "isa/memory_map.h"
#include "isa/record.h"

namespace sfumato::sanitize {

// Whether an element of more than 8 bits is nothing but this byte.
constexpr bool IsFill(DataType type, uint64_t bits, uint8_t fill) {
    return BitsOf(type) > 8 && bits == (fill * 0x0101010101010101u & ~uint64_t{0} >> (64 - BitsOf(type)));
}

// The name of the first on-chip source of a record with such an element, as memory stands; nullptr when there is none.
const char* SourceOfFill(const isa::Record& record, const isa::MemoryMap& map, uint8_t fill);

}  // namespace sfumato::sanitize
