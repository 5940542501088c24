// SPDX-License-Identifier: Apache-2.0
// Exact results in a wider type, where a scan says that one does not fit.
#include "sanitize/numbers_integers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "exec/scan.h"
#include "sanitize/numbers_lanes.h"
#include "sanitize/numbers_products.h"
#include "sanitize/numbers_values.h"

namespace sfumato::sanitize {
namespace {

using isa::Integers;
using isa::Record;

// What an instruction makes of one lane, exactly; nothing of powers, which are too large for this. `index`: of the
// element in dst.
std::optional<int64_t> ExactOf(Integers of, int64_t a, int64_t b, int64_t dst, uint64_t index) {
    switch (of) {
        case Integers::kAnd: return a & b;
        case Integers::kOr: return a | b;
        case Integers::kNot: return ~a;
        case Integers::kCopy: return a;
        case Integers::kSum: return a + b;
        case Integers::kDifference: return a - b;
        case Integers::kProduct: return a * b;
        case Integers::kSumRelu: return std::max<int64_t>(0, a + b);
        case Integers::kDifferenceRelu: return std::max<int64_t>(0, a - b);
        case Integers::kMagnitude: return std::abs(a);
        case Integers::kRising: return b + static_cast<int64_t>(index);
        case Integers::kProductOntoDst: return a * b + dst;
        case Integers::kDstProduct: return a * dst + b;
        case Integers::kDstProductRelu: return std::max<int64_t>(0, a * dst + b);
        case Integers::kPower:
        case Integers::kPowerOfScalar: return std::nullopt;
        case Integers::kNone:
        case Integers::kConverted:
        case Integers::kMatrix: break;
    }
    throw std::logic_error("no lane makes such an integer");
}

template <class T>
void VisitArithmetic(const Record& r, exec::Arithmetic scan, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const bool scalar = r.operand_count == 2;
    const auto immediate = static_cast<T>(r.immediate);
    const DataType type = r.dst().type;
    ForEachStretch(r, [&](const Stretch& s) {
        const auto* a = reinterpret_cast<const T*>(MemoryOf(r.src0(), map).At(s.at[1]));
        const auto* b = scalar ? nullptr : reinterpret_cast<const T*>(MemoryOf(r.src1(), map).At(s.at[2]));
        if (!exec::AnyMisfit(scan, type, a, b, immediate, s.lanes)) return;
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const T second = scalar ? immediate : b[i];
            const int64_t exact = *ExactOf(MakesOf(r).integers, a[i], second, 0, 0);
            if (exact == static_cast<T>(exact)) continue;
            Sources sources;
            sources.Add(1, type, static_cast<uint64_t>(a[i]));
            sources.Add(scalar ? -1 : 2, type, static_cast<uint64_t>(second));
            visit(s.at[0] + i * sizeof(T), sources, fmt::format("{}", exact));
        }
    });
}

// The results are computed again one by one. Whether one fits is exact in double.
template <class T>
void VisitLanes(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const DataType type = r.dst().type;
    const auto immediate = static_cast<T>(r.immediate);
    const bool two = r.operand_count > 2, none = r.operand_count < 2;
    const Integers of = MakesOf(r).integers;
    ForEachStretch(r, [&](const Stretch& s) {
        const auto* a = none ? nullptr : reinterpret_cast<const T*>(MemoryOf(r.src0(), map).At(s.at[1]));
        const auto* b = two ? reinterpret_cast<const T*>(MemoryOf(r.src1(), map).At(s.at[2])) : nullptr;
        const uint8_t* before = MemoryOf(r.dst(), map).At(s.at[0]);
        const uint64_t begin = (s.at[0] - r.dst().offset) / sizeof(T);
        for (uint64_t i = 0; i < s.lanes; ++i) {
            const T source = a ? a[i] : T{0}, second = b ? b[i] : immediate;
            const T old = *reinterpret_cast<const T*>(before + i * sizeof(T));
            const std::optional<int64_t> whole = ExactOf(of, source, second, old, begin + i);
            const double exact = whole                    ? static_cast<double>(*whole)
                                 : of == Integers::kPower ? std::pow(source, second)
                                                          : std::pow(second, source);
            if (!(std::abs(exact) > std::numeric_limits<T>::max()) || exact == std::numeric_limits<T>::min()) continue;
            Sources sources;
            if (a) sources.Add(1, type, static_cast<uint64_t>(source));
            if (of != Integers::kMagnitude) sources.Add(two ? 2 : -1, type, static_cast<uint64_t>(second));
            visit(s.at[0] + i * sizeof(T), sources, whole ? fmt::format("{}", *whole) : fmt::format("{:.0f}", exact));
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
        case Rounding::kNone:
        case Rounding::kRint:
        case Rounding::kOdd:
        case Rounding::kCount: break;
    }
    return std::nearbyint(value);
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
    const bool words = t == DataType::kInt16 || t == DataType::kInt32;
    if (isa::IsAtomic(r)) {
        return r.control.atomic == isa::Atomic::kAdd && (words || t == DataType::kInt8) ? IntegerCheck::kStored
                                                                                        : IntegerCheck::kNone;
    }
    switch (MakesOf(r).integers) {
        case Integers::kNone:
        case Integers::kAnd:
        case Integers::kOr:
        case Integers::kNot:
        case Integers::kCopy: return IntegerCheck::kNone;
        case Integers::kMatrix: return t == DataType::kInt32 ? IntegerCheck::kAfter : IntegerCheck::kNone;
        case Integers::kSum:
        case Integers::kDifference:
        case Integers::kProduct:
        case Integers::kSumRelu:
        case Integers::kDifferenceRelu:
        case Integers::kMagnitude:
        case Integers::kPower:
        case Integers::kPowerOfScalar:
        case Integers::kRising:
        case Integers::kProductOntoDst:
        case Integers::kDstProduct:
        case Integers::kDstProductRelu: return words ? IntegerCheck::kBefore : IntegerCheck::kNone;
        case Integers::kConverted: break;
    }
    // To 8 bits and less conversions are meant to limit: that is what quantisation is.
    const bool to_integer = t == DataType::kInt16 || t == DataType::kInt32 || t == DataType::kInt64;
    const DataType from = r.src0().type;
    const bool narrows = IsFloating(from) || BitsOf(from) > BitsOf(t);
    return to_integer && narrows && r.control.deq == isa::DeqScale::kNone ? IntegerCheck::kBefore : IntegerCheck::kNone;
}

void ForEachOverflow(const Record& r, const isa::MemoryMap& map, const VisitOverflow& visit) {
    const Integers of = MakesOf(r).integers;
    if (of == Integers::kConverted) return VisitConversions(r, map, visit);
    const auto with = [&]<class T>(T) {
        if (of == Integers::kSum) return VisitArithmetic<T>(r, exec::Arithmetic::kSum, map, visit);
        if (of == Integers::kDifference) return VisitArithmetic<T>(r, exec::Arithmetic::kDifference, map, visit);
        if (of == Integers::kProduct) return VisitArithmetic<T>(r, exec::Arithmetic::kProduct, map, visit);
        VisitLanes<T>(r, map, visit);
    };
    r.dst().type == DataType::kInt16 ? with(int16_t{}) : with(int32_t{});
}

void ForEachSumOverflow(const Record& r, const Bytes& before, const Bytes& stored, const VisitOverflow& visit) {
    const DataType type = r.dst().type;
    const int64_t past = int64_t{1} << (BitsOf(type) - 1);
    ForEachRun(r, 0, nullptr, [&](const isa::Span& run) {
        for (uint64_t at = run.begin; at < run.end; at += BytesOf(type, 1)) {
            const uint64_t old = BitsAt(type, before.At(at)), added = BitsAt(type, stored.At(at));
            const int64_t exact = IntegerOf(type, old) + IntegerOf(type, added);
            if (exact < past && exact >= -past) continue;
            Sources sources;
            sources.Add(0, type, old);
            sources.Add(1, type, added);
            visit(at, sources, fmt::format("{}", exact));
        }
    });
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
