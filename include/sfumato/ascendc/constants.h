// SPDX-License-Identifier: Apache-2.0
// The numbers of the machine under the names programs use (language.md 2).
#pragma once

#include "sfumato/ascendc/memory_sizes.h"
#include "sfumato/ascendc/types.h"

namespace AscendC {

constexpr int32_t ONE_BLK_FLOAT_NUM = ONE_BLK_SIZE / 4, TWO_BLK_SIZE = 2 * ONE_BLK_SIZE, DEFAULT_C0_SIZE = ONE_BLK_SIZE,
                  ONE_BYTE_BIT_SIZE = 8, MAX_REPEAT_TIMES = 255, BLOCK_CUBE = 16, BRCB_BROADCAST_NUMBER = 8;
constexpr int32_t B16_BYTE_SIZE = 2, B32_BYTE_SIZE = 4, B16_DATA_NUM_PER_BLOCK = ONE_BLK_SIZE / B16_BYTE_SIZE,
                  B32_DATA_NUM_PER_BLOCK = ONE_BLK_SIZE / B32_BYTE_SIZE,
                  B16_DATA_NUM_PER_REPEAT = ONE_REPEAT_BYTE_SIZE / B16_BYTE_SIZE,
                  B32_DATA_NUM_PER_REPEAT = ONE_REPEAT_BYTE_SIZE / B32_BYTE_SIZE;
constexpr int32_t HALF_FACTOR = 2, HALF_DEFAULT_REPEAT_STRIDE = DEFAULT_REPEAT_STRIDE / 2,
                  ONE_FOURTH_DEFAULT_REPEAT_STRIDE = DEFAULT_REPEAT_STRIDE / 4;
constexpr uint16_t DEFAULT_DATA_COPY_NBURST = 1, DEFAULT_DATA_COPY_STRIDE = 0;
constexpr uint16_t MIN_BLOCK_COUNT = 1, MAX_BLOCK_COUNT = 4095, MAX_BLOCK_LEN = 65535, MAX_16BITS_STRIDE = 65535;
constexpr uint64_t FULL_MASK = ~uint64_t{0};
constexpr TEventID INVALID_TEVENTID = -1;

// Programs use them as the toolkit's, and define them themselves (static.md 1.2): who compiles a source that lacks one
// defines the macro, so that none gets in the way of a program's own.
#ifdef SFUMATO_DECLARES_CACHE_LINE_SIZE
constexpr int32_t CACHE_LINE_SIZE = 64;
#endif
#ifdef SFUMATO_DECLARES_ONE_BLOCK_SIZE
constexpr int32_t ONE_BLOCK_SIZE = 32;
#endif
#ifdef SFUMATO_DECLARES_VECTOR_REG_WIDTH
constexpr int32_t VECTOR_REG_WIDTH = 256;
#endif

}  // namespace AscendC
