// SPDX-License-Identifier: Apache-2.0
// Steps on rows of a matrix in UB, and steps that move elements.
#pragma once

#include <optional>

#include "frontends/ascendc/adv/steps.h"

namespace sfumato::ascendc::adv {

// Element (r, c) at r * pitch + c; the pitch is whole blocks.
struct Rows {
    Vec vec;
    uint64_t rows = 0, columns = 0;
    uint64_t pitch = 0;     // 0: one row for all
    bool of_block = false;  // a row is one block, whose elements stand for all columns

    Rows Columns(uint64_t from, uint64_t count) const { return {From(vec, from), rows, count, pitch}; }
    // Rows without a gap between them are one tensor.
    Vec Whole() const { return Part(vec, 0, rows * pitch); }
};
// From a row and a column on.
Rows From(const Rows& rows, uint64_t row, uint64_t column);
inline Rows Part(const Rows& rows, uint64_t row, uint64_t column, uint64_t count, uint64_t columns) {
    Rows part = From(rows, row, column);
    part.rows = count;
    part.columns = columns;
    return part;
}
// What may stand beside rows, as the last source of a step: its own block for
// each, or one row for all.
inline Rows BlockEach(const Vec& blocks) { return {blocks, 0, 0, BlockElements(blocks.type), true}; }
inline Rows OneRow(const Vec& row) { return {row}; }

enum class Fold : uint8_t { kSum, kMax, kMin };

constexpr uint32_t kMostRepeats = 255;  // of one record
inline uint32_t RepeatElements(DataType type) { return 8 * BlockElements(type); }

// For values on their way to a tensor of half: of an element a row in float and half, and of a half block a row.
struct SideRoom {
    Vec values, narrow_values, narrow_blocks;
};

// Squares of 16 rows and 16 columns, `step` elements from each to the next.
struct Squares {
    Vec vec;
    uint64_t pitch, step;
};

using tiling::BlocksRoom, tiling::ValuesRoom;

// How steps on rows become records. kRepeats: as many rows a record as strides
// and repeats allow, in mode normal, which the call leaves with ResetMask at
// its end. kCounts: of all elements where no row has a gap, of a row each where
// they are long, else of a repeat for each row, in mode normal for this record
// alone.
enum class Walk : uint8_t { kRepeats, kCounts };

class RowSteps : public Steps {
public:
    RowSteps(runtime::Core& core, Where where, Walk walk = Walk::kRepeats);

    // dst(r, c) = f(a(r, c), b(r, c)) for the rows and columns of dst.
    void Add(const Rows& dst, const Rows& a, const Rows& b) { Binary(vadd, dst, a, b); }
    void Sub(const Rows& dst, const Rows& a, const Rows& b) { Binary(vsub, dst, a, b); }
    void Mul(const Rows& dst, const Rows& a, const Rows& b) { Binary(vmul, dst, a, b); }
    void Div(const Rows& dst, const Rows& a, const Rows& b) { Binary(vdiv, dst, a, b); }
    void Max(const Rows& dst, const Rows& a, const Rows& b) { Binary(vmax, dst, a, b); }
    void And(const Rows& dst, const Rows& a, const Rows& b) { Binary(vand, dst, a, b); }
    // Of Walk::kCounts.
    void Adds(const Rows& dst, const Rows& a, double b) { Count(vadds, dst, a, nullptr, Element(a.vec.type, b), {}); }
    void Muls(const Rows& dst, const Rows& a, double b) { Count(vmuls, dst, a, nullptr, Element(a.vec.type, b), {}); }
    void Cast(const Rows& dst, const Rows& a, Rounding rounding) { Count(vconv, dst, a, nullptr, 0, rounding); }
    using Steps::Add, Steps::Sub, Steps::Mul, Steps::Div, Steps::Max, Steps::And, Steps::Adds, Steps::Muls, Steps::Cast,
        Steps::Copy;

    // results[r * stride]: of the columns of row r, the tree of WholeReduceSum in groups of 256 bytes, the results of
    // the groups likewise (adv.md 4.0). levels: tiling::LevelBytes. pairs: for maxima and minima at least eight blocks,
    // which a chip needs whose reductions give indices besides.
    void Reduce(Fold fold, const Vec& results, const Rows& a, Space levels, const Vec& pairs = {});
    // Value r of `values` in all elements of block r. Eight rows at a time: both have room for them.
    void Broadcast(const Vec& blocks, const Vec& values, uint64_t rows);
    // The first element of each block, one after another.
    void Firsts(const Vec& values, const Vec& blocks, uint32_t rows);
    // Between blocks of two types: the first elements that both hold.
    void CastBlocks(const Vec& dst, const Vec& src, uint32_t rows, Rounding rounding);
    // A value of each row, in float blocks, into a tensor of half or float from row `first` on: a block a row, or an
    // element a row when `compact`.
    void Put(const Vec& side, uint32_t first, bool compact, const Vec& blocks, uint32_t rows, const SideRoom& room);
    // The other way: values first to first + rows - 1 of `side`, an element each, as float blocks within `blocks`.
    // Rooms: ValuesRoom(rows) and BlocksRoom(rows); where first and rows are those of a pass (RowsAtOnce), eight
    // values more than rows rounded up to eight, and as many blocks as that.
    Vec Get(const Vec& side, uint32_t first, uint32_t rows, const Vec& blocks, const Vec& values);

    // The bytes of the rows of dst, which begin and end at whole blocks.
    void Copy(const Rows& dst, const Rows& src);
    void CopyBlocks(const Vec& dst, const Vec& src) { Copy({dst, 1, dst.size(), dst.size()}, OneRow(src)); }
    // The first `have` elements again, until there are `whole`: each copy doubles
    // what there is. Whole blocks.
    void Repeat(const Vec& dst, uint64_t have, uint64_t whole);
    // Elements first to last - 1 of the block that each row begins with.
    void FillInBlock(const Rows& dst, uint64_t first, uint64_t last, uint64_t bits);
    // 32-bit integers first, first + difference...
    void Progression(const Vec& dst, uint64_t first, uint64_t difference);
    // first, first + 1..., by the instruction where the chip has it.
    void Index(const Vec& dst, int64_t first);
    // dst[i] = the element `base` and offsets[i] bytes behind the start of src.
    void Gather(const Vec& dst, const Vec& src, const Vec& offsets, uint64_t base = 0);
    // One bit an element of a: whether it compares with b.
    void Compare(const Vec& bits, const Vec& a, double b, AscendC::CMPMODE mode);
    // dst[i] = bit i ? a[i] : b.
    void Select(const Vec& dst, const Vec& bits, const Vec& a, uint64_t b);
    // The elements that a fixed pattern keeps of the first `count` of src,
    // packed.
    void Squeeze(const Vec& dst, const Vec& src, uint8_t pattern, uint64_t count);
    // Those whose bit is 1.
    void SqueezeBy(const Vec& dst, const Vec& src, const Vec& bits);
    // Columns become rows, in `count` squares.
    void Transpose(const Squares& dst, const Squares& src, uint64_t count);

private:
    void Binary(Issue issue, const Rows& dst, const Rows& a, const Rows& b) {
        walk_ == Walk::kRepeats ? Across(issue, dst, a, b) : Count(issue, dst, a, &b, 0, {});
    }
    void Across(Issue issue, const Rows& dst, const Rows& a, const Rows& b);
    void Count(Issue issue, const Rows& dst, const Rows& a, const Rows* b, uint64_t scalar, Rounding rounding);
    void Extremes(Fold fold, const Vec& dst, uint32_t dst_stride, const Vec& src, uint32_t src_stride, uint32_t lanes,
                  uint32_t repeats, const Vec& pairs);
    runtime::Core& core_;
    const Walk walk_;
    const bool values_alone_;  // maxima and minima come without their indices
};

using tiling::RowNeed;
// tiling::RowsIn; 0 when not even one row fits, which was reported.
uint32_t RowsAtOnce(const Caller& at, uint64_t found, const RowNeed& need, uint32_t rows);

}  // namespace sfumato::ascendc::adv
