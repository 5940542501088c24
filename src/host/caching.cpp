// SPDX-License-Identifier: Apache-2.0
// Blocks that are given back and taken again, by size.
#include "sfumato/host/caching.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/device.h"
#include "host/ranks.h"
#include "host/stream_order.h"
#include "runtime/memory/global_memory.h"

namespace sfumato::host {
namespace {

constexpr uint64_t kSmall = 512, kLarge = uint64_t{1} << 20;

// Sizes that one block serves: steps of 512 bytes, above 1 MiB of an eighth.
uint64_t CapacityFor(uint64_t bytes) {
    uint64_t step = kSmall;
    while (bytes > kLarge && step * 16 < bytes) step *= 2;
    return std::max(kSmall, (bytes + step - 1) / step * step);
}

}  // namespace

void* Device::Take(uint64_t bytes) {
    const uint64_t capacity = CapacityFor(bytes);
    std::unique_lock lock(mutex_);
    const std::string name = fmt::format("tensor #{}", numbers_[3]++);
    auto it = returned_.lower_bound(capacity);
    void* p = nullptr;
    uint64_t got = capacity;
    const bool all_passed = Ranks::The().FirstWork() == Ranks::The().NextWork();  // else what runs may use it
    if (it != returned_.end() && it->first <= 2 * capacity && all_passed) {
        got = it->first;
        p = it->second;
        returned_.erase(it);
    } else {
        try {
            p = memory_.Allocate(capacity, name);
        } catch (const Error&) {
            lock.unlock();
            ReleaseReturned();
            lock.lock();
            p = memory_.Allocate(capacity, name);
        }
        stats_.reserved += capacity;
        stats_.peak_reserved = std::max(stats_.peak_reserved, stats_.reserved);
    }
    memory_.impl()->Reuse(p, bytes, name);
    StreamOrder::The().MadeBlock(p);
    Block& block = blocks_[reinterpret_cast<uintptr_t>(p)] = {
        .kind = Block::Kind::kDevice, .bytes = bytes, .name = name, .capacity = got};
    ShareBlock(reinterpret_cast<uintptr_t>(p), block);
    stats_.allocated += bytes;
    stats_.peak_allocated = std::max(stats_.peak_allocated, stats_.allocated);
    ++stats_.blocks;
    ++stats_.taken;
    return p;
}

void Device::Return(void* p) {
    std::lock_guard lock(mutex_);
    const auto it = blocks_.find(reinterpret_cast<uintptr_t>(p));
    if (it == blocks_.end() || !it->second.capacity || it->second.returned || it->second.freed) return;
    it->second.returned = true;
    returned_.emplace(it->second.capacity, p);
    stats_.allocated -= it->second.bytes;
    --stats_.blocks;
}

void Device::ReleaseReturned() {
    std::lock_guard lock(mutex_);
    for (const auto& [capacity, p] : returned_) {
        RetireBehind(blocks_.find(reinterpret_cast<uintptr_t>(p)));
        stats_.reserved -= capacity;
    }
    returned_.clear();
}

CachingStats Device::caching_stats() const {
    std::lock_guard lock(mutex_);
    return stats_;
}

void Device::ResetPeaks() {
    std::lock_guard lock(mutex_);
    stats_.peak_allocated = stats_.allocated;
    stats_.peak_reserved = stats_.reserved;
}

void* TakeCached(uint64_t bytes) { return Device::Current().Take(bytes); }
void ReturnCached(void* p) {
    if (Device* device = Device::OwnerOf(p)) device->Return(p);
}
void ReleaseCached() { Device::Current().ReleaseReturned(); }
CachingStats StatsOfCache() { return Device::Current().caching_stats(); }
void ResetCachePeaks() { Device::Current().ResetPeaks(); }

}  // namespace sfumato::host
