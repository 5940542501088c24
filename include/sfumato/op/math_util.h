// SPDX-License-Identifier: Apache-2.0
// Ops::Base: division that rounds, as host code writes it. A divisor of 0 leaves the number as it is (assumed).
#pragma once

namespace Ops {
namespace Base {

template <class T>
constexpr T CeilDiv(T x, T y) {
    return y == 0 ? x : static_cast<T>((x + y - 1) / y);
}
template <class T>
constexpr T CeilAlign(T x, T align) {
    return align == 0 ? x : static_cast<T>(CeilDiv(x, align) * align);
}
template <class T>
constexpr T FloorDiv(T x, T y) {
    return y == 0 ? x : static_cast<T>(x / y);
}
template <class T>
constexpr T FloorAlign(T x, T align) {
    return align == 0 ? x : static_cast<T>(x / align * align);
}

}  // namespace Base
}  // namespace Ops
