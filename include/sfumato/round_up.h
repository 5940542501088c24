// SPDX-License-Identifier: Apache-2.0
// Rounding up to whole units, for host code, kernels and the library.
#pragma once

#include <cstdint>
#include <type_traits>

namespace sfumato {

// The first multiple of `unit` from `value` on, in 64 bits with the sign of `value`.
template <class T, class U>
constexpr auto RoundUpTo(T value, U unit) {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    const auto wide = static_cast<Wide>(value), by = static_cast<Wide>(unit);
    return (wide + by - 1) / by * by;
}

}  // namespace sfumato
