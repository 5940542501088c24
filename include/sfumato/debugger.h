// SPDX-License-Identifier: Apache-2.0
// What share/sfumato/gdb reads of a process that stands, or of its core dump: plain memory behind exported symbols, so
// that nothing need be called, which not every debugger can do, and the library needs no debug information.
//
// The way in is sfumato_debug. At core_at bytes from a thread's pointer (x86-64: fs_base; arm64: tpidr_el0) lies
// sfumato::runtime::t_core of that thread, null while it runs no kernel; at state_at bytes from where that leads, a
// pointer to the Core below. Of a version that it does not know a reader reads nothing but the number: any change
// below raises it.
#pragma once

#include <cstdint>

#include "sfumato/data_type.h"
#include "sfumato/report.h"

namespace AscendC {
enum class TPosition : uint8_t;
}

namespace sfumato::debug {

inline constexpr uint32_t kVersion = 1;

// `count` of them, each `stride` bytes after the one before: their own size may be more than what is declared here.
struct List {
    const void* first = nullptr;
    uint64_t count = 0, stride = 0;
};
template <class Container>
List ListOf(const Container& c) {
    return {c.data(), c.size(), sizeof(*c.data())};
}

// Texts end with a zero. A Where without a line stands for: never.

enum class BlockState : uint32_t { kFree, kAllocated, kEnqueued, kHeld };
struct Block {
    uint8_t* address = nullptr;
    Where last;  // where its state last changed
    BlockState state = BlockState::kFree;
};
struct Queue {
    AscendC::TPosition from{}, to{}, position{};  // position: whose memory the blocks lie in
    int32_t depth = 0;
    uint32_t bytes = 0;  // of a block
    Where taken;         // the InitBuffer that handed the memory out again, after the pipe had ended
    List parts;          // Block
};
struct Buffer {
    AscendC::TPosition position{};
    uint8_t* address = nullptr;
    uint32_t bytes = 0;
    Where taken;
};
struct Pool {
    uint8_t* address = nullptr;
    uint64_t bytes = 0, used = 0;
    uint32_t count = 0, most = 0;  // buffers
};

// What TPipe hands out on a core. The number in the handle of a TQue, TBuf or TBufPool is its place in the list.
struct Pipe {
    void* object = nullptr;  // the TPipe that is alive
    List queues, buffers, pools;
    uint64_t live_queues = 0, live_buffers = 0;  // those of the live TPipe begin here
    const uint64_t* used = nullptr;              // bytes, by memory
};

// A live allocation of global memory.
struct Allocation {
    uint64_t address = 0, bytes = 0;
    const char* name = nullptr;
    uint64_t index = 0;  // in its GlobalMemory
};

// A core that runs.
struct Core {
    const char* name = nullptr;  // "aiv0"
    uint64_t block = 0, blocks = 0;
    uint8_t* const* memory = nullptr;        // by memory: where it lies on the host
    const uint64_t* memory_bytes = nullptr;  // 0: it is not on the chip, or is not the core's own
    List allocations;                        // Allocation, by address
    const Pipe* pipe = nullptr;              // null before the kernel first needs a TPipe
};

struct Library {
    uint32_t version;
    uint32_t memories, positions;       // names of each
    const char* const* memory_names;    // "UB", by memory
    const char* const* position_names;  // "VECIN", by AscendC::TPosition
    int64_t core_at;
    uint64_t state_at;
};

}  // namespace sfumato::debug

extern "C" SFUMATO_API const sfumato::debug::Library sfumato_debug;
