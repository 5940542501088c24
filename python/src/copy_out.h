// SPDX-License-Identifier: Apache-2.0
// Copies results to arrays of the caller.
#pragma once

#include <cstdint>
#include <span>

namespace sfumato::python {

// Large ones go past the caches: nobody here reads them again, and the lines they replace need not be fetched first.
void CopyOut(uint8_t* to, std::span<const uint8_t> bytes);

}  // namespace sfumato::python
