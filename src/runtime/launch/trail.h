// SPDX-License-Identifier: Apache-2.0
// The trail of a run: which way each core went, and the integers and comparisons it made of real numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "isa/record.h"
#include "events/listener.h"

namespace sfumato::runtime {

// A call in the source. Texts live as long as the kernel.
struct CallPlace {
    const char* call = "";
    Where where;
    bool operator==(const CallPlace& o) const;
    bool operator<(const CallPlace& o) const;
};

class Trail {
public:
    // What feeds it; the trail must outlive the launch.
    std::unique_ptr<events::Listener> Watch();

    // Calls whose last bits no page settles, in the order of their lines; Mmad of real numbers among them.
    struct Site {
        isa::Opcode op;
        CallPlace place;
    };
    const std::vector<Site>& sites() const { return sites_; }
    // Of the operands of Mmad of real numbers.
    const std::set<DataType>& multiplied() const { return multiplied_; }
    // Of what records store there; empty: nothing, or by raw pointers.
    std::set<DataType> TypesInGm(uint32_t allocation) const;

    // How many elements one call makes other ones, of how many.
    struct Flips {
        uint64_t changed = 0, of = 0;
        bool compares = false;
    };
    std::map<CallPlace, Flips> FlipsTo(const Trail& other) const;
    // The first records, of the lowest core, in which the runs differ; a place without a call: that run had ended.
    struct Turn {
        CallPlace here, there;
    };
    std::optional<Turn> TurnTo(const Trail& other) const;

private:
    class Feed;
    class CoreFeed;
    // The result of a conversion to integers, or of a comparison: a bit an element.
    struct Codes {
        uint64_t index;  // of the record
        CallPlace place;
        uint32_t bits;  // of an element
        std::vector<uint8_t> bytes;
    };
    struct OfCore {
        std::vector<CallPlace> steps;
        std::vector<Codes> codes;  // by index, once the core has ended
    };
    void Add(uint64_t core, OfCore trail, const std::vector<Site>& sites, const std::set<DataType>& multiplied,
             const std::map<uint32_t, std::set<DataType>>& stores);

    std::mutex mutex_;
    std::map<uint64_t, OfCore> cores_;
    std::vector<Site> sites_;
    std::set<DataType> multiplied_;
    std::map<uint32_t, std::set<DataType>> stores_;
};

}  // namespace sfumato::runtime
