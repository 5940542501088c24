// SPDX-License-Identifier: Apache-2.0
// What a tiling class of Matmul plans for.
#pragma once

#include <cstdint>

namespace sfumato {
namespace tiling {

enum class CubeScope : uint8_t { kOneCore, kManyCores, kBatch };

}  // namespace tiling
}  // namespace sfumato
