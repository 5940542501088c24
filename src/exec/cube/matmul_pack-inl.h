// SPDX-License-Identifier: Apache-2.0
// Fractals of L0A and L0B to panels of 4-byte units (matmul.h). Compiled once per SIMD target.
#if defined(SFUMATO_EXEC_MATMUL_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SFUMATO_EXEC_MATMUL_PACK_INL_H_
#undef SFUMATO_EXEC_MATMUL_PACK_INL_H_
#else
#define SFUMATO_EXEC_MATMUL_PACK_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "exec/half-inl.h"
#include "exec/cube/matmul.h"

HWY_BEFORE_NAMESPACE();
namespace sfumato::exec {
namespace HWY_NAMESPACE {

using Units = hn::CappedTag<uint32_t, kGroup>;

// Each widens a run of 32 bytes to kUnits units.
struct WidenHalf {
    static constexpr size_t kUnits = 16;
    HWY_INLINE void operator()(const uint8_t* run, uint32_t* to) const {
        const hn::RebindToFloat<Units> d;
        const hn::Rebind<uint16_t, Units> d16;
        for (size_t i = 0; i < kUnits; i += hn::Lanes(d)) {
            const auto bits = hn::LoadU(d16, reinterpret_cast<const uint16_t*>(run) + i);
            hn::StoreU(hn::BitCast(Units(), HalfToFloat(d, bits)), Units(), to + i);
        }
    }
};

struct WidenBfloat16 {
    static constexpr size_t kUnits = 16;
    HWY_INLINE void operator()(const uint8_t* run, uint32_t* to) const {
        const hn::RebindToFloat<Units> d;
        const hn::Rebind<uint16_t, Units> d16;
        for (size_t i = 0; i < kUnits; i += hn::Lanes(d)) {
            const auto bits = hn::LoadU(d16, reinterpret_cast<const uint16_t*>(run) + i);
            hn::StoreU(hn::BitCast(Units(), Bfloat16ToFloat(d, bits)), Units(), to + i);
        }
    }
};

// HF32 keeps 11 bits of the mantissa (cube.md 4.2); inf and NaN stay.
struct WidenFloat {
    static constexpr size_t kUnits = 8;
    static constexpr uint32_t kDropped = 0xFFF;
    isa::Matmul::Hf32 hf32;
    HWY_INLINE void operator()(const uint8_t* run, uint32_t* to) const {
        using enum isa::Matmul::Hf32;
        const hn::CappedTag<uint32_t, kUnits> d;
        for (size_t i = 0; i < kUnits; i += hn::Lanes(d)) {
            auto v = hn::LoadU(d, reinterpret_cast<const uint32_t*>(run) + i);
            if (hf32 != kOff) {
                const auto odd = hn::And(hn::ShiftRight<12>(v), hn::Set(d, 1));
                const auto step =
                    hf32 == kNearestEven ? hn::Add(odd, hn::Set(d, kDropped >> 1)) : hn::Set(d, (kDropped >> 1) + 1);
                const auto rounded = hn::AndNot(hn::Set(d, kDropped), hn::Add(v, step));
                const auto inf = hn::Set(d, 0x7F800000);
                v = hn::IfThenElse(hn::Eq(hn::And(v, inf), inf), v, rounded);
            }
            hn::StoreU(v, d, to + i);
        }
    }
};

template <typename T>
struct WidenByte {
    static constexpr size_t kUnits = 16;
    HWY_INLINE void operator()(const uint8_t* run, uint32_t* to) const {
        const hn::CappedTag<int16_t, 2 * kGroup> d;
        const hn::Rebind<T, decltype(d)> d8;
        for (size_t i = 0; i < 2 * kUnits; i += hn::Lanes(d)) {
            const auto v = hn::PromoteTo(d, hn::LoadU(d8, reinterpret_cast<const T*>(run) + i));
            hn::StoreU(v, d, reinterpret_cast<int16_t*>(to) + i);
        }
    }
};

struct WidenInt4 {
    static constexpr size_t kUnits = 32;
    HWY_INLINE void operator()(const uint8_t* run, uint32_t* to) const {
        const hn::RebindToSigned<Units> d;
        const hn::Rebind<int8_t, Units> d8;
        for (size_t i = 0; i < kUnits; i += hn::Lanes(d)) {
            const auto pair = hn::PromoteTo(d, hn::LoadU(d8, reinterpret_cast<const int8_t*>(run) + i));
            const auto even = hn::And(hn::ShiftRight<28>(hn::ShiftLeft<28>(pair)), hn::Set(d, 0xFFFF));
            const auto odd = hn::ShiftLeft<16>(hn::ShiftRight<4>(pair));
            hn::StoreU(hn::BitCast(Units(), hn::Or(even, odd)), Units(), to + i);
        }
    }
};

// f(widening) for the type.
template <class F>
HWY_INLINE void WithWidening(DataType type, isa::Matmul::Hf32 hf32, F f) {
    switch (type) {
        case DataType::kHalf: return f(WidenHalf());
        case DataType::kBfloat16: return f(WidenBfloat16());
        case DataType::kFloat: return f(WidenFloat{hf32});
        case DataType::kInt8: return f(WidenByte<int8_t>());
        case DataType::kUint8: return f(WidenByte<uint8_t>());
        default: return f(WidenInt4());
    }
}

template <class Widen>
void PackRows(Widen widen, const MatrixA& a, size_t runs, RowBlocks rows, const Panels& to) {
    for (size_t block = 0; block < rows.Count(); ++block) {
        const size_t start = rows.Start(block), count = rows.Rows(block);
        uint32_t* panel = to.a + start * to.groups * kGroup;
        for (size_t run = 0; run < runs; ++run) {
            HWY_ALIGN uint32_t units[2 * kGroup];
            const size_t first = run * Widen::kUnits;
            for (size_t i = 0; i < count; ++i) {
                const size_t row = start + i;
                const uint8_t* from = a.first + row / 16 * a.row_block_pitch + run * a.run_pitch + row % 16 * kRunBytes;
                uint32_t* group = panel + (first / kGroup * count + i) * kGroup + first % kGroup;
                if constexpr (Widen::kUnits <= kGroup) {
                    widen(from, group);
                } else {
                    // The last run may hold one group only.
                    widen(from, units);
                    std::memcpy(group, units, sizeof(units) / 2);
                    if (first / kGroup + 1 < to.groups) {
                        std::memcpy(group + count * kGroup, units + kGroup, sizeof(units) / 2);
                    }
                }
            }
        }
    }
}

// 16 columns of kUnits units to rows of 16, in squares of 4.
template <size_t kUnits>
HWY_INLINE void Transpose(const uint32_t* columns, size_t units, uint32_t* rows) {
    const hn::Full128<uint32_t> d;
    const hn::Full128<uint64_t> d64;
    for (size_t u = 0; u < units; u += 4) {
        for (size_t column = 0; column < kGroup; column += 4) {
            const uint32_t* from = columns + column * kUnits + u;
            const auto c0 = hn::Load(d, from), c1 = hn::Load(d, from + kUnits);
            const auto c2 = hn::Load(d, from + 2 * kUnits), c3 = hn::Load(d, from + 3 * kUnits);
            const auto low01 = hn::BitCast(d64, hn::InterleaveLower(d, c0, c1));
            const auto low23 = hn::BitCast(d64, hn::InterleaveLower(d, c2, c3));
            const auto high01 = hn::BitCast(d64, hn::InterleaveUpper(d, c0, c1));
            const auto high23 = hn::BitCast(d64, hn::InterleaveUpper(d, c2, c3));
            auto* to = reinterpret_cast<uint64_t*>(rows + u * kGroup + column);
            hn::Store(hn::InterleaveLower(d64, low01, low23), d64, to);
            hn::Store(hn::InterleaveUpper(d64, low01, low23), d64, to + kGroup / 2);
            hn::Store(hn::InterleaveLower(d64, high01, high23), d64, to + kGroup);
            hn::Store(hn::InterleaveUpper(d64, high01, high23), d64, to + kGroup / 2 * 3);
        }
    }
}

template <class Widen>
void PackColumns(Widen widen, const uint8_t* b, size_t runs, size_t column_blocks, const Panels& to) {
    constexpr size_t kUnits = Widen::kUnits;
    for (size_t block = 0; block < column_blocks; ++block) {
        uint32_t* panel = to.b + block * to.groups * kGroup * kGroup;
        for (size_t run = 0; run < runs; ++run) {
            HWY_ALIGN uint32_t columns[kGroup * kUnits];
            const uint8_t* fractal = b + (run * column_blocks + block) * kGroup * kRunBytes;
            for (size_t i = 0; i < kGroup; ++i) widen(fractal + i * kRunBytes, columns + i * kUnits);
            const size_t units = std::min(kUnits, to.groups * kGroup - run * kUnits);
            Transpose<kUnits>(columns, units, panel + run * kUnits * kGroup);
        }
    }
}

inline void PackA(DataType type, isa::Matmul::Hf32 hf32, const MatrixA& a, size_t runs, RowBlocks rows,
                  const Panels& to) {
    WithWidening(type, hf32, [&](auto widen) HWY_ATTR { PackRows(widen, a, runs, rows, to); });
}

inline void PackB(DataType type, isa::Matmul::Hf32 hf32, const uint8_t* b, size_t runs, size_t column_blocks,
                  const Panels& to) {
    WithWidening(type, hf32, [&](auto widen) HWY_ATTR { PackColumns(widen, b, runs, column_blocks, to); });
}

}  // namespace HWY_NAMESPACE
}  // namespace sfumato::exec
HWY_AFTER_NAMESPACE();

#endif  // per target
