// SPDX-License-Identifier: Apache-2.0
// Where a base block of C goes (adv.md 2.2, 2.7).
#pragma once

#include <cstdint>

#include "frontends/ascendc/matmul/engine.h"

namespace sfumato::ascendc::mm {

// In elements from the destination's start. pitch: from row to row; of NZ the rows of a column of fractals.
struct Place {
    uint64_t first = 0, end = 0, pitch = 0;
};
Place PlaceOf(const Object& object, const Block& block, const Output& output);
// Columns of a fractal of C.
uint32_t FractalColumns(const Object& object);
// Whether the result is scaled on its way out.
bool NeedsQuant(const Kind& kind);

}  // namespace sfumato::ascendc::mm
