// SPDX-License-Identifier: Apache-2.0
// Reductions (vector_instructions.md 7): order of the results, work tensor, what results may lie on.
#include <fmt/format.h>

#include <vector>

#include "check/parameters.h"
#include "isa/reductions.h"

namespace sfumato::check {
namespace {

using isa::Lanes;
using isa::Record;
using isa::ReduceOrder;
using isa::Span;

constexpr uint64_t kMostIndex = 65535;  // of 16 bits

SFUMATO_COLD bool OrderUnsupported(const Record& r, const Context& c, ReduceOrder order) {
    std::string legal;
    for (int i = 0; i < static_cast<int>(ReduceOrder::kCount); ++i) {
        if (!((c.chip->reduce.orders >> i) & 1)) continue;
        legal += (legal.empty() ? "" : ", ") + std::string(Name(static_cast<ReduceOrder>(i)));
    }
    const std::string chips = OtherChips(c, [&](const soc::Chip& chip) {
        return chip.ascendc && ((chip.reduce.orders >> static_cast<int>(order)) & 1);
    });
    return Tell(r, c,
                {Rule::kReduceOrder, "order", fmt::format("{} does not store results in this order", c.chip->name),
                 Name(order), legal, ChooseChip(chips, "this order", "choose one of the legal orders")});
}

SFUMATO_COLD bool WorkTooSmall(const Record& r, const Context& c, uint64_t needed) {
    const isa::Operand& work = r.operand[2];
    return Tell(r, c,
                {Rule::kWorkSize, isa::OperandName(r, 2), "the tensor for intermediate results is too small",
                 fmt::format("{} elements", work.elements), fmt::format("{} elements or more", needed),
                 "make the tensor larger: a result of every repeat, rounded up to blocks of 32 bytes"});
}

SFUMATO_COLD bool IndexTooLarge(const Record& r, const Context& c, uint64_t last) {
    return Tell(r, c,
                {Rule::kReduceIndex, isa::OperandName(r, 1), "the index of the result may not fit into 16 bits",
                 fmt::format("the last index is {}", last), fmt::format("0..{}", kMostIndex),
                 fmt::format("reduce the tensor in parts, or use {}", TypeName(r, DataType::kFloat))});
}

SFUMATO_COLD bool OnSource(const Record& r, const Context& c, uint64_t repeat, const Span& bytes) {
    return Tell(r, c,
                {Rule::kReduceInPlace, isa::OperandName(r, 0), "a result lies on the source of its own repeat",
                 fmt::format("repeat {} writes bytes {}..{} of UB", repeat, bytes.begin, bytes.end),
                 "defined: a repeat reads its source before it stores", ""});
}

// Where the results of a repeat lie, in operand `target`.
struct Stores {
    int target;
    uint64_t at, pitch, bytes;
    Span Of(uint64_t repeat) const { return {at + repeat * pitch, at + repeat * pitch + bytes}; }
};

// Byte by byte where the hulls meet. `in_place`: a result on its own source is worth a note.
SFUMATO_COLD bool CheckStores(const Record& r, const Context& c, uint32_t shift, const Lanes& lanes,
                              const Stores& stores, bool in_place) {
    const isa::Walk src = isa::WalkOf(r, 1, shift);
    const uint64_t base = stores.at;
    std::vector<bool> written((lanes.repeats - 1) * stores.pitch + stores.bytes);
    Span so_far{~0ull, 0};
    for (uint64_t repeat = 0; repeat < lanes.repeats; ++repeat) {
        const uint32_t end = repeat + 1 == lanes.repeats ? lanes.last_end : lanes.end;
        const uint64_t start = src.start + repeat * src.repeat_pitch;
        const Span hull = isa::RepeatSpan(r, src, lanes.first, end);
        const Span read{start + hull.begin, start + hull.end}, own = stores.Of(repeat);
        if (read.Overlaps(so_far) || (in_place && read.Overlaps(own))) {
            for (uint32_t lane = lanes.first; lane < end; ++lane) {
                if (r.mask.mode == isa::MaskMode::kBits && !((r.mask.bits[lane / 64] >> (lane % 64)) & 1)) continue;
                const Span bytes{start + src.LaneBegin(lane), start + src.LaneEnd(lane)};
                for (uint64_t at = std::max(bytes.begin, base); at < std::min(bytes.end, base + written.size()); ++at) {
                    if (written[at - base]) return ReadsEarlier(r, c, stores.target, repeat, bytes);
                }
                if (in_place && bytes.Overlaps(own)) {
                    if (!OnSource(r, c, repeat, own)) return false;
                    in_place = false;  // said once
                }
            }
        }
        for (uint64_t at = own.begin; at < own.end; ++at) written[at - base] = true;
        so_far = {std::min(so_far.begin, own.begin), std::max(so_far.end, own.end)};
    }
    return true;
}

// The register of sums may be all that a sum is kept in.
bool CheckPlaces(const Record& r, const Context& c) {
    for (int i = r.dst().memory == isa::Memory::kRegister ? 1 : 0; i < r.operand_count; ++i) {
        if (!CheckUbOperand(r, c, i)) return false;
    }
    return true;
}

}  // namespace

bool ReadsEarlier(const Record& r, const Context& c, int target, uint64_t repeat, const Span& bytes) {
    return Tell(r, c,
                {Rule::kOverlapAcrossRepeats, isa::OperandName(r, target),
                 "a repeat reads what an earlier repeat of the same call wrote",
                 fmt::format("repeat {} reads bytes {}..{} of UB", repeat, bytes.begin, bytes.end),
                 "bytes no earlier repeat of the call wrote", "use another tensor for the results"});
}

bool Check(const Record& r, const isa::Reduce& s, const Context& c) {
    bool nothing = false;
    const uint32_t shift = isa::LanesShift(r);
    if (!CheckTypes(r, c) || !CheckMask(r, c, 2, shift, &nothing) || nothing) return false;
    const ReduceOrder order = s.order;
    const bool ascendc = r.api == isa::Api::kAscendC, ordered = isa::ReductionRegister(r).end != 0;
    if (ascendc && ordered && !((c.chip->reduce.orders >> static_cast<int>(order)) & 1)) [[unlikely]]
        return OrderUnsupported(r, c, order);
    const bool once = r.repeat == 1 && r.mask.mode != isa::MaskMode::kCounter;
    if (ascendc && r.dst().repeat_stride == 0 && !c.chip->reduce.dst_stride_zero && !once) [[unlikely]]
        return ParameterRange(r, c, "dstRepStride", 0, "1..65535");
    if (!CheckPlaces(r, c) || !CheckRanges(r, c)) return false;
    const Span dst = isa::SpanOf(r, 0), src = isa::SpanOf(r, 1);
    if (!dst.Overlaps(src)) [[likely]]
        return true;
    const isa::Results results = isa::ResultsOf(r);
    return CheckStores(r, c, shift, isa::LanesOf(r, shift),
                       {0, r.dst().offset, r.dst().repeat_stride * results.unit, results.bytes}, true);
}

bool Check(const Record& r, const isa::ReduceTensor& s, const Context& c) {
    bool nothing = false;
    const uint32_t shift = isa::LanesShift(r);
    if (!CheckTypes(r, c) || !CheckMask(r, c, 2, shift, &nothing) || nothing) return false;
    if (!CheckPlaces(r, c)) return false;
    const isa::Operand& source = r.src0();
    if (r.mask.mode == isa::MaskMode::kCount && source.elements != 0 && r.mask.count > source.elements) [[unlikely]]
        return CountExceeds(r, c, 1);
    if (r.operand_count > 2 && r.operand[2].elements != 0 && r.operand[2].elements < isa::WorkElements(r)) [[unlikely]]
        return WorkTooSmall(r, c, isa::WorkElements(r));
    if (!CheckRanges(r, c)) return false;
    const Span src = isa::SpanOf(r, 1);
    if (s.index && BitsOf(source.type) == 16) {
        const uint64_t last = (src.end - source.offset) / 2 - 1;
        if (last > kMostIndex) [[unlikely]]
            return IndexTooLarge(r, c, last);
    }
    if (r.operand_count < 3 || !isa::SpanOf(r, 2).Overlaps(src)) return true;
    const uint64_t bytes = BytesOf(source.type, isa::ReductionOf(r.op) == isa::Reduction::kSum ? 1 : 2);
    return CheckStores(r, c, shift, isa::LanesOf(r, shift), {2, r.operand[2].offset, bytes, bytes}, false);
}

}  // namespace sfumato::check
