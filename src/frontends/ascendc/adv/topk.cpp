// SPDX-License-Identifier: Apache-2.0
// TopK, step by step: indices, Concat, Sort, Extract, the first k (adv.md 10).
#include "sfumato/ascendc/adv/topk.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "frontends/ascendc/framework.h"
#include "sfumato/ascendc/sort.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

constexpr const char* kTopK = "TopK";
constexpr uint64_t kPair = 8;  // bytes of a record that is no proposal
constexpr uint64_t kSmallRow = 32;

bool CheckShape(const Caller& at, const TopKCall& c) {
    const bool pairs = BytesOf(c.src.type, RecordElements(c.src.type, kTopK)) == kPair;
    const int32_t most = c.small ? 32 : !pairs && c.src.type == DataType::kHalf ? 2048 : 4096;
    if (c.outter >= 1 && c.inner % 32 == 0 && c.inner >= 32 && c.inner <= most && c.n >= 1 && c.n <= c.inner &&
        c.k >= 1 && c.k <= c.n) {
        return true;
    }
    return at.Refuse("topKInfo", "the shape is out of range",
                     fmt::format("outter {}, inner {}, n {}, k {}", c.outter, c.inner, c.n, c.k),
                     fmt::format("inner a multiple of 32 up to {}, 1 <= k <= n <= inner", most),
                     "pad the rows with the lowest value, with isLargest false the highest");
}

// The temporaries: indices, negated scores, proposals to sort, records twice. What is extracted goes where records were
// merged.
struct Buffers {
    Vec index, scores, concat, sorted, work, values, indices;
};
Buffers Take(Space& space, uint64_t elements, DataType type, uint32_t record) {
    Buffers b;
    b.index = space.Take(DataType::kInt32, elements);
    b.scores = space.Take(type, elements);
    if (BytesOf(type, record) != kPair) b.concat = space.Take(type, elements * record);
    b.sorted = space.Take(type, elements * record);
    b.work = space.Take(type, elements * record);
    b.indices = As(Part(b.work, 0, BytesOf(DataType::kInt32, elements) / BytesOf(type, 1)), DataType::kInt32);
    b.values = Part(b.work, BytesOf(DataType::kInt32, elements) / BytesOf(type, 1), elements);
    return b;
}

// Rows of `row` elements, sorted descending, with the given indices: one row, or rows of 32 together.
void SortRows(RowSteps& t, const TopKCall& c, const Buffers& b, const Vec& src, const Vec& index, uint64_t elements,
              uint64_t row, uint32_t record) {
    Vec scores = src;
    if (!c.largest) {
        t.Muls(Part(b.scores, 0, elements), src, -1);
        scores = Part(b.scores, 0, elements);
    }
    const bool pairs = BytesOf(src.type, record) == kPair;
    const Vec sorted = Part(b.sorted, 0, elements * record), work = Part(b.work, 0, elements * record);
    t.Barrier();
    const Vec concat = pairs ? scores : Part(b.concat, 0, elements * record);
    if (!pairs) {
        ConcatScores(OperandOf(concat), OperandOf(scores), OperandOf(work), static_cast<int32_t>(elements / 16),
                     c.where);
    }
    const uint64_t group = pairs ? 32 : 16, together = pairs && row == kSmallRow ? elements : row;
    for (uint64_t at = 0; at < elements; at += together) {
        const auto part = [&](const Vec& vec, uint64_t size) { return Part(vec, at * size, together * size); };
        const Vec to = part(sorted, record), from = part(concat, pairs ? 1 : record), merge = part(work, record);
        const Vec words = part(As(index, DataType::kUint32), 1);
        t.Barrier();
        SortWhole({OperandOf(to), OperandOf(from), OperandOf(words), OperandOf(merge),
                   static_cast<int32_t>(together / group), together == row && row > group, c.where});
    }
    const auto repeats = static_cast<int32_t>(elements / group);
    t.Barrier();
    const Vec indices = As(Part(b.indices, 0, elements), DataType::kUint32), values = Part(b.values, 0, elements);
    ExtractSorted(OperandOf(values), OperandOf(indices), OperandOf(sorted), repeats, c.where);
    if (!c.largest) t.Muls(values, values, -1);
}

// n elements 0, 1... for each group of `row`.
void CountUp(RowSteps& t, const Vec& index, uint64_t row) {
    t.Index(Part(index, 0, row), 0);
    t.Repeat(index, row, index.size());
}

// Rows of their own, whatever their length.
void Normal(const Caller& at, const TopKCall& c, Space& space, RowSteps& t, uint32_t record) {
    const auto inner = static_cast<uint64_t>(c.inner), k = static_cast<uint64_t>(c.k);
    const Buffers b = Take(space, inner, c.src.type, record);
    const Vec index = c.given_index ? Part(VecOf(c.src_index), 0, inner) : b.index;
    if (!c.given_index) CountUp(t, b.index, inner);
    const uint64_t pitch = RoundUpTo(k, BlockElements(c.src.type)), index_pitch = RoundUpTo(k, 8);
    for (int32_t r = 0; r < c.outter; ++r) {
        const auto row = static_cast<uint64_t>(r);
        SortRows(t, c, b, Part(VecOf(c.src), row * inner, inner), index, inner, inner, record);
        t.CopyBlocks(Part(VecOf(c.value), row * pitch, pitch), b.values);
        Vec indices = b.indices;
        if (c.finishes) {
            Framework::Of(at.core).Order(AscendC::HardEvent::V_S, c.where);
            const bool done = LoadLocal(*c.finish.tensor, c.finish.type, row, kTopK, c.where) != 0;
            if (done) t.Duplicate(Part(indices, 0, index_pitch), c.n);
        }
        t.CopyBlocks(Part(VecOf(c.index), row * index_pitch, index_pitch), indices);
    }
}

// Rows of 32, the first k of each packed: a pattern has a word of bits for each row.
void Small(const TopKCall& c, Space& space, RowSteps& t, uint32_t record) {
    const auto k = static_cast<uint64_t>(c.k), rows = static_cast<uint64_t>(c.outter);
    const auto size = static_cast<uint32_t>(BytesOf(c.src.type, 1));
    const uint64_t row = tiling::TopKBytes(kSmallRow, size, BytesOf(c.src.type, record) != kPair);
    const uint64_t room = space.bytes() / (row + 4);
    const uint64_t at_once =
        std::min({rows, uint64_t{240}, std::max(room / tiling::kTopKSmallRows, uint64_t{1}) * tiling::kTopKSmallRows});
    const Vec pattern = space.Take(DataType::kUint32, RoundUpTo(at_once, 8));
    const Buffers b = Take(space, at_once * kSmallRow, c.src.type, record);
    t.Duplicate(Part(pattern, 0, at_once), static_cast<double>((uint64_t{1} << c.k) - 1));
    if (!c.given_index) CountUp(t, b.index, kSmallRow);
    for (uint64_t r = 0; r < rows; r += at_once) {
        const uint64_t n = std::min(at_once, rows - r), elements = n * kSmallRow, first = r * kSmallRow;
        const Vec index = c.given_index ? Part(VecOf(c.src_index), first, elements) : Part(b.index, 0, elements);
        SortRows(t, c, b, Part(VecOf(c.src), first, elements), index, elements, kSmallRow, record);
        const auto pack = [&](const VectorOperand& dst, const Vec& from) {
            const DataType words = BitsOf(from.type) == 16 ? DataType::kUint16 : DataType::kUint32;
            t.SqueezeBy(Part(VecOf(dst), r * k, n * k), Part(from, 0, elements), As(Part(pattern, 0, n), words));
        };
        pack(c.value, b.values);
        pack(c.index, b.indices);
    }
}

}  // namespace

void TakeTopK(const TopKCall& c) {
    const Caller at(kTopK, c.tmp, c.where);
    if (!at.RequireFact(&soc::Chip::sort_whole, "sort with the instructions this chip has") || !CheckShape(at, c)) {
        return;
    }
    const auto rows = static_cast<uint64_t>(c.outter), inner = static_cast<uint64_t>(c.inner);
    const auto k = static_cast<uint64_t>(c.k), all = rows * inner;
    const uint64_t values = c.small ? rows * k : rows * RoundUpTo(k, BlockElements(c.src.type));
    const uint64_t indices = c.small ? rows * k : rows * RoundUpTo(k, 8);
    if (!at.CheckNeeds({{"dstValue", &c.value, values},
                        {"dstIndex", &c.index, indices, nullptr, true},
                        {"src", &c.src, all},
                        {"srcIndex", c.given_index ? &c.src_index : nullptr, c.small ? all : inner},
                        {"finishLocal", c.finishes ? &c.finish : nullptr, rows}})) {
        return;
    }
    const uint32_t record = RecordElements(c.src.type, kTopK);
    Space space(at);
    const auto size = static_cast<uint32_t>(BytesOf(c.src.type, 1));
    const bool proposals = BytesOf(c.src.type, record) != kPair;
    const uint64_t needed = c.small ? tiling::TopKSmallBytes(std::min(rows, tiling::kTopKSmallRows), size, proposals)
                                    : tiling::TopKBytes(inner, size, proposals);
    if (!at.CheckSpace(space.bytes(), needed)) return;
    RowSteps t(at.core, c.where, Walk::kCounts);
    c.small ? Small(c, space, t, record) : Normal(at, c, space, t, record);
    if (c.reuses) at.TellReused(c.value, c.src, all);
}

}  // namespace sfumato::ascendc
