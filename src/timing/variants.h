// SPDX-License-Identifier: Apache-2.0
// Models of one launch that each leave a cause out, side by side with the one that has all: for the gains of hints.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "timing/hints.h"
#include "timing/model.h"

namespace sfumato::timing {

class Variants final : public trace::Observer {
public:
    // setup: of a model of the launch, anew for each.
    explicit Variants(const std::function<Model::Setup()>& setup);

    // After the last core. base: of the model that has all.
    std::vector<TimeHint> Finish(const TimeEstimate& base);

    void LaunchBegun(const trace::LaunchFacts& facts) override;
    void BlockBegun(const trace::Place& place) override;
    void BlockEnded(const trace::Place& place) override;
    void Issued(const trace::Place& place, const isa::Record& record) override;
    void Accessed(const trace::Place& place, isa::Memory memory, uint32_t allocation, isa::Span bytes,
                  bool write) override;
    void Awaits(const trace::Place& place, uint64_t counter, uint64_t at_least, bool takes) override;
    void Raises(const trace::Place& place, uint64_t counter) override;
    void CacheHint(const trace::Place& place, uint32_t allocation, bool cached) override;
    bool HasRoom(const trace::Place& place) const override;

private:
    Tally tally_;
    std::vector<std::unique_ptr<Model>> models_;  // from the first cause on
};

}  // namespace sfumato::timing
