// SPDX-License-Identifier: Apache-2.0
// Hulls of operands, registers and words.
#include "events/conflict.h"

#include <algorithm>

#include "isa/spans.h"
#include "isa/vector_registers.h"

namespace sfumato::events {

Accesses::Accesses(const isa::Record& r) {
    const auto operand = [&](int i) {
        const isa::Operand& o = r.operand[static_cast<size_t>(i)];
        Add({o.memory, o.allocation, isa::SpanOf(r, i), isa::IsWritten(r, i), i});
    };
    const bool works = r.operand_count > 2 && isa::IsWritten(r, 2);
    if (r.operand_count > 0) operand(0);
    if (works) operand(2);
    Add({isa::Memory::kRegister, 0, isa::RegisterWritten(r), true});
    for (int i = 1; i < (works ? 2 : r.operand_count); ++i) operand(i);
    Add({isa::Memory::kUb, 0, isa::WordsSpan(r), false});
}

bool Accesses::Conflicts(const Accesses& other) const {
    return std::ranges::any_of(*this, [&](const Access& mine) {
        return std::ranges::any_of(other, [&](const Access& theirs) { return Conflict(mine, theirs); });
    });
}

}  // namespace sfumato::events
