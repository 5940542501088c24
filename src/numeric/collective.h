// SPDX-License-Identifier: Apache-2.0
// What collectives of several ranks compute, bit by bit (ranks.md 8): sums, products, maxima and minima over ranks, in
// an order that is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sfumato/data_type.h"

namespace sfumato::numeric {

enum class CollectiveOp : uint8_t { kSum, kProd, kMax, kMin };  // numbers as HcclReduceOp
using CollectiveType = DataType;

// In which order the n ranks' elements are put together. The board's is not documented; the first is what we give, the
// others show which bits depend on it.
enum class CollectiveOrder : uint8_t {
    kRank,     // ((x0 + x1) + x2) + ...
    kReverse,  // the same from the last rank on
    kRing,     // chunk c of n: from rank c + 1 on, around; c ends at count * (c + 1) / n
    kTree,     // pairs by halving: the first half of the ranks, of an odd number the larger one, + the second half
    kWide      // as kRank in a wider type, rounded once: half and bfloat16 in float, float in double
};
// "rank", "reverse", "ring", "tree", "wide"; none: another name.
std::optional<CollectiveOrder> CollectiveOrderNamed(const char* name);

// Whether collectives reduce the type by the operation: int8, int16, int32, int64, half, bfloat16, float; kProd neither
// int16 nor bfloat16 (ranks.md 9.2).
bool HasType(CollectiveOp op, CollectiveType type);

// out[i] = x0[i] op x1[i] op ... for i < count, xr being of_ranks[r], each step rounded to nearest even in the type,
// subnormals kept; integers modulo 2^n. Max and min: +0 is above -0, and NaN where there is one. NaN is the quiet one
// without payload (float: 0x7FC00000). One rank: a copy. HasType(op, type) holds; of_ranks is not empty. `out` may be
// one of of_ranks; no buffer need be aligned. chunk: in kRing all elements are of this one.
void Collect(CollectiveOp op, CollectiveType type, std::span<const uint8_t* const> of_ranks, uint8_t* out,
             uint64_t count, CollectiveOrder order = CollectiveOrder::kRank, std::optional<uint32_t> chunk = {});

}  // namespace sfumato::numeric
