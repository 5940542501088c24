// SPDX-License-Identifier: Apache-2.0
// TPipe: buffers and their memory, the end of a pipe (framework.md 1.2, 1.5).
#include "frontends/ascendc/framework.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace sfumato::ascendc {

using AscendC::TPosition;

bool CheckHeld(runtime::Core& core, const LocalView& view, const char* call, const char* name, Where where) {
    return Framework::Of(core).CheckHeld(view, call, name, where);
}

Framework& Framework::Of(runtime::Core& core) {
    if (!core.front_end()) core.set_front_end(std::make_unique<Framework>(core));
    return *static_cast<Framework*>(core.front_end());
}

void Framework::PipeInit(void* pipe, Where where) {
    if (pipe_) {
        const bool same = pipe_ == pipe;
        ascendc::Find(core_,
                      {.rule = "tpipe-second",
                       .instruction = "TPipe",
                       .message = same ? "Init is called on a TPipe that is already initialised"
                                       : "a second TPipe is made while one is alive",
                       .found = same ? "Init without Destroy before it" : "two live TPipe objects on one core",
                       .legal = "one TPipe at a time: on the chip a second one hangs",
                       .hint = "keep one TPipe for the kernel and pass it on, or call Destroy() on the first"},
                      where);
        return;
    }
    pipe_ = pipe;
}

void Framework::PipeDestroy(void* pipe, bool barrier) noexcept {
    if (pipe_ != pipe) return;  // destroyed by hand before
    if (barrier && std::uncaught_exceptions() == 0) core_.DrainNoThrow();
    CollectLeftovers();
    Release();
    pipe_ = nullptr;
}

void Framework::PipeReset(void* pipe, Where where) {
    if (!CheckPipe(pipe, "TPipe::Reset", where)) return;
    core_.Drain();
    CollectLeftovers();
    Release();
}

void Framework::Release() {
    live_queues_ = queues_.size();
    live_buffers_ = buffers_.size();
    used_ = {};
    buffers_at_ = {};
    buffers_total_ = 0;
    events_ = {};
}

void* Framework::CurrentPipe(Where where) {
    if (!pipe_) {
        ascendc::Find(core_,
                      {.rule = "tpipe-none",
                       .instruction = "GetTPipePtr",
                       .message = "there is no TPipe",
                       .found = "no live TPipe on this core",
                       .legal = "a TPipe made earlier in the kernel",
                       .hint = "declare a TPipe before calling GetTPipePtr()"},
                      where);
    }
    return pipe_;
}

bool Framework::CheckPipe(void* pipe, const char* call, Where where) {
    if (pipe_ == pipe) return true;
    return ascendc::Find(core_,
                         {.rule = "tpipe-none",
                          .instruction = call,
                          .message = "the TPipe is not the core's live TPipe",
                          .found = pipe_ ? "another TPipe is alive" : "a TPipe after Destroy()",
                          .legal = "the live TPipe",
                          .hint = "call Init() after Destroy(), or use the TPipe that is alive"},
                         where) &&
           false;
}

uint8_t* Framework::Carve(TPosition position, uint64_t bytes, uint32_t count, const char* what, Where where) {
    const auto memory = core_.chip().position[static_cast<size_t>(position)];
    if (memory == isa::Memory::kNone || memory == isa::Memory::kGm || core_.chip().Bytes(memory) == 0) {
        ascendc::Find(core_,
                      {.rule = "position-unsupported",
                       .instruction = "InitBuffer",
                       .operand = Name(position),
                       .message = fmt::format("{} has no memory for {} {}", core_.chip().name, what, Name(position)),
                       .found = "no memory behind the position",
                       .legal = "VECIN, VECOUT, VECCALC, or a cube position this chip has",
                       .hint = position == TPosition::CO2 ? "CO2 is global memory here: write to a GlobalTensor" : ""},
                      where);
        return nullptr;
    }
    const auto index = static_cast<size_t>(position);
    const uint32_t limit = core_.chip().buffers_per_position;
    buffers_at_[index] += count;
    buffers_total_ += count;
    // Newer releases of the same API accept up to 64 a position on Ascend910B (compat.md, "Limits by chip").
    if (buffers_at_[index] > limit && buffers_at_[index] - count <= limit) {
        const bool newer = core_.chip().split_cores;
        if (!ascendc::Find(core_,
                           {.severity = newer ? Severity::kWarning : Severity::kFault,
                            .rule = "buffers-per-position",
                            .instruction = "InitBuffer",
                            .operand = Name(position),
                            .message = fmt::format("more buffers than {} allows", Name(position)),
                            .found = fmt::format("{} buffers at {}", buffers_at_[index], Name(position)),
                            .legal = fmt::format("at most {} on {}", limit, core_.chip().name),
                            .hint = newer ? "older toolkits hang here; use fewer queues or single buffers"
                                          : "use fewer queues, or a buffer number of 1"},
                           where)) {
            return nullptr;
        }
    }
    constexpr uint32_t kBuffersPerKernel = 64;
    if (buffers_total_ > kBuffersPerKernel) {
        ascendc::Find(core_,
                      {.rule = "buffers-total",
                       .instruction = "InitBuffer",
                       .operand = Name(position),
                       .message = "more buffers than a kernel may have",
                       .found = fmt::format("{} buffers", buffers_total_),
                       .legal = fmt::format("at most {}", kBuffersPerKernel)},
                      where);
        return nullptr;
    }
    uint64_t& used = used_[static_cast<size_t>(memory)];
    const uint64_t total = bytes * count, size = core_.chip().Bytes(memory);
    if (used + total > size) {
        ascendc::Find(core_,
                      {.rule = "memory-full",
                       .instruction = "InitBuffer",
                       .operand = Name(position),
                       .message = fmt::format("the buffers do not fit in {}", isa::Name(memory)),
                       .found = fmt::format("{} x {} bytes asked for, {} bytes free", count, bytes, size - used),
                       .legal = fmt::format("{} has {} bytes on {}", isa::Name(memory), size, core_.chip().name),
                       .hint = "use smaller tiles or fewer buffers"},
                      where);
        return nullptr;
    }
    uint8_t* address = core_.MemoryBase(memory) + used;
    used += total;
    return address;
}

namespace {
// Whose memory the blocks of a queue lie in. Queues into L1, L0A, L0B, BT and the fixpipe buffer hold what arrives
// there, whatever sends it; the others hold what leaves the first position.
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
}  // namespace

bool Framework::InitQueue(void* pipe, QueueHandle* handle, uint32_t num, uint32_t len, Where where) {
    if (!CheckPipe(pipe, "InitBuffer", where)) return false;
    const TPosition position = BlockPosition(handle->from, handle->to);
    if (num == 0 || len == 0) {
        return ascendc::Find(core_,
                             {.rule = "buffer-empty",
                              .instruction = "InitBuffer",
                              .operand = Name(position),
                              .message = "a queue needs at least one block of at least one byte",
                              .found = fmt::format("{} blocks of {} bytes", num, len),
                              .legal = "num >= 1, len >= 1"},
                             where) &&
               false;
    }
    if (handle->index >= static_cast<int32_t>(live_queues_)) {
        return ascendc::Find(
                   core_,
                   {.rule = "buffer-twice",
                    .instruction = "InitBuffer",
                    .operand = Name(position),
                    .message = "the queue already has buffers",
                    .found = fmt::format("initialised at {}:{}", queues_[static_cast<size_t>(handle->index)].made.file,
                                         queues_[static_cast<size_t>(handle->index)].made.line),
                    .legal = "one InitBuffer for a queue"},
                   where) &&
               false;
    }
    const uint64_t bytes = (uint64_t{len} + 31) / 32 * 32;
    if (bytes != len) {
        ascendc::Find(core_,
                      {.severity = Severity::kNote,
                       .rule = "buffer-rounded",
                       .instruction = "InitBuffer",
                       .operand = Name(position),
                       .message = "the length is rounded up to a multiple of 32",
                       .found = fmt::format("{} bytes", len),
                       .legal = fmt::format("{} bytes are reserved", bytes)},
                      where);
    }
    uint8_t* address = Carve(position, bytes, num, "the queue position", where);
    if (!address) return false;
    Queue queue{handle->from, handle->to, position, handle->depth, static_cast<uint32_t>(bytes), {}, {}, 0, where};
    for (uint32_t i = 0; i < num; ++i) queue.blocks.push_back({.address = address + i * bytes});
    handle->index = static_cast<int32_t>(queues_.size());
    queues_.push_back(std::move(queue));
    return true;
}

bool Framework::InitBuffer(void* pipe, BufferHandle* handle, uint32_t len, Where where) {
    if (!CheckPipe(pipe, "InitBuffer", where)) return false;
    if (len == 0) {
        return ascendc::Find(core_,
                             {.rule = "buffer-empty",
                              .instruction = "InitBuffer",
                              .operand = Name(handle->position),
                              .message = "a TBuf needs at least one byte",
                              .found = "0 bytes",
                              .legal = "len >= 1"},
                             where) &&
               false;
    }
    const uint64_t bytes = (uint64_t{len} + 31) / 32 * 32;
    uint8_t* address = Carve(handle->position, bytes, 1, "the TBuf position", where);
    if (!address) return false;
    handle->index = static_cast<int32_t>(buffers_.size());
    buffers_.push_back({handle->position, address, static_cast<uint32_t>(bytes)});
    return true;
}

LocalView Framework::BufferGet(const BufferHandle& handle, DataType type, uint64_t count, uint64_t byte_offset,
                               bool whole, Where where) {
    if (handle.index < static_cast<int32_t>(live_buffers_)) {
        const bool ended = handle.index >= 0;
        ascendc::Find(core_,
                      {.rule = "buffer-uninitialised",
                       .instruction = "TBuf::Get",
                       .operand = Name(handle.position),
                       .message = "the TBuf has no memory",
                       .found = ended ? "a TBuf of a TPipe that has ended" : "Get before InitBuffer",
                       .legal = "InitBuffer first",
                       .hint = "call pipe.InitBuffer(buf, bytes)"},
                      where);
        return {};
    }
    const Buffer& buffer = buffers_[static_cast<size_t>(handle.index)];
    const uint64_t bytes = whole ? buffer.bytes : BytesOf(type, count);
    if (byte_offset % 32 != 0 || byte_offset + bytes > buffer.bytes) {
        const bool aligned = byte_offset % 32 == 0;
        ascendc::Find(core_,
                      {.rule = aligned ? "buffer-get-size" : "buffer-get-offset",
                       .instruction = "TBuf::Get",
                       .operand = Name(buffer.position),
                       .message = aligned ? "more elements than the TBuf holds" : "the offset is not a multiple of 32",
                       .found = fmt::format("{} x {} at byte offset {}", count, CName(type), byte_offset),
                       .legal = aligned ? fmt::format("{} bytes in all", buffer.bytes) : "a multiple of 32"},
                      where);
        return {};
    }
    LocalView view;
    view.address = buffer.address + byte_offset;
    view.size = static_cast<uint32_t>(bytes * 8 / BitsOf(type));
    view.room = static_cast<uint32_t>(buffer.bytes - byte_offset);
    view.position = buffer.position;
    return view;
}

void Framework::CollectLeftovers() {
    for (size_t q = live_queues_; q < queues_.size(); ++q) {
        const Queue& queue = queues_[q];
        for (const Block& block : queue.blocks) {
            if (block.state == BlockState::kFree) continue;
            const bool enqueued = block.state == BlockState::kEnqueued;
            leftovers_.push_back(
                {{.severity = Severity::kWarning,
                  .rule = enqueued ? "queue-left-full" : "tensor-not-freed",
                  .instruction = enqueued ? "EnQue" : "AllocTensor",
                  .operand = Name(queue.position),
                  .message =
                      enqueued ? "a tensor is still in the queue when its TPipe ends" : "a tensor is never given back",
                  .found = enqueued ? "EnQue without DeQue" : "AllocTensor or DeQue without FreeTensor",
                  .legal = "AllocTensor, EnQue, DeQue and FreeTensor in equal number",
                  .hint = enqueued ? "add the DeQue and FreeTensor" : "add the FreeTensor"},
                 block.last});
        }
    }
}

void Framework::KernelEnd() {
    CollectLeftovers();
    for (auto& [finding, where] : std::exchange(leftovers_, {})) ascendc::Find(core_, std::move(finding), where);
}

}  // namespace sfumato::ascendc
