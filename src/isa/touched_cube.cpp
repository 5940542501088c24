// SPDX-License-Identifier: Apache-2.0
// The bytes of records of the cube unit and of the moves that change a layout (cube.md 2 to 6).
#include "isa/touched.h"

namespace sfumato::isa {
namespace {

const Operand& OperandOf(const Record& r, int i) { return r.operand[static_cast<size_t>(i)]; }

// A pixel of an image in L1, whose addresses continue at 0 at the boundary.
void AddCircular(const Operand& o, uint64_t from_start, uint64_t bytes, uint64_t boundary, Runs& runs) {
    uint64_t at = o.offset + from_start;
    if (boundary == 0) return runs.AddAt(at, bytes);
    at %= boundary;
    const uint64_t first = std::min(bytes, boundary - at);
    runs.AddAt(at, first);
    runs.AddAt(0, bytes - first);
}

bool IsInside(int64_t h, int64_t w, const FeatureMap& map) {
    return h >= 0 && h < map.height && w >= 0 && w < map.width;
}

// A row of a matrix in fractals of 16 rows: `k` elements of it, C0 in each fractal; pitch is from fractal to fractal.
void AddFractalRow(DataType t, uint64_t fractal, uint64_t pitch, uint64_t row, uint64_t k, Runs& runs) {
    const uint64_t c0 = C0Of(t);
    for (uint64_t first = 0; first < k; first += c0, fractal += pitch) {
        runs.Add(fractal * kFractalBytes + row * kBlockBytes, BytesOf(t, std::min(c0, k - first)));
    }
}

}  // namespace

void RunsIn(const Record&, const Load2D& s, int operand, const uint8_t*, Runs& runs) {
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t step = i * s.src_stride, src = s.decrement ? s.start - step : s.start + step;
        runs.Add((operand == 0 ? i * (uint64_t{s.dst_gap} + 1) : src) * kFractalBytes, kFractalBytes);
    }
}

void RunsIn(const Record& r, const LoadTransposed& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t fractals = SquareFractals(r.dst().type);
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t step = i * s.src_stride, src = s.decrement ? s.start - step : s.start + step;
        if (operand != 0) {
            runs.Add(src * fractals * kFractalBytes, fractals * kFractalBytes);
            continue;
        }
        const uint64_t first = i * (uint64_t{s.dst_gap} + 1);
        for (uint64_t j = 0; j < fractals; ++j) {
            runs.Add((first + j * (uint64_t{s.dst_fractal_gap} + 1)) * kFractalBytes, kFractalBytes);
        }
    }
}

void RunsIn(const Record& r, const Load3Dv1& s, int operand, const uint8_t*, Runs& runs) {
    const Filter& f = s.filter;
    if (f.width == 0 || f.height == 0) return;
    if (operand == 0) {
        for (uint64_t i = 0; i < s.repeats; ++i) runs.Add(i * s.jump_stride * kFractalBytes, kFractalBytes);
        return;
    }
    const Operand& o = r.src0();
    const uint64_t c0 = C0Of(o.type), channels = !s.small_channels ? c0 : BitsOf(o.type) == 8 ? 8 : 4;
    const uint64_t taps = uint64_t{f.height} * f.width, per_repeat = c0 / channels;
    const uint64_t first = ((s.small_channels ? 0 : uint64_t{s.c1_index}) * f.height + s.fetch_h) * f.width + s.fetch_w;
    int64_t h = s.left_top_h, w = s.left_top_w;
    for (uint64_t repeat = 0; repeat < s.repeats; ++repeat) {
        if (s.repeat_mode == 0) h = s.left_top_h, w = s.left_top_w;
        for (uint64_t row = 0; row < kFractalRows; ++row) {
            for (uint64_t t = 0; t < per_repeat; ++t) {
                const uint64_t tap = first + t + (s.repeat_mode == 0 ? repeat * per_repeat : 0), c1 = tap / taps;
                const int64_t ih = h + static_cast<int64_t>(tap % taps / f.width * f.dilation_h);
                const int64_t iw = w + static_cast<int64_t>(tap % f.width * f.dilation_w);
                if (!IsInside(ih, iw, s.map) || (s.small_channels && c1 > 0)) continue;
                const uint64_t pixel =
                    (c1 * s.map.height + static_cast<uint64_t>(ih)) * s.map.width + static_cast<uint64_t>(iw);
                AddCircular(o, BytesOf(o.type, pixel * channels), BytesOf(o.type, channels), s.boundary, runs);
            }
            w += f.stride_w;
            if (w + int64_t{f.width - 1} * f.dilation_w + 1 > int64_t{s.map.width} + s.map.right) {
                w = -int64_t{s.map.left};
                h += f.stride_h;
            }
        }
    }
}

void RunsIn(const Record& r, const Load3Dv2& s, int operand, const uint8_t*, Runs& runs) {
    const ImageMatrix image = MatrixOf(s);
    const Operand& o = OperandOf(r, operand);
    if (s.repeats == 0 || s.k_extension == 0 || s.m_extension == 0 || image.rows == 0 || image.columns == 0) return;
    const uint64_t c0 = C0Of(o.type);
    if (operand == 0) {
        const Span all = SpanIn(r, s, 0);
        const uint64_t more = s.repeat_mode == 1 ? s.repeats - uint64_t{1} : 0;
        const uint64_t columns = s.k_extension + more * CeilTo(s.k_extension, c0);
        const uint64_t unwritten = (CeilTo(columns, kFractalRows) - columns) * kBlockBytes;
        const bool partial = s.transpose && r.dst().memory != Memory::kL0B && BitsOf(o.type) == 32 && unwritten != 0;
        if (!partial) return runs.Add(0, all.end - all.begin);
        // Rows past kExtension of the last row of fractals are not written in 32-bit data.
        const uint64_t bytes = all.end - all.begin + unwritten, fractals = bytes / kFractalBytes;
        const uint64_t across = fractals / CeilDiv(columns, kFractalRows);
        for (uint64_t i = 0; i < fractals; ++i) {
            runs.Add(i * kFractalBytes, kFractalBytes - (i + across >= fractals ? unwritten : 0));
        }
        return;
    }
    const Filter& f = s.filter;
    const uint64_t full = s.channels / c0, taps = uint64_t{f.height} * f.width;
    for (uint64_t i = 0; i < s.repeats; ++i) {
        const uint64_t moved = i * s.repeat_stride;
        const uint64_t m0 = s.m_start + (s.repeat_mode == 1 ? 0 : moved * kFractalRows);
        const uint64_t k0 = s.k_start + (s.repeat_mode == 1 ? moved * c0 : 0);
        const uint64_t k_end = std::min(k0 + s.k_extension, image.columns);
        for (uint64_t m = m0; m < std::min(m0 + s.m_extension, image.rows); ++m) {
            for (uint64_t k = k0, next; k < k_end; k = next) {
                // The channels of one tap of one group.
                const uint64_t group = std::min(k / (taps * c0), full), width = group < full ? c0 : s.channels % c0;
                const uint64_t in_group = k - group * taps * c0, tap = in_group / width, channel = in_group % width;
                next = std::min(k_end, k - channel + width);
                const int64_t h = static_cast<int64_t>(m / image.out_width * f.stride_h + tap / f.width * f.dilation_h);
                const int64_t w = static_cast<int64_t>(m % image.out_width * f.stride_w + tap % f.width * f.dilation_w);
                const int64_t ih = h - s.map.top, iw = w - s.map.left;
                if (!IsInside(ih, iw, s.map)) continue;
                const uint64_t pixel = static_cast<uint64_t>(ih) * s.map.width + static_cast<uint64_t>(iw);
                const uint64_t element = group * s.map.height * s.map.width * c0 + pixel * width + channel;
                AddCircular(o, BytesOf(o.type, element), BytesOf(o.type, next - k), s.boundary, runs);
            }
        }
    }
}

void RunsIn(const Record& r, const Matmul& s, int operand, const uint8_t*, Runs& runs) {
    const Operand& o = OperandOf(r, operand);
    if (s.m == 0 || s.n == 0 || s.k == 0) return;
    const uint64_t n1 = CeilDiv(s.n, kL0CColumns), k1 = CeilDiv(s.k, C0Of(o.type));
    const Span all = SpanIn(r, s, operand);
    if (operand == 0 || (operand == 1 && s.vector_a) || (operand == 3 && o.memory != Memory::kL0C)) {
        return runs.Add(0, all.end - all.begin);
    }
    if (operand == 3) {
        for (uint64_t n = 0; n < s.n; n += kL0CColumns) {
            runs.Add(BytesOf(o.type, n / kL0CColumns * kL0CFractal), BytesOf(o.type, std::min(kL0CColumns, s.n - n)));
        }
        return;
    }
    const bool aligned = operand == 1 && s.k_direction_align && BitsOf(o.type) == 32;
    const uint64_t across = aligned ? 2 * CeilDiv(s.k, kFractalRows) : k1;
    for (uint64_t row = 0; row < (operand == 1 ? s.m : s.n); ++row) {
        const uint64_t block = row / kFractalRows;
        AddFractalRow(o.type, operand == 1 ? block * across : block, operand == 1 ? 1 : n1, row % kFractalRows, s.k,
                      runs);
    }
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

void RunsIn(const Record& r, const Nd2Nz& s, int operand, const uint8_t*, Runs& runs) {
    const DataType type = OperandOf(r, operand).type;
    for (uint64_t q = 0; q < s.nd_count; ++q) {
        for (uint64_t n = 0; n < s.n; ++n) {
            if (operand != 0) {
                runs.Add(BytesOf(type, q * s.src_nd_stride + n * s.src_d), BytesOf(type, s.d));
                continue;
            }
            for (uint64_t c = 0; c < CeilDiv(s.d, C0Of(type)); ++c) {
                const uint64_t block = c * s.dst_c0_stride + n * s.dst_n_stride;
                runs.Add(BytesOf(type, q * s.dst_nd_stride) + block * kBlockBytes, kBlockBytes);
            }
        }
    }
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

void RunsIn(const Record& r, const BlockFill& s, int operand, const uint8_t*, Runs& runs) {
    const uint64_t unit = OperandOf(r, operand).memory == Memory::kL1 ? kBlockBytes : kFractalBytes;
    for (uint64_t i = 0; i < s.repeats; ++i) runs.Add(i * (uint64_t{s.blocks} + s.dst_gap) * unit, s.blocks * unit);
}

}  // namespace sfumato::isa
