// SPDX-License-Identifier: Apache-2.0
// Which bytes of global memory were written, and by which line: a bit a byte, and a site for every 64 bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "isa/record.h"

namespace sfumato::sanitize {

// A line that writes, and the call there.
struct Site {
    Where where;
    const char* call;
};

// The lines of one launch, numbered from 1. Shared by its cores.
class Sites {
public:
    static constexpr uint16_t kNone = 0;

    // More than 65535 lines share the last number.
    uint16_t Of(const char* call, Where where);
    // Once the cores have ended.
    const Site& operator[](uint16_t number) const { return sites_[number - 1u]; }

private:
    std::mutex mutex_;
    std::map<std::pair<const char*, uint32_t>, uint16_t> numbers_;
    std::vector<Site> sites_;
};

// Of one allocation. Cores write side by side; what is read while they do is what they have written so far.
class Written {
public:
    explicit Written(uint64_t bytes);

    uint64_t bytes() const { return bytes_; }
    void Write(isa::Span run, uint16_t site);
    // Whether every byte of a run is written.
    bool Has(isa::Span run) const;
    // The first byte from `at` on that is written, or that is not; bytes() when there is none.
    uint64_t Next(uint64_t at, bool written) const;
    // The line that wrote last to the 64 bytes around a byte; Sites::kNone.
    uint16_t SiteAt(uint64_t byte) const { return sites_[byte / 64].load(std::memory_order_relaxed); }

private:
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    // Zeros that take memory where they are written only.
    template <class T>
    using Zeros = std::unique_ptr<std::atomic<T>[], Free>;

    uint64_t bytes_;
    Zeros<uint64_t> bits_;
    Zeros<uint16_t> sites_;
};

}  // namespace sfumato::sanitize
