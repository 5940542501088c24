// SPDX-License-Identifier: Apache-2.0
// The ranges of UB that CheckLocalMemoryIA watches: an access of a chosen kind is a fault (framework.md 4.4).
#pragma once

#include <array>
#include <vector>

#include "report/finding.h"
#include "events/listener.h"

namespace sfumato::runtime {

enum class WatchedUnit : uint8_t { kScalar, kVector, kMove };

struct LocalRange {
    isa::Span bytes;
    std::array<bool, 3> reads{}, writes{};  // by WatchedUnit
    Where where;                            // of the call
};

class LocalWatch final : public events::Hears<events::Executing, events::Accessed, events::CoreEnded> {
public:
    static constexpr size_t kRanges = 4;

    explicit LocalWatch(events::Tell tell) : tell_(std::move(tell)) {}

    // What is issued from `index` on is looked at for the range; null: for none of this number.
    void Set(size_t number, const LocalRange* range, uint64_t index);

    void On(const events::Executing& event) override;
    void On(const events::Accessed& event) override;
    void On(const events::CoreEnded& event) override;

private:
    // A range while it was watched: records from `since` to `until`.
    struct Window {
        size_t number;
        LocalRange range;
        uint64_t since, until = ~uint64_t{0};
    };
    // The window that the access breaks; nullptr: none.
    const Window* Broken(isa::Span bytes, WatchedUnit unit, bool write, uint64_t index) const;
    Report ReportOn(const Window& window, std::string_view call, isa::Span bytes, WatchedUnit unit, bool write,
                    Where where) const;

    void TellAt(uint64_t index, Report report);

    events::Tell tell_;
    std::vector<Window> windows_;
};

}  // namespace sfumato::runtime
