// SPDX-License-Identifier: Apache-2.0
// Calls of the program that issue several records, as slices of a timeline: from the first of its records to the end of
// the last, which may be long after the call has returned.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/timeline.h"

namespace sfumato::trace {

// Rows for calls of one core, in none of which two overlap. A call is placed when it has ended.
class CallRows {
public:
    // depth: of the calls around it.
    uint32_t Place(uint32_t depth, double begin, double end);

private:
    std::vector<std::vector<double>> busy_;  // of a depth: until when each of its rows is taken
};

// Of one core.
class CallScopes {
public:
    using Emit = std::function<void(const Slice&)>;
    // Slices are complete but for their core.
    explicit CallScopes(Emit emit) : emit_(std::move(emit)) {}

    void Begin(std::string_view name, Where where);
    void End();
    // A record was issued: the scope it belongs to, for Placed. 0: none.
    uint32_t Issued(uint64_t index);
    void Placed(uint32_t scope, double begin, double end);
    // The core has ended: nothing more is placed.
    void Close();

private:
    struct Scope {
        std::string name;
        Where where;
        uint32_t parent = 0, depth = 0;
        uint64_t open = 1;  // records and inner calls not yet placed, and itself until it returns
        uint64_t index = 0;
        bool issued = false;
        double begin = std::numeric_limits<double>::infinity(), end = 0;
    };
    void Release(uint32_t scope);

    Emit emit_;
    uint32_t last_ = 0, current_ = 0;
    std::unordered_map<uint32_t, Scope> scopes_;
    CallRows rows_;
};

}  // namespace sfumato::trace
