// SPDX-License-Identifier: Apache-2.0
// Where an element of a matrix lies in a layout of fractals (cube.md 2).
#pragma once

#include <cstdint>

#include "sfumato/data_type.h"
#include "sfumato/round_up.h"

namespace sfumato::command {

// Elements of 32 bytes.
constexpr uint64_t C0Of(DataType type) { return 256 / BitsOf(type); }

// The capital tells the order of the fractals, the small letter that of the elements in a fractal: Z and z by rows,
// N and n by columns.
struct FractalLayout {
    uint64_t rows, columns;  // of a fractal
    bool fractals_by_rows, elements_by_rows;

    static constexpr FractalLayout Zz(uint64_t c0) { return {16, c0, true, true}; }
    static constexpr FractalLayout Zn(uint64_t c0) { return {c0, 16, true, false}; }
    static constexpr FractalLayout Nz(uint64_t c0) { return {16, c0, false, true}; }
    static constexpr FractalLayout Nn(uint64_t c0) { return {c0, 16, false, false}; }

    // Element (i, j) of a matrix of this size.
    constexpr uint64_t Place(uint64_t matrix_rows, uint64_t matrix_columns, uint64_t i, uint64_t j) const {
        const uint64_t down = RoundUpTo(matrix_rows, rows) / rows,
                       across = RoundUpTo(matrix_columns, columns) / columns;
        const uint64_t fractal = fractals_by_rows ? i / rows * across + j / columns : j / columns * down + i / rows;
        const uint64_t inside = elements_by_rows ? i % rows * columns + j % columns : j % columns * rows + i % rows;
        return fractal * rows * columns + inside;
    }
};

}  // namespace sfumato::command
