// SPDX-License-Identifier: Apache-2.0
// Allocation of global memory with a fill pattern and guard bytes.
#include "runtime/global_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/gm_blocks.h"

namespace sfumato {
namespace {

constexpr uint64_t kGuardBytes = 256;  // on either side; more than any block-granular tail (31 bytes)
constexpr uint8_t kGuard = 0xFD;

bool IsGuard(const uint8_t* p, uint64_t n) {
    return std::all_of(p, p + n, [](uint8_t b) { return b == kGuard; });
}

}  // namespace

GlobalMemory::GlobalMemory() : GlobalMemory(Options()) {}

GlobalMemory::GlobalMemory(Options options) : impl_(std::make_unique<Impl>()) {
    if (options.alignment == 0 || (options.alignment & (options.alignment - 1)) != 0) {
        throw Error(fmt::format("GlobalMemory: alignment {} is not a power of two", options.alignment));
    }
    impl_->options = options;
}

GlobalMemory::~GlobalMemory() {
    for (const auto& a : impl_->allocations) {
        if (a.live) DeleteBlock(a.block, a.block_bytes, impl_->options.alignment, true);
    }
}

uint8_t* GlobalMemory::Allocate(uint64_t bytes, std::string name, const void* content) {
    const uint64_t alignment = impl_->options.alignment;
    const uint64_t front = std::max(alignment, kGuardBytes);
    const uint64_t total = front + bytes + kGuardBytes;
    uint8_t* block = total > bytes ? NewBlock(total, alignment) : nullptr;
    if (!block) throw Error(fmt::format("'{}' is too large: the machine cannot allocate {} bytes", name, bytes));
    std::memset(block, kGuard, front);
    if (content) {
        std::memcpy(block + front, content, bytes);
    } else {
        std::memset(block + front, impl_->options.fill, bytes);
    }
    std::memset(block + front + bytes, kGuard, kGuardBytes);
    std::lock_guard lock(impl_->mutex);
    impl_->allocations.push_back({block + front, bytes, block, total, std::move(name), true});
    return block + front;
}

uint8_t* GlobalMemory::AllocateList(const std::vector<ListedTensor>& tensors, std::string name) {
    std::vector<uint64_t> words(1);
    for (size_t i = 0; i < tensors.size(); ++i) {
        words.push_back(tensors[i].shape.size() | uint64_t{i} << 32);
        words.insert(words.end(), tensors[i].shape.begin(), tensors[i].shape.end());
    }
    words[0] = words.size() * sizeof(uint64_t);
    for (const ListedTensor& tensor : tensors) words.push_back(reinterpret_cast<uintptr_t>(tensor.data));
    return Allocate(words.size() * sizeof(uint64_t), std::move(name), words.data());
}

GlobalMemory::Impl::Ended GlobalMemory::Impl::End(const void* p) {
    std::lock_guard lock(mutex);
    for (auto& a : allocations) {
        if (a.base != p || !a.live) continue;
        a.live = false;
        return {a.block, a.block_bytes};
    }
    throw Error(fmt::format("GlobalMemory::Free: {} is not the start of a live allocation (freed twice?)", p));
}

void GlobalMemory::Free(void* p) {
    const Impl::Ended ended = impl_->End(p);
    // Not kept: who still uses what the program freed should not meet another's bytes.
    DeleteBlock(ended.block, ended.bytes, impl_->options.alignment, false);
}

void GlobalMemory::Impl::Reuse(const void* p, uint64_t bytes, std::string allocation_name) {
    std::lock_guard lock(mutex);
    for (auto& a : allocations) {
        if (!a.live || a.base != p) continue;
        std::memset(a.base, options.fill, bytes);
        std::memset(a.base + bytes, kGuard, static_cast<size_t>(a.block + a.block_bytes - a.base) - bytes);
        a.bytes = bytes;
        a.name = std::move(allocation_name);
        a.role = Role::kUnknown;
        a.type.reset();
        return;
    }
}

void GlobalMemory::SetRole(const void* p, Role role, std::optional<DataType> type) {
    std::lock_guard lock(impl_->mutex);
    for (auto& a : impl_->allocations) {
        if (!a.live || a.base != p) continue;
        a.role = role;
        a.type = type;
    }
}

bool GlobalMemory::Owns(const void* p) const {
    std::lock_guard lock(impl_->mutex);
    return std::any_of(impl_->allocations.begin(), impl_->allocations.end(),
                       [p](const auto& a) { return a.live && a.base == p; });
}

uint64_t GlobalMemory::SizeOf(const void* p) const {
    std::lock_guard lock(impl_->mutex);
    for (const auto& a : impl_->allocations) {
        if (a.live && a.base == p) return a.bytes;
    }
    throw Error(fmt::format("GlobalMemory::SizeOf: {} is not the start of a live allocation", p));
}

int GlobalMemory::Impl::Find(const void* p) const {
    const auto* address = static_cast<const uint8_t*>(p);
    for (size_t i = 0; i < allocations.size(); ++i) {
        const auto& a = allocations[i];
        if (a.live && address >= a.base && address <= a.base + a.bytes) return static_cast<int>(i);
    }
    return -1;
}

int GlobalMemory::Impl::Nearest(const void* p) const {
    const auto address = reinterpret_cast<uintptr_t>(p);
    int best = -1;
    uint64_t best_distance = UINT64_MAX;
    for (size_t i = 0; i < allocations.size(); ++i) {
        const auto& a = allocations[i];
        if (!a.live) continue;
        const auto begin = reinterpret_cast<uintptr_t>(a.base), end = begin + a.bytes;
        const uint64_t distance = address < begin ? begin - address : address < end ? 0 : address - end;
        if (distance < best_distance) best = static_cast<int>(i), best_distance = distance;
    }
    return best;
}

GmPlace GlobalMemory::Impl::PlaceOf(const uint8_t* p, uint64_t bytes) const {
    std::lock_guard lock(mutex);
    const auto address = reinterpret_cast<uintptr_t>(p);
    const auto describe = [&](GmPlace::Kind kind, const Allocation& a, const char* more) -> GmPlace {
        const auto at = static_cast<int64_t>(address - reinterpret_cast<uintptr_t>(a.base));
        const auto last = at + static_cast<int64_t>(bytes) - 1, size = static_cast<int64_t>(a.bytes);
        const uint64_t distance = static_cast<uint64_t>(at < 0 ? -at : at >= size ? at - size : 0);
        std::string text =
            bytes == 1 ? fmt::format("byte {} of {}", at, size) : fmt::format("bytes {} to {} of {}", at, last, size);
        if (at < 0 || at > size) {
            text = fmt::format("{} bytes {}: {}", distance, at < 0 ? "before its start" : "past its end", text);
        } else if (last >= size) {
            text = fmt::format("{} its end: {}", at == size ? "at" : "across", text);
        }
        return {kind, a.name, distance, text + more};
    };
    const int nearest = Nearest(p);
    if (nearest >= 0) {
        const Allocation& a = allocations[static_cast<size_t>(nearest)];
        if (p >= a.block && p + bytes <= a.block + a.block_bytes) return describe(GmPlace::Kind::kGuard, a, "");
    }
    for (auto a = allocations.rbegin(); a != allocations.rend(); ++a) {
        if (!a->live && p >= a->base && p < a->base + a->bytes)
            return describe(GmPlace::Kind::kFreed, *a, ", which was freed");
    }
    if (nearest < 0) return {GmPlace::Kind::kFar, "", UINT64_MAX, "there is no allocation"};
    return describe(GmPlace::Kind::kFar, allocations[static_cast<size_t>(nearest)], "; no allocation is nearer");
}

std::vector<int> GlobalMemory::Impl::DamagedGuards() const {
    std::vector<int> damaged;
    for (size_t i = 0; i < allocations.size(); ++i) {
        const auto& a = allocations[i];
        if (!a.live) continue;
        const auto front = static_cast<uint64_t>(a.base - a.block);
        if (!IsGuard(a.block, front) || !IsGuard(a.base + a.bytes, kGuardBytes)) damaged.push_back(static_cast<int>(i));
    }
    return damaged;
}

}  // namespace sfumato
