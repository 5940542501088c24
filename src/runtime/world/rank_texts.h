// SPDX-License-Identifier: Apache-2.0
// How reports name ranks, and tell what is true of each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sfumato::runtime {

// Ranks by number, at most `most`: "rank 3", "ranks 0, 1 and 6 more".
std::string NameRanks(std::span<const uint32_t> ranks, size_t most = 8);

// What is true of ranks, each text once: "ranks 0, 2: waiting; rank 1: ended; and 3 more".
std::string TextOfRanks(const std::vector<std::pair<uint32_t, std::string>>& texts, size_t most_named = 8);

}  // namespace sfumato::runtime
