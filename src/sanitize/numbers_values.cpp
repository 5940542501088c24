// SPDX-License-Identifier: Apache-2.0
// Scans and words for elements.
#include "sanitize/numbers_values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "numeric/convert.h"

namespace sfumato::sanitize {
int64_t IntegerOf(DataType t, uint64_t bits) {
    switch (t) {
        case DataType::kInt4: return static_cast<int64_t>(bits << 60) >> 60;
        case DataType::kInt8: return static_cast<int8_t>(bits);
        case DataType::kInt16: return static_cast<int16_t>(bits);
        case DataType::kInt32: return static_cast<int32_t>(bits);
        default: return static_cast<int64_t>(bits);
    }
}

double ValueOf(DataType t, uint64_t bits) {
    if (t == DataType::kUint64) return static_cast<double>(bits);
    if (!IsFloating(t)) return static_cast<double>(IntegerOf(t, bits));
    if (t == DataType::kHalf) {
        bits = numeric::Convert(DataType::kHalf, DataType::kFloat, Rounding::kNone, Overflow::kInfNan, bits).bits;
    } else if (t == DataType::kBfloat16) {
        bits <<= 16;
    }
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

std::string Show(DataType t, uint64_t bits) {
    if (t == DataType::kUint64) return fmt::format("{}", bits);
    if (!IsFloating(t)) return fmt::format("{}", IntegerOf(t, bits));
    const auto value = static_cast<float>(ValueOf(t, bits));
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string LargestOf(DataType t) { return Show(t, InfinityOf(t) - 1); }

}  // namespace sfumato::sanitize
