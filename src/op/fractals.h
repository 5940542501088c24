// SPDX-License-Identifier: Apache-2.0
// FRACTAL_NZ: a matrix (..., m, n) lies in memory as (..., n1, m1, 16, n0) (clients.md 6.3).
#pragma once

#include <cstdint>
#include <vector>

#include "sfumato/op.h"

namespace sfumato::op {

constexpr int kFractalNz = 29;  // of ge::Format

// Columns of a fractal: 32 bytes of the type; 16 of what has no size.
int64_t FractalColumns(int type);
// Dimensions in memory of a matrix, which has two dimensions at least.
std::vector<int64_t> NzShape(const std::vector<int64_t>& origin, int64_t columns);
// spec.origin; without one that of whole fractals where the format is FRACTAL_NZ, else the shape.
std::vector<int64_t> OriginOf(const Spec& spec);

}  // namespace sfumato::op
