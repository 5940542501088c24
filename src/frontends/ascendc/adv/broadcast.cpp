// SPDX-License-Identifier: Apache-2.0
// BroadCast: rows by copies, columns by Brcb and copies or, where rows are no whole blocks, by Gather (adv.md 9).
#include "sfumato/ascendc/adv/broadcast.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

struct BroadcastShape {
    uint64_t rows = 1, columns = 1;
    bool row = false;  // of the source: else a column, or one value
};

bool ShapeOf(const Caller& at, const BroadcastCall& call, BroadcastShape* shape) {
    const uint32_t *to = call.dst_shape, *from = call.src_shape;
    const auto text = [&](const uint32_t* s) {
        return call.dim == 1 ? fmt::format("[{}]", s[0]) : fmt::format("[{}, {}]", s[0], s[1]);
    };
    const int axis = call.dim == 1 ? 0 : call.axis;
    for (int d = 0; d < call.dim; ++d) {
        if (from[d] == (d == axis ? 1 : to[d])) continue;
        return at.Refuse("srcShape", "the shapes do not differ in the axis alone",
                         fmt::format("{} from {}, axis {}", text(to), text(from), axis),
                         "1 along the axis in srcShape, the rest as in dstShape",
                         "axis 0 repeats a row, axis 1 a column");
    }
    shape->row = call.dim == 2 && axis == 0;
    shape->rows = call.dim == 1 ? 1 : to[0];
    shape->columns = call.dim == 1 ? to[0] : to[1];
    // Rows are whole blocks everywhere, columns where the chip asks for it.
    const bool column = call.dim == 2 && axis == 1 && !at.core.chip().broadcast_columns;
    const uint64_t count = shape->row ? shape->columns : shape->rows, bytes = BytesOf(call.src.type, count);
    if (!(shape->row || column) || bytes % isa::kBlockBytes == 0) return true;
    return at.Refuse(
        "srcShape", fmt::format("the {} is no multiple of 32 bytes", shape->row ? "row" : "column"),
        fmt::format("{} elements, {} bytes", count, bytes), "multiples of 32 bytes",
        shape->row ? "pad the rows, or broadcast along axis 1" : "broadcast more rows, and copy out those that count");
}

// Whole blocks: one of each element, then copies of it along the row.
void Blocks(const Caller& at, const BroadcastCall& call, const BroadcastShape& shape, Space& space, RowSteps& t) {
    const Vec dst = VecOf(call.dst), src = VecOf(call.src);
    const uint64_t block = BlockElements(dst.type), rows_padded = RoundUpTo(shape.rows, 8);
    // Parts of src begin at whole blocks of it: of 16-bit data 16 elements.
    constexpr uint64_t kUnit = 16;
    const uint64_t least = std::min(kUnit, rows_padded), needed = tiling::BroadcastBlockBytes(shape.rows);
    if (!at.CheckSpace(space.bytes(), needed)) return;
    const uint64_t at_once = std::min(std::max(space.bytes() / isa::kBlockBytes / kUnit * kUnit, least), rows_padded);
    const Vec blocks = space.Take(dst.type, at_once * block);
    for (uint64_t r = 0; r < shape.rows; r += at_once) {
        const uint64_t rows = std::min(at_once, shape.rows - r);
        t.Broadcast(blocks, Part(src, r, rows), rows);
        const Rows to = Part({dst, 0, 0, shape.columns}, r, 0, rows, block);
        t.Copy(to, {blocks, rows, block, block});
        for (uint64_t have = block; have < shape.columns;) {
            const uint64_t more = std::min(have, shape.columns - have);
            t.Copy(Part(to, 0, have, rows, more), to);
            have += more;
        }
    }
}

// Any width: element i of dst is the one at i / columns. Data of 8 bits go as half, which holds them exactly.
void Elements(const Caller& at, const BroadcastCall& call, const BroadcastShape& shape, Space& space, RowSteps& t) {
    Vec dst = VecOf(call.dst), src = VecOf(call.src);
    const bool bytes = BitsOf(dst.type) == 8;
    const DataType type = bytes ? DataType::kHalf : dst.type;
    const auto size = static_cast<uint32_t>(BytesOf(dst.type, 1));
    const uint64_t unit = 32, each = tiling::BroadcastEach(size);
    const uint64_t needed = tiling::BroadcastElementBytes(shape.rows, unit, size);
    if (!at.CheckSpace(space.bytes(), needed)) return;
    if (bytes) {
        const Vec wide = space.Take(type, shape.rows);
        t.Cast(wide, Part(src, 0, shape.rows), Rounding::kNone);
        src = wide;
    }
    const uint64_t all = shape.rows * shape.columns;
    const uint64_t at_once = std::min(space.bytes() / each / unit * unit, RoundUpTo(all, unit));
    const Vec numbers = space.Take(DataType::kInt32, at_once);
    const Vec wide = bytes ? space.Take(type, at_once) : Vec{};
    for (uint64_t i = 0; i < all; i += at_once) {
        const uint64_t n = std::min(at_once, all - i);
        const Vec integers = Part(numbers, 0, n), floats = As(integers, DataType::kFloat);
        if (shape.rows == 1) {
            t.Duplicate(integers, 0);
        } else {
            // (i + 1/2) / columns in float rounds down to the row for all i that UB has.
            t.Index(integers, static_cast<int64_t>(i));
            t.Cast(floats, integers, Rounding::kNone);
            t.Adds(floats, floats, 0.5);
            t.Muls(floats, floats, 1.0 / static_cast<double>(shape.columns));
            t.Cast(integers, floats, Rounding::kFloor);
            t.Muls(integers, integers, static_cast<double>(BytesOf(type, 1)));
        }
        const Vec to = bytes ? Part(wide, 0, n) : Part(dst, i, n);
        t.Gather(to, src, integers);
        if (bytes) t.Cast(Part(dst, i, n), to, Rounding::kNone);
    }
}

}  // namespace

void BroadcastTo(const BroadcastCall& call) {
    const Caller at(call.name, call.tmp, call.where);
    at.core.Called("BroadCast", call.where);  // the name of its page
    BroadcastShape shape;
    if (!ShapeOf(at, call, &shape)) return;
    const uint64_t all = shape.rows * shape.columns;
    if (!at.CheckNeeds({{"dst", &call.dst, all}, {"src", &call.src, shape.row ? shape.columns : shape.rows}}) ||
        all == 0) {
        return;
    }
    RowSteps t(at.core, call.where, Walk::kCounts);
    const Vec dst = VecOf(call.dst);
    if (shape.row) {
        t.CopyBlocks(Part(dst, 0, shape.columns), VecOf(call.src));
        t.Repeat(dst, shape.columns, all);
    } else {
        Space space(at);
        // Brcb reads 8 elements a repeat, which the buffer of src must have.
        const bool whole = BytesOf(dst.type, shape.columns) % isa::kBlockBytes == 0 &&
                           BytesOf(dst.type, RoundUpTo(shape.rows, 8)) <= call.src.tensor->room;
        const bool blocks = whole && BitsOf(dst.type) != 8 && shape.rows != 1;
        blocks ? Blocks(at, call, shape, space, t) : Elements(at, call, shape, space, t);
    }
    if (call.reuses) at.TellReused(call.dst, call.src, shape.row ? shape.columns : shape.rows);
}

}  // namespace sfumato::ascendc
