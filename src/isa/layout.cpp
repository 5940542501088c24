// SPDX-License-Identifier: Apache-2.0
// Moves between rows and fractals, fills of blocks (cube.md 6, framework.md 3.9).
#include "isa/parts.h"

namespace sfumato::isa {
namespace {

// The fractals that rows and columns become.
struct Fractals {
    uint64_t matrices, n, d;
    uint64_t c0_stride, n_stride, matrix_stride;  // 32 bytes, 32 bytes, elements

    explicit Fractals(const Nd2Nz& s)
        : matrices(s.nd_count),
          n(s.n),
          d(s.d),
          c0_stride(s.dst_c0_stride),
          n_stride(s.dst_n_stride),
          matrix_stride(s.dst_nd_stride) {}
    explicit Fractals(const Dn2Nz& s)
        : matrices(s.dn_count),
          n(s.n),
          d(s.d),
          c0_stride(s.dst_c0_stride),
          n_stride(s.dst_n_stride),
          matrix_stride(s.dst_dn_stride) {}

    bool Empty() const { return matrices == 0 || n == 0 || d == 0; }
    Span Hull(const Operand& o) const {
        const uint64_t last = (CeilDiv(d, C0Of(o.type)) - 1) * c0_stride + (n - 1) * n_stride;
        return At(o, 0, BytesOf(o.type, (matrices - 1) * matrix_stride) + (last + 1) * kBlockBytes);
    }
    void AddRow(DataType type, uint64_t matrix, uint64_t row, Runs& runs) const {
        for (uint64_t c = 0; c < CeilDiv(d, C0Of(type)); ++c) {
            const uint64_t block = c * c0_stride + row * n_stride;
            runs.Add(BytesOf(type, matrix * matrix_stride) + block * kBlockBytes, kBlockBytes);
        }
    }
};

}  // namespace

Span SpanIn(const Record& r, const Nd2Nz& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const Fractals fractals(s);
    if (fractals.Empty()) return Nothing(o);
    if (operand == 0) return fractals.Hull(o);
    const uint64_t matrices = uint64_t{s.nd_count} - 1, rows = uint64_t{s.n} - 1;
    return At(o, 0, BytesOf(o.type, matrices * s.src_nd_stride + rows * s.src_d + s.d));
}

void RunsIn(const Record& r, const Nd2Nz& s, int operand, const uint8_t*, Runs& runs) {
    const DataType type = OperandOf(r, operand).type;
    const Fractals fractals(s);
    for (uint64_t q = 0; q < s.nd_count; ++q) {
        for (uint64_t n = 0; n < s.n; ++n) {
            if (operand == 0) {
                fractals.AddRow(type, q, n, runs);
            } else {
                runs.Add(BytesOf(type, q * s.src_nd_stride + n * s.src_d), BytesOf(type, s.d));
            }
        }
    }
}

Span SpanIn(const Record& r, const Dn2Nz& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    const Fractals fractals(s);
    if (fractals.Empty()) return Nothing(o);
    if (operand == 0) return fractals.Hull(o);
    const uint64_t matrices = uint64_t{s.dn_count} - 1, columns = uint64_t{s.d} - 1;
    return At(o, 0, BytesOf(o.type, matrices * s.src_dn_stride + columns * s.src_d + s.n));
}

void RunsIn(const Record& r, const Dn2Nz& s, int operand, const uint8_t*, Runs& runs) {
    const DataType type = OperandOf(r, operand).type;
    const Fractals fractals(s);
    for (uint64_t q = 0; q < s.dn_count; ++q) {
        for (uint64_t n = 0; operand == 0 && n < s.n; ++n) fractals.AddRow(type, q, n, runs);
        for (uint64_t d = 0; operand != 0 && d < s.d; ++d)
            runs.Add(BytesOf(type, q * s.src_dn_stride + d * s.src_d), BytesOf(type, s.n));
    }
}

void PrintIn(Out out, const Record&, const Dn2Nz& s) {
    fmt::format_to(out, " n={} d={} dst=c0:{},n:{} src=d:{}", s.n, s.d, s.dst_c0_stride, s.dst_n_stride, s.src_d);
    if (s.dn_count != 1) fmt::format_to(out, " dn={}x{},{}", s.dn_count, s.dst_dn_stride, s.src_dn_stride);
}

void PrintIn(Out out, const Record&, const Nd2Nz& s) {
    fmt::format_to(out, " n={} d={} dst=c0:{},n:{} src=d:{}", s.n, s.d, s.dst_c0_stride, s.dst_n_stride, s.src_d);
    if (s.nd_count != 1) fmt::format_to(out, " nd={}x{},{}", s.nd_count, s.dst_nd_stride, s.src_nd_stride);
}

Span SpanIn(const Record& r, const Nz2Nd& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (s.nd_count == 0 || s.n == 0 || s.d == 0) return Nothing(o);
    const uint64_t matrices = uint64_t{s.nd_count} - 1, rows = uint64_t{s.n} - 1;
    if (operand == 0) return At(o, 0, BytesOf(o.type, matrices * s.dst_nd_stride + rows * s.dst_d_stride + s.d));
    const uint64_t end = Pieces(CeilDiv(s.d, kL0CColumns), s.src_n_stride * kL0CColumns, (rows + 1) * kL0CColumns,
                                rows * kL0CColumns + (s.d - 1) % kL0CColumns + 1);
    return At(o, 0, BytesOf(o.type, matrices * s.src_nd_stride * kL0CFractal + end));
}

void RunsIn(const Record& r, const Nz2Nd& s, int operand, const uint8_t*, Runs& runs) {
    const DataType type = OperandOf(r, operand).type;
    for (uint64_t q = 0; q < s.nd_count; ++q) {
        for (uint64_t n = 0; n < s.n; ++n) {
            if (operand == 0) {
                runs.Add(BytesOf(type, q * s.dst_nd_stride + n * s.dst_d_stride), BytesOf(type, s.d));
                continue;
            }
            for (uint64_t d = 0; d < s.d; d += kL0CColumns) {
                const uint64_t column = q * s.src_nd_stride * kL0CFractal + d * s.src_n_stride;
                runs.Add(BytesOf(type, column + n * kL0CColumns), BytesOf(type, std::min(kL0CColumns, s.d - d)));
            }
        }
    }
}

void PrintIn(Out out, const Record&, const Nz2Nd& s) {
    fmt::format_to(out, " n={} d={} dst=d:{} src=n:{}", s.n, s.d, s.dst_d_stride, s.src_n_stride);
    if (s.nd_count != 1) fmt::format_to(out, " nd={}x{},{}", s.nd_count, s.dst_nd_stride, s.src_nd_stride);
}

Span SpanIn(const Record& r, const BlockFill& s, int operand) {
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0 || s.blocks == 0) return Nothing(o);
    const uint64_t unit = o.memory == Memory::kL1 ? kBlockBytes : kFractalBytes;
    return At(o, 0, ((uint64_t{s.repeats} - 1) * (uint64_t{s.blocks} + s.dst_gap) + s.blocks) * unit);
}

void RunsIn(const Record& r, const BlockFill& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t unit = OperandOf(r, operand).memory == Memory::kL1 ? kBlockBytes : kFractalBytes;
    for (uint64_t i = 0; i < s.repeats; ++i) runs.Add(i * (uint64_t{s.blocks} + s.dst_gap) * unit, s.blocks * unit);
}

void PrintIn(Out out, const Record& r, const BlockFill& s) {
    fmt::format_to(out, " repeat={} blocks={} gap={}", s.repeats, s.blocks, s.dst_gap);
    PrintValue(out, r);
}

}  // namespace sfumato::isa
