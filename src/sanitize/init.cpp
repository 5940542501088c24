// SPDX-License-Identifier: Apache-2.0
// What the cores of a launch share: the shadow of global memory, and what outputs hold at the end.
#include "sanitize/init.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sanitize/init_core.h"

namespace sfumato::sanitize {
namespace {

// Content that came with the allocation is defined. Of memory nobody said more about, blocks that hold the fill pattern
// and nothing else are unwritten (decided: no page knows a host's intentions).
Shadow::State Initial(GmRole role) {
    switch (role) {
        case GmRole::kInput:
        case GmRole::kInOut: return Shadow::State::kDefined;
        case GmRole::kOutput:
        case GmRole::kWorkspace: return Shadow::State::kUndefined;
        case GmRole::kUnknown: break;
    }
    return Shadow::State::kUnseen;
}

// Of an array, and of what lies behind it: nobody's padding, and bytes of the longer array it is a part of.
std::unique_ptr<Shadow> MakeShadow(const GmAllocation& a, uint8_t fill) {
    const uint64_t end = a.bytes + std::max(a.padding, a.others);
    auto shadow = std::make_unique<Shadow>(end, Initial(a.role), a.base, fill);
    if (a.others != 0) shadow->Define({a.bytes, a.bytes + a.others});
    for (uint64_t i = a.others; i < a.padding; ++i) {
        const isa::Span byte{a.bytes + i, a.bytes + i + 1};
        a.padding_written >> i & 1 ? shadow->Define(byte) : shadow->Undefine(byte);
    }
    return shadow;
}

}  // namespace

InitDetector::InitDetector(const LaunchView& launch) : launch_(launch) {
    for (const GmAllocation& a : launch.gm) gm_.push_back(a.live ? MakeShadow(a, launch.gm_fill) : nullptr);
}

std::unique_ptr<events::CoreListener> InitDetector::Begin(const events::Place& place, events::Tell tell) {
    if (!launch_.checks.Has(Check::kInit)) tell = [](const Report&) {};
    auto core = std::make_unique<InitCore>(*this, place, std::move(tell));
    std::lock_guard lock(mutex_);
    cores_[place.order] = core.get();
    return core;
}

std::vector<Report> InitDetector::Finish(bool clean) {
    std::vector<Report> reports;
    if (!clean || !launch_.checks.Has(Check::kInit)) return reports;
    std::set<uint32_t> told;
    for (size_t i = 0; i < gm_.size(); ++i) {
        if (!gm_[i] || launch_.gm[i].role == GmRole::kWorkspace) continue;
        Shadow& shadow = *gm_[i];
        shadow.ForEachTainted([&](isa::Span chunk) {
            chunk.end = std::min(chunk.end, launch_.gm[i].bytes);
            for (uint64_t at = chunk.begin; at < chunk.end; at += isa::kBlockBytes) {
                const uint32_t origin = shadow.Origin(at);
                if (origin == 0 || told.count(origin)) continue;
                if (shadow.Defined({at, std::min(chunk.end, at + isa::kBlockBytes)})) continue;
                told.insert(origin);
                if (auto store = origins_.At(origin).store) reports.push_back(*std::move(store));
            }
        });
    }
    return reports;
}

}  // namespace sfumato::sanitize
