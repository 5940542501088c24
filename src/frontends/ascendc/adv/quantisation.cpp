// SPDX-License-Identifier: Apache-2.0
// AscendQuant, AscendDequant, AscendAntiQuant, step by step (adv.md 8).
#include "sfumato/ascendc/adv/quantisation.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/tiles.h"
#include "sfumato/tiling/call_sizes.h"

namespace sfumato::ascendc {
namespace {

using namespace adv;

// Row pieces and column pieces that `elements` of temporaries a time have room for; columns in whole `unit`s. vectors:
// rows for all of a column piece.
struct Pieces {
    uint64_t rows, columns;
};
Pieces PiecesIn(uint64_t elements, uint64_t rows, uint64_t columns, uint64_t unit, uint64_t vectors = 0) {
    if (elements >= (1 + vectors) * columns) return {std::min(rows, elements / columns - vectors), columns};
    return {1, elements / (1 + vectors) / unit * unit};
}
template <class Body>
void EachPiece(const Pieces& pieces, uint64_t rows, uint64_t columns, const Body& body) {
    for (uint64_t c = 0; c < columns; c += pieces.columns) {
        for (uint64_t r = 0; r < rows; r += pieces.rows) {
            body(r, c, Tiles::Extent{std::min(pieces.rows, rows - r), std::min(pieces.columns, columns - c)});
        }
    }
}

constexpr uint64_t kUnit = 64;  // elements of a piece of a row: whole blocks of every type

double Rounded(float value, DataType type) {
    if (type == DataType::kHalf) return static_cast<double>(static_cast<float>(half(value)));
    return static_cast<double>(value);
}

}  // namespace

// half: src times scale, plus offset; Cast to int8_t.
void Quantise(const QuantCall& call) {
    constexpr const char* kCall = "AscendQuant";
    runtime::Core& core = ThisCore(kCall);
    const runtime::Core::CallScope scope(core, kCall, call.where);
    const bool vector = call.scale.tensor.tensor, offsets = call.offset.tensor.tensor;
    const int64_t count = call.count < 0 ? call.src.tensor->size : call.count;
    const int64_t width = !vector ? count : call.scale_count < 0 ? call.scale.tensor.tensor->size : call.scale_count;
    const int64_t offset_width =
        offsets ? call.offset_count < 0 ? call.offset.tensor.tensor->size : call.offset_count : width;
    if (vector && (width <= 0 || width % 32 != 0 || count % width != 0 || offset_width != width)) {
        BadParameter(core, kCall, "scaleCount", "the counts do not fit together",
                     fmt::format("scaleCount {}, offsetCount {}, calCount {}", width, offset_width, count),
                     "scaleCount a multiple of 32 and equal to offsetCount, calCount a multiple of it",
                     "pad scale and offset to the length of a row", call.where);
        return;
    }
    const auto all = static_cast<uint64_t>(count), columns = static_cast<uint64_t>(width);
    const uint64_t rows = vector ? all / columns : 1;
    // The destination may be the source: a piece is computed before it is stored, and its bytes are fewer.
    if (!CheckNeeds(core, kCall,
                    {{"dst", &call.dst, all},
                     {"src", &call.src, all, &call.dst},
                     {"scale", &call.scale.tensor, columns},
                     {"offset", &call.offset.tensor, columns}},
                    call.tmp, call.where) ||
        all == 0) {
        return;
    }

    const bool wide = call.src.type == DataType::kFloat;
    Space space(core, kCall, call.tmp, call.where);
    const uint64_t vectors = wide ? uint64_t{vector} + offsets : 0, unit = std::min(kUnit, RoundUpTo(columns, 32));
    const uint64_t needed = 2 * (1 + vectors) * unit;
    if (!CheckSpace(core, kCall, call.tmp, space.bytes(), needed, needed, call.where)) return;
    Tiles t(core, call.where);
    const Pieces pieces = PiecesIn(space.bytes() / 2, rows, RoundUpTo(columns, 32), unit, vectors);
    // In half, of the columns of a piece.
    const auto room = [&](bool there) { return wide && there ? space.Take(DataType::kHalf, pieces.columns) : Vec{}; };
    const Vec narrow_scale = room(vector), narrow_offset = room(offsets);
    const auto in_half = [&](const Quantum& quantum, const Vec& narrow, uint64_t r, uint64_t c, uint64_t n) {
        const Vec values = Part(VecOf(quantum.tensor), c, n);
        if (!wide) return values;
        if (r == 0) t.Cast(Part(narrow, 0, n), values, Rounding::kNone);
        return Part(narrow, 0, n);
    };
    const Vec piece = space.Take(DataType::kHalf, pieces.rows * pieces.columns);
    const Rows src{VecOf(call.src), columns}, dst{VecOf(call.dst), columns};
    EachPiece(pieces, rows, columns, [&](uint64_t r, uint64_t c, Tiles::Extent e) {
        const Rows h{piece, pieces.columns};
        Rows from = From(src, r, c);
        if (wide) t.Cast(e, h, from, Rounding::kNone), from = h;
        if (vector)
            t.Mul(e, h, from, {in_half(call.scale, narrow_scale, r, c, e.width), 0});
        else
            t.Muls(e, h, from, Rounded(call.scale.number, DataType::kHalf));
        if (offsets)
            t.Add(e, h, h, {in_half(call.offset, narrow_offset, r, c, e.width), 0});
        else
            t.Adds(e, h, h, Rounded(call.offset.number, DataType::kHalf));
        t.Cast(e, From(dst, r, c), h, Rounding::kNone);
    });
    if (call.reuses) TellReused(core, call.dst, call.src, all, call.where);
}

// float: src times scale, Cast to the type of dst.
void Dequantise(const DequantCall& call) {
    constexpr const char* kCall = "AscendDequant";
    runtime::Core& core = ThisCore(kCall);
    const runtime::Core::CallScope scope(core, kCall, call.where);
    uint64_t rows = call.m, pitch = call.n, columns = call.count;
    if (pitch % 8 != 0 || columns > pitch) {
        BadParameter(core, kCall, "params", "the rows do not fit", fmt::format("n {}, calCount {}", pitch, columns),
                     "n a multiple of 8, calCount up to n", "pad the rows of src to 32 bytes", call.where);
        return;
    }
    const uint64_t block = BlockElements(call.dst.type);
    if (call.single_row && rows == 1 && columns != 0 && columns % block == 0 && pitch % columns == 0) {
        rows = pitch / columns;
        pitch = columns;
    }
    if (rows == 0 || columns == 0) return;
    const uint64_t to_pitch = RoundUpTo(pitch, block);
    const bool vector = call.scale.tensor.tensor, words = call.scale.tensor.type == DataType::kUint64;
    if (!CheckNeeds(core, kCall,
                    {{"dst", &call.dst, (rows - 1) * to_pitch + columns},
                     {"src", &call.src, (rows - 1) * pitch + columns},
                     {"deqScale", &call.scale.tensor, columns}},
                    call.tmp, call.where)) {
        return;
    }

    const bool in_place = call.dst.type == DataType::kFloat,
               convert = vector && call.scale.tensor.type != DataType::kFloat;
    Space space(core, kCall, call.tmp, call.where);
    const uint64_t unit = std::min(kUnit, RoundUpTo(columns, 8)), needed = 4 * (uint64_t{convert} + !in_place) * unit;
    if (!CheckSpace(core, kCall, call.tmp, space.bytes(), needed, needed, call.where)) return;
    Tiles t(core, call.where);
    const Vec scale = vector ? VecOf(call.scale.tensor) : Vec{};
    const uint64_t room = space.bytes() / 4, whole = RoundUpTo(columns, 8);
    const Pieces pieces = !in_place ? PiecesIn(room, rows, whole, unit, convert)
                                    : Pieces{rows, !convert || room >= whole ? whole : room / unit * unit};
    const Vec floats = convert ? space.Take(DataType::kFloat, pieces.columns) : Vec{};
    const Vec piece = in_place ? Vec{} : space.Take(DataType::kFloat, pieces.rows * pieces.columns);
    const Rows src{VecOf(call.src), pitch}, dst{VecOf(call.dst), to_pitch};
    EachPiece(pieces, rows, columns, [&](uint64_t r, uint64_t c, Tiles::Extent e) {
        const Vec here = vector ? Part(scale, c, e.width) : Vec{}, wide = Part(floats, 0, convert ? e.width : 0);
        // The low half of each word is the scale as a float.
        if (convert && r == 0) {
            words ? t.Squeeze(wide, As(here, DataType::kFloat), 1, 2 * e.width) : t.Cast(wide, here, Rounding::kNone);
        }
        const Rows f = in_place ? From(dst, r, c) : Rows{piece, pieces.columns};
        t.Cast(e, f, From(src, r, c), Rounding::kNone);
        if (vector)
            t.Mul(e, f, f, {convert ? wide : here, 0});
        else
            t.Muls(e, f, f, static_cast<double>(call.scale.number));
        if (in_place) return;
        t.Cast(e, From(dst, r, c), f, call.dst.type == DataType::kHalf ? Rounding::kNone : Rounding::kRint);
    });
}

namespace {

// Scale or offset of a call as rows or columns of the computing type.
struct Factor {
    Vec vec;  // not transposed: a row for each group; transposed: a block for each value
    bool vector = false;
    double number = 0;
};

}  // namespace

// Cast to half (bfloat16_t: on to float), plus offset, times scale (bfloat16_t: Cast back).
void AntiQuantise(const AntiQuantCall& call) {
    constexpr const char* kCall = "AscendAntiQuant";
    runtime::Core& core = ThisCore(kCall);
    const runtime::Core::CallScope scope(core, kCall, call.where);
    const bool vector = call.scale.tensor.tensor, offset = call.offset.given, wide = call.dst.type != DataType::kHalf;
    const uint64_t all = call.src.tensor->size, k = call.k, n = k ? all / k : 0;
    const uint64_t groups = !vector ? 1 : call.transposed ? call.scale_width : call.scale_height;
    const uint64_t group = groups ? k / groups : 0, columns = call.transposed ? k : n;
    const uint64_t unit = call.src.type == DataType::kInt4 ? 64 : 32;
    const bool same =
        !vector || !offset || (call.scale_height == call.offset_height && call.scale_width == call.offset_width);
    const bool fits =
        !vector || (groups != 0 && k % groups == 0 && (call.transposed ? call.scale_height : call.scale_width) == n);
    if (k == 0 || all % k != 0 || columns % unit != 0 || !same || !fits ||
        (vector && call.transposed && group % unit != 0)) {
        BadParameter(core, kCall, "k", "the shapes do not fit together",
                     fmt::format("{} elements of src, k {}, scale [{}, {}], offset [{}, {}]", all, k, call.scale_height,
                                 call.scale_width, call.offset_height, call.offset_width),
                     call.transposed ? "src [N, K], scale and offset [N, groups], K / groups whole blocks"
                                     : "src [K, N], scale and offset [groups, N], rows of whole blocks",
                     "k is the number of rows of src, with isTranspose of its columns", call.where);
        return;
    }
    const uint64_t parameters = vector ? groups * n : 0;
    if (!CheckNeeds(core, kCall,
                    {{"dst", &call.dst, all},
                     {"src", &call.src, all},
                     {"scale", &call.scale.tensor, parameters},
                     {"offset", offset ? &call.offset.tensor : nullptr, parameters}},
                    call.tmp, call.where) ||
        all == 0) {
        return;
    }

    const DataType type = wide ? DataType::kFloat : DataType::kHalf;
    const uint64_t rows = all / columns, each = tiling::AntiQuantEach(wide);
    const uint64_t one = vector ? tiling::AntiQuantVector(parameters, call.transposed, wide) : 0;
    const uint64_t needed = one * (1 + uint64_t{offset}) + each * std::min(kUnit, columns);
    Space space(core, kCall, call.tmp, call.where);
    if (needed != 0 && !CheckSpace(core, kCall, call.tmp, space.bytes(), needed, needed, call.where)) return;
    Tiles t(core, call.where);
    const auto factor = [&](const Quantum& quantum) {
        Factor f{{}, vector, static_cast<double>(quantum.number)};
        if (!vector) return f;
        f.vec = Part(VecOf(quantum.tensor), 0, parameters);
        if (wide) {
            const Vec floats = space.Take(type, parameters);
            t.Cast(floats, f.vec, Rounding::kNone);
            f.vec = floats;
        }
        if (!call.transposed) return f;
        const Vec spread = space.Take(type, RoundUpTo(parameters, 8) * BlockElements(type));
        t.Brcb(spread, f.vec, (parameters + 7) / 8);
        f.vec = spread;
        return f;
    };
    const Factor scales = factor(call.scale), offsets = offset ? factor(call.offset) : Factor{};
    const Pieces pieces = wide ? PiecesIn(space.bytes() / each, rows, columns, kUnit) : Pieces{rows, columns};
    const uint64_t at_once = pieces.rows * pieces.columns;
    const Vec halves = wide ? space.Take(DataType::kHalf, at_once) : Vec{};
    const Vec floats = wide ? space.Take(DataType::kFloat, at_once) : Vec{};
    const Rows src{VecOf(call.src), columns}, dst{VecOf(call.dst), columns};
    EachPiece(pieces, rows, columns, [&](uint64_t r, uint64_t c, Tiles::Extent e) {
        const Rows in_half = wide ? Rows{halves, pieces.columns} : From(dst, r, c);
        const Rows work = wide ? Rows{floats, pieces.columns} : in_half;
        t.Cast(e, in_half, From(src, r, c), Rounding::kNone);
        if (wide) t.Cast(e, work, in_half, Rounding::kNone);
        // A group at a time: along the rows, with isTranspose along the columns.
        const auto apply = [&](const Factor& f, bool adds) {
            if (!f.vector) return adds ? t.Adds(e, work, work, f.number) : t.Muls(e, work, work, f.number);
            const uint64_t first = call.transposed ? c : r, length = call.transposed ? e.width : e.rows;
            for (uint64_t at = first; at < first + length;) {
                const uint64_t g = at / group, next = std::min((g + 1) * group, first + length);
                const Tiles::Extent part =
                    call.transposed ? Tiles::Extent{e.rows, next - at} : Tiles::Extent{next - at, e.width};
                const Rows here = call.transposed ? From(work, 0, at - first) : From(work, at - first, 0);
                const uint64_t block = BlockElements(type);
                const Rows with = call.transposed
                                      ? Rows{From({f.vec, groups * block}, r, g * block).vec, groups * block, true}
                                      : From({Part(f.vec, g * n, n), 0}, 0, c);
                adds ? t.Add(part, here, here, with) : t.Mul(part, here, here, with);
                at = next;
            }
        };
        if (offset) apply(offsets, true);
        apply(scales, false);
        if (wide) t.Cast(e, From(dst, r, c), work, Rounding::kRint);
    });
}

}  // namespace sfumato::ascendc
