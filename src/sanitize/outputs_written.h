// SPDX-License-Identifier: Apache-2.0
// Which bytes of global memory were written, and by which line: a bit a byte, a flag for 4 KB written at once, and a
// site for every 64 bytes, or for each where lines share them.
#pragma once

#include <array>
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
    static constexpr uint16_t kMost = UINT16_MAX - 1;

    // More lines than kMost share the last number.
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
    // The line that wrote a byte last; Sites::kNone. Once the cores have ended.
    uint16_t SiteAt(uint64_t byte) const;
    // Whether any byte of a run is written.
    bool Any(isa::Span run) const { return Next(run.begin, true) < run.end; }

private:
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    // Zeros that take memory where they are written only.
    template <class T>
    using Zeros = std::unique_ptr<T[], Free>;

    static constexpr uint16_t kShared = Sites::kMost + 1;  // by several lines: see shared_

    // The bits of 64 bytes.
    uint64_t Word(uint64_t w) const;
    void WritePart(uint64_t word, uint64_t mask, uint16_t site);

    uint64_t bytes_;
    Zeros<std::atomic<uint64_t>> bits_;  // where no flag is set
    Zeros<std::atomic<bool>> groups_;    // of 64 words
    Zeros<uint16_t> sites_;              // read and written as atomics, several at once
    std::mutex mutex_;
    std::map<uint64_t, std::array<uint16_t, 64>> shared_;
};

}  // namespace sfumato::sanitize
