// SPDX-License-Identifier: Apache-2.0
// Block counts, lengths, gaps and padding of moves (framework.md 3.3, 3.4).
#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::Memory;
using isa::Record;

constexpr uint32_t kMaxBlockCount = 4095;
constexpr uint64_t kMaxBlockBytes = 65535 * 32, kMaxPaddedBlockBytes = 2097151;
constexpr uint64_t kMaxGapBytes = 65535 * 32, kMaxPaddedGapBytes = 0xFFFFFFFF;

bool IsTik(const Record& r) { return r.api == isa::Api::kTik; }
bool IsPadded(const Record& r) { return Info(r.op).form == isa::Form::kMovePad; }

SFUMATO_COLD bool BlockCount(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kBlockCountRange, IsTik(r) ? "nburst" : "blockCount", "the number of blocks is out of range",
                 fmt::format("{}", r.move.block_count), "0..4095", "split the move"});
}

SFUMATO_COLD bool BlockLength(const Record& r, const Context& c, uint64_t most, uint64_t unit) {
    return Tell(r, c,
                {Rule::kBlockLengthRange, IsTik(r) ? "burst" : "blockLen", "the length of a block is not legal",
                 fmt::format("{} bytes", r.move.block_bytes),
                 fmt::format("0..{} bytes, a multiple of {}", most / unit * unit, unit),
                 IsPadded(r) ? "the length is in bytes: move whole elements, and split longer blocks"
                             : "the length is in units of 32 bytes: split longer blocks"});
}

SFUMATO_COLD bool Nothing(const Record& r, const Context& c) {
    const bool count = r.move.block_count == 0;
    const char* operand = IsTik(r) ? (count ? "nburst" : "burst") : (count ? "blockCount" : "blockLen");
    return Tell(r, c,
                {Rule::kMoveNothing, operand, "nothing is moved", "0", "1 or more to move data",
                 "check how the length is computed; a length below one block of 32 bytes counts as 0"});
}

SFUMATO_COLD bool Gap(const Record& r, const Context& c, int operand, uint64_t bytes, uint64_t most) {
    const uint64_t pitch = operand == 0 ? r.move.dst_pitch : r.move.src_pitch;
    return Tell(r, c,
                {Rule::kGapRange, isa::OperandName(r, operand), "the gap between blocks is out of range",
                 fmt::format("{} bytes from block to block, blocks of {} bytes", pitch, bytes),
                 fmt::format("gaps of 0..{} bytes{}", most, most == kMaxGapBytes ? " in units of 32" : ""),
                 "the gap counts from the end of a block to the start of the next"});
}

bool CheckGap(const Record& r, const Context& c, int operand) {
    const uint64_t pitch = operand == 0 ? r.move.dst_pitch : r.move.src_pitch;
    uint64_t bytes = isa::MoveBlockBytes(r, operand), most = kMaxGapBytes;
    const bool in_gm = r.operand[static_cast<size_t>(operand)].memory == Memory::kGm;
    if (IsPadded(r)) {
        if (in_gm) most = kMaxPaddedGapBytes;
        // A block of a padded move starts on a 32-byte block in UB, also when UB is the source.
        else
            bytes = (bytes + isa::kBlockBytes - 1) / isa::kBlockBytes * isa::kBlockBytes;
    }
    const bool any_byte = IsPadded(r) && in_gm;
    if (pitch >= bytes && pitch - bytes <= most && (any_byte || pitch % isa::kBlockBytes == 0)) return true;
    return Gap(r, c, operand, bytes, most);
}

SFUMATO_COLD bool PadRange(const Record& r, const Context& c) {
    return Tell(
        r, c,
        {Rule::kPadRange, r.move.left > r.move.right ? "leftPadding" : "rightPadding", "the padding is too long",
         fmt::format("{} elements left, {} right", r.move.left, r.move.right),
         fmt::format("0..{} elements of {} (32 bytes)", 32 / BytesOf(r.dst().type, 1), TypeName(r, r.dst().type)),
         "pad at most one block of 32 bytes on each side"});
}

SFUMATO_COLD bool PadValue(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kPadValue64, "paddingValue", "64-bit elements can only be padded with 0",
                 fmt::format("{:#x}", r.move.pad_value), "0", "pad with 0, or view the data as a 32-bit type"});
}

SFUMATO_COLD bool PadToGm(const Record& r, const Context& c) {
    return Tell(
        r, c,
        {Rule::kPadToGm, "dst", "a move to global memory takes no padding",
         fmt::format("{} elements left, {} right", r.move.left, r.move.right), "0 and 0", "leave the padding out"});
}

SFUMATO_COLD bool PadUndefined(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kPadUndefined, "isPad", "the pads hold undefined bytes",
                 fmt::format("{} elements left, {} right, isPad false", r.move.left, r.move.right),
                 "isPad true with a paddingValue, or SetPadValue before it", "set isPad"});
}

bool CheckPad(const Record& r, const Context& c) {
    const isa::MoveShape& m = r.move;
    const uint64_t size = BytesOf(r.dst().type, 1);
    if (r.dst().memory == Memory::kGm) return (!m.is_pad && m.left == 0 && m.right == 0) || PadToGm(r, c);
    if (m.left * size > isa::kBlockBytes || m.right * size > isa::kBlockBytes) return PadRange(r, c);
    if (m.is_pad && size == 8 && m.pad_value != 0) return PadValue(r, c);
    return m.pad_defined || (m.left == 0 && m.right == 0) || PadUndefined(r, c);
}

}  // namespace

bool CheckMove(const Record& r, const Context& c) {
    if (!CheckTypes(r, c) || !CheckMoveMemory(r, c)) return false;
    const isa::MoveShape& m = r.move;
    if (m.block_count > kMaxBlockCount) [[unlikely]]
        return BlockCount(r, c);
    const uint64_t most = IsPadded(r) ? kMaxPaddedBlockBytes : kMaxBlockBytes;
    const uint64_t unit = IsPadded(r) ? BytesOf(r.dst().type, 1) : isa::kBlockBytes;
    if (m.block_bytes > most || m.block_bytes % unit) [[unlikely]]
        return BlockLength(r, c, most, unit);
    if (m.block_count == 0 || m.block_bytes == 0) [[unlikely]] {
        Nothing(r, c);
        return false;
    }
    if (IsPadded(r) && !CheckPad(r, c)) return false;
    for (int i = 0; i < 2; ++i) {
        if (m.block_count > 1 && !CheckGap(r, c, i)) return false;
        if (!CheckRange(r, c, i, isa::SpanOf(r, i))) return false;
    }
    return CheckMoveOverlap(r, c);
}

}  // namespace sfumato::check
