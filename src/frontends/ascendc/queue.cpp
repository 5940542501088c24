// SPDX-License-Identifier: Apache-2.0
// TQue and TQueBind: the state of each block and the flags between the pipes of its two ends (framework.md 1.4, 2.4).
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ascendc/framework.h"

namespace sfumato::ascendc {
namespace {

using AscendC::HardEvent;
using AscendC::TPosition;

using isa::Memory;

// The flags a queue inserts between two positions: forward at EnQue/DeQue, reverse at FreeTensor/AllocTensor. They join
// the pipe that fills the block and the pipe that uses it up, which depend on the memory behind a position.
struct Hop {
    TPosition from, to;
    HardEvent forward, reverse;
    Memory memory = Memory::kNone;  // behind `to`, or behind `from` where `to` is GM; kNone: any
};
constexpr Hop kHops[] = {
    {TPosition::GM, TPosition::VECIN, HardEvent::MTE2_V, HardEvent::V_MTE2},
    {TPosition::VECOUT, TPosition::GM, HardEvent::V_MTE3, HardEvent::MTE3_V},
    {TPosition::VECIN, TPosition::VECOUT, HardEvent::MTE2_MTE3, HardEvent::MTE3_MTE2},
    {TPosition::GM, TPosition::A1, HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2},
    {TPosition::GM, TPosition::B1, HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2},
    {TPosition::GM, TPosition::TSCM, HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2},
    {TPosition::GM, TPosition::C1, HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2, Memory::kL1},
    {TPosition::GM, TPosition::C1, HardEvent::MTE2_V, HardEvent::V_MTE2, Memory::kUb},
    {TPosition::GM, TPosition::A2, HardEvent::MTE2_M, HardEvent::M_MTE2},
    {TPosition::GM, TPosition::B2, HardEvent::MTE2_M, HardEvent::M_MTE2},
    {TPosition::VECOUT, TPosition::A1, HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3},
    {TPosition::VECOUT, TPosition::B1, HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3},
    {TPosition::VECOUT, TPosition::C1, HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3, Memory::kL1},
    {TPosition::VECIN, TPosition::TSCM, HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3},
    {TPosition::A1, TPosition::A2, HardEvent::MTE1_M, HardEvent::M_MTE1},
    {TPosition::B1, TPosition::B2, HardEvent::MTE1_M, HardEvent::M_MTE1},
    {TPosition::C1, TPosition::C2, HardEvent::MTE1_M, HardEvent::M_MTE1, Memory::kBt},
    {TPosition::C1, TPosition::C2, HardEvent::V_M, HardEvent::M_V, Memory::kL0C},
    {TPosition::CO1, TPosition::CO2, HardEvent::M_FIX, HardEvent::FIX_M, Memory::kGm},
    {TPosition::CO1, TPosition::CO2, HardEvent::M_V, HardEvent::V_M, Memory::kUb},
    {TPosition::CO2, TPosition::GM, HardEvent::V_MTE3, HardEvent::MTE3_V, Memory::kUb},
};

// nullptr: the two ends share a pipe, nothing is inserted.
const Hop* FindHop(const soc::Chip& chip, TPosition from, TPosition to) {
    const auto applies = [&](const Hop& h) {
        if (h.from != from || h.to != to) return false;
        const TPosition end = to == TPosition::GM ? from : to;
        return h.memory == Memory::kNone || h.memory == chip.position[static_cast<size_t>(end)];
    };
    const auto hop = std::find_if(std::begin(kHops), std::end(kHops), applies);
    return hop == std::end(kHops) ? nullptr : hop;
}

constexpr int32_t kBlocksPerHandle = 256;

}  // namespace

Framework::Queue* Framework::Find(const QueueHandle& handle, const char* call, Where where) {
    Queue* queue = handle.index < 0 ? nullptr : &queues_[static_cast<size_t>(handle.index)];
    if (queue && !queue->taken.line) return queue;
    if (const TPosition position = BlockPosition(handle.from, handle.to); !queue && IsGlobal(position)) {
        NoMemory(position, call, "the queue position", where);
        return nullptr;
    }
    ascendc::Find(core_, call, where,
                  {Rule::kQueueUninitialised, "", "the queue has no buffers",
                   queue ? TakenWords(queue->origin, queue->taken) : "a queue that was never given to InitBuffer",
                   "a queue after InitBuffer", "call pipe.InitBuffer(queue, num, bytes) first"});
    return nullptr;
}

uint32_t Framework::AllocatedAt(TPosition position) const {
    uint32_t count = 0;
    for (size_t q = shown_.live_queues; q < queues_.size(); ++q) {
        if (queues_[q].position != position) continue;
        for (const Block& b : queues_[q].blocks) count += b.state != BlockState::kFree;
    }
    return count;
}

LocalView Framework::View(uint32_t queue_index, uint32_t block, DataType type) const {
    const Queue& queue = queues_[queue_index];
    LocalView view;
    view.address = queue.blocks[block].address;
    view.size = static_cast<uint32_t>(uint64_t{queue.bytes} * 8 / BitsOf(type));
    view.room = queue.bytes;
    view.position = queue.position;
    view.generation = queue.blocks[block].generation;
    view.block = static_cast<int32_t>(queue_index) * kBlocksPerHandle + static_cast<int32_t>(block);
    return view;
}

LocalView Framework::Alloc(const QueueHandle& handle, DataType type, bool in_place, Where where) {
    Queue* queue = Find(handle, "AllocTensor", where);
    if (!queue) return {};
    const char* name = Name(queue->position);
    if (queue->depth == 0 && !in_place) {
        if (!ascendc::Find(core_, "AllocTensor", where,
                           {Rule::kQueueInPlace, name, "a queue of depth 0 works in place",
                            "AllocTensor that returns a tensor", "AllocTensor(tensor), DeQue(tensor)", ""}))
            return {};
    }
    const uint32_t count = static_cast<uint32_t>(queue->blocks.size());
    uint32_t pick = queue->next_alloc, tried = 0;
    while (tried < count && queue->blocks[pick].state != BlockState::kFree) pick = (pick + 1) % count, ++tried;
    if (tried == count) {
        ascendc::Find(
            core_, "AllocTensor", where,
            {Rule::kQueueNoIdle, name, "no block of the queue is free",
             fmt::format("{} of {} blocks in use, the oldest since {}:{}", count, count,
                         queue->blocks[queue->next_alloc].last.file, queue->blocks[queue->next_alloc].last.line),
             "at most as many tensors at once as InitBuffer made blocks",
             "free a tensor first, or give the queue more blocks"});
        return {};
    }
    const uint32_t limit = core_.chip().buffers_per_position, at_once = AllocatedAt(queue->position) + 1;
    if (at_once > limit) {
        ascendc::Find(core_, "AllocTensor", where,
                      {Rule::kTensorsPerPosition, name, fmt::format("too many tensors of {} at once", name),
                       fmt::format("{} tensors", at_once),
                       fmt::format("at most {} on {}: each holds an event id", limit, core_.chip().name),
                       "free tensors earlier; on the chip this hangs"});
        return {};
    }
    Block& block = queue->blocks[pick];
    queue->next_alloc = (pick + 1) % count;
    Await(&block.reverse, where);
    block.state = BlockState::kAllocated;
    block.last = where;
    Renewed(queue->position, block.address, queue->bytes, "AllocTensor", where);
    return View(static_cast<uint32_t>(handle.index), pick, type);
}

Framework::Block* Framework::BlockOf(const QueueHandle& handle, const LocalView& tensor, const char* call,
                                     Rule of_freed, Where where) {
    Queue* queue = Find(handle, call, where);
    if (!queue) return nullptr;
    const char* name = Name(queue->position);
    if (tensor.block < 0 || tensor.block / kBlocksPerHandle != handle.index) {
        ascendc::Find(core_, call, where,
                      {Rule::kQueueForeignTensor, name, "the tensor does not come from this queue",
                       !tensor.address    ? "a LocalTensor that was never given memory"
                       : tensor.block < 0 ? "a tensor of a TBuf"
                                          : "a tensor of another queue",
                       "a tensor AllocTensor or DeQue of this queue returned", ""});
        return nullptr;
    }
    Block& block = queue->blocks[static_cast<size_t>(tensor.block % kBlocksPerHandle)];
    if (block.generation != tensor.generation || block.state == BlockState::kFree) {
        const bool freeing = of_freed == Rule::kTensorFreedTwice;
        ascendc::Find(core_, call, where,
                      {of_freed, name, freeing ? "the tensor was already freed" : "the tensor was freed before",
                       fmt::format("freed at {}:{}", block.last.file, block.last.line),
                       "one FreeTensor for each AllocTensor or DeQue",
                       freeing ? "remove the second FreeTensor" : "free the tensor after its last use"});
        return nullptr;
    }
    return &block;
}

bool Framework::EnQue(const QueueHandle& handle, const LocalView& tensor, TPosition from, TPosition to, Where where) {
    Block* block = BlockOf(handle, tensor, "EnQue", Rule::kTensorFreed, where);
    if (!block) return false;
    Queue& queue = queues_[static_cast<size_t>(handle.index)];
    const char* name = Name(queue.position);
    if (block->state == BlockState::kEnqueued) {
        return ascendc::Refuse(core_, "EnQue", where,
                               {Rule::kQueueOrder, name, "the tensor is already in the queue",
                                fmt::format("EnQue at {}:{} and no DeQue since", block->last.file, block->last.line),
                                "AllocTensor, EnQue, DeQue, FreeTensor, in this order", ""});
    }
    const auto capacity = static_cast<size_t>(std::max(queue.depth, 1));
    if (queue.fifo.size() >= capacity) {
        return ascendc::Refuse(
            core_, "EnQue", where,
            {Rule::kQueueFull, name, "the queue is full", fmt::format("{} tensors enqueued", queue.fifo.size()),
             fmt::format("a depth of {}: so many EnQue without DeQue", queue.depth),
             "DeQue first, or give the queue a larger depth"});
    }
    const bool plain = from == TPosition::MAX;
    if (const Hop* hop = plain ? FindHop(core_.chip(), queue.from, queue.to) : FindHop(core_.chip(), from, to)) {
        block->forward = Raise(hop->forward, where);
    } else if (!plain) {
        return ascendc::Refuse(
            core_, "EnQue", where,
            {Rule::kQueueHop, name, "no flag joins these two positions",
             fmt::format("EnQue<{}, {}>", Name(from), Name(to)), "EnQue<GM, VECIN> and EnQue<VECOUT, GM>", ""});
    }
    block->state = BlockState::kEnqueued;
    block->last = where;
    queue.fifo.push_back(static_cast<uint32_t>(tensor.block % kBlocksPerHandle));
    return true;
}

LocalView Framework::DeQue(const QueueHandle& handle, DataType type, TPosition, TPosition, bool in_place, Where where) {
    Queue* queue = Find(handle, "DeQue", where);
    if (!queue) return {};
    const char* name = Name(queue->position);
    if (queue->depth == 0 && !in_place) {
        if (!ascendc::Find(core_, "DeQue", where,
                           {Rule::kQueueInPlace, name, "a queue of depth 0 works in place",
                            "DeQue that returns a tensor", "AllocTensor(tensor), DeQue(tensor)", ""}))
            return {};
    }
    if (queue->fifo.empty()) {
        ascendc::Find(core_, "DeQue", where,
                      {Rule::kQueueEmpty, name, "the queue is empty", "DeQue without an EnQue before it",
                       "as many DeQue as EnQue, EnQue first", "on the chip this waits for ever"});
        return {};
    }
    const uint32_t index = queue->fifo.front();
    queue->fifo.pop_front();
    Block& block = queue->blocks[index];
    Await(&block.forward, where);
    block.state = BlockState::kHeld;
    block.last = where;
    return View(static_cast<uint32_t>(handle.index), index, type);
}

void Framework::Free(const QueueHandle& handle, const LocalView& tensor, Where where) {
    Block* block = BlockOf(handle, tensor, "FreeTensor", Rule::kTensorFreedTwice, where);
    if (!block) return;
    Queue& queue = queues_[static_cast<size_t>(handle.index)];
    if (block->state == BlockState::kEnqueued) {
        ascendc::Find(core_, "FreeTensor", where,
                      {Rule::kQueueOrder, Name(queue.position), "the tensor is still in the queue",
                       fmt::format("EnQue at {}:{} and no DeQue since", block->last.file, block->last.line),
                       "AllocTensor, EnQue, DeQue, FreeTensor, in this order", ""});
        return;
    }
    if (const Hop* hop = FindHop(core_.chip(), queue.from, queue.to)) block->reverse = Raise(hop->reverse, where);
    block->state = BlockState::kFree;
    ++block->generation;
    block->last = where;
}

int32_t Framework::State(const QueueHandle& handle, QueueQuery query, Where where) {
    constexpr const char* kCalls[] = {"VacantInQue", "GetTensorCountInQue", "HasIdleBuffer"};
    const char* call = kCalls[static_cast<int>(query)];
    const Queue* queue = Find(handle, call, where);
    if (!queue) return 0;
    if (queue->depth == 0 &&
        !ascendc::Find(core_, call, where,
                       {Rule::kQueueInPlace, Name(queue->position), "a queue of depth 0 has no state to ask for",
                        "depth 0", "a depth of at least 1", ""})) {
        return 0;
    }
    const auto enqueued = static_cast<int32_t>(queue->fifo.size());
    switch (query) {
        case QueueQuery::kVacant: return enqueued < queue->depth;
        case QueueQuery::kCount: return enqueued;
        case QueueQuery::kIdle:
            return std::any_of(queue->blocks.begin(), queue->blocks.end(),
                               [](const Block& b) { return b.state == BlockState::kFree; });
    }
    return 0;
}

void Framework::FreeEvents(const QueueHandle& handle, Where where) {
    Queue* queue = Find(handle, "FreeAllEvent", where);
    if (!queue) return;
    for (Block& block : queue->blocks) {
        GiveEvent(block.forward.event, &block.forward.id);
        GiveEvent(block.reverse.event, &block.reverse.id);
    }
}

bool Framework::CheckHeld(const LocalView& view, const char* call, const char* name, Where where) {
    const bool of_queue = view.block >= 0;
    const Queue* queue = of_queue ? &queues_[static_cast<size_t>(view.block / kBlocksPerHandle)] : nullptr;
    const Block* block = of_queue ? &queue->blocks[static_cast<size_t>(view.block % kBlocksPerHandle)] : nullptr;
    const Buffer* buffer = of_queue ? nullptr : &buffers_[static_cast<size_t>(kFirstBuffer - view.block)];
    const Where taken = of_queue ? queue->taken : buffer->taken;
    const bool freed = block && block->generation != view.generation;
    if (!freed && !taken.line) return true;
    return ascendc::Refuse(
        core_, call, where,
        {Rule::kTensorFreed, name,
         freed ? fmt::format("{} was freed before", name) : fmt::format("the memory of {} was handed out again", name),
         freed ? fmt::format("freed at {}:{}", block->last.file, block->last.line)
               : TakenWords(of_queue ? queue->origin : buffer->origin, taken),
         "a tensor between AllocTensor or DeQue and FreeTensor",
         freed ? "free the tensor after its last use" : "make no new buffers while a tensor is in use"});
}

}  // namespace sfumato::ascendc
