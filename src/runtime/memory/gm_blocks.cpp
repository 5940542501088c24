// SPDX-License-Identifier: Apache-2.0
// Allocation of blocks and the few that are kept.
#include "runtime/memory/gm_blocks.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "system/memory.h"

namespace sfumato {
namespace {

// Large blocks ask for huge pages, as NumPy's arrays do: faults of 4 KiB pages take longer than the kernel that fills
// them.
constexpr uint64_t kHugePage = 2 << 20;

constexpr uint64_t kLargestKept = 16 * kHugePage;
// A kept block begins with its size. No lock: a process may fork at any time. Under AddressSanitizer none is kept, so
// that it sees who uses a block that was freed.
std::atomic<uint8_t*> kept_blocks[8];
std::atomic<uint32_t> next_kept;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kKeeps = false;
#elif defined(__has_feature)
constexpr bool kKeeps = !__has_feature(address_sanitizer);
#else
constexpr bool kKeeps = true;
#endif

struct Shape {
    uint64_t bytes, alignment;
    // Blocks of whole huge pages fit arrays of about the same size.
    Shape(uint64_t n, uint64_t least) : bytes(n), alignment(least) {
        if (n < kHugePage || n > UINT64_MAX - kHugePage) return;
        bytes = (n + kHugePage - 1) / kHugePage * kHugePage;
        alignment = std::max(least, kHugePage);
    }
    bool Keepable() const { return kKeeps && bytes >= kHugePage && bytes <= kLargestKept && alignment == kHugePage; }
};

uint64_t BytesOfKept(const uint8_t* block) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, block, sizeof bytes);
    return bytes;
}

void Delete(uint8_t* block, uint64_t alignment) { ::operator delete(block, std::align_val_t(alignment)); }

}  // namespace

uint8_t* NewBlock(uint64_t bytes, uint64_t alignment) {
    const Shape shape(bytes, alignment);
    if (shape.bytes > PTRDIFF_MAX) return nullptr;  // no array is so large, and AddressSanitizer ends the process
    for (std::atomic<uint8_t*>& slot : kept_blocks) {
        if (!shape.Keepable()) break;
        uint8_t* block = slot.exchange(nullptr);
        if (block && BytesOfKept(block) == shape.bytes) return block;
        if (block) block = slot.exchange(block);  // another thread may have filled the slot meanwhile
        if (block) Delete(block, kHugePage);
    }
    void* block = ::operator new(shape.bytes, std::align_val_t(shape.alignment), std::nothrow);
    if (!block) return nullptr;
    if (shape.bytes >= kHugePage) system::WishHugePages(block, shape.bytes);
    return static_cast<uint8_t*>(block);
}

void DeleteBlock(uint8_t* block, uint64_t bytes, uint64_t alignment, bool keep) {
    const Shape shape(bytes, alignment);
    if (keep && shape.Keepable()) {
        std::memcpy(block, &shape.bytes, sizeof shape.bytes);
        for (std::atomic<uint8_t*>& slot : kept_blocks) {
            uint8_t* none = nullptr;
            if (slot.compare_exchange_strong(none, block)) return;
        }
        block = kept_blocks[next_kept++ % std::size(kept_blocks)].exchange(
            block);  // the one that has waited longest, or nearly
        if (!block) return;
    }
    Delete(block, shape.alignment);
}

}  // namespace sfumato
