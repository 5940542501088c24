// SPDX-License-Identifier: Apache-2.0
// What made each end of a record as late as it is: a tree whose leaves are the latest of every pipe. Only what several
// leaves share, or one leads to, is kept; chains are folded to sums, so that it stays small.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "sfumato/estimate.h"
#include "timing/event.h"

namespace sfumato::timing {

constexpr TimedPipe Timed(isa::Pipe pipe) { return static_cast<TimedPipe>(pipe); }
static_assert(Timed(isa::Pipe::kFix) == TimedPipe::kFix && isa::kPipeCount == static_cast<int>(TimedPipe::kOtherCores));

class Path {
public:
    using Node = uint32_t;
    static constexpr Node kStart = 0;  // the cores begin
    static constexpr size_t kSpent = static_cast<size_t>(Spent::kCount);
    struct Step {
        TimedPipe pipe{};
        uint32_t line = 0;
        bool assumed = false;
        std::array<float, kSpent> spent{};
        float& At(Spent on) { return spent[static_cast<size_t>(on)]; }
    };
    struct Sums {
        std::array<std::array<double, kSpent>, static_cast<size_t>(TimedPipe::kCount)> by_pipe{};
        std::map<uint32_t, double> by_line;
        double assumed = 0;
        void Add(const Step& step);
        void Add(const Sums& sums);
    };

    Path();
    Node Add(Node after, const Step& step);
    // The latest slice of a timeline on the way to a node; 0: none.
    uint32_t SliceOf(Node node) const { return nodes_[node].slice; }
    void SetSlice(Node node, uint32_t slice) { nodes_[node].slice = slice; }
    bool WantsFolding() const { return nodes_.size() > fold_at_; }
    // Keeps what leads to these; they become other nodes.
    void Fold(const std::vector<Node*>& leaves);
    Sums To(Node node) const;

private:
    struct Entry {
        Node after;
        uint32_t sums;  // a folded chain; 0: the step
        uint32_t slice;
        Step step;
    };
    std::vector<Entry> nodes_, before_;  // as they were before they were folded: room for the next time
    std::vector<Sums> sums_;
    size_t fold_at_ = kSmall;
    static constexpr size_t kSmall = 1 << 12;  // they stay in the cache of a core
};

}  // namespace sfumato::timing
