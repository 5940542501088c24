// SPDX-License-Identifier: Apache-2.0
// Block counts, lengths, gaps and padding of moves (framework.md 3.3, 3.4); stores of the scalar unit.
#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::Blocks;
using isa::Memory;
using isa::MovePad;
using isa::Record;

constexpr uint32_t kMaxBlockCount = 4095;
constexpr uint64_t kMaxUnits = 65535;  // of a length or a gap
constexpr uint64_t kMaxPaddedBlockBytes = 2097151;
constexpr uint64_t kMaxGmGapBytes = 0xFFFFFFFF;  // of a padded move, where there are no padding modes

bool IsTik(const Record& r) { return r.api == isa::Api::kTik; }
bool IsPadded(const Record& r) { return r.form() == isa::Form::kMovePad; }
// TIK gives the lengths and gaps of plain moves in blocks of 32 bytes. The bias table counts in 64.
bool CountsBlocks(const Record& r) { return IsTik(r) && !IsPadded(r) && r.dst().memory != Memory::kBt; }

const char* LengthName(const Record& r) {
    const bool tensor_mov = std::string_view(isa::CallName(r)) == "tensor_mov";
    return Spelling(r, "blockLen", tensor_mov ? "burst_len" : "burst");
}

const char* GapName(const Record& r, int operand) {
    if (!IsTik(r)) return isa::OperandName(r, operand);
    return IsPadded(r) ? (operand == 0 ? "dst_gap" : "src_gap") : (operand == 0 ? "dst_stride" : "src_stride");
}

// What lengths and gaps in a memory count in (framework.md 3.3, 3.7).
uint64_t UnitOf(Memory memory) {
    return memory == Memory::kBt ? 64 : memory == Memory::kFb ? 128 : uint64_t{isa::kBlockBytes};
}

SFUMATO_COLD bool BlockCount(const Record& r, const Blocks& m, const Context& c) {
    return Tell(r, c,
                {Rule::kBlockCountRange, Spelling(r, "blockCount", "nburst"), "the number of blocks is out of range",
                 fmt::format("{}", m.block_count), "0..4095", "split the move"});
}

SFUMATO_COLD bool BlockLength(const Record& r, const Context& c, uint64_t bytes, uint64_t most, uint64_t unit) {
    if (CountsBlocks(r)) {
        return Tell(r, c,
                    {Rule::kBlockLengthRange, LengthName(r), "the length of a burst is not legal",
                     fmt::format("{}", bytes / isa::kBlockBytes),
                     fmt::format("0..{} units of 32 bytes", most / isa::kBlockBytes), "move more than one burst"});
    }
    return Tell(r, c,
                {Rule::kBlockLengthRange, LengthName(r), "the length of a block is not legal",
                 fmt::format("{} bytes", bytes), fmt::format("0..{} bytes, a multiple of {}", most / unit * unit, unit),
                 IsPadded(r) ? std::string("the length is in bytes: move whole elements, and split longer blocks")
                             : fmt::format("the length is in units of {} bytes: split longer blocks", unit)});
}

SFUMATO_COLD bool Nothing(const Record& r, const Blocks& m, const Context& c) {
    const bool count = m.block_count == 0;
    const char* operand = count ? Spelling(r, "blockCount", "nburst") : LengthName(r);
    return Tell(
        r, c,
        {Rule::kMoveNothing, operand, "nothing is moved", "0", "1 or more to move data",
         CountsBlocks(r) ? "check how the value is computed; a burst counts whole blocks of 32 bytes"
                         : "check how the length is computed; a length below one block of 32 bytes counts as 0"});
}

// What the gaps on the side of an operand may be.
struct Gaps {
    uint64_t most, unit;
    uint64_t back = 0;  // bytes that a block may begin before the one in front of it ends
};

std::string GapText(const Gaps& gaps) {
    return fmt::format("gaps of {}..{} bytes{}", -static_cast<int64_t>(gaps.back), gaps.most,
                       gaps.unit > 1 ? fmt::format(" in units of {}", gaps.unit) : "");
}

SFUMATO_COLD bool Gap(const Record& r, const Context& c, int operand, uint64_t pitch, uint64_t bytes,
                      const Gaps& gaps) {
    const bool heads = r.dst().memory == Memory::kFb;
    const uint64_t most = gaps.most, unit = gaps.unit;
    if (IsTik(r)) {
        return Tell(
            r, c,
            {Rule::kGapRange, GapName(r, operand), "the gap between bursts is out of range",
             fmt::format("{}", (pitch - bytes) / unit),
             unit > 1 ? fmt::format("0..{} units of {} bytes", most / unit, unit) : fmt::format("0..{} bytes", most),
             "the gap counts from the end of a burst to the start of the next"});
    }
    return Tell(r, c,
                {Rule::kGapRange, GapName(r, operand), "the gap between blocks is out of range",
                 fmt::format("{} bytes from block to block, blocks of {} bytes", static_cast<int64_t>(pitch), bytes),
                 GapText(gaps),
                 heads ? "the gap counts from the start of a block to the start of the next"
                       : "the gap counts from the end of a block to the start of the next"});
}

bool CheckGap(const Record& r, const Blocks& m, const Context& c, int operand) {
    const uint64_t pitch = operand == 0 ? m.dst_pitch : m.src_pitch;
    const Memory memory = r.operand[static_cast<size_t>(operand)].memory;
    uint64_t bytes = isa::MoveBlockBytes(r, m, operand);
    Gaps gaps{kMaxUnits * UnitOf(memory), UnitOf(memory)};
    if (const auto* padded = r.If<MovePad>()) {
        if (memory == Memory::kGm) {
            const bool wide = c.chip->padding_modes;
            // The source may go back as far as its block, which is then read again.
            gaps = {wide ? isa::kMostGmStride : kMaxGmGapBytes, 1, wide && operand != 0 ? bytes : 0};
        } else if (padded->compact) {
            return true;  // it has no gaps
        } else {
            // A block of a padded move starts on a 32-byte block in UB, also when UB is the source.
            bytes = RoundUpTo(bytes, isa::kBlockBytes);
        }
    }
    // The gaps of the Fixpipe buffer count from head to head, 0 stays on the block.
    const uint64_t least = r.dst().memory == Memory::kFb ? 0 : bytes - gaps.back;
    if (pitch >= least && pitch - least <= gaps.most + gaps.back && pitch % gaps.unit == 0) return true;
    return Gap(r, c, operand, pitch, bytes, gaps);
}

// What may go to the bias table and the Fixpipe buffer (framework.md 3.7). half becomes float.
bool CheckTableTypes(const Record& r, const Context& c) {
    const DataType src = r.src0().type, dst = r.dst().type;
    const bool bias = r.dst().memory == Memory::kBt;
    if (bias ? (dst == DataType::kFloat && (src == DataType::kHalf || src == dst)) ||
                   (dst == DataType::kInt32 && src == dst)
             : dst == DataType::kUint64 && src == dst) {
        return true;
    }
    return Tell(r, c,
                {Rule::kTypeUnsupported, "dst", "the element types are not supported on this path",
                 fmt::format("{} to {} in {}", TypeName(r, src), TypeName(r, dst), isa::Name(r.dst().memory)),
                 bias ? fmt::format("{0} to {1}, {1} to {1}, {2} to {2}", TypeName(r, DataType::kHalf),
                                    TypeName(r, DataType::kFloat), TypeName(r, DataType::kInt32))
                      : fmt::format("{0} to {0}", TypeName(r, DataType::kUint64)),
                 "convert the data first, or view it as a legal type"});
}

SFUMATO_COLD bool PadRange(const Record& r, const MovePad& m, const Context& c) {
    return Tell(
        r, c,
        {Rule::kPadRange,
         m.left > m.right ? Spelling(r, "leftPadding", "left_padding") : Spelling(r, "rightPadding", "right_padding"),
         "the padding is too long", fmt::format("{} elements left, {} right", m.left, m.right),
         fmt::format("0..{} elements of {} (32 bytes)", 32 / BytesOf(r.dst().type, 1), TypeName(r, r.dst().type)),
         "pad at most one block of 32 bytes on each side"});
}

SFUMATO_COLD bool PadValue(const Record& r, const MovePad& m, const Context& c) {
    return Tell(
        r, c,
        {Rule::kPadValue64, Spelling(r, "paddingValue", "padding_value"), "64-bit elements can only be padded with 0",
         fmt::format("{:#x}", m.pad_value), "0", "pad with 0, or view the data as a 32-bit type"});
}

SFUMATO_COLD bool PadToGm(const Record& r, const MovePad& m, const Context& c) {
    return Tell(r, c,
                {Rule::kPadToGm, "dst", "a move to global memory takes no padding",
                 fmt::format("{} elements left, {} right", m.left, m.right), "0 and 0", "leave the padding out"});
}

SFUMATO_COLD bool PadUndefined(const Record& r, const MovePad& m, const Context& c) {
    return Tell(r, c,
                {Rule::kPadUndefined, Spelling(r, "isPad", "padding_value"), "the pads hold undefined bytes",
                 fmt::format("{} elements left, {} right, {}", m.left, m.right,
                             Spelling(r, "isPad false", "no value for them")),
                 Spelling(r, "isPad true with a paddingValue, or SetPadValue before it", "a number"),
                 Spelling(r, "set isPad", "give padding_value")});
}

bool CheckPad(const Record& r, const MovePad& m, const Context& c) {
    const uint64_t size = BytesOf(r.dst().type, 1);
    if (r.dst().memory == Memory::kGm) return (!m.is_pad && m.left == 0 && m.right == 0) || PadToGm(r, m, c);
    if (m.left * size > isa::kBlockBytes || m.right * size > isa::kBlockBytes) return PadRange(r, m, c);
    if (m.is_pad && size == 8 && m.pad_value != 0) return PadValue(r, m, c);
    return m.pad_defined || (m.left == 0 && m.right == 0) || PadUndefined(r, m, c);
}

}  // namespace

bool CheckAtomic(const Record& r, const Context& c) {
    if (!isa::IsAtomic(r) || r.dst().type == r.control.atomic_type) return true;
    return Tell(r, c,
                {Rule::kAtomicType, "dst", "the element type is not the one of the atomic mode",
                 TypeName(r, r.dst().type), TypeName(r, r.control.atomic_type),
                 Spelling(r, "call SetAtomicNone before it, or set the atomic mode for this type",
                          "call set_atomic_add(0) before it, or set the mode for this type")});
}

bool Check(const Record& r, const Blocks& m, const Context& c) {
    const Memory dst = r.dst().memory;
    const bool table = dst == Memory::kBt || dst == Memory::kFb;
    if (table ? !CheckPath(r, c) || !CheckTableTypes(r, c) : !CheckTypes(r, c) || !CheckPath(r, c)) return false;
    if (m.block_count > kMaxBlockCount) [[unlikely]]
        return BlockCount(r, m, c);
    const uint64_t unit = IsPadded(r) ? BytesOf(r.dst().type, 1) : UnitOf(dst);
    const uint64_t most = IsPadded(r) ? kMaxPaddedBlockBytes : kMaxUnits * unit;
    const uint64_t bytes = table ? isa::MoveBlockBytes(r, m, 0) : m.block_bytes;
    if (bytes > most || bytes % unit) [[unlikely]]
        return BlockLength(r, c, bytes, most, unit);
    if (m.block_count == 0 || m.block_bytes == 0) [[unlikely]] {
        Nothing(r, m, c);
        return false;
    }
    const auto* padded = r.If<MovePad>();
    if (padded && !CheckPad(r, *padded, c)) return false;
    if (!CheckAtomic(r, c)) return false;
    for (int i = 0; i < 2; ++i) {
        if (m.block_count > 1 && !CheckGap(r, m, c, i)) return false;
        if (!CheckRange(r, c, i, isa::SpanOf(r, i))) return false;
    }
    return CheckMoveOverlap(r, m, c);
}

bool Check(const Record& r, const isa::ScalarStore&, const Context& c) {
    return CheckTypes(r, c) && CheckScalarMemory(r, c) && CheckRange(r, c, 0, isa::SpanOf(r, 0));
}

}  // namespace sfumato::check
