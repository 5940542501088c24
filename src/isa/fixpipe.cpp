// SPDX-License-Identifier: Apache-2.0
// Moves out of L0C and into it (cube.md 5).
#include "isa/parts.h"

namespace sfumato::isa {

Span SpanIn(const Record& r, const Fixpipe& s, int operand) {
    const Operand& o = OperandOf(r, operand);
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

void RunsIn(const Record& r, const Fixpipe& s, int operand, const uint8_t*, Runs& runs) {
    const Operand& o = OperandOf(r, operand);
    if (s.m == 0 || s.n == 0) return;
    if (operand == 2) return runs.Add(0, BytesOf(o.type, s.n));
    const bool rows = operand == 0 && s.row_major, bytes = BitsOf(o.type) == 8;
    // Elements of a row that lie together.
    const uint64_t width = rows              ? s.n
                           : operand == 1    ? kL0CColumns
                           : s.channel_split ? C0Of(o.type)
                           : bytes           ? 2 * kL0CColumns
                                             : kL0CColumns;
    const bool odd = operand == 0 && !rows && bytes && CeilDiv(s.n, kL0CColumns) % 2 == 1;
    for (uint64_t q = 0; q < (s.row_major ? s.nd_count : 1); ++q) {
        for (uint64_t m = 0; m < s.m; ++m) {
            for (uint64_t n = 0; n < s.n; n += width) {
                const uint64_t count = std::min(width, s.n - n), group = n / width;
                // An odd last half group of 8 bits keeps rows of 16 (cube.md 5.1).
                const uint64_t row = odd && count < width ? kL0CColumns : width;
                const uint64_t at = rows           ? BytesOf(o.type, q * s.dst_nd_stride + m * s.dst_stride)
                                    : operand == 1 ? BytesOf(o.type, q * s.src_nd_stride * kL0CFractal +
                                                                         group * s.src_stride * kL0CColumns + m * row)
                                                   : group * s.dst_stride * kBlockBytes + BytesOf(o.type, m * row);
                runs.Add(at, BytesOf(o.type, count));
            }
        }
    }
}

void PrintIn(Out out, const Record&, const Fixpipe& s) {
    fmt::format_to(out, " m={} n={} stride={},{} {}", s.m, s.n, s.dst_stride, s.src_stride,
                   s.row_major ? "rows" : "NZ");
    if (s.row_major && s.nd_count != 1) {
        fmt::format_to(out, " nd={}x{},{}", s.nd_count, s.dst_nd_stride, s.src_nd_stride);
    }
    fmt::format_to(out, " {}", Name(s.quant));
    if (s.quant >= Quant::kDeqF16 && !IsVectorQuant(s.quant)) fmt::format_to(out, " word={:#x}", s.word);
    fmt::format_to(out, "{}{}", s.channel_split ? " split" : "", s.relu ? " relu" : "");
    if (s.clip) fmt::format_to(out, " clip={:#06x}", s.clip);
    if (s.unit_flag) fmt::format_to(out, " unitflag={}", s.unit_flag);
}

Span SpanIn(const Record& r, const MatrixMove& s, int operand) {
    const Operand& o = OperandOf(r, operand);
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

void RunsIn(const Record& r, const MatrixMove& s, int operand, const uint8_t*, Runs& runs) {
    const Operand& o = OperandOf(r, operand);
    const uint64_t gap = operand == 0 ? s.dst_gap : s.src_gap, row = BytesOf(o.type, kL0CColumns);
    const bool l0c = o.memory == Memory::kL0C, vector = s.block == MatrixMove::Block::kVector;
    const bool fractals = s.block == MatrixMove::Block::kMatrix || (l0c && !vector);
    const bool halves = !l0c && BitsOf(o.type) == 8 && s.sid_store_mode < 2;
    const uint64_t lines = fractals ? kFractalRows : 1;
    uint64_t at = 0;
    for (uint64_t block = 0; block < s.block_count; ++block) {
        for (uint64_t i = 0; i < s.block_len; ++i) {
            if (l0c) {
                runs.Add((block * (uint64_t{s.block_len} + gap) + i) * kL0CColumns * row, lines * row);
                continue;
            }
            for (uint64_t line = 0; line < lines; ++line, at += halves ? kBlockBytes : row) {
                runs.Add(at + (halves && s.sid_store_mode == 1 ? kBlockBytes / 2 : 0), row);
            }
        }
        at += gap * kBlockBytes;
    }
}

void PrintIn(Out out, const Record&, const MatrixMove& s) {
    fmt::format_to(out, " {} blocks={}x{} gap={},{}", Name(s.block), s.block_count, s.block_len, s.dst_gap, s.src_gap);
    if (s.deq != MatrixMove::Deq::kNone) {
        fmt::format_to(out, " {}=", DeqName(s.deq));
        IsVectorDeq(s.deq) ? fmt::format_to(out, "UB+{}", s.word) : fmt::format_to(out, "{:#x}", s.word);
    }
    if (s.sid_store_mode) fmt::format_to(out, " sid={}", s.sid_store_mode);
    if (s.relu) fmt::format_to(out, " relu");
}

}  // namespace sfumato::isa
