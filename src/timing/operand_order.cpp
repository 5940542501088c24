// SPDX-License-Identifier: Apache-2.0
#include "timing/operand_order.h"

namespace sfumato::timing {

OperandOrder::Waits OperandOrder::Issue(const isa::Record& record) {
    Waits waits{};
    const auto own = static_cast<size_t>(record.pipe);
    if (own >= recent_.size()) return waits;
    const uint64_t number = ++recent_[own].count;
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        const Touched here{operand.memory, operand.allocation, isa::SpanOf(record, i), isa::IsWritten(record, i),
                           number};
        for (size_t pipe = 0; pipe < recent_.size(); ++pipe) {
            if (pipe == own) continue;
            for (const Touched& there : recent_[pipe].touched) {
                const bool meet = there.memory == here.memory && there.allocation == here.allocation &&
                                  there.bytes.begin < here.bytes.end && here.bytes.begin < there.bytes.end;
                if (meet && (there.written || here.written) && there.number > waits[pipe]) waits[pipe] = there.number;
            }
        }
        Recent& recent = recent_[own];
        if (recent.touched.size() < kRemembered) {
            recent.touched.push_back(here);
        } else {
            recent.touched[recent.next++ % kRemembered] = here;
        }
    }
    return waits;
}

}  // namespace sfumato::timing
