// SPDX-License-Identifier: Apache-2.0
// What a call of host code says: its log, its warnings, its fault.
#pragma once

#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "report/finding.h"
#include "sfumato/op/log.h"

namespace sfumato::op {

// A struct of tiling data that SetDataPtr joined to a buffer.
struct Mirrored {
    const void* data;
    size_t bytes;
    void* to;
    bool Overlaps(const void* begin, size_t count) const {
        const auto at = reinterpret_cast<uintptr_t>(begin), mine = reinterpret_cast<uintptr_t>(data);
        return at < mine + bytes && mine < at + count;
    }
};

struct Said {
    std::string chip;             // family
    std::string module;           // file of the code; empty: that of the registration
    Rule rule = Rule::kOpTiling;  // of host code that does not come back
    bool strict = false;
    std::string log;                   // every line
    std::vector<RelatedPlace> errors;  // lines of errors and warnings, in order
    std::vector<Report> findings;
    std::optional<Report> fault;  // the first, even if the host code caught it
    // The latest call that returned nullptr for what is absent; empty: none did.
    std::string null_call;
    Where null_where;
    std::vector<Mirrored> mirrors;
};

// That of the call which this thread runs; nullptr outside of one.
Said* CurrentSaid();

class SayTo {
public:
    explicit SayTo(Said& said);
    ~SayTo();
    SayTo& operator=(SayTo&&) = delete;

private:
    Said* before_;
};

// Throws KernelError.
[[noreturn]] void Fault(Finding finding, std::string_view call, Where where);
// A warning or note: kept once for each place. Under strict a warning is a fault.
void Warn(Finding finding, std::string_view call, Where where);

// A type's name as C++ writes it.
std::string NameOf(const std::type_info& type);

}  // namespace sfumato::op
