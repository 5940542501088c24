// SPDX-License-Identifier: Apache-2.0
// Mapping, pooling and naming of on-chip memories.
#include "runtime/memory/core_memory.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "sfumato/launch.h"
#include "system/memory.h"

namespace sfumato::runtime {
namespace {

constexpr uint64_t kPage = 64 * 1024;              // at least a page on every host we know
constexpr uint64_t kStackBytes = kCoreStackBytes;  // as threads have; pages nobody touches take no memory

struct MemoryPool {
    std::mutex mutex;
    std::vector<std::unique_ptr<CoreMemory>> idle;
    std::vector<CoreMemory*> in_use;
};

// Never destroyed: threads of the host program may still release memory while statics die.
MemoryPool& TheMemoryPool() {
    static MemoryPool* pool = [] {
        pthread_atfork([] { TheMemoryPool().mutex.lock(); }, [] { TheMemoryPool().mutex.unlock(); },
                       [] {
                           TheMemoryPool().in_use.clear();  // their launches run in the parent
                           TheMemoryPool().mutex.unlock();
                       });
        return new MemoryPool;
    }();
    return *pool;
}

uint64_t RoundUp(uint64_t n) { return (n + kPage - 1) / kPage * kPage; }

}  // namespace

CoreMemory::CoreMemory(const soc::Chip& chip) : bytes_(chip.memory_bytes) {
    mapping_bytes_ = kPage + kStackBytes + kPage;
    for (const uint64_t bytes : bytes_) mapping_bytes_ += bytes ? RoundUp(bytes) + kPage : 0;
    void* mapping = system::ReserveAddresses(mapping_bytes_);
    if (!mapping)
        throw Error(fmt::format("cannot map {} bytes of core memory: {}", mapping_bytes_, std::strerror(errno)));
    mapping_ = static_cast<uint8_t*>(mapping);
    uint8_t* next = mapping_ + kPage;
    const auto open = [&](uint64_t room) {
        if (mprotect(next, room, PROT_READ | PROT_WRITE) != 0) {
            munmap(mapping_, mapping_bytes_);
            throw Error(fmt::format("cannot map {} bytes of core memory: {}", room, std::strerror(errno)));
        }
        return std::exchange(next, next + room + kPage);
    };
    stack_ = {open(kStackBytes), kStackBytes};
    system::WishSmallPages(stack_.bottom, kStackBytes);  // most cores touch a page or two of it
    for (int m = 0; m < isa::kMemoryCount; ++m) {
        if (bytes_[m] == 0) continue;
        base_[m] = open(RoundUp(bytes_[m]));
    }
}

bool CoreMemory::IsBelowStack(const void* p) const {
    // A frame may step over the guard.
    const auto address = reinterpret_cast<uintptr_t>(p), bottom = reinterpret_cast<uintptr_t>(stack_.bottom);
    return address < bottom && address + 2 * kPage >= bottom;
}

CoreMemory::~CoreMemory() {
    Fibre::ForgetFrames(stack_);
    munmap(mapping_, mapping_bytes_);
}

std::unique_ptr<CoreMemory> CoreMemory::Acquire(const soc::Chip& chip) {
    MemoryPool& pool = TheMemoryPool();
    std::lock_guard lock(pool.mutex);
    const auto fit = std::ranges::find_if(pool.idle, [&](const auto& m) { return m->Fits(chip); });
    std::unique_ptr<CoreMemory> memory;
    if (fit != pool.idle.end()) {
        memory = std::move(*fit);
        pool.idle.erase(fit);
    } else {
        memory = std::make_unique<CoreMemory>(chip);
    }
    pool.in_use.push_back(memory.get());
    return memory;
}

void CoreMemory::Release(std::unique_ptr<CoreMemory> memory) {
    constexpr size_t kKeep = 64;
    MemoryPool& pool = TheMemoryPool();
    std::lock_guard lock(pool.mutex);
    std::erase(pool.in_use, memory.get());
    if (pool.idle.size() < kKeep) pool.idle.push_back(std::move(memory));
}

bool CoreMemory::IsIn(const void* p) {
    MemoryPool& pool = TheMemoryPool();
    std::lock_guard lock(pool.mutex);
    return std::ranges::any_of(pool.in_use, [p](const CoreMemory* memory) { return memory->Holds(p); });
}

std::string CoreMemory::Describe(const void* p) {
    MemoryPool& pool = TheMemoryPool();
    std::lock_guard lock(pool.mutex);
    const auto address = reinterpret_cast<uintptr_t>(p);
    for (const CoreMemory* memory : pool.in_use) {
        for (int m = 0; m < isa::kMemoryCount; ++m) {
            if (memory->bytes_[m] == 0) continue;
            const auto begin = reinterpret_cast<uintptr_t>(memory->base_[m]);
            const uint64_t bytes = memory->bytes_[m];
            const char* name = isa::Name(static_cast<isa::Memory>(m));
            if (address >= begin && address < begin + bytes) {
                return fmt::format("{}+{:#x} of core {}", name, address - begin, memory->owner());
            }
            if (address >= begin + bytes && address < begin + RoundUp(bytes) + kPage) {
                return fmt::format("{} bytes past the end of {} ({} bytes) of core {}", address - begin - bytes, name,
                                   bytes, memory->owner());
            }
        }
    }
    return "";
}

}  // namespace sfumato::runtime
