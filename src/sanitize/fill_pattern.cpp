// SPDX-License-Identifier: Apache-2.0
// The search for elements nobody wrote.
#include "sanitize/fill_pattern.h"

#include <cstring>

#include "isa/touched.h"
#include "sanitize/numbers_before.h"
#include "sanitize/numbers_lanes.h"
#include "sanitize/numbers_values.h"

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

bool LimitsWritten(const isa::Record& record, const isa::MemoryMap& map, uint8_t fill) {
    const DataType type = record.dst().type;
    if (!record.If<isa::Elementwise>() || !IsFloating(type)) return true;
    const uint64_t largest = InfinityOf(type) - 1;
    const auto bits_of = [&](int operand, uint64_t at) {
        const isa::Operand& o = record.operand[static_cast<size_t>(operand)];
        return BitsAt(o.type, MemoryOf(o, map).At(at));
    };
    bool written = false;
    ForEachStretch(record, [&](const Stretch& s) {
        for (uint64_t i = 0; i < s.lanes && !written; ++i) {
            if ((bits_of(0, s.at[0] + BytesOf(type, i)) & MagnitudeOf(type)) != largest) continue;
            written = true;
            for (int k = 1; k < record.operand_count; ++k) {
                const DataType from = record.operand[static_cast<size_t>(k)].type;
                if (BitsOf(from) < 16) continue;
                const uint64_t bits = bits_of(k, s.at[static_cast<size_t>(k)] + BytesOf(from, i));
                if (IsFill(from, bits, fill)) written = false;
            }
        }
    });
    return written;
}

}  // namespace sfumato::sanitize
