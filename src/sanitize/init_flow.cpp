// SPDX-License-Identifier: Apache-2.0
// From records to how undefined bits go through their form; bits; atomic stores.
#include "sanitize/init_flow.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "isa/touched.h"

namespace sfumato::sanitize {
namespace {

void Dispatch(const Flow& flow) {
    VisitForm(flow.record, [&](const auto& parameters) { Flows(flow, parameters); });
}

// A stored element depends on what was there.
void PropagateAtomic(const Flow& flow) {
    isa::Record plain = flow.record;
    plain.control.atomic = isa::Atomic::kNone;
    const isa::Span hull = SpanOf(flow.record, 0);
    uint8_t* memory = flow.Memory(0);
    const std::vector<uint8_t> before(memory + hull.begin, memory + hull.end);
    Dispatch({plain, flow.data, flow.shadow, flow.defined});
    const uint64_t size = BytesOf(flow.record.control.atomic_type, 1);
    ForEachRun(flow.record, 0, nullptr, [&](const isa::Span& run) {
        for (uint64_t at = run.begin; at < run.end; at += size) {
            const uint64_t n = std::min(size, run.end - at);
            const auto undefined = [](uint8_t byte) { return byte != 0; };
            const uint8_t* old = before.data() + (at - hull.begin);
            const bool any =
                std::any_of(old, old + n, undefined) || std::any_of(memory + at, memory + at + n, undefined);
            std::memset(memory + at, any ? 0xFF : 0, n);
        }
    });
}

}  // namespace

bool AnyUndefined(const uint8_t* shadow, uint64_t at, uint32_t bits) {
    const uint8_t* byte = shadow + at / 8;
    switch (bits) {
        case 8: return *byte != 0;
        case 16: return (byte[0] | byte[1]) != 0;
        case 32: return (byte[0] | byte[1] | byte[2] | byte[3]) != 0;
        case 64: return std::any_of(byte, byte + 8, [](uint8_t b) { return b != 0; });
    }
    return ((*byte >> (at % 8)) & ((1u << bits) - 1)) != 0;
}

void SetUndefined(uint8_t* shadow, uint64_t at, uint32_t bits, bool undefined) {
    uint8_t* byte = shadow + at / 8;
    if (bits >= 8) {
        std::memset(byte, undefined ? 0xFF : 0, bits / 8);
        return;
    }
    const auto mask = static_cast<uint8_t>(((1u << bits) - 1) << (at % 8));
    *byte = static_cast<uint8_t>(undefined ? *byte | mask : *byte & ~mask);
}

void Propagate(const Flow& flow) { isa::IsAtomic(flow.record) ? PropagateAtomic(flow) : Dispatch(flow); }

// Never undefined, or no data.
void Flows(const Flow&, const isa::ScalarStore&) {}
void Flows(const Flow&, const isa::BlockFill&) {}
void Flows(const Flow&, const isa::Flag&) {}
void Flows(const Flow&, const isa::Barrier&) {}
void Flows(const Flow&, const isa::CrossFlag&) {}

}  // namespace sfumato::sanitize
