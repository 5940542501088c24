// SPDX-License-Identifier: Apache-2.0
// DataCopy and DataCopyPad to records: units to bytes, the path to its pipe.
#include <fmt/format.h>

#include "frontends/ascendc/context.h"

namespace sfumato::ascendc {
namespace {

using isa::Memory;
using isa::Record;

// framework.md 3.2: GM to a local memory is MTE2, a local memory to GM MTE3, inside UB the vector pipe.
isa::Pipe PipeOf(Memory dst, Memory src) {
    if (src == Memory::kGm) return isa::Pipe::kMte2;
    if (dst == Memory::kGm) return isa::Pipe::kMte3;
    return isa::Pipe::kV;
}

bool SetOperands(runtime::Core& core, const char* call_name, const MoveCall& call, Record* r) {
    r->operand_count = 2;
    r->where = call.where;
    const bool ok_dst = call.dst ? ToOperand(core, call_name, "dst", *call.dst, call.type, call.where, &r->operand[0])
                                 : ToOperand(core, call_name, "dst", call.gm, call.type, call.where, &r->operand[0]);
    if (!ok_dst) return false;
    const bool ok_src = call.src ? ToOperand(core, call_name, "src", *call.src, call.type, call.where, &r->operand[1])
                                 : ToOperand(core, call_name, "src", call.gm, call.type, call.where, &r->operand[1]);
    if (!ok_src) return false;
    r->pipe = PipeOf(r->dst().memory, r->src0().memory);
    return true;
}

}  // namespace

void data_move(const MoveCall& call) {
    runtime::Core& core = ThisCore("DataCopy");
    Record r;
    r.op = isa::Opcode::data_move;
    if (!SetOperands(core, "DataCopy", call, &r)) return;
    uint64_t bytes = call.by_count ? BytesOf(call.type, call.block_len) : call.block_len * isa::kBlockBytes;
    if (call.by_count && bytes % isa::kBlockBytes != 0) {
        const uint64_t moved = bytes / isa::kBlockBytes * isa::kBlockBytes;
        if (!Find(core,
                  {.severity = Severity::kWarning,
                   .rule = "copy-tail",
                   .instruction = "DataCopy",
                   .operand = "count",
                   .message = "the length is not a multiple of 32 bytes and is rounded down",
                   .found = fmt::format("{} elements of {}, {} bytes", call.block_len, CName(call.type), bytes),
                   .legal = fmt::format("a multiple of 32 bytes; {} bytes are moved", moved),
                   .hint = "use DataCopyPad for the tail, or pad the tensor to 32 bytes"},
                  call.where)) {
            return;
        }
        bytes = moved;
    }
    r.move.block_count = call.block_count;
    r.move.block_bytes = bytes;
    r.move.src_pitch = bytes + uint64_t{call.src_gap} * isa::kBlockBytes;
    r.move.dst_pitch = bytes + uint64_t{call.dst_gap} * isa::kBlockBytes;
    core.Issue(r);
}

void data_move_pad(const MoveCall& call) {
    runtime::Core& core = ThisCore("DataCopyPad");
    Record r;
    r.op = isa::Opcode::data_move_pad;
    if (!SetOperands(core, "DataCopyPad", call, &r)) return;
    const uint64_t element = BitsOf(call.type) / 8;
    const bool to_local = r.src0().memory == Memory::kGm;
    const runtime::Registers& regs = core.registers();
    r.move.block_count = call.block_count;
    r.move.block_bytes = call.block_len;
    if (to_local) {
        r.move.is_pad = call.is_pad;
        r.move.left = call.left;
        r.move.right = call.right;
        r.move.pad_value = call.is_pad ? call.pad_value : regs.pad_value;
        r.move.pad_defined = call.is_pad || regs.pad_value_set;
    }
    // Strides are end to start: bytes in GM, blocks of 32 bytes in UB, where a block is padded to 32 bytes.
    const uint64_t padded = (call.block_len + (uint64_t{r.move.left} + r.move.right) * element + 31) / 32 * 32;
    const uint64_t local_gap = uint64_t{to_local ? call.dst_gap : call.src_gap} * isa::kBlockBytes;
    const uint64_t local_pitch = padded + local_gap;
    const uint64_t gm_pitch = call.block_len + (to_local ? call.src_gap : call.dst_gap);
    r.move.src_pitch = to_local ? gm_pitch : local_pitch;
    r.move.dst_pitch = to_local ? local_pitch : gm_pitch;
    core.Issue(r);
}

}  // namespace sfumato::ascendc
