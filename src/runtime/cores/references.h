// SPDX-License-Identifier: Apache-2.0
// References to elements that operator() of a tensor handed out: what the program does with them is seen afterwards.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "isa/racy.h"
#include "isa/record.h"

namespace sfumato::runtime {

struct Reference {
    isa::Memory memory;
    uint32_t allocation;
    isa::Span bytes;
    uint8_t* element;
    const char* call;
    Where where;
    uint8_t* older = nullptr;  // what the program got instead: the bytes before another core's store
    bool told = false;         // what became of it
    std::array<uint8_t, 8> seen = {};

    uint64_t size() const { return bytes.end - bytes.begin; }
    void Remember() { isa::CopyRacy(seen.data(), older ? older : element, size()); }
};

// Stores of cores to global memory while some core holds a reference there: what those changed, no reference did.
class StoresBeside {
public:
    void Hold() { held_.fetch_add(1); }
    void Release() {
        if (held_.fetch_sub(1) != 1) return;
        const std::lock_guard lock(mutex_);
        if (held_.load() == 0) stores_.clear();
    }
    // Before the bytes change.
    void Note(uint64_t core, uint32_t allocation, isa::Span bytes) {
        if (held_.load() == 0) [[likely]]
            return;
        const std::lock_guard lock(mutex_);
        stores_.push_back({core, allocation, bytes});
    }
    bool ByOthers(uint64_t core, const Reference& r) {
        const std::lock_guard lock(mutex_);
        for (const Store& s : stores_) {
            if (s.core != core && s.allocation == r.allocation && s.bytes.Overlaps(r.bytes)) return true;
        }
        return false;
    }

private:
    struct Store {
        uint64_t core;
        uint32_t allocation;
        isa::Span bytes;
    };
    std::atomic<uint32_t> held_ = 0;
    std::mutex mutex_;
    std::vector<Store> stores_;
};

}  // namespace sfumato::runtime
