// SPDX-License-Identifier: Apache-2.0
// What a launch rests on where no page decides: the readings of chips/behaviours.toml and of the chip's tables that it
// used (docs/contract.md).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "events/listener.h"
#include "sanitize/launch_view.h"
#include "sfumato/report.h"
#include "soc/behaviours.h"

namespace sfumato::sanitize {

// Finds nothing; counts.
class Rests final : public events::Listener {
public:
    explicit Rests(const LaunchView& launch);

    bool WantsOnChip() const override { return true; }
    std::unique_ptr<events::CoreListener> Begin(const events::Place& place, events::Tell tell) override;

    // Once the cores have ended. findings: of the launch, in order; some show a reading.
    std::vector<Reading> Readings(const std::vector<Report>& findings) const;

private:
    friend class CoreRests;

    // Of a core or of all: the first use, and how many.
    struct Uses {
        uint64_t order = 0, index = 0;
        Where where;
        uint64_t count = 0;
    };
    // A behaviour by its place in the data, or a claim of the chip's tables: kClaims + (operation, types).
    using Which = uint32_t;
    static constexpr Which kClaims = 1u << 31;
    static constexpr Which kOfTik = 1u << 30;     // a behaviour of all programs of TIK
    static constexpr Which kOfRecord = 1u << 29;  // the record of a board
    // What an operation may rest on.
    struct Candidates {
        std::vector<Which> behaviours;
        std::vector<std::pair<Rule, Which>> of_rules;  // that findings show
        bool claims = false;
    };

    static Which ClaimOf(const isa::Record& record);
    Reading Describe(Which which, isa::Api api) const;

    const soc::Chip& chip_;
    const soc::BoardRecord* record_;  // null: none
    std::function<bool(const isa::Record&)> decided_by_record_;
    const soc::Behaviours& data_ = soc::ReadBehaviours();
    Candidates candidates_[2][isa::kOpcodeCount];
    std::map<std::string, std::vector<Which>, std::less<>> of_call_;
    bool IsOpen(const soc::Behaviour& behaviour) const;
    std::mutex mutex_;
    std::map<std::pair<std::string, uint64_t>, Uses> uses_;  // by call, and Api << 32 | Which
    std::set<Rule> rules_of_records_;                        // that came with a record
};

}  // namespace sfumato::sanitize
