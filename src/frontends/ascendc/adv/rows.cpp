// SPDX-License-Identifier: Apache-2.0
#include "frontends/ascendc/adv/rows.h"

#include <algorithm>

#include "sfumato/ascendc/reduce_types.h"

namespace sfumato::ascendc::adv {
namespace {

constexpr uint64_t kMostStride = 255;

// An operand of a record with repeats.
struct Strided {
    Vec vec;
    uint32_t block_stride = 1, repeat_stride = 8;
    VectorOperand operand() const { return {&vec.view, block_stride, vec.type, repeat_stride}; }
};

template <class Call>
void Lanes(Call* call, uint32_t lanes, uint32_t repeats) {
    call->form = MaskForm::kContinuous;
    call->mask[0] = lanes;
    call->repeat = repeats;
}

// How a record walks rows: repeats along one row, lanes of rows under one
// another, or a block of each of eight rows, repeats along them.
enum class Way : uint8_t { kAlong, kDown, kEight };

// The pieces of rows, each a record, the way that gives the fewest. f(row,
// column, lanes, repeats, way).
template <class F>
void Pieces(const Rows& g, uint64_t widest_pitch, bool may_eight, F&& f) {
    const auto rows = static_cast<uint32_t>(g.rows), columns = static_cast<uint32_t>(g.columns);
    const uint32_t lanes = RepeatElements(g.vec.type), full = columns / lanes, tail = columns % lanes;
    const uint32_t block = BlockElements(g.vec.type), blocks = columns / block;
    const uint64_t down = CeilDiv(columns, lanes) * CeilDiv(rows, kMostRepeats);
    const uint64_t along = rows * (CeilDiv(full, kMostRepeats) + (tail != 0));
    const uint64_t eight = CeilDiv(rows, 8) * CeilDiv(blocks, kMostRepeats);
    const bool pitch_fits = widest_pitch / block <= kMostRepeats;  // a stride
    if (may_eight && pitch_fits && columns % block == 0 && eight < std::min(down, along)) {
        for (uint32_t r = 0; r < rows; r += 8) {
            for (uint32_t i = 0; i < blocks; i += kMostRepeats) {
                f(r, i * block, std::min(8U, rows - r) * block, std::min(kMostRepeats, blocks - i), Way::kEight);
            }
        }
        return;
    }
    if (down <= along && pitch_fits) {
        for (uint32_t c = 0; c < columns; c += lanes) {
            for (uint32_t r = 0; r < rows; r += kMostRepeats) {
                f(r, c, std::min(lanes, columns - c), std::min(kMostRepeats, rows - r), Way::kDown);
            }
        }
        return;
    }
    for (uint32_t r = 0; r < rows; ++r) {
        for (uint32_t i = 0; i < full; i += kMostRepeats)
            f(r, i * lanes, lanes, std::min(kMostRepeats, full - i), Way::kAlong);
        if (tail) f(r, full * lanes, tail, 1, Way::kAlong);
    }
}

ReduceCall Reduction(Where where, const Vec& dst, uint32_t dst_stride, const Strided& src, uint32_t lanes,
                     uint32_t repeats) {
    ReduceCall call;
    call.dst = {&dst.view, 1, dst.type, dst_stride};
    call.src0 = src.operand();
    call.where = where;
    call.order = AscendC::ReduceOrder::ORDER_ONLY_VALUE;
    Lanes(&call, lanes, repeats);
    return call;
}

void Issue(Fold fold, ReduceCall call) {
    if (fold == Fold::kSum) {
        call.name = "WholeReduceSum";
        call.order = {};
        return vcadd(call);
    }
    call.name = fold == Fold::kMax ? "WholeReduceMax" : "WholeReduceMin";
    fold == Fold::kMax ? vcmax(call) : vcmin(call);
}

}  // namespace

Rows From(const Rows& rows, uint64_t row, uint64_t column) {
    Rows from = rows;
    const uint64_t first = row * rows.pitch + (rows.of_block ? 0 : column);
    from.vec = Part(rows.vec, first, rows.vec.size() - std::min<uint64_t>(first, rows.vec.size()));
    return from;
}

RowSteps::RowSteps(runtime::Core& core, Where where, Walk walk)
    : Steps(where),
      core_(core),
      walk_(walk),
      values_alone_(core.chip().reduce.orders >> static_cast<int>(isa::ReduceOrder::kOnlyValue) & 1) {
    if (walk == Walk::kRepeats) core.registers().counter_mode = false;
}

void RowSteps::Across(Issue issue, const Rows& dst, const Rows& a, const Rows& b) {
    Barrier();
    const uint32_t block = BlockElements(dst.vec.type);
    Pieces(dst, std::max(dst.pitch, a.pitch), true,
           [&](uint32_t r, uint32_t c, uint32_t lanes, uint32_t repeats, Way way) {
               const auto of = [&](const Rows& rows) {
                   const Vec vec = From(rows, r, c).vec;
                   // What strides along a row, and from row to row.
                   const uint32_t along = rows.of_block ? 0 : 1, down = static_cast<uint32_t>(rows.pitch / block);
                   return way == Way::kEight  ? Strided{vec, down, along}
                          : way == Way::kDown ? Strided{vec, along, down}
                                              : Strided{vec, along, 8 * along};
               };
               const Strided to = of(dst), from = of(a), second = of(b);
               VectorCall call;
               call.dst = to.operand();
               call.src0 = from.operand();
               call.src1 = second.operand();
               call.where = where();
               Lanes(&call, lanes, repeats);
               issue(call);
           });
}

void RowSteps::Count(Issue issue, const Rows& dst, const Rows& a, const Rows* b, uint64_t scalar, Rounding rounding) {
    const Rows* all[] = {&dst, &a, b};
    uint64_t lanes = ~uint64_t{0};
    bool dense = true, strided = true;
    for (const Rows* rows : all) {
        if (!rows) continue;
        lanes = std::min<uint64_t>(lanes, 2048 / BitsOf(rows->vec.type));
        dense &= rows->pitch == dst.columns && !rows->of_block;
        strided &= BytesOf(rows->vec.type, rows->pitch) / isa::kBlockBytes <= kMostStride;
    }
    const bool columns = b && b->of_block;
    const auto one = [&](uint64_t row, uint64_t column, uint64_t rows, uint64_t width, bool repeats) {
        Vec part[3];
        for (int i = 0; i < 3; ++i) {
            if (all[i]) part[i] = From(*all[i], row, column).vec;
        }
        VectorCall call = Begin(part[0]);
        VectorOperand* operands[] = {&call.dst, &call.src0, &call.src1};
        for (int i = 0; i < 3; ++i) {
            if (!all[i]) continue;
            *operands[i] = OperandOf(part[i]);
            if (!repeats) continue;
            operands[i]->repeat_stride = static_cast<uint32_t>(BytesOf(part[i].type, all[i]->pitch) / isa::kBlockBytes);
            operands[i]->block_stride = all[i]->of_block ? 0 : 1;
        }
        call.mask[0] = width;
        if (repeats) {
            SetMaskMode(false, where_);
            call.form = MaskForm::kContinuous;
            call.repeat = static_cast<uint32_t>(rows);
        }
        call.scalar = scalar;
        call.rounding = rounding;
        issue(call);
        if (repeats) ResetMask();
    };
    if (dense || (dst.rows == 1 && !columns)) return one(0, 0, 1, dst.rows * dst.columns, false);
    if (!columns && (!strided || dst.rows * lanes <= dst.columns)) {
        for (uint64_t r = 0; r < dst.rows; ++r) one(r, 0, 1, dst.columns, false);
        return;
    }
    const uint64_t most = strided ? uint64_t{kMostRepeats} : 1;
    for (uint64_t c = 0; c < dst.columns; c += lanes) {
        for (uint64_t r = 0; r < dst.rows; r += most) {
            one(r, c, std::min(most, dst.rows - r), std::min(lanes, dst.columns - c), true);
        }
    }
}

// The value and the index of each repeat at the start of a block, eight repeats at a time; then the values, each as the
// sum of one lane.
void RowSteps::Extremes(Fold fold, const Vec& dst, uint32_t dst_stride, const Vec& src, uint32_t src_stride,
                        uint32_t lanes, uint32_t repeats, const Vec& pairs) {
    const uint32_t block = BlockElements(src.type);
    for (uint32_t i = 0; i < repeats; i += 8) {
        const uint32_t n = std::min<uint32_t>(8, repeats - i);
        const Vec to = From(dst, uint64_t{i} * dst_stride);
        const Strided from{From(src, uint64_t{i} * src_stride * block), 1, src_stride};  // the call points to it
        ReduceCall call = Reduction(where(), pairs, block / 2, from, lanes, n);
        call.order = AscendC::ReduceOrder::ORDER_VALUE_INDEX;
        Barrier();
        adv::Issue(fold, call);
        Barrier();
        adv::Issue(Fold::kSum, Reduction(where(), to, dst_stride, {pairs, 1, 1}, 1, n));
    }
}

void RowSteps::Reduce(Fold fold, const Vec& results, const Rows& a, Space levels, const Vec& pairs) {
    const DataType type = a.vec.type;
    const uint32_t lanes = RepeatElements(type), block = BlockElements(type);
    const auto groups = static_cast<uint32_t>(CeilDiv(a.columns, lanes)), rows = static_cast<uint32_t>(a.rows);
    const bool last = groups == 1;
    const uint32_t pitch = last ? 1 : tiling::LevelPitch(BitsOf(type) / 8, static_cast<uint32_t>(a.columns));
    const Vec to = last ? results : levels.Take(type, a.rows * pitch);
    Barrier();
    const auto issue = [&](uint32_t at, uint32_t stride, uint64_t from, uint32_t src_stride, uint32_t n,
                           uint32_t repeats) {
        const Vec dst = From(to, at), src = From(a.vec, from);
        if (fold != Fold::kSum && !values_alone_) {
            return Extremes(fold, dst, stride, src, src_stride, n, repeats, pairs);
        }
        adv::Issue(fold, Reduction(where(), dst, stride, {src, 1, src_stride}, n, repeats));
    };
    if (!last && a.pitch == a.columns && a.columns % lanes == 0 && pitch == groups) {
        const uint32_t all = rows * groups;
        for (uint32_t i = 0; i < all; i += kMostRepeats) {
            issue(i, 1, uint64_t{i} * lanes, 8, lanes, std::min(kMostRepeats, all - i));
        }
    } else {
        Pieces(a, a.pitch, false, [&](uint32_t r, uint32_t c, uint32_t n, uint32_t repeats, Way way) {
            const bool down = way == Way::kDown;
            issue(r * pitch + c / lanes, down ? pitch : 1, r * a.pitch + c,
                  down ? static_cast<uint32_t>(a.pitch / block) : 8, n, repeats);
        });
    }
    if (!last) Reduce(fold, results, {to, a.rows, groups, pitch}, levels, pairs);
}

void RowSteps::Broadcast(const Vec& blocks, const Vec& values, uint64_t rows) {
    // A repeat reads 8 elements, of 16 bits half a block: instructions start at
    // an even one.
    constexpr uint64_t kMost = kMostRepeats - 1;
    const uint64_t block = BlockElements(values.type), repeats = CeilDiv(rows, 8);
    for (uint64_t r = 0; r < repeats; r += kMost) {
        const uint64_t n = std::min(kMost, repeats - r);
        const Vec to = Part(blocks, r * 8 * block, n * 8 * block), from = Part(values, r * 8, n * 8);
        VectorCall call = Begin(to);
        call.src0 = OperandOf(from);
        call.repeat = static_cast<uint32_t>(n);
        vbcb(call);
    }
}

void RowSteps::Firsts(const Vec& values, const Vec& blocks, uint32_t rows) {
    Barrier();
    for (uint32_t r = 0; r < rows; r += kMostRepeats) {
        const Vec dst = From(values, r);
        const Vec src = From(blocks, uint64_t{r} * BlockElements(blocks.type));
        adv::Issue(values_alone_ ? Fold::kMax : Fold::kSum,
                   Reduction(where(), dst, 1, {src, 1, 1}, 1, std::min(kMostRepeats, rows - r)));
    }
}

void RowSteps::CastBlocks(const Vec& dst, const Vec& src, uint32_t rows, Rounding rounding) {
    Barrier();
    const uint32_t to = BlockElements(dst.type), from = BlockElements(src.type);
    for (uint32_t r = 0; r < rows; r += kMostRepeats) {
        const Strided out{From(dst, uint64_t{r} * to), 1, 1}, in{From(src, uint64_t{r} * from), 1, 1};
        VectorCall call;
        call.dst = out.operand();
        call.src0 = in.operand();
        call.where = where();
        call.rounding = rounding;
        Lanes(&call, std::min(to, from), std::min(kMostRepeats, rows - r));
        vconv(call);
    }
}

void RowSteps::Put(const Vec& side, uint32_t first, bool compact, const Vec& blocks, uint32_t rows,
                   const SideRoom& room) {
    const uint32_t block = BlockElements(side.type);
    const Vec to = compact ? Part(side, first, rows) : Part(side, uint64_t{first} * block, uint64_t{rows} * block);
    if (side.type == DataType::kFloat) {
        if (compact) return Firsts(to, blocks, rows);
        return Copy(to, Part(blocks, 0, to.size()));
    }
    Firsts(room.values, blocks, rows);
    Cast(Part(room.narrow_values, 0, rows), Part(room.values, 0, rows), Rounding::kRint);
    Broadcast(room.narrow_blocks, room.narrow_values, rows);
    compact ? Firsts(to, room.narrow_blocks, rows) : Copy(to, Part(room.narrow_blocks, 0, to.size()));
}

Vec RowSteps::Get(const Vec& side, uint32_t first, uint32_t rows, const Vec& blocks, const Vec& values) {
    const uint32_t start = first / BlockElements(side.type) * BlockElements(side.type), all = first - start + rows;
    const uint32_t eight = (first - start) / 8 * 8;
    const Vec from = Part(side, start, all), wide = Part(values, 0, all);
    if (all % 8 != 0) Duplicate(values, 0);  // Broadcast reads eight at a time
    from.type == wide.type ? Copy(wide, from) : Cast(wide, from, Rounding::kNone);
    Broadcast(blocks, From(values, eight), all - eight);
    return Part(blocks, uint64_t{first - start - eight} * 8, uint64_t{rows} * 8);
}

uint32_t RowsAtOnce(const Caller& at, uint64_t found, const RowNeed& need, uint32_t rows) {
    const uint64_t least = need.Bytes(std::min(rows, 1U));
    if (!at.CheckSpace(found, least)) return 0;
    return tiling::RowsIn(need, found, rows);
}

}  // namespace sfumato::ascendc::adv
