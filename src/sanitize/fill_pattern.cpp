// SPDX-License-Identifier: Apache-2.0
// The search for elements nobody wrote.
#include "sanitize/fill_pattern.h"

#include <cstring>

#include "isa/touched.h"

namespace sfumato::sanitize {

const char* SourceOfFill(const isa::Record& record, const isa::MemoryMap& map, uint8_t fill) {
    for (int i = 1; i < record.operand_count; ++i) {
        const isa::Operand& o = record.operand[static_cast<size_t>(i)];
        const uint64_t size = BitsOf(o.type) / 8;
        if (o.memory == isa::Memory::kGm || size < 2) continue;
        bool found = false;
        isa::ForEachRun(record, i, map.base[static_cast<int>(isa::Memory::kUb)], [&](const isa::Span& run) {
            for (uint64_t at = run.begin; at + size <= run.end && !found; at += size) {
                uint64_t bits = 0;
                std::memcpy(&bits, map.base[static_cast<int>(o.memory)] + at, size);
                found = IsFill(o.type, bits, fill);
            }
        });
        if (found) return isa::OperandName(record, i);
    }
    return nullptr;
}

}  // namespace sfumato::sanitize
