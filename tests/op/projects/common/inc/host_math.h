// SPDX-License-Identifier: Apache-2.0
// Integer helpers of the tiling functions.
#ifndef PROJECTS_COMMON_HOST_MATH_H
#define PROJECTS_COMMON_HOST_MATH_H
#include <cstdint>

namespace op_common {
inline int64_t CeilDiv(int64_t a, int64_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
inline int64_t CeilAlign(int64_t a, int64_t b) { return CeilDiv(a, b) * b; }
inline int64_t FloorAlign(int64_t a, int64_t b) { return a / b * b; }
}  // namespace op_common
#endif
