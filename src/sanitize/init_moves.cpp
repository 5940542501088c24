// SPDX-License-Identifier: Apache-2.0
// Undefined bits through records that move data: the record itself, executed on the shadow. What it adds, as padding,
// is defined.
#include <cstring>
#include <vector>

#include "exec/exec.h"
#include "isa/spans.h"
#include "isa/vector_registers.h"
#include "sanitize/init_flow.h"

namespace sfumato::sanitize {
namespace {

using isa::Record;

void MoveShadow(const Record& record, const isa::MemoryMap& shadow) { exec::Execute(record, shadow); }

// Offsets and bits that choose keep their values while the record runs on the shadow.
void MoveShadowBy(const Flow& flow, int chooser) {
    const isa::Span span = SpanOf(flow.record, chooser);
    const uint64_t bytes = span.end - span.begin;
    uint8_t* shadow = flow.Memory(chooser) + span.begin;
    const std::vector<uint8_t> kept(shadow, shadow + bytes);
    std::memcpy(shadow, flow.Data(chooser) - flow.record.operand[static_cast<size_t>(chooser)].offset + span.begin,
                bytes);
    MoveShadow(flow.record, flow.shadow);
    // Unless the record has written there.
    const isa::Span dst = SpanOf(flow.record, 0);
    for (uint64_t i = 0; i < bytes; ++i) {
        if (span.begin + i < dst.begin || span.begin + i >= dst.end) shadow[i] = kept[i];
    }
}

template <class Parameters>
void MoveShadowPadded(const Flow& flow, Parameters parameters) {
    Record record = flow.record;
    parameters.pad_value = 0;
    record.Set(parameters);
    MoveShadow(record, flow.shadow);
}

}  // namespace

void Flows(const Flow& flow, const isa::Blocks& m) {
    const Record& r = flow.record;
    if (BitsOf(r.src0().type) == BitsOf(r.dst().type) || r.dst().memory != isa::Memory::kBt) {
        return MoveShadow(r, flow.shadow);
    }
    // The bias table takes half as float (cube.md 4).
    const uint64_t from_size = BytesOf(r.src0().type, 1), to_size = BytesOf(r.dst().type, 1);
    for (uint64_t block = 0; block < m.block_count; ++block) {
        for (uint64_t i = 0; i < m.block_bytes / from_size; ++i) {
            const uint8_t* from = flow.Bits(1) + block * m.src_pitch + i * from_size;
            SetUndefined(flow.Bits(0) + block * m.dst_pitch + i * to_size, 0, BitsOf(r.dst().type),
                         AnyUndefined(from, 0, BitsOf(r.src0().type)));
        }
    }
}

void Flows(const Flow& flow, const isa::MovePad& m) {
    Record record = flow.record;
    isa::MovePad shape = m;
    shape.pad_value = m.pad_defined ? 0 : ~uint64_t{0};
    shape.pad_defined = true;
    record.Set(shape);
    MoveShadow(record, flow.shadow);
}

void Flows(const Flow& flow, const isa::RegisterMove&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::VectorFunction& function) {
    const auto fill = [&](const isa::VectorFunction::Runs& touched, int bits) {
        for (uint32_t i = 0; i < touched.count; ++i) {
            const isa::Span& run = touched.runs[i];
            std::memset(flow.Memory(0) + run.begin, bits, run.end - run.begin);
        }
    };
    fill(function.written, 0);
    fill(function.undefined, 0xFF);
}
void Flows(const Flow& flow, const isa::Broadcast&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::Padding&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::Gather&) { MoveShadowBy(flow, 2); }
void Flows(const Flow& flow, const isa::GatherBlocks&) { MoveShadowBy(flow, 2); }
void Flows(const Flow& flow, const isa::Scatter&) { MoveShadowBy(flow, 2); }
void Flows(const Flow& flow, const isa::GatherMask& s) {
    s.pattern ? MoveShadow(flow.record, flow.shadow) : MoveShadowBy(flow, 2);
    std::memset(flow.Register(isa::kRsvdCount.at), 0, isa::kRsvdCount.bytes);  // the number itself
}
void Flows(const Flow& flow, const isa::TransposeSquares&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::TransposeBlocks&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::TransposeChannels&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::ProposalField&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::Nd2Nz&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::Dn2Nz&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::NdDma& s) { MoveShadowPadded(flow, s); }
void Flows(const Flow& flow, const isa::Nz2Nd&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::Load2D&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::LoadTransposed&) { MoveShadow(flow.record, flow.shadow); }
void Flows(const Flow& flow, const isa::Load3Dv1& s) { MoveShadowPadded(flow, s); }
void Flows(const Flow& flow, const isa::Load3Dv2& s) { MoveShadowPadded(flow, s); }

}  // namespace sfumato::sanitize
