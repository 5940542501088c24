// SPDX-License-Identifier: Apache-2.0
// What a history holds of a byte.
#pragma once
#include <algorithm>
#include <tuple>
#include <vector>

#include "sanitize/history.h"

namespace sfumato::sanitize {

inline std::vector<std::tuple<uint64_t, Access::Kind>> All(const Past* past) {
    std::vector<std::tuple<uint64_t, Access::Kind>> all;
    if (!past) return all;
    if (past->written) all.emplace_back(past->write.tick, past->write.kind);
    for (const Access& a : past->others) all.emplace_back(a.tick, a.kind);
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace sfumato::sanitize
