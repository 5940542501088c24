// SPDX-License-Identifier: Apache-2.0
// The host memory under global memory. Large blocks of an ended launch are kept for the next: making their pages anew
// takes longer than copying the arrays.
#pragma once

#include <cstdint>

namespace sfumato {

// What it holds is open; nullptr when the machine has no memory for it. `alignment` is a power of two.
uint8_t* NewBlock(uint64_t bytes, uint64_t alignment);
// With what NewBlock was called with. `keep`: a later NewBlock may hand it out again.
void DeleteBlock(uint8_t* block, uint64_t bytes, uint64_t alignment, bool keep);

}  // namespace sfumato
