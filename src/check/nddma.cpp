// SPDX-License-Identifier: Apache-2.0
// The box of NDDMA: sizes, strides and pads of its dimensions, and places that it writes twice (arch950.md 1.3).
#include <fmt/format.h>

#include <array>
#include <vector>

#include "check/parameters.h"
#include "isa/boxes.h"

namespace sfumato::check {
namespace {

using isa::NdDma;
using isa::Record;

constexpr uint64_t kMostSize = (uint64_t{1} << 20) - 1, kMostDstStride = kMostSize;
constexpr uint64_t kMostPad = 255;

bool InRange(const Record& r, const Context& c, const char* field, uint32_t dim, uint64_t value, uint64_t least,
             uint64_t most) {
    if (value >= least && value <= most) [[likely]]
        return true;
    return ParameterRange(r, c, fmt::format("{}[{}]", field, dim).c_str(),
                          static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX)),
                          RangeText(static_cast<int64_t>(least), static_cast<int64_t>(most)));
}

bool CheckLoop(const Record& r, const NdDma& s, const Context& c, uint32_t dim) {
    const NdDma::Loop& loop = s.loops[dim];
    return InRange(r, c, "loopSize", dim, loop.size, 1, kMostSize) &&
           InRange(r, c, "loopLpSize", dim, loop.before, 0, kMostPad) &&
           InRange(r, c, "loopRpSize", dim, loop.behind, 0, kMostPad) &&
           InRange(r, c, "loopSrcStride", dim, loop.src_stride, 0, isa::kMostGmStride) &&
           InRange(r, c, "loopDstStride", dim, loop.dst_stride, 0, kMostDstStride);
}

bool HasPads(const NdDma& s) {
    return std::ranges::any_of(s.loops, [](const NdDma::Loop& loop) { return loop.before + loop.behind != 0; });
}

// Of elements of 64 bits.
bool CheckWidePads(const Record& r, const NdDma& s, const Context& c) {
    if (s.nearest) return TypeNotHere(r, c, "has no nearest mode", "elements of 8, 16 and 32 bits");
    if (s.pad_value == 0) return true;
    return Tell(r, c,
                {Rule::kPadValue64, "constantValue", "64-bit elements can only be padded with 0",
                 fmt::format("{:#x}", s.pad_value), "0", "pad with 0, or move the data as a 32-bit type"});
}

// Strides by which no two places are one: each reaches past all places of the smaller ones.
bool AreApart(const NdDma& s) {
    std::array<NdDma::Loop, NdDma::kMostLoops> loops = s.loops;
    const auto end = loops.begin() + s.count;
    std::sort(loops.begin(), end,
              [](const NdDma::Loop& a, const NdDma::Loop& b) { return a.dst_stride < b.dst_stride; });
    uint64_t reach = 0;
    for (auto loop = loops.begin(); loop != end; ++loop) {
        if (loop->places() == 1) continue;
        if (loop->dst_stride <= reach) return false;
        reach += (loop->places() - 1) * loop->dst_stride;
    }
    return true;
}

SFUMATO_COLD bool Twice(const Record& r, const Context& c, uint64_t place) {
    return Tell(r, c,
                {Rule::kNdDmaTwice, "dst", "two elements of the box go to one place of the destination",
                 fmt::format("element {} of dst is written twice", place),
                 "a place of its own for each element, pads among them",
                 "let loopDstStride reach past the dimensions inside: loopLpSize + loopSize + loopRpSize each"});
}

// The box lies inside UB, so that few places are written before one is written again.
SFUMATO_COLD bool CheckPlaces(const Record& r, const NdDma& s, const Context& c) {
    const isa::Span span = isa::SpanOf(r, 0);
    std::vector<bool> written((span.end - span.begin) / BytesOf(r.dst().type, 1));
    const NdDma::Loop& inner = s.loops[0];
    bool good = true;
    isa::ForEachBoxRow(s, [&](const isa::BoxRow& row) {
        for (uint64_t i = 0, place = row.dst; good && i < inner.places(); ++i, place += inner.dst_stride) {
            if (written[place])
                good = Twice(r, c, place);
            else
                written[place] = true;
        }
        return good;
    });
    return good;
}

}  // namespace

bool Check(const Record& r, const NdDma& s, const Context& c) {
    if (!CheckTypes(r, c) || !CheckPath(r, c)) return false;
    if (s.count < 1 || s.count > NdDma::kMostLoops)
        return ParameterRange(r, c, "dim", s.count, RangeText(1, NdDma::kMostLoops));
    for (uint32_t dim = 0; dim < s.count; ++dim) {
        if (!CheckLoop(r, s, c, dim)) return false;
    }
    if (HasPads(s) && BytesOf(r.dst().type, 1) == 8 && !CheckWidePads(r, s, c)) return false;
    return CheckRanges(r, c) && (AreApart(s) || CheckPlaces(r, s, c));
}

}  // namespace sfumato::check
