// SPDX-License-Identifier: Apache-2.0
// One launch, modelled once for each cause.
#include "timing/variants.h"

#include <algorithm>

namespace sfumato::timing {

Variants::Variants(const std::function<Model::Setup()>& setup) {
    for (size_t cause = 1; cause < static_cast<size_t>(Without::kCount); ++cause) {
        Model::Setup own = setup();
        own.sink = nullptr;
        own.without = static_cast<Without>(cause);
        if (cause == 1) own.tally = &tally_;
        models_.push_back(std::make_unique<Model>(std::move(own)));
    }
}

std::vector<TimeHint> Variants::Finish(const TimeEstimate& base) {
    std::array<double, static_cast<size_t>(Without::kCount)> core_us{base.core_us};
    for (size_t i = 0; i < models_.size(); ++i) core_us[i + 1] = models_[i]->Finish().core_us;
    return tally_.Hints(base, core_us);
}

void Variants::LaunchBegun(const trace::LaunchFacts& facts) {
    for (auto& model : models_) model->LaunchBegun(facts);
}

void Variants::BlockBegun(const trace::Place& place) {
    for (auto& model : models_) model->BlockBegun(place);
}

void Variants::BlockEnded(const trace::Place& place) {
    for (auto& model : models_) model->BlockEnded(place);
}

void Variants::Issued(const trace::Place& place, const isa::Record& record) {
    for (auto& model : models_) model->Issued(place, record);
}

void Variants::Accessed(const trace::Place& place, isa::Memory memory, uint32_t allocation, isa::Span bytes,
                        bool write) {
    for (auto& model : models_) model->Accessed(place, memory, allocation, bytes, write);
}

void Variants::Awaits(const trace::Place& place, uint64_t counter, uint64_t at_least, bool takes) {
    for (auto& model : models_) model->Awaits(place, counter, at_least, takes);
}

void Variants::Raises(const trace::Place& place, uint64_t counter) {
    for (auto& model : models_) model->Raises(place, counter);
}

void Variants::CacheHint(const trace::Place& place, uint32_t allocation, bool cached) {
    for (auto& model : models_) model->CacheHint(place, allocation, cached);
}

bool Variants::HasRoom(const trace::Place& place) const {
    return std::all_of(models_.begin(), models_.end(), [&](const auto& model) { return model->HasRoom(place); });
}

}  // namespace sfumato::timing
