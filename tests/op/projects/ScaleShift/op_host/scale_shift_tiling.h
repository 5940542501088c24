// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../op_kernel/scale_shift_tiling_data.h"

namespace optiling {

// Elements of a tile; what chips of registers ask for stands in arch35, which other builds leave out.
using TileOf = uint32_t (*)(uint64_t ub_bytes);
inline TileOf g_tile = [](uint64_t) -> uint32_t { return 2000; };

}  // namespace optiling
