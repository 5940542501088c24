// SPDX-License-Identifier: Apache-2.0
// Load3Dv2: a window of the matrix an image stands for, plain or transposed (cube.md 3.5).
#include <algorithm>
#include <cstring>

#include "exec/cube/image.h"
#include "sfumato/round_up.h"

namespace sfumato::exec {
namespace {

// Outputs of a convolution along one side of the map.
int64_t Outputs(int64_t size, int64_t taps, int64_t dilation, int64_t stride) {
    const int64_t steps = size - (taps - 1) * dilation - 1;
    return steps < 0 ? 0 : steps / stride + 1;
}

// The matrix: a row an output pixel, a column a channel under a tap.
struct Matrix {
    explicit Matrix(const isa::Record& record)
        : p(record.As<isa::Load3Dv2>()),
          type(record.src0().type),
          c0(8 * kRowBytes / BitsOf(type)),
          taps(uint64_t{p.filter.height} * p.filter.width),
          pixels(uint64_t{p.map.height} * p.map.width) {
        const isa::FeatureMap& map = p.map;
        width =
            Outputs(int64_t{map.width} + map.left + map.right, p.filter.width, p.filter.dilation_w, p.filter.stride_w);
        rows = width * Outputs(int64_t{map.height} + map.top + map.bottom, p.filter.height, p.filter.dilation_h,
                               p.filter.stride_h);
        columns = taps * p.channels;
        whole_blocks = p.channels / c0 * taps;
        tail_bytes = static_cast<uint32_t>(BytesOf(type, p.channels % c0));
        contiguous = taps == 1 && p.filter.stride_h == 1 && p.filter.stride_w == 1 &&
                     (map.left | map.right | map.top | map.bottom) == 0 && tail_bytes == 0 && p.boundary == 0;
    }

    const isa::Load3Dv2& p;
    DataType type;
    uint32_t c0;
    uint64_t taps, pixels;
    int64_t width, rows;  // outputs in an image row, and in all
    uint64_t columns;
    uint64_t whole_blocks;  // blocks of C0 columns before those of the last, narrower group of channels
    uint32_t tail_bytes;    // of a pixel in that group
    bool contiguous;        // rows of a block lie in the source one after the other
};

// Where blocks of the destination lie. Plain: blocks of 16 rows and of C0 columns. Transposed: of C0 rows and of 16
// columns, because a fractal holds 16 columns of the matrix as its rows.
struct Layout {
    Layout(const isa::Record& record, const Matrix& m) {
        const isa::Load3Dv2& p = m.p;
        const bool to_b = record.dst().memory == isa::Memory::kL0B;
        transposed = to_b || p.transpose;
        row_block = transposed ? m.c0 : kFractalRows;
        column_block = transposed ? kFractalRows : m.c0;
        const uint64_t padded_rows = RoundUpTo(p.m_extension, kFractalRows);
        rows = RoundUpTo(to_b ? p.m_extension : padded_rows, row_block);
        columns = RoundUpTo(p.k_extension, column_block);
        const uint64_t row_blocks = (padded_rows + row_block - 1) / row_block;
        const uint64_t column_blocks = columns / column_block;
        const bool along_rows = p.repeat_mode == 0;
        const uint64_t all_rows = row_blocks * (along_rows ? p.repeats : 1);
        const uint64_t all_columns = column_blocks * (along_rows ? 1 : p.repeats);
        const bool columns_outside = transposed && !to_b;
        row_pitch = kFractalBytes * (columns_outside ? 1 : all_columns);
        column_pitch = kFractalBytes * (columns_outside ? all_rows : 1);
        repeat_pitch = along_rows ? row_blocks * row_pitch : column_blocks * column_pitch;
        // The hardware masks the rest of the last fractal (cube.md 3.5).
        if (columns_outside && BitsOf(m.type) == 32) columns = p.k_extension;
    }

    bool transposed;
    uint64_t row_block, column_block;
    uint64_t rows, columns;  // written by one repeat
    uint64_t row_pitch, column_pitch, repeat_pitch;
};

// One repeat: the window from (m_start, k_start).
class Window {
public:
    Window(const isa::Record& record, const MemoryMap& memory, const Matrix& matrix, const Layout& layout)
        : record_(record),
          memory_(memory),
          m_(matrix),
          layout_(layout),
          pad_(PadOf(matrix.type, matrix.p.pad_value)),
          windows_(matrix.p.map) {}

    void Load(uint64_t m_start, uint64_t k_start, uint8_t* dst) {
        first_block_ = k_start / m_.c0;
        valid_columns_ = k_start < m_.columns ? std::min<uint64_t>(m_.p.k_extension, m_.columns - k_start) : 0;
        const uint64_t all = static_cast<uint64_t>(m_.rows);
        const uint64_t valid = m_start < all ? std::min<uint64_t>(m_.p.m_extension, all - m_start) : 0;
        const uint64_t blocks = (layout_.columns + m_.c0 - 1) / m_.c0;
        const uint64_t whole = std::min(blocks, m_.whole_blocks - std::min(m_.whole_blocks, first_block_));
        for (uint64_t at = 0; at < layout_.rows; at += Windows::kLimit) {
            rows_ = std::min(Windows::kLimit, layout_.rows - at);
            valid_rows_ = std::min(rows_, valid - std::min(valid, at));
            first_row_ = m_start + at;
            PlaceWindows();
            uint8_t* to = dst + at / layout_.row_block * layout_.row_pitch;
            // Blocks of one tap in a row: they see the same pixels.
            for (uint64_t tap = 0; tap < std::min(m_.taps, whole); ++tap) {
                for (uint64_t block = tap; block < whole; block += m_.taps) LoadBlock(block, to);
            }
            for (uint64_t block = whole; block < blocks; ++block) LoadBlock(block, to);
        }
    }

private:
    void PlaceWindows() {
        windows_.Clear();
        if (m_.contiguous || valid_rows_ == 0) return;
        const isa::Filter& filter = m_.p.filter;
        const int64_t row = static_cast<int64_t>(first_row_);
        const int64_t left = -int64_t{m_.p.map.left};
        int64_t h = row / m_.width * filter.stride_h - m_.p.map.top;
        int64_t column = row % m_.width;
        for (uint64_t rest = valid_rows_; rest > 0; h += filter.stride_h, column = 0) {
            const uint64_t count = std::min(rest, static_cast<uint64_t>(m_.width - column));
            windows_.AddRow(h, left + column * filter.stride_w, filter.stride_w, count);
            rest -= count;
        }
    }

    void LoadBlock(uint64_t block, uint8_t* dst) {
        if (!layout_.transposed) return Gather(block, dst + block * layout_.column_pitch, layout_.row_pitch);
        const uint32_t element_bytes = BitsOf(m_.type) / 8;
        const size_t square_bytes = m_.c0 * kRowBytes;
        Squares squares = {gathered_, static_cast<ptrdiff_t>(square_bytes), {}, layout_.row_pitch, rows_ / m_.c0};
        if (m_.contiguous && valid_rows_ == rows_ && ValidColumns(block) == m_.c0) {
            squares.src = ContiguousRows(block);
        } else {
            Gather(block, gathered_, kFractalBytes);
        }
        const uint64_t column = block * m_.c0;
        if (column + m_.c0 <= layout_.columns) {
            squares.dst[0] = dst + PlaceOf(column);
            squares.dst[1] = dst + PlaceOf(column + m_.c0 / 2);
            return TransposeSquares(element_bytes, squares);
        }
        // Part of a square stays unwritten.
        uint8_t whole[32 * kRowBytes];
        const size_t count = squares.count;
        squares.count = 1;
        squares.dst[0] = whole;
        squares.dst[1] = whole + square_bytes / 2;
        for (size_t i = 0; i < count; ++i, squares.src += squares.src_step, dst += squares.dst_step) {
            TransposeSquares(element_bytes, squares);
            for (uint64_t j = column; j < layout_.columns; ++j) {
                std::memcpy(dst + PlaceOf(j), whole + (j - column) * kRowBytes, kRowBytes);
            }
        }
    }

    // Bytes from a block of rows to the row of a transposed fractal that holds this column.
    uint64_t PlaceOf(uint64_t column) const {
        return column / kFractalRows * layout_.column_pitch + column % kFractalRows * kRowBytes;
    }

    // Columns of a block that are in the window and in the matrix.
    uint64_t ValidColumns(uint64_t block) const {
        const uint64_t column = block * m_.c0;
        return std::min<uint64_t>(m_.c0, valid_columns_ - std::min(valid_columns_, column));
    }

    // The rows at hand where they lie one after the other.
    const uint8_t* ContiguousRows(uint64_t block) const {
        return memory_.Address(record_.src0()) + ((first_block_ + block) * m_.pixels + first_row_) * kRowBytes;
    }

    // The group of channels a block reads.
    Plane PlaneAt(uint64_t block) const {
        const uint64_t number = first_block_ + block;
        const bool whole = number < m_.whole_blocks;
        const uint64_t c1 = whole ? number / m_.taps : m_.p.channels / m_.c0;
        return PlaneOf(record_, memory_, c1 * m_.pixels * kRowBytes, whole ? kRowBytes : m_.tail_bytes, m_.pixels,
                       m_.p.boundary);
    }

    // A block of C0 columns, all rows at hand, as rows of 32 bytes. What the matrix does not have is undefined.
    void Gather(uint64_t block, uint8_t* to, size_t fractal_pitch) {
        const uint64_t columns = ValidColumns(block);
        if (columns != 0 && valid_rows_ != 0) GatherPixels(block, to, fractal_pitch);
        const size_t valid_bytes = BytesOf(m_.type, columns);
        if (valid_rows_ == rows_ && valid_bytes == kRowBytes) return;
        for (uint64_t i = 0; i < rows_; ++i) {
            const size_t kept = i < valid_rows_ ? valid_bytes : 0;
            uint8_t* row = to + i / kFractalRows * fractal_pitch + i % kFractalRows * kRowBytes;
            std::memset(row + kept, kPoisonByte, kRowBytes - kept);
        }
    }

    void GatherPixels(uint64_t block, uint8_t* to, size_t fractal_pitch) {
        if (m_.contiguous) {
            const uint8_t* from = ContiguousRows(block);
            const size_t whole = valid_rows_ / kFractalRows;
            CopyFractals(from, kFractalBytes, to, fractal_pitch, whole);
            std::memcpy(to + whole * fractal_pitch, from + whole * kFractalBytes,
                        valid_rows_ % kFractalRows * kRowBytes);
            return;
        }
        const uint64_t number = first_block_ + block;
        const Plane plane = PlaneAt(block);
        // Narrow pixels: a row of the block holds several taps.
        const uint64_t taps_per_row = kRowBytes / plane.unit;
        const uint64_t first = number < m_.whole_blocks ? number % m_.taps : (number - m_.whole_blocks) * taps_per_row;
        const uint64_t end = std::min(m_.taps, first + taps_per_row);
        for (uint64_t tap = first; tap < end; ++tap, to += plane.unit) {
            CopyPixels(plane, PixelsUnder(static_cast<uint32_t>(tap)), valid_rows_, pad_, to, fractal_pitch);
        }
    }

    const uint32_t* PixelsUnder(uint32_t tap) {
        const isa::Filter& filter = m_.p.filter;
        return windows_.Pixels(tap / filter.width * filter.dilation_h, tap % filter.width * filter.dilation_w);
    }

    const isa::Record& record_;
    const MemoryMap& memory_;
    const Matrix& m_;
    const Layout& layout_;
    const Pad pad_;
    uint64_t first_block_ = 0, valid_columns_ = 0;
    // The rows at hand.
    uint64_t first_row_ = 0, rows_ = 0, valid_rows_ = 0;
    Windows windows_;
    uint8_t gathered_[Windows::kLimit * kRowBytes];
};

}  // namespace

bool Execute(const isa::Record& record, const isa::Load3Dv2&, const MemoryMap& memory) {
    const Matrix matrix(record);
    const isa::Load3Dv2& p = matrix.p;
    if (matrix.pixels == 0 || matrix.columns == 0 || p.m_extension == 0 || p.k_extension == 0) return false;
    const Layout layout(record, matrix);
    Window window(record, memory, matrix, layout);
    uint8_t* dst = memory.Address(record.dst());
    const uint64_t m_step = p.repeat_mode == 0 ? uint64_t{p.repeat_stride} * kFractalRows : 0;
    const uint64_t k_step = p.repeat_mode == 0 ? 0 : uint64_t{p.repeat_stride} * matrix.c0;
    for (uint32_t r = 0; r < p.repeats; ++r, dst += layout.repeat_pitch) {
        window.Load(p.m_start + r * m_step, p.k_start + r * k_step, dst);
    }
    return false;
}

}  // namespace sfumato::exec
