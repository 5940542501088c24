// SPDX-License-Identifier: Apache-2.0
#ifndef CONCAT_LAST_TILING_H_
#define CONCAT_LAST_TILING_H_
#include "kernel_tiling/kernel_tiling.h"

struct ConcatLastTilingData {
    uint32_t tensorNum;
    uint32_t tileBytes;
    uint64_t rowNum;
    uint64_t outBytes;  // of a row of the result
};
#endif
