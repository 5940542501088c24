// SPDX-License-Identifier: Apache-2.0
// DataCopy and DataCopyPad to records: units to bytes, the path to its pipe.
#include <fmt/format.h>

#include "frontends/ascendc/context.h"
#include "frontends/ascendc/loop_mode.h"
#include "frontends/ascendc/matmul/tscm.h"

namespace sfumato::ascendc {

using isa::Memory;
using isa::Record;

namespace {

// Units of blockLen and of the gaps by destination (framework.md 3.3, 3.7). head_to_head: a gap counts from the start
// of a block, and 0 takes the same place again.
struct Units {
    uint32_t length = 32, src_gap = 32, dst_gap = 32;
    bool head_to_head = false;
};
constexpr Units UnitsOf(Memory dst) {
    if (dst == Memory::kBt) return {64, 32, 64, false};
    if (dst == Memory::kFb) return {128, 32, 128, true};
    return {};
}

// The page's text on the bias table contradicts itself: with several blocks a gap of 0 would repeat the first one.
bool CheckBiasGap(runtime::Core& core, const MoveCall& call, Memory dst) {
    if (dst != Memory::kBt || call.block_count < 2 || (call.src_gap != 0 && call.dst_gap != 0)) return true;
    return Find(
        core, "DataCopy", call.where,
        {Rule::kBiasGap, call.src_gap == 0 ? "srcGap" : "dstGap",
         "several blocks without a gap to the bias table: the documentation gives two meanings",
         fmt::format("blockCount {}, srcGap {}, dstGap {}", call.block_count, call.src_gap, call.dst_gap),
         "one block; blocks without a gap are taken as contiguous here", "move contiguous data as one longer block"});
}

}  // namespace

void data_move(const MoveCall& call) {
    runtime::Core& core = ThisCore("DataCopy");
    if (mm::IsTscm(call) && mm::MovesToTscm(core, "DataCopy", call, [call](const Ends& ends) {
            MoveCall moved = call;
            static_cast<Ends&>(moved) = ends;
            data_move(moved);
        }))
        return;
    Record r(isa::Opcode::data_move);
    if (!SetEnds(core, "DataCopy", call, &r) || !CheckBiasGap(core, call, r.dst().memory)) return;
    const Units units = UnitsOf(r.dst().memory);
    uint64_t bytes = call.by_count ? BytesOf(call.dst_type, call.block_len) : call.block_len * units.length;
    if (call.by_count && bytes % isa::kBlockBytes != 0) {
        const uint64_t moved = bytes / isa::kBlockBytes * isa::kBlockBytes;
        if (!Find(core, "DataCopy", call.where,
                  {Rule::kCopyTail, "count", "the length is not a multiple of 32 bytes and is rounded down",
                   fmt::format("{} elements of {}, {} bytes", call.block_len, CName(call.dst_type), bytes),
                   fmt::format("a multiple of 32 bytes; {} bytes are moved", moved),
                   core.chip().Has(isa::Api::kAscendC, isa::Opcode::data_move_pad, call.dst_type)
                       ? "use DataCopyPad for the tail, or pad the tensor to 32 bytes"
                       : "let the last copy begin earlier, so that it ends where the data ends, or pad the tensor to "
                         "32 bytes"})) {
            return;
        }
        bytes = moved;
    }
    // The bias table widens half to float: blockLen counts what it receives.
    const bool widens = r.dst().memory == Memory::kBt && call.src_type != call.dst_type;
    const uint64_t src_bytes = widens ? bytes * BitsOf(call.src_type) / BitsOf(call.dst_type) : bytes;
    auto& m = r.As<isa::Blocks>();
    m.block_count = call.block_count;
    m.block_bytes = src_bytes;
    m.src_pitch = (units.head_to_head ? 0 : src_bytes) + static_cast<uint64_t>(call.src_gap) * units.src_gap;
    m.dst_pitch = (units.head_to_head ? 0 : bytes) + static_cast<uint64_t>(call.dst_gap) * units.dst_gap;
    r.control = core.registers().control;
    IssueInLoops(core, r);
}

void data_move_pad(const MoveCall& call) {
    runtime::Core& core = ThisCore("DataCopyPad");
    Record r(isa::Opcode::data_move_pad);
    if (call.compact &&
        !RequireFact(core, "DataCopyPad", &soc::Chip::padding_modes, "move each block with DataCopyPad", call.where))
        return;
    if (!SetEnds(core, "DataCopyPad", call, &r)) return;
    r.control = core.registers().control;
    const uint64_t element = BitsOf(call.dst_type) / 8;
    const bool to_local = r.src0().memory == Memory::kGm;
    const runtime::Registers& regs = core.registers();
    auto& m = r.As<isa::MovePad>();
    m.block_count = call.block_count;
    m.block_bytes = call.block_len;
    m.compact = call.compact;
    if (to_local && !m.compact) {
        m.is_pad = call.is_pad;
        m.left = call.left;
        m.right = call.right;
        m.pad_value = call.is_pad ? call.pad_value : regs.pad_value;
        m.pad_defined = call.is_pad || regs.pad_value_set;
    }
    // Strides are end to start: bytes in GM, blocks of 32 bytes in UB, where a block is padded to 32 bytes, unless they
    // lie there byte to byte.
    const uint64_t padded = (call.block_len + (uint64_t{m.left} + m.right) * element + 31) / 32 * 32;
    const auto local_gap = static_cast<uint64_t>(to_local ? call.dst_gap : call.src_gap) * isa::kBlockBytes;
    const uint64_t local_pitch = m.compact ? call.block_len : padded + local_gap;
    const uint64_t gm_pitch = call.block_len + static_cast<uint64_t>(to_local ? call.src_gap : call.dst_gap);
    m.src_pitch = to_local ? gm_pitch : local_pitch;
    m.dst_pitch = to_local ? local_pitch : gm_pitch;
    IssueInLoops(core, r);
}

}  // namespace sfumato::ascendc
