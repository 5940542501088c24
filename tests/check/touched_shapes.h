// SPDX-License-Identifier: Apache-2.0
// The bytes a record with Record::shape touches, element by element from cube.md's formulas, and random records
// of these forms, mostly legal. Written without isa/spans.h.
#pragma once

#include "check/touched.h"
#include "check/touched_lanes.h"
#include "check/touched_reduce.h"
#include "check/touched_sort.h"

namespace sfumato::isa {

// Collects the bytes of elements of one operand.
class Elements {
public:
    explicit Elements(const Operand& o) : operand_(o), bits_(BitsOf(o.type)) {}
    void Add(uint64_t element, uint64_t count = 1) {
        for (uint64_t i = element * bits_ / 8; i < ((element + count) * bits_ + 7) / 8; ++i) {
            bytes_.insert(operand_.offset + i);
        }
    }
    void AddBytes(uint64_t begin, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) bytes_.insert(operand_.offset + begin + i);
    }
    uint64_t c0() const { return 256 / bits_; }
    uint64_t bits() const { return bits_; }
    Bytes Take() { return std::move(bytes_); }

private:
    Operand operand_;
    uint64_t bits_;
    Bytes bytes_;
};

inline void TouchShape(const Record&, const Load2D& s, int operand, Elements* e) {
    for (uint64_t r = 0; r < s.repeats; ++r) {
        const uint64_t from = s.decrement ? s.start - r * s.src_stride : s.start + r * s.src_stride;
        e->AddBytes((operand == 0 ? r * (s.dst_gap + 1) : from) * 512, 512);
    }
}

inline void TouchShape(const Record&, const LoadTransposed& s, int operand, Elements* e) {
    const uint64_t side = e->bits() == 4 ? 64 : e->bits() == 8 ? 32 : 16, square = side * side * e->bits() / 8;
    for (uint64_t r = 0; r < s.repeats; ++r) {
        const uint64_t from = s.decrement ? s.start - r * s.src_stride : s.start + r * s.src_stride;
        if (operand != 0) e->AddBytes(from * square, square);
        for (uint64_t j = 0; operand == 0 && j < square / 512; ++j) {
            e->AddBytes((r * (s.dst_gap + 1) + j * (s.dst_fractal_gap + 1)) * 512, 512);
        }
    }
}

inline void TouchShape(const Record&, const Load3Dv1& s, int operand, Elements* e) {
    const int64_t channels = static_cast<int64_t>(!s.small_channels ? e->c0() : e->bits() == 8 ? 8 : 4);
    const int64_t taps = static_cast<int64_t>(e->c0()) / channels, fw = s.filter.width, fh = s.filter.height;
    const int64_t height = s.map.height, width = s.map.width;
    int64_t h = s.left_top_h, w = s.left_top_w;
    for (int64_t r = 0; r < s.repeats; ++r) {
        if (operand == 0) e->AddBytes(static_cast<uint64_t>(r) * s.jump_stride * 512, 512);
        if (s.repeat_mode == 0) h = s.left_top_h, w = s.left_top_w;
        for (int64_t row = 0; row < 16; ++row) {
            for (int64_t t = 0; operand != 0 && t < taps; ++t) {
                int64_t kw = s.fetch_w, kh = s.fetch_h, c1 = s.small_channels ? 0 : s.c1_index;
                for (int64_t step = t + (s.repeat_mode == 0 ? r * taps : 0); step > 0; --step) {
                    if (++kw == fw) kw = 0, ++kh;
                    if (kh == fh) kh = 0, ++c1;
                }
                const int64_t ih = h + kh * s.filter.dilation_h, iw = w + kw * s.filter.dilation_w;
                if (ih < 0 || ih >= height || iw < 0 || iw >= width || (s.small_channels && c1 > 0)) continue;
                e->Add(static_cast<uint64_t>(((c1 * height + ih) * width + iw) * channels),
                       static_cast<uint64_t>(channels));
            }
            w += s.filter.stride_w;
            if (w + (fw - 1) * s.filter.dilation_w + 1 > width + s.map.right) {
                w = -int64_t{s.map.left};
                h += s.filter.stride_h;
            }
        }
    }
}

inline void TouchShape(const Record& record, const Load3Dv2& s, int operand, Elements* e) {
    const int64_t c0 = static_cast<int64_t>(e->c0()), fw = s.filter.width, fh = s.filter.height;
    const int64_t height = s.map.height, width = s.map.width;
    const int64_t wo = (width + s.map.left + s.map.right - (fw - 1) * s.filter.dilation_w - 1) / s.filter.stride_w + 1;
    const int64_t ho = (height + s.map.top + s.map.bottom - (fh - 1) * s.filter.dilation_h - 1) / s.filter.stride_h + 1;
    const int64_t groups = s.channels / c0, tail = s.channels % c0, columns = fw * fh * s.channels;
    const auto up = [](int64_t a, int64_t b) { return (a + b - 1) / b * b; };
    int64_t rows_written = s.m_extension, columns_written = s.k_extension;
    if (s.repeat_mode == 0) rows_written += (s.repeats - 1) * up(s.m_extension, 16);
    if (s.repeat_mode == 1) columns_written += (s.repeats - 1) * up(s.k_extension, c0);
    if (operand == 0) {
        const bool to_b = record.dst().memory == Memory::kL0B;
        const int64_t row_end = to_b ? up(rows_written, c0) : up(rows_written, 16);
        int64_t column_end = up(columns_written, to_b || s.transpose ? 16 : c0);
        if (!to_b && s.transpose && e->bits() == 32) column_end = columns_written;
        for (int64_t i = 0; i < row_end; ++i) {
            for (int64_t j = 0; j < column_end; ++j) {
                int64_t at = (i / 16 * (up(columns_written, c0) / c0) + j / c0) * 16 * c0 + i % 16 * c0 + j % c0;
                if (to_b)
                    at = (i / c0 * (up(columns_written, 16) / 16) + j / 16) * 16 * c0 + j % 16 * c0 + i % c0;
                else if (s.transpose)
                    at = (j / 16 * (up(rows_written, 16) / c0) + i / c0) * 16 * c0 + j % 16 * c0 + i % c0;
                e->Add(static_cast<uint64_t>(at));
            }
        }
        return;
    }
    for (int64_t r = 0; r < s.repeats; ++r) {
        const int64_t moved = r * s.repeat_stride;
        const int64_t m0 = s.m_start + (s.repeat_mode == 0 ? moved * 16 : 0);
        const int64_t k0 = s.k_start + (s.repeat_mode == 1 ? moved * c0 : 0);
        for (int64_t m = m0; m < std::min(m0 + s.m_extension, ho * wo); ++m) {
            for (int64_t k = k0; k < std::min(k0 + s.k_extension, columns); ++k) {
                const int64_t full = groups * fw * fh * c0;
                const int64_t group = k < full ? k / (fw * fh * c0) : groups, cw = k < full ? c0 : tail;
                const int64_t tap = (k - group * fw * fh * c0) / cw;
                const int64_t ih = m / wo * s.filter.stride_h - s.map.top + tap / fw * s.filter.dilation_h;
                const int64_t iw = m % wo * s.filter.stride_w - s.map.left + tap % fw * s.filter.dilation_w;
                if (ih < 0 || ih >= height || iw < 0 || iw >= width) continue;
                const int64_t pixel = group * height * width * c0 + (ih * width + iw) * cw;
                e->Add(static_cast<uint64_t>(pixel + (k - group * fw * fh * c0) % cw));
            }
        }
    }
}

inline void TouchShape(const Record& r, const Matmul& s, int operand, Elements* e) {
    const uint64_t c0 = e->c0(), m1 = (s.m + 15) / 16, n1 = (s.n + 15) / 16;
    if (operand == 0) {  // hardware leaves the rest of the fractals unspecified
        for (uint64_t fractal = 0; fractal < m1 * n1; ++fractal) e->Add(fractal * 256, 256);
        return;
    }
    if (operand == 3) {
        for (uint64_t n = 0; n < s.n; ++n) e->Add(r.operand[3].memory == Memory::kL0C ? n / 16 * 256 + n % 16 : n);
        return;
    }
    const uint64_t rows = operand == 1 ? s.m : s.n;
    uint64_t k1 = (s.k + c0 - 1) / c0;
    if (s.k_direction_align && e->bits() == 32) k1 = (s.k + 15) / 16 * 2;
    for (uint64_t row = 0; row < rows; ++row) {
        for (uint64_t k = 0; k < s.k; ++k) {
            const uint64_t fractal = operand == 1 ? row / 16 * k1 + k / c0 : k / c0 * n1 + row / 16;
            e->Add(operand == 1 && s.vector_a ? k : fractal * 16 * c0 + row % 16 * c0 + k % c0);
        }
    }
}

inline void TouchShape(const Record&, const Fixpipe& s, int operand, Elements* e) {
    if (operand == 2) return e->Add(0, s.n);
    const uint64_t size = e->bits() / 8, n1 = (s.n + 15) / 16;
    for (uint64_t q = 0; q < (s.row_major ? s.nd_count : 1); ++q) {
        for (uint64_t m = 0; m < s.m; ++m) {
            for (uint64_t n = 0; n < s.n; ++n) {
                if (operand == 1) {
                    e->Add(q * s.src_nd_stride * 256 + n / 16 * s.src_stride * 16 + m * 16 + n % 16);
                } else if (s.row_major) {
                    e->Add(q * s.dst_nd_stride + m * s.dst_stride + n);
                } else if (s.channel_split) {
                    e->AddBytes(n / 8 * s.dst_stride * 32 + m * 32 + n % 8 * 4, 4);
                } else if (size == 1) {
                    const bool narrow = n1 % 2 == 1 && n / 16 == n1 - 1;
                    e->AddBytes(n / 32 * s.dst_stride * 32 + (narrow ? m * 16 + n % 16 : m * 32 + n % 32), 1);
                } else {
                    e->AddBytes(n / 16 * s.dst_stride * 32 + m * 16 * size + n % 16 * size, size);
                }
            }
        }
    }
}

inline void TouchShape(const Record& r, const MatrixMove& s, int operand, Elements* e) {
    const bool l0c = r.operand[static_cast<size_t>(operand)].memory == Memory::kL0C;
    const bool fractals = s.block == MatrixMove::Block::kMatrix || (l0c && s.block == MatrixMove::Block::kBroadcast);
    const uint64_t gap = operand == 0 ? s.dst_gap : s.src_gap, row = 16 * e->bits() / 8;
    const bool halves = e->bits() == 8 && s.sid_store_mode < 2;
    uint64_t at = 0;
    for (uint64_t block = 0; block < s.block_count; ++block) {
        for (uint64_t i = 0; i < s.block_len; ++i) {
            for (uint64_t line = 0; line < (fractals ? 16 : 1); ++line) {
                if (l0c) {
                    e->AddBytes((block * (s.block_len + gap) + i) * 16 * row + line * row, row);
                } else {
                    e->AddBytes(at + (halves && s.sid_store_mode == 1 ? 16 : 0), row);
                    at += halves ? 32 : row;
                }
            }
        }
        at += gap * 32;
    }
}

inline void TouchShape(const Record&, const Nd2Nz& s, int operand, Elements* e) {
    const uint64_t c0 = e->c0();
    for (uint64_t q = 0; q < s.nd_count; ++q) {
        for (uint64_t n = 0; n < s.n; ++n) {
            for (uint64_t d = 0; d < (s.d + c0 - 1) / c0 * c0; ++d) {
                const uint64_t to = q * s.dst_nd_stride + (d / c0 * s.dst_c0_stride + n * s.dst_n_stride) * c0 + d % c0;
                if (operand == 0) e->Add(to);
                if (operand == 1 && d < s.d) e->Add(q * s.src_nd_stride + n * s.src_d + d);
            }
        }
    }
}

inline void TouchShape(const Record&, const Dn2Nz& s, int operand, Elements* e) {
    const uint64_t c0 = e->c0();
    for (uint64_t q = 0; q < s.dn_count; ++q) {
        for (uint64_t n = 0; n < s.n; ++n) {
            for (uint64_t d = 0; d < (s.d + c0 - 1) / c0 * c0; ++d) {
                const uint64_t to = q * s.dst_dn_stride + (d / c0 * s.dst_c0_stride + n * s.dst_n_stride) * c0 + d % c0;
                if (operand == 0) e->Add(to);
                if (operand == 1 && d < s.d) e->Add(q * s.src_dn_stride + d * s.src_d + n);
            }
        }
    }
}

// Place by place of the padded box, counted as one number.
inline void TouchShape(const Record&, const NdDma& s, int operand, Elements* e) {
    uint64_t places = 1;
    for (uint32_t i = 0; i < s.count; ++i) places *= s.loops[i].before + s.loops[i].size + s.loops[i].behind;
    for (uint64_t place = 0; place < places; ++place) {
        uint64_t rest = place, to = 0, from = 0;
        bool inside = true;
        for (uint32_t i = 0; i < s.count; ++i) {
            const NdDma::Loop& loop = s.loops[i];
            const uint64_t in_loop = uint64_t{loop.before} + loop.size + loop.behind, at = rest % in_loop;
            rest /= in_loop;
            to += at * loop.dst_stride;
            inside = inside && at >= loop.before && at < uint64_t{loop.before} + loop.size;
            if (inside) from += (at - loop.before) * loop.src_stride;
        }
        if (operand == 0) e->Add(to);
        if (operand == 1 && inside) e->Add(from);
    }
}

inline void TouchShape(const Record&, const Nz2Nd& s, int operand, Elements* e) {
    for (uint64_t q = 0; q < s.nd_count; ++q) {
        for (uint64_t n = 0; n < s.n; ++n) {
            for (uint64_t d = 0; d < s.d; ++d) {
                e->Add(operand == 0 ? q * s.dst_nd_stride + n * s.dst_d_stride + d
                                    : q * s.src_nd_stride * 256 + d / 16 * s.src_n_stride * 16 + n * 16 + d % 16);
            }
        }
    }
}

inline void TouchShape(const Record& r, const BlockFill& s, int, Elements* e) {
    const uint64_t unit = r.dst().memory == Memory::kL1 ? 32 : 512;
    for (uint64_t i = 0; i < s.repeats; ++i) e->AddBytes(i * (s.blocks + s.dst_gap) * unit, s.blocks * unit);
}

// These are touched.h's.
inline void TouchShape(const Record&, const Elementwise&, int, Elements*) {}
inline void TouchShape(const Record&, const Blocks&, int, Elements*) {}
inline void TouchShape(const Record&, const ScalarStore&, int, Elements*) {}
inline void TouchShape(const Record&, const Flag&, int, Elements*) {}
inline void TouchShape(const Record&, const Barrier&, int, Elements*) {}
inline void TouchShape(const Record&, const CrossFlag&, int, Elements*) {}
inline void TouchShape(const Record& r, const VectorFunction& function, int operand, Elements* e) {
    const VectorFunction::Runs& runs = operand == 0 ? function.written : function.read;
    const uint64_t start = r.operand[static_cast<size_t>(operand)].offset;
    for (uint32_t i = 0; i < runs.count; ++i)
        e->AddBytes(runs.runs[i].begin - start, runs.runs[i].end - runs.runs[i].begin);
}

// The forms of touched_lanes.h.
template <class Shape>
requires requires(const Record& r, const Shape& s) {
    TouchLanes(r, s, 0, [](uint64_t, uint64_t) {});
}
void TouchShape(const Record& r, const Shape& s, int operand, Elements* e) {
    TouchLanes(r, s, operand, [&](uint64_t at, uint64_t bytes) { e->AddBytes(at, bytes); });
}

// Bytes of one operand of a record with a shape.
inline Bytes TouchedByShape(const Record& r, int operand) {
    Elements e(r.operand[static_cast<size_t>(operand)]);
    VisitForm(r, [&](const auto& shape) { TouchShape(r, shape, operand, &e); });
    return e.Take();
}

// A random record of one of the forms with a shape; small, so that enumeration stays quick.
inline Record RandomShaped(RandomRecords& random) {
    using T = DataType;
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random.Below(n)); };
    const auto to = [&](uint32_t n) { return 1 + below(n); };
    Record r;
    r.Become(static_cast<Opcode>(static_cast<int>(Opcode::nd2nz) + below(13)));
    const auto operands = [&](std::initializer_list<std::pair<Memory, T>> list) {
        for (const auto& [memory, type] : list) {
            Operand& o = r.operand[r.operand_count++];
            o.memory = memory;
            o.type = type;
            o.offset = memory == Memory::kGm ? below(40) * 4 : below(3) * 1024;
            o.limit = 1 << 20;
        }
    };
    const Memory l0 = random.Pick({Memory::kL0A, Memory::kL0B});
    const T any = random.Pick({T::kHalf, T::kHalf, T::kInt8, T::kFloat, T::kBfloat16});
    const T cube = random.Pick({T::kHalf, T::kInt8, T::kFloat, T::kInt4});
    const FeatureMap map{to(9),
                         to(9),
                         static_cast<uint8_t>(below(3)),
                         static_cast<uint8_t>(below(3)),
                         static_cast<uint8_t>(below(3)),
                         static_cast<uint8_t>(below(3))};
    const Filter filter{to(3), to(3), to(3), to(3), to(2), to(2)};
    switch (Info(r.op).form) {
        case Form::kNd2Nz:
            operands({{Memory::kL1, any}, {Memory::kGm, any}});
            r.Set(Nd2Nz{to(3), to(20), to(40), below(200), to(50), to(20), to(3), below(30) * 16});
            break;
        case Form::kDn2Nz:
            operands({{Memory::kL1, any}, {Memory::kGm, any}});
            r.Set(Dn2Nz{to(3), to(20), to(40), below(200), to(50), to(20), to(3), below(30) * 16});
            break;
        case Form::kNdDma: {
            operands({{Memory::kUb, any}, {Memory::kGm, any}});
            NdDma s;
            s.count = to(5);
            s.nearest = below(2) != 0;
            uint32_t reach = 1;
            for (uint32_t i = 0; i < s.count; ++i) {
                const auto pad = [&] { return static_cast<uint16_t>(below(3) ? 0 : below(3)); };
                s.loops[i] = {below(20), below(8) ? reach : below(9), to(4), pad(), pad()};
                reach *= static_cast<uint32_t>(s.loops[i].places());
            }
            r.Set(s);
            break;
        }
        case Form::kNz2Nd:
            operands({{Memory::kGm, any}, {Memory::kUb, any}});
            r.Set(Nz2Nd{to(3), to(20), to(3) * 16 - (below(4) ? 0 : 3), to(3), below(30), to(60), to(900)});
            break;
        case Form::kMatrixMove: {
            const T from = random.Pick({T::kFloat, T::kInt32, T::kHalf});
            const T result = random.Pick({from, T::kHalf, T::kInt8});
            const bool broadcast = r.op == Opcode::broadcast_ub_to_l0c;
            if (!broadcast && below(4))
                operands({{Memory::kUb, result}, {Memory::kL0C, from}});
            else
                operands({{Memory::kL0C, from}, {Memory::kUb, from}});
            MatrixMove s{static_cast<MatrixMove::Block>(below(2)), to(3), to(4), below(3), below(5)};
            if (broadcast) s.block = MatrixMove::Block::kBroadcast;
            s.deq = static_cast<MatrixMove::Deq>(below(7));
            s.sid_store_mode = static_cast<uint8_t>(below(3));
            s.word = below(2) ? 0x3F800000 : below(64) * 32;
            r.Set(s);
            break;
        }
        case Form::kBlockFill:
            operands({{random.Pick({Memory::kL1, Memory::kL0A, Memory::kL0B}), any}});
            r.Set(BlockFill{to(5), to(4), below(4)});
            break;
        case Form::kLoad2D: {
            const bool gm = below(4) == 0;
            operands({{gm && below(2) ? Memory::kL1 : l0, cube}, {gm ? Memory::kGm : Memory::kL1, cube}});
            r.Set(Load2D{below(8), to(6), below(3), below(3), below(4) == 0, below(4) == 0});
            break;
        }
        case Form::kLoadTransposed:
            operands({{l0, cube}, {Memory::kL1, cube}});
            r.Set(LoadTransposed{below(8), to(6), below(3), below(3), below(3), below(4) == 0});
            break;
        case Form::kLoad3Dv1: {
            const T type = random.Pick({T::kHalf, T::kInt8});
            operands({{l0, type}, {Memory::kL1, type}});
            Load3Dv1 s;
            s.map = map;
            s.filter = filter;
            s.c1_index = below(3);
            s.fetch_w = below(filter.width);
            s.fetch_h = below(filter.height);
            s.left_top_w = static_cast<int32_t>(below(12)) - 4;
            s.left_top_h = static_cast<int32_t>(below(12)) - 4;
            s.jump_stride = to(3);
            s.repeat_mode = below(2);
            s.repeats = to(12);
            s.small_channels = below(4) == 0;
            r.Set(s);
            break;
        }
        case Form::kLoad3Dv2: {
            operands({{l0, cube}, {Memory::kL1, cube}});
            const uint32_t c0 = 256 / BitsOf(cube), least = BitsOf(cube) == 4 ? 8 : 4;
            Load3Dv2 s;
            s.map = map;
            s.filter = filter;
            s.map.height += filter.height * filter.dilation_h;
            s.map.width += filter.width * filter.dilation_w;
            s.channels = below(3) * c0 + (below(2) ? least : c0);
            s.k_start = below(3) * c0;
            s.m_start = below(30);
            s.k_extension = to(4) * c0;
            s.m_extension = to(3) * 16 - (below(4) ? 0 : 3);
            s.transpose = below(2) && BitsOf(cube) >= 16;
            if (below(4) == 0) s.repeats = to(3), s.repeat_stride = below(3), s.repeat_mode = below(2);
            r.Set(s);
            break;
        }
        case Form::kMatmul: {
            const T result = IsFloating(cube) ? T::kFloat : T::kInt32;
            operands({{Memory::kL0C, result}, {Memory::kL0A, cube}, {Memory::kL0B, cube}});
            Matmul s;
            s.m = to(40);
            s.n = to(40);
            s.k = to(80) * (BitsOf(cube) == 4 ? 2 : 1);
            s.initial = static_cast<Matmul::Initial>(below(3));
            if (s.initial == Matmul::Initial::kBias) operands({{random.Pick({Memory::kBt, Memory::kL0C}), result}});
            s.k_direction_align = below(4) == 0;
            if (below(4) == 0) s.m = 1, s.vector_a = true;
            r.Set(s);
            break;
        }
        default: {
            const T from = random.Pick({T::kFloat, T::kInt32});
            const T result = random.Pick({from, T::kHalf, T::kInt8, T::kUint8});
            operands({{below(4) ? Memory::kGm : Memory::kL1, result}, {Memory::kL0C, from}});
            Fixpipe s;
            s.row_major = below(2);
            s.n = s.row_major ? to(70) : to(5) * 16;
            s.m = to(20);
            s.src_stride = below(3) * 16;
            s.dst_stride = s.row_major ? to(100) : to(40);
            s.channel_split = result == T::kFloat && below(3) == 0;
            s.quant = static_cast<Quant>(below(static_cast<uint32_t>(Quant::kCount)));
            if (IsVectorQuant(s.quant)) operands({{Memory::kL1, T::kUint64}});
            s.word = 0x3F800000 + (uint64_t{below(2)} << 46);
            s.nd_count = to(3);
            s.src_nd_stride = below(4);
            s.dst_nd_stride = below(3000);
            r.Set(s);
            break;
        }
    }
    return r;
}

}  // namespace sfumato::isa
