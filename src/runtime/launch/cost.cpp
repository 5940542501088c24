// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/cost.h"

#include <algorithm>

#include "isa/touched.h"

namespace sfumato::runtime {
namespace {

uint64_t BytesTouched(const isa::Record& record, int operand) {
    uint64_t bytes = 0;
    // What offsets in UB reach is no matter here: they are those of operands in UB.
    isa::ForEachRun(record, operand, nullptr, [&](const isa::Span& run) { bytes += run.end - run.begin; });
    return bytes;
}

}  // namespace

void Cost::Executed(const trace::Place&, const isa::Record& record) {
    LaunchCost cost;
    for (int i = 0; i < record.operand_count; ++i) {
        const isa::Operand& operand = record.operand[static_cast<size_t>(i)];
        if (operand.memory == isa::Memory::kGm) {
            (i == 0 ? cost.bytes_gm_written : cost.bytes_gm_read) += BytesTouched(record, i);
        } else if (record.pipe == isa::Pipe::kV) {
            cost.vector_elements = std::max(cost.vector_elements, BytesTouched(record, i) * 8 / BitsOf(operand.type));
        }
    }
    if (const auto* matmul = record.If<isa::Matmul>()) cost.mac = uint64_t{matmul->m} * matmul->k * matmul->n;
    std::lock_guard lock(mutex_);
    total_.bytes_gm_read += cost.bytes_gm_read;
    total_.bytes_gm_written += cost.bytes_gm_written;
    total_.vector_elements += cost.vector_elements;
    total_.mac += cost.mac;
}

void Cost::Touched(const trace::Place&, const isa::Record* record, const trace::Touch& touch) {
    if (record != nullptr || touch.memory != isa::Memory::kGm) return;
    std::lock_guard lock(mutex_);
    (touch.write ? total_.bytes_gm_written : total_.bytes_gm_read) += touch.bytes.end - touch.bytes.begin;
}

}  // namespace sfumato::runtime
