// SPDX-License-Identifier: Apache-2.0
#include "frontends/ascendc/adv/rows.h"

#include <algorithm>

#include "sfumato/ascendc/reduce_types.h"

namespace sfumato::ascendc::adv {
namespace {

constexpr uint32_t kRepeats = 255;  // of one record

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

// How a record walks a grid: repeats along one row, lanes of rows under one another, or a block of each of eight rows,
// repeats along them.
enum class Way : uint8_t { kAlong, kDown, kEight };

// The pieces of a grid, each a record, the way that gives the fewest. f(row, column, lanes, repeats, way).
template <class F>
void Pieces(const Grid& g, uint32_t widest_pitch, bool may_eight, F&& f) {
    const uint32_t lanes = RepeatElements(g.first.type), full = g.columns / lanes, tail = g.columns % lanes;
    const uint32_t block = BlockElements(g.first.type), blocks = g.columns / block;
    const uint64_t down = CeilDiv(g.columns, lanes) * CeilDiv(g.rows, kRepeats);
    const uint64_t along = g.rows * (CeilDiv(full, kRepeats) + (tail != 0));
    const uint64_t eight = CeilDiv(g.rows, 8) * CeilDiv(blocks, kRepeats);
    const bool pitch_fits = widest_pitch / block <= kRepeats;  // a stride
    if (may_eight && pitch_fits && g.columns % block == 0 && eight < std::min(down, along)) {
        for (uint32_t r = 0; r < g.rows; r += 8) {
            for (uint32_t i = 0; i < blocks; i += kRepeats) {
                f(r, i * block, std::min(8U, g.rows - r) * block, std::min(kRepeats, blocks - i), Way::kEight);
            }
        }
        return;
    }
    if (down <= along && pitch_fits) {
        for (uint32_t c = 0; c < g.columns; c += lanes) {
            for (uint32_t r = 0; r < g.rows; r += kRepeats) {
                f(r, c, std::min(lanes, g.columns - c), std::min(kRepeats, g.rows - r), Way::kDown);
            }
        }
        return;
    }
    for (uint32_t r = 0; r < g.rows; ++r) {
        for (uint32_t i = 0; i < full; i += kRepeats) f(r, i * lanes, lanes, std::min(kRepeats, full - i), Way::kAlong);
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

RowSteps::RowSteps(runtime::Core& core, Where where)
    : Steps(where), values_alone_(core.chip().reduce.orders >> static_cast<int>(isa::ReduceOrder::kOnlyValue) & 1) {
    core.registers().counter_mode = false;
}

void RowSteps::Across(Issue issue, const Grid& dst, const Grid& a, const Vec& b, Beside beside) {
    Barrier();
    const uint32_t block = BlockElements(dst.first.type);
    const auto piece = [&](uint32_t r, uint32_t c, uint32_t lanes, uint32_t repeats, Way way) {
        // What strides along a row, and from row to row.
        const auto walk = [&](const Vec& vec, uint32_t along, uint32_t down) {
            return way == Way::kEight  ? Strided{vec, down, along}
                   : way == Way::kDown ? Strided{vec, along, down}
                                       : Strided{vec, along, 8 * along};
        };
        const auto of = [&](const Grid& g) {
            return walk(From(g.first, uint64_t{r} * g.pitch + c), 1, g.pitch / block);
        };
        const Strided to = of(dst), from = of(a);
        const Strided second = beside == Beside::kGrid    ? of({b, a.rows, a.columns, a.pitch})
                               : beside == Beside::kBlock ? walk(From(b, uint64_t{r} * block), 0, 1)
                                                          : walk(From(b, c), 1, 0);
        VectorCall call;
        call.dst = to.operand();
        call.src0 = from.operand();
        call.src1 = second.operand();
        call.where = where();
        Lanes(&call, lanes, repeats);
        issue(call);
    };
    Pieces(dst, std::max(dst.pitch, a.pitch), true, piece);
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

void RowSteps::Reduce(Fold fold, const Vec& results, const Grid& a, Space levels, const Vec& pairs) {
    const DataType type = a.first.type;
    const uint32_t lanes = RepeatElements(type), block = BlockElements(type);
    const auto groups = static_cast<uint32_t>(CeilDiv(a.columns, lanes));
    const bool last = groups == 1;
    const uint32_t pitch = last ? 1 : tiling::LevelPitch(BitsOf(type) / 8, a.columns);
    const Vec to = last ? results : levels.Take(type, uint64_t{a.rows} * pitch);
    Barrier();
    const auto issue = [&](uint32_t at, uint32_t stride, uint64_t from, uint32_t src_stride, uint32_t n,
                           uint32_t repeats) {
        const Vec dst = From(to, at), src = From(a.first, from);
        if (fold != Fold::kSum && !values_alone_) {
            return Extremes(fold, dst, stride, src, src_stride, n, repeats, pairs);
        }
        adv::Issue(fold, Reduction(where(), dst, stride, {src, 1, src_stride}, n, repeats));
    };
    if (!last && a.pitch == a.columns && a.columns % lanes == 0 && pitch == groups) {
        const uint32_t all = a.rows * groups;
        for (uint32_t i = 0; i < all; i += kRepeats) {
            issue(i, 1, uint64_t{i} * lanes, 8, lanes, std::min(kRepeats, all - i));
        }
    } else {
        Pieces(a, a.pitch, false, [&](uint32_t r, uint32_t c, uint32_t n, uint32_t repeats, Way way) {
            const bool down = way == Way::kDown;
            issue(r * pitch + c / lanes, down ? pitch : 1, uint64_t{r} * a.pitch + c, down ? a.pitch / block : 8, n,
                  repeats);
        });
    }
    if (!last) Reduce(fold, results, {to, a.rows, groups, pitch}, levels, pairs);
}

void RowSteps::Broadcast(const Vec& blocks, const Vec& values, uint32_t rows) {
    Barrier();
    VectorCall call;
    call.dst = {&blocks.view, 1, blocks.type, 8};
    call.src0 = OperandOf(values);
    call.where = where();
    call.repeat = static_cast<uint32_t>(CeilDiv(rows, 8));
    vbcb(call);
}

void RowSteps::Gather(const Vec& values, const Vec& blocks, uint32_t rows) {
    Barrier();
    for (uint32_t r = 0; r < rows; r += kRepeats) {
        const Vec dst = From(values, r);
        const Vec src = From(blocks, uint64_t{r} * BlockElements(blocks.type));
        adv::Issue(values_alone_ ? Fold::kMax : Fold::kSum,
                   Reduction(where(), dst, 1, {src, 1, 1}, 1, std::min(kRepeats, rows - r)));
    }
}

void RowSteps::CastBlocks(const Vec& dst, const Vec& src, uint32_t rows, Rounding rounding) {
    Barrier();
    const uint32_t to = BlockElements(dst.type), from = BlockElements(src.type);
    for (uint32_t r = 0; r < rows; r += kRepeats) {
        const Strided out{From(dst, uint64_t{r} * to), 1, 1}, in{From(src, uint64_t{r} * from), 1, 1};
        VectorCall call;
        call.dst = out.operand();
        call.src0 = in.operand();
        call.where = where();
        call.rounding = rounding;
        Lanes(&call, std::min(to, from), std::min(kRepeats, rows - r));
        vconv(call);
    }
}

void RowSteps::Put(const Vec& side, uint32_t first, bool compact, const Vec& blocks, uint32_t rows,
                   const SideRoom& room) {
    const uint32_t block = BlockElements(side.type);
    const Vec to = compact ? Part(side, first, rows) : Part(side, uint64_t{first} * block, uint64_t{rows} * block);
    if (side.type == DataType::kFloat) {
        if (compact) return Gather(to, blocks, rows);
        return Copy(to, Part(blocks, 0, to.size()));
    }
    Gather(room.values, blocks, rows);
    Cast(Part(room.narrow_values, 0, rows), Part(room.values, 0, rows), Rounding::kRint);
    Broadcast(room.narrow_blocks, room.narrow_values, rows);
    compact ? Gather(to, room.narrow_blocks, rows) : Copy(to, Part(room.narrow_blocks, 0, to.size()));
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

void RowSteps::Progression(const Vec& offsets, uint64_t first, uint64_t difference) {
    Barrier();
    FillProgression(offsets.view, DataType::kInt32, first, difference, static_cast<int64_t>(offsets.size()), where());
}

void RowSteps::GatherBytes(const Vec& dst, const Vec& src, const Vec& offsets, uint64_t base) {
    Barrier();
    const Vec bytes = As(offsets, DataType::kUint32);
    GatherCall call;
    call.dst = OperandOf(dst);
    call.src0 = OperandOf(src);
    call.offsets = OperandOf(bytes);
    call.base = base;
    call.mask[0] = dst.size();
    call.where = where();
    vgather(call);
}

uint32_t RowsAtOnce(runtime::Core& core, const char* call, const Lent& lent, uint64_t found, const RowNeed& need,
                    uint32_t rows, Where where) {
    const uint64_t least = need.Bytes(std::min(rows, 1U));
    if (!CheckSpace(core, call, lent, found, least, least, where)) return 0;
    return tiling::RowsIn(need, found, rows);
}

}  // namespace sfumato::ascendc::adv
