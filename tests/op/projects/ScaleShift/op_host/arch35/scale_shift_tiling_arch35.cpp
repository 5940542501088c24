// SPDX-License-Identifier: Apache-2.0
#include "../scale_shift_tiling.h"

namespace optiling {
namespace {

// Two queues of two tiles each fill half of UB.
uint32_t TileOfRegisters(uint64_t ub_bytes) { return ub_bytes / 8 / sizeof(float) / 64 * 64; }
const bool kRegistered = (g_tile = TileOfRegisters) != nullptr;

}  // namespace
}  // namespace optiling
