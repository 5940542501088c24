// SPDX-License-Identifier: Apache-2.0
// The temporaries of calls that go row by row, in bytes: what their kernels take, and what the host functions for sizes
// say (adv.md 1.3, decided).
#pragma once

#include <cstdint>

#include "sfumato/round_up.h"

namespace sfumato::tiling {

// Elements from one row of partial results to the next: of each 256 bytes one, a row of them begins at a block.
constexpr uint32_t LevelPitch(uint32_t type_size, uint32_t columns) {
    const uint32_t lanes = 256 / type_size;
    return static_cast<uint32_t>(RoundUpTo((columns + lanes - 1) / lanes, 32 / type_size));
}
// Those of the reduction of `rows` rows, again of these, until one is left (adv.md 4.0).
constexpr uint64_t LevelBytes(uint32_t type_size, uint64_t rows, uint32_t columns) {
    const uint32_t lanes = 256 / type_size;
    uint64_t bytes = 0;
    for (; columns > lanes; columns = (columns + lanes - 1) / lanes)
        bytes += rows * LevelPitch(type_size, columns) * type_size;
    return bytes;
}

// wide: tensors like the rows. values: of an element a row. eights: of a block a row, rows rounded up to 8 as Brcb
// writes them; blocks: not rounded. fixed: bytes besides, however many rows.
struct RowNeed {
    uint32_t type_size = 4;  // of the steps
    uint32_t columns = 0, wide = 0, values = 1, eights = 2, blocks = 0;
    uint64_t fixed = 0;
    constexpr uint64_t Bytes(uint32_t rows) const {
        const uint64_t eights_of_rows = RoundUpTo(rows, 8);
        // A block more for tensors of values, which begin at a block.
        return fixed + RoundUpTo(uint64_t{rows} * columns * type_size, 32) * wide +
               LevelBytes(type_size, rows, columns) + values * (eights_of_rows * type_size + 32) +
               (eights * eights_of_rows + uint64_t{blocks} * rows) * 32;
    }
};

// Floats for `rows` values of a tensor, from any of them on, and for a block of each: values begin at whole blocks of
// their tensor, blocks at eight of them.
constexpr uint64_t ValuesRoom(uint32_t rows) { return RoundUpTo(rows, 8) + 16; }
constexpr uint64_t BlocksRoom(uint32_t rows) { return (RoundUpTo(rows, 8) + 8) * 8; }

// How many of `rows` rows `bytes` have room for at a time: all, or 1, 2, 4 or a multiple of 8; 0: not even one.
constexpr uint32_t RowsIn(const RowNeed& need, uint64_t bytes, uint32_t rows) {
    constexpr uint32_t kBrcbRows = 8 * 255;
    if (rows == 0 || need.Bytes(1) > bytes) return 0;
    uint32_t low = 1, high = rows < kBrcbRows ? rows : kBrcbRows;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (need.Bytes(middle) <= bytes) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if (low == rows) return rows;
    if (low >= 8) return low / 8 * 8;
    return low >= 4 ? 4 : low >= 2 ? 2 : 1;
}

// What a call of the softmax family does with its rows. Sizes: bytes of an element of the data, and of sum and maximum.
struct SoftmaxUse {
    uint32_t data_size = 4, side_size = 4;
    bool gradient = false;
    bool update = false;  // of the rows before
    bool reads = false;   // sum and maximum
    bool compact = false, nz = false;
};
constexpr RowNeed SoftmaxNeed(uint32_t columns, const SoftmaxUse& use) {
    const bool narrow = use.data_size == 2;
    RowNeed need;
    need.columns = columns;
    need.wide = (narrow ? 1 + use.gradient : 0) + use.gradient;  // x, grad, their product
    need.values = 1 + narrow;
    need.eights = 2 + narrow;
    if ((use.update || use.reads) && (use.compact || use.side_size == 2)) need.eights += 2;
    need.blocks = (use.update ? 1 : 0) + (use.nz ? 2 : 0);
    return need;
}

// Of SoftmaxFlashV2, whose host functions know neither the format nor the mode: what takes more.
constexpr SoftmaxUse FlashV2Use(uint32_t data_size, uint32_t side_size, bool update) {
    return {data_size, side_size, false, update, false, true, true};
}

// Of LogSoftMax, whose host functions do not know the format: NZ.
constexpr SoftmaxUse LogSoftMaxUse(uint32_t data_size) {
    return {data_size, data_size, false, false, false, false, true};
}

}  // namespace sfumato::tiling
