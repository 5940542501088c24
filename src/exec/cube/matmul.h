// SPDX-License-Identifier: Apache-2.0
// Between Mmad and its kernels: A and B of one call widened into panels of 4-byte units, and the product of panels.
// A unit is one k as a float, or two consecutive k as int16 (the even one in the low half).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "isa/shapes.h"
#include "sfumato/data_type.h"

namespace sfumato::exec {

constexpr size_t kGroup = 16;     // units a row of the A panel holds side by side; columns of a column block
constexpr size_t kRunBytes = 32;  // a row of an A fractal, a column of a B fractal

// m rows split evenly into blocks of at most `most` rows.
struct RowBlocks {
    size_t m, most;
    size_t Count() const { return (m + most - 1) / most; }
    size_t Start(size_t block) const { return m * block / Count(); }
    size_t Rows(size_t block) const { return Start(block + 1) - Start(block); }
};

// Where the runs of A lie: row r, run j at first + r / 16 * row_block_pitch + j * run_pitch + r % 16 * 32.
struct MatrixA {
    const uint8_t* first;
    size_t row_block_pitch, run_pitch;
};

// Panels hold whole groups, groups = ceil(units / 16). A: per row block, [group][row][16 units]. B: per column block,
// [unit][16 columns].
struct Panels {
    uint32_t* a;
    uint32_t* b;
    size_t groups;
    const uint32_t* RowsOfA(size_t first_row) const { return a + first_row * groups * kGroup; }
    const uint32_t* ColumnsOfB(size_t block) const { return b + block * groups * kGroup * kGroup; }
};

enum class Arithmetic : uint8_t {
    kExactProducts,  // float; the products are known to be exact, so that they may be fused with the sum
    kFloat,          // float; product and sum are rounded
    kInt32,          // exact, saturated once
    kUint32
};

struct Product {
    Arithmetic arithmetic;
    Panels panels;
    size_t m, n, units;
    // Element (row, column): c[column / 16 * c_pitch + row * 16 + column % 16]. Nothing beyond m x n is written.
    uint32_t* c;
    size_t c_pitch;
    // What the sum starts from, readable up to a whole column block: rows and column blocks at these pitches.
    const uint32_t* initial;
    size_t initial_row_pitch, initial_block_pitch;
    bool saturate;  // floats: inf becomes the largest value of its sign and NaN +0, at every product and every sum
};

// What `saturate` makes of a product or a sum.
inline float Saturated(float x) {
    constexpr float kMax = std::numeric_limits<float>::max();
    return x != x ? 0.0f : std::clamp(x, -kMax, kMax);
}

struct MatmulKernels {
    size_t max_rows;  // of a row block
    // `runs` runs of 32 bytes of every row, every column.
    void (*pack_a)(DataType type, isa::Matmul::Hf32 hf32, const MatrixA& a, size_t runs, RowBlocks rows,
                   const Panels& to);
    void (*pack_b)(DataType type, isa::Matmul::Hf32 hf32, const uint8_t* b, size_t runs, size_t column_blocks,
                   const Panels& to);
    // Returns true when `saturate` changed a result.
    bool (*multiply)(const Product& product);
};

const MatmulKernels& Matmuls();

}  // namespace sfumato::exec
