// SPDX-License-Identifier: Apache-2.0
// `c ? x : 1.0f` with x of half or bfloat16_t: what compiles kernels wraps both operands where a compiler refuses it.
#pragma once

#include <type_traits>

#include "sfumato/half.h"

namespace sfumato::detail {

// An operand whose other one is of type Other: of their common type where one is a 16-bit float and the other of a
// built-in type, else as it is.
template <class Other, class T>
constexpr auto Chosen(T&& v) -> decltype(auto) {
    using A = std::decay_t<T>;
    using B = std::decay_t<Other>;
    if constexpr (kOperatesWith<A, B> && !std::is_same_v<A, B>) {
        return static_cast<CommonType<A, B>>(v);
    } else {
        return static_cast<T>(static_cast<T&&>(v));
    }
}

}  // namespace sfumato::detail
