// SPDX-License-Identifier: Apache-2.0
// The product of two panels (matmul.h): tiles of C held in registers over many k. Every target does the same operations
// on an element in the same order, k ascending.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "exec/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/matmul_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/matmul_pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

// A tile: kMaxRows rows by kMaxVectors vectors, what the registers hold besides a row of B and an element of A. Of 32
// registers of 16 lanes half are enough to hide the latencies, and more make integers spill.
constexpr size_t kLanes = hn::MaxLanes(Units());
constexpr size_t kMaxVectors = kLanes == kGroup || HWY_ARCH_X86 ? 2 : kGroup / kLanes;
constexpr size_t kMaxRows = kLanes == kGroup ? 8 : 6;
constexpr size_t kTileColumns = kMaxVectors * kLanes;

// Units after which a tile goes back to memory, which is exact for floats: the columns of B in use stay in the L1
// cache.
constexpr size_t kDepth = 128;

struct TileArgs {
    const uint32_t* a;
    const uint32_t* b;
    size_t b_pitch, units;
    uint32_t* c;
    size_t c_pitch, columns;
    const uint32_t* initial;
    size_t initial_row_pitch, initial_block_pitch;
    bool is_last, is_unsigned, saturate;
};

template <bool kFused>
struct FloatSum {
    using D = hn::RebindToFloat<Units>;
    using V = hn::Vec<D>;
    using Sum = V;
    static constexpr bool kCanOverflow = true;
    static HWY_INLINE Sum Start(V initial) { return initial; }
    static HWY_INLINE void Step(Sum& sum, V a, V b) {
        sum = kFused ? hn::MulAdd(a, b, sum) : hn::Add(sum, hn::Mul(a, b));
    }
    static HWY_INLINE V Finish(Sum sum, V, const TileArgs& t) { return t.is_last ? CanonicalNan(D(), sum) : sum; }
};

// Products of two int16 pairs: below 2^17, so that 4095 k stay far below 2^31.
struct IntegerSum {
    using D = hn::RebindToSigned<Units>;
    using V = hn::Vec<D>;
    static constexpr bool kCanOverflow = false;
    struct Sum {
        V sum0, sum1;
    };
    static HWY_INLINE Sum Start(V) { return {hn::Zero(D()), hn::Zero(D())}; }
    static HWY_INLINE void Step(Sum& sum, V a, V b) {
        const hn::Repartition<int16_t, D> d16;
        sum.sum0 = hn::ReorderWidenMulAccumulate(D(), hn::BitCast(d16, a), hn::BitCast(d16, b), sum.sum0, sum.sum1);
    }
    static HWY_INLINE V Finish(const Sum& sum, V initial, const TileArgs& t) {
        const D d;
        const Units du;
        const auto products = hn::RearrangeToOddPlusEven(sum.sum0, sum.sum1);
        const auto total = hn::Add(products, initial);
        if (t.is_unsigned) {
            // The products are not negative.
            const auto unsigned_total = hn::BitCast(du, total);
            const auto wrapped = hn::Lt(unsigned_total, hn::BitCast(du, initial));
            return hn::BitCast(d, hn::IfThenElse(wrapped, hn::Set(du, ~uint32_t{0}), unsigned_total));
        }
        const auto wrapped = hn::And(hn::Xor(products, total), hn::Xor(initial, total));
        const auto limit = hn::Xor(hn::BroadcastSignBit(initial), hn::Set(d, INT32_MAX));
        return hn::IfThenElse(hn::MaskFromVec(hn::BroadcastSignBit(wrapped)), limit, total);
    }
};

// Where vector v of a tile's row lies: 16 columns a block.
HWY_INLINE size_t ColumnOffset(size_t vector, size_t block_pitch) {
    return vector * kLanes / kGroup * block_pitch + vector * kLanes % kGroup;
}

// False, and nothing is written, when a result would have to be saturated.
template <class Operation, size_t kRows, size_t kVectors>
bool Tile(const TileArgs& t) {
    using D = typename Operation::D;
    using T = hn::TFromD<D>;
    using V = typename Operation::V;
    const D d;
    const auto initial = [&](size_t row, size_t v) HWY_ATTR {
        const size_t at = row * t.initial_row_pitch + ColumnOffset(v, t.initial_block_pitch);
        return hn::LoadU(d, reinterpret_cast<const T*>(t.initial) + at);
    };
    typename Operation::Sum sums[kRows][kVectors];
    HWY_UNROLL(32)
    for (size_t row = 0; row < kRows; ++row) {
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; ++v) sums[row][v] = Operation::Start(initial(row, v));
    }
    const T* a = reinterpret_cast<const T*>(t.a);
    const T* b = reinterpret_cast<const T*>(t.b);
    for (size_t first = 0; first < t.units; first += kGroup, a += (kRows - 1) * kGroup) {
        const T* end = a + std::min(kGroup, t.units - first);
        for (; a != end; ++a, b += kGroup) {
            V columns[kVectors];
            HWY_UNROLL(4)
            for (size_t v = 0; v < kVectors; ++v) columns[v] = hn::LoadU(d, b + ColumnOffset(v, t.b_pitch));
            HWY_UNROLL(32)
            for (size_t row = 0; row < kRows; ++row) {
                const V element = hn::Set(d, a[row * kGroup]);
                HWY_UNROLL(4)
                for (size_t v = 0; v < kVectors; ++v) Operation::Step(sums[row][v], element, columns[v]);
            }
        }
    }
    const auto left = [&](size_t v) { return t.columns > v * kLanes ? t.columns - v * kLanes : 0; };
    if constexpr (Operation::kCanOverflow) {
        // inf and NaN stay in a sum once they are in it: finite results had no overflow on the way.
        for (size_t v = 0; t.saturate && v < kVectors; ++v) {
            auto finite = hn::IsFinite(sums[0][v]);
            HWY_UNROLL(32)
            for (size_t row = 1; row < kRows; ++row) finite = hn::And(finite, hn::IsFinite(sums[row][v]));
            if (!hn::AllTrue(d, hn::Or(finite, hn::Not(hn::FirstN(d, left(v)))))) return false;
        }
    }
    HWY_UNROLL(32)
    for (size_t row = 0; row < kRows; ++row) {
        HWY_UNROLL(4)
        for (size_t v = 0; v < kVectors; ++v) {
            const V result = Operation::Finish(sums[row][v], initial(row, v), t);
            T* c = reinterpret_cast<T*>(t.c) + row * kGroup + ColumnOffset(v, t.c_pitch);
            if (left(v) >= kLanes) {
                hn::StoreU(result, d, c);
            } else {
                hn::BlendedStore(result, hn::FirstN(d, left(v)), d, c);
            }
        }
    }
    return true;
}

// The tile again, saturated at every step.
void SaturateTile(const TileArgs& t, size_t rows) {
    for (size_t row = 0; row < rows; ++row) {
        for (size_t column = 0; column < t.columns; ++column) {
            const size_t block = column / kGroup, within = column % kGroup;
            float sum, a, b;
            std::memcpy(&sum, t.initial + block * t.initial_block_pitch + row * t.initial_row_pitch + within, 4);
            for (size_t k = 0; k < t.units; ++k) {
                std::memcpy(&a, t.a + (k / kGroup * rows + row) * kGroup + k % kGroup, 4);
                std::memcpy(&b, t.b + block * t.b_pitch + k * kGroup + within, 4);
                sum = Saturated(sum + Saturated(a * b));
            }
            std::memcpy(t.c + block * t.c_pitch + row * kGroup + within, &sum, 4);
        }
    }
}

using TileFn = bool (*)(const TileArgs&);
using TileList = std::array<TileFn, kMaxRows>;  // [rows - 1]

template <class Operation, size_t kVectors, size_t... kRow>
constexpr TileList ListTiles(std::index_sequence<kRow...>) {
    return {Tile<Operation, kRow + 1, kVectors>...};
}

// Column blocks narrower than a tile exist where a tile has two of them.
template <class Operation>
TileFn TileOf(size_t rows, size_t columns) {
    static constexpr std::make_index_sequence<kMaxRows> kAll{};
    static constexpr TileList kWide = ListTiles<Operation, kMaxVectors>(kAll);
    if constexpr (kTileColumns > kGroup) {
        static constexpr TileList kNarrow = ListTiles<Operation, kGroup / kLanes>(kAll);
        if (columns <= kGroup) return kNarrow[rows - 1];
    }
    return kWide[rows - 1];
}

template <class Operation>
bool MultiplyAs(const Product& p, size_t depth) {
    bool changed = false;
    const RowBlocks rows{p.m, kMaxRows};
    TileArgs t{};
    t.b_pitch = p.panels.groups * kGroup * kGroup;
    t.c_pitch = p.c_pitch;
    t.is_unsigned = p.arithmetic == Arithmetic::kUint32;
    t.saturate = p.saturate;
    for (size_t first = 0; first < p.units; first += depth) {
        t.units = std::min(depth, p.units - first);
        t.is_last = first + t.units == p.units;
        const uint32_t* initial = first == 0 ? p.initial : p.c;
        t.initial_row_pitch = first == 0 ? p.initial_row_pitch : kGroup;
        t.initial_block_pitch = first == 0 ? p.initial_block_pitch : p.c_pitch;
        for (size_t column = 0; column < p.n; column += kTileColumns) {
            const size_t block = column / kGroup, within = column % kGroup;
            t.columns = std::min(kTileColumns, p.n - column);
            t.b = p.panels.ColumnsOfB(block) + first * kGroup + within;
            for (size_t i = 0; i < rows.Count(); ++i) {
                const size_t row = rows.Start(i), count = rows.Rows(i);
                t.a = p.panels.RowsOfA(row) + first * count;
                t.c = p.c + block * p.c_pitch + row * kGroup + within;
                t.initial = initial + block * t.initial_block_pitch + row * t.initial_row_pitch + within;
                if (TileOf<Operation>(count, t.columns)(t)) continue;
                SaturateTile(t, count);
                changed = true;
            }
        }
    }
    return changed;
}

bool Multiply(const Product& p) {
    switch (p.arithmetic) {
        case Arithmetic::kExactProducts: return MultiplyAs<FloatSum<HWY_NATIVE_FMA != 0>>(p, kDepth);
        case Arithmetic::kFloat: return MultiplyAs<FloatSum<false>>(p, kDepth);
        default: return MultiplyAs<IntegerSum>(p, p.units);  // in one go: saturated once
    }
}

const MatmulKernels* MatmulsOfTarget() {
    static constexpr MatmulKernels kKernels = {kMaxRows, PackA, PackB, Multiply};
    return &kKernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfumato::exec {

namespace {
PerTarget<MatmulKernels> matmuls([]() -> const void* { return SFUMATO_FOR_TARGET(MatmulsOfTarget)(); });
}  // namespace

const MatmulKernels& Matmuls() { return matmuls.Get(); }

}  // namespace sfumato::exec
#endif
