// SPDX-License-Identifier: Apache-2.0
// The bytes an operand reaches: its tensor, its buffer, its memory, its allocation in GM.
#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::Memory;
using isa::Operand;
using isa::Record;

std::string Reach(const Record& r, int operand, const isa::Span& span) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    return fmt::format("bytes {}..{} of {}", span.begin, span.end, isa::Name(o.memory));
}

SFUMATO_COLD std::string ShrinkHint(const Record& r, const char* what) {
    const bool tik = r.api == isa::Api::kTik, moves = r.If<isa::Blocks>() != nullptr;
    const bool plain = moves || r.If<isa::Elementwise>() || r.If<isa::ScalarStore>();
    // The unit of a length is what programs get wrong.
    const bool to_table = r.dst().memory == Memory::kBt || r.dst().memory == Memory::kFb;
    const char* parameters = tik && moves   ? "nburst, burst, strides"
                             : tik && plain ? "mask, repeats, strides"
                             : r.op == isa::Opcode::data_move && !to_table
                                 ? "count, or blockCount and blockLen, which counts 32 bytes"
                             : r.op == isa::Opcode::data_move_pad ? "blockCount and blockLen, which counts bytes"
                             : !tik && r.op == isa::Opcode::tensor_mov
                                 ? "blockCount and blockLen, which counts fractals of 16 x 16, or rows of 16"
                             : r.op == isa::Opcode::vreduce && r.mask.mode == isa::MaskMode::kCounter
                                 ? "mask counts the elements of the whole call here, and a repeat's bits begin "
                                   "src1RepeatStride x 32 bytes behind those of the one before"
                             : plain ? "count, mask, repeats, strides"
                                     : "start, sizes, repeats, strides";
    return fmt::format("make the {} larger, or process fewer elements ({})", tik ? "Tensor" : what, parameters);
}

SFUMATO_COLD bool OutOfBuffer(const Record& r, const Context& c, int operand, const isa::Span& span) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const bool write = operand == 0;
    const uint64_t room = o.limit > o.offset ? o.limit - o.offset : 0;
    return Tell(
        r, c,
        {Rule::kOutOfBuffer, isa::OperandName(r, operand),
         fmt::format("{} past the end of the {}", write ? "writes" : "reads", Spelling(r, "tensor's buffer", "Tensor")),
         fmt::format("{}, {} bytes too many", Reach(r, operand, span), span.end - o.limit),
         fmt::format("up to byte {}: {} elements of {} from here", o.limit, room * 8 / BitsOf(o.type),
                     TypeName(r, o.type)),
         ShrinkHint(r, "buffer")});
}

SFUMATO_COLD bool PastMemory(const Record& r, const Context& c, int operand, const isa::Span& span) {
    const Memory memory = r.operand[static_cast<size_t>(operand)].memory;
    return Tell(r, c,
                {Rule::kPastMemory, isa::OperandName(r, operand),
                 fmt::format("{} past the end of {}", operand == 0 ? "writes" : "reads", isa::Name(memory)),
                 Reach(r, operand, span), fmt::format("{} bytes on {}", c.chip->Bytes(memory), c.chip->name),
                 "use less memory, or process the data in parts"});
}

}  // namespace

Finding PastWindow(std::string operand, const GmRange& window, isa::Span bytes, bool write) {
    constexpr uint64_t kMiB = uint64_t{1} << 20;
    const uint64_t needed = (bytes.end + kMiB - 1) / kMiB;
    return {
        Rule::kWindowRange,
        std::move(operand),
        fmt::format("{} past the end of {}", write ? "writes" : "reads", window.name),
        fmt::format("bytes {}..{}, {} bytes too many", bytes.begin, bytes.end, bytes.end - window.bytes),
        fmt::format("the {} bytes of {}", window.bytes, window.name),
        fmt::format("check the offset of the rank's part; windows In and Out of {0} MB would do: HCCL_BUFFSIZE={0}, "
                    "or hcclBufferSize of HcclCommConfig",
                    needed)};
}

namespace {

SFUMATO_COLD bool GmEdge(const Record& r, const Context& c, int operand, const isa::Span& span) {
    const GmRange& gm = c.gm[r.operand[static_cast<size_t>(operand)].allocation];
    const uint64_t over = span.end - gm.bytes;
    const bool write = operand == 0, tik = r.api == isa::Api::kTik;
    if (gm.window) return Tell(r, c, PastWindow(isa::OperandName(r, operand), gm, span, write));
    const auto* blocks = r.form() == isa::Form::kMove ? r.If<isa::Blocks>() : nullptr;
    // The last block of 32 bytes lies across the end, of the array or of its own last block.
    const bool tail = blocks && span.begin < span.end && over < gm.padding + isa::kBlockBytes &&
                      span.end - std::min(span.end, isa::MoveBlockBytes(r, *blocks, operand)) < gm.bytes;
    const bool padding = tail && (!write || (over <= gm.padding && !gm.has_owner));
    const isa::InstructionInfo& pad = Info(isa::Opcode::data_move_pad);
    const bool has_pad = c.chip->Has(r.api, isa::Opcode::data_move_pad);
    return Tell(
        r, c,
        {padding ? Rule::kGmPadding : Rule::kGmOutOfRange, isa::OperandName(r, operand),
         fmt::format("{} past the end of {} in global memory{}", write ? "writes" : "reads", gm.name,
                     !padding             ? ""
                     : over <= gm.padding ? ", inside its last block of 32 bytes"
                                          : ""),
         fmt::format("bytes {}..{} of {}, {} bytes too many{}", span.begin, span.end, gm.name, over,
                     gm.has_owner ? "; others of the array it is a part of lie there" : ""),
         fmt::format("the {} bytes of {}", gm.bytes, gm.name),
         !tail ? std::string(Spelling(r, "check the count, the offset of the block and the size of the argument",
                                      "check the lengths, the strides, the index and the shape of the Tensor"))
         : has_pad
             ? fmt::format("use {} for the tail, or allocate whole blocks of 32 bytes", tik ? pad.tik : pad.ascendc)
             : std::string(write ? "move the last block back to end where the data ends, or allocate whole "
                                   "blocks of 32 bytes"
                                 : "allocate whole blocks of 32 bytes")});
}

SFUMATO_COLD bool PastTensor(const Record& r, const Context& c, int operand, uint64_t elements) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    return Tell(
        r, c,
        {Rule::kPastTensor, isa::OperandName(r, operand),
         fmt::format("{} past the end of the {}", operand == 0 ? "writes" : "reads",
                     Spelling(r, "tensor, inside its buffer", "Tensor")),
         fmt::format("elements 0..{} of {} (bytes 0..{})", elements - 1, TypeName(r, o.type),
                     BytesOf(o.type, elements)),
         fmt::format("{} elements ({} bytes)", o.elements, BytesOf(o.type, o.elements)), ShrinkHint(r, "tensor")});
}

}  // namespace

bool CountExceeds(const Record& r, const Context& c, int operand) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    return Tell(
        r, c,
        {Rule::kCountExceedsTensor, isa::OperandName(r, operand), "the count is larger than the tensor",
         fmt::format("count {}", r.mask.count), fmt::format("at most {}, the elements of the tensor", o.elements),
         "make the tensor larger, or process fewer elements"});
}

bool OutOfRange(const Record& r, const Context& c, int operand, isa::Span span) {
    const Operand& o = r.operand[static_cast<size_t>(operand)];
    const bool counted = r.If<isa::Elementwise>() && r.mask.mode == isa::MaskMode::kCount;
    if (counted && o.elements != 0 && r.mask.count > o.elements) return CountExceeds(r, c, operand);
    if (o.memory == Memory::kGm) {
        if (std::max(span.end, o.offset) > c.gm[o.allocation].bytes) return GmEdge(r, c, operand, span);
    } else {
        if (std::max(span.end, o.offset) > o.limit) return OutOfBuffer(r, c, operand, span);
        if (o.memory != Memory::kRegister && span.end > c.chip->Bytes(o.memory)) return PastMemory(r, c, operand, span);
    }
    if (counted || o.elements == 0) return true;
    const uint64_t touched = ((span.end - o.offset) * 8 + BitsOf(o.type) - 1) >> isa::Log2Bits(o.type);
    return touched <= o.elements || PastTensor(r, c, operand, touched);
}

}  // namespace sfumato::check
