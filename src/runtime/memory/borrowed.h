// SPDX-License-Identifier: Apache-2.0
// Arrays of the host that a launch uses where they are. A kernel sees addresses that nothing lies behind, instructions
// read the host's bytes, and pages that they store to are the launch's own. A raw pointer meets the empty addresses:
// then the whole array is copied to own pages, and those appear there.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "isa/record.h"

namespace sfumato::runtime {

class Borrowed {
public:
    // A smaller array takes less time to copy.
    static constexpr uint64_t kLeastBytes = 1 << 20;
    static constexpr uint64_t kPage = 4096;
    static constexpr uint64_t kGuardBytes = 512;  // on either side, behind the empty addresses too

    // nullptr where this system or machine cannot: then the array wants a copy. `host` must outlive it, unchanged.
    static std::unique_ptr<Borrowed> New(const uint8_t* host, uint64_t bytes, uint8_t guard);
    ~Borrowed();
    Borrowed& operator=(Borrowed&&) = delete;

    // The first byte as the kernel sees it: the start of a page.
    uint8_t* base() const { return seen_ + kLead; }
    // Where an instruction may read `span` (offsets in the array); the result stands for the array's first byte.
    const uint8_t* ForReading(isa::Span span);
    // Where it may store to it. whole: it will store to every byte of the span.
    uint8_t* ForWriting(isa::Span span, bool whole);
    // What lies behind the array's last byte, for the first pages that are made: `bytes` of it, kMostTail at most.
    uint8_t* Tail(uint64_t bytes) {
        tail_bytes_ = bytes;
        return tail_;
    }
    // Calls visit(span) for the pages that are the launch's own.
    template <class Visit>
    void ForEachOwn(const Visit& visit) const {
        for (uint64_t page = 0, end; page < pages_; page = end) {
            for (end = page + 1; end < pages_ && IsOwn(end) == IsOwn(page);) ++end;
            if (IsOwn(page)) visit(isa::Span{page * kPage, end * kPage < bytes_ ? end * kPage : bytes_});
        }
    }
    // Their content, as an address of the array's first byte; nullptr while there are none.
    const uint8_t* own() const { return Content(own_.load(std::memory_order_acquire)); }
    // Some raw pointer came; what it did is not known.
    bool opened() const { return opened_.load(std::memory_order_acquire); }
    // Makes base() an address to read and write. For the handler of signals: takes no lock that others hold long.
    void Open();

private:
    static constexpr uint64_t kMostTail = 64;
    static constexpr uint64_t kLead = 64 * 1024;  // at least a page on every host we know
    enum State : uint8_t { kHosts, kBeingCopied, kOwn };

    Borrowed(const uint8_t* host, uint64_t bytes, uint8_t guard, uint8_t* seen);
    static uint8_t* Content(uint8_t* mapping) { return mapping ? mapping + kLead : nullptr; }
    uint64_t MappingBytes() const { return MappingBytesOf(bytes_); }
    static uint64_t MappingBytesOf(uint64_t bytes);
    bool IsOwn(uint64_t page) const { return states_[page].load(std::memory_order_acquire) == kOwn; }
    uint8_t* MakeOwn();
    void TakePage(uint64_t page, bool whole);

    const uint8_t* const host_;
    const uint64_t bytes_, pages_;
    const uint8_t guard_;
    uint8_t* const seen_;  // the empty addresses
    uint8_t tail_[kMostTail];
    uint64_t tail_bytes_ = 0;
    std::atomic<uint8_t*> own_ = nullptr;
    std::unique_ptr<std::atomic<uint8_t>[]> states_;
    std::atomic_flag opening_;
    std::atomic<bool> opened_ = false;
};

}  // namespace sfumato::runtime
