// SPDX-License-Identifier: Apache-2.0
// Transposes (vector_instructions.md 6).
#include <fmt/format.h>

#include <bitset>

#include "check/parameters.h"
#include "isa/reductions.h"

namespace sfumato::check {
namespace {

using isa::Record;
using isa::Span;
using isa::TransposeBlocks;
using isa::TransposeChannels;
using isa::TransposeSquares;

constexpr Parameter<TransposeSquares> kSquares[] = {
    {"repeatTimes", "repeat_times", SFUMATO_VALUE(TransposeSquares, repeats), 1, 4095, true},
    {"dstRepStride", "dst_rep_stride", SFUMATO_VALUE(TransposeSquares, dst_stride), 0, 4095},
    {"srcRepStride", "src_rep_stride", SFUMATO_VALUE(TransposeSquares, src_stride), 0, 4095},
};

constexpr Parameter<TransposeBlocks> kBlocks[] = {
    {"repeatTimes", "repeat_times", SFUMATO_VALUE(TransposeBlocks, repeats), 1, 255, true},
    {"dstRepStride", "dst_rep_stride", SFUMATO_VALUE(TransposeBlocks, dst_stride), 0, 65535},
    {"srcRepStride", "src_rep_stride", SFUMATO_VALUE(TransposeBlocks, src_stride), 0, 65535},
};

constexpr Parameter<TransposeChannels> kChannels[] = {
    {"nSize", nullptr, SFUMATO_VALUE(TransposeChannels, n), 1, 65535, true},
    {"cSize", "channels", SFUMATO_VALUE(TransposeChannels, channels), 1, 4095, true},
    {"hSize * wSize", "m_len", SFUMATO_VALUE(TransposeChannels, pixels), 1, 4095, true},
};

constexpr const char* kApart = "use another destination, or the same place with the same strides";

SFUMATO_COLD bool Overlapping(const Record& r, const Context& c, Rule rule, uint64_t repeat, const Span& src) {
    return Tell(r, c,
                {rule, "src",
                 rule == Rule::kOverlapInRepeat ? "source and destination overlap partly within one repeat"
                                                : "a repeat reads what an earlier repeat of the same call wrote",
                 fmt::format("repeat {} reads bytes {}..{} of UB", repeat, src.begin, src.end),
                 rule == Rule::kOverlapInRepeat ? "the same bytes or none in common"
                                                : "bytes no earlier repeat of the call wrote",
                 kApart});
}

bool CheckBothInUb(const Record& r, const Context& c) { return CheckUbOperand(r, c, 0) && CheckUbOperand(r, c, 1); }

SFUMATO_COLD bool CheckSquareOverlap(const Record& r, const Context& c, const TransposeSquares& p) {
    const auto at = [](uint64_t start, uint64_t repeat, uint64_t stride) {
        const uint64_t begin = start + repeat * stride * isa::kFractalBytes;
        return Span{begin, begin + isa::kFractalBytes};
    };
    for (uint64_t i = 0; i < p.repeats; ++i) {
        const Span src = at(r.src0().offset, i, p.src_stride), own = at(r.dst().offset, i, p.dst_stride);
        for (uint64_t j = 0; j < i; ++j) {
            if (src.Overlaps(at(r.dst().offset, j, p.dst_stride))) {
                return Overlapping(r, c, Rule::kOverlapAcrossRepeats, i, src);
            }
        }
        if (src.begin != own.begin && src.Overlaps(own)) return Overlapping(r, c, Rule::kOverlapInRepeat, i, src);
    }
    return true;
}

SFUMATO_COLD bool BlockMisaligned(const Record& r, const Context& c, const char* list, size_t k, uint32_t at) {
    return Tell(r, c,
                {Rule::kUbAlignment, fmt::format("{}[{}]", list, k), "the block is not aligned",
                 fmt::format("byte offset {} in UB", at), "a multiple of 32",
                 fmt::format("start at byte offset {} or {}", at / 32 * 32, (at / 32 + 1) * 32)});
}

SFUMATO_COLD bool BlockOutside(const Record& r, const Context& c, const char* list, uint64_t reach, uint64_t room) {
    return Tell(
        r, c,
        {Rule::kOutOfBuffer, list,
         fmt::format("a block lies past the end of its {}", Spelling(r, "tensor's buffer", "Tensor")),
         fmt::format("reaches {} bytes from the block of the list", reach),
         fmt::format("{} bytes: the least room a block of the list has", room),
         fmt::format("make the {} larger, or use fewer repeats or a smaller stride", Spelling(r, "buffer", "Tensor"))});
}

SFUMATO_COLD bool StrideOfOne(const Record& r, const Context& c, uint32_t stride, const char* name) {
    return Tell(r, c,
                {Rule::kTransposeStride, name, "with one repeat the blocks are those of the list plus the stride",
                 fmt::format("stride {} with one repeat", stride), "0 to mean the blocks of the list",
                 "pass strides of 0 with one repeat"});
}

// One side of the lists.
struct Side {
    const std::array<uint32_t, TransposeBlocks::kBlocks>& at;
    uint64_t stride;
    uint32_t room;
    const char *list, *stride_name;
};

bool CheckSide(const Record& r, const Context& c, const TransposeBlocks& p, const Side& side) {
    for (size_t k = 0; k < side.at.size(); ++k) {
        if (side.at[k] % isa::kBlockBytes != 0) [[unlikely]]
            return BlockMisaligned(r, c, side.list, k, side.at[k]);
    }
    const uint64_t reach = (p.FirstStep() + p.repeats - 1) * side.stride * isa::kBlockBytes + isa::kBlockBytes;
    if (reach > side.room) [[unlikely]]
        return BlockOutside(r, c, side.list, reach, side.room);
    if (p.repeats == 1 && side.stride != 0) [[unlikely]]
        return StrideOfOne(r, c, static_cast<uint32_t>(side.stride), side.stride_name);
    return true;
}

// By halves of blocks: elements of 8 bits use one of them.
SFUMATO_COLD bool CheckBlockOverlap(const Record& r, const Context& c, const TransposeBlocks& p) {
    constexpr uint64_t kHalf = isa::kBlockBytes / 2;
    const bool eight = BitsOf(r.dst().type) == 8;
    std::bitset<(1 << 20) / kHalf> written;
    for (uint64_t repeat = 0; repeat < p.repeats; ++repeat) {
        const uint64_t step = p.FirstStep() + repeat;
        for (const uint32_t block : p.src) {
            const uint64_t at = block + step * p.src_stride * isa::kBlockBytes;
            const bool low = !eight || !p.src_high, high = !eight || p.src_high;
            if ((low && written[at / kHalf]) || (high && written[at / kHalf + 1])) {
                return Overlapping(r, c, Rule::kOverlapAcrossRepeats, repeat, {at, at + isa::kBlockBytes});
            }
        }
        for (const uint32_t block : p.dst) {
            const uint64_t at = (block + step * p.dst_stride * isa::kBlockBytes) / kHalf;
            if (!eight || !p.dst_high) written[at] = true;
            if (!eight || p.dst_high) written[at + 1] = true;
        }
    }
    return true;
}

}  // namespace

bool Check(const Record& r, const isa::TransposeSquares& p, const Context& c) {
    if (!CheckTypes(r, c) || !CheckParameters(r, c, p, kSquares) || !CheckBothInUb(r, c) || !CheckRanges(r, c)) {
        return false;
    }
    return !isa::SpanOf(r, 0).Overlaps(isa::SpanOf(r, 1)) || CheckSquareOverlap(r, c, p);
}

bool Check(const Record& r, const isa::TransposeBlocks& p, const Context& c) {
    if (!CheckTypes(r, c) || !CheckParameters(r, c, p, kBlocks)) return false;
    const bool tik = r.api == isa::Api::kTik;
    const Side dst{p.dst, p.dst_stride, p.dst_room, tik ? "dst_list" : "dstList",
                   tik ? "dst_rep_stride" : "dstRepStride"};
    const Side src{p.src, p.src_stride, p.src_room, tik ? "src_list" : "srcList",
                   tik ? "src_rep_stride" : "srcRepStride"};
    if (!CheckSide(r, c, p, dst) || !CheckSide(r, c, p, src) || !CheckBothInUb(r, c) || !CheckRanges(r, c)) {
        return false;
    }
    return p.repeats == 1 || !isa::SpanOf(r, 0).Overlaps(isa::SpanOf(r, 1)) || CheckBlockOverlap(r, c, p);
}

bool Check(const Record& r, const isa::TransposeChannels& p, const Context& c) {
    if (!CheckTypes(r, c) || !CheckParameters(r, c, p, kChannels) || !CheckBothInUb(r, c)) return false;
    const uint64_t bytes = BytesOf(r.dst().type, p.pixels);
    if (bytes % isa::kBlockBytes != 0) {
        return ParameterAlignment(r, c, Spelling(r, "hSize * wSize", "m_len"), p.pixels,
                                  isa::kBlockBytes * 8 / BitsOf(r.dst().type), ": whole blocks of 32 bytes");
    }
    return CheckRanges(r, c) && CheckApart(r, c, 0, 1);
}

}  // namespace sfumato::check
