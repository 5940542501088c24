// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

struct QuantizeFp8Tiling {
    uint32_t total;
    uint32_t tile;
    float scale;
};
