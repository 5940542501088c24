// SPDX-License-Identifier: Apache-2.0
// The estimated timeline as one that is written: rows, waits, arrows, rates of the shared ports.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "timing/timeline.h"
#include "trace/call_scopes.h"
#include "trace/timeline.h"

namespace sfumato::timing {

class Drawing final : public TimelineSink {
public:
    Drawing(trace::TimelineSink* to, uint32_t blocks) : to_(to), blocks_(blocks) {}

    bool WantsText() const override { return true; }
    void Begun(const TimelineFacts&) override;
    void Core(const trace::Place&) override;
    void Took(const Slice&) override;
    void Linked(const Arrow&) override;
    void Flow(const Rates&) override;
    void Scope(uint64_t core, const trace::Slice& call) override;
    void Ended(Cycles total) override;

private:
    // The latest slices of a row, and arrows to what comes next in it.
    struct Row {
        static constexpr size_t kKept = 32;
        struct Piece {
            Cycles begin = 0, end = 0;
            bool waits = false;
            // Whether an arrow to `at` leads here: to the end of a wait, or to work that could begin only then.
            bool Takes(Cycles at) const { return (waits ? end : begin) >= at; }
        };
        std::array<Piece, kKept> latest;
        size_t count = 0;
        struct Waiting {
            trace::Point from;
            Cycles at;
            std::string name;
        };
        std::vector<Waiting> into;
        const Piece* Source(Cycles at) const;
        const Piece* Target(Cycles at) const;
    };
    // Means of the rates over a stretch, so that their number does not follow that of the transfers.
    struct Mean {
        static constexpr Cycles kStretch = 500;
        const char* name;
        double now = 0, sum = 0, told = -1;
    };
    Row& RowAt(uint64_t core, trace::Row row) { return rows_[core * trace::kRows + static_cast<uint64_t>(row)]; }
    void Point(const Row::Waiting& arrow, uint64_t core, trace::Row row, const Row::Piece& to);
    void AdvanceRates(Cycles to);

    trace::TimelineSink* to_;
    double gbs_ = 1;  // GB/s of a byte a cycle
    const uint32_t blocks_;
    std::unordered_map<uint64_t, Row> rows_;
    std::array<Mean, 2> means_{{{"GM GB/s"}, {"L2 GB/s"}}};
    Cycles rates_at_ = 0, stretch_ = 0;
};

}  // namespace sfumato::timing
