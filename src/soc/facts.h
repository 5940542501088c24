// SPDX-License-Identifier: Apache-2.0
// What is known of a chip as a flat list, for people: docs/chips.md and `sfumato chips --json`.
#pragma once

#include <vector>

#include "sfumato/chip_fact.h"
#include "soc/chip.h"

namespace sfumato::soc {

// The rows of facts.inc, in its order; `applies` is false where the fact means nothing on the chip.
std::vector<ChipFact> ScalarFacts(const Chip& chip);

// Those, and its products, boards, memories, positions, types, conversions and paths.
std::vector<ChipFact> AllFacts(const Chip& chip);

}  // namespace sfumato::soc
