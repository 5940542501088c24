// SPDX-License-Identifier: Apache-2.0
// Spans of elementwise records, moves, the cube unit's instructions and the moves that change a layout.
#include "isa/spans.h"

#include "isa/reductions.h"
#include "isa/sorts.h"

namespace sfumato::isa {
namespace {

// Bytes from the start of an operand.
Span At(const Operand& o, uint64_t begin, uint64_t end) { return {o.offset + begin, o.offset + end}; }
Span Nothing(const Operand& o) { return {o.offset, o.offset}; }

// End of `count` pieces of `bytes` bytes whose starts are `pitch` apart; the last one may be shorter.
uint64_t Pieces(uint64_t count, uint64_t pitch, uint64_t bytes, uint64_t last_bytes) {
    const uint64_t end = (count - 1) * pitch + last_bytes;
    return count < 2 ? end : std::max(end, (count - 2) * pitch + bytes);
}

// A source of pieces of `unit` bytes whose address rises or falls. One that falls below 0 begins at 0: Fall tells.
template <class Load>
Span Walked(const Operand& o, const Load& s, uint64_t unit) {
    const uint64_t step = (uint64_t{s.repeats} - 1) * s.src_stride;
    if (!s.decrement) return At(o, s.start * unit, (s.start + step + 1) * unit);
    const uint64_t first = o.offset + s.start * unit;
    return {first - std::min(first, step * unit), first + unit};
}

// A Zz and B Zn: rows of 32 bytes, `rows` of them in the last of the `fractals` fractals, and the elements of k there.
uint64_t MatrixEnd(uint64_t fractals, uint64_t rows, uint64_t k, DataType t) {
    return (fractals - 1) * kFractalBytes + ((rows - 1) % kFractalRows) * kBlockBytes +
           BytesOf(t, (k - 1) % C0Of(t) + 1);
}

}  // namespace

Span SpanIn(const Record& r, const Elementwise&, int operand) {
    const uint32_t shift = LanesShift(r);
    return OperandSpan(r, operand, shift, LanesOf(r, shift));
}

Span SpanIn(const Record& r, const Blocks& m, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (m.block_count == 0 || m.block_bytes == 0) return Nothing(o);
    return At(o, 0, (m.block_count - 1) * (operand == 0 ? m.dst_pitch : m.src_pitch) + MoveBlockBytes(r, m, operand));
}

Span SpanIn(const Record& r, const ScalarStore&, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    return At(o, 0, BytesOf(o.type, 1));
}

// What the pipes execute touches nothing.
Span SpanIn(const Record&, const Flag&, int) { return {}; }
Span SpanIn(const Record&, const Barrier&, int) { return {}; }
Span SpanIn(const Record&, const CrossFlag&, int) { return {}; }

Span SpanIn(const Record& r, const Load2D& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.repeats == 0) return Nothing(o);
    if (operand != 0) return Walked(o, s, kFractalBytes);
    return At(o, 0, ((uint64_t{s.repeats} - 1) * (uint64_t{s.dst_gap} + 1) + 1) * kFractalBytes);
}

Span SpanIn(const Record& r, const LoadTransposed& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.repeats == 0) return Nothing(o);
    const uint64_t fractals = SquareFractals(r.dst().type);
    if (operand != 0) return Walked(o, s, fractals * kFractalBytes);
    const uint64_t last =
        (uint64_t{s.repeats} - 1) * (uint64_t{s.dst_gap} + 1) + (fractals - 1) * (uint64_t{s.dst_fractal_gap} + 1);
    return At(o, 0, (last + 1) * kFractalBytes);
}

Span SpanIn(const Record& r, const Matmul& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.m == 0 || s.n == 0 || s.k == 0) return Nothing(o);
    const uint64_t m1 = CeilDiv(s.m, kFractalRows), n1 = CeilDiv(s.n, kL0CColumns), k1 = CeilDiv(s.k, C0Of(o.type));
    switch (operand) {
        case 0: return At(o, 0, BytesOf(o.type, m1 * n1 * kL0CFractal));
        case 1: {
            if (s.vector_a) return At(o, 0, BytesOf(o.type, s.k));
            const bool aligned = s.k_direction_align && BitsOf(o.type) == 32;
            const uint64_t pitch = aligned ? 2 * CeilDiv(s.k, kFractalRows) : k1;
            return At(o, 0, MatrixEnd((m1 - 1) * pitch + k1, s.m, s.k, o.type));
        }
        case 2: return At(o, 0, MatrixEnd(k1 * n1, s.n, s.k, o.type));
        default: break;
    }
    // The first row of each fractal in L0C, a row of elements in BT.
    if (o.memory != Memory::kL0C) return At(o, 0, BytesOf(o.type, s.n));
    return At(o, 0, BytesOf(o.type, (n1 - 1) * kL0CFractal + (s.n - 1) % kL0CColumns + 1));
}

Span SpanIn(const Record& r, const Fixpipe& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const uint64_t matrices = s.row_major ? s.nd_count : 1, m = s.m, n = s.n;
    if (m == 0 || n == 0 || matrices == 0) return Nothing(o);
    const auto last_of = [n](uint64_t width) { return (n - 1) % width + 1; };
    if (operand == 1) {
        const uint64_t rows = (m - 1) * kL0CColumns;
        const uint64_t end = Pieces(CeilDiv(n, kL0CColumns), s.src_stride * kL0CColumns, rows + kL0CColumns,
                                    rows + last_of(kL0CColumns));
        return At(o, 0, BytesOf(o.type, (matrices - 1) * s.src_nd_stride * kL0CFractal + end));
    }
    if (operand == 2) return At(o, 0, BytesOf(o.type, n));
    if (s.row_major) {
        return At(o, 0, BytesOf(o.type, (matrices - 1) * s.dst_nd_stride + (m - 1) * s.dst_stride + n));
    }
    // Column groups: 16 elements, 32 bytes with channel split, 32 elements of 8 bits. An odd last half group of 8 bits
    // keeps rows of 16 (cube.md 5.1).
    const bool merge = BitsOf(o.type) == 8;
    const uint64_t width = s.channel_split ? C0Of(o.type) : merge ? 2 * kL0CColumns : kL0CColumns;
    const bool odd = merge && CeilDiv(n, kL0CColumns) % 2 == 1;
    const uint64_t row = BytesOf(o.type, width), last_row = odd ? row / 2 : row;
    return At(o, 0,
              Pieces(CeilDiv(n, width), uint64_t{s.dst_stride} * kBlockBytes, m * row,
                     (m - 1) * last_row + BytesOf(o.type, last_of(width))));
}

Span SpanIn(const Record& r, const MatrixMove& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.block_count == 0 || s.block_len == 0) return Nothing(o);
    const bool matrix = s.block == MatrixMove::Block::kMatrix;
    const uint64_t count = s.block_count, len = s.block_len, gap = operand == 0 ? s.dst_gap : s.src_gap;
    if (o.memory == Memory::kL0C) {
        const bool row = s.block == MatrixMove::Block::kVector;
        const uint64_t fractal = BytesOf(o.type, kL0CFractal), used = row ? BytesOf(o.type, kL0CColumns) : fractal;
        return At(o, 0, ((count - 1) * (len + gap) + len - 1) * fractal + used);
    }
    // Rows of 16 elements of 8 bits fill one half of 32 bytes each, or two of them the whole (sid_store_mode).
    const bool halves = BitsOf(o.type) == 8 && s.sid_store_mode < 2;
    const uint64_t rows = len * (matrix ? kFractalRows : 1);
    const uint64_t block = halves ? rows * kBlockBytes : BytesOf(o.type, rows * kL0CColumns);
    const uint64_t first = halves && s.sid_store_mode == 1 ? kBlockBytes / 2 : 0;
    const uint64_t unused = halves && s.sid_store_mode == 0 ? kBlockBytes / 2 : 0;
    return At(o, first, (count - 1) * (block + gap * kBlockBytes) + block - unused);
}

Span SpanIn(const Record& r, const Nd2Nz& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.nd_count == 0 || s.n == 0 || s.d == 0) return Nothing(o);
    const uint64_t matrices = uint64_t{s.nd_count} - 1, rows = uint64_t{s.n} - 1;
    if (operand != 0) return At(o, 0, BytesOf(o.type, matrices * s.src_nd_stride + rows * s.src_d + s.d));
    const uint64_t last = (CeilDiv(s.d, C0Of(o.type)) - 1) * s.dst_c0_stride + rows * s.dst_n_stride;
    return At(o, 0, BytesOf(o.type, matrices * s.dst_nd_stride) + (last + 1) * kBlockBytes);
}

Span SpanIn(const Record& r, const Nz2Nd& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.nd_count == 0 || s.n == 0 || s.d == 0) return Nothing(o);
    const uint64_t matrices = uint64_t{s.nd_count} - 1, rows = uint64_t{s.n} - 1;
    if (operand == 0) return At(o, 0, BytesOf(o.type, matrices * s.dst_nd_stride + rows * s.dst_d_stride + s.d));
    const uint64_t end = Pieces(CeilDiv(s.d, kL0CColumns), s.src_n_stride * kL0CColumns, (rows + 1) * kL0CColumns,
                                rows * kL0CColumns + (s.d - 1) % kL0CColumns + 1);
    return At(o, 0, BytesOf(o.type, matrices * s.src_nd_stride * kL0CFractal + end));
}

Span SpanIn(const Record& r, const BlockFill& s, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    if (s.repeats == 0 || s.blocks == 0) return Nothing(o);
    const uint64_t unit = o.memory == Memory::kL1 ? kBlockBytes : kFractalBytes;
    return At(o, 0, ((uint64_t{s.repeats} - 1) * (uint64_t{s.blocks} + s.dst_gap) + s.blocks) * unit);
}

Span WordsSpan(const Record& r) {
    constexpr uint64_t kWords = 16;
    // TIK has no instruction of its own for it; in Ascend C other conversions ignore the register.
    const bool scales = Has(r.op, r.api == Api::kTik ? kCasts | kCastsInTik : uint32_t{kCastsInTik});
    if (scales && r.control.deq == DeqScale::kVector) {
        return {r.control.deq_word, r.control.deq_word + kWords * sizeof(uint64_t)};
    }
    const auto* move = r.If<MatrixMove>();
    if (!move || !IsVectorDeq(move->deq) || move->block_len == 0) return {};
    // 16 half scales, or 16 words, for each block.
    const uint64_t bytes = kWords * (move->deq == MatrixMove::Deq::kVDeq ? sizeof(uint16_t) : sizeof(uint64_t));
    return {move->word, move->word + move->block_count * bytes};
}

}  // namespace sfumato::isa
