// SPDX-License-Identifier: Apache-2.0
// Undefined bits through the cube unit: Mmad by rows and columns, and what leaves L0C, element by element.
#include <algorithm>
#include <cstring>
#include <vector>

#include "isa/spans.h"
#include "sanitize/init_flow.h"

namespace sfumato::sanitize {
namespace {

using isa::Memory;
using isa::Record;

// Where row `row` of A, or column `row` of B, has something undefined among its k elements (cube.md 4).
struct Rows {
    const uint8_t* shadow;
    DataType type;
    uint64_t k, across, along;  // fractals from 16 rows to the next, and from C0 elements of k to the next

    bool Any(uint64_t row) const {
        const uint64_t c0 = isa::C0Of(type), first = row / isa::kFractalRows * across;
        for (uint64_t at = 0; at < k; at += c0) {
            const uint8_t* piece =
                shadow + (first + at / c0 * along) * isa::kFractalBytes + row % isa::kFractalRows * isa::kBlockBytes;
            const uint64_t bytes = BytesOf(type, std::min(c0, k - at));
            if (std::any_of(piece, piece + bytes, [](uint8_t byte) { return byte != 0; })) return true;
        }
        return false;
    }
    // k elements in a row, as a chip reads A of one row.
    bool AnyPacked() const {
        return std::any_of(shadow, shadow + BytesOf(type, k), [](uint8_t byte) { return byte != 0; });
    }
};

bool BiasUndefined(const Flow& flow, uint64_t j) {
    const isa::Operand& bias = flow.record.operand[3];
    const bool row = bias.memory != Memory::kL0C;  // else the first row of each fractal
    const uint64_t at = row ? j : j / isa::kL0CColumns * isa::kL0CFractal + j % isa::kL0CColumns;
    return AnyUndefined(flow.Bits(3), at * BitsOf(bias.type), BitsOf(bias.type));
}

// Element (m, n) of the matrix that leaves L0C, in bytes from dst (cube.md 5.1).
uint64_t FixpipeAt(const isa::Fixpipe& s, DataType type, uint64_t matrix, uint64_t m, uint64_t n) {
    if (s.row_major) return BytesOf(type, matrix * s.dst_nd_stride + m * s.dst_stride + n);
    const bool bytes = BitsOf(type) == 8;
    const uint64_t width = s.channel_split ? isa::C0Of(type) : bytes ? 2 * isa::kL0CColumns : isa::kL0CColumns;
    const bool odd = bytes && isa::CeilDiv(s.n, isa::kL0CColumns) % 2 == 1 && s.n - n / width * width < width;
    const uint64_t row = odd ? isa::kL0CColumns : width;
    return n / width * s.dst_stride * isa::kBlockBytes + BytesOf(type, m * row + n % width);
}

}  // namespace

void Flows(const Flow& flow, const isa::Matmul& s) {
    const Record& r = flow.record;
    if (s.m == 0 || s.n == 0 || s.k == 0) return;
    const uint64_t k1 = isa::CeilDiv(s.k, isa::C0Of(r.src0().type)), n1 = isa::CeilDiv(s.n, isa::kL0CColumns);
    const uint64_t m1 = isa::CeilDiv(s.m, isa::kFractalRows), size = BytesOf(r.dst().type, 1);
    const bool aligned = s.k_direction_align && BitsOf(r.src0().type) == 32;
    const Rows a{flow.Bits(1), r.src0().type, s.k, aligned ? 2 * isa::CeilDiv(s.k, isa::kFractalRows) : k1, 1};
    const Rows b{flow.Bits(2), r.src1().type, s.k, 1, n1};
    // The rest of the last fractals, beyond m and n, is nobody's (cube.md 4).
    std::vector<uint8_t> columns(n1 * isa::kL0CColumns * size, 0xFF);
    for (uint64_t j = 0; j < s.n; ++j) {
        const bool undefined =
            !flow.defined && (b.Any(j) || (s.initial == isa::Matmul::Initial::kBias && BiasUndefined(flow, j)));
        std::memset(columns.data() + j * size, undefined ? 0xFF : 0, size);
    }
    const bool vector = !flow.defined && s.vector_a && Rows{flow.Bits(1), r.src0().type, s.k, 0, 0}.AnyPacked();
    const uint64_t line = isa::kL0CColumns * size;
    for (uint64_t i = 0; i < m1 * isa::kFractalRows; ++i) {
        const bool undefined = i >= s.m || vector || (!flow.defined && !s.vector_a && a.Any(i));
        for (uint64_t block = 0; block < n1; ++block) {
            uint8_t* c = flow.Bits(0) + (block * m1 * isa::kFractalRows + i) * line;
            const uint8_t* column = columns.data() + block * line;
            if (undefined) {
                std::memset(c, 0xFF, line);
            } else if (s.initial != isa::Matmul::Initial::kAccumulate || flow.defined) {
                std::memcpy(c, column, line);
            } else {
                for (uint64_t k = 0; k < line; ++k) c[k] = c[k] | column[k];
            }
        }
    }
}

void Flows(const Flow& flow, const isa::Fixpipe& s) {
    const Record& r = flow.record;
    const DataType from = r.src0().type, to = r.dst().type;
    const auto each = [&](const auto& visit) {
        for (uint64_t matrix = 0; matrix < (s.row_major ? s.nd_count : 1); ++matrix) {
            for (uint64_t m = 0; m < s.m; ++m) {
                for (uint64_t n = 0; n < s.n; ++n) visit(matrix, m, n, flow.Bits(0) + FixpipeAt(s, to, matrix, m, n));
            }
        }
    };
    // Rows may lie over each other, in no order that a page gives: any may be the last.
    each([&](uint64_t, uint64_t, uint64_t, uint8_t* dst) { SetUndefined(dst, 0, BitsOf(to), false); });
    each([&](uint64_t matrix, uint64_t m, uint64_t n, uint8_t* dst) {
        const uint64_t at = matrix * s.src_nd_stride * isa::kL0CFractal +
                            n / isa::kL0CColumns * s.src_stride * isa::kL0CColumns + m * isa::kL0CColumns +
                            n % isa::kL0CColumns;
        const bool word = r.operand_count == 3 &&
                          AnyUndefined(flow.Bits(2), n * BitsOf(r.operand[2].type), BitsOf(r.operand[2].type));
        if (word || AnyUndefined(flow.Bits(1), at * BitsOf(from), BitsOf(from))) SetUndefined(dst, 0, BitsOf(to), true);
    });
}

void Flows(const Flow& flow, const isa::MatrixMove& s) {
    const Record& r = flow.record;
    const isa::Span words = WordsSpan(r);
    const uint8_t* word = flow.shadow.base[static_cast<int>(isa::Memory::kUb)] + words.begin;
    const uint32_t word_bits = s.deq == isa::MatrixMove::Deq::kVDeq ? 16 : 64;
    // Byte of element `column` of a row of 16 on one side.
    struct Side {
        uint64_t fractal, line, block, first;
        uint64_t At(uint64_t b, uint64_t i, uint64_t l) const { return b * block + i * fractal + l * line + first; }
    };
    const bool matrix = s.block == isa::MatrixMove::Block::kMatrix,
               broadcast = s.block == isa::MatrixMove::Block::kBroadcast;
    const uint64_t lines = matrix || broadcast ? isa::kFractalRows : 1;
    const auto side = [&](int operand) -> Side {
        const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
        const uint64_t gap = operand == 0 ? s.dst_gap : s.src_gap, row = BytesOf(o.type, isa::kL0CColumns);
        if (o.memory == isa::Memory::kL0C) {
            const uint64_t fractal = isa::kL0CColumns * row;
            return {fractal, row, (s.block_len + gap) * fractal, 0};
        }
        const bool halves = BitsOf(o.type) == 8 && s.sid_store_mode < 2;
        const uint64_t line = halves ? isa::kBlockBytes : row, fractal = line * (matrix ? isa::kFractalRows : 1);
        return {fractal, matrix ? line : 0, s.block_len * fractal + gap * isa::kBlockBytes,
                halves && s.sid_store_mode == 1 ? isa::kBlockBytes / 2 : 0};
    };
    const Side dst = side(0), src = side(1);
    const uint32_t to_bits = BitsOf(r.dst().type), from_bits = BitsOf(r.src0().type);
    for (uint64_t b = 0; b < s.block_count; ++b) {
        for (uint64_t i = 0; i < s.block_len; ++i) {
            for (uint64_t line = 0; line < lines; ++line) {
                for (uint64_t column = 0; column < isa::kL0CColumns; ++column) {
                    const bool scale = words.begin != words.end &&
                                       AnyUndefined(word, (b * isa::kL0CColumns + column) * word_bits, word_bits);
                    SetUndefined(
                        flow.Bits(0) + dst.At(b, i, line), column * to_bits, to_bits,
                        scale || AnyUndefined(flow.Bits(1) + src.At(b, i, line), column * from_bits, from_bits));
                }
            }
        }
    }
}

}  // namespace sfumato::sanitize
