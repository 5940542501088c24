// SPDX-License-Identifier: Apache-2.0
// IterateBatch: many products of one call, in the four layouts (adv.md 2.8).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/matmul/call.h"
#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/place.h"
#include "frontends/ascendc/matmul/views.h"

namespace sfumato::ascendc::mm {
namespace {

using AscendC::LayoutMode;
using runtime::Core;

// Of one matrix: elements from one batch to the next, and from row to row; 0: the whole's.
struct Steps {
    uint64_t batch = 0;
    int64_t row = 0;
};

// b, s, n, g, d: the axes of the layout; of C s is S1 and d is S2.
Steps StepsOf(LayoutMode layout, int64_t b, int64_t s, int64_t n, int64_t g, int64_t d) {
    switch (layout) {
        case LayoutMode::BSNGD: return {static_cast<uint64_t>(d), n * g * d};
        case LayoutMode::SBNGD: return {static_cast<uint64_t>(d), b * n * g * d};
        case LayoutMode::BNGS1S2: return {static_cast<uint64_t>(s * d), d};
        default: return {};
    }
}

struct Plan {
    Steps a, b, c;
    uint32_t count = 0;  // products
    uint32_t per_a = 0, per_b = 0;
    uint32_t summed = 1;  // products that make one result
};

bool Bad(Core& core, const char* message, std::string found, std::string legal, const char* hint, Where where) {
    return Refuse(core, "IterateBatch", where,
                  {Rule::kMatmulBatch, "", message, std::move(found), std::move(legal), hint});
}

bool MakePlan(Core& core, const Object& o, const Batch& batch, Plan* plan, Where where) {
    const auto& t = o.tiling;
    const LayoutMode layout = o.kind->a.layout;
    if (layout == LayoutMode::NONE || o.kind->b.layout != layout) {
        return Bad(core, "A and B need one layout of batches",
                   layout == LayoutMode::NONE ? "LayoutMode::NONE" : "two layouts", "NORMAL, BSNGD, SBNGD, BNGS1S2",
                   "give MatmulType of A, B and C the layout", where);
    }
    const uint32_t most = std::max(batch.a, batch.b), least = std::min(batch.a, batch.b);
    if (least == 0 || most % least != 0) {
        return Bad(core, "the batches of A and B do not pair", fmt::format("{} and {}", batch.a, batch.b),
                   "at least 1 each, the smaller a divisor of the larger", "check batchA and batchB", where);
    }
    plan->count = most;
    plan->per_a = most / batch.a;
    plan->per_b = most / batch.b;
    if (layout == LayoutMode::NORMAL) {
        plan->a.batch = static_cast<uint64_t>(o.org_m) * static_cast<uint64_t>(o.org_ka);
        plan->b.batch = static_cast<uint64_t>(o.org_n) * static_cast<uint64_t>(o.org_kb);
        plan->c.batch = static_cast<uint64_t>(o.org_m) * static_cast<uint64_t>(o.org_kc ? o.org_kc : o.org_n);
    } else {
        plan->a = StepsOf(layout, t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN, t.ALayoutInfoG, t.ALayoutInfoD);
        plan->b = StepsOf(layout, t.BLayoutInfoB, t.BLayoutInfoS, t.BLayoutInfoN, t.BLayoutInfoG, t.BLayoutInfoD);
        plan->c = StepsOf(layout, t.CLayoutInfoB, t.CLayoutInfoS1, t.CLayoutInfoN, t.CLayoutInfoG, t.CLayoutInfoS2);
        const int32_t g = std::max(t.ALayoutInfoG, t.BLayoutInfoG);
        if (t.CLayoutInfoG == 1 && g > 1) plan->summed = static_cast<uint32_t>(g);
        if (most % plan->summed != 0) {
            return Bad(core, "the products that are summed over G do not divide the batches",
                       fmt::format("{} batches, G {}", most, g), fmt::format("a multiple of {}", g),
                       "let a call hold whole groups", where);
        }
        if (layout == LayoutMode::BSNGD && t.ALayoutInfoN * t.ALayoutInfoG % static_cast<int32_t>(batch.a) != 0) {
            return Bad(core, "a call spans two rows of b",
                       fmt::format("batchA {}, N x G {}", batch.a, t.ALayoutInfoN * t.ALayoutInfoG),
                       "a divisor of N x G", "use fewer batches a call", where);
        }
    }
    if (batch.stride_a) plan->a.batch = batch.stride_a;
    if (batch.stride_b) plan->b.batch = batch.stride_b;
    if (batch.stride_c) plan->c.batch = batch.stride_c;
    return true;
}

// Whether all matrices of the call fit L1, as BATCH_LESS_THAN_L1 says, or of the attention layouts always.
void CheckL1(Core& core, const Object& o, const Batch& batch, Where where) {
    const bool whole =
        o.kind->a.layout != LayoutMode::NORMAL || o.kind->config->batchMode == AscendC::BatchMode::BATCH_LESS_THAN_L1;
    const auto bytes = [&](int32_t outer, DataType type, uint32_t count) {
        return BytesOf(type, static_cast<uint64_t>(outer) * static_cast<uint64_t>(o.k)) * count;
    };
    const uint64_t all = bytes(o.m, o.kind->a.type, batch.a) + bytes(o.n, o.kind->b.type, batch.b);
    const uint64_t l1 = core.chip().Bytes(isa::Memory::kL1);
    if (!whole || all < l1) return;
    Find(core, "IterateBatch", where,
         {Rule::kMatmulBatchL1, "", "the matrices of the call do not fit L1 together",
          fmt::format("{} of A and {} of B, {} bytes", batch.a, batch.b, all), fmt::format("less than {} bytes", l1),
          "use fewer batches a call, or in LayoutMode::NORMAL batchMode BATCH_LARGE_THAN_L1"});
}

void Multiply(Engine& engine, const Object& object, const Output& output, const Plan& plan, bool partial) {
    const DataType a = object.kind->a.type, b = object.kind->b.type, c = object.kind->c.type;
    for (uint32_t i = 0; i < plan.count; i += plan.summed) {
        for (int64_t index = 0; index < BlockCount(object); ++index) {
            const Block block = BlockAt(object, index);
            Output to = output;
            const auto past = i / plan.summed * plan.c.batch;
            to.gm.address += BytesOf(c, past);
            if (to.gm.size) to.gm.size -= std::min(past, to.gm.size);
            if (to.to_local) to.local = From(to.local, BytesOf(c, past));
            Object o = object;
            for (uint32_t g = 0; g < plan.summed; ++g) {
                o = object;
                o.a.gm.address += BytesOf(a, (i + g) / plan.per_a * plan.a.batch);
                o.b.gm.address += BytesOf(b, (i + g) / plan.per_b * plan.b.batch);
                if (o.kind->config->isBiasBatch)
                    o.bias.gm.address += BytesOf(o.kind->bias.type, uint64_t{i + g} * static_cast<uint64_t>(o.n));
                if (plan.a.row) o.a.whole_outer = o.a.whole_k = static_cast<int32_t>(plan.a.row);
                if (plan.b.row) o.b.whole_outer = o.b.whole_k = static_cast<int32_t>(plan.b.row);
                if (plan.c.row) o.org_kc = static_cast<int32_t>(plan.c.row);
                engine.NewMatrices();
                engine.Compute(o, block, g != 0 || partial);
            }
            engine.Store(o, block, to);
        }
    }
}

}  // namespace

void IterateBatch(Object* o, bool sync, const Output& output, const Batch& batch, bool partial, bool wait,
                  Where where) {
    constexpr const char* kCall = "IterateBatch";
    Core& core = ThisCore(kCall);
    if (!Allowed(core, *o, AscendC::IterateMode::ITERATE_MODE_BATCH, kCall, where)) return;
    if (!HasForm(core, Form::kBatch, kCall, where)) return;
    if (!sync && !HasForm(core, Form::kAsync, kCall, where)) return;
    if (o->tiling.isBias && !o->kind->config->isBiasBatch && !HasForm(core, Form::kOneBias, kCall, where)) return;
    Plan plan;
    if (!CheckProduct(core, *o, kCall, where) || !MakePlan(core, *o, batch, &plan, where)) return;
    if (output.to_local && output.layout != Layout::kSequential) {
        Bad(core, "results of batches lie dense in UB", "a LocalTensor, and enSequentialWrite false",
            "enSequentialWrite true with a LocalTensor", "pass true, or a GlobalTensor", where);
        return;
    }
    if (!o->kind->config->isBiasBatch && o->kind->config->batchMode == AscendC::BatchMode::SINGLE_LARGE_THAN_L1) {
        Bad(core, "a single matrix larger than L1 needs a row of bias for each batch", "isBiasBatch false",
            "isBiasBatch true with SINGLE_LARGE_THAN_L1", "repeat the row for each batch", where);
        return;
    }
    CheckL1(core, *o, batch, where);
    if (partial && (plan.count != 1 || BlockCount(*o) != 1)) {
        Bad(core, "L0C holds one block, and the call has several",
            fmt::format("enPartialSum with {} products", plan.count), "one product of one base block",
            "leave enPartialSum out", where);
        return;
    }
    if (o->quant != Object::Quant::kNone && NeedsQuant(*o->kind)) {
        Bad(core, "batches are not quantised", "SetQuantScalar or SetQuantVector before it",
            "C of the accumulator's kind", "quantise in UB", where);
        return;
    }
    // In UB the matrices are whole pieces, one behind the other.
    Output to = output;
    if (to.to_local) to.layout = Layout::kInPiece;
    Arrival arrival{{}, plan.count / plan.summed, 0};
    if (to.to_local) {
        for (int64_t i = 0; i < BlockCount(*o); ++i) arrival.blocks.push_back(BlockAt(*o, i));
        const auto nz = o->kind->c.format == AscendC::CubeFormat::NZ;
        arrival.step = PlaceOf(*o, arrival.blocks.back(), to).pitch *
                       (nz ? RoundUpTo(static_cast<uint64_t>(o->n), FractalColumns(*o)) : static_cast<uint64_t>(o->m));
        plan.c = {arrival.step, 0};
        core.Called("batches in UB", where);
    }
    Object last = *o;
    if (plan.c.row) last.org_kc = static_cast<int32_t>(plan.c.row);
    const uint64_t end =
        (plan.count / plan.summed - 1) * plan.c.batch + PlaceOf(last, BlockAt(last, BlockCount(last) - 1), to).end;
    if (!CheckOutput(core, last, to, end, kCall, where)) return;
    Fetch(
        core, o, kCall, where, {.sync = sync}, to,
        [plan, partial](Engine& engine, const Object& object, const Output& at) {
            Multiply(engine, object, at, plan, partial);
        },
        arrival);
    o->next = 0;
    o->ended = o->holds = o->in_flight = o->moved = false;
    if (wait) CountStarted(core, o, false, where);
}

}  // namespace sfumato::ascendc::mm
