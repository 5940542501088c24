// SPDX-License-Identifier: Apache-2.0
// The product of two panels (matmul.h): tiles of C held in registers over many k. Every target does the same operations
// on an element in the same order, k ascending.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "exec/targets.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/cube/matmul_kernels.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "exec/cube/matmul_pack-inl.h"

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
    size_t a_rows;  // rows of the panel's row block
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
    static constexpr bool kMayRefuse = true;
    static HWY_INLINE Sum Start(V initial) { return initial; }
    static HWY_INLINE void Step(Sum& sum, V a, V b) {
        sum = kFused ? hn::MulAdd(a, b, sum) : hn::Add(sum, hn::Mul(a, b));
    }
    // inf and NaN stay in a sum once they are in it: finite results had no overflow on the way.
    static HWY_INLINE auto Accepts(Sum sum) { return hn::IsFinite(sum); }
    static HWY_INLINE V Finish(Sum sum, V, const TileArgs& t) { return t.is_last ? CanonicalNan(D(), sum) : sum; }
};

// What `saturate` makes of a product or a sum: as Saturated.
template <class V>
HWY_INLINE V Limited(V v) {
    const hn::DFromV<V> d;
    const V most = hn::Set(d, std::numeric_limits<float>::max());
    return hn::IfThenElseZero(hn::Eq(v, v), hn::Min(hn::Max(v, hn::Neg(most)), most));
}

// A sum of two vectors. Its constructors are written out: g++ compiles implicit ones without the target's extensions,
// where NEON's vectors cannot be constructed.
template <class V>
struct TwoVectors {
    HWY_INLINE TwoVectors() {}
    HWY_INLINE TwoVectors(V a, V b) : first(a), second(b) {}
    V first, second;
};

// Saturated at every step.
struct SaturatedSum {
    using D = hn::RebindToFloat<Units>;
    using V = hn::Vec<D>;
    using Sum = V;
    static constexpr bool kMayRefuse = false;
    static HWY_INLINE Sum Start(V initial) { return initial; }
    static HWY_INLINE void Step(Sum& sum, V a, V b) { sum = Limited(hn::Add(sum, Limited(hn::Mul(a, b)))); }
    static HWY_INLINE V Finish(Sum sum, V, const TileArgs&) { return sum; }
};

// The same from both ends of what a sum can be. A step is monotone: where the ends meet, every start has led there.
struct MeetingSums {
    using D = hn::RebindToFloat<Units>;
    using V = hn::Vec<D>;
    static constexpr bool kMayRefuse = true;
    using Sum = TwoVectors<V>;  // low, high
    static HWY_INLINE Sum Start(V) {
        const V most = hn::Set(D(), std::numeric_limits<float>::max());
        return {hn::Neg(most), most};
    }
    static HWY_INLINE void Step(Sum& sum, V a, V b) {
        const V most = hn::Set(D(), std::numeric_limits<float>::max()), product = Limited(hn::Mul(a, b));
        sum.first = hn::Min(hn::Max(hn::Add(sum.first, product), hn::Neg(most)), most);
        sum.second = hn::Min(hn::Max(hn::Add(sum.second, product), hn::Neg(most)), most);
    }
    static HWY_INLINE auto Accepts(const Sum& sum) { return hn::Eq(sum.first, sum.second); }
    static HWY_INLINE V Finish(const Sum& sum, V, const TileArgs&) { return sum.first; }
};

// Products of two int16 pairs: below 2^17, so that 4095 k stay far below 2^31.
struct IntegerSum {
    using D = hn::RebindToSigned<Units>;
    using V = hn::Vec<D>;
    static constexpr bool kMayRefuse = false;
    using Sum = TwoVectors<V>;
    static HWY_INLINE Sum Start(V) { return {hn::Zero(D()), hn::Zero(D())}; }
    static HWY_INLINE void Step(Sum& sum, V a, V b) {
        const hn::Repartition<int16_t, D> d16;
        sum.first = hn::ReorderWidenMulAccumulate(D(), hn::BitCast(d16, a), hn::BitCast(d16, b), sum.first, sum.second);
    }
    static HWY_INLINE V Finish(const Sum& sum, V initial, const TileArgs& t) {
        const D d;
        const Units du;
        const auto products = hn::RearrangeToOddPlusEven(sum.first, sum.second);
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

// False, and nothing is written, when the operation does not accept a sum and results are to be saturated.
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
    for (size_t first = 0; first < t.units; first += kGroup, a += (t.a_rows - 1) * kGroup) {
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
    if constexpr (Operation::kMayRefuse) {
        for (size_t v = 0; t.saturate && v < kVectors; ++v) {
            auto accepted = Operation::Accepts(sums[0][v]);
            HWY_UNROLL(32)
            for (size_t row = 1; row < kRows; ++row) accepted = hn::And(accepted, Operation::Accepts(sums[row][v]));
            if (!hn::AllTrue(d, hn::Or(accepted, hn::Not(hn::FirstN(d, left(v)))))) return false;
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

// The tile again, saturated at every step, row by row. Full of infinities, sums forget what they started from within a
// few units: the last ones are tried alone. True when they were enough for all rows.
bool SaturateTile(TileArgs t) {
    constexpr size_t kFew = 8, kMore = 12;
    // Where to begin: a few units before the end inside the last group, or with a group.
    size_t starts[2] = {}, tries = 0;
    if (t.units >= 2 * kFew && (t.units - 1) % kGroup + 1 >= kFew) starts[tries++] = t.units - kFew;
    if (t.units >= kGroup + kMore) starts[tries++] = (t.units - kMore) / kGroup * kGroup;
    const auto forgot = [&](size_t start) {
        TileArgs last = t;
        last.a += start / kGroup * kGroup * t.a_rows + start % kGroup;
        last.b += start * kGroup;
        last.units -= start;
        return TileOf<MeetingSums>(1, t.columns)(last);
    };
    bool enough = true;
    for (size_t row = 0; row < t.a_rows; ++row) {
        if (!std::any_of(starts, starts + tries, forgot)) {
            TileOf<SaturatedSum>(1, t.columns)(t);
            enough = false;
        }
        t.a += kGroup;
        t.c += kGroup;
        t.initial += t.initial_row_pitch;
    }
    return enough;
}

// NaN units to +0. Their products become zeros of some sign, as good as the +0 a NaN product counts as: only a sum of
// -0 could tell, and none is -0 that did not start so.
void DropNans(const Product& p) {
    const Units d;
    const hn::RebindToFloat<Units> df;
    const size_t column_blocks = (p.n + kGroup - 1) / kGroup;
    for (size_t block = 0; block < column_blocks; ++block) {
        for (size_t row = 0; row < p.m; ++row) {
            const uint32_t* initial = p.initial + block * p.initial_block_pitch + row * p.initial_row_pitch;
            for (size_t i = 0; i < kGroup; i += hn::Lanes(d)) {
                if (!hn::AllFalse(d, hn::Eq(hn::LoadU(d, initial + i), hn::Set(d, 0x80000000)))) return;
            }
        }
    }
    const auto drop = [&](uint32_t* units, size_t count) HWY_ATTR {
        for (size_t i = 0; i < count; i += hn::Lanes(d)) {
            const auto v = hn::BitCast(df, hn::LoadU(d, units + i));
            hn::StoreU(hn::BitCast(d, hn::IfThenElseZero(hn::Eq(v, v), v)), d, units + i);
        }
    };
    drop(p.panels.a, p.m * p.panels.groups * kGroup);
    drop(p.panels.b, column_blocks * p.panels.groups * kGroup * kGroup);
}

template <class Operation>
bool MultiplyAs(const Product& p, size_t depth) {
    bool changed = false, forgets = false;
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
                t.a_rows = count;
                t.c = p.c + block * p.c_pitch + row * kGroup + within;
                t.initial = initial + block * t.initial_block_pitch + row * t.initial_row_pitch + within;
                if (!forgets && TileOf<Operation>(count, t.columns)(t)) continue;
                if (!changed) {
                    changed = true;
                    DropNans(p);
                    if (TileOf<Operation>(count, t.columns)(t)) continue;
                }
                forgets = SaturateTile(t);
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
