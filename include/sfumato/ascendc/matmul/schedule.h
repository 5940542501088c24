// SPDX-License-Identifier: Apache-2.0
// Orders of a Matmul's work: words of kernels and of host code (adv.md 2.3, 3.3).
#pragma once

#include <cstdint>

namespace AscendC {

enum class IterateOrder : uint8_t { ORDER_M, ORDER_N, UNDEF };
enum class ScheduleType : uint8_t { INNER_PRODUCT, OUTER_PRODUCT, N_BUFFER_33 };

}  // namespace AscendC
