// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

typedef struct {
    int64_t rows;
    int64_t cols;
    float offset;
    uint32_t padding;
} QuantizeRowsStruct;
