// SPDX-License-Identifier: Apache-2.0
// Notices that a core does nothing but read global memory again and again: it waits for what another core writes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sfumato/report.h"

namespace sfumato::runtime {

// A core polls when, with no other instruction between, it has read the same bytes again and found them unchanged.
// Reads of other bytes and everything else the core does end it.
class Polling {
public:
    static constexpr uint64_t kLineBytes = 64;  // of the data cache
    // One read of global memory.
    struct Read {
        const uint8_t* address;
        uint64_t bytes;
        uint64_t hash;
        bool cached;    // by the scalar unit
        bool in_cache;  // its line has not been cleaned since, were there a data cache
        Where where;
    };

    // Something others may see, or that shows that the core computes.
    void Progress() {
        quiet_ = 0;
        begun_ = false;
    }
    // True for the first read looked at since Progress.
    bool Begins() { return !std::exchange(begun_, true); }
    // Work of its own: the core may still be waiting for others, but it is not certain that it only waits.
    void Worked() { worked_ = true; }
    // True: look closer (Again).
    bool Quiet() { return ++quiet_ > kPatience; }
    // DataCacheCleanAndInvalid of the line of this byte; null: of all lines.
    void Cleaned(const uint8_t* line);

    enum class Found : uint8_t {
        kOther,      // not a poll, or not yet
        kUnchanged,  // everything was read again, and nothing has changed
        kChanged,    // bytes read before have changed
        kStale       // the same, and a board would not have seen it: the line was in the core's data cache
    };
    Found Again(const uint8_t* address, uint64_t bytes, bool cached, Where where);
    // A wait for a change has ended: what was read is read no more. Kept, it would differ for ever, and no later wait
    // would rest.
    void Changed() { Forget(); }
    // Unchanged rounds since the last change, or since the core worked.
    uint64_t rounds() const { return rounds_; }
    const std::vector<Read>& reads() const { return reads_; }
    // What Again saw unchanged last has changed since, and a board would still read the old bytes.
    bool LastIsStale() const;
    // Any of the bytes has changed since it was read. May run while others write them.
    bool Differs() const;

private:
    static constexpr uint32_t kPatience = 64;
    static constexpr size_t kMostReads = 256;  // more different ones in a round: a computation, not a poll
    void Forget();

    uint32_t quiet_ = 0;
    bool worked_ = false, begun_ = false;
    bool from_cache_ = false;  // the last read, were there a data cache
    uint64_t rounds_ = 0;
    size_t last_ = 0, again_ = 0;  // reads seen again in this round
    std::vector<Read> reads_;
};

}  // namespace sfumato::runtime
