// SPDX-License-Identifier: Apache-2.0
// Ranks in reports.
#include "runtime/world/rank_texts.h"

#include <fmt/format.h>

#include <algorithm>

namespace sfumato::runtime {

std::string NameRanks(std::span<const uint32_t> ranks, size_t most) {
    std::string names = ranks.size() == 1 ? "rank " : "ranks ";
    for (size_t i = 0; i < ranks.size() && i < most; ++i) names += fmt::format("{}{}", i ? ", " : "", ranks[i]);
    if (ranks.size() > most) names += fmt::format(" and {} more", ranks.size() - most);
    return names;
}

std::string TextOfRanks(const std::vector<std::pair<uint32_t, std::string>>& texts, size_t most_named) {
    std::vector<std::pair<std::string, std::vector<uint32_t>>> groups;
    for (const auto& [rank, text] : texts) {
        const auto same = std::ranges::find(groups, text, [](const auto& group) { return group.first; });
        if (same != groups.end()) {
            same->second.push_back(rank);
        } else {
            groups.push_back({text, {rank}});
        }
    }
    constexpr size_t kMostGroups = 6;
    std::string all;
    for (size_t i = 0; i < groups.size() && i < kMostGroups; ++i)
        all += fmt::format("{}{}: {}", i ? "; " : "", NameRanks(groups[i].second, most_named), groups[i].first);
    if (groups.size() > kMostGroups) all += fmt::format("; and {} more", groups.size() - kMostGroups);
    return all;
}

}  // namespace sfumato::runtime
