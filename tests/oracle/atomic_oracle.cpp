// SPDX-License-Identifier: Apache-2.0
// Sums, maxima and minima rounded once to nearest even; the policies of vector.md.
#include "oracle/atomic_oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "oracle/conversion_oracle.h"
#include "oracle/mmad_oracle.h"

namespace sfumato::oracle {
namespace {

// A sum of two values of a floating type, rounded once to the type.
uint64_t FloatSum(DataType type, uint64_t a, uint64_t b, Overflow overflow, bool* replaced) {
    const float x = FloatOfBits(type, a), y = FloatOfBits(type, b);
    // Two halves or bfloat16 sum exactly in 53 bits or round there first without harm (53 >= 2 * 11 + 2).
    const double sum = static_cast<double>(x) + static_cast<double>(y);
    if (type == DataType::kFloat || !std::isfinite(sum) || sum == 0) {
        return BitsOfFloat(type, static_cast<float>(sum), overflow, replaced);
    }
    const uint64_t pattern = std::bit_cast<uint64_t>(sum);
    const int64_t fraction = static_cast<int64_t>(pattern & ((uint64_t{1} << 52) - 1)) | int64_t{1} << 52;
    const Exact exact{sum < 0 ? -fraction : fraction, static_cast<int>(pattern >> 52 & 0x7FF) - 1075};
    const bool half = type == DataType::kHalf;
    const uint64_t result =
        half ? BitsAt<DataType::kHalf>(Round<Grid<DataType::kHalf>, Rounding::kRint>(exact), sum < 0)
             : BitsAt<DataType::kBfloat16>(Round<Grid<DataType::kBfloat16>, Rounding::kRint>(exact), sum < 0);
    if (overflow != Overflow::kSaturate) return result;
    const uint64_t saturated = half ? Saturated<DataType::kHalf>(result) : Saturated<DataType::kBfloat16>(result);
    if (saturated != result) *replaced = true;
    return saturated;
}

uint64_t FloatExtreme(const AtomicMode& mode, uint64_t a, uint64_t b, bool* replaced) {
    const float x = FloatOfBits(mode.type, a), y = FloatOfBits(mode.type, b);
    const bool max = mode.kind == AtomicMode::Kind::kMax;
    float result = std::nanf("");
    if (!std::isnan(x) && !std::isnan(y)) {
        // -0 lies below +0.
        const bool x_less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
        result = x_less == max ? y : x;
    }
    return BitsOfFloat(mode.type, result, mode.overflow, replaced);
}

template <DataType T>
uint64_t IntegerAtomic(AtomicMode::Kind kind, Overflow overflow, uint64_t a, uint64_t b, bool* replaced) {
    const int64_t x = IntegerAt<T>(a), y = IntegerAt<T>(b);
    int64_t result = kind == AtomicMode::Kind::kMax ? std::max(x, y) : std::min(x, y);
    if (kind == AtomicMode::Kind::kAdd) {
        result = x + y;
        const int64_t clamped = std::clamp<int64_t>(result, Grid<T>::kFirst, Grid<T>::kLast);
        if (overflow == Overflow::kSaturate && clamped != result) {
            *replaced = true;  // as Add of the vector unit
            result = clamped;
        }
    }
    return static_cast<uint64_t>(result) & kMaskOf<T>;
}

// What is there, and what arrives.
uint64_t AtomicResult(const AtomicMode& mode, uint64_t there, uint64_t arriving, bool* replaced) {
    switch (mode.type) {
        case DataType::kInt8:
            return IntegerAtomic<DataType::kInt8>(mode.kind, mode.overflow, there, arriving, replaced);
        case DataType::kInt16:
            return IntegerAtomic<DataType::kInt16>(mode.kind, mode.overflow, there, arriving, replaced);
        case DataType::kInt32:
            return IntegerAtomic<DataType::kInt32>(mode.kind, mode.overflow, there, arriving, replaced);
        default: break;
    }
    if (mode.kind == AtomicMode::Kind::kAdd) return FloatSum(mode.type, there, arriving, mode.overflow, replaced);
    return FloatExtreme(mode, there, arriving, replaced);
}

}  // namespace

void Store(const AtomicMode& mode, Bytes& image, uint64_t at, uint32_t bits, uint64_t value, bool* replaced) {
    if (mode.kind != AtomicMode::Kind::kNone) value = AtomicResult(mode, Get(image, at, 0, bits), value, replaced);
    Put(image, at, 0, bits, value);
}

}  // namespace sfumato::oracle
