// SPDX-License-Identifier: Apache-2.0
// Looks at many elements at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sfumato/data_type.h"

namespace sfumato::exec {

// Elements of a floating type, and magnitude bits [first, end) that count as inside; end up to 2^15 or 2^31.
struct Elements {
    DataType type;
    const void* at;
    uint64_t first, end;
};

// True if any of the n elements is out of range.
bool AnyOutside(const Elements& elements, size_t n);
// Whether a result is outside whose `count` sources, of any floating types, are all inside.
bool AnyOutsideOfInside(const Elements& result, const Elements* sources, size_t count, size_t n);

enum class Arithmetic : uint8_t { kSum, kDifference, kProduct };
// Whether one of n results of int16 or int32 does not fit its type. b may be null: then the second is the scalar, but
// not of a difference.
bool AnyMisfit(Arithmetic of, DataType type, const void* a, const void* b, int64_t scalar, size_t n);

}  // namespace sfumato::exec
