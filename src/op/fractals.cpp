// SPDX-License-Identifier: Apache-2.0
#include "op/fractals.h"

namespace sfumato::op {
namespace {

constexpr int64_t kRows = 16;

}  // namespace

int64_t FractalColumns(int type) {
    const uint32_t bits = TypeBits(type);
    return bits == 0 ? 16 : 256 / bits;
}

std::vector<int64_t> NzShape(const std::vector<int64_t>& origin, int64_t columns) {
    const int64_t m = origin.end()[-2], n = origin.end()[-1];
    std::vector<int64_t> shape(origin.begin(), origin.end() - 2);
    shape.insert(shape.end(), {(n + columns - 1) / columns, (m + kRows - 1) / kRows, kRows, columns});
    return shape;
}

std::vector<int64_t> OriginOf(const Spec& spec) {
    if (!spec.origin.empty()) return spec.origin;
    const std::vector<int64_t>& shape = spec.shape;
    if (spec.format != kFractalNz || shape.size() < 4) return shape;
    std::vector<int64_t> origin(shape.begin(), shape.end() - 4);
    origin.insert(origin.end(), {shape.end()[-3] * shape.end()[-2], shape.end()[-4] * shape.end()[-1]});
    return origin;
}

}  // namespace sfumato::op
