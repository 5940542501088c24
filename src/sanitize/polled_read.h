// SPDX-License-Identifier: Apache-2.0
// The last scalar read of global memory: a poll reads it again, and cleans its line, turn after turn.
#pragma once

#include <atomic>
#include <utility>

#include "isa/racy.h"
#include "sanitize/races.h"

namespace sfumato::sanitize {

class PolledRead {
public:
    PolledRead(Races& races, uint32_t core) : races_(races), core_(core) {}

    // stores: how many there were when it was settled; 0: it is not.
    void Read(const ScalarAccess& scalar, uint64_t stores) {
        last_ = scalar;
        settled_ = stores;
    }
    // Whether it is the last one again and still changes nothing; then its bytes are in `seen`.
    bool Again(const ScalarAccess& scalar, const isa::MemoryMap& memory, uint8_t* seen) {
        if (settled_ == 0 || scalar.write || scalar.bytes.begin != last_.bytes.begin ||
            scalar.bytes.end != last_.bytes.end || scalar.allocation != last_.allocation ||
            scalar.index != last_.index || scalar.where.line != last_.where.line ||
            scalar.where.file != last_.where.file || scalar.call != last_.call)
            return false;
        // Bytes first: a store that changes them is counted before.
        isa::CopyRacy(seen, memory.gm[scalar.allocation] + scalar.bytes.begin, scalar.bytes.end - scalar.bytes.begin);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (settled_ != races_.stores()) return false;
        clean_later_ = false;
        return true;
    }
    // DataCacheCleanAndInvalid.
    void Clean(const uint32_t* allocation, uint64_t byte, uint64_t tick) {
        clean_tick_ = tick;
        CleanNow();
        // The next turn of a poll reads the line again, and it is as if nothing had happened.
        clean_later_ = allocation && settled_ != 0 && settled_ == races_.stores() && *allocation == last_.allocation &&
                       byte / CacheLines::kLine == last_.bytes.begin / CacheLines::kLine;
        if (!clean_later_) races_.Cleaned(core_, allocation, byte, tick);
    }
    void CleanNow() {
        if (std::exchange(clean_later_, false))
            races_.Cleaned(core_, &last_.allocation, last_.bytes.begin, clean_tick_);
    }

private:
    Races& races_;
    const uint32_t core_;
    ScalarAccess last_{};
    uint64_t settled_ = 0;
    bool clean_later_ = false;
    uint64_t clean_tick_ = 0;  // of the latest clean
};

}  // namespace sfumato::sanitize
