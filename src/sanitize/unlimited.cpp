// SPDX-License-Identifier: Apache-2.0
// A record once more, with its results elsewhere.
#include "sanitize/unlimited.h"

#include <algorithm>

#include "isa/spans.h"
#include "isa/touched.h"
#include "isa/vector_registers.h"

namespace sfumato::sanitize {

using isa::Memory;

Unlimited::Unlimited(const isa::Record& record, const Before& before, const isa::MemoryMap& map, size_t allocations,
                     const ExecuteRecord& execute) {
    const isa::Span hull = isa::SpanOf(record, 0);
    origin_ = hull.begin;
    isa::Record plain = record;
    plain.control.overflow = Overflow::kInfNan;
    bytes_.resize(hull.end - hull.begin);
    if (before.saved()) bytes_ = before.bytes();
    const Bytes written = MemoryOf(record.dst(), map);
    isa::MemoryMap elsewhere = map;
    const uint8_t* const own_registers = map.base[static_cast<int>(Memory::kRegister)];
    std::vector<uint8_t> registers(own_registers, own_registers + isa::kVectorRegisterBytes);
    elsewhere.base[static_cast<int>(Memory::kRegister)] = registers.data();
    if (record.dst().memory == Memory::kGm) {
        // Other cores see global memory: the stores go to the copy.
        std::vector<uint8_t*> gm(map.gm, map.gm + allocations);
        gm[record.dst().allocation] = bytes_.data() - origin_;
        elsewhere.gm = gm.data();
        execute(plain, elsewhere);
        return;
    }
    // Sources lie in the same memory, at places of their own: the results change places for a moment. A work tensor
    // gets back what it had.
    const bool works = record.operand_count > 2 && isa::IsWritten(record, 2);
    const isa::Span work = works ? isa::SpanOf(record, 2) : isa::Span{};
    const std::vector<uint8_t> kept(written.At(work.begin), written.At(work.end));
    std::swap_ranges(bytes_.begin(), bytes_.end(), written.At(hull.begin));
    execute(plain, elsewhere);
    std::ranges::copy(kept, written.At(work.begin));
    std::swap_ranges(bytes_.begin(), bytes_.end(), written.At(hull.begin));
}

}  // namespace sfumato::sanitize
