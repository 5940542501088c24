// SPDX-License-Identifier: Apache-2.0
// TPipe: buffers and their memory, the end of a pipe (framework.md 1.2, 1.5).
#include "frontends/ascendc/framework.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "frontends/ascendc/matmul/client.h"
#include "runtime/launch/launch_state.h"

namespace sfumato::ascendc {

using AscendC::TPosition;

bool CheckHeld(runtime::Core& core, const LocalView& view, const char* call, const char* name, Where where) {
    return Framework::Of(core).CheckHeld(view, call, name, where);
}

Framework::Framework(runtime::Core& core) : core_(core), statics_(core), vector_unit_(core), nddma_cache_(core) {
    shown_.used = used_.data();
    core.set_shown_pipe(&shown_);
}
Framework::~Framework() = default;

Framework& Framework::Of(runtime::Core& core) {
    if (!core.front_end()) core.set_front_end(std::make_unique<Framework>(core));
    return *static_cast<Framework*>(core.front_end());
}

void Framework::PipeInit(void* pipe, Where where) {
    if (shown_.object) {
        const bool same = shown_.object == pipe;
        ascendc::Find(core_, "TPipe", where,
                      {Rule::kTpipeSecond, "",
                       same ? "Init is called on a TPipe that is already initialised"
                            : "a second TPipe is made while one is alive",
                       same ? "Init without Destroy before it" : "two live TPipe objects on one core",
                       "one TPipe at a time: on the chip a second one hangs",
                       "keep one TPipe for the kernel and pass it on, or call Destroy() on the first"});
        return;
    }
    shown_.object = pipe;
    statics_.PipeMade(where);
}

void Framework::PipeDestroy(void* pipe, bool barrier) noexcept {
    if (shown_.object != pipe) return;  // destroyed by hand before
    if (barrier && std::uncaught_exceptions() == 0) core_.DrainNoThrow();
    Release();
    shown_.object = nullptr;
}

void Framework::PipeReset(void* pipe, Where where) {
    if (!CheckPipe(pipe, "TPipe::Reset", where)) return;
    core_.Drain();
    Release();
}

void Framework::Release() {
    for (size_t q = shown_.live_queues; q < queues_.size(); ++q) {
        for (Block& block : queues_[q].blocks) block.forward.id = block.reverse.id = -1;
    }
    shown_.live_queues = queues_.size();
    shown_.live_buffers = buffers_.size();
    live_pools_ = pools_.size();
    used_ = {};
    buffers_at_ = {};
    buffers_total_ = 0;
    events_ = {};
    if (matmul) matmul->ForgetIds();
}

void* Framework::CurrentPipe(Where where) {
    if (!shown_.object) {
        ascendc::Find(core_, "GetTPipePtr", where,
                      {Rule::kTpipeNone, "", "there is no TPipe", "no live TPipe on this core",
                       "a TPipe made earlier in the kernel", "declare a TPipe before calling GetTPipePtr()"});
    }
    return shown_.object;
}

bool Framework::CheckPipe(void* pipe, const char* call, Where where) {
    if (shown_.object == pipe) return true;
    return ascendc::Refuse(core_, call, where,
                           {Rule::kTpipeNone, "", "the TPipe is not the core's live TPipe",
                            shown_.object ? "another TPipe is alive" : "a TPipe after Destroy()", "the live TPipe",
                            "call Init() after Destroy(), or use the TPipe that is alive"});
}

uint8_t* Framework::NoMemory(TPosition position, const char* call, const char* what, Where where) {
    ascendc::Find(core_, call, where,
                  {Rule::kPositionUnsupported, Name(position),
                   fmt::format("{} has no memory for {} {}", core_.chip().name, what, Name(position)),
                   "no memory behind the position", "VECIN, VECOUT, VECCALC, or a cube position this chip has",
                   position == TPosition::CO2 ? "CO2 is global memory here: write to a GlobalTensor" : ""});
    return nullptr;
}

bool Framework::IsGlobal(TPosition position) const {
    return static_cast<size_t>(position) < core_.chip().position.size() &&
           core_.chip().position[static_cast<size_t>(position)] == isa::Memory::kGm;
}

uint8_t* Framework::Carve(TPosition position, uint64_t bytes, uint32_t count, const char* what, const PoolHandle* from,
                          Where where) {
    const auto memory = core_.chip().position[static_cast<size_t>(position)];
    // A buffer that is never used asks for none.
    if (memory == isa::Memory::kGm) return nullptr;
    if (memory == isa::Memory::kNone || core_.chip().Bytes(memory) == 0)
        return NoMemory(position, "InitBuffer", what, where);
    Pool* pool = from ? FindPool(*from, "InitBuffer", where) : nullptr;
    if (from && !pool) return nullptr;
    if (pool && pool->memory != memory) {
        ascendc::Find(
            core_, "InitBuffer", where,
            {Rule::kPoolMemory, Name(position), "the position has another memory than the pool",
             fmt::format("{} in {}, a pool in {}", Name(position), isa::Name(memory), isa::Name(pool->memory)),
             fmt::format("a position in {}", isa::Name(pool->memory)), "make a pool for each memory"});
        return nullptr;
    }
    uint64_t& used = pool ? pool->used : used_[static_cast<size_t>(memory)];
    const uint64_t total = bytes * count, size = pool ? pool->bytes : core_.chip().Bytes(memory);
    if (used + total > size) {
        ascendc::Find(core_, "InitBuffer", where,
                      {Rule::kMemoryFull, Name(position),
                       fmt::format("the buffers do not fit in {}", pool ? "the pool" : isa::Name(memory)),
                       fmt::format("{} x {} bytes asked for, {} bytes free", count, bytes, size - used),
                       pool ? fmt::format("the pool has {} bytes", size)
                            : fmt::format("{} has {} bytes on {}", isa::Name(memory), size, core_.chip().name),
                       "use smaller tiles or fewer buffers"});
        return nullptr;
    }
    uint8_t* address = (pool ? pool->address : core_.MemoryBase(memory)) + used;
    used += total;
    WarnOfPipe(memory, "InitBuffer", where);
    Take(address, address + total, where);
    if (!pool) statics_.Carved(memory, {used - total, used}, where);
    return address;
}

// What ended pipes and pools that were reset had in [begin, end) is theirs no more.
void Framework::Take(const uint8_t* begin, const uint8_t* end, Where where) {
    const auto meets = [&](const uint8_t* address, uint64_t bytes) { return address < end && begin < address + bytes; };
    for (size_t q = 0; q < queues_.size(); ++q) {
        Queue& queue = queues_[q];
        if ((q >= shown_.live_queues && !queue.origin.reset) || queue.taken.line ||
            !meets(queue.blocks[0].address, queue.blocks.size() * queue.bytes))
            continue;
        CollectLeftovers(queue);
        queue.taken = where;
    }
    for (size_t b = 0; b < buffers_.size(); ++b) {
        Buffer& buffer = buffers_[b];
        const bool ended = b < shown_.live_buffers || buffer.origin.reset;
        if (!ended || buffer.taken.line || !meets(buffer.address, buffer.bytes)) continue;
        buffer.taken = where;
        // Elements of it and of earlier ones go the long way, which looks.
        core_.sure_block = std::min(core_.sure_block, kFirstBuffer - static_cast<int32_t>(b) - 1);
    }
}

// Blocks of queues hold event ids; a TBuf holds none (framework.md 1.4, 1.5).
bool Framework::CheckQueueBuffers(TPosition position, uint32_t count, Where where) {
    const uint32_t limit = core_.chip().buffers_per_position;
    uint32_t& buffers = buffers_at_[static_cast<size_t>(position)];
    buffers += count;
    if (buffers <= limit || buffers - count > limit) return true;
    // The pages since CANN 8.1 limit the tensors at once instead, at AllocTensor (compat.md, "Limits by chip").
    return ascendc::Find(
        core_, "InitBuffer", where,
        {Rule::kBuffersPerPosition, Name(position), fmt::format("more buffers than {} allows", Name(position)),
         fmt::format("{} buffers at {}", buffers, Name(position)),
         fmt::format("at most {} on {}", limit, core_.chip().name),
         "older toolkits hang here; use fewer queues or single buffers"});
}

TPosition BlockPosition(TPosition from, TPosition to) {
    switch (to) {
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1:
        case TPosition::A2:
        case TPosition::B2:
        case TPosition::C2:
        case TPosition::TSCM:
        case TPosition::C2PIPE2GM: return to;
        default: return from == TPosition::GM ? to : from;
    }
}

bool Framework::InitQueue(Maker maker, QueueHandle* handle, uint32_t num, uint32_t len, Where where) {
    if (!CheckMaker(maker, "InitBuffer", where) || !CheckConfig(*handle, num, len, where)) return false;
    const TPosition position = BlockPosition(handle->from, handle->to);
    if (num == 0 || len == 0) {
        return ascendc::Refuse(
            core_, "InitBuffer", where,
            {Rule::kBufferEmpty, Name(position), "a queue needs at least one block of at least one byte",
             fmt::format("{} blocks of {} bytes", num, len), "num >= 1, len >= 1", ""});
    }
    if (handle->index >= static_cast<int32_t>(shown_.live_queues) &&
        !queues_[static_cast<size_t>(handle->index)].origin.reset) {
        return ascendc::Refuse(
            core_, "InitBuffer", where,
            {Rule::kBufferTwice, Name(position), "the queue already has buffers",
             fmt::format("initialised at {}:{}", queues_[static_cast<size_t>(handle->index)].made.file,
                         queues_[static_cast<size_t>(handle->index)].made.line),
             "one InitBuffer for a queue", ""});
    }
    const uint64_t bytes = (uint64_t{len} + 31) / 32 * 32;
    if (bytes != len) {
        ascendc::Find(core_, "InitBuffer", where,
                      {Rule::kBufferRounded, Name(position), "the length is rounded up to a multiple of 32",
                       fmt::format("{} bytes", len), fmt::format("{} bytes are reserved", bytes), ""});
    }
    if (!CheckQueueBuffers(position, num, where) || !CountBuffers(position, num, maker.pool, where)) return false;
    uint8_t* address = Carve(position, bytes, num, "the queue position", maker.pool, where);
    if (!address) return IsGlobal(position);
    Queue& queue = AddQueue(handle, num, static_cast<uint32_t>(bytes), where);
    if (maker.pool) queue.origin.pool = maker.pool->index;
    for (uint32_t i = 0; i < num; ++i) {
        queue.blocks[i].address = address + i * bytes;
        Renewed(position, address + i * bytes, bytes, "InitBuffer", where);
    }
    ShowQueues();
    return true;
}

Framework::Queue& Framework::AddQueue(QueueHandle* handle, uint32_t num, uint32_t bytes, Where where) {
    handle->index = static_cast<int32_t>(queues_.size());
    Queue& queue = queues_.emplace_back();
    queue.from = handle->from;
    queue.to = handle->to;
    queue.position = BlockPosition(handle->from, handle->to);
    queue.depth = handle->depth;
    queue.bytes = bytes;
    queue.made = where;
    queue.blocks.resize(num);
    return queue;
}

void Framework::ShowQueues() {
    const bool moved = shown_.queues.first != queues_.data();  // with their blocks
    for (size_t q = moved ? 0 : queues_.size() - 1; q < queues_.size(); ++q)
        queues_[q].parts = debug::ListOf(queues_[q].blocks);
    shown_.queues = debug::ListOf(queues_);
}

bool Framework::InitBuffer(Maker maker, BufferHandle* handle, uint32_t len, Where where) {
    if (!CheckMaker(maker, "InitBuffer", where)) return false;
    if (len == 0) {
        return ascendc::Refuse(
            core_, "InitBuffer", where,
            {Rule::kBufferEmpty, Name(handle->position), "a TBuf needs at least one byte", "0 bytes", "len >= 1", ""});
    }
    const uint64_t bytes = (uint64_t{len} + 31) / 32 * 32;
    if (!CountBuffers(handle->position, 1, maker.pool, where)) return false;
    uint8_t* address = Carve(handle->position, bytes, 1, "the TBuf position", maker.pool, where);
    if (!address) return IsGlobal(handle->position);
    handle->index = static_cast<int32_t>(buffers_.size());
    buffers_.push_back(
        {{handle->position, address, static_cast<uint32_t>(bytes), {}}, {maker.pool ? maker.pool->index : -1, false}});
    shown_.buffers = debug::ListOf(buffers_);
    Renewed(handle->position, address, bytes, "InitBuffer", where);
    return true;
}

void Framework::Renewed(TPosition position, const uint8_t* address, uint64_t bytes, const char* call, Where where) {
    const auto memory = core_.chip().position[static_cast<size_t>(position)];
    const auto begin = static_cast<uint64_t>(address - core_.MemoryBase(memory));
    core_.Marks({.as = events::Marked::As::kRenewed,
                 .memory = memory,
                 .bytes = {begin, begin + bytes},
                 .call = call,
                 .where = where});
}

LocalView Framework::BufferGet(const BufferHandle& handle, DataType type, uint64_t count, uint64_t byte_offset,
                               bool whole, Where where) {
    const Buffer* owned = handle.index < 0 ? nullptr : &buffers_[static_cast<size_t>(handle.index)];
    if (!owned && IsGlobal(handle.position)) {
        NoMemory(handle.position, "TBuf::Get", "the TBuf position", where);
        return {};
    }
    if (!owned || owned->taken.line) {
        ascendc::Find(core_, "TBuf::Get", where,
                      {Rule::kBufferUninitialised, Name(handle.position), "the TBuf has no memory",
                       owned ? TakenWords(owned->origin, owned->taken) : "Get before InitBuffer", "InitBuffer first",
                       "call pipe.InitBuffer(buf, bytes)"});
        return {};
    }
    const Buffer& buffer = *owned;
    const uint64_t bytes = whole ? buffer.bytes : BytesOf(type, count);
    if (byte_offset % 32 != 0 || byte_offset + bytes > buffer.bytes) {
        const bool aligned = byte_offset % 32 == 0;
        ascendc::Find(core_, "TBuf::Get", where,
                      {aligned ? Rule::kBufferGetSize : Rule::kBufferGetOffset, Name(buffer.position),
                       aligned ? "more elements than the TBuf holds" : "the offset is not a multiple of 32",
                       fmt::format("{} x {} at byte offset {}", count, CName(type), byte_offset),
                       aligned ? fmt::format("{} bytes in all", buffer.bytes) : "a multiple of 32", ""});
        return {};
    }
    LocalView view;
    view.address = buffer.address + byte_offset;
    view.size = static_cast<uint32_t>(bytes * 8 / BitsOf(type));
    view.room = static_cast<uint32_t>(buffer.bytes - byte_offset);
    view.position = buffer.position;
    view.block = kFirstBuffer - handle.index;
    return view;
}

LocalView Framework::Rest(TPosition position, DataType type, const char* call, Where where) {
    const auto memory = core_.chip().position[static_cast<size_t>(position)];
    const bool on_chip = memory != isa::Memory::kNone && memory != isa::Memory::kGm;
    const uint64_t size = on_chip ? core_.chip().Bytes(memory) : 0;
    const uint64_t used = on_chip ? used_[static_cast<size_t>(memory)] : 0;
    if (call && used != 0) {
        const bool full = used == size;
        if (!ascendc::Find(
                core_, call, where,
                {full ? Rule::kMemoryFull : Rule::kFillAfterBuffers, Name(position),
                 full ? "InitBuffer left no memory for the call" : "the call uses UB, and is made after InitBuffer",
                 fmt::format("buffers of {} bytes in {}", used, isa::Name(memory)), "before the first InitBuffer",
                 "call it first: on the chip it may overwrite the buffers; here it takes the rest"})) {
            return {};
        }
    }
    if (used >= size) return {};
    LocalView view;
    view.address = core_.MemoryBase(memory) + used;
    view.room = static_cast<uint32_t>(size - used);
    view.size = static_cast<uint32_t>((size - used) * 8 / BitsOf(type));
    view.position = position;
    return view;
}

void Framework::CollectLeftovers(const Queue& queue) {
    for (const Block& block : queue.blocks) {
        if (block.state == BlockState::kFree) continue;
        const bool enqueued = block.state == BlockState::kEnqueued;
        leftovers_.push_back(
            {enqueued ? "EnQue" : "AllocTensor",
             {enqueued ? Rule::kQueueLeftFull : Rule::kTensorNotFreed, Name(queue.position),
              enqueued ? "a tensor is still in the queue when its TPipe ends" : "a tensor is never given back",
              enqueued ? "EnQue without DeQue" : "AllocTensor or DeQue without FreeTensor",
              "AllocTensor, EnQue, DeQue and FreeTensor in equal number",
              enqueued ? "add the DeQue and FreeTensor" : "add the FreeTensor"},
             block.last});
    }
}

void Framework::KeyAsked(bool holds, Where where) {
    if (!key_asked_.line) key_asked_ = where;
    key_held_ = key_held_ || holds;
}

void Framework::KernelEnd() {
    if (product.object) {
        Report report =
            ToReport({Rule::kMatmulEnd, "", "the last product of a Matmul has not ended when the kernel does",
                      "no End behind it", "End of the object behind its last result",
                      "call End(), which also waits for what is outstanding"},
                     product.call, product.where);
        // The page asks for End before another object takes its turn. A vector core keeps its cube core until then;
        // where the core multiplies by itself, nobody else is held up.
        if (matmul) report.severity = Severity::kNote;
        report.index = core_.next_index();
        core_.findings().Add(std::move(report));
    }
    if (key_asked_.line && !key_held_) {
        ascendc::Find(
            core_, "TILING_KEY_IS", key_asked_,
            {Rule::kTilingKeyUnused, "",
             "none of the keys that the kernel asks for is the launch's: no branch was taken",
             fmt::format("tiling key {}", core_.launch().options.tiling_key), "a key that the kernel has a branch for",
             "pass it: --tiling-key N, options(tiling_key=N), LaunchOptions::tiling_key, "
             "ICPU_SET_TILING_KEY(N)"});
    }
    statics_.KernelEnd();
    if (client) mm::AtEnd(core_, *client);
    for (const Queue& queue : queues_) {
        if (!queue.taken.line) CollectLeftovers(queue);
    }
    for (Leftover& left : std::exchange(leftovers_, {})) {
        ascendc::Find(core_, left.call, left.where, std::move(left.finding));
    }
}

}  // namespace sfumato::ascendc
