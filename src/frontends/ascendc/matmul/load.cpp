// SPDX-License-Identifier: Apache-2.0
// A and B to L1 and to L0, the bias to its table (adv.md 2.10, cube.md 3).
#include <algorithm>
#include <utility>

#include "frontends/ascendc/matmul/engine.h"
#include "frontends/ascendc/matmul/views.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc::mm {

using AscendC::HardEvent;

Engine::Window Engine::WindowOf(const Factor& f, uint64_t first, uint32_t count, uint32_t k, uint32_t depth) const {
    Window w;
    w.row = f.turned ? k : first;
    w.rows = f.turned ? depth : count;
    w.column = (f.turned ? first : k) / f.packed;
    w.columns = ((f.turned ? count : depth) + f.packed - 1) / f.packed;
    // Mmad reads a single row as a plain vector (cube.md 2).
    const bool vector = f.is_a && !f.turned && count == 1 && core_.chip().gemv;
    w.pitch = vector ? 1 : static_cast<uint32_t>(RoundUpTo(w.rows, f.square));
    return w;
}

void Engine::Leave(Side1* side) {
    if (!side->current) return;
    framework_.Await(&side->current->free, where_);
    side->current->free = framework_.Raise(HardEvent::MTE1_MTE2, where_);
    side->current = nullptr;
}

size_t Engine::IndexOf(const Side1& side, const Window& w) {
    const auto same = [&](const Held& held) { return held.row == w.row && held.column == w.column; };
    return static_cast<size_t>(std::find_if(side.held.begin(), side.held.end(), same) - side.held.begin());
}

size_t Engine::SlotFor(Side1* side, const Window& w) {
    auto& slots = side->ring.slots;
    size_t index = IndexOf(*side, w);
    const bool is_there = index < slots.size();
    if (!is_there) index = side->ring.next % slots.size();
    if (!is_there || side->current != &slots[index]) Leave(side);
    if (!is_there) {
        framework_.Await(&side->ring.Take().free, where_);
        side->held[index] = {w.row, w.column, {}, false};
    }
    side->current = &slots[index];
    return index;
}

Engine::Window Engine::Around(const Object& o, const Factor& f, const Block& block, uint32_t k, uint32_t depth) const {
    const Step& step = f.is_a ? sizes_.a_step : sizes_.b_step;
    auto first = static_cast<uint32_t>(f.is_a ? block.m : block.n);
    auto count = static_cast<uint32_t>(f.is_a ? block.rows : block.columns);
    if (step.outer > 1 || step.k > 1) {
        const auto outers = step.outer * static_cast<uint32_t>(f.is_a ? o.tiling.baseM : o.tiling.baseN);
        const auto deep = step.k * static_cast<uint32_t>(o.tiling.baseK);
        first = first / outers * outers;
        k = k / deep * deep;
        count = std::min(outers, static_cast<uint32_t>(f.is_a ? o.m : o.n) - first);
        depth = std::min(deep, static_cast<uint32_t>(o.k) - k);
    }
    Window w = WindowOf(f, first, count, k, depth);
    // A callback leaves fractals, of a single row too.
    if (f.is_a ? o.kind->copy_a : o.kind->copy_b) w.pitch = static_cast<uint32_t>(RoundUpTo(w.rows, f.square));
    return w;
}

void Engine::Preload(const Object& o, const Factor& f, const Block& block) {
    Side1& side = f.is_a ? a1_ : b1_;
    const Step& step = f.is_a ? sizes_.a_step : sizes_.b_step;
    const Input& input = f.is_a ? o.a : o.b;
    auto& slots = side.ring.slots;
    const size_t index = side.ring.next % slots.size();
    const bool all_of_k = static_cast<int32_t>(step.k) * o.tiling.baseK >= o.k;
    if (!step.at_once || !all_of_k || input.from != Input::From::kGlobal || side.current == &slots[index]) return;
    const auto k = static_cast<uint32_t>(block.k);
    const Window whole =
        Around(o, f, block, k, std::min(static_cast<uint32_t>(o.tiling.baseK), static_cast<uint32_t>(block.k_end) - k));
    if (IndexOf(side, whole) < slots.size()) return;
    framework_.Await(&side.ring.Take().free, where_);
    side.held[index] = {whole.row, whole.column, {0}, true};
    MoveToL1(o, f, step, whole, Typed(slots[index].view, f.moved));
}

LocalView Engine::Load1(const Object& o, const Factor& f, const Block& block, uint32_t k, uint32_t depth,
                        uint32_t* pitch) {
    const Input& input = f.is_a ? o.a : o.b;
    const auto first = static_cast<uint32_t>(f.is_a ? block.m : block.n);
    const Window part = WindowOf(f, first, static_cast<uint32_t>(f.is_a ? block.rows : block.columns), k, depth);
    if (input.from == Input::From::kLocal && !InUb(core_, input.local)) {
        // The whole matrix lies in L1 as NZ, its rows rounded up to 16.
        const int32_t rows = f.turned ? o.k : f.is_a ? o.m : o.n;
        *pitch = static_cast<uint32_t>(RoundUpTo(static_cast<uint64_t>(rows), 16));
        return From(Typed(input.local, f.moved), (part.column / f.c0 * *pitch + part.row) * f.c0 * f.bytes);
    }
    const Step& step = f.is_a ? sizes_.a_step : sizes_.b_step;
    const Window whole = Around(o, f, block, k, depth);
    *pitch = whole.pitch;
    Side1& side = f.is_a ? a1_ : b1_;
    const size_t index = SlotFor(&side, whole);
    const LocalView view = Typed(side.ring.slots[index].view, f.moved);
    const uint64_t at = ((part.column - whole.column) / f.c0 * whole.pitch + part.row - whole.row) * f.c0 * f.bytes;
    const LocalView there = From(view, at);
    Held& held = side.held[index];
    if (std::exchange(held.ahead, false)) framework_.Order(HardEvent::MTE2_MTE1, where_);
    std::vector<uint64_t>& parts = held.parts;
    const bool has_whole = step.at_once && !parts.empty();
    if (has_whole || std::find(parts.begin(), parts.end(), at) != parts.end()) return there;
    parts.push_back(at);
    Window moved = step.at_once ? whole : part;
    moved.pitch = whole.pitch;
    MoveToL1(o, f, step, moved, step.at_once ? view : there);
    framework_.Order(HardEvent::MTE2_MTE1, where_);
    return there;
}

void Engine::MoveToL1(const Object& o, const Factor& f, const Step& step, const Window& w, const LocalView& view) {
    const Input& input = f.is_a ? o.a : o.b;
    const Side& side = f.is_a ? o.kind->a : o.kind->b;
    const auto copy = f.is_a ? o.kind->copy_a : o.kind->copy_b;
    const bool in_ub = input.from == Input::From::kLocal;
    const bool is_nz = side.format == AscendC::CubeFormat::NZ;
    const int32_t org_k = input.whole_k ? input.whole_k : f.is_a ? o.org_ka : o.org_kb;
    const int32_t org_outer = input.whole_outer ? input.whole_outer : f.is_a ? o.org_m : o.org_n;
    if (copy) {
        const auto base = [&](bool k) {
            return k ? uint64_t{step.k} * static_cast<uint64_t>(o.tiling.baseK)
                     : uint64_t{step.outer} * static_cast<uint64_t>(f.is_a ? o.tiling.baseM : o.tiling.baseN);
        };
        // Of the matrix: A is M x K, B is K x N, however they are stored.
        const uint64_t outer = f.turned ? w.column : w.row, inner = f.turned ? w.row : w.column;
        const auto outers = static_cast<int>(f.turned ? w.columns : w.rows),
                   inners = static_cast<int>(f.turned ? w.rows : w.columns);
        const int at_outer = static_cast<int>(outer / base(false)), at_inner = static_cast<int>(inner / base(true));
        LocalView bytes = view;
        bytes.size = view.room;
        const AscendC::LocalTensor<int8_t> tensor(bytes);
        const void* gm = input.gm.address;
        if (f.is_a)
            copy(tensor, gm, at_outer, at_inner, outers, inners, o.user_info, o.self_data);
        else
            copy(tensor, gm, at_inner, at_outer, inners, outers, o.user_info, o.self_data);
    } else if (input.from == Input::From::kScalar) {
        FillCall fill_call;
        fill_call.dst = &view;
        fill_call.type = f.moved;
        fill_call.repeats = 1;
        fill_call.blocks = static_cast<uint32_t>(RoundUpTo(w.columns, f.c0) / f.c0 * w.pitch);
        fill_call.value = input.scalar;
        fill_call.where = where_;
        fill(fill_call);
    } else if (f.widened) {
        LoadWidened(o, f,
                    static_cast<uint32_t>(is_nz      ? RoundUpTo(f.turned ? org_k : org_outer, 16)
                                          : f.turned ? org_outer
                                                     : org_k),
                    w, view);
    } else if (f.turned_in_ub) {
        const int32_t outer = in_ub ? (f.is_a ? o.m : o.n) : org_outer, k = in_ub ? o.k : org_k;
        LoadTurned(f, side, input, static_cast<uint32_t>(is_nz ? RoundUpTo(k, 16) : outer), w, view);
    } else if (in_ub) {
        // There the whole is the piece.
        const auto outer = static_cast<uint32_t>(f.is_a ? o.m : o.n), k = static_cast<uint32_t>(o.k);
        const auto rows = static_cast<uint32_t>(RoundUpTo(f.turned ? k : outer, 16));
        LoadFromUb(f, side, input.local, is_nz ? rows : f.turned ? outer : k, w, view);
    } else if (is_nz) {
        const uint64_t rows = RoundUpTo(static_cast<uint64_t>(f.turned ? org_k : org_outer), 16);
        Ends ends;
        ends.gm.address = input.gm.address + (w.column / f.c0 * rows + w.row) * 32;
        MoveNz(f, ends, rows, w, view);
    } else {
        const int32_t columns = f.turned ? org_outer : org_k;
        MoveNd(f, input.gm, (static_cast<uint64_t>(columns) + f.packed - 1) / f.packed, w, view);
    }
}

void Engine::MoveNd(const Factor& f, const GlobalView& gm, uint64_t row_elements, const Window& w,
                    const LocalView& dst) {
    constexpr uint64_t kMost = 65535;
    const bool at_once = row_elements <= kMost;
    const uint32_t calls = at_once ? 1 : w.rows;
    for (uint32_t i = 0; i < calls; ++i) {
        AscendC::Nd2NzParams p;
        p.ndNum = 1;
        p.nValue = static_cast<uint16_t>(at_once ? w.rows : 1);
        p.dValue = static_cast<uint16_t>(w.columns);
        p.srcDValue = static_cast<uint16_t>(at_once ? row_elements : w.columns);
        p.dstNzC0Stride = static_cast<uint16_t>(w.pitch);
        p.dstNzNStride = 1;
        const LocalView row = From(dst, uint64_t{i} * f.c0 * f.bytes);
        const Ends ends = Between(&row, nullptr, f.moved, where_,
                                  GlobalView{gm.address + ((w.row + i) * row_elements + w.column) * f.bytes});
        nd2nz(ends, p);
    }
}

void Engine::MoveNz(const Factor& f, const Ends& ends, uint64_t rows, const Window& w, const LocalView& dst) {
    MoveCall call;
    static_cast<Ends&>(call) = ends;
    call.dst = &dst;
    call.dst_type = call.src_type = f.moved;
    call.block_count = static_cast<uint32_t>(RoundUpTo(w.columns, f.c0) / f.c0);
    call.block_len = w.rows;
    call.src_gap = static_cast<uint32_t>(rows - w.rows);
    call.dst_gap = w.pitch - w.rows;
    call.where = where_;
    data_move(call);
}

namespace {

constexpr uint32_t kFractal = 512;  // bytes

// LoadOfFractals of L1, `pitch` rows apart, to those of L0.
struct LoadOfFractals {
    const LocalView &dst, &src;
    uint32_t pitch;
    Ends ends;

    void Load(uint64_t to_fractal, const AscendC::LoadData2DParams& p) const {
        const LocalView to = From(dst, to_fractal * kFractal);
        load2d(To(to), p);
    }
    // A feature map of one line and a filter of one tap: one instruction, where a loop of Load2D pays a head and a
    // place in the queue for each strip.
    void LoadImage(uint64_t channels, uint64_t rows, bool transpose) const {
        Load3Dv2Params q;
        q.l1H = 1;
        q.l1W = static_cast<uint16_t>(pitch);
        q.channelSize = q.kExtension = static_cast<uint16_t>(channels);
        q.mExtension = static_cast<uint16_t>(rows);
        q.enTranspose = transpose;
        load3dv2(To(dst), q, 0, {});
    }
    Ends To(const LocalView& to) const {
        Ends there = ends;
        there.dst = &to;
        return there;
    }
};

// Squares of bytes: `each` fractals of L0, one of which is 16 rows of A or 16 columns of B.
void LoadSquares(const Factor& f, const LoadOfFractals& l, uint32_t down, uint32_t wide) {
    const uint32_t each = f.square / 16;
    const LocalView from = Typed(l.src, f.type), whole = Typed(l.dst, f.type);
    Ends ends = l.ends;
    ends.dst_type = ends.src_type = f.type;
    ends.src = &from;
    AscendC::LoadData2dTransposeParams q;
    q.repeatTimes = static_cast<uint8_t>(f.is_a ? down : wide);
    q.srcStride = static_cast<uint16_t>(f.is_a ? 1 : l.pitch / f.square);
    q.dstGap = static_cast<uint16_t>(f.is_a ? 0 : each - 1);
    q.dstFracGap = static_cast<uint16_t>(f.is_a ? down - 1 : 0);
    for (uint32_t i = 0; i < (f.is_a ? wide : down); ++i) {
        q.startIndex = static_cast<uint16_t>(f.is_a ? i * (l.pitch / f.square) : i);
        const LocalView to = From(whole, uint64_t{i} * each * (f.is_a ? down : wide) * kFractal);
        ends.dst = &to;
        load2d_transpose(ends, q);
    }
}

void LoadTransposed(const Factor& f, const LoadOfFractals& l, uint32_t outer, uint32_t depth, bool through_ub) {
    const auto down = static_cast<uint32_t>(RoundUpTo(depth, f.square) / f.square);
    const auto wide = static_cast<uint32_t>(RoundUpTo(outer, f.square) / f.square);
    if (f.bytes == 1) return LoadSquares(f, l, down, wide);
    if (f.bytes != 2 || f.is_a || !through_ub)
        return l.LoadImage(RoundUpTo(outer, f.is_a ? 16 : f.c0), RoundUpTo(depth, 16), f.is_a || f.bytes != 2);
    AscendC::LoadData2DParams p;
    p.repeatTimes = static_cast<uint8_t>(wide);
    p.srcStride = static_cast<uint16_t>(l.pitch / 16);
    p.ifTranspose = true;
    for (uint32_t i = 0; i < down; ++i) {
        p.startIndex = static_cast<uint16_t>(i);
        l.Load(uint64_t{i} * wide, p);
    }
}

}  // namespace

void Engine::Load2(const Factor& f, const LocalView& dst, const LocalView& src, uint32_t pitch, uint32_t outer,
                   uint32_t depth) {
    LoadOfFractals l{dst, src, pitch, {}};
    l.ends.src = &src;
    l.ends.dst_type = l.ends.src_type = f.moved;
    l.ends.where = where_;
    if (f.turned) return LoadTransposed(f, l, outer, depth, ThroughUb());
    const auto moved = (depth + f.packed - 1) / f.packed;  // of k, where it is the inner axis
    const auto across = static_cast<uint32_t>(RoundUpTo(moved, f.c0) / f.c0);
    const auto tiles = static_cast<uint32_t>(RoundUpTo(outer, 16) / 16);
    AscendC::LoadData2DParams p;
    p.srcStride = 1;
    if (f.is_a && pitch == 1) {
        p.repeatTimes = static_cast<uint8_t>(RoundUpTo(uint64_t{moved} * f.bytes, kFractal) / kFractal);
        return l.Load(0, p);
    }
    if (f.is_a && !ThroughUb()) return l.LoadImage(uint64_t{across} * f.c0, uint64_t{tiles} * 16, false);
    if (f.is_a) {
        p.repeatTimes = static_cast<uint8_t>(across);
        p.srcStride = static_cast<uint16_t>(pitch / 16);
        for (uint32_t i = 0; i < tiles; ++i) {
            p.startIndex = static_cast<uint16_t>(i);
            l.Load(uint64_t{i} * across, p);
        }
        return;
    }
    if (pitch == 16 * tiles && across * tiles <= UINT8_MAX) {
        p.repeatTimes = static_cast<uint8_t>(across * tiles);
        return l.Load(0, p);
    }
    p.repeatTimes = static_cast<uint8_t>(tiles);
    for (uint32_t i = 0; i < across; ++i) {
        p.startIndex = static_cast<uint16_t>(i * (pitch / 16));
        l.Load(uint64_t{i} * tiles, p);
    }
}

void Engine::MoveRow(const Input& row, DataType type, uint32_t words, const Block& block, const LocalView& dst) {
    AscendC::Nd2NzParams p;
    p.ndNum = p.nValue = 1;
    p.dValue = p.srcDValue = static_cast<uint16_t>(static_cast<uint32_t>(block.columns) * words);
    p.dstNzC0Stride = p.dstNzNStride = 1;
    const Ends ends = Between(&dst, nullptr, type, where_,
                              GlobalView{row.gm.address + BytesOf(type, static_cast<uint64_t>(block.n) * words)});
    nd2nz(ends, p);
}

Slot& Engine::LoadBias(const Object& o, const Block& block) {
    const DataType type = o.kind->bias.type;
    Slot& c2 = c2_.Take();
    framework_.Await(&c2.free, where_);
    MoveCall call;
    call.dst = &c2.view;
    call.dst_type =
        o.kind->a.type == DataType::kInt8 || o.kind->a.type == DataType::kInt4 ? DataType::kInt32 : DataType::kFloat;
    call.src_type = type;
    call.block_len = RoundUpTo(static_cast<uint64_t>(block.columns), 16) * 4 / 64;
    call.where = where_;
    if (o.bias.from == Input::From::kLocal) {
        const LocalView at = From(o.bias.local, BytesOf(type, static_cast<uint64_t>(block.n)));
        call.src = &at;
        data_move(call);
        return c2;
    }
    Slot& c1 = c1_.Take();
    framework_.Await(&c1.free, where_);
    MoveRow(o.bias, type, 1, block, c1.view);
    framework_.Order(HardEvent::MTE2_MTE1, where_);
    call.src = &c1.view;
    data_move(call);
    c1.free = framework_.Raise(HardEvent::MTE1_MTE2, where_);
    return c2;
}

}  // namespace sfumato::ascendc::mm
