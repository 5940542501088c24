// SPDX-License-Identifier: Apache-2.0
// Requests of vector cores, and the cube core that serves them.
#include "frontends/ascendc/matmul/client.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/matmul/tscm.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::ascendc::mm {
namespace {

using runtime::Meeting;
using runtime::MeetingCounter;

runtime::Shape ShapeOf(runtime::Core& core) { return runtime::ShapeOf(core.launch().task_type); }

uint64_t FirstOf(runtime::Core& core) { return uint64_t{core.place().block} * ShapeOf(core).cores(); }

// Until all vector cores of the block have ended.
void ServeBlock(runtime::Core& core, Where where) {
    const runtime::Shape shape = ShapeOf(core);
    const auto desk = DeskOf(core);
    std::vector<uint64_t> vectors;
    for (uint32_t i = 0; i < shape.vector; ++i) vectors.push_back(FirstOf(core) + shape.cube + i);
    const runtime::Waits::Call call{
        "REGIST_MATMUL_OBJ", where,
        "the cube core serves Matmul calls here until its vector cores end; code behind the "
        "macro does not run before"};
    Engine& engine = Engine::Of(core);
    std::deque<Request> waiting;
    int64_t holder = -1;
    uint32_t ended = 0;
    for (uint64_t told = 1; ended < shape.vector; ++told) {
        core.waits().AwaitUnordered({MeetingCounter(Meeting::kServe, core.place().block), told, false}, call, vectors);
        {
            std::lock_guard lock(desk->mutex);
            if (desk->queue.empty()) {
                ++ended;
                holder = -1;
            } else {
                waiting.push_back(std::move(desk->queue.front()));
                desk->queue.pop_front();
            }
        }
        // Where a block of L0C takes all of it, the other vector core waits until it has left.
        for (auto it = waiting.begin(); it != waiting.end();) {
            if (holder >= 0 && it->client != holder) {
                ++it;
                continue;
            }
            const Request request = std::move(*it);
            waiting.erase(it);
            const uint64_t order = vectors[request.client];
            core.waits().Await({MeetingCounter(Meeting::kRequest, order), request.number, false}, call, {order});
            request.work(engine, request.client, shape.vector);
            core.Settle();
            holder = request.holds && shape.vector == 2 && engine.TakesAll() ? int64_t{request.client} : -1;
            core.waits().Signal(MeetingCounter(Meeting::kDone, order));
            it = waiting.begin();
        }
    }
}

}  // namespace

std::shared_ptr<Desk> DeskOf(runtime::Core& core) {
    runtime::LaunchState& launch = core.launch();
    std::lock_guard lock(launch.shared_mutex);
    auto& desk = launch.shared[core.place().block];
    if (!desk) desk = std::make_shared<Desk>();
    return std::static_pointer_cast<Desk>(desk);
}

uint64_t Send(runtime::Core& core, Request request) {
    Framework& framework = Framework::Of(core);
    if (!framework.client) framework.client = std::make_unique<Client>();
    const uint64_t number = ++framework.client->sent;
    request.client = core.place().sub_block;
    request.number = number;
    const auto desk = DeskOf(core);
    core.Settle();
    core.waits().Signal(MeetingCounter(Meeting::kRequest, core.place().order), [&] {
        std::lock_guard lock(desk->mutex);
        desk->queue.push_back(std::move(request));
    });
    core.waits().Signal(MeetingCounter(Meeting::kServe, core.place().block));
    return number;
}

uint64_t OffsetInL1(runtime::Core& core, const LocalView& view) {
    return static_cast<uint64_t>(view.address - core.MemoryBase(isa::Memory::kL1));
}

LocalView OnCube(runtime::Core& cube, uint32_t client, LocalView view, uint64_t offset) {
    view.address = cube.MemoryBase(isa::Memory::kL1) + client * (cube.chip().Bytes(isa::Memory::kL1) / 2) + offset;
    view.block = -1;
    return view;
}

bool MovesToTscm(runtime::Core& core, const char* call, const Ends& ends, Moving move) {
    if (!ends.dst->address) return false;
    if (core.place().kind != isa::CoreKind::kVector || !Framework::Of(core).client) return false;
    const runtime::CallScope scope(core, call, ends.where);
    const LocalView dst = *ends.dst;
    const uint64_t offset = OffsetInL1(core, dst), half = core.chip().Bytes(isa::Memory::kL1) / 2;
    if (offset + dst.room > half) {
        Find(core, call, ends.where,
             {Rule::kMemoryFull, "dst", "TSCM of a vector core is half of the block's L1",
              fmt::format("bytes up to {}", offset + dst.room), fmt::format("{} bytes", half),
              "use smaller buffers in TSCM"});
        return true;
    }
    Ends moved = ends;
    if (ends.src) {
        // UB has no path to L1: through GM.
        const LocalView src = *ends.src;
        if (src.block != kNoBlock && !CheckHeld(core, src, call, "src", ends.where)) return true;
        uint8_t* stage = Staging(core, src.room, call, ends.where);
        if (!stage) return true;
        core.Drain();
        MoveCall staging{Between(nullptr, &src, ends.src_type, ends.where, GlobalView{stage})};
        staging.block_len = src.room / 32;
        data_move(staging);
        moved.src = nullptr;
        moved.gm = {stage, 0};
    }
    Request request;
    const uint64_t used = Framework::Of(core).Used(isa::Memory::kL1);
    request.work = [moved, dst, offset, used, call, move = std::move(move)](Engine& engine, uint32_t client, uint32_t) {
        const runtime::CallScope inner(engine.core(), call, moved.where);
        engine.Reserve(client, used);
        const LocalView there = OnCube(engine.core(), client, dst, offset);
        Ends own = moved;
        own.dst = &there;
        move(own);
    };
    Serve(core, call, Send(core, std::move(request)), ends.where);
    return true;
}

void Serve(runtime::Core& core, const char* call, uint64_t number, Where where) {
    core.waits().Await({MeetingCounter(Meeting::kDone, core.place().order), number, false},
                       {call, where, "let the cube core reach REGIST_MATMUL_OBJ: call it on every core of the block",
                        "REGIST_MATMUL_OBJ"},
                       {FirstOf(core)});
    core.Marks({.as = events::Marked::As::kReleased});
}

uint8_t* Staging(runtime::Core& core, uint64_t bytes, const char* call, Where where) {
    const runtime::LaunchState& launch = core.launch();
    const runtime::Shape shape = ShapeOf(core);
    const uint64_t cores = uint64_t{launch.blocks} * shape.vector;
    uint8_t* workspace = launch.system_workspace;
    uint64_t room = launch.options.system_workspace;
    uint8_t* const set = Framework::Of(core).system_workspace;
    if (const int gm = workspace || !set ? -1 : core.FindGm(set); gm >= 0) {
        // The last bytes of what SetSysWorkspace was given: the first are its user's (framework.md 1.13).
        const auto index = static_cast<uint32_t>(gm);
        const uint64_t behind = core.Gm(index).bytes - static_cast<uint64_t>(set - core.GmBase(index));
        room = std::min(behind, kSystemWorkspaceBytes);
        workspace = set + (behind - room);
    }
    const uint64_t slice = room / cores / 512 * 512;
    if (workspace && bytes <= slice) {
        return workspace + (uint64_t{core.place().block} * shape.vector + core.place().sub_block) * slice;
    }
    Find(core, call, where,
         {Rule::kMatmulWorkspace, "", "tensors in UB reach the cube core through the system workspace",
          workspace ? fmt::format("{} bytes for each of {} vector cores", slice, cores) : "a launch without one",
          fmt::format("{} bytes for each vector core", bytes),
          "LaunchOptions::system_workspace = sfumato::kSystemWorkspaceBytes, or more"});
    return nullptr;
}

void AtEnd(runtime::Core& core, const Client& client) {
    if (client.unawaited) {
        Find(core, "IterateAll", client.started,
             {Rule::kMatmulPairing, "", "nobody waits for what an asynchronous call computes",
              fmt::format("{} calls that say they are waited for", client.unawaited),
              "a wait for each: WaitIterateAll, WaitIterateBatch", "add the wait before the kernel ends"});
    }
    const auto desk = DeskOf(core);
    uint64_t calls[2] = {};
    {
        std::lock_guard lock(desk->mutex);
        if (++desk->ended != 2) return;
        std::copy(std::begin(desk->shared_calls), std::end(desk->shared_calls), calls);
    }
    if (calls[0] == calls[1]) return;
    Find(core, "IterateAll", desk->shared,
         {Rule::kMatmulShare, "",
          "the vector cores of a block share a matrix in L1, and call IterateAll a different number of times",
          fmt::format("aiv{0}.0 {1} times, aiv{0}.1 {2} times", core.place().block, calls[0], calls[1]),
          "the same number", "pad with IterateAll(gm, 0, false, false, true): fakeMsg computes nothing"});
}

bool Regist(void* pipe, const void* workspace, uint32_t objects, bool cube_only, Where where) {
    runtime::Core& core = ThisCore("REGIST_MATMUL_OBJ");
    static_cast<void>(pipe);
    constexpr uint32_t kMostObjects = 4;
    if (objects > kMostObjects && !Find(core, "REGIST_MATMUL_OBJ", where,
                                        {Rule::kMatmulObjects, "", "more Matmul objects than the cube core can serve",
                                         fmt::format("{} objects", objects), "at most 4",
                                         "use one object for several products, with End between"})) {
        return false;
    }
    const runtime::Shape shape = ShapeOf(core);
    const auto kind = core.place().kind;
    const bool mixed = shape.cube != 0 && shape.vector != 0;
    if (kind == isa::CoreKind::kVector && shape.cube == 0) {
        Find(core, "REGIST_MATMUL_OBJ", where,
             {Rule::kMatmulKernel, "", "the launch has no cube core that could multiply",
              runtime::Name(core.launch().task_type),
              "KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2; with "
              "ASCENDC_CUBE_ONLY KERNEL_TYPE_AIC_ONLY",
              "declare KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2)"});
        core.stopping().Now();
    }
    if (!mixed || cube_only) return false;
    if (core.FindGm(workspace) < 0 &&
        !Find(core, "REGIST_MATMUL_OBJ", where,
              {Rule::kMatmulWorkspace, "", "the system workspace is no global memory",
               workspace ? "a pointer into no global memory" : "a null pointer", "GetSysWorkSpacePtr()",
               "pass GetSysWorkSpacePtr(), after SetSysWorkspace(workspace) where the launch has none"})) {
        return false;
    }
    Framework& framework = Framework::Of(core);
    if (framework.HasBuffers()) {
        Find(core, "REGIST_MATMUL_OBJ", where,
             {Rule::kMatmulLate, "", "REGIST_MATMUL_OBJ stands behind an InitBuffer", "buffers of the TPipe before it",
              "REGIST_MATMUL_OBJ first", "move it to the start of the kernel, behind the TPipe"});
    }
    if (kind == isa::CoreKind::kVector) {
        if (!framework.client) framework.client = std::make_unique<Client>();
        return false;
    }
    core.Called("REGIST_MATMUL_OBJ", where);
    core.Settle();
    ServeBlock(core, where);
    return true;
}

}  // namespace sfumato::ascendc::mm

namespace sfumato::ascendc {

bool RegistMatmulClient(void* pipe, const void* workspace, uint32_t objects, Where where) {
    return mm::Regist(pipe, workspace, objects, false, where);
}

}  // namespace sfumato::ascendc
