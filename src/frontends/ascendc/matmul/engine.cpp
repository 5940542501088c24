// SPDX-License-Identifier: Apache-2.0
// The engine's memory (adv.md 2.10).
#include "frontends/ascendc/matmul/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/matmul/views.h"

namespace sfumato::ascendc::mm {
using AscendC::TPosition;

Engine& Engine::Of(runtime::Core& core) {
    Framework& framework = Framework::Of(core);
    if (!framework.matmul) framework.matmul = std::make_unique<Engine>(framework, core);
    return *framework.matmul;
}

Slot Engine::MakeSlot(TPosition position, uint64_t offset, uint32_t bytes) const {
    const auto memory = core_.chip().position[static_cast<size_t>(position)];
    Slot slot;
    slot.view.address = core_.MemoryBase(memory) + offset;
    slot.view.size = bytes;
    slot.view.room = bytes;
    slot.view.position = position;
    return slot;
}

Engine::Step Engine::StepOf(const Object& o, const Factor& f) const {
    const auto& t = o.tiling;
    const Input& input = f.is_a ? o.a : o.b;
    Step step;
    step.at_once = o.kind->config->doMultiDataLoad || o.kind->config->doSpecialMDL;
    const bool called = f.is_a ? o.kind->copy_a != nullptr : o.kind->copy_b != nullptr;
    if (ThroughUb() || input.from != Input::From::kGlobal || (called && !step.at_once)) return step;
    const auto blocks = [](int32_t steps, int32_t base, int32_t size, uint64_t unit) {
        if (static_cast<uint64_t>(base) % unit != 0) return uint32_t{1};
        return static_cast<uint32_t>(std::clamp(steps, 1, std::max(1, (size + base - 1) / base)));
    };
    // Blocks begin at whole fractals of their slot.
    const uint64_t columns = uint64_t{f.c0} * f.packed, unit = std::max<uint64_t>(columns, f.square);
    step.outer = f.is_a ? blocks(t.stepM, t.baseM, o.m, f.turned ? unit : 16)
                        : blocks(t.stepN, t.baseN, o.n, f.turned ? unit : 16);
    // A row by itself is read by whole fractals.
    const bool row = f.is_a && !f.turned && o.m % (t.baseM * static_cast<int32_t>(step.outer)) == 1;
    step.k = blocks(f.is_a ? t.stepKa : t.stepKb, t.baseK, o.k, f.turned ? unit : row ? 16 * columns : columns);
    return step;
}

bool Engine::CheckFits(const Object& o, const Sizes& s, uint64_t in_l1, uint64_t l1) {
    const auto& t = o.tiling;
    const auto& chip = core_.chip();
    const struct {
        const char* what;
        uint64_t bytes, room;
    } needs[] = {{"A2 in L0A", s.a2, chip.Bytes(isa::Memory::kL0A)},
                 {"B2 in L0B", s.b2, chip.Bytes(isa::Memory::kL0B)},
                 {"CO1 in L0C", s.co1, s.l0c_bytes},
                 {"C2 in the bias table", s.c2, chip.Bytes(isa::Memory::kBt)},
                 {"A1, B1 and C1 in L1", in_l1, l1}};
    for (const auto& need : needs) {
        if (need.bytes <= need.room) continue;
        return ascendc::Refuse(core_, "Matmul", where_,
                               {Rule::kMatmulTiling, "tiling", fmt::format("a base block does not fit: {}", need.what),
                                fmt::format("{} bytes of {}, with baseM {}, baseN {}, baseK {}", need.bytes, need.room,
                                            t.baseM, t.baseN, t.baseK),
                                fmt::format("at most {} bytes", need.room),
                                "use smaller base blocks, or fewer buffers of the program's own there"});
    }
    return true;
}

uint64_t Engine::FindRoomInL1(Sizes* s) const {
    s->l1_from = RoundUpTo(framework_.Used(isa::Memory::kL1), 512);
    uint64_t l1_end = core_.chip().Bytes(isa::Memory::kL1);
    // Tensors in TSCM lie in the halves of the two vector cores, from their starts; the engine takes what is behind.
    const uint64_t half = l1_end / 2;
    s->l1_from = RoundUpTo(std::max(s->l1_from, reserved_[0]), 512);
    if (reserved_[1] != 0 && half > s->l1_from && half - s->l1_from >= l1_end - half - reserved_[1]) {
        l1_end = half;
    } else if (reserved_[1] != 0) {
        s->l1_from = RoundUpTo(half + reserved_[1], 512);
    }
    return l1_end - std::min(s->l1_from, l1_end);
}

bool Engine::Plan(const Object& o, uint32_t client, uint32_t clients, Sizes* sizes) {
    const auto& t = o.tiling;
    const auto& chip = core_.chip();
    const Factor a = FactorOf(o, true, ThroughUb()), b = FactorOf(o, false, ThroughUb());
    const auto least = [](int32_t base, int32_t size) { return static_cast<uint64_t>(std::min(base, size)); };
    const uint64_t m = least(t.baseM, o.m), n = least(t.baseN, o.n), k = least(t.baseK, o.k);
    const auto bytes = [&](const Factor& f, uint64_t outer, uint64_t depth) {
        const uint64_t unit = uint64_t{f.c0} * f.packed, square = std::max<uint64_t>(f.square, 16);
        const uint64_t down = RoundUpTo(outer, f.turned ? std::max(unit, square) : 16);
        return static_cast<uint32_t>(RoundUpTo(BytesOf(f.type, down * RoundUpTo(depth, std::max(unit, square))), 512));
    };
    Sizes s;
    s.a2 = bytes(a, m, k);
    s.b2 = bytes(b, n, k);
    s.a_step = StepOf(o, a);
    s.b_step = StepOf(o, b);
    const auto slots = [&] {
        s.a1 = bytes(a, least(t.baseM * static_cast<int32_t>(s.a_step.outer), o.m),
                     least(t.baseK * static_cast<int32_t>(s.a_step.k), o.k));
        s.b1 = bytes(b, least(t.baseN * static_cast<int32_t>(s.b_step.outer), o.n),
                     least(t.baseK * static_cast<int32_t>(s.b_step.k), o.k));
    };
    slots();
    const uint64_t columns = RoundUpTo(n, b.turned ? std::max<uint64_t>(b.square, 16) : 16);
    s.co1 = static_cast<uint32_t>(RoundUpTo(RoundUpTo(m, 16) * columns * 4, 1024));
    if (ThroughUb()) {
        if (!PlanUb(o, m, n, &s)) return false;
    } else if (o.bias_on) {
        s.c2 = static_cast<uint32_t>(RoundUpTo(columns * 4, 128));
        s.c1 = static_cast<uint32_t>(RoundUpTo(columns * 4, 64));
    }
    if (o.quant == Object::Quant::kVector && !ThroughUb()) s.q1 = static_cast<uint32_t>(RoundUpTo(n, 16) * 8);
    const auto twice = [](uint64_t one, uint64_t all, int32_t db) {
        return static_cast<uint32_t>(db == 2 && 2 * one <= all ? 2 : 1);
    };
    s.a2_count = twice(s.a2, chip.Bytes(isa::Memory::kL0A), t.dbL0A);
    s.b2_count = twice(s.b2, chip.Bytes(isa::Memory::kL0B), t.dbL0B);
    s.c2_count = s.c2 ? twice(s.c2, chip.Bytes(isa::Memory::kBt), 2) : 0;
    // A vector core has its part of L0C to itself where a block fits in; else its block has all of it for a while.
    s.l0c_from = RoundUpTo(framework_.Used(isa::Memory::kL0C), 1024);
    s.l0c_bytes = chip.Bytes(isa::Memory::kL0C) - std::min(s.l0c_from, chip.Bytes(isa::Memory::kL0C));
    takes_all_ = clients == 2 && s.co1 > s.l0c_bytes / 2;
    if (clients == 2 && !takes_all_) {
        s.l0c_bytes /= 2;
        s.l0c_from += client * s.l0c_bytes;
    }
    s.co1_count = twice(s.co1, s.l0c_bytes, t.dbL0C);
    const uint64_t l1 = FindRoomInL1(&s);
    // Slots are few: each has an event id.
    const auto count = [](int32_t depth, const Step& step) {
        return std::clamp<uint32_t>(static_cast<uint32_t>(depth) / (step.outer * step.k), 1, 4);
    };
    s.a1_count = count(t.depthA1, s.a_step);
    s.b1_count = count(t.depthB1, s.b_step);
    const auto all = [&] {
        return uint64_t{s.a1} * s.a1_count + uint64_t{s.b1} * s.b1_count + uint64_t{s.c1} * 2 + uint64_t{s.q1} * 2;
    };
    while (all() > l1 && s.a1_count + s.b1_count > 2) --(s.a1_count >= s.b1_count ? s.a1_count : s.b1_count);
    while (all() > l1 && s.a_step.outer + s.a_step.k + s.b_step.outer + s.b_step.k > 4) {
        const bool larger = s.a_step.outer + s.a_step.k > 2 && (s.a1 >= s.b1 || s.b_step.outer + s.b_step.k == 2);
        Step& step = larger ? s.a_step : s.b_step;
        --(step.outer > 1 ? step.outer : step.k);
        slots();
    }
    if (!CheckFits(o, s, all(), l1)) return false;
    *sizes = s;
    return true;
}

template <class Visit>
void Engine::VisitFlags(const Visit& visit) {
    for (Ring* ring : {&a1_.ring, &b1_.ring, &c1_, &q1_, &a2_, &b2_, &c2_, &results_[0].ring, &results_[1].ring}) {
        for (Slot& slot : ring->slots) visit(&slot.free);
    }
    visit(&out_.free);
}

void Engine::Release() {
    Leave(&a1_), Leave(&b1_);
    VisitFlags([&](OwnFlag* flag) { framework_.Await(flag, where_); });
}

void Engine::ForgetIds() {
    VisitFlags([](OwnFlag* flag) { flag->id = -1; });
}

void Engine::Carve(const Sizes& s) {
    Release();
    const auto fill = [&](Ring* ring, TPosition position, uint64_t* at, uint32_t bytes, uint32_t count) {
        ring->slots.clear();
        ring->next = 0;
        for (uint32_t i = 0; i < (bytes ? count : 0); ++i, *at += bytes)
            ring->slots.push_back(MakeSlot(position, *at, bytes));
    };
    uint64_t l1 = s.l1_from, l0a = 0, l0b = 0, bt = 0;
    fill(&a1_.ring, TPosition::A1, &l1, s.a1, s.a1_count);
    fill(&b1_.ring, TPosition::B1, &l1, s.b1, s.b1_count);
    fill(&c1_, TPosition::A1, &l1, s.c1, 2);  // C1 is no place in L1 on every chip
    fill(&q1_, TPosition::A1, &l1, s.q1, 2);
    fill(&a2_, TPosition::A2, &l0a, s.a2, s.a2_count);
    fill(&b2_, TPosition::B2, &l0b, s.b2, s.b2_count);
    fill(&c2_, TPosition::C2, &bt, s.c2, s.c2_count);
    if (ThroughUb()) CarveUb(s);
    sizes_ = s;
}

void Engine::CarveResults(const Sizes& s) {
    Results& r = results_[client_];
    if (r.from == s.l0c_from && r.bytes == s.co1 && r.ring.slots.size() == s.co1_count) return;
    for (Results& other : results_) {
        for (Slot& slot : other.ring.slots) framework_.Await(&slot.free, where_);
        if (!other.stored) pipe_barrier(PIPE_M, where_);
    }
    r = {};
    r.from = s.l0c_from;
    r.bytes = s.co1;
    for (uint32_t i = 0; i < s.co1_count; ++i)
        r.ring.slots.push_back(MakeSlot(TPosition::CO1, s.l0c_from + uint64_t{i} * s.co1, s.co1));
}

bool Engine::Begin(const Object& o, uint32_t client, uint32_t clients, Where where) {
    where_ = where;
    client_ = client;
    Sizes sizes;
    if (!Plan(o, client, clients, &sizes)) return false;
    CarveResults(sizes);
    sizes.l0c_from = sizes.l0c_bytes = 0;
    if (!(sizes == sizes_)) Carve(sizes);
    NewMatrices();
    return true;
}

void Engine::NewMatrices() {
    a1_.held.assign(a1_.ring.slots.size(), {});
    b1_.held.assign(b1_.ring.slots.size(), {});
}

}  // namespace sfumato::ascendc::mm
