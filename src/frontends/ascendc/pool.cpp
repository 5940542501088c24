// SPDX-License-Identifier: Apache-2.0
// TBufPool, and what TQueConfig promises of a queue (framework.md 1.3, 1.6).
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc {

using AscendC::TPosition;

bool Framework::CheckMaker(Maker maker, const char* call, Where where) {
    return maker.pool ? FindPool(*maker.pool, call, where) != nullptr : CheckPipe(maker.pipe, call, where);
}

Framework::Pool* Framework::FindPool(const PoolHandle& handle, const char* call, Where where) {
    if (handle.index >= static_cast<int32_t>(live_pools_)) return &pools_[static_cast<size_t>(handle.index)];
    ascendc::Find(core_, call, where,
                  {Rule::kPoolUninitialised, Name(handle.position), "the TBufPool has no memory",
                   handle.index < 0 ? "a TBufPool before InitBufPool" : "a TBufPool whose TPipe has ended",
                   "InitBufPool first", "call pipe.InitBufPool(pool, bytes)"});
    return nullptr;
}

bool Framework::CountBuffers(TPosition position, uint32_t count, const PoolHandle* from, Where where) {
    constexpr uint32_t kBuffersPerKernel = 64;
    buffers_total_ += count;
    if (buffers_total_ > kBuffersPerKernel) {
        return ascendc::Refuse(
            core_, "InitBuffer", where,
            {Rule::kBuffersTotal, Name(position), "more buffers than a kernel may have",
             fmt::format("{} buffers", buffers_total_), fmt::format("at most {}", kBuffersPerKernel), ""});
    }
    if (!from) return true;
    Pool* pool = FindPool(*from, "InitBuffer", where);
    return pool && CountInPool(pool, count, "InitBuffer", position, where);
}

bool Framework::CountInPool(Pool* pool, uint32_t count, const char* call, TPosition position, Where where) {
    if (pool->count + count > pool->most) {
        return ascendc::Refuse(core_, call, where,
                               {Rule::kPoolBuffers, Name(position), "more buffers than the TBufPool may have",
                                fmt::format("{} buffers", pool->count + count), fmt::format("at most {}", pool->most),
                                "give TBufPool a larger bufIDSize, at most 16"});
    }
    pool->count += count;
    return true;
}

bool Framework::InitPool(Maker maker, PoolHandle* handle, uint32_t len, const PoolHandle* share, Where where) {
    constexpr const char* kCall = "InitBufPool";
    if (!RequireFact(core_, kCall, &soc::Chip::buffer_pools, "make the buffers with TPipe::InitBuffer", where) ||
        !CheckMaker(maker, kCall, where)) {
        return false;
    }
    const uint64_t bytes = (uint64_t{len} + 31) / 32 * 32;
    const auto memory = core_.chip().position[static_cast<size_t>(handle->position)];
    Pool pool;
    pool.memory = memory;
    pool.bytes = bytes;
    pool.most = handle->most;
    if (share) {
        const Pool* shared = FindPool(*share, kCall, where);
        if (!shared) return false;
        if (shared->memory != memory || bytes > shared->bytes) {
            return ascendc::Refuse(
                core_, kCall, where,
                {Rule::kPoolMemory, Name(handle->position), "the pool does not fit in the one it shares",
                 fmt::format("{} bytes in {}", bytes, isa::Name(memory)),
                 fmt::format("at most {} bytes in {}", shared->bytes, isa::Name(shared->memory)),
                 "make the larger pool first"});
        }
        pool.address = shared->address;
    } else {
        // What an inner pool may hold is taken from the outer one.
        Pool* outer = maker.pool ? FindPool(*maker.pool, kCall, where) : nullptr;
        if (outer && !CountInPool(outer, handle->most, kCall, handle->position, where)) return false;
        pool.address = Carve(handle->position, bytes, 1, "the pool position", maker.pool, where);
        if (!pool.address) return false;
    }
    if (maker.pool) pool.outer = maker.pool->index;
    handle->index = static_cast<int32_t>(pools_.size());
    pools_.push_back(pool);
    shown_.pools = debug::ListOf(pools_);
    return true;
}

void Framework::PoolReset(const PoolHandle& handle, Where where) {
    Pool* pool = FindPool(handle, "TBufPool::Reset", where);
    if (!pool) return;
    pool->used = pool->count = 0;
    const auto within = [&](int32_t of) {
        while (of >= 0 && of != handle.index) of = pools_[static_cast<size_t>(of)].outer;
        return of >= 0;
    };
    for (Queue& queue : queues_) queue.origin.reset = queue.origin.reset || within(queue.origin.pool);
    for (Buffer& buffer : buffers_) buffer.origin.reset = buffer.origin.reset || within(buffer.origin.pool);
}

std::string Framework::TakenWords(const Origin& origin, Where taken) {
    return fmt::format("its {}, and InitBuffer at {}:{} took the memory",
                       origin.reset ? "TBufPool was reset" : "TPipe has ended or was reset", taken.file, taken.line);
}

bool Framework::CheckConfig(const QueueHandle& handle, uint32_t num, uint32_t len, Where where) {
    const struct {
        const char* name;
        uint32_t promised, given;
    } fields[] = {{"bufferNumber", handle.number, num}, {"bufferLen", handle.length, len}};
    for (const auto& field : fields) {
        if (field.promised == 0 || field.promised == field.given) continue;
        return ascendc::Refuse(
            core_, "InitBuffer", where,
            {Rule::kQueueConfig, field.name, "InitBuffer is given something else than the TQueConfig of the queue says",
             fmt::format("{}", field.given), fmt::format("{}, or 0 in the TQueConfig", field.promised), ""});
    }
    return true;
}

void Framework::CheckPart(const BufferHandle& handle, const LocalView& tensor, Where where) {
    const Buffer* buffer = handle.index < 0 ? nullptr : &buffers_[static_cast<size_t>(handle.index)];
    if (buffer && tensor.address >= buffer->address && tensor.address < buffer->address + buffer->bytes) return;
    ascendc::Find(core_, "FreeTensor", where,
                  {Rule::kQueueForeignTensor, Name(handle.position), "the tensor does not come from this TBuf",
                   !tensor.address ? "a LocalTensor that was never given memory" : "a tensor of another buffer",
                   "a tensor that AllocTensor or Get of this TBuf returned", ""});
}

}  // namespace sfumato::ascendc
