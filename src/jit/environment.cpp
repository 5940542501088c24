// SPDX-License-Identifier: Apache-2.0
// The library's facts for people, from the layers that own them.
#include "sfumato/environment.h"

#include "exec/exec.h"
#include "sfumato/findings.h"
#include "soc/facts.h"

namespace sfumato {

namespace {
ChipInfo InfoOf(const soc::Chip& c) {
    ChipInfo info{c.name,
                  c.title,
                  c.arch,
                  c.ascendc,
                  c.tik,
                  c.split_cores,
                  c.vector_only,
                  c.supports_infnan,
                  c.board_overflow,
                  c.event_ids,
                  c.buffers_per_position,
                  {},
                  0,
                  0,
                  {},
                  {}};
    for (int m = 0; m < isa::kMemoryCount; ++m) {
        const uint64_t bytes = c.memory_bytes[static_cast<size_t>(m)];
        if (bytes) info.memories.emplace_back(isa::Name(static_cast<isa::Memory>(m)), bytes);
    }
    for (const soc::ConversionRow& row : c.conversions) {
        ++(row.api == isa::Api::kAscendC ? info.ascendc_conversions : info.tik_conversions);
    }
    for (const soc::Product& p : c.products) info.products.push_back({p.name, p.cube_cores, p.vector_cores});
    info.facts = soc::AllFacts(c);
    return info;
}
}  // namespace

std::vector<ChipInfo> Chips() {
    std::vector<ChipInfo> chips;
    for (const soc::Chip& c : soc::Families()) chips.push_back(InfoOf(c));
    return chips;
}

ChipInfo ChipOf(const std::string& name) { return InfoOf(soc::FindChip(name)); }

std::vector<std::string> SimdTargets() { return exec::Targets(); }
std::string CurrentSimdTarget() { return exec::CurrentTarget(); }
std::string Version() { return ThisTool().version; }

}  // namespace sfumato
