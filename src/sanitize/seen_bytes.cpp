// SPDX-License-Identifier: Apache-2.0
// Moves that may be polls.
#include "sanitize/seen_bytes.h"

#include <array>
#include <cstring>

#include "isa/racy.h"
#include "isa/spans.h"
#include "sanitize/polls.h"

namespace sfumato::sanitize {

void SeenBytes::Put(const isa::Record& record, const isa::MemoryMap& memory, uint8_t* seen, const LaunchView& launch) {
    if (record.operand_count != 2 || record.src0().memory != isa::Memory::kGm) return;
    const isa::Span from = isa::SpanOf(record, 1), to = isa::SpanOf(record, 0);
    const uint64_t bytes = from.end - from.begin;
    if (isa::Info(record.form()).rest == isa::Rest::kBlock && bytes == to.end - to.begin) {
        std::memcpy(memory.Address(record.dst()) + (to.begin - record.dst().offset), seen, bytes);
        return;
    }
    std::array<uint8_t, MostPolled(true)> now;
    isa::CopyRacy(now.data(), memory.gm[record.src0().allocation] + from.begin, bytes);
    if (std::memcmp(now.data(), seen, bytes) == 0 || !launch.execute) return;
    // Once more, from those bytes.
    gm_.assign(memory.gm, memory.gm + launch.gm.size());
    gm_[record.src0().allocation] = seen - from.begin;
    isa::MemoryMap with_seen = memory;
    with_seen.gm = gm_.data();
    launch.execute(record, with_seen);
}

}  // namespace sfumato::sanitize
