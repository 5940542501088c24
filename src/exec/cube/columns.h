// SPDX-License-Identifier: Apache-2.0
// Elements of L0C, in column blocks 16 wide, converted on their way out (cube.md 5.2, 5.4).
#pragma once

#include <cstddef>
#include <cstdint>

#include "numeric/convert.h"
#include "sfumato/data_type.h"

namespace sfumato::exec {

constexpr uint32_t kBlockColumns = 16;
constexpr uint32_t kGroupBlocks = 8;  // column blocks a job holds at most
constexpr uint32_t kGroupColumns = kGroupBlocks * kBlockColumns;
constexpr size_t kBlockRowBytes = kBlockColumns * 4;  // a row of a column block in L0C

// What the 64-bit words say, a lane a column of a job.
struct ColumnWords {
    float scale[kGroupColumns];
    int32_t offset[kGroupColumns];
    uint32_t relu[kGroupColumns];        // all ones: a negative element gives +0
    int32_t shift[kGroupColumns];        // 0: none
    bool relus = false, shifts = false;  // some lane's is not 0

    // always_shift: bit 36 is not asked (results of int16).
    void Set(size_t lane, uint64_t word, bool with_relu, bool always_shift = false) {
        scale[lane] = __builtin_bit_cast(float, numeric::DeqScaleFloatBits(word));
        offset[lane] = numeric::DeqOffset(word);
        relu[lane] = with_relu ? ~0u : 0;
        shift[lane] = always_shift || numeric::DeqShifts(word) ? numeric::DeqShift(word) : 0;
        relus |= with_relu;
        shifts |= shift[lane] != 0;
    }
};

// `rows` rows of `blocks` column blocks. In a row of dst the blocks follow each other.
struct ColumnJob {
    const uint8_t* src = nullptr;
    size_t src_pitch = 0;  // bytes between column blocks; rows are kBlockRowBytes apart
    uint8_t* dst = nullptr;
    size_t dst_pitch = 0;  // bytes between rows
    uint32_t rows = 0, blocks = 0;
    const ColumnWords* words = nullptr;
};

// Returns true when the policy `saturate` changed a result.
using ColumnRun = bool (*)(const ColumnJob&);

struct ColumnConversion {
    DataType src, dst;
    bool by_words = false;
    bool relu = false;  // where by_words, the words say
    Overflow overflow = Overflow::kSaturate;
};

// The run of a conversion from a 4-byte type on the target in force, nullptr where there is none. Without words: a
// copy, or float to half or bfloat16. With: int32 to half, int8, uint8 or int16, float to int8 or uint8.
ColumnRun FindColumnRun(const ColumnConversion& conversion);

}  // namespace sfumato::exec
