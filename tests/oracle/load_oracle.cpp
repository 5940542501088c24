// SPDX-License-Identifier: Apache-2.0
// Load2D, LoadDataWithTranspose, Load3Dv1, Load3Dv2, Nd2Nz, Nz2Nd and Fill by their formulas.
#include "oracle/load_oracle.h"

#include <optional>

namespace sfumato::oracle {
namespace {

constexpr uint64_t kFractalBytes = 512;

// cube.md 9.2, decided: what the last fractal holds beyond the matrix.
uint64_t PoisonAt(uint64_t element, uint32_t bits) {
    if (bits == 4) return element % 2 == 0 ? 0xE : 0xF;
    return 0xFEFEFEFEFEFEFEFEull;
}

uint64_t C0Of(uint32_t bits) { return 256 / bits; }

// An element of L1, where addresses from `boundary` on begin again at 0 (cube.md 3.6).
uint64_t GetCircular(Source src, uint64_t element, uint32_t bits, uint64_t boundary) {
    if (boundary == 0) return Get(src.image, src.at, element, bits);
    if (bits == 4) {
        return static_cast<uint64_t>(src.image.at((src.at + element / 2) % boundary) >> (element % 2 * 4)) & 15;
    }
    uint64_t value = 0;
    for (uint32_t b = 0; b < bits / 8; ++b) {
        const uint64_t address = src.at + element * (bits / 8) + b;
        value |= static_cast<uint64_t>(src.image.at(address % boundary)) << (8 * b);
    }
    return value;
}

bool Inside(const isa::FeatureMap& map, int64_t h, int64_t w) {
    return h >= 0 && h < int64_t{map.height} && w >= 0 && w < int64_t{map.width};
}

// Element (r, c) of the square a repeat of LoadDataWithTranspose reads: fractals below each other, 32-bit ones side by
// side.
uint64_t SquareElement(uint32_t bits, uint64_t square, uint64_t r, uint64_t c) {
    return bits == 32 ? c / 8 * 128 + r * 8 + c % 8 : r * square + c;
}

}  // namespace

// cube.md 3.1
void ExpectLoad2D(const isa::Load2D& p, uint32_t bits, Source src, Target dst) {
    const uint64_t per_fractal = kFractalBytes * 8 / bits;
    for (uint64_t r = 0; r < p.repeats; ++r) {
        const uint64_t from = p.decrement ? p.start - r * p.src_stride : p.start + r * p.src_stride;
        const uint64_t to = r * (1 + uint64_t{p.dst_gap});
        for (uint64_t e = 0; e < per_fractal; ++e) {
            const uint64_t source = p.transpose ? e % 16 * 16 + e / 16 : e;
            const uint64_t value = Get(src.image, src.at + from * kFractalBytes, source, bits);
            Put(dst.image, dst.at + to * kFractalBytes, e, bits, value);
        }
    }
}

// cube.md 3.2
void ExpectLoadTransposed(const isa::LoadTransposed& p, uint32_t bits, Source src, Target dst) {
    const uint64_t square = bits == 4 ? 64 : bits == 8 ? 32 : 16;
    const uint64_t fractals = square * square * bits / 8 / kFractalBytes;
    const uint64_t columns = C0Of(bits);
    for (uint64_t r = 0; r < p.repeats; ++r) {
        const uint64_t from = p.decrement ? p.start - r * p.src_stride : p.start + r * p.src_stride;
        const uint64_t at = src.at + from * square * square * bits / 8;
        for (uint64_t j = 0; j < fractals; ++j) {
            const uint64_t to = r * (1 + uint64_t{p.dst_gap}) + j * (1 + uint64_t{p.dst_fractal_gap});
            for (uint64_t row = 0; row < 16; ++row) {
                for (uint64_t column = 0; column < columns; ++column) {
                    // Element (y, x) of the transposed square is element (x, y) of the source square.
                    const uint64_t y = bits == 32 ? row : 16 * j + row;
                    const uint64_t x = bits == 32 ? 8 * j + column : column;
                    const uint64_t value = Get(src.image, at, SquareElement(bits, square, x, y), bits);
                    Put(dst.image, dst.at + to * kFractalBytes, row * columns + column, bits, value);
                }
            }
        }
    }
}

// cube.md 3.4. Decided: jumpStride counts in both modes; below the last output row the windows go on downwards; with
// cSize a row of a fractal holds consecutive taps of 4 (16-bit) or 8 (8-bit) channels.
void ExpectLoad3Dv1(const isa::Load3Dv1& p, uint32_t bits, Source src, Target dst) {
    struct Window {
        int64_t h, w;
    };
    const isa::Filter& f = p.filter;
    const int64_t right_end = int64_t{p.map.width} + p.map.right;
    std::vector<Window> windows;
    Window window{p.left_top_h, p.left_top_w};
    for (uint64_t i = 0; i < uint64_t{16} * p.repeats; ++i) {
        windows.push_back(window);
        window.w += f.stride_w;
        if (window.w + int64_t{f.width - 1} * f.dilation_w + 1 > right_end) {
            window.w = -int64_t{p.map.left};
            window.h += f.stride_h;
        }
    }
    const uint64_t c0 = C0Of(bits);
    const uint64_t channels = !p.small_channels ? c0 : bits == 8 ? 8 : 4;
    const uint64_t taps_per_row = c0 / channels;
    const uint64_t filter_taps = uint64_t{f.height} * f.width;
    const uint64_t first_c1 = p.small_channels ? 0 : p.c1_index;
    const uint64_t first_tap = (first_c1 * f.height + p.fetch_h) * f.width + p.fetch_w;
    for (uint64_t r = 0; r < p.repeats; ++r) {
        for (uint64_t row = 0; row < 16; ++row) {
            const Window& at = windows[p.repeat_mode == 1 ? 16 * r + row : row];
            for (uint64_t column = 0; column < c0; ++column) {
                const uint64_t tap = first_tap + (p.repeat_mode == 0 ? r * taps_per_row : 0) + column / channels;
                const uint64_t c1 = tap / filter_taps, in_filter = tap % filter_taps;
                const int64_t h = at.h + static_cast<int64_t>(in_filter / f.width) * f.dilation_h;
                const int64_t w = at.w + static_cast<int64_t>(in_filter % f.width) * f.dilation_w;
                uint64_t value = p.pad_value;
                if (Inside(p.map, h, w) && !(p.small_channels && c1 > 0)) {
                    const uint64_t pixel =
                        (c1 * p.map.height + static_cast<uint64_t>(h)) * p.map.width + static_cast<uint64_t>(w);
                    value = GetCircular(src, pixel * channels + column % channels, bits, p.boundary);
                }
                Put(dst.image, dst.at + r * p.jump_stride * kFractalBytes, row * c0 + column, bits, value);
            }
        }
    }
}

namespace {

// Rows [m_begin, m_begin + rows) and columns [k_begin, k_begin + columns) of the matrix of im2col; empty elements lie
// outside it.
using Matrix = std::vector<std::vector<std::optional<uint64_t>>>;

Matrix Im2Col(const isa::Load3Dv2& p, uint32_t bits, Source src, uint64_t m_begin, uint64_t rows, uint64_t k_begin,
              uint64_t columns) {
    Matrix matrix(rows, std::vector<std::optional<uint64_t>>(columns));
    const isa::FeatureMap& map = p.map;
    const isa::Filter& f = p.filter;
    const int64_t tall = int64_t{map.height} + map.top + map.bottom - int64_t{f.height - 1} * f.dilation_h - 1;
    const int64_t wide = int64_t{map.width} + map.left + map.right - int64_t{f.width - 1} * f.dilation_w - 1;
    const int64_t out_h = tall < 0 ? 0 : tall / f.stride_h + 1;
    const int64_t out_w = wide < 0 ? 0 : wide / f.stride_w + 1;
    const uint64_t c0 = C0Of(bits), groups = CeilDiv(p.channels, c0);
    uint64_t m = 0;
    for (int64_t oh = 0; oh < out_h; ++oh) {
        for (int64_t ow = 0; ow < out_w; ++ow, ++m) {
            if (m < m_begin || m >= m_begin + rows) continue;
            uint64_t k = 0;
            for (uint64_t c1 = 0; c1 < groups; ++c1) {
                // The last group holds the channels that are left, stored densely (decided).
                const uint64_t channels = c1 + 1 < groups || p.channels % c0 == 0 ? c0 : p.channels % c0;
                for (int64_t kh = 0; kh < f.height; ++kh) {
                    for (int64_t kw = 0; kw < f.width; ++kw, k += channels) {
                        if (k + channels <= k_begin || k >= k_begin + columns) continue;
                        const int64_t h = oh * f.stride_h - map.top + kh * f.dilation_h;
                        const int64_t w = ow * f.stride_w - map.left + kw * f.dilation_w;
                        const int64_t pixel = h * map.width + w;
                        for (uint64_t c = 0; c < channels; ++c) {
                            if (k + c < k_begin || k + c >= k_begin + columns) continue;
                            uint64_t value = p.pad_value;
                            if (Inside(map, h, w)) {
                                const uint64_t element =
                                    c1 * map.height * map.width * c0 + static_cast<uint64_t>(pixel) * channels + c;
                                value = GetCircular(src, element, bits, p.boundary);
                            }
                            matrix[m - m_begin][k + c - k_begin] = value;
                        }
                    }
                }
            }
        }
    }
    return matrix;
}

}  // namespace

// cube.md 3.5 and 3.6. Decided: the iterations of SetLoadDataRepeat make one larger matrix, along M or along K.
void ExpectLoad3Dv2(const isa::Load3Dv2& p, uint32_t bits, Side side, Source src, Target dst) {
    const uint64_t c0 = C0Of(bits);
    if (p.map.height == 0 || p.map.width == 0 || p.channels == 0 || p.k_extension == 0 || p.m_extension == 0 ||
        p.filter.height == 0 || p.filter.width == 0 || p.repeats == 0) {
        return;
    }
    const bool along_k = p.repeat_mode == 1;
    const uint64_t m_step = CeilTo(p.m_extension, 16), k_step = CeilTo(p.k_extension, c0);
    const uint64_t rows = along_k ? p.m_extension : (p.repeats - 1) * m_step + p.m_extension;
    const uint64_t columns = along_k ? (p.repeats - 1) * k_step + p.k_extension : p.k_extension;
    Matrix whole(CeilTo(rows, 16), std::vector<std::optional<uint64_t>>(CeilTo(columns, 64)));
    for (uint64_t r = 0; r < p.repeats; ++r) {
        const uint64_t m_begin = p.m_start + (along_k ? 0 : 16 * r * p.repeat_stride);
        const uint64_t k_begin = p.k_start + (along_k ? c0 * r * p.repeat_stride : 0);
        const Matrix part = Im2Col(p, bits, src, m_begin, p.m_extension, k_begin, p.k_extension);
        for (uint64_t i = 0; i < p.m_extension; ++i) {
            for (uint64_t j = 0; j < p.k_extension; ++j) {
                whole[i + (along_k ? 0 : r * m_step)][j + (along_k ? r * k_step : 0)] = part[i][j];
            }
        }
    }
    // Where (i, j) goes, and how far the fractals that are written reach.
    const bool transposed = side == Side::kA2 && p.transpose;
    const uint64_t row_end = side == Side::kB2 ? CeilTo(rows, c0) : CeilTo(rows, 16);
    uint64_t column_end = CeilTo(columns, side == Side::kB2 || transposed ? 16 : c0);
    if (transposed && bits == 32) column_end = columns;
    for (uint64_t i = 0; i < row_end; ++i) {
        for (uint64_t j = 0; j < column_end; ++j) {
            uint64_t element = 0;
            if (side == Side::kB2) {
                element = (i / c0 * CeilDiv(columns, 16) + j / 16) * 16 * c0 + j % 16 * c0 + i % c0;
            } else if (transposed) {
                element = (j / 16 * (CeilTo(rows, 16) / c0) + i / c0) * 16 * c0 + j % 16 * c0 + i % c0;
            } else {
                element = (i / 16 * CeilDiv(columns, c0) + j / c0) * 16 * c0 + i % 16 * c0 + j % c0;
            }
            Put(dst.image, dst.at, element, bits, whole[i][j].value_or(PoisonAt(element, bits)));
        }
    }
}

// cube.md 6
void ExpectNd2Nz(const isa::Nd2Nz& p, uint32_t bits, Source src, Target dst) {
    const uint64_t c0 = C0Of(bits);
    for (uint64_t q = 0; q < p.nd_count; ++q) {
        for (uint64_t n = 0; n < p.n; ++n) {
            for (uint64_t d = 0; d < CeilTo(p.d, c0); ++d) {
                const uint64_t from = q * p.src_nd_stride + n * p.src_d + d;
                const uint64_t value = d < p.d ? Get(src.image, src.at, from, bits) : 0;
                const uint64_t to =
                    q * p.dst_nd_stride + d / c0 * p.dst_c0_stride * c0 + n * p.dst_n_stride * c0 + d % c0;
                Put(dst.image, dst.at, to, bits, value);
            }
        }
    }
}

// cube.md 6: columns of 16 elements, 32-bit ones too.
bool ExpectNz2Nd(const isa::Nz2Nd& p, uint32_t bits, const AtomicMode& atomic, Source src, Target dst) {
    bool replaced = false;
    for (uint64_t q = 0; q < p.nd_count; ++q) {
        for (uint64_t n = 0; n < p.n; ++n) {
            for (uint64_t d = 0; d < p.d; ++d) {
                const uint64_t from = q * p.src_nd_stride * 256 + d / 16 * p.src_n_stride * 16 + n * 16 + d % 16;
                const uint64_t to = q * p.dst_nd_stride + n * p.dst_d_stride + d;
                Store(atomic, dst.image, dst.at + to * bits / 8, bits, Get(src.image, src.at, from, bits), &replaced);
            }
        }
    }
    return replaced;
}

// framework.md 3.9
void ExpectBlockFill(const isa::BlockFill& p, uint32_t bits, uint64_t value, uint32_t unit, Target dst) {
    for (uint64_t r = 0; r < p.repeats; ++r) {
        const uint64_t at = dst.at + r * (uint64_t{p.blocks} + p.dst_gap) * unit;
        for (uint64_t e = 0; e < uint64_t{p.blocks} * unit * 8 / bits; ++e) Put(dst.image, at, e, bits, value);
    }
}

}  // namespace sfumato::oracle
