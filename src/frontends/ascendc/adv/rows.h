// SPDX-License-Identifier: Apache-2.0
// Steps on rows of a matrix in UB: as many rows a record as strides and repeats allow.
#pragma once

#include <optional>

#include "frontends/ascendc/adv/steps.h"

namespace sfumato::ascendc::adv {

// Element (r, c) at r * pitch + c; the pitch is a multiple of a block.
struct Grid {
    Vec first;
    uint32_t rows = 0, columns = 0, pitch = 0;
    Grid Columns(uint32_t from, uint32_t count) const { return {From(first, from), rows, count, pitch}; }
    Grid Rows(uint32_t from, uint32_t count) const {
        return {From(first, uint64_t{from} * pitch), count, columns, pitch};
    }
    // Rows without a gap between them are one tensor.
    Vec Whole() const { return Part(first, 0, uint64_t{rows} * pitch); }
};

// What stands beside a row: a tensor of the same form, its own block, or one row for all.
enum class Beside : uint8_t { kGrid, kBlock, kRow };
enum class Fold : uint8_t { kSum, kMax, kMin };

inline uint32_t RepeatElements(DataType type) { return 8 * BlockElements(type); }

// For values on their way to a tensor of half: of an element a row in float and half, and of a half block a row.
struct SideRoom {
    Vec values, narrow_values, narrow_blocks;
};

using tiling::BlocksRoom, tiling::ValuesRoom;

class RowSteps : public Steps {
public:
    RowSteps(runtime::Core& core, Where where);

    void Add(const Grid& dst, const Grid& a, const Vec& b, Beside beside) { Across(vadd, dst, a, b, beside); }
    void Sub(const Grid& dst, const Grid& a, const Vec& b, Beside beside) { Across(vsub, dst, a, b, beside); }
    void Mul(const Grid& dst, const Grid& a, const Vec& b, Beside beside) { Across(vmul, dst, a, b, beside); }
    void Div(const Grid& dst, const Grid& a, const Vec& b, Beside beside) { Across(vdiv, dst, a, b, beside); }
    void Max(const Grid& dst, const Grid& a, const Vec& b, Beside beside) { Across(vmax, dst, a, b, beside); }
    void Min(const Grid& dst, const Grid& a, const Vec& b, Beside beside) { Across(vmin, dst, a, b, beside); }
    using Steps::Add, Steps::Sub, Steps::Mul, Steps::Div, Steps::Max, Steps::Min;

    // results[r * stride]: of the columns of row r, the tree of WholeReduceSum in groups of 256 bytes, the results of
    // the groups likewise (adv.md 4.0). levels: tiling::LevelBytes. pairs: for maxima and minima at least eight blocks,
    // which a chip needs whose reductions give indices besides.
    void Reduce(Fold fold, const Vec& results, const Grid& a, Space levels, const Vec& pairs = {});
    // Value r of `values` in all elements of block r. Eight rows at a time: both have room for them.
    void Broadcast(const Vec& blocks, const Vec& values, uint32_t rows);
    // The first element of each block, one after another.
    void Gather(const Vec& values, const Vec& blocks, uint32_t rows);
    // Between blocks of two types: the first elements that both hold.
    void CastBlocks(const Vec& dst, const Vec& src, uint32_t rows, Rounding rounding);
    // A value of each row, in float blocks, into a tensor of half or float from row `first` on: a block a row, or an
    // element a row when `compact`.
    void Put(const Vec& side, uint32_t first, bool compact, const Vec& blocks, uint32_t rows, const SideRoom& room);
    // The other way: values first to first + rows - 1 of `side`, an element each, as float blocks within `blocks`.
    // Rooms: ValuesRoom(rows) and BlocksRoom(rows); where first and rows are those of a pass (RowsAtOnce), eight
    // values more than rows rounded up to eight, and as many blocks as that.
    Vec Get(const Vec& side, uint32_t first, uint32_t rows, const Vec& blocks, const Vec& values);
    // Offsets of bytes, int32.
    void Progression(const Vec& offsets, uint64_t first, uint64_t difference);
    // dst[i] = the element `base` and offsets[i] bytes behind the start of src.
    void GatherBytes(const Vec& dst, const Vec& src, const Vec& offsets, uint64_t base);

private:
    void Across(Issue issue, const Grid& dst, const Grid& a, const Vec& b, Beside beside);
    void Extremes(Fold fold, const Vec& dst, uint32_t dst_stride, const Vec& src, uint32_t src_stride, uint32_t lanes,
                  uint32_t repeats, const Vec& pairs);
    const bool values_alone_;  // maxima and minima come without their indices
};

using tiling::RowNeed;
// tiling::RowsIn; 0 when not even one row fits, which was reported.
uint32_t RowsAtOnce(runtime::Core& core, const char* call, const Lent& lent, uint64_t found, const RowNeed& need,
                    uint32_t rows, Where where);

}  // namespace sfumato::ascendc::adv
