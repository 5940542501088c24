// SPDX-License-Identifier: Apache-2.0
// Loads of whole fractals, plain and transposed (cube.md 3.1 and 3.2).
#include <cstring>

#include "exec/cube/cube.h"
#include "exec/cube/fractal.h"

namespace sfumato::exec {
namespace {

// A square of 64 x 64 4-bit elements. Even and odd columns are squares of 32 x 32 bytes once the rows 2i and 2i + 1
// share a byte; their transposes are the even and the odd rows.
void TransposeNibbles(const uint8_t* src, uint8_t* dst, size_t fractal_pitch) {
    constexpr size_t kSide = 32;
    uint8_t pairs[2][kSide * kSide], rows[2][kSide * kSide];
    for (size_t i = 0; i < kSide; ++i) {
        const uint8_t* upper = src + 2 * i * kRowBytes;
        const uint8_t* lower = upper + kRowBytes;
        for (size_t b = 0; b < kSide; ++b) {
            pairs[0][i * kSide + b] = static_cast<uint8_t>((upper[b] & 15) | lower[b] << 4);
            pairs[1][i * kSide + b] = static_cast<uint8_t>(upper[b] >> 4 | (lower[b] & 0xF0));
        }
    }
    TransposeSquares(1, {pairs[0], sizeof(pairs[0]), {rows[0], rows[0] + sizeof(rows[0]) / 2}, sizeof(rows[0]), 2});
    for (size_t i = 0; i < 2 * kSide; ++i) {
        std::memcpy(dst + i / 16 * fractal_pitch + i % 16 * kRowBytes, rows[i % 2] + i / 2 * kRowBytes, kRowBytes);
    }
}

}  // namespace

bool Execute(const isa::Record& record, const isa::Load2D& p, const MemoryMap& memory) {
    const uint8_t* src = memory.Address(record.src0()) + p.start * kFractalBytes;
    uint8_t* dst = memory.Address(record.dst());
    ptrdiff_t src_step = static_cast<ptrdiff_t>(p.src_stride * kFractalBytes);
    if (p.decrement) src_step = -src_step;
    const size_t dst_step = (size_t{p.dst_gap} + 1) * kFractalBytes;
    if (p.transpose) {
        const uint32_t bytes = BitsOf(record.dst().type) / 8;
        TransposeSquares(bytes, {src, src_step, {dst, dst + kFractalBytes / 2}, dst_step, p.repeats});
        return false;
    }
    if (src_step == kFractalBytes && dst_step == kFractalBytes) {
        std::memcpy(dst, src, p.repeats * kFractalBytes);
        return false;
    }
    CopyFractals(src, src_step, dst, dst_step, p.repeats);
    return false;
}

bool Execute(const isa::Record& record, const isa::LoadTransposed& p, const MemoryMap& memory) {
    const uint32_t bits = BitsOf(record.dst().type);
    const size_t square_bytes = kFractalBytes * (bits == 4 ? 4 : bits == 16 ? 1 : 2);
    const uint8_t* src = memory.Address(record.src0()) + p.start * square_bytes;
    uint8_t* dst = memory.Address(record.dst());
    ptrdiff_t src_step = static_cast<ptrdiff_t>(p.src_stride * square_bytes);
    if (p.decrement) src_step = -src_step;
    const size_t dst_step = (size_t{p.dst_gap} + 1) * kFractalBytes;
    const size_t fractal_pitch = (size_t{p.dst_fractal_gap} + 1) * kFractalBytes;
    if (bits == 8 || bits == 16) {
        uint8_t* const second = dst + (bits == 8 ? fractal_pitch : kFractalBytes / 2);
        TransposeSquares(bits / 8, {src, src_step, {dst, second}, dst_step, p.repeats});
        return false;
    }
    // Destinations may overlap: one repeat after the other.
    for (uint32_t i = 0; i < p.repeats; ++i, src += src_step, dst += dst_step) {
        if (bits == 4) {
            TransposeNibbles(src, dst, fractal_pitch);
            continue;
        }
        // 16 x 16 elements are four squares: rows 8j of both source fractals make destination fractal j.
        constexpr size_t kHalf = kFractalBytes / 2;
        for (size_t j = 0; j < 2; ++j) {
            uint8_t* to = dst + j * fractal_pitch;
            TransposeSquares(4, {src + j * kHalf, kFractalBytes, {to, to + kHalf / 2}, kHalf, 2});
        }
    }
    return false;
}

}  // namespace sfumato::exec
