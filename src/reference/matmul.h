// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "reference/call.h"

namespace sfumato::reference {

struct MatrixSizes {
    int64_t batch, m, k, n;
};
// Of dense matrices, one batch after another.
std::vector<double> Multiplied(const std::vector<double>& a, const std::vector<double>& b, const MatrixSizes& sizes);
// The result is of the type that the factors are computed in, or float32.
void NeedProductType(const Call& c, int type, size_t out);

}  // namespace sfumato::reference
