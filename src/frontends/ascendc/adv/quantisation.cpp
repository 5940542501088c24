// SPDX-License-Identifier: Apache-2.0
// AscendQuant, AscendDequant, AscendAntiQuant, step by step (adv.md 8).
#include "sfumato/ascendc/adv/quantisation.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/adv/rows.h"
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
// A piece of rows, and what stands for it in a temporary.
struct Patch {
    uint64_t row, column, rows, columns;
    Rows Of(const Rows& whole) const { return Part(whole, row, column, rows, columns); }
    Rows In(const Vec& room, const Pieces& pieces) const { return {room, rows, columns, pieces.columns}; }
};
template <class Body>
void EachPiece(const Pieces& pieces, uint64_t rows, uint64_t columns, const Body& body) {
    for (uint64_t c = 0; c < columns; c += pieces.columns) {
        for (uint64_t r = 0; r < rows; r += pieces.rows) {
            body(Patch{r, c, std::min(pieces.rows, rows - r), std::min(pieces.columns, columns - c)});
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
    const Caller at("AscendQuant", call.tmp, call.where);
    const bool vector = call.scale.tensor.tensor, offsets = call.offset.tensor.tensor;
    const int64_t count = call.count < 0 ? call.src.tensor->size : call.count;
    const int64_t width = !vector ? count : call.scale_count < 0 ? call.scale.tensor.tensor->size : call.scale_count;
    const int64_t offset_width =
        offsets ? call.offset_count < 0 ? call.offset.tensor.tensor->size : call.offset_count : width;
    if (vector && (width <= 0 || width % 32 != 0 || count % width != 0 || offset_width != width)) {
        at.Refuse("scaleCount", "the counts do not fit together",
                  fmt::format("scaleCount {}, offsetCount {}, calCount {}", width, offset_width, count),
                  "scaleCount a multiple of 32 and equal to offsetCount, calCount a multiple of it",
                  "pad scale and offset to the length of a row");
        return;
    }
    const auto all = static_cast<uint64_t>(count), columns = static_cast<uint64_t>(width);
    const uint64_t rows = vector ? all / columns : 1;
    // The destination may be the source: a piece is computed before it is stored, and its bytes are fewer.
    if (!at.CheckNeeds({{"dst", &call.dst, all},
                        {"src", &call.src, all, &call.dst},
                        {"scale", &call.scale.tensor, columns},
                        {"offset", &call.offset.tensor, columns}}) ||
        all == 0) {
        return;
    }

    const bool wide = call.src.type == DataType::kFloat;
    Space space(at);
    const uint64_t vectors = wide ? uint64_t{vector} + offsets : 0, unit = std::min(kUnit, RoundUpTo(columns, 32));
    const uint64_t needed = 2 * (1 + vectors) * unit;
    if (!at.CheckSpace(space.bytes(), needed)) return;
    RowSteps t(at.core, call.where, Walk::kCounts);
    const Pieces pieces = PiecesIn(space.bytes() / 2, rows, RoundUpTo(columns, 32), unit, vectors);
    // In half, of the columns of a piece.
    const auto room = [&](bool there) { return wide && there ? space.Take(DataType::kHalf, pieces.columns) : Vec{}; };
    const Vec narrow_scale = room(vector), narrow_offset = room(offsets);
    const auto in_half = [&](const Quantum& quantum, const Vec& narrow, const Patch& p) {
        const Vec values = Part(VecOf(quantum.tensor), p.column, p.columns);
        if (!wide) return OneRow(values);
        if (p.row == 0) t.Cast(Part(narrow, 0, p.columns), values, Rounding::kNone);
        return OneRow(Part(narrow, 0, p.columns));
    };
    const Vec piece = space.Take(DataType::kHalf, pieces.rows * pieces.columns);
    const Rows src{VecOf(call.src), rows, columns, columns}, dst{VecOf(call.dst), rows, columns, columns};
    EachPiece(pieces, rows, columns, [&](const Patch& p) {
        const Rows h = p.In(piece, pieces);
        Rows from = p.Of(src);
        if (wide) t.Cast(h, from, Rounding::kNone), from = h;
        vector ? t.Mul(h, from, in_half(call.scale, narrow_scale, p))
               : t.Muls(h, from, Rounded(call.scale.number, DataType::kHalf));
        offsets ? t.Add(h, h, in_half(call.offset, narrow_offset, p))
                : t.Adds(h, h, Rounded(call.offset.number, DataType::kHalf));
        t.Cast(p.Of(dst), h, Rounding::kNone);
    });
    if (call.reuses) at.TellReused(call.dst, call.src, all);
}

// float: src times scale, Cast to the type of dst.
void Dequantise(const DequantCall& call) {
    const Caller at("AscendDequant", call.tmp, call.where);
    uint64_t rows = call.m, pitch = call.n, columns = call.count;
    if (pitch % 8 != 0 || columns > pitch) {
        at.Refuse("params", "the rows do not fit", fmt::format("n {}, calCount {}", pitch, columns),
                  "n a multiple of 8, calCount up to n", "pad the rows of src to 32 bytes");
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
    if (!at.CheckNeeds({{"dst", &call.dst, (rows - 1) * to_pitch + columns},
                        {"src", &call.src, (rows - 1) * pitch + columns},
                        {"deqScale", &call.scale.tensor, columns}})) {
        return;
    }

    const bool in_place = call.dst.type == DataType::kFloat,
               convert = vector && call.scale.tensor.type != DataType::kFloat;
    Space space(at);
    const uint64_t unit = std::min(kUnit, RoundUpTo(columns, 8)), needed = 4 * (uint64_t{convert} + !in_place) * unit;
    if (!at.CheckSpace(space.bytes(), needed)) return;
    RowSteps t(at.core, call.where, Walk::kCounts);
    const Vec scale = vector ? VecOf(call.scale.tensor) : Vec{};
    const uint64_t room = space.bytes() / 4, whole = RoundUpTo(columns, 8);
    const Pieces pieces = !in_place ? PiecesIn(room, rows, whole, unit, convert)
                                    : Pieces{rows, !convert || room >= whole ? whole : room / unit * unit};
    const Vec floats = convert ? space.Take(DataType::kFloat, pieces.columns) : Vec{};
    const Vec piece = in_place ? Vec{} : space.Take(DataType::kFloat, pieces.rows * pieces.columns);
    const Rows src{VecOf(call.src), rows, columns, pitch}, dst{VecOf(call.dst), rows, columns, to_pitch};
    EachPiece(pieces, rows, columns, [&](const Patch& p) {
        const Vec here = vector ? Part(scale, p.column, p.columns) : Vec{};
        const Vec wide = Part(floats, 0, convert ? p.columns : 0);
        // The low half of each word is the scale as a float.
        if (convert && p.row == 0) {
            words ? t.Squeeze(wide, As(here, DataType::kFloat), 1, 2 * p.columns) : t.Cast(wide, here, Rounding::kNone);
        }
        const Rows f = in_place ? p.Of(dst) : p.In(piece, pieces);
        t.Cast(f, p.Of(src), Rounding::kNone);
        vector ? t.Mul(f, f, OneRow(convert ? wide : here)) : t.Muls(f, f, static_cast<double>(call.scale.number));
        if (in_place) return;
        t.Cast(p.Of(dst), f, call.dst.type == DataType::kHalf ? Rounding::kNone : Rounding::kRint);
    });
}

namespace {

// AscendAntiQuant: groups of `group` along k have a scale and an offset for
// each of n; transposed, k is the columns.
class AntiQuantiser {
public:
    AntiQuantiser(const Caller& at, const AntiQuantCall& call)
        : call_(call),
          vector_(call.scale.tensor.tensor),
          wide_(call.dst.type != DataType::kHalf),
          all_(call.src.tensor->size),
          n_(call.k ? all_ / call.k : 0),
          groups_(!vector_          ? 1
                  : call.transposed ? call.scale_width
                                    : call.scale_height),
          group_(groups_ ? call.k / groups_ : 0),
          columns_(call.transposed ? call.k : n_),
          type_(wide_ ? DataType::kFloat : DataType::kHalf),
          at_(at),
          t_(at.core, call.where, Walk::kCounts) {}

    void Run() {
        if (!CheckShapes()) return;
        const bool offset = call_.offset.given;
        const uint64_t parameters = vector_ ? groups_ * n_ : 0;
        if (!at_.CheckNeeds({{"dst", &call_.dst, all_},
                             {"src", &call_.src, all_},
                             {"scale", &call_.scale.tensor, parameters},
                             {"offset", offset ? &call_.offset.tensor : nullptr, parameters}}) ||
            all_ == 0) {
            return;
        }
        const uint64_t rows = all_ / columns_, each = tiling::AntiQuantEach(wide_);
        const uint64_t one = vector_ ? tiling::AntiQuantVector(parameters, call_.transposed, wide_) : 0;
        const uint64_t needed = one * (1 + uint64_t{offset}) + each * std::min(kUnit, columns_);
        Space space(at_);
        if (needed != 0 && !at_.CheckSpace(space.bytes(), needed)) return;
        const Vec scales = Spread(call_.scale, space), offsets = offset ? Spread(call_.offset, space) : Vec{};
        const Pieces pieces = wide_ ? PiecesIn(space.bytes() / each, rows, columns_, kUnit) : Pieces{rows, columns_};
        const uint64_t at_once = pieces.rows * pieces.columns;
        const Vec halves = wide_ ? space.Take(DataType::kHalf, at_once) : Vec{};
        const Vec floats = wide_ ? space.Take(DataType::kFloat, at_once) : Vec{};
        const Rows src{VecOf(call_.src), rows, columns_, columns_}, dst{VecOf(call_.dst), rows, columns_, columns_};
        EachPiece(pieces, rows, columns_, [&](const Patch& p) {
            const Rows in_half = wide_ ? p.In(halves, pieces) : p.Of(dst);
            const Rows work = wide_ ? p.In(floats, pieces) : in_half;
            t_.Cast(in_half, p.Of(src), Rounding::kNone);
            if (wide_) t_.Cast(work, in_half, Rounding::kNone);
            if (offset) Apply(&RowSteps::Add, &RowSteps::Adds, call_.offset, offsets, p, work);
            Apply(&RowSteps::Mul, &RowSteps::Muls, call_.scale, scales, p, work);
            if (wide_) t_.Cast(p.Of(dst), work, Rounding::kRint);
        });
    }

private:
    using Step = void (RowSteps::*)(const Rows&, const Rows&, const Rows&);
    using NumberStep = void (RowSteps::*)(const Rows&, const Rows&, double);

    bool CheckShapes() const {
        const AntiQuantCall& c = call_;
        const uint64_t unit = c.src.type == DataType::kInt4 ? 64 : 32;
        const bool same =
            !vector_ || !c.offset.given || (c.scale_height == c.offset_height && c.scale_width == c.offset_width);
        const bool fits =
            !vector_ || (groups_ != 0 && c.k % groups_ == 0 && (c.transposed ? c.scale_height : c.scale_width) == n_);
        const bool whole = !vector_ || !c.transposed || group_ % unit == 0;
        if (c.k != 0 && all_ % c.k == 0 && columns_ % unit == 0 && same && fits && whole) return true;
        return at_.Refuse("k", "the shapes do not fit together",
                          fmt::format("{} elements of src, k {}, scale [{}, {}], offset [{}, {}]", all_, c.k,
                                      c.scale_height, c.scale_width, c.offset_height, c.offset_width),
                          c.transposed ? "src [N, K], scale and offset [N, groups], K / groups whole blocks"
                                       : "src [K, N], scale and offset [groups, N], rows of whole blocks",
                          "k is the number of rows of src, with isTranspose of its columns");
    }

    // Scale or offset in the computing type: a row for each group; transposed, a
    // block for each value.
    Vec Spread(const Quantum& quantum, Space& space) {
        if (!vector_) return {};
        const uint64_t parameters = groups_ * n_;
        Vec vec = Part(VecOf(quantum.tensor), 0, parameters);
        if (wide_) {
            const Vec floats = space.Take(type_, parameters);
            t_.Cast(floats, vec, Rounding::kNone);
            vec = floats;
        }
        if (!call_.transposed) return vec;
        const Vec spread = space.Take(type_, RoundUpTo(parameters, 8) * BlockElements(type_));
        t_.Broadcast(spread, vec, parameters);
        return spread;
    }

    // A group at a time: along the rows, with isTranspose along the columns.
    void Apply(Step step, NumberStep by_number, const Quantum& quantum, const Vec& factors, const Patch& p,
               const Rows& work) {
        if (!vector_) return (t_.*by_number)(work, work, static_cast<double>(quantum.number));
        const bool across = call_.transposed;
        const uint64_t first = across ? p.column : p.row, end = first + (across ? p.columns : p.rows);
        for (uint64_t at = first; at < end;) {
            const uint64_t g = at / group_, next = std::min((g + 1) * group_, end), block = BlockElements(type_);
            const Rows here =
                across ? Part(work, 0, at - first, p.rows, next - at) : Part(work, at - first, 0, next - at, p.columns);
            const Vec with = across ? From(factors, (p.row * groups_ + g) * block) : From(factors, g * n_ + p.column);
            (t_.*step)(here, here, across ? Rows{with, 0, 0, groups_ * block, true} : OneRow(with));
            at = next;
        }
    }

    const AntiQuantCall& call_;
    const bool vector_, wide_;
    const uint64_t all_, n_, groups_, group_, columns_;
    const DataType type_;
    const Caller& at_;
    RowSteps t_;
};

}  // namespace

// Cast to half (bfloat16_t: on to float), plus offset, times scale (bfloat16_t: Cast back).
void AntiQuantise(const AntiQuantCall& call) {
    const Caller at("AscendAntiQuant", call.tmp, call.where);
    AntiQuantiser(at, call).Run();
}

}  // namespace sfumato::ascendc
