// SPDX-License-Identifier: Apache-2.0
// The m x n results of an Mmad, without the rest of their fractals, and where their factors lie (cube.md 2, 4).
#pragma once

#include <algorithm>

#include "isa/spans.h"
#include "sanitize/numbers_results.h"

namespace sfumato::sanitize {

// Row i of A, or column i of B: the byte offset of its element k, from the operand's start.
inline uint64_t FactorAt(const isa::Record& r, const isa::Matmul& s, int operand, uint64_t i, uint64_t k) {
    const DataType t = r.operand[static_cast<size_t>(operand)].type;
    if (operand == 1 && s.vector_a) return BytesOf(t, k);
    const uint64_t c0 = isa::C0Of(t), across = isa::CeilDiv(s.k, c0), block = i / isa::kFractalRows;
    const bool aligned = operand == 1 && s.k_direction_align && BitsOf(t) == 32;
    const uint64_t pitch = aligned ? 2 * isa::CeilDiv(s.k, isa::kFractalRows) : across;
    const uint64_t fractal =
        operand == 1 ? block * pitch + k / c0 : k / c0 * isa::CeilDiv(s.n, isa::kL0CColumns) + block;
    return fractal * isa::kFractalBytes + i % isa::kFractalRows * isa::kBlockBytes + k % c0 * BitsOf(t) / 8;
}

struct Product {
    uint64_t row, column;
    uint64_t offset;  // bytes, in the memory of C
};

// Bytes from the start of C to a block of 16 columns, whose rows lie together.
inline uint64_t ColumnsAt(const isa::Record& r, const isa::Matmul& s, uint64_t block) {
    return BytesOf(r.dst().type, block * RoundUpTo(s.m, isa::kFractalRows) * isa::kL0CColumns);
}

template <class Visit>
void ForEachProduct(const isa::Record& r, const Visit& visit) {
    const auto& s = r.As<isa::Matmul>();
    if (s.k == 0) return;
    for (uint64_t first = 0; first < s.n; first += isa::kL0CColumns) {
        const uint64_t start = r.dst().offset + ColumnsAt(r, s, first / isa::kL0CColumns);
        for (uint64_t row = 0; row < s.m; ++row) {
            for (uint64_t column = first; column < std::min<uint64_t>(s.n, first + isa::kL0CColumns); ++column)
                visit(Product{row, column,
                              start + BytesOf(r.dst().type, row * isa::kL0CColumns + column % isa::kL0CColumns)});
        }
    }
}

template <class Visit>
void ForEachProductRun(const isa::Record& r, const Visit& visit) {
    const auto& s = r.As<isa::Matmul>();
    const uint64_t whole_row = BytesOf(r.dst().type, isa::kL0CColumns);
    for (uint64_t first = 0; first < s.n && s.m != 0 && s.k != 0; first += isa::kL0CColumns) {
        const uint64_t at = r.dst().offset + ColumnsAt(r, s, first / isa::kL0CColumns);
        const uint64_t columns = std::min<uint64_t>(isa::kL0CColumns, s.n - first);
        if (columns == isa::kL0CColumns) {
            visit(isa::Span{at, at + s.m * whole_row});
            continue;
        }
        for (uint64_t row = 0; row < s.m; ++row)
            visit(isa::Span{at + row * whole_row, at + row * whole_row + BytesOf(r.dst().type, columns)});
    }
}

// What a result begins with: the old C, or the bias.
inline void AddInitial(const isa::Record& r, const Before& before, const Product& at, Sources* sources) {
    const auto& s = r.As<isa::Matmul>();
    if (s.initial == isa::Matmul::Initial::kAccumulate) sources->Add(0, r.dst().type, before.Bits(r, 0, at.offset));
    if (s.initial != isa::Matmul::Initial::kBias) return;
    const isa::Operand& bias = r.operand[3];
    const uint64_t element = bias.memory == isa::Memory::kL0C
                                 ? at.column / isa::kL0CColumns * isa::kL0CFractal + at.column % isa::kL0CColumns
                                 : at.column;
    sources->Add(3, bias.type, before.Bits(r, 3, bias.offset + BytesOf(bias.type, element)));
}

}  // namespace sfumato::sanitize
