// SPDX-License-Identifier: Apache-2.0
// The runs of an operand in global memory, apart: what only its core has touched, and the rest.
#pragma once

#include <algorithm>
#include <vector>

#include "isa/touched.h"
#include "sanitize/races.h"

namespace sfumato::sanitize {

class OwnRuns {
public:
    // What lies in parts that no other core has touched is kept there; the rest is in shared(). bytes: of the
    // allocation.
    void Keep(const isa::Record& record, int operand, const Access& access, uint32_t site, uint64_t bytes,
              OwnParts& parts) {
        constexpr uint64_t kPart = OwnParts::kPart;
        shared_.clear();
        isa::ForEachRun(record, operand, nullptr, [&](const isa::Span& run) {
            const uint64_t end = std::min(run.end, bytes);
            for (uint64_t at = run.begin, next; at < end; at = next) {
                next = std::min(end, (at / kPart + 1) * kPart);
                if (parts.Keep({at, next}, access, site)) continue;
                // One run for the judgement, as it is said in reports.
                if (!shared_.empty() && shared_.back().end == at && at != run.begin) {
                    shared_.back().end = next;
                } else {
                    shared_.push_back({at, next});
                }
            }
        });
    }
    const std::vector<isa::Span>& shared() const { return shared_; }

private:
    std::vector<isa::Span> shared_;
};

}  // namespace sfumato::sanitize
