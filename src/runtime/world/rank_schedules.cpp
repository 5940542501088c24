// SPDX-License-Identifier: Apache-2.0
// The names of schedules of ranks (ranks.md 4.7).
#include "runtime/world/rank_schedules.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/cores/number_behind.h"
#include "sfumato/report.h"

namespace sfumato::runtime {
namespace {

constexpr uint32_t kMostSkewed = 8, kSeedsOfAll = 8, kMostSeedsOfAll = 65535;
using Kind = RankOrder::Kind;

RankSchedule Seed(uint64_t seed) {
    const std::string name = fmt::format("seed:{}", seed);
    return {name, {Kind::kSeed, seed}, name};
}

RankSchedule Skew(uint64_t rank) { return {fmt::format("skew:{}", rank), {Kind::kSkew, rank}, "eager"}; }

std::vector<RankSchedule> EverySkew(uint32_t ranks) {
    std::vector<RankSchedule> all;
    const uint32_t count = std::min(ranks, kMostSkewed);
    for (uint32_t i = 0; i < count; ++i) all.push_back(Skew(count == 1 ? 0 : i * (ranks - 1) / (count - 1)));
    return all;
}

}  // namespace

std::vector<RankSchedule> RankSchedulesOf(const std::string& schedule, uint32_t ranks) {
    if (schedule.empty() || schedule == "eager") return {{"eager", {}, "eager"}};
    if (schedule == "serial" || schedule == "ahead") return {{schedule, {}, schedule}};
    if (schedule == "late") return {{"late", {Kind::kLate, 0}, "late"}};
    if (schedule == "skew") return EverySkew(ranks);
    if (const auto rank = NumberBehind<uint32_t>("skew:", schedule)) {
        if (*rank >= ranks) throw Error(fmt::format("schedule '{}': legal are ranks 0 to {}", schedule, ranks - 1));
        return {Skew(*rank)};
    }
    if (schedule == "torn" || NumberBehind<uint64_t>("torn:", schedule)) return {{schedule, {}, schedule}};
    if (const auto seed = NumberBehind<uint64_t>("seed:", schedule)) return {Seed(*seed)};
    const auto seeds = schedule == "all" ? std::optional(kSeedsOfAll) : NumberBehind<uint32_t>("all:", schedule);
    if (!seeds || *seeds > kMostSeedsOfAll) {
        throw Error(
            fmt::format("unknown schedule '{}' of ranks; legal: eager, serial, late, ahead, skew, skew:R with "
                        "the rank R, torn, torn:N, seed:N, all, all:N with 0 to {} seeds",
                        schedule, kMostSeedsOfAll));
    }
    std::vector<RankSchedule> all = {{"eager", {}, "eager"}, {"late", {Kind::kLate, 0}, "late"}};
    for (RankSchedule& skew : EverySkew(ranks)) all.push_back(std::move(skew));
    all.push_back({"torn", {}, "torn"});
    for (uint32_t seed = 1; seed <= *seeds; ++seed) all.push_back(Seed(seed));
    return all;
}

}  // namespace sfumato::runtime
