// SPDX-License-Identifier: Apache-2.0
// Sizes and tilings of the vector calls for host programs: what the functions of calls/host_vector_tiling.txt are made
// of.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sfumato/host/platform.h"
#include "sfumato/host/shape.h"
#include "sfumato/tiling/reduce_pattern.h"
#include "sfumato/tiling/topk_mode.h"
#include "sfumato/tiling/vector_tiling.h"

namespace sfumato {
namespace host {

// Of an elementwise call, by the name of tmp_sizes.inc.
SFUMATO_API void ElementwiseTmpSize(const char* name, const char* call, const ge::Shape& shape, uint32_t type_size,
                                    uint32_t& max, uint32_t& min);
SFUMATO_API void ElementwiseTmpFactor(const char* name, const char* call, uint32_t type_size, uint32_t& live,
                                      uint32_t& extra);

}  // namespace host
}  // namespace sfumato

namespace AscendC {

using platform_ascendc::PlatformAscendC;

}  // namespace AscendC

#include "sfumato/ascendc/calls/host_vector_tiling.h"
