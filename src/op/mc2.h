// SPDX-License-Identifier: Apache-2.0
// What a tiling function told the server of collective communication, found in the bytes of its tiling data (ranks.md
// 7.4).
#pragma once

#include <string>
#include <vector>

#include "sfumato/report.h"

namespace sfumato::op {

// Warnings about algorithms that the product has not.
std::vector<Report> AlgorithmsOfTiling(const std::string& data, const std::string& product, const std::string& op);

}  // namespace sfumato::op
