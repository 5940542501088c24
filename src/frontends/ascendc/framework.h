// SPDX-License-Identifier: Apache-2.0
// TPipe and its queues on one core: buffers, the state of each block, event ids, and the flags queues insert.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontends/ascendc/context.h"
#include "frontends/ascendc/nddma_cache.h"
#include "frontends/ascendc/reg/vector_function.h"
#include "frontends/ascendc/static_tensors.h"
#include "runtime/pipes/events.h"
#include "sfumato/ascendc/local_memory.h"
#include "sfumato/ascendc/queue.h"
#include "sfumato/debugger.h"

namespace sfumato::ascendc {

// What calls between cores keep on each core.
struct CrossCoreState {
    struct Order {
        bool ready = false, waited = false;
        uint64_t round = 0;
    };
    std::map<uint64_t, Order> order;  // by counter: InitDetermineComputeWorkspace, GroupBarrier
    std::array<int, 2> task_calls{};  // SetNextTaskStart, WaitPreTaskEnd
};

// What raw calls keep on each core (language.md 5).
struct RawState {
    struct List {
        std::array<uint64_t, 8> address{};
        bool set = false;
    };
    std::array<List, 8> lists{};  // VA0 to VA7
    // Halves of an atomic mode whose other one has not come.
    std::optional<uint8_t> atomic;
    std::optional<DataType> atomic_type;
    uint64_t ctrl = 0;       // bits of the control register without effect
    bool flag_base = false;  // set_ffts_base_addr came; or its absence was told
};

// A flag of the library's own between two pipes, raised once and awaited once.
struct OwnFlag {
    uint64_t token = 0;  // 0: none
    uint8_t event = 0;
    int8_t id = -1;
};

namespace mm {
class Engine;
struct Client;
}  // namespace mm

// Whose memory the blocks of a queue lie in. Queues into L1, L0A, L0B, BT and the fixpipe buffer hold what arrives
// there, whatever sends it; the others hold what leaves the first position.
AscendC::TPosition BlockPosition(AscendC::TPosition from, AscendC::TPosition to);

class Framework final : public runtime::FrontEndState {
public:
    explicit Framework(runtime::Core& core);
    ~Framework() override;
    // The framework of the current core, made on first use.
    static Framework& Of(runtime::Core& core);

    void PipeInit(void* pipe, Where where);
    void PipeDestroy(void* pipe, bool barrier) noexcept;
    void PipeReset(void* pipe, Where where);
    void* CurrentPipe(Where where);

    bool InitQueue(Maker maker, QueueHandle* handle, uint32_t num, uint32_t len, Where where);
    bool InitBuffer(Maker maker, BufferHandle* handle, uint32_t len, Where where);
    bool InitPool(Maker maker, PoolHandle* handle, uint32_t len, const PoolHandle* share, Where where);
    void PoolReset(const PoolHandle& handle, Where where);
    // Of pools that a class of the program fills.
    uint32_t PoolBegin(const PoolHandle& handle, Where where);
    void StartQueue(QueueHandle* handle, uint32_t num, uint32_t len, Where where);
    void StartBuffer(BufferHandle* handle, uint32_t num, uint32_t len, Where where);
    void PlaceBlock(const QueueHandle& handle, const PoolHandle& pool, uint32_t index, uint32_t offset, uint32_t len,
                    Where where);
    void PlaceBuffer(const BufferHandle& handle, const PoolHandle& pool, uint32_t offset, uint32_t len, Where where);
    // The memory behind a position; nullptr, reported: the chip has none.
    uint8_t* PositionBase(AscendC::TPosition position, Where where);
    void CheckPart(const BufferHandle& handle, const LocalView& tensor, Where where);
    LocalView BufferGet(const BufferHandle& handle, DataType type, uint64_t count, uint64_t byte_offset, bool whole,
                        Where where);

    // The memory behind a position that no InitBuffer has taken (1.8); without a call's name nothing is reported.
    LocalView Rest(AscendC::TPosition position, DataType type, const char* call, Where where);
    // What the second pipe of the event does from here on waits for what the first was given.
    void Order(AscendC::HardEvent event, Where where);

    // What the first pipe was given is done when the flag is; Await: the second pipe goes on then.
    OwnFlag Raise(AscendC::HardEvent event, Where where);
    void Await(OwnFlag* flag, Where where);
    // Bytes of a memory that InitBuffer has handed out.
    uint64_t Used(isa::Memory memory) const { return used_[static_cast<size_t>(memory)]; }
    // Blocks and buffers of the live pipe.
    bool HasBuffers() const { return shown_.live_queues != queues_.size() || shown_.live_buffers != buffers_.size(); }

    LocalView Alloc(const QueueHandle& handle, DataType type, bool in_place, Where where);
    bool EnQue(const QueueHandle& handle, const LocalView& tensor, AscendC::TPosition from, AscendC::TPosition to,
               Where where);
    LocalView DeQue(const QueueHandle& handle, DataType type, AscendC::TPosition from, AscendC::TPosition to,
                    bool in_place, Where where);
    void Free(const QueueHandle& handle, const LocalView& tensor, Where where);
    int32_t State(const QueueHandle& handle, QueueQuery query, Where where);
    void FreeEvents(const QueueHandle& handle, Where where);

    int8_t AllocEvent(uint8_t event, Where where);
    void ReleaseEvent(uint8_t event, int8_t id, Where where);
    int8_t FetchEvent(uint8_t event, Where where);
    // A hand-written flag uses an id a queue holds: a warning.
    void CheckEventId(uint8_t event, int id, const char* call, Where where);

    // Where a variable in local memory lies.
    void* PlaceLocal(const LocalVariable& variable, uint64_t bytes, uint64_t align);
    void* DynamicUb(Where where);
    void SetDynamicUb(uint64_t bytes) { locals_.dynamic_bytes = bytes; }

    CrossCoreState& cross_core() { return cross_core_; }
    StaticTensors& statics() { return statics_; }
    VectorUnit& vector_unit() { return vector_unit_; }
    NdDmaCache& nddma_cache() { return nddma_cache_; }
    RawState raw;
    // Keeps that the kernel asked for a tiling key, and whether it was the launch's.
    void KeyAsked(bool holds, Where where);
    uint8_t* system_workspace = nullptr;     // of SetSysWorkspace on this core
    std::array<uint8_t*, 2> hccl_context{};  // of SetHcclContext, by index
    std::vector<const uint8_t*> hccl_used;   // contexts that have a client
    struct {
        uint64_t at = 0;  // the instruction they stand before
        uint32_t count = 0;
    } preloads;                          // DataCachePreload in a row
    std::vector<uint32_t> trace_ranges;  // that TRACE_START has begun, the innermost last
    bool flag_by_pipes = false;          // the next flag is that of a TQueSync
    struct {
        const void* object = nullptr;
        const char* call = "";
        Where where;
    } product;                           // the last one of a Matmul that has not ended since
    std::unique_ptr<mm::Engine> matmul;  // of a core with a cube unit, made on first use
    std::unique_ptr<mm::Client> client;  // of a vector core that has registered a Matmul

    bool CheckHeld(const LocalView& view, const char* call, const char* name, Where where);
    // What a refused reference to an element refers to while faults are collected.
    uint8_t* Nowhere() { return reinterpret_cast<uint8_t*>(&nowhere_); }
    void KernelEnd() override;
    void Issuing(const isa::Record& record) override {
        vector_unit_.Issuing(record);
        statics_.Issuing(record);
        nddma_cache_.Issuing(record);
    }

private:
    using BlockState = debug::BlockState;
    struct Block : debug::Block {
        uint16_t generation = 0;
        OwnFlag forward;  // set by EnQue, waited for by DeQue
        OwnFlag reverse;  // set by FreeTensor, waited for by the next AllocTensor
    };
    // Of a queue or a buffer: the pool it was made from, -1 for none, and whether that was reset since.
    struct Origin {
        int32_t pool = -1;
        bool reset = false;
    };
    struct Queue : debug::Queue {
        std::vector<Block> blocks;  // never more or fewer once it is made
        std::deque<uint32_t> fifo;
        uint32_t next_alloc = 0;  // blocks are handed out in turn
        Where made;
        Origin origin;
    };
    struct Buffer : debug::Buffer {
        Origin origin;
    };
    struct Pool : debug::Pool {
        isa::Memory memory = isa::Memory::kNone;
        int32_t outer = -1;  // the pool it was made from
    };
    struct LocalPlace {
        const LocalVariable* variable;
        isa::Memory memory;
        uint64_t begin, bytes;
    };
    struct Locals {
        std::vector<LocalPlace> placed;
        std::array<uint64_t, isa::kMemoryCount> end{};
        uint64_t dynamic_bytes = 0;       // of the launch
        std::optional<uint64_t> dynamic;  // where they begin
        bool told = false;                // of a TPipe beside them
    };
    enum class Holder : uint8_t { kNobody, kProgram, kSfumato };  // AllocEventID; a queue or a call
    struct EventPool {
        std::array<Holder, 16> holder{};
    };

    void* LocalAddress(isa::Memory memory, uint64_t offset);
    void WarnOfPipe(isa::Memory memory, const char* call, Where where);
    Queue* Find(const QueueHandle& handle, const char* call, Where where);
    Pool* FindPool(const PoolHandle& handle, const char* call, Where where);
    bool CountBuffers(AscendC::TPosition position, uint32_t count, const PoolHandle* from, Where where);
    bool CountInPool(Pool* pool, uint32_t count, const char* call, AscendC::TPosition position, Where where);
    bool CheckConfig(const QueueHandle& handle, uint32_t num, uint32_t len, Where where);
    bool CheckMaker(Maker maker, const char* call, Where where);
    // For the checks: what the bytes held means nothing any more.
    void Renewed(AscendC::TPosition position, const uint8_t* address, uint64_t bytes, const char* call, Where where);
    // Of a position that the chip has no memory for; nullptr. One in global memory is reported where it is used.
    uint8_t* NoMemory(AscendC::TPosition position, const char* call, const char* what, Where where);
    bool IsGlobal(AscendC::TPosition position) const;
    // A queue of `num` blocks without memory.
    Queue& AddQueue(QueueHandle* handle, uint32_t num, uint32_t bytes, Where where);
    void ShowQueues();
    // The bytes at an offset of the pool's memory; nullptr, reported: they do not lie in the pool.
    uint8_t* InPool(const PoolHandle& pool, AscendC::TPosition position, uint32_t offset, uint32_t len, Where where);
    uint8_t* Carve(AscendC::TPosition position, uint64_t bytes, uint32_t count, const char* what,
                   const PoolHandle* pool, Where where);
    bool CheckQueueBuffers(AscendC::TPosition position, uint32_t count, Where where);
    void Take(const uint8_t* begin, const uint8_t* end, Where where);
    static std::string TakenWords(const Origin& origin, Where taken);
    bool CheckPipe(void* pipe, const char* call, Where where);
    LocalView View(uint32_t queue_index, uint32_t block, DataType type) const;
    Block* BlockOf(const QueueHandle& handle, const LocalView& tensor, const char* call, Rule of_freed, Where where);
    int8_t TakeEvent(uint8_t event, Holder holder = Holder::kSfumato);
    void GiveEvent(uint8_t event, int8_t* id);
    void IssueToken(isa::Opcode op, uint8_t event, int8_t id, uint64_t token, Where where);
    uint32_t AllocatedAt(AscendC::TPosition position) const;
    void CollectLeftovers(const Queue& queue);
    void Release();

    runtime::Core& core_;
    CrossCoreState cross_core_;
    Locals locals_;
    StaticTensors statics_;
    VectorUnit vector_unit_;
    NdDmaCache nddma_cache_;
    // What debuggers see, too: the pipe, and the entries below.
    debug::Pipe shown_;
    // Entries stay when a pipe ends, usable until their memory is handed out again; those of the live pipe start at
    // indices, two of them in shown_.
    std::vector<Queue> queues_;
    std::vector<Buffer> buffers_;
    std::vector<Pool> pools_;
    size_t live_pools_ = 0;
    struct Leftover {
        const char* call;
        Finding finding;
        Where where;
    };
    bool key_held_ = false;
    Where key_asked_;                  // the first call
    std::vector<Leftover> leftovers_;  // found by destructors, reported at the end of the kernel
    std::array<uint64_t, isa::kMemoryCount> used_{};
    std::array<uint32_t, 16> buffers_at_{};  // blocks of queues per position
    uint32_t buffers_total_ = 0;
    std::array<EventPool, runtime::kEventCount> events_{};
    uint64_t nowhere_ = 0;
};

}  // namespace sfumato::ascendc
