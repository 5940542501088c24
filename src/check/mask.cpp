// SPDX-License-Identifier: Apache-2.0
// Repeat, strides and mask of vector records.
#include <fmt/format.h>

#include "check/parts.h"

namespace sfumato::check {
namespace {

using isa::MaskMode;
using isa::Record;

constexpr uint32_t kMaxBlockStride = 65535, kMaxBlockStrideBinary = 255;  // tik.md 3.1
constexpr uint32_t kMaxCopyStride = 4095;                                 // vector_instructions.md 4.5
constexpr uint64_t kMaxCount = 0xFFFFFFFF;                                // tik.md 3.2

uint32_t MaxRepeat(const Record& r) { return Info(r.form()).repeats[static_cast<size_t>(r.api)]; }
// With one repeat nothing uses the stride.
uint32_t MaxRepeatStride(const Record& r) {
    if (r.repeat == 1 && r.mask.mode != MaskMode::kCounter) return UINT32_MAX;
    if (!Has(r.op, isa::kEachRepeat) || r.api == isa::Api::kTik) return Info(r.form()).repeat_stride;
    return r.mask.mode == MaskMode::kCounter ? isa::kBlocksPerRepeat * kMaxBlockStride : kMaxCopyStride;
}

const char* MaskName(const Record& r) {
    return r.mask.mode == MaskMode::kCount && r.api == isa::Api::kAscendC ? "calCount" : "mask";
}

// TIK's calls that take the number of all elements, on the chips that have the counter mode (tik.md 3.2).
bool HasCounter(const Record& r, const Context& c) { return c.chip->counter_mode && Has(r.op, isa::kTotalCount); }

// `first`, or the form that takes the number of elements where there is one.
std::string OrCount(const Record& r, const Context& c, const char* first) {
    if (r.api != isa::Api::kTik) return fmt::format("{}, or use the form with an element count", first);
    return HasCounter(r, c) ? fmt::format("{}, or give the number of all elements with mask_mode='counter'", first)
                            : first;
}

SFUMATO_COLD bool RepeatRange(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kRepeatRange, Spelling(r, "repeatTimes", "repeat_times"), "the repeat count is out of range",
                 fmt::format("{}", r.repeat),
                 r.api == isa::Api::kTik ? fmt::format("1..{}; a Scalar or an Expr may be 0", MaxRepeat(r))
                                         : fmt::format("0..{}", MaxRepeat(r)),
                 OrCount(r, c, "split the call")});
}

SFUMATO_COLD void RepeatZero(const Record& r, const Context& c) {
    Tell(r, c,
         {Rule::kRepeatZero, Spelling(r, "repeatTimes", "repeat_times"), "the instruction does nothing", "0",
          "1..255 to process elements", ""});
}

SFUMATO_COLD void CountZero(const Record& r, const Context& c) {
    Tell(r, c,
         {Rule::kCountZero, MaskName(r), "the instruction does nothing", "0", "1 or more to process elements", ""});
}

SFUMATO_COLD bool StrideRange(const Record& r, const Context& c, int operand, bool block, uint32_t stride,
                              uint32_t most) {
    return Tell(
        r, c,
        {Rule::kStrideRange, isa::OperandName(r, operand),
         fmt::format("the {} stride is out of range", block ? "block" : "repeat"),
         fmt::format("{} stride {}", block ? "block" : "repeat", stride), fmt::format("0..{} blocks of 32 bytes", most),
         "split the call into calls that start at offsets of their own"});
}

SFUMATO_COLD bool MaskRange(const Record& r, const Context& c, uint64_t least, uint64_t most) {
    const bool repeat = r.mask.mode == MaskMode::kContinuous;
    std::string legal = fmt::format("{}..{}", least, most);
    // A mask register nobody set, read as a number.
    const bool unset = r.mask.mode == MaskMode::kCounter && r.mask.count == ~uint64_t{0};
    if (repeat) legal += fmt::format(", the {}-bit elements a repeat of 256 bytes has", 2048 / most);
    return Tell(
        r, c,
        {Rule::kMaskRange, MaskName(r), repeat ? "the mask is out of range" : "the element count is out of range",
         unset ? fmt::format("{}", r.mask.count) : fmt::format("{}", static_cast<int64_t>(r.mask.count)), legal,
         r.mask.count == 0 ? std::string("leave the call out when there is nothing to do")
         : unset           ? "give the number of elements with SetVectorMask: a mask of all ones counts as 2^64 - 1"
         : static_cast<int64_t>(r.mask.count) < 0 ? "check how the count is computed"
         : repeat                                 ? OrCount(r, c, "process more elements with more repeats")
                                                  : "split the call"});
}

std::string BitsText(const Record& r) {
    return r.api == isa::Api::kTik ? fmt::format("[{:#x}, {:#x}] (high, low)", r.mask.bits[1], r.mask.bits[0])
                                   : fmt::format("{{{:#x}, {:#x}}} (low, high)", r.mask.bits[0], r.mask.bits[1]);
}

SFUMATO_COLD bool MaskBitsZero(const Record& r, const Context& c) {
    return Tell(r, c,
                {Rule::kMaskBitsZero, "mask", "the mask selects no element", BitsText(r), "at least one bit set",
                 "leave the call out when there is nothing to do"});
}

SFUMATO_COLD bool MaskBitsHigh(const Record& r, const Context& c, uint32_t lanes) {
    const bool swapped = r.mask.bits[0] == 0;
    const std::string hint = swapped
                                 ? fmt::format("the halves look swapped: {} is meant",
                                               r.api == isa::Api::kTik ? fmt::format("[0, {:#x}]", r.mask.bits[1])
                                                                       : fmt::format("{{{:#x}, 0}}", r.mask.bits[1]))
                                 : fmt::format("clear the bits from {} up", lanes);
    return Tell(r, c,
                {Rule::kMaskBitsHigh, "mask",
                 fmt::format("the mask has bits beyond the {} elements of a repeat", lanes), BitsText(r),
                 lanes == 64 ? "a high half of 0 for 32-bit data"
                             : "a high half of 0 and only the low 32 bits of the low half for 64-bit data",
                 hint});
}

SFUMATO_COLD bool MaskInt4(const Record& r, const Context& c) {
    const bool bits = r.mask.mode == MaskMode::kBits;
    return Tell(r, c,
                {Rule::kMaskInt4Pairs, MaskName(r), "int4 elements are processed in pairs, two a byte",
                 bits ? BitsText(r) : fmt::format("{}", r.mask.count),
                 bits ? "bit pairs 11 or 00" : "an even number of elements", "cover whole bytes"});
}

SFUMATO_COLD bool StrideFault(const Record& r, const Context& c, uint32_t most) {
    for (int i = 0; i < r.operand_count; ++i) {
        const isa::Operand& o = r.operand[static_cast<size_t>(i)];
        if (o.block_stride > most) return StrideRange(r, c, i, true, o.block_stride, most);
        if (o.repeat_stride > MaxRepeatStride(r)) {
            return StrideRange(r, c, i, false, o.repeat_stride, MaxRepeatStride(r));
        }
    }
    return true;
}

bool CheckStrides(const Record& r, const Context& c, int n) {
    const uint32_t most = n == 3 ? kMaxBlockStrideBinary : kMaxBlockStride;
    uint32_t block = 0, repeat = 0;
    for (int i = 0; i < n; ++i) {
        block = std::max(block, r.operand[static_cast<size_t>(i)].block_stride);
        repeat = std::max(repeat, r.operand[static_cast<size_t>(i)].repeat_stride);
    }
    return (block <= most && repeat <= MaxRepeatStride(r)) || StrideFault(r, c, most);
}

bool CheckBits(const Record& r, const Context& c, uint32_t lanes) {
    const uint64_t low = r.mask.bits[0], high = r.mask.bits[1];
    if (!(low | high)) [[unlikely]]
        return MaskBitsZero(r, c);
    if ((lanes <= 64 && high) || (lanes == 32 && low >> 32)) [[unlikely]]
        return MaskBitsHigh(r, c, lanes);
    return true;
}

bool IsWholeBytes(const Record& r) {
    if (r.mask.mode != MaskMode::kBits) return r.mask.count % 2 == 0;
    constexpr uint64_t kEven = 0x5555555555555555;
    const auto pairs = [](uint64_t bits) { return ((bits ^ (bits >> 1)) & kEven) == 0; };
    return pairs(r.mask.bits[0]) && pairs(r.mask.bits[1]);
}

}  // namespace

bool CheckMask(const Record& r, const Context& c, int n, uint32_t shift, bool* nothing) {
    const MaskMode mode = r.mask.mode;
    if (mode != MaskMode::kCount && !CheckStrides(r, c, n)) return false;
    if (mode == MaskMode::kContinuous || mode == MaskMode::kBits) {
        const uint32_t lanes = 1u << shift;
        if (mode == MaskMode::kBits) {
            if (!CheckBits(r, c, lanes)) return false;
        } else if (r.mask.count - 1 >= lanes) [[unlikely]] {
            return MaskRange(r, c, 1, lanes);
        }
        if (r.repeat > MaxRepeat(r)) [[unlikely]]
            return RepeatRange(r, c);
        if (r.repeat == 0) [[unlikely]] {
            RepeatZero(r, c);
            *nothing = true;
            return true;
        }
    } else if (r.mask.count > kMaxCount || (mode == MaskMode::kCounter && r.mask.count == 0)) [[unlikely]] {
        return MaskRange(r, c, mode == MaskMode::kCounter ? 1 : 0, kMaxCount);
    } else if (r.mask.count == 0) [[unlikely]] {
        CountZero(r, c);
        *nothing = true;
        return true;
    }
    const bool int4 = r.dst().type == DataType::kInt4 || (n > 1 && r.src0().type == DataType::kInt4);
    return !int4 || IsWholeBytes(r) || MaskInt4(r, c);
}

}  // namespace sfumato::check
