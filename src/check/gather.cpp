// SPDX-License-Identifier: Apache-2.0
// Brcb, Gather, Gatherb, Scatter, GatherMask and BilinearInterpolation (vector_instructions.md 4.2, 5, 12): the rules
// known at issue, and those that depend on offsets and bits in UB.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <vector>

#include "check/parameters.h"

namespace sfumato::check {
namespace {

using isa::Form;
using isa::MaskMode;
using isa::Operand;
using isa::Record;

// The operand that offsets lead into.
int Reached(const Record& r) { return r.form() == Form::kScatter ? 0 : 1; }
// Offsets that lead to blocks of 32 bytes, dense whatever the mask says: how many a repeat has. 0: to elements.
uint64_t BlocksPerRepeat(const Record& r) {
    if (r.form() == Form::kGatherBlocks) return isa::kBlocksPerRepeat;
    const auto* s = r.If<isa::Interpolate>();
    return s ? uint64_t{s->horizontal} * isa::kBlocksPerRepeat : 0;
}
// Bytes that one offset reaches, and what it must be a multiple of.
uint64_t Piece(const Record& r) { return BlocksPerRepeat(r) ? isa::kBlockBytes : BytesOf(r.dst().type, 1); }
// What is added to every offset.
uint64_t Base(const Record& r) {
    const auto* s = r.If<isa::Offsets>();
    return s ? s->base : 0;
}

const char* BaseName(const Record& r) {
    return Spelling(r, r.form() == Form::kScatter ? "dstBaseAddr" : "srcBaseAddr", "base_addr");
}

SFUMATO_COLD bool BaseAlignment(const Record& r, const Context& c, uint64_t base) {
    const uint64_t unit = Piece(r);
    return Tell(r, c,
                {Rule::kGatherAlignment, BaseName(r), fmt::format("{} is not a multiple of {}", BaseName(r), unit),
                 fmt::format("{}", base), fmt::format("a multiple of {} bytes", unit),
                 "hardware moves such an address without a word"});
}

// `index` is the place among the offsets.
SFUMATO_COLD bool OffsetFault(const Record& r, const Context& c, Rule rule, uint64_t index, uint64_t offset,
                              const std::string& message, const std::string& legal, const char* hint) {
    return Tell(r, c,
                {rule, isa::OperandName(r, 2), message,
                 fmt::format("offset {} at index {} of {}", offset, index, isa::OperandName(r, 2)), legal, hint});
}

SFUMATO_COLD bool OffsetOutside(const Record& r, const Context& c, uint64_t index, uint64_t offset) {
    const Operand& o = r.operand[static_cast<size_t>(Reached(r))];
    const uint64_t base = Base(r);
    const uint64_t room = o.limit - std::min(o.limit, o.offset + base);
    const uint64_t last = room < Piece(r) ? 0 : room - Piece(r);
    return OffsetFault(r, c, Rule::kGatherOffset, index, offset,
                       fmt::format("an offset leads past the end of {}{}", Spelling(r, "the buffer of ", ""),
                                   isa::OperandName(r, Reached(r))),
                       room < Piece(r) ? std::string(Spelling(r, "none: the base address lies behind the buffer",
                                                              "none: base_addr lies behind its end"))
                                       : fmt::format("0..{} bytes", last),
                       "offsets count bytes, not elements");
}

SFUMATO_COLD bool PastReached(const Record& r, const Context& c, uint64_t index, uint64_t offset) {
    const int reached = Reached(r);
    const Operand& o = r.operand[static_cast<size_t>(reached)];
    return OffsetFault(r, c, Rule::kPastTensor, index, offset,
                       fmt::format("{} past the end of {}", reached == 0 ? "writes" : "reads",
                                   Spelling(r, "the tensor, inside its buffer", "the Tensor")),
                       fmt::format("{} elements ({} bytes)", o.elements, BytesOf(o.type, o.elements)),
                       "offsets count bytes, not elements");
}

SFUMATO_COLD bool Twice(const Record& r, const Context& c, uint64_t index, uint64_t offset) {
    return OffsetFault(r, c, Rule::kScatterTwice, index, offset,
                       "two elements go to the same place; the last one stays", "different offsets",
                       "make the offsets different, or add the elements up before");
}

// Where the offset at hand leads, against the operand it leads into.
class Offsets {
public:
    Offsets(const Record& r, const Context& c)
        : r_(r),
          c_(c),
          reached_(r.operand[static_cast<size_t>(Reached(r))]),
          base_(Base(r)),
          piece_(Piece(r)),
          room_(reached_.limit - std::min(reached_.limit, reached_.offset + base_)),
          tensor_(reached_.elements == 0 ? ~uint64_t{0} : BytesOf(reached_.type, reached_.elements)),
          most_(c.chip->narrow_gather_offsets && piece_ < 4 ? uint64_t{1} << (15 + piece_) : uint64_t{1} << 32) {
        if (r.form() == Form::kScatter) taken_.resize(room_ / piece_ + 1);
    }

    bool Check(uint64_t index, uint64_t offset) {
        if (offset % piece_ != 0) [[unlikely]] {
            return OffsetFault(r_, c_, Rule::kGatherAlignment, index, offset,
                               fmt::format("an offset is not a multiple of {}", piece_),
                               fmt::format("a multiple of {} bytes", piece_), "offsets count bytes, not elements");
        }
        if (offset + piece_ > room_) [[unlikely]]
            return OffsetOutside(r_, c_, index, offset);
        if (offset >= most_) [[unlikely]] {
            return OffsetFault(
                r_, c_, Rule::kGatherOffset, index, offset,
                fmt::format("{} does not take an offset as large", c_.chip->name),
                fmt::format("0..{} bytes for elements of this type", most_ - 1),
                Spelling(r_, "move the base address, or split the call", "move base_addr, or split the call"));
        }
        const uint64_t at = reached_.offset + base_ + offset;
        if (!CheckApart(r_, c_, Reached(r_), {at, at + piece_}, source_, source_bytes_)) [[unlikely]]
            return false;
        if (base_ + offset + piece_ > tensor_ && !past_) [[unlikely]] {
            past_ = true;
            if (!PastReached(r_, c_, index, offset)) return false;
        }
        if (taken_.empty() || twice_) return true;
        std::vector<bool>::reference taken = taken_[offset / piece_];
        twice_ = taken;
        taken = true;
        return !twice_ || Twice(r_, c_, index, offset);
    }

private:
    const Record& r_;
    const Context& c_;
    const Operand& reached_;
    uint64_t base_, piece_, room_, tensor_, most_;
    int source_ = Reached(r_) == 0 ? 1 : 0;  // the other end of the move
    isa::Span source_bytes_ = isa::SpanOf(r_, source_);
    std::vector<bool> taken_;  // of a scatter
    bool past_ = false, twice_ = false;
};

bool CheckOffsets(const Record& r, const Context& c, const uint8_t* ub) {
    Offsets offsets(r, c);
    const uint8_t* words = ub + r.src1().offset;
    const auto check = [&](uint64_t index) {
        uint32_t offset;
        std::memcpy(&offset, words + index * sizeof(offset), sizeof(offset));
        return offsets.Check(index, offset);
    };
    const uint32_t shift = isa::LanesShift(r);
    const isa::Lanes lanes = isa::LanesOf(r, shift);
    if (const uint64_t blocks = BlocksPerRepeat(r)) {
        for (uint64_t i = 0; i < lanes.repeats * blocks; ++i) {
            if (!check(i)) return false;
        }
        return true;
    }
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const uint32_t end = repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end;
        for (uint32_t lane = lanes.first; lane < end; ++lane) {
            const bool active = r.mask.mode != MaskMode::kBits || ((r.mask.bits[lane / 64] >> (lane % 64)) & 1);
            if (active && !check((repeat << shift) + lane)) return false;
        }
    }
    return true;
}

// dst may be src0 when an element is never written before it is read: the source lies at least as far apart.
bool IsSqueezedInPlace(const Record& r) {
    const Operand& src = r.src0();
    const isa::Squeeze squeeze = isa::SqueezeOf(r);
    const uint64_t blocks = isa::CeilDiv(BytesOf(src.type, squeeze.lanes), isa::kBlockBytes);
    return r.dst().offset == src.offset && (src.block_stride >= 1 || blocks == 1) &&
           (squeeze.repeats == 1 || src.repeat_stride >= blocks);
}

bool CheckSqueezeApart(const Record& r, const Context& c, isa::Span written) {
    if (!IsSqueezedInPlace(r) && !CheckApart(r, c, 1, isa::SpanOf(r, 1), 0, written)) return false;
    return r.operand_count < 3 || CheckApart(r, c, 2, isa::SpanOf(r, 2), 0, written);
}

// TIK has no arithmetic on uint32: its programs compute offsets in int32.
bool IsOffsetType(const Record& r) {
    const DataType type = r.src1().type;
    return type == DataType::kUint32 || (r.api == isa::Api::kTik && type == DataType::kInt32);
}

SFUMATO_COLD bool OffsetType(const Record& r, const Context& c) {
    const char* name = isa::OperandName(r, 2);
    return Tell(r, c,
                {Rule::kTypeMismatch, name, fmt::format("{} has the wrong element type", name),
                 TypeName(r, r.src1().type), Spelling(r, "uint32_t", "int32, uint32"),
                 Spelling(r, "give a tensor of uint32_t", "give a Tensor of int32 or uint32")});
}

// The elements that the bits of a GatherMask keep, against the room dst has.
bool CheckKept(const Record& r, const Context& c, const uint8_t* ub) {
    const isa::Squeeze squeeze = isa::SqueezeOf(r);
    const uint8_t* bits = ub + r.src1().offset;
    uint64_t kept = 0;
    for (uint64_t repeat = 0; repeat < squeeze.repeats; ++repeat) {
        const uint64_t lanes = repeat + 1 == squeeze.repeats ? squeeze.last : squeeze.lanes;
        for (uint64_t lane = 0; lane < lanes; lane += 8) {
            const uint32_t below = lanes - lane >= 8 ? 0xFF : (1u << (lanes - lane)) - 1;
            kept += static_cast<uint64_t>(std::popcount(bits[lane / 8] & below));
        }
        bits += uint64_t{r.src1().repeat_stride} * isa::kBlockBytes;
    }
    const isa::Span written{r.dst().offset, r.dst().offset + BytesOf(r.dst().type, kept)};
    return CheckRange(r, c, 0, written) && CheckSqueezeApart(r, c, written);
}

SFUMATO_COLD bool Pattern(const Record& r, const Context& c, uint32_t most) {
    return Tell(
        r, c,
        {Rule::kGatherPattern, Spelling(r, "src1Pattern", "src1_pattern"),
         fmt::format("{} does not have the pattern", c.chip->name), fmt::format("{}", r.As<isa::GatherMask>().pattern),
         fmt::format("1..{}, or a tensor of bits", most), "pass the bits in a tensor"});
}

SFUMATO_COLD bool SqueezeRange(const Record& r, const Context& c, const char* name, uint64_t value,
                               const std::string& legal) {
    return ParameterRange(r, c, name, static_cast<int64_t>(value), legal);
}

constexpr Parameter<isa::Interpolate> kInterpolate[] = {
    {"hRepeat", "horizontal_repeat_times", SFUMATO_VALUE(Interpolate, horizontal), 1, 255, true},
    {"vRepeat", "vertical_repeat_times", SFUMATO_VALUE(Interpolate, vertical), 1, 255, true},
    {"repeatMode", "repeat_mode", SFUMATO_VALUE(Interpolate, block_weights), 0, 1},
};

// Between vertical repeats; a single one needs none.
bool CheckVerticalOffset(const Record& r, const Context& c, uint32_t offset) {
    constexpr uint32_t kMost = 65534;
    const char* name = Spelling(r, "vROffset", "vertical_repeat_offset");
    const uint32_t least = LanesPerRepeat(r), unit = least / isa::kBlocksPerRepeat;
    if (offset < least || offset > kMost) return ParameterRange(r, c, name, offset, RangeText(least, kMost));
    return offset % unit == 0 || ParameterAlignment(r, c, name, offset, unit, " (32 bytes)");
}

// Counts and strides have the widths of the instruction's parameters.
bool CheckSqueezeParameters(const Record& r, const Context& c) {
    const bool total = r.mask.mode == MaskMode::kCounter;
    constexpr uint32_t kByte = 255, kWord = 65535;
    if (r.mask.count == 0 || r.mask.count > 0xFFFFFFFF) {
        return SqueezeRange(r, c, "mask", r.mask.count, "1..4294967295");
    }
    if (!total && r.repeat > kWord) {
        return SqueezeRange(r, c, Spelling(r, "repeatTimes", "repeat_times"), r.repeat, "0..65535");
    }
    const Operand& src = r.src0();
    if (src.block_stride > kByte) {
        return SqueezeRange(r, c, Spelling(r, "src0BlockStride", "src0_blk_stride"), src.block_stride, "0..255");
    }
    const bool once = !total && r.repeat == 1;  // no stride is used
    if (src.repeat_stride > kWord && !once) {
        return SqueezeRange(r, c, Spelling(r, "src0RepeatStride", "src0_rep_stride"), src.repeat_stride, "0..65535");
    }
    if (r.operand_count == 3 && r.src1().repeat_stride > kByte && !once) {
        return SqueezeRange(r, c, Spelling(r, "src1RepeatStride", "src1_rep_stride"), r.src1().repeat_stride, "0..255");
    }
    return total || r.repeat != 0 || NothingToDo(r, c, Spelling(r, "repeatTimes", "repeat_times"), kWord);
}

bool CheckAnyGather(const Record& r, const isa::Offsets& s, const Context& c) {
    const bool blocks = r.form() == Form::kGatherBlocks;
    if (!CheckTypeOf(r, c, 0) || !CheckSameType(r, c, 1, 0)) return false;
    if (!IsOffsetType(r)) return OffsetType(r, c);
    bool nothing = false;
    if (!CheckMask(r, c, blocks ? 1 : 2, isa::LanesShift(r), &nothing) || nothing) return false;
    if (s.base % Piece(r) != 0) return BaseAlignment(r, c, s.base);
    if (blocks && r.dst().block_stride == 0) {
        if (!Tell(r, c,
                  {Rule::kBlockStrideZero, "dst", "the block stride of the destination is 0; it is read as 1", "0",
                   "1 or more blocks of 32 bytes", "pass 1"})) {
            return false;
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (!CheckUbOperand(r, c, i)) return false;
        // What offsets reach is known when the record executes.
        if (i != Reached(r) && !(blocks ? CheckRange(r, c, i, isa::SpanOf(r, i)) : CheckLaneRange(r, c, i)))
            return false;
    }
    return Reached(r) == 0 || CheckApart(r, c, 2, 0);
}

SFUMATO_COLD bool StrideZero(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kBlockStrideZero, "dst", "the block stride of the destination is 0; it is read as 1", "0",
                 "1 or more blocks of 32 bytes", "pass 1"});
}

}  // namespace

bool Check(const Record& r, const isa::Broadcast&, const Context& c) {
    if (!CheckTypes(r, c)) return false;
    bool nothing = false;
    if (!CheckMask(r, c, 1, isa::LanesShift(r), &nothing) || nothing) return false;
    if (r.dst().block_stride == 0 && !StrideZero(r, c)) return false;
    for (int i = 0; i < 2; ++i) {
        if (!CheckUbOperand(r, c, i) || !CheckRange(r, c, i, isa::SpanOf(r, i))) return false;
    }
    return CheckApart(r, c, 1, 0);
}

bool Check(const Record& r, const isa::Gather& s, const Context& c) { return CheckAnyGather(r, s, c); }
bool Check(const Record& r, const isa::GatherBlocks& s, const Context& c) { return CheckAnyGather(r, s, c); }
bool Check(const Record& r, const isa::Scatter& s, const Context& c) { return CheckAnyGather(r, s, c); }

bool Check(const Record& r, const isa::Interpolate& s, const Context& c) {
    constexpr int kOperands = 4, kOffsets = 2, kWeights = 3;
    if (!CheckTypeOf(r, c, 0) || !CheckSameType(r, c, 1, 0) || !CheckSameType(r, c, kWeights, 0)) return false;
    if (!IsOffsetType(r)) return OffsetType(r, c);
    if (!CheckParameters(r, c, s, kInterpolate)) return false;
    if (s.vertical > 1 && !CheckVerticalOffset(r, c, s.vertical_offset)) return false;
    bool nothing = false;
    if (!CheckMask(r, c, 1, isa::LanesShift(r), &nothing) || nothing) return false;
    for (int i = 0; i < kOperands; ++i) {
        if (!CheckUbOperand(r, c, i)) return false;
        // What offsets reach is known when the record executes.
        if (i != Reached(r) && !CheckRange(r, c, i, isa::SpanOf(r, i))) return false;
    }
    return CheckApart(r, c, kOffsets, 0) && CheckApart(r, c, kWeights, 0);
}

bool Check(const Record& r, const isa::GatherMask& s, const Context& c) {
    const uint8_t pattern = s.pattern;
    if (!CheckTypeOf(r, c, 0) || !CheckSameType(r, c, 1, 0)) return false;
    if (pattern > c.chip->gather_patterns || (pattern == 0 && r.operand_count < 3))
        return Pattern(r, c, c.chip->gather_patterns);
    if (pattern == 0) {
        constexpr DataType kBits[] = {DataType::kUint8, DataType::kUint16, DataType::kUint32};
        const DataType wanted = kBits[isa::Log2Bits(r.dst().type) - 3];
        if (r.src1().type != wanted) return WrongType(r, c, 2, wanted);
    }
    if (!CheckSqueezeParameters(r, c)) return false;
    for (int i = 0; i < r.operand_count; ++i) {
        if (!CheckUbOperand(r, c, i)) return false;
        if ((i != 0 || pattern != 0) && !CheckRange(r, c, i, isa::SpanOf(r, i))) return false;
    }
    return pattern == 0 || CheckSqueezeApart(r, c, isa::SpanOf(r, 0));
}

bool CheckContents(const Record& r, const Context& c, const uint8_t* ub) {
    if (Has(r.op, isa::kHighLevel)) return CheckDomain(r, c, ub);
    return r.form() == Form::kGatherMask ? CheckKept(r, c, ub) : CheckOffsets(r, c, ub);
}

}  // namespace sfumato::check
