// SPDX-License-Identifier: Apache-2.0
// The tiling of Matmul from words.
#pragma once

#include "tiling/settings.h"

namespace sfumato::tiling {

TCubeTiling CubeTilingOf(const std::string& chip, Settings& settings);

}  // namespace sfumato::tiling
