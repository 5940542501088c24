// SPDX-License-Identifier: Apache-2.0
#include "frontends/ascendc/matmul/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "frontends/ascendc/matmul/checks.h"
#include "frontends/ascendc/matmul/views.h"

namespace sfumato::ascendc::mm {

using AscendC::CubeFormat;
using runtime::Core;

namespace {

// Copies of a request keep the sizes its matrices have when it is made.
void Freeze(Object* o) {
    for (const auto& [input, outer, k] : {std::tuple{&o->a, o->org_m, o->org_ka}, {&o->b, o->org_n, o->org_kb}}) {
        if (input->whole_outer == 0) input->whole_outer = outer;
        if (input->whole_k == 0) input->whole_k = k;
    }
}

// Bytes of a matrix in UB: there the whole is the piece (adv.md 2.2).
uint64_t BytesInUb(const Object& o, bool is_a) {
    const Side& side = is_a ? o.kind->a : o.kind->b;
    const bool k_rows = is_a == (is_a ? o.a : o.b).transposed;
    const auto outer = static_cast<uint64_t>(is_a ? o.m : o.n), k = static_cast<uint64_t>(o.k);
    uint64_t rows = k_rows ? k : outer, columns = k_rows ? outer : k;
    if (side.format == CubeFormat::NZ)
        rows = RoundUpTo(rows, 16), columns = RoundUpTo(columns, 32 * 8 / BitsOf(side.type));
    return BytesOf(side.type, rows * columns);
}

// Inputs in UB go to GM. False: reported.
// later: the call returns before the cube core has read them.
bool Stage(Core& core, Object* o, uint64_t result_bytes, uint8_t** result, bool later, const char* call, Where where) {
    const struct {
        const char* name;
        Input* input;
        uint64_t bytes;
        DataType type;
    } inputs[] = {{"A", &o->a, BytesInUb(*o, true), o->kind->a.type},
                  {"B", &o->b, BytesInUb(*o, false), o->kind->b.type},
                  {"bias", &o->bias, BytesOf(o->kind->bias.type, static_cast<uint64_t>(o->n)), o->kind->bias.type},
                  {"quantTensor", &o->quant_words, static_cast<uint64_t>(o->n) * 8, DataType::kUint64}};
    uint64_t bytes = RoundUpTo(result_bytes, 512);
    for (const auto& in : inputs) {
        const bool in_ub = in.input->from == Input::From::kLocal &&
                           core.chip().position[static_cast<size_t>(in.input->local.position)] == isa::Memory::kUb;
        if (in_ub) bytes += RoundUpTo(in.bytes, 512);
    }
    if (bytes == 0) return true;
    uint8_t* at = Staging(core, bytes, call, where);
    if (!at) return false;
    // What an earlier call staged has been read.
    const Framework& framework = Framework::Of(core);
    if (framework.client && framework.client->sent) Serve(core, call, framework.client->sent, where);
    *result = at;
    at += RoundUpTo(result_bytes, 512);
    core.Drain();
    std::vector<isa::Span> held;
    for (const auto& in : inputs) {
        if (in.input->from != Input::From::kLocal) continue;
        const LocalView local = in.input->local;
        if (core.chip().position[static_cast<size_t>(local.position)] != isa::Memory::kUb) continue;  // TSCM
        if (in.bytes > local.room) {
            Find(core, call, where,
                 {Rule::kMatmulRange, in.name, "the piece reads past the tensor", fmt::format("{} bytes", local.room),
                  fmt::format("{} bytes", in.bytes), "give the buffer behind it as many in InitBuffer"});
            return false;
        }
        MoveCall move{Between(nullptr, &local,
                              in.type == DataType::kInt4     ? DataType::kInt8
                              : in.type == DataType::kUint64 ? DataType::kInt32
                                                             : in.type,
                              where, GlobalView{at})};
        move.block_len = RoundUpTo(in.bytes, 32) / 32;
        data_move(move);
        if (later) {
            const auto begin = static_cast<uint64_t>(local.address - core.MemoryBase(isa::Memory::kUb));
            held.push_back({begin, begin + in.bytes});
        }
        *in.input = {.from = Input::From::kGlobal,
                     .gm = {at, 0},
                     .transposed = in.input->transposed,
                     .whole_outer = in.input == &o->a ? o->m : o->n,
                     .whole_k = o->k};
        at += RoundUpTo(in.bytes, 512);
    }
    for (const isa::Span& span : held) {
        core.Marks(
            {.as = events::Marked::As::kHeld, .memory = isa::Memory::kUb, .bytes = span, .call = call, .where = where});
    }
    return true;
}

}  // namespace

void Run(Core& core, Object* o, const char* call, Where where, const Way& way, Work work) {
    Fetch(core, o, call, where, way, {},
          [work = std::move(work)](Engine& engine, const Object& object, const Output&) { work(engine, object); }, {});
}

void Fetch(Core& core, Object* o, const char* call, Where where, const Way& way, const Output& output, Storing storing,
           const Arrival& arrival) {
    const runtime::CallScope scope(core, call, where);
    // Readings that the run rests on (chips/calls.toml).
    if (output.layout == Layout::kSequential) core.Called("enSequentialWrite", where);
    if (output.atomic) core.Called("enAtomic", where);
    if (output.to_local) core.Called("result in UB", where);
    if (o->bias_on && o->kind->a.type == DataType::kInt4) core.Called("bias of int4b_t", where);
    if (!o->client) {
        // A core of both kinds: a call is a barrier of all its pipes, as it is for a vector core (adv.md 2.12).
        const bool both = !core.chip().split_cores;
        if (core.chip().fixpipe.empty()) core.Called("Matmul through UB", where);
        if (both) pipe_barrier(PIPE_ALL, where);
        Engine& engine = Engine::Of(core);
        if (engine.Begin(*o, 0, 1, where)) storing(engine, *o, output);
        if (both) pipe_barrier(PIPE_ALL, where);
        return;
    }
    Object copy = *o;
    Freeze(&copy);
    Output to = output;
    uint64_t result_bytes = 0;
    if (output.to_local) {
        for (const Block& block : arrival.blocks)
            result_bytes = std::max(result_bytes, PlaceOf(copy, block, output).end);
        result_bytes = BytesOf(copy.kind->c.type, (arrival.count - 1) * arrival.step + result_bytes);
    }
    uint8_t* stage = nullptr;
    const bool later = !way.sync && !way.holds && !output.to_local && way.waited_for;
    if (!Stage(core, &copy, result_bytes, &stage, later, call, where)) return;
    if (output.to_local) {
        // In GM as it will be in UB.
        copy.org_m = copy.m;
        copy.org_n = copy.org_kc = copy.n;
        to.to_local = false;
        to.to_gm = true;
        to.gm = {stage, 0};
    }
    std::array<uint64_t, 3> offsets{};  // of tensors in TSCM
    const auto inputs = [](Object& object) { return std::array{&object.a, &object.b, &object.bias}; };
    for (size_t i = 0; i < offsets.size(); ++i) {
        const Input& input = *inputs(copy)[i];
        if (input.from == Input::From::kLocal) offsets[i] = OffsetInL1(core, input.local);
    }
    Request request;
    request.holds = way.holds;
    const uint64_t used = Framework::Of(core).Used(isa::Memory::kL1);
    request.work = [=, storing = std::move(storing)](Engine& engine, uint32_t client, uint32_t clients) {
        const runtime::CallScope inner(engine.core(), call, where);
        Object there = copy;
        for (size_t i = 0; i < offsets.size(); ++i) {
            Input& input = *inputs(there)[i];
            if (input.from == Input::From::kLocal) input.local = OnCube(engine.core(), client, input.local, offsets[i]);
        }
        engine.Reserve(client, used);
        if (engine.Begin(there, client, clients, where)) storing(engine, there, to);
    };
    o->request = Send(core, std::move(request));
    if (way.sync || output.to_local) Serve(core, call, o->request, where);
    if (!output.to_local) return;
    for (uint64_t i = 0; i < arrival.count; ++i) {
        for (const Block& block : arrival.blocks) {
            Place place = PlaceOf(copy, block, to);
            place.first += i * arrival.step;
            ToUb(core, copy, {stage + BytesOf(copy.kind->c.type, place.first), 0}, place.pitch, block, place,
                 output.local, call, where);
        }
    }
    core.Drain();
}

void ToUb(Core& core, const Object& o, const GlobalView& from, uint64_t pitch, const Block& block, const Place& place,
          const LocalView& to, const char* call, Where where) {
    static_cast<void>(core), static_cast<void>(call);
    const DataType type = o.kind->c.type;
    const uint64_t bytes = BytesOf(type, 1);
    LocalView local = to;
    const uint64_t past = place.first * bytes;
    local.address += past;
    local.room -= static_cast<uint32_t>(past);
    local.size = static_cast<uint32_t>(local.room / bytes);
    MoveCall move{Between(&local, nullptr, type, where, from)};
    if (o.kind->c.format == CubeFormat::NZ) {
        // Columns of fractals: 16 rows and more, each of 32 bytes or a multiple.
        const uint64_t c = FractalColumns(o), row = c * bytes / 32;
        move.block_count = static_cast<uint32_t>(RoundUpTo(static_cast<uint64_t>(block.columns), c) / c);
        move.block_len = static_cast<uint64_t>(block.rows) * row;
        move.src_gap = static_cast<uint32_t>((pitch - static_cast<uint64_t>(block.rows)) * row);
        move.dst_gap = static_cast<uint32_t>((place.pitch - static_cast<uint64_t>(block.rows)) * row);
        data_move(move);
        return;
    }
    const uint64_t row = static_cast<uint64_t>(block.columns) * bytes;
    move.block_count = static_cast<uint32_t>(block.rows);
    move.block_len = row;
    move.src_gap = static_cast<uint32_t>(pitch * bytes - row);
    move.dst_gap = static_cast<uint32_t>((place.pitch * bytes - RoundUpTo(row, 32)) / 32);
    move.is_pad = row % 32 != 0;
    move.right = static_cast<uint8_t>((RoundUpTo(row, 32) - row) / bytes);
    data_move_pad(move);
}

void CountShared(Core& core, Where where) {
    const auto desk = DeskOf(core);
    std::lock_guard lock(desk->mutex);
    desk->shared = where;
    ++desk->shared_calls[core.place().sub_block & 1];
}

void CountStarted(Core& core, Object* o, bool waited, Where where) {
    o->to_wait_for += waited ? -1 : 1;
    Client* client = Framework::Of(core).client.get();
    if (!client) return;
    client->unawaited += waited ? -1 : 1;
    if (!waited) client->started = where;
}

}  // namespace sfumato::ascendc::mm
