// SPDX-License-Identifier: Apache-2.0
// The unit of the matrix memories, 16 rows of C0 elements (cube.md 2), its copies and its transposes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sfumato::exec {

constexpr size_t kRowBytes = 32;  // C0 elements of any width
constexpr size_t kFractalRows = 16;
constexpr size_t kFractalBytes = kFractalRows * kRowBytes;

// Squares of C0 x C0 elements, rows packed. The first half of a transposed square's rows goes to dst[0], the second to
// dst[1], rows packed: a square need not be one fractal. Squares are done in order.
struct Squares {
    const uint8_t* src;
    ptrdiff_t src_step;  // bytes between squares
    uint8_t* dst[2];
    size_t dst_step;
    size_t count;
};

struct FractalKernels {
    void (*copy)(const uint8_t* src, ptrdiff_t src_step, uint8_t* dst, size_t dst_step, size_t count);
    void (*transpose[3])(const Squares& squares);  // by element_bytes / 2
};

// For the target in force. src and dst do not overlap. Steps are bytes between fractals.
void CopyFractals(const uint8_t* src, ptrdiff_t src_step, uint8_t* dst, size_t dst_step, size_t count);
// element_bytes is 1, 2 or 4.
void TransposeSquares(uint32_t element_bytes, const Squares& squares);

}  // namespace sfumato::exec
