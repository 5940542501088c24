// SPDX-License-Identifier: Apache-2.0
// Mmad (cube.md 4).
#include "isa/parts.h"

namespace sfumato::isa {
namespace {

// A Zz and B Zn: rows of 32 bytes, `rows` of them in the last of the `fractals` fractals, and the elements of k there.
uint64_t MatrixEnd(uint64_t fractals, uint64_t rows, uint64_t k, DataType t) {
    return (fractals - 1) * kFractalBytes + ((rows - 1) % kFractalRows) * kBlockBytes +
           BytesOf(t, (k - 1) % C0Of(t) + 1);
}

// A row of a matrix in fractals of 16 rows: `k` elements of it, C0 in each fractal; pitch is from fractal to fractal.
void AddFractalRow(DataType t, uint64_t fractal, uint64_t pitch, uint64_t row, uint64_t k, Runs& runs) {
    const uint64_t c0 = C0Of(t);
    for (uint64_t first = 0; first < k; first += c0, fractal += pitch) {
        runs.Add(fractal * kFractalBytes + row * kBlockBytes, BytesOf(t, std::min(c0, k - first)));
    }
}

}  // namespace

Span SpanIn(const Record& r, const Matmul& s, int operand) {
    const Operand& o = OperandOf(r, operand);
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

void PrintIn(Out out, const Record&, const Matmul& s) {
    constexpr const char* kInitial[] = {"zero", "accumulate", "bias"};
    constexpr const char* kHf32[] = {"", " hf32=even", " hf32=away"};
    const std::string order = s.order == Accumulation() ? "" : " order=" + NameOf(s.order);
    fmt::format_to(out, " m={} n={} k={} init={}{}{}{}{}", s.m, s.n, s.k, kInitial[static_cast<int>(s.initial)],
                   kHf32[static_cast<int>(s.hf32)], order, s.k_direction_align ? " kalign" : "",
                   s.vector_a ? " gemv" : "");
    if (s.unit_flag) fmt::format_to(out, " unitflag={}", s.unit_flag);
}

}  // namespace sfumato::isa
