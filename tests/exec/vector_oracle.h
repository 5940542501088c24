// SPDX-License-Identifier: Apache-2.0
// What a vector record must do, element by element in plain scalar code: vector.md and conversions.md read literally.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/record.h"

namespace sfumato::testing {

// Executes the record on `ub` and returns whether the policy `saturate` changed a result.
bool ExpectVector(const isa::Record& record, std::vector<uint8_t>& ub);

// Bit patterns worth trying for a type, random ones in between.
std::vector<uint64_t> Patterns(DataType type, size_t count, uint64_t seed);

// Elements of a type in bytes; int4 two a byte.
uint64_t ReadElement(const std::vector<uint8_t>& memory, uint64_t byte, uint32_t element, DataType type);
void WriteElement(std::vector<uint8_t>& memory, uint64_t byte, uint32_t element, DataType type, uint64_t bits);

}  // namespace sfumato::testing
