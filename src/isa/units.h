// SPDX-License-Identifier: Apache-2.0
// Counts in whole units, for every layer from here up.
#pragma once

#include <cstdint>

#include "isa/record.h"

namespace sfumato::isa {

constexpr uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Elements of a block. They may be smaller than a byte: 64 of int4 (pages/001, channelSize; pages/004, int4b_t).
constexpr uint32_t BlockElements(DataType type) { return 8 * kBlockBytes / BitsOf(type); }

}  // namespace sfumato::isa
