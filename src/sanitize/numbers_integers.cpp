// SPDX-License-Identifier: Apache-2.0
// Exact results in a wider type, where a scan says that one does not fit.
#include "sanitize/numbers_integers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/scan.h"
#include "sanitize/numbers_lanes.h"
#include "sanitize/numbers_products.h"
#include "sanitize/numbers_values.h"

namespace sfumato::sanitize {
namespace {

using isa::Form;
using isa::Opcode;
using isa::Record;

exec::Arithmetic ArithmeticOf(Opcode op) {
    switch (op) {
        case Opcode::vadd:
        case Opcode::vadds: return exec::Arithmetic::kSum;
        case Opcode::vsub: return exec::Arithmetic::kDifference;
        default: return exec::Arithmetic::kProduct;
    }
}

template <class T>
void VisitArithmetic(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const bool scalar = r.form() == Form::kScalar;
    const auto immediate = static_cast<T>(r.immediate);
    const DataType type = r.dst().type;
    const exec::Arithmetic of = ArithmeticOf(r.op);
    const auto exact_of = [of](int64_t a, int64_t b) {
        return of == exec::Arithmetic::kSum ? a + b : of == exec::Arithmetic::kDifference ? a - b : a * b;
    };
    ForEachStretch(r, [&](const Stretch& s) {
        const auto* a = reinterpret_cast<const T*>(MemoryOf(r.src0(), map).At(s.at[1]));
        const auto* b = scalar ? nullptr : reinterpret_cast<const T*>(MemoryOf(r.src1(), map).At(s.at[2]));
        if (!exec::AnyMisfit(of, type, a, b, immediate, s.lanes)) return;
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const T second = scalar ? immediate : b[i];
            const int64_t exact = exact_of(a[i], second);
            if (exact == static_cast<T>(exact)) continue;
            Sources sources;
            sources.Add(1, type, static_cast<uint64_t>(a[i]));
            sources.Add(scalar ? -1 : 2, type, static_cast<uint64_t>(second));
            visit(s.at[0] + i * sizeof(T), sources, fmt::format("{}", exact));
        }
    });
}

double Rounded(double value, Rounding rounding) {
    switch (rounding) {
        case Rounding::kFloor: return std::floor(value);
        case Rounding::kCeil: return std::ceil(value);
        case Rounding::kRound: return std::round(value);
        case Rounding::kTrunc: return std::trunc(value);
        case Rounding::kAway: return value < 0 ? std::floor(value) : std::ceil(value);
        default: return std::nearbyint(value);
    }
}

// Whether one of n lanes may not fit a signed integer of `bits` bits: one of at least 2^(bits - 2), or any integer.
bool AnyLarge(DataType t, const uint8_t* from, uint64_t n, uint32_t bits) {
    if (!IsFloating(t)) return true;
    const uint64_t mantissa = t == DataType::kFloat ? 23 : t == DataType::kHalf ? 10 : 7;
    const uint64_t power = (t == DataType::kHalf ? 15 : 127) + bits - 2;
    return exec::AnyOutside({t, from, 0, std::min(power << mantissa, InfinityOf(t))}, n);
}

// Conversions to a signed integer of 16 to 64 bits, from a floating type or a wider integer.
void VisitConversions(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const DataType from = r.src0().type, to = r.dst().type;
    const Bytes source = MemoryOf(r.src0(), map);
    const double past = std::ldexp(1.0, static_cast<int>(BitsOf(to)) - 1);
    ForEachStretch(r, [&](const Stretch& s) {
        if (!AnyLarge(from, source.At(s.at[1]), s.lanes, BitsOf(to))) return;
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const uint64_t bits = BitsAt(from, source.At(s.at[1] + BytesOf(from, i)));
            const double value = Rounded(ValueOf(from, bits), r.rounding);
            if (value < past && value >= -past) continue;
            Sources sources;
            sources.Add(1, from, bits);
            visit(s.at[0] + BytesOf(to, i), sources, Show(from, bits));
        }
    });
}

}  // namespace

IntegerCheck IntegerCheckOf(const Record& r) {
    if (r.operand_count == 0) return IntegerCheck::kNone;
    const DataType t = r.dst().type;
    if (r.form() == Form::kMatmul) return t == DataType::kInt32 ? IntegerCheck::kAfter : IntegerCheck::kNone;
    switch (r.op) {
        case Opcode::vadd:
        case Opcode::vsub:
        case Opcode::vmul:
        case Opcode::vadds:
        case Opcode::vmuls:
            return t == DataType::kInt16 || t == DataType::kInt32 ? IntegerCheck::kBefore : IntegerCheck::kNone;
        case Opcode::vconv: break;
        default: return IntegerCheck::kNone;
    }
    // To 8 bits and less conversions are meant to limit: that is what quantisation is.
    const bool to_integer = t == DataType::kInt16 || t == DataType::kInt32 || t == DataType::kInt64;
    const DataType from = r.src0().type;
    const bool narrows = IsFloating(from) || BitsOf(from) > BitsOf(t);
    return to_integer && narrows && r.control.deq == isa::DeqScale::kNone ? IntegerCheck::kBefore : IntegerCheck::kNone;
}

void ForEachOverflow(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    if (r.op == Opcode::vconv) return VisitConversions(r, map, visit);
    r.dst().type == DataType::kInt16 ? VisitArithmetic<int16_t>(r, map, visit)
                                     : VisitArithmetic<int32_t>(r, map, visit);
}

void ForEachProductOverflow(const Record& r, const Before& before, const isa::MemoryMap& map,
                            const VisitOverflow& visit) {
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max(), kLeast = std::numeric_limits<int32_t>::min();
    const auto& s = r.As<isa::Matmul>();
    const auto factor = [&](int operand, uint64_t row, uint64_t k) {
        const isa::Operand& o = r.operand[static_cast<size_t>(operand)];
        uint64_t bits = before.Bits(r, operand, o.offset + FactorAt(r, s, operand, row, k));
        if (BitsOf(o.type) == 4) bits = bits >> (k % 2 * 4) & 15;
        return IntegerOf(o.type, bits);
    };
    ForEachProduct(r, [&](const Product& at) {
        const auto result = static_cast<int32_t>(BitsAt(DataType::kInt32, MemoryOf(r.dst(), map).At(at.offset)));
        if (result != kMost && result != kLeast) return;
        Sources sources;
        AddInitial(r, before, at, &sources);
        int64_t exact = sources.count ? IntegerOf(DataType::kInt32, sources.terms[0].bits) : 0;
        for (uint64_t k = 0; k < s.k; ++k) exact += factor(1, at.row, k) * factor(2, at.column, k);
        sources.count += 2 * s.k;
        if (exact > kMost || exact < kLeast) visit(at.offset, sources, fmt::format("{}", exact));
    });
}

}  // namespace sfumato::sanitize
