// SPDX-License-Identifier: Apache-2.0
// Accesses of two ranks that nothing orders, until it is known which of them are flags and polls.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "report/rules.h"
#include "sanitize/ranks/rank_store.h"
#include "sfumato/report.h"

namespace sfumato::sanitize {

// One of two accesses, as a report names it.
struct RankSide {
    RankSlot slot;
    std::string core;
    const RankSite* site = nullptr;
    Access::Kind kind = Access::Kind::kRead;
    isa::Pipe pipe = isa::Pipe::kS;
    uint64_t tick = 0, index = 0;           // of its instruction
    std::shared_ptr<RankStore> store = {};  // of a store: what is known of it

    bool Reads() const { return kind == Access::Kind::kRead; }
};

struct RankPair {
    Rule rule;
    RankSide earlier, later;
    uint32_t region;
    isa::Span bytes;
    std::string of;                  // the region's name
    bool polled = false;             // polls read these bytes
    bool hosts = false;              // hosts may have ordered the two by means that nobody sees
    const RankSite* flag = nullptr;  // between the two; or one of the storing core that the reading rank waited for
};

class RankPairs {
public:
    void Add(RankPair pair);
    // A read that was given older bytes came back.
    void CameBack(RankSlot reader, const RankStore& store);
    // Whether the store was kept from a read of the core, and from this very read.
    enum class Kept : uint8_t { kNo, kOther, kThis };
    Kept IsKept(RankSlot reader, const RankSite* site, isa::Span read, const RankStore& store) const;
    // It is kept from it.
    void Keep(isa::Span read, RankPair pair);
    // All that were added; nothing is left.
    std::vector<RankPair> Take();

private:
    struct Opened {
        isa::Span read;
        RankPair pair;
    };
    using Key = std::tuple<std::string, uint32_t, std::string, uint32_t>;
    std::vector<RankPair> pairs_;
    std::map<Key, uint32_t> kept_;  // of two sites
    std::vector<Opened> open_;
};

// Those that are told: each rule once for two sites. told: what has been.
using RankTold = std::set<std::tuple<bool, Rule, std::string, uint32_t, std::string, uint32_t>>;
std::vector<Report> RankReports(const std::vector<RankPair>& pairs, RankTold& told);

}  // namespace sfumato::sanitize
