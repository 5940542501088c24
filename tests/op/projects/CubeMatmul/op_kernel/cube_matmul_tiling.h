// SPDX-License-Identifier: Apache-2.0
#ifndef CUBE_MATMUL_TILING_H
#define CUBE_MATMUL_TILING_H
#include <cstdint>

#include "kernel_tiling/kernel_tiling.h"

#pragma pack(push, 8)
struct CubeMatmulTilingData {
    TCubeTiling mm;
    uint32_t batch;
    uint32_t reserved;
};
#pragma pack(pop)
#endif
