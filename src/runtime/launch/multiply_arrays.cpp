// SPDX-License-Identifier: Apache-2.0
// The product of two arrays of the host by any way that Mmad may add.
#include <algorithm>
#include <limits>
#include <vector>

#include "exec/cube/accumulate.h"
#include "runtime/cores/float_environment.h"
#include "sfumato/launch.h"

namespace sfumato {

std::vector<std::string> WaysToAdd(DataType type) {
    std::vector<std::string> names;
    for (const isa::Accumulation& way : isa::Accumulations(type)) names.push_back(isa::NameOf(way));
    return names;
}

void MultiplyArrays(const ProductOfArrays& p) {
    const runtime::DefaultFloatEnvironment environment;
    const isa::Accumulation way = isa::ParseAccumulation(p.way, "order");
    exec::SlowSum sum(way, 256 / BitsOf(p.type), p.saturate);
    const uint64_t of_call = p.k_of_call == 0 ? p.k : p.k_of_call;
    for (uint64_t row = 0; row < p.m; ++row) {
        for (uint64_t column = 0; column < p.n; ++column) {
            float& c = p.c[row * p.n + column];
            for (uint64_t first = 0; first < p.k; first += of_call) {
                c = sum.Add(std::min(of_call, p.k - first), p.a + row * p.k + first, p.b + first * p.n + column, p.n,
                            c);
            }
            if (c != c) c = std::numeric_limits<float>::quiet_NaN();
        }
    }
}

}  // namespace sfumato
