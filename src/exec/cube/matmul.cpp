// SPDX-License-Identifier: Apache-2.0
// Mmad (cube.md 4): what a call reads, the order of its sums, and C in L0C.
#include "exec/cube/matmul.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "exec/cube/accumulate.h"
#include "exec/cube/cube.h"
#include "isa/units.h"

namespace sfumato::exec {
namespace {

using isa::CeilDiv, isa::Matmul;

constexpr uint32_t kFractalBytes = 512;

// The panels of A and B, the bias row and a C of halves, one behind the other. All are whole groups of 64 bytes.
struct Workspace {
    uint32_t *a, *b, *bias, *c;

    Workspace(isa::Scratch& scratch, size_t a_units, size_t b_units, size_t bias_units, size_t c_units) {
        const size_t units = a_units + b_units + bias_units + c_units;
        a = reinterpret_cast<uint32_t*>(scratch.Bytes(units * sizeof(uint32_t)));
        b = a + a_units;
        bias = b + b_units;
        c = bias + bias_units;
    }
};

bool IsInteger(DataType t) { return !IsFloating(t); }

Arithmetic ArithmeticOf(const isa::Record& record) {
    if (record.dst().type == DataType::kUint32) return Arithmetic::kUint32;
    if (IsInteger(record.dst().type)) return Arithmetic::kInt32;
    // 11-bit significands and exponents of half: no product leaves float's normal range.
    const bool half = record.src0().type == DataType::kHalf && record.src1().type == DataType::kHalf;
    return half ? Arithmetic::kExactProducts : Arithmetic::kFloat;
}

MatrixA PlaceOfA(const isa::Record& record, const Matmul& shape, const MemoryMap& memory, size_t runs) {
    MatrixA a{memory.Address(record.src0()), runs * kFractalBytes, kFractalBytes};
    if (shape.k_direction_align) a.row_block_pitch = 2 * CeilDiv(shape.k, 16) * kFractalBytes;
    if (shape.vector_a) a.run_pitch = kRunBytes;
    return a;
}

// n entries as 4-byte units, up to a whole column block. L0C: element n of row 0 of consecutive fractals, which is what
// a copy of first rows (BLOCK_MODE_VECTOR, cube.md 5.4) leaves there.
void ReadBias(const isa::Operand& operand, const MemoryMap& memory, size_t n, uint32_t* bias) {
    const size_t blocks = CeilDiv(n, kGroup);
    std::memset(bias, 0, blocks * kGroup * sizeof(uint32_t));
    const uint8_t* from = memory.Address(operand);
    const size_t bytes = BitsOf(operand.type) / 8;
    const size_t pitch = (operand.memory == isa::Memory::kL0C ? kGroup * kGroup : kGroup) * bytes;
    for (size_t i = 0; i < blocks; ++i, from += pitch) {
        const size_t columns = std::min(kGroup, n - i * kGroup);
        uint32_t* to = bias + i * kGroup;
        if (operand.type == DataType::kHalf) {
            Convert({.src = DataType::kHalf, .dst = DataType::kFloat}, from, to, columns);
        } else {
            std::memcpy(to, from, columns * bytes);
        }
    }
}

// By a way of the family that has no fast kernel.
bool MultiplySlowly(const Product& p, RowBlocks rows, const isa::Accumulation& way, size_t k0) {
    SlowSum sum(way, k0, p.saturate);
    std::vector<float> row_of_a(p.units);
    for (size_t block = 0; block < rows.Count(); ++block) {
        const size_t start = rows.Start(block), count = rows.Rows(block);
        const auto* a = reinterpret_cast<const float*>(p.panels.RowsOfA(start));
        for (size_t row = 0; row < count; ++row) {
            for (size_t k = 0; k < p.units; ++k) row_of_a[k] = a[(k / kGroup * count + row) * kGroup + k % kGroup];
            for (size_t n = 0; n < p.n; ++n) {
                const size_t column_block = n / kGroup;
                const auto* b = reinterpret_cast<const float*>(p.panels.ColumnsOfB(column_block)) + n % kGroup;
                const uint32_t* initial =
                    p.initial + column_block * p.initial_block_pitch + (start + row) * p.initial_row_pitch + n % kGroup;
                float c;
                std::memcpy(&c, initial, sizeof(c));
                c = sum.Add(p.units, row_of_a.data(), b, kGroup, c);
                uint32_t bits = 0x7FC00000;  // every NaN result
                if (c == c) std::memcpy(&bits, &c, sizeof(bits));
                p.c[column_block * p.c_pitch + (start + row) * kGroup + n % kGroup] = bits;
            }
        }
    }
    return sum.saturated();
}

// A C of halves is held as floats while the call lasts: [column block][row][16].
void WidenC(const uint8_t* c, size_t pitch, size_t m, size_t blocks, uint32_t* to) {
    for (size_t i = 0; i < blocks; ++i) {
        Convert({.src = DataType::kHalf, .dst = DataType::kFloat}, c + i * pitch, to + i * m * kGroup, m * kGroup);
    }
}

bool NarrowC(const uint32_t* from, size_t m, size_t n, Overflow overflow, uint8_t* c, size_t pitch) {
    const Conversion conversion{
        .src = DataType::kFloat, .dst = DataType::kHalf, .rounding = Rounding::kRint, .overflow = overflow};
    bool changed = false;
    for (size_t i = 0; i < n / kGroup; ++i) {
        changed |= Convert(conversion, from + i * m * kGroup, c + i * pitch, m * kGroup);
    }
    if (n % kGroup == 0) return changed;
    from += n / kGroup * m * kGroup;
    c += n / kGroup * pitch;
    for (size_t row = 0; row < m; ++row) {
        changed |= Convert(conversion, from + row * kGroup, c + row * kGroup * 2, n % kGroup);
    }
    return changed;
}

// Whether a run among consecutive ones has an element of poison in its first `used` bytes; elements of 2 or 4 bytes.
bool HasUndefined(const uint8_t* runs, size_t count, size_t used, size_t element) {
    constexpr size_t kWords = kRunBytes / 8;
    uint64_t past[kWords] = {};
    if (used < kRunBytes) std::memset(reinterpret_cast<uint8_t*>(past) + used, 0xFF, kRunBytes - used);
    const uint64_t ones = element == 2 ? 0x0001'0001'0001'0001 : 0x0000'0001'0000'0001;
    const uint64_t tops = ones << (8 * element - 1);
    uint64_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < kWords; ++k) {
            uint64_t word;
            std::memcpy(&word, runs + i * kRunBytes + k * 8, 8);
            const uint64_t rest = (word ^ 0x0101010101010101u * kPoisonByte) | past[k];
            found |= (rest - ones) & ~rest & tops;  // not 0: a lane of rest is 0
        }
    }
    return found != 0;
}

// True when the product reads an element nobody has defined, such as the rows a feature map does not have: what
// overflows there says nothing about the kernel's data.
bool ReadsUndefined(const isa::Record& record, const Matmul& shape, const MatrixA& a, const uint8_t* b,
                    size_t column_blocks) {
    const size_t bytes = BitsOf(record.src0().type) / 8, line = shape.k * bytes;
    for (size_t run = 0; run * kRunBytes < line; ++run) {
        const size_t used = line - run * kRunBytes;
        const auto meets = [&](const uint8_t* fractal, size_t lines, size_t first) {
            return HasUndefined(fractal, std::min(kGroup, lines - first), used, bytes);
        };
        for (size_t m = 0; m < shape.m; m += kGroup) {
            if (meets(a.first + m / kGroup * a.row_block_pitch + run * a.run_pitch, shape.m, m)) return true;
        }
        for (size_t n = 0; n < shape.n; n += kGroup) {
            if (meets(b + (run * column_blocks + n / kGroup) * kFractalBytes, shape.n, n)) return true;
        }
    }
    return false;
}

}  // namespace

bool Execute(const isa::Record& record, const isa::Matmul& shape, const MemoryMap& memory) {
    static constexpr uint32_t kZeros[kGroup] = {};
    if (shape.m == 0 || shape.n == 0 || shape.k == 0) return false;
    const MatmulKernels& kernels = Matmuls();

    const DataType type = record.src0().type;
    const size_t k0 = kRunBytes * 8 / BitsOf(type);
    const size_t units = IsInteger(type) ? CeilDiv(shape.k, 2) : shape.k;
    const size_t runs = CeilDiv(shape.k, k0);
    const size_t groups = CeilDiv(units, kGroup);
    const size_t column_blocks = CeilDiv(shape.n, kGroup);
    const RowBlocks rows{shape.m, kernels.max_rows};
    const bool half = record.dst().type == DataType::kHalf, bias = shape.initial == Matmul::Initial::kBias;
    isa::Scratch own;
    const Workspace workspace(memory.scratch ? *memory.scratch : own, shape.m * groups * kGroup,
                              column_blocks * groups * kGroup * kGroup, bias ? column_blocks * kGroup : 0,
                              half ? column_blocks * shape.m * kGroup : 0);
    const Panels panels{workspace.a, workspace.b, groups};
    const MatrixA a = PlaceOfA(record, shape, memory, runs);
    const uint8_t* b = memory.Address(record.src1());
    kernels.pack_a(type, shape.hf32, a, runs, rows, panels);
    kernels.pack_b(record.src1().type, shape.hf32, b, runs, column_blocks, panels);
    if (IsInteger(type) && shape.k % 2 != 0) {
        // The last unit's upper half is past k; zero in A is enough.
        for (size_t block = 0; block < rows.Count(); ++block) {
            const size_t count = rows.Rows(block);
            uint32_t* last = panels.a + (rows.Start(block) * groups + (groups - 1) * count) * kGroup;
            for (size_t row = 0; row < count; ++row) last[row * kGroup + (units - 1) % kGroup] &= 0xFFFF;
        }
    }

    Product product{ArithmeticOf(record),
                    panels,
                    shape.m,
                    shape.n,
                    units,
                    nullptr,
                    0,
                    kZeros,
                    0,
                    0,
                    record.control.overflow == Overflow::kSaturate};
    uint8_t* c = memory.Address(record.dst());
    const size_t c_pitch = CeilDiv(shape.m, kGroup) * kGroup * kGroup;
    if (half) {
        product.c_pitch = shape.m * kGroup;
        product.c = workspace.c;
    } else {
        product.c_pitch = c_pitch;
        product.c = reinterpret_cast<uint32_t*>(c);
    }
    if (shape.initial == Matmul::Initial::kAccumulate) {
        if (half) WidenC(c, c_pitch * 2, shape.m, column_blocks, product.c);
        product.initial = product.c;
        product.initial_row_pitch = kGroup;
        product.initial_block_pitch = product.c_pitch;
    } else if (bias) {
        ReadBias(record.operand[3], memory, shape.n, workspace.bias);
        product.initial = workspace.bias;
        product.initial_block_pitch = kGroup;
    }
    const bool fast = shape.order.kind == isa::Accumulation::Kind::kSequential || IsInteger(type);
    bool changed = fast ? kernels.multiply(product) : MultiplySlowly(product, rows, shape.order, k0);
    if (half) changed |= NarrowC(product.c, shape.m, shape.n, record.control.overflow, c, c_pitch * 2);
    return changed && !ReadsUndefined(record, shape, a, b, column_blocks);
}

}  // namespace sfumato::exec
