// SPDX-License-Identifier: Apache-2.0
// How much of a store another rank sees at once.
#pragma once

#include <cstdint>

namespace sfumato::isa {

// Bytes of an aligned block that one burst stores arrive together, and a load sees all of them or none (ranks.md 3.1).
constexpr uint64_t kRankBlock = 512;

}  // namespace sfumato::isa
