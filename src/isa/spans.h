// SPDX-License-Identifier: Apache-2.0
// Which bytes records touch, form by form (cube.md 2 to 6): what SpanOf, checks and exec share.
#pragma once

#include "isa/geometry.h"
#include "isa/units.h"
#include "sfumato/round_up.h"

namespace sfumato::isa {

constexpr uint64_t kFractalBytes = 512;
constexpr uint64_t kFractalRows = 16;
constexpr uint64_t kL0CColumns = 16;   // a fractal of L0C is 16 x 16 elements of every type
constexpr uint64_t kL0CFractal = 256;  // elements

// C0 of images, k0 of matrices.
constexpr uint64_t C0Of(DataType t) { return BlockElements(t); }

// The squares of LoadDataWithTranspose: elements a side, and fractals in one.
constexpr uint64_t SquareSide(DataType t) { return BitsOf(t) == 4 ? 64 : BitsOf(t) == 8 ? 32 : 16; }
constexpr uint64_t SquareFractals(DataType t) { return BytesOf(t, SquareSide(t) * SquareSide(t)) / kFractalBytes; }

// The virtual matrix of Load3Dv2 (cube.md 3.5). rows is 0 when the filter is larger than the padded image.
struct ImageMatrix {
    uint64_t out_width = 0, rows = 0, columns = 0;
};
ImageMatrix MatrixOf(const Load3Dv2& shape);

// Elements a Load2D or LoadDataWithTranspose goes down from its first fractal or square.
template <class Load>
constexpr uint64_t Fall(const Load& s) {
    return s.decrement && s.repeats > 0 ? (uint64_t{s.repeats} - 1) * s.src_stride : 0;
}

// Bytes of UB a record reads though no operand names them: the words of a vector deqscale. Empty for the others.
Span WordsSpan(const Record& record);

// SpanOf an operand of a record with these parameters: the hull of the bytes it touches. Of the image loads only bytes
// of pixels inside the image count; Mmad counts whole fractals of C, whose other elements hardware leaves unspecified.
// Where offsets in memory decide, the hull of what they may reach: from the lowest address to the end of the buffer.
#define SFUMATO_FORM(form, family, ...) Span SpanIn(const Record& record, const family& parameters, int operand);
#include "isa/forms.inc"
#undef SFUMATO_FORM

// Mmad, notes of the page: the cube unit keeps Mmads on one C in order by itself, unless C has few fractals.
constexpr bool KeepsOrder(const Matmul& s) { return CeilDiv(s.m, kFractalRows) * CeilDiv(s.n, kFractalRows) >= 10; }
inline bool KeepsOrder(const Record& r) {
    const auto* matmul = r.If<Matmul>();
    return matmul && KeepsOrder(*matmul);
}

// Mmad and Fixpipe that hand over C fractal by fractal: the hardware orders the two (cube.md 4).
inline bool HasUnitFlag(const Record& r) {
    if (const auto* matmul = r.If<Matmul>()) return matmul->unit_flag != 0;
    if (const auto* fixpipe = r.If<Fixpipe>()) return fixpipe->unit_flag != 0;
    return false;
}

// Repeats of a Compare to memory: with a count, only whole ones are computed (vector_instructions.md 2.4).
uint64_t CompareRepeats(const Record& record);

// The work of a GatherMask: `repeats` repeats of `lanes` lanes, the last one of `last`.
struct Squeeze {
    uint64_t repeats = 0, lanes = 0, last = 0;
};
Squeeze SqueezeOf(const Record& record);
// True when lane k of a repeat is kept by a fixed pattern, 1 to 7.
constexpr bool IsKept(uint8_t pattern, uint64_t lane) {
    if (pattern == 7) return true;
    return pattern < 3 ? lane % 2 == pattern - 1u : lane % 4 == pattern - 3u;
}

}  // namespace sfumato::isa
