// SPDX-License-Identifier: Apache-2.0
// Pools that a class of the program fills: blocks of its choice in the pool's memory (framework.md 1.6).
#include <fmt/format.h>

#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc {

using AscendC::TPosition;

uint8_t* Framework::PositionBase(TPosition position, Where where) {
    const bool known = static_cast<size_t>(position) < core_.chip().position.size();
    const auto memory = known ? core_.chip().position[static_cast<size_t>(position)] : isa::Memory::kNone;
    if (memory == isa::Memory::kNone || memory == isa::Memory::kGm || core_.chip().Bytes(memory) == 0)
        return NoMemory(position, "GetBaseAddr", "the position", where);
    return core_.MemoryBase(memory);
}

uint32_t Framework::PoolBegin(const PoolHandle& handle, Where where) {
    const Pool* pool = FindPool(handle, "InitBufPool", where);
    return pool ? static_cast<uint32_t>(pool->address - core_.MemoryBase(pool->memory)) : 0;
}

void Framework::StartQueue(QueueHandle* handle, uint32_t num, uint32_t len, Where where) {
    const TPosition position = BlockPosition(handle->from, handle->to);
    if (num == 0 || len == 0) {
        ascendc::Find(core_, "InitStartBufHandle", where,
                      {Rule::kBufferEmpty, Name(position), "a queue needs at least one block of at least one byte",
                       fmt::format("{} blocks of {} bytes", num, len), "num >= 1, len >= 1", ""});
        return;
    }
    if (!CheckQueueBuffers(position, num, where) || !CountBuffers(position, num, nullptr, where)) return;
    AddQueue(handle, num, len, where);
    ShowQueues();
}

void Framework::StartBuffer(BufferHandle* handle, uint32_t num, uint32_t len, Where where) {
    if (!CheckOneBlock(*handle, num, where) || !CountBuffers(handle->position, 1, nullptr, where)) return;
    handle->index = static_cast<int32_t>(buffers_.size());
    buffers_.push_back({{handle->position, nullptr, len, {}}, {}});
    shown_.buffers = debug::ListOf(buffers_);
}

uint8_t* Framework::InPool(const PoolHandle& handle, TPosition position, uint32_t offset, uint32_t len, Where where) {
    const Pool* pool = FindPool(handle, "InitBufHandle", where);
    if (!pool) return nullptr;
    const uint64_t begin = static_cast<uint64_t>(pool->address - core_.MemoryBase(pool->memory));
    const bool same = core_.chip().position[static_cast<size_t>(position)] == pool->memory;
    if (same && offset % isa::kBlockBytes == 0 && offset >= begin && offset + uint64_t{len} <= begin + pool->bytes)
        return core_.MemoryBase(pool->memory) + offset;
    ascendc::Find(
        core_, "InitBufHandle", where,
        {Rule::kPoolMemory, Name(position), "the block does not lie in the pool",
         fmt::format("{} bytes at {} of {}", len, offset,
                     isa::Name(core_.chip().position[static_cast<size_t>(position)])),
         fmt::format("a multiple of 32 in {} to {} of {}", begin, begin + pool->bytes, isa::Name(pool->memory)),
         "GetCurAddr() is the first byte that the pool has left"});
    return nullptr;
}

void Framework::PlaceBlock(const QueueHandle& handle, const PoolHandle& pool, uint32_t index, uint32_t offset,
                           uint32_t len, Where where) {
    Queue* queue = Find(handle, "InitBufHandle", where);
    if (!queue) return;
    if (index >= queue->blocks.size()) {
        ascendc::Find(core_, "InitBufHandle", where,
                      {Rule::kPoolBuffers, "index", "the queue has no such block", fmt::format("{}", index),
                       fmt::format("0 to {}", queue->blocks.size() - 1), "num of InitStartBufHandle says how many"});
        return;
    }
    uint8_t* address = InPool(pool, queue->position, offset, len, where);
    if (!address) return;
    queue->blocks[index].address = address;
    queue->bytes = len;
    queue->origin.pool = pool.index;
    Renewed(queue->position, address, len, "InitBuffer", where);
    ShowQueues();
}

void Framework::PlaceBuffer(const BufferHandle& handle, const PoolHandle& pool, uint32_t offset, uint32_t len,
                            Where where) {
    if (handle.index < 0) {
        ascendc::Find(core_, "InitBufHandle", where,
                      {Rule::kBufferUninitialised, Name(handle.position), "the TBuf has no handle",
                       "InitBufHandle before InitStartBufHandle", "InitStartBufHandle first", ""});
        return;
    }
    uint8_t* address = InPool(pool, handle.position, offset, len, where);
    if (!address) return;
    Buffer& buffer = buffers_[static_cast<size_t>(handle.index)];
    buffer.address = address;
    buffer.bytes = len;
    buffer.origin.pool = pool.index;
    shown_.buffers = debug::ListOf(buffers_);
    Renewed(handle.position, address, len, "InitBuffer", where);
}

uint8_t* PositionBase(TPosition position, Where where) {
    return Framework::Of(ThisCore("GetBaseAddr")).PositionBase(position, where);
}
uint32_t PoolBegin(const PoolHandle& pool, Where where) {
    return Framework::Of(ThisCore("InitBufPool")).PoolBegin(pool, where);
}
void StartQueue(QueueHandle* queue, uint32_t num, uint32_t len, Where where) {
    Framework::Of(ThisCore("InitStartBufHandle")).StartQueue(queue, num, len, where);
}
void StartBuffer(BufferHandle* buffer, uint32_t num, uint32_t len, Where where) {
    Framework::Of(ThisCore("InitStartBufHandle")).StartBuffer(buffer, num, len, where);
}
void PlaceBlock(const QueueHandle& queue, const PoolHandle& pool, uint32_t index, uint32_t offset, uint32_t len,
                Where where) {
    Framework::Of(ThisCore("InitBufHandle")).PlaceBlock(queue, pool, index, offset, len, where);
}
void PlaceBuffer(const BufferHandle& buffer, const PoolHandle& pool, uint32_t offset, uint32_t len, Where where) {
    Framework::Of(ThisCore("InitBufHandle")).PlaceBuffer(buffer, pool, offset, len, where);
}

}  // namespace sfumato::ascendc
