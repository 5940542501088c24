// SPDX-License-Identifier: Apache-2.0
// Iterate, GetTensorC, IterateAll: in place on a cube core, as requests on a vector core (adv.md 2.7).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/matmul/call.h"
#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/place.h"

namespace sfumato::ascendc::mm {

using runtime::Core;

namespace {

// Elements from a block to the one behind it, where they lie one behind the other.
uint64_t StepPast(const Object& o, const Block& block, const Output& output) {
    switch (output.layout) {
        case Layout::kSequential: return static_cast<uint64_t>(o.tiling.baseM) * static_cast<uint64_t>(o.tiling.baseN);
        case Layout::kInWorkspace: return PlaceOf(o, block, output).end;
        default: return 0;
    }
}

// A block that Iterate left in L0C and nobody fetched is lost with the next one, and with End.
bool Fetched(Core& core, Object* o, const char* call, Where where) {
    if (!o->holds) return true;
    o->holds = false;
    return Refuse(core, call, where,
                  {Rule::kMatmulPairing, "", "the block of the last Iterate was not fetched",
                   "no GetTensorC since it returned true", "one GetTensorC for each Iterate that returns true",
                   "call GetTensorC in each turn of the loop, also where the block is not needed"});
}

// Blocks one after another, each at its place.
void All(Engine& engine, const Object& o, const Output& output) {
    const int64_t count = BlockCount(o);
    uint64_t past = 0;
    for (int64_t i = 0; i < count; ++i) {
        const Block block = BlockAt(o, i);
        Output to = output;
        to.gm.address += BytesOf(o.kind->c.type, past);
        if (to.gm.size) to.gm.size -= std::min(past, to.gm.size);
        past += StepPast(o, block, output);
        if (IsSkipped(o, block)) continue;
        const Block next = i + 1 < count ? BlockAt(o, i + 1) : Block{};
        engine.Compute(o, block, false, nullptr, next.rows ? &next : nullptr);
        engine.Store(o, block, to);
    }
}

// Elements the destination of all blocks needs.
uint64_t EndOf(const Object& o, const Output& output) {
    uint64_t end = 0, past = 0;
    for (int64_t i = 0; i < BlockCount(o); ++i) {
        const Block block = BlockAt(o, i);
        end = std::max(end, past + PlaceOf(o, block, output).end);
        past += StepPast(o, block, output);
    }
    return end;
}

Output InWorkspace(const Object& o) {
    Output output;
    output.gm = o.workspace;
    output.gm.size /= std::max<uint64_t>(1, BytesOf(o.kind->c.type, 1));
    output.to_gm = true;
    output.layout = Layout::kInWorkspace;
    return output;
}

// GetTensorC asks a tensor in UB for the elements of one block, whichever block it is.
Layout InUb(Layout asked) { return asked == Layout::kInPiece ? Layout::kInUb : asked; }

// An asynchronous Iterate: every block into the workspace, together as large as the piece (adv.md 2.7).
bool StartAll(Core& core, Object* o, Where where) {
    const Output output = InWorkspace(*o);
    core.Called("workspace of Iterate", where);
    if (!o->workspace.address) {
        return Refuse(core, "Iterate", where,
                      {Rule::kMatmulUnset, "", "an asynchronous Iterate needs a workspace", "no SetWorkspace before it",
                       "SetWorkspace first", "give it singleM x singleN elements of C"});
    }
    if (!CheckOutput(core, *o, output, EndOf(*o, output), "Iterate", where)) return false;
    Run(core, o, "Iterate", where, {.sync = false},
        [output](Engine& engine, const Object& object) { All(engine, object, output); });
    o->in_flight = true;
    o->next = 0;
    o->next_start = 0;
    return true;
}

}  // namespace

bool Iterate(Object* o, bool sync, bool partial, const LocalView* co1, Where where) {
    Core& core = ThisCore("Iterate");
    if (!Allowed(core, *o, AscendC::IterateMode::ITERATE_MODE_NORMAL, "Iterate", where)) return false;
    if (!sync && !HasForm(core, Form::kAsync, "Iterate", where)) return false;
    if (partial && !HasForm(core, Form::kPartial, "Iterate", where)) return false;
    if (o->in_flight) return o->next < BlockCount(*o);
    if (!partial && !Fetched(core, o, "Iterate", where)) return false;
    if (!CheckProduct(core, *o, "Iterate", where)) return false;
    const int64_t count = BlockCount(*o);
    if (o->ended) {
        return Refuse(core, "Iterate", where,
                      {Rule::kMatmulPairing, "", "Iterate goes on after its last block", "Iterate has returned false",
                       "SetTensorA or SetTensorB before the next round", "end the loop when Iterate returns false"});
    }
    if (partial && count != 1 &&
        !Refuse(core, "Iterate", where,
                {Rule::kMatmulPairing, "", "L0C holds one block, and the piece has several",
                 fmt::format("enPartialSum with {} base blocks", count), "a piece of at most baseM x baseN",
                 "make the piece one base block, or let Iterate run over the whole K"}))
        return false;
    o->moved = false;
    if (partial) core.Called("enPartialSum", where);
    if (o->kind->config->isPartialOutput) core.Called("isPartialOutput", where);
    if (!sync) return StartAll(core, o, where);
    while (o->next < count && IsSkipped(*o, BlockAt(*o, o->next))) ++o->next;
    if (o->next >= count) {
        o->ended = true;
        return false;
    }
    const Block block = BlockAt(*o, o->next);
    const LocalView tensor = co1 ? *co1 : LocalView{};
    const bool own = co1 != nullptr;
    if (own && o->client) {
        return Refuse(
            core, "Iterate", where,
            {Rule::kMatmulCubeOnly, "localCMatrix", "a tensor in CO1 belongs to the cube core", core.place().name,
             "a cube core, under ASCENDC_CUBE_ONLY", "define ASCENDC_CUBE_ONLY before the include"});
    }
    Run(core, o, "Iterate", where, {.holds = !own},
        [=](Engine& engine, const Object& object) { engine.Compute(object, block, partial, own ? &tensor : nullptr); });
    o->held = o->next++;
    o->holds = !own;
    return true;
}

void GetTensor(Object* o, bool sync, const Output& output, Where where) {
    Core& core = ThisCore("GetTensorC");
    if (!Removed(core, "GetTensorC", o->kind->config->enableGetTensorC, "enableGetTensorC", where)) return;
    if (!sync && !HasForm(core, Form::kAsync, "GetTensorC", where)) return;
    if (o->in_flight) {
        const GlobalView from = NextTensor(o, where);
        if (!from.address) return;
        const Block block = BlockAt(*o, o->next - 1);
        Output to = output;
        to.to_local = false;
        // The block of global memory is computed once more: no unit copies rows of any length from the workspace.
        if (to.to_gm && CheckOutput(core, *o, to, PlaceOf(*o, block, to).end, "GetTensorC", where)) {
            core.Called("GetTensorC of an asynchronous Iterate", where);
            Fetch(core, o, "GetTensorC", where, {.sync = sync, .waited_for = false}, to,
                  [block](Engine& engine, const Object& object, const Output& at) {
                      engine.Compute(object, block, false);
                      engine.Store(object, block, at);
                  },
                  {});
        }
        to.to_gm = false;
        to.to_local = output.to_local;
        to.layout = InUb(output.layout);
        const Place place = PlaceOf(*o, block, to);
        if (to.to_local && CheckOutput(core, *o, to, place.end, "GetTensorC", where))
            ToUb(core, *o, from, PlaceOf(*o, block, InWorkspace(*o)).pitch, block, place, to.local, "GetTensorC",
                 where);
        return;
    }
    if (!o->holds) {
        Refuse(core, "GetTensorC", where,
               {Rule::kMatmulPairing, "", "there is no block to fetch",
                "no Iterate that returned true since the last GetTensorC",
                "one GetTensorC for each Iterate that returns true", "call it in the loop of Iterate"});
        return;
    }
    static_cast<void>(sync);
    const Block block = BlockAt(*o, o->held);
    for (const bool local : {false, true}) {
        if (!(local ? output.to_local : output.to_gm)) continue;
        Output to = output;
        to.to_gm = !local;
        to.to_local = local;
        if (local) to.layout = InUb(output.layout);
        if (!CheckOutput(core, *o, to, PlaceOf(*o, block, to).end, "GetTensorC", where)) return;
        Fetch(core, o, "GetTensorC", where, {.holds = output.to_local && !local}, to,
              [block](Engine& engine, const Object& object, const Output& at) { engine.Store(object, block, at); },
              {{block}});
    }
    o->holds = false;
}

GlobalView NextTensor(Object* o, Where where) {
    Core& core = ThisCore("GetTensorC");
    const int64_t count = BlockCount(*o);
    if (!o->in_flight || o->next >= count) {
        Refuse(core, "GetTensorC", where,
               {Rule::kMatmulPairing, "", "there is no block to fetch",
                o->in_flight ? fmt::format("the {} blocks are fetched", count) : "no Iterate<false> before it",
                "as many GetTensorC<false> as the piece has base blocks", "count the blocks of the piece"});
        return {};
    }
    if (o->client) Serve(core, "GetTensorC", o->request, where);
    const Output workspace = InWorkspace(*o);
    const uint64_t size = StepPast(*o, BlockAt(*o, o->next++), workspace);
    const GlobalView block{workspace.gm.address + BytesOf(o->kind->c.type, o->next_start), size};
    o->next_start += size;
    return block;
}

void IterateAll(Object* o, bool sync, const Output& output, bool wait, bool fake, Where where) {
    Core& core = ThisCore("IterateAll");
    if (!Allowed(core, *o, AscendC::IterateMode::ITERATE_MODE_ALL, "IterateAll", where)) return;
    if (o->kind->a.shared || o->kind->b.shared) CountShared(core, where);
    if (fake) return;
    if (!sync && !HasForm(core, Form::kAsync, "IterateAll", where)) return;
    if (!CheckProduct(core, *o, "IterateAll", where)) return;
    if (core.chip().fixpipe.empty() && output.to_local) {
        Find(core, "IterateAll", where,
             {Rule::kMatmulDestination, "C", "IterateAll has results in global memory here", "a LocalTensor",
              "a GlobalTensor", "use Iterate and GetTensorC"});
        return;
    }
    if (!CheckOutput(core, *o, output, EndOf(*o, output), "IterateAll", where)) return;
    std::vector<Block> blocks;
    if (output.to_local) {
        for (int64_t i = 0; i < BlockCount(*o); ++i) {
            if (!IsSkipped(*o, BlockAt(*o, i))) blocks.push_back(BlockAt(*o, i));
        }
    }
    Fetch(core, o, "IterateAll", where, {.sync = sync}, output,
          [](Engine& engine, const Object& object, const Output& at) { All(engine, object, at); }, {blocks});
    o->next = 0;
    o->ended = o->holds = o->in_flight = o->moved = false;
    if (wait) CountStarted(core, o, false, where);
}

void WaitFor(Object* o, const char* call, bool of_tensor, Where where) {
    Core& core = ThisCore(call);
    if (!of_tensor && o->to_wait_for == 0) {
        Refuse(core, call, where,
               {Rule::kMatmulPairing, "", "there is nothing to wait for",
                "no asynchronous call before it that says it is waited for",
                "one wait for each IterateAll<false> with waitIterateAll true, IterateBatch<false, true>",
                "set waitIterateAll, or leave the wait out"});
        return;
    }
    if (!of_tensor) CountStarted(core, o, true, where);
    if (o->client && o->request) Serve(core, call, o->request, where);
}

void End(Object* o, Where where) {
    Core& core = ThisCore("End");
    if (!Removed(core, "End", o->kind->config->enableEnd, "enableEnd", where)) return;
    if (!Fetched(core, o, "End", where)) return;
    if (o->client) {
        if (o->request) Serve(core, "End", o->request, where);
    } else if (Framework::Of(core).matmul) {
        Framework::Of(core).matmul->Release();
    }
    if (auto& last = Framework::Of(core).product; last.object == o) last = {};
    o->a = o->b = {};
    o->next = 0;
    o->ended = o->holds = o->in_flight = o->moved = false;
}

}  // namespace sfumato::ascendc::mm
