// SPDX-License-Identifier: Apache-2.0
// Allocation of global memory with a fill pattern and guard bytes.
#include "runtime/memory/global_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "runtime/memory/gm_blocks.h"
#include "sfumato/array_part.h"

namespace sfumato {
namespace {

constexpr uint64_t kGuardBytes = 256;  // on either side, at least; more than any block-granular tail (31 bytes)
constexpr uint8_t kGuard = 0xFD;
constexpr uint64_t kTailBytes = 2 * isa::kBlockBytes;  // the most that is no guard

// n: 1 at least.
bool IsGuard(const uint8_t* p, uint64_t n) {
    return p[0] == kGuard && std::memcmp(p, p + 1, n - 1) == 0;  // every byte is the one before it
}

}  // namespace

namespace {

// All of the process.
struct GlobalMemories {
    std::mutex mutex;
    std::vector<GlobalMemory::Impl*> all;
    static GlobalMemories& The() {
        static auto* const the = new GlobalMemories;  // outlives memory of static objects
        return *the;
    }
};

}  // namespace

GlobalMemory::Impl::Impl() {
    auto& memories = GlobalMemories::The();
    std::lock_guard lock(memories.mutex);
    memories.all.push_back(this);
}

GlobalMemory::Impl::~Impl() {
    auto& memories = GlobalMemories::The();
    std::lock_guard lock(memories.mutex);
    std::erase(memories.all, this);
}

std::string GlobalMemory::Impl::OfOtherRank(const void* p) const {
    if (!rank) return "";
    auto& memories = GlobalMemories::The();
    std::lock_guard lock(memories.mutex);
    for (Impl* other : memories.all) {
        if (other == this) continue;
        std::lock_guard of_other(other->mutex);
        if (!other->rank || *other->rank == *rank) continue;
        const int at = other->Find(p);
        if (at < 0) continue;
        const Allocation& a = other->allocations[static_cast<size_t>(at)];
        return fmt::format("byte {} of '{}' of rank {}", static_cast<const uint8_t*>(p) - a.base, a.name, *other->rank);
    }
    return "";
}

GlobalMemory::GlobalMemory() : GlobalMemory(Options()) {}

GlobalMemory::GlobalMemory(Options options) : impl_(std::make_unique<Impl>()) {
    if (options.alignment == 0 || (options.alignment & (options.alignment - 1)) != 0) {
        throw Error(fmt::format("GlobalMemory: alignment {} is not a power of two", options.alignment));
    }
    impl_->options = options;
}

GlobalMemory::~GlobalMemory() {
    for (const auto& [base, index] : impl_->live) {
        const auto& a = impl_->allocations[index];
        if (!a.borrowed && a.block) DeleteBlock(a.block, a.block_bytes, impl_->options.alignment, true);
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
    Impl::Allocation a{block + front, bytes, block, total, std::move(name), true};
    a.Pad(0);
    std::memset(a.base + bytes, impl_->options.fill, a.padding);
    impl_->live[reinterpret_cast<uintptr_t>(a.base)] = static_cast<uint32_t>(impl_->allocations.size());
    impl_->allocations.push_back(std::move(a));
    return block + front;
}

uint8_t* GlobalMemory::Borrow(const void* host, uint64_t bytes, std::string name) {
    const auto* from = static_cast<const uint8_t*>(host);
    std::unique_ptr<runtime::Borrowed> array;
    if (bytes >= runtime::Borrowed::kLeastBytes && impl_->options.alignment <= runtime::Borrowed::kPage)
        array = runtime::Borrowed::New(from, bytes, kGuard);
    if (!array) {
        uint8_t* base = Allocate(bytes, std::move(name), host);
        std::lock_guard lock(impl_->mutex);
        impl_->StartingAt(base)->host = from;
        return base;
    }
    uint8_t* const base = array->base();
    std::lock_guard lock(impl_->mutex);
    Impl::Allocation a{base, bytes, base - kGuardBytes, bytes + 2 * kGuardBytes, std::move(name), true};
    a.host = from;
    a.borrowed = std::move(array);
    a.Pad(0);
    std::memset(a.borrowed->Tail(a.padding), impl_->options.fill, a.padding);
    impl_->live[reinterpret_cast<uintptr_t>(base)] = static_cast<uint32_t>(impl_->allocations.size());
    impl_->allocations.push_back(std::move(a));
    return base;
}

std::vector<GlobalMemory::Changed> GlobalMemory::ChangesOf(const void* p) const {
    std::lock_guard lock(impl_->mutex);
    std::vector<Changed> changes;
    const Impl::Allocation* a = impl_->StartingAt(p);
    if (!a || !a->host) return changes;
    if (a->borrowed && !a->borrowed->opened()) {
        a->borrowed->ForEachOwn([&](isa::Span own) {
            changes.push_back({own.begin, {a->borrowed->own() + own.begin, own.end - own.begin}});
        });
        return changes;
    }
    // Most arrays are inputs: to read both sides takes less than to write one.
    constexpr uint64_t kPart = 64 * 1024;
    for (uint64_t at = 0; at < a->bytes; at += kPart) {
        const uint64_t bytes = std::min(kPart, a->bytes - at);
        if (std::memcmp(a->host + at, a->base + at, bytes) != 0) changes.push_back({at, {a->base + at, bytes}});
    }
    return changes;
}

void SetPart(GlobalMemory& memory, const void* p, uint64_t start, const void* behind, uint64_t more) {
    GlobalMemory::Impl& impl = *memory.impl();
    std::lock_guard lock(impl.mutex);
    GlobalMemory::Impl::Allocation* a = impl.StartingAt(p);
    if (!a) return;
    a->Pad(start);
    a->others = std::min(more, a->padding + isa::kBlockBytes - 1);
    uint8_t* tail = a->borrowed ? a->borrowed->Tail(a->tail()) : a->base + a->bytes;
    std::memset(tail, kGuard, kTailBytes);
    std::memset(tail, impl.options.fill, a->padding);
    if (a->others) std::memcpy(tail, behind, a->others);
}

uint8_t* GlobalMemory::AllocateList(const std::vector<ListedTensor>& tensors, std::string name) {
    std::vector<uint64_t> words(1);
    for (size_t i = 0; i < tensors.size(); ++i) {
        words.push_back(tensors[i].shape.size() | uint64_t{i} << 32);
        words.insert(words.end(), tensors[i].shape.begin(), tensors[i].shape.end());
    }
    words[0] = words.size() * sizeof(uint64_t);
    for (const ListedTensor& tensor : tensors) words.push_back(reinterpret_cast<uintptr_t>(tensor.data));
    // A block more, as the list is a part of larger memory on a board: kernels copy its pointers in whole blocks.
    words.resize(words.size() + isa::kBlockBytes / sizeof(uint64_t));
    return Allocate(words.size() * sizeof(uint64_t), std::move(name), words.data());
}

void GlobalMemory::Impl::Adopt(uint8_t* base, uint64_t bytes, const std::string& name) {
    std::lock_guard lock(mutex);
    if (StartingAt(base)) return;
    Allocation a{base, bytes, nullptr, 0, name, true};
    a.role = Role::kInput;
    a.Pad(0);
    live[reinterpret_cast<uintptr_t>(base)] = static_cast<uint32_t>(allocations.size());
    allocations.push_back(std::move(a));
}

void GlobalMemory::Impl::Share(uint8_t* base, uint64_t bytes, const std::string& name, uint32_t by) {
    std::lock_guard lock(mutex);
    Allocation a{base, bytes, nullptr, 0, name, true};
    // What it is for, the launches of all ranks decide together.
    a.shared_by = by;
    live[reinterpret_cast<uintptr_t>(base)] = static_cast<uint32_t>(allocations.size());
    allocations.push_back(std::move(a));
}

void GlobalMemory::Impl::Unshare(const uint8_t* base) {
    std::lock_guard lock(mutex);
    const auto at = live.find(reinterpret_cast<uintptr_t>(base));
    if (at == live.end()) return;
    allocations[at->second].live = false;
    live.erase(at);
}

void GlobalMemory::Impl::OpenToOthers(const uint8_t* base, uint32_t by) {
    std::lock_guard lock(mutex);
    if (Allocation* a = StartingAt(base)) a->shared_by = by;
}

GlobalMemory::Impl::Allocation* GlobalMemory::Impl::StartingAt(const void* p) {
    const auto it = live.find(reinterpret_cast<uintptr_t>(p));
    return it == live.end() ? nullptr : &allocations[it->second];
}

uint32_t GlobalMemory::Impl::Allocation::PaddingWritten(uint8_t fill) const {
    const uint8_t* content = borrowed ? borrowed->own() : block ? base : nullptr;
    uint32_t written = 0;
    for (uint64_t i = 0; content && i < padding; ++i) written |= uint32_t{content[bytes + i] != fill} << i;
    return written;
}

GlobalMemory::Impl::Ended GlobalMemory::Impl::End(const void* p) {
    std::lock_guard lock(mutex);
    Allocation* a = StartingAt(p);
    if (!a) throw Error(fmt::format("GlobalMemory::Free: {} is not the start of a live allocation (freed twice?)", p));
    a->live = false;
    live.erase(reinterpret_cast<uintptr_t>(p));
    if (!a->borrowed) return {a->block, a->block_bytes};
    a->borrowed.reset();
    return {};
}

void GlobalMemory::Free(void* p) {
    const Impl::Ended ended = impl_->End(p);
    // Not kept: who still uses what the program freed should not meet another's bytes.
    if (ended.block) DeleteBlock(ended.block, ended.bytes, impl_->options.alignment, false);
}

void GlobalMemory::Impl::Reuse(const void* p, uint64_t bytes, std::string allocation_name) {
    std::lock_guard lock(mutex);
    Allocation* a = StartingAt(p);
    if (!a) return;
    std::memset(a->base, options.fill, bytes);
    std::memset(a->base + bytes, kGuard, static_cast<size_t>(a->block + a->block_bytes - a->base) - bytes);
    a->bytes = bytes;
    a->others = 0;
    a->Pad(0);
    std::memset(a->base + bytes, options.fill, a->padding);
    a->name = std::move(allocation_name);
    a->role = Role::kUnknown;
    a->type.reset();
}

void GlobalMemory::SetRole(const void* p, Role role, std::optional<DataType> type) {
    std::lock_guard lock(impl_->mutex);
    if (auto* a = impl_->StartingAt(p)) a->role = role, a->type = type;
}

bool GlobalMemory::Owns(const void* p) const {
    std::lock_guard lock(impl_->mutex);
    return impl_->StartingAt(p) != nullptr;
}

uint64_t GlobalMemory::SizeOf(const void* p) const {
    std::lock_guard lock(impl_->mutex);
    if (const auto* a = impl_->StartingAt(p)) return a->bytes;
    throw Error(fmt::format("GlobalMemory::SizeOf: {} is not the start of a live allocation", p));
}

// Guard bytes lie between any two, so at most one holds p, one past its end included.
int GlobalMemory::Impl::Find(const void* p) const {
    const auto address = reinterpret_cast<uintptr_t>(p);
    const auto after = live.upper_bound(address);
    if (after == live.begin()) return -1;
    const auto& [base, index] = *std::prev(after);
    return address - base <= allocations[index].bytes ? static_cast<int>(index) : -1;
}

int GlobalMemory::Impl::Nearest(const void* p) const {
    const auto address = reinterpret_cast<uintptr_t>(p);
    const auto after = live.upper_bound(address);
    int best = -1;
    uint64_t best_distance = UINT64_MAX;
    const auto consider = [&](uint32_t index, uint64_t distance) {
        const bool first = distance == best_distance && static_cast<int>(index) < best;
        if (distance < best_distance || first) best = static_cast<int>(index), best_distance = distance;
    };
    if (after != live.begin()) {
        const auto& [base, index] = *std::prev(after);
        const uint64_t bytes = allocations[index].bytes;
        consider(index, address - base < bytes ? 0 : address - base - bytes);
    }
    if (after != live.end()) consider(after->second, after->first - address);
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
    for (const auto& [start, index] : live) {
        const auto& a = allocations[index];
        const uint8_t* base = a.borrowed ? a.borrowed->own() : a.base;
        if (!base || !a.block) continue;
        const auto front = static_cast<uint64_t>(a.base - a.block);
        const uint64_t tail = a.tail();
        if (!IsGuard(base - front, front) || !IsGuard(base + a.bytes + tail, kGuardBytes - tail))
            damaged.push_back(static_cast<int>(index));
    }
    std::ranges::sort(damaged);
    return damaged;
}

}  // namespace sfumato
