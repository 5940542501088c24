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

void Cost::Add(const LaunchCost& more) {
    std::lock_guard lock(mutex_);
    total_.bytes_gm_read += more.bytes_gm_read;
    total_.bytes_gm_written += more.bytes_gm_written;
    total_.vector_elements += more.vector_elements;
    total_.mac += more.mac;
}

class Cost::OfCore final : public events::Hears<events::Executed, events::Skipped, events::Accessed> {
public:
    explicit OfCore(Cost& all) : all_(all) {}
    void On(const events::Executed& event) override { Count(event.record); }
    void On(const events::Skipped& event) override { Count(event.record); }
    void On(const events::Accessed& event) override;

private:
    void Count(const isa::Record& record);

    Cost& all_;
};

void Cost::OfCore::Count(const isa::Record& record) {
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
    all_.Add(cost);
}

// Of the scalar unit, whose stores are records where they are no plain references.
void Cost::OfCore::On(const events::Accessed& event) {
    const events::ScalarAccess& access = event.access;
    if (access.memory != isa::Memory::kGm || !access.IsCall()) return;
    LaunchCost cost;
    (access.write ? cost.bytes_gm_written : cost.bytes_gm_read) = access.bytes.end - access.bytes.begin;
    all_.Add(cost);
}

std::unique_ptr<events::CoreListener> Cost::Begin(const events::Place&, events::Tell) {
    return std::make_unique<OfCore>(*this);
}

}  // namespace sfumato::runtime
