// SPDX-License-Identifier: Apache-2.0
// Pad and UnPad: every element of dst by Gather from its place in src, columns of padding by a masked Duplicate
// (adv.md 9).
#include "sfumato/ascendc/adv/pad.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

// Element (r, c) of dst, rows of `to` columns, is element (r, c - left) of src, rows of call.columns; where there is
// none, any other.
void Move(const Caller& at, const PadCall& call, uint64_t to, RowSteps& t) {
    using tiling::kPadEach, tiling::kPadUnit, tiling::PadBytes;
    const Vec dst = VecOf(call.dst), src = VecOf(call.src);
    Space space(at);
    const uint64_t minimum = PadBytes(RoundUpTo(call.columns, BlockElements(src.type)));
    if (!at.CheckSpace(space.bytes(), PadBytes(1), minimum)) return;
    const uint64_t all = call.rows * to;
    const uint64_t at_once = std::min(space.bytes() / kPadEach / kPadUnit * kPadUnit, RoundUpTo(all, kPadUnit));
    const Vec places = space.Take(DataType::kInt32, at_once), rows = space.Take(DataType::kInt32, at_once);
    for (uint64_t i = 0; i < all; i += at_once) {
        const uint64_t n = std::min(at_once, all - i);
        const Vec place = Part(places, 0, n), row = Part(rows, 0, n), number = As(row, DataType::kFloat);
        t.Index(place, static_cast<int64_t>(i));
        // (i + 1/2) / to in float rounds down to the row for all i that UB has.
        t.Cast(number, place, Rounding::kNone);
        t.Adds(number, number, 0.5);
        t.Muls(number, number, 1.0 / static_cast<double>(to));
        t.Cast(row, number, Rounding::kFloor);
        t.Muls(row, row, static_cast<double>(call.columns) - static_cast<double>(to));
        t.Add(place, place, row);
        t.Adds(place, place, -static_cast<double>(call.left));
        t.Maxs(place, place, 0);
        t.Mins(place, place, static_cast<double>(uint64_t{call.rows} * call.columns - 1));
        t.Muls(place, place, static_cast<double>(BytesOf(src.type, 1)));
        t.Gather(Part(dst, i, n), src, place);
    }
}

bool Refuse(const Caller& at, const PadCall& call, const char* operand, const char* message, const std::string& legal,
            const char* hint) {
    return at.Refuse(operand, message,
                     fmt::format("{} columns, leftPad {}, rightPad {}", call.columns, call.left, call.right), legal,
                     hint);
}

}  // namespace

void PadColumns(const PadCall& call) {
    const Caller at("Pad", call.tmp, call.where);
    const uint64_t block = BlockElements(call.src.type), to = RoundUpTo(call.columns, block);
    const uint64_t total = uint64_t{call.columns} + call.left + call.right;
    const bool whole = to == call.columns;  // the padding stands in the rows already
    if (whole && (call.left != 0 || call.right == 0 || call.right >= block)) {
        Refuse(at, call, "padParams", "rows of whole blocks take padding in place of their last columns alone",
               fmt::format("leftPad 0, rightPad 1 to {}", block - 1), "");
        return;
    }
    if (!whole && total > to) {
        Refuse(at, call, "padParams", "the padded rows are longer than the next multiple of 32 bytes",
               fmt::format("at most {} columns together", to), "pad to the next multiple of 32 bytes at most");
        return;
    }
    const uint64_t elements = uint64_t{call.rows} * call.columns;
    if (BytesOf(call.src.type, elements) % isa::kBlockBytes != 0 || elements == 0) {
        at.Refuse("tiling", "the source is no whole number of blocks",
                  fmt::format("{} x {} elements, {} bytes", call.rows, call.columns, BytesOf(call.src.type, elements)),
                  "a multiple of 32 bytes", "PadTilingFunc makes the tiling from the shape");
        return;
    }
    if (!at.CheckNeeds({{"dstTensor", &call.dst, call.rows * to}, {"srcTensor", &call.src, elements}})) {
        return;
    }
    RowSteps t(at.core, call.where, Walk::kCounts);
    const Vec dst = VecOf(call.dst);
    if (whole) {
        t.CopyBlocks(Part(dst, 0, elements), VecOf(call.src));
    } else {
        Move(at, call, to, t);
    }
    const uint64_t value = Element(dst.type, call.value);
    const uint64_t end = whole ? to - call.right : call.left + call.columns;  // of what is no padding
    if (call.left != 0) t.FillInBlock({dst, call.rows, to, to}, 0, call.left, value);
    if (end != to) t.FillInBlock({From(dst, to - block), call.rows, block, to}, end - (to - block), block, value);
}

void UnPadColumns(const PadCall& call) {
    const Caller at("UnPad", call.tmp, call.where);
    const uint64_t block = BlockElements(call.src.type);
    if (!at.CheckRow("tiling", call.src.type, call.columns) || call.rows == 0) return;
    if (call.left != 0 || call.right == 0 || call.right >= block) {
        Refuse(at, call, "unPadParams", "columns are dropped on the right alone, less than a block of them",
               fmt::format("leftPad 0, rightPad 1 to {}", block - 1), "");
        return;
    }
    const uint64_t to = call.columns - call.right;
    if (at.CheckNeeds(
            {{"dstTensor", &call.dst, call.rows * to}, {"srcTensor", &call.src, uint64_t{call.rows} * call.columns}})) {
        RowSteps t(at.core, call.where, Walk::kCounts);
        Move(at, call, to, t);
    }
}

}  // namespace sfumato::ascendc
