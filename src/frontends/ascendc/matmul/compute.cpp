// SPDX-License-Identifier: Apache-2.0
// The base blocks of a piece, and the products of one (adv.md 2.7, 2.10).
#include "frontends/ascendc/matmul/engine.h"

#include <algorithm>

#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/views.h"
#include "sfumato/ascendc/issue_copy.h"

namespace sfumato::ascendc::mm {

using AscendC::HardEvent;

namespace {
int64_t StepsOfK(const Object& o) {
    return o.kind->config->isPartialOutput ? (int64_t{o.k} + o.tiling.baseK - 1) / o.tiling.baseK : 1;
}
}  // namespace

int64_t BlockCount(const Object& o) {
    const auto count = [](int32_t size, int32_t base) { return (int64_t{size} + base - 1) / base; };
    return count(o.m, o.tiling.baseM) * count(o.n, o.tiling.baseN) * StepsOfK(o);
}

Block BlockAt(const Object& o, int64_t index) {
    const auto& t = o.tiling;
    const int64_t down = (int64_t{o.m} + t.baseM - 1) / t.baseM, across = (int64_t{o.n} + t.baseN - 1) / t.baseN;
    const int64_t steps = StepsOfK(o), step = index % steps;
    index /= steps;
    const int64_t i = t.iterateOrder == 1 ? index / across : index % down;
    const int64_t j = t.iterateOrder == 1 ? index % across : index / down;
    Block block;
    block.m = static_cast<int32_t>(i * t.baseM);
    block.n = static_cast<int32_t>(j * t.baseN);
    block.rows = std::min(t.baseM, o.m - block.m);
    block.columns = std::min(t.baseN, o.n - block.n);
    block.k = static_cast<int32_t>(step * t.baseK);
    block.k_end = steps == 1 ? o.k : std::min(o.k, block.k + t.baseK);
    return block;
}

bool IsSkipped(const Object& o, const Block& block) {
    using AscendC::Impl::Detail::Skipped;
    switch (o.kind->skipped) {
        case Skipped::kNone: return false;
        case Skipped::kBelow: return block.n + o.tiling.baseN <= block.m;
        case Skipped::kAbove: return block.n >= block.m + o.tiling.baseM;
    }
    return false;
}

Fractals FractalsOf(const Block& block) {
    const auto count = [](int32_t size) { return static_cast<uint32_t>(RoundUpTo(size, 16) / 16); };
    return {count(block.rows), count(block.columns)};
}

Factor FactorOf(const Object& o, bool is_a, bool through_ub) {
    const Side& side = is_a ? o.kind->a : o.kind->b;
    const bool transposed = (is_a ? o.a : o.b).transposed;
    Factor f;
    f.is_a = is_a;
    f.widened = !is_a && Widens(*o.kind);
    f.type = f.widened ? DataType::kHalf : side.type;
    f.packed = side.type == DataType::kInt4 ? 2 : 1;
    f.moved = f.type == DataType::kInt4 ? DataType::kInt8 : f.type;
    f.bytes = Bytes(f.moved, 1);
    f.c0 = 32 / f.bytes;
    f.turned_in_ub = through_ub && is_a == transposed && f.bytes == 1;
    f.turned = is_a == transposed && !f.turned_in_ub;
    f.square = !f.turned ? 16 : f.packed == 2 ? 64 : f.bytes == 1 ? 32 : 16;
    return f;
}

void Engine::Compute(const Object& o, const Block& block, bool accumulate, const LocalView* co1, const Block* next) {
    const Factor a = FactorOf(o, true, ThroughUb()), b = FactorOf(o, false, ThroughUb());
    Results& results = results_[client_];
    LocalView c;
    if (co1) {
        c = *co1;
    } else {
        if (accumulate && (!results.current || results.owner != o.self)) {
            Find(core_, "Iterate", where_,
                 {Rule::kMatmulPairing, "enPartialSum", "there is no block to add to",
                  "no Iterate of this object before it whose block L0C still holds", "Iterate(false) first",
                  "pass enPartialSum from the second part of K on"});
            return;
        }
        if (!accumulate) {
            results.current = &results.ring.Take();
            framework_.Await(&results.current->free, where_);
            if (!results.stored) pipe_barrier(PIPE_M, where_);
        }
        results.owner = o.self;
        results.stored = false;
        c = results.current->view;
        c.size = c.room / 4;
    }
    const auto rows = static_cast<uint32_t>(block.rows), columns = static_cast<uint32_t>(block.columns);
    const auto step = static_cast<uint32_t>(o.tiling.baseK), all = static_cast<uint32_t>(block.k_end);
    for (auto k = static_cast<uint32_t>(block.k); k < all; k += step) {
        const uint32_t depth = std::min(step, all - k);
        uint32_t pitch_a = 0, pitch_b = 0;
        const LocalView in_a = Load1(o, a, block, k, depth, &pitch_a);
        const LocalView in_b = Load1(o, b, block, k, depth, &pitch_b);
        const auto& ahead = o.kind->config->doMTE2Preload;
        if (next && ahead && k == static_cast<uint32_t>(block.k)) Preload(o, ahead == 1 ? a : b, *next);
        const bool first = k == static_cast<uint32_t>(block.k) && !accumulate;
        const bool with_bias = first && k == 0 && o.bias_on;
        Slot* bias = with_bias && !ThroughUb() ? &LoadBias(o, block) : nullptr;
        if (with_bias && ThroughUb()) BeginWithBias(o, block, c);
        AscendC::MmadParams p;
        // A single row that lies in fractals is no vector: with a second one Mmad reads it so.
        p.m = static_cast<uint16_t>(pitch_a == 1 ? rows : std::max(rows, 2u));
        // Whole squares of B were turned, and Mmad counts its fractals by n.
        p.n = static_cast<uint16_t>(RoundUpTo(columns, b.turned && b.bytes == 1 ? b.square : 1));
        p.k = static_cast<uint16_t>(depth);
        p.kDirectionAlign = a.turned && a.bytes == 4;
        p.cmatrixInitVal = first && !with_bias;
        if (bias && a.type == DataType::kInt4) {
            // Its Mmad takes no bias (cube.md 4.1, adv.md 2.9).
            MultiplyZeros(DataType::kInt8, p, bias, c);
            bias = nullptr;
        }
        Slot &a2 = a2_.Take(), &b2 = b2_.Take();
        framework_.Await(&a2.free, where_);
        framework_.Await(&b2.free, where_);
        Load2(a, Typed(a2.view, a.moved), in_a, pitch_a, rows, depth);
        Load2(b, Typed(b2.view, b.moved), in_b, pitch_b, columns, depth);
        framework_.Order(HardEvent::MTE1_M, where_);
        // The unit orders products on one C by itself only if they are large (cube.md 4).
        if (!p.cmatrixInitVal && !bias && RoundUpTo(rows, 16) / 16 * (RoundUpTo(p.n, 16) / 16) < 10)
            pipe_barrier(PIPE_M, where_);
        Multiply(a.type, a2, b2, bias, p, c);
    }
}

void Engine::Multiply(DataType type, Slot& a2, Slot& b2, Slot* bias, const AscendC::MmadParams& p, const LocalView& c) {
    const bool whole = type == DataType::kInt8 || type == DataType::kInt4;
    const LocalView a = Typed(a2.view, type), b = Typed(b2.view, type);
    MatmulCall call;
    call.c = {&c, whole ? DataType::kInt32 : DataType::kFloat};
    call.a = {&a, type};
    call.b = {&b, type};
    LocalView row;
    if (bias) {
        row = Typed(bias->view, DataType::kFloat);
        call.bias = {&row, call.c.type};
    }
    call.params = &p;
    call.where = where_;
    mmad(call);
    for (Slot* slot : {&a2, &b2, bias}) {
        if (slot) slot->free = framework_.Raise(HardEvent::M_MTE1, where_);
    }
}

void Engine::MultiplyZeros(DataType type, AscendC::MmadParams p, Slot* bias, const LocalView& c) {
    Slot &a2 = a2_.Take(), &b2 = b2_.Take();
    const struct {
        Slot* slot;
        uint32_t outer;
    } zeros[] = {{&a2, p.m}, {&b2, p.n}};
    for (const auto& zero : zeros) {
        framework_.Await(&zero.slot->free, where_);
        const LocalView view = Typed(zero.slot->view, DataType::kHalf);
        FillCall call;
        call.dst = &view;
        call.repeats = 1;
        call.blocks = static_cast<uint32_t>(RoundUpTo(zero.outer, 16) / 16);
        call.where = where_;
        fill(call);
    }
    framework_.Order(HardEvent::MTE1_M, where_);
    p.k = static_cast<uint16_t>(32 * 8 / BitsOf(type));
    p.cmatrixInitVal = bias == nullptr;
    Multiply(type, a2, b2, bias, p, c);
}

}  // namespace sfumato::ascendc::mm
