// SPDX-License-Identifier: Apache-2.0
// The oracle's scaled conversions and its functions on whole arrays.
#include "oracle/conversion_oracle.h"

#include <array>
#include <utility>

namespace sfumato::oracle {
namespace {

template <DataType T>
using Storage = std::conditional_t<
    BitsOf(T) <= 8, uint8_t,
    std::conditional_t<BitsOf(T) == 16, uint16_t, std::conditional_t<BitsOf(T) == 32, uint32_t, uint64_t>>>;

template <DataType src, DataType dst, Rounding mode>
void ConvertArray(const void* from, void* to, size_t n) {
    const auto* in = static_cast<const Storage<src>*>(from);
    auto* out = static_cast<Storage<dst>*>(to);
    for (size_t i = 0; i < n; ++i) out[i] = static_cast<Storage<dst>>(ConvertIeee<src, dst, mode>(in[i]));
}

constexpr int kRoundingCount = static_cast<int>(Rounding::kCount);

struct Row {
    Pair pair;
    std::array<ArrayFunction, kRoundingCount> function;
};

template <DataType src, DataType dst, size_t... modes>
constexpr Row MakeRow(std::index_sequence<modes...>) {
    return {{src, dst}, {&ConvertArray<src, dst, static_cast<Rounding>(modes)>...}};
}
template <DataType src, DataType dst>
constexpr Row kRow = MakeRow<src, dst>(std::make_index_sequence<kRoundingCount>());

using enum DataType;
constexpr Row kRows[] = {
    kRow<kInt4, kHalf>,      kRow<kInt8, kHalf>,      kRow<kUint8, kHalf>,     kRow<kInt16, kUint8>,
    kRow<kInt16, kHalf>,     kRow<kInt16, kFloat>,    kRow<kHalf, kInt4>,      kRow<kHalf, kInt8>,
    kRow<kHalf, kUint8>,     kRow<kHalf, kInt16>,     kRow<kHalf, kInt32>,     kRow<kHalf, kFloat>,
    kRow<kBfloat16, kInt32>, kRow<kBfloat16, kFloat>, kRow<kInt32, kInt16>,    kRow<kInt32, kInt64>,
    kRow<kInt32, kFloat>,    kRow<kFloat, kHalf>,     kRow<kFloat, kBfloat16>, kRow<kFloat, kInt16>,
    kRow<kFloat, kInt32>,    kRow<kFloat, kInt64>,    kRow<kFloat, kFloat>,    kRow<kInt64, kInt32>,
    kRow<kInt64, kFloat>,    kRow<kHalf, kBfloat16>,  kRow<kBfloat16, kHalf>,  kRow<kInt4, kBfloat16>,
    kRow<kInt4, kInt16>,     kRow<kInt8, kInt16>,     kRow<kInt8, kInt32>,     kRow<kUint8, kUint16>,
    kRow<kUint8, kUint32>,   kRow<kInt16, kInt4>,     kRow<kInt16, kInt32>,    kRow<kInt16, kUint32>,
    kRow<kUint16, kUint8>,   kRow<kUint16, kUint32>,  kRow<kInt32, kUint8>,    kRow<kInt32, kUint16>,
    kRow<kUint32, kUint8>,   kRow<kUint32, kInt16>,   kRow<kUint32, kUint16>,
};

template <DataType T>
bool SaturateAll(void* results, size_t n) {
    auto* p = static_cast<uint16_t*>(results);
    bool changed = false;
    for (size_t i = 0; i < n; ++i) {
        const auto s = static_cast<uint16_t>(Saturated<T>(p[i]));
        changed |= s != p[i];
        p[i] = s;
    }
    return changed;
}

}  // namespace

uint64_t ConvertInt32ToHalfIeee(int32_t value, uint16_t scale_bits) {
    using H = Grid<kHalf>;
    const int64_t ordinal = scale_bits & 0x7FFF;
    const bool negative = (value < 0) != ((scale_bits & H::kSign) != 0);
    if (ordinal > H::kLast || (ordinal == H::kLast && value == 0)) return H::kNan;
    if (ordinal == H::kLast) return InfinityAt<kHalf>(negative);
    const Exact scale = H::Value(scale_bits & H::kSign ? -ordinal : ordinal);
    return BitsAt<kHalf>(Round<H, Rounding::kRint>({value * scale.m, scale.e}), negative);
}

uint64_t ConvertInt16Deq(DataType dst, int16_t value, uint64_t word) {
    using F = Grid<kFloat>;
    using Clip = IntegerGrid<-256, 255>;
    const uint64_t scale_bits = word & 0xFFFFE000;
    const bool negative = (value < 0) != ((scale_bits & F::kSign) != 0);
    const int64_t ordinal = static_cast<int64_t>(scale_bits & ~F::kSign);
    int64_t r = 0;
    if (ordinal > F::kLast || (ordinal == F::kLast && value == 0)) {
        r = 0;  // NaN
    } else if (ordinal == F::kLast) {
        r = negative ? Clip::kFirst : Clip::kLast;
    } else {
        const Exact scale = F::Value(scale_bits & F::kSign ? -ordinal : ordinal);
        const int64_t p = Round<F, Rounding::kRint>({value * scale.m, scale.e});
        r = Round<Clip, Rounding::kRint>(F::Value(p));  // infinity's ordinal reads as 2^128, which clips alike
    }
    const int64_t offset_field = static_cast<int64_t>(word >> 37 & 0x1FF);
    const int64_t sum = r + (offset_field < 256 ? offset_field : offset_field - 512);
    if (dst == kInt8) return BitsAt<kInt8>(std::clamp<int64_t>(sum, -128, 127), false);
    return BitsAt<kUint8>(std::clamp<int64_t>(sum, 0, 255), false);
}

const std::vector<Pair>& Pairs() {
    static const std::vector<Pair> pairs = [] {
        std::vector<Pair> all;
        for (const Row& row : kRows) all.push_back(row.pair);
        return all;
    }();
    return pairs;
}

ArrayFunction FindArrayFunction(DataType src, DataType dst, Rounding mode) {
    for (const Row& row : kRows) {
        if (row.pair.src == src && row.pair.dst == dst) return row.function[static_cast<size_t>(mode)];
    }
    return nullptr;
}

bool SaturateArray(DataType dst, void* results, size_t n) {
    if (dst == kHalf) return SaturateAll<kHalf>(results, n);
    if (dst == kBfloat16) return SaturateAll<kBfloat16>(results, n);
    return false;
}

}  // namespace sfumato::oracle
