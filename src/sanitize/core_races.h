// SPDX-License-Identifier: Apache-2.0
// What a core's watch for races keeps of single accesses: bytes that are held, runs that are its own, a read that
// polls.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "isa/racy.h"
#include "isa/spans.h"
#include "isa/touched.h"
#include "sanitize/races.h"
#include "sanitize/seen_bytes.h"

namespace sfumato::sanitize {

// Bytes on chip that an asynchronous call may still read.
class HeldBytes {
public:
    bool empty() const { return held_.empty(); }
    void Add(isa::Memory memory, isa::Span bytes, const Access& by) { held_.push_back({memory, bytes, by}); }
    void Clear() { held_.clear(); }
    // A write of them, once for each call: met(call, bytes of both).
    template <class Met>
    void Meet(isa::Memory memory, isa::Span run, const Met& met) {
        std::erase_if(held_, [&](const Held& held) {
            if (held.memory != memory || !held.bytes.Overlaps(run)) return false;
            met(held.by, isa::Span{std::max(held.bytes.begin, run.begin), std::min(held.bytes.end, run.end)});
            return true;
        });
    }

private:
    struct Held {
        isa::Memory memory;
        isa::Span bytes;
        Access by;
    };
    std::vector<Held> held_;
};

// The accesses of records that come from one place: they differ in tick alone.
struct Call {
    isa::Opcode op = {};
    isa::Api api = {};
    const char* name = nullptr;
    bool to_gm = false;
    Access access;
    std::array<uint32_t, 3> sites{};  // of more bytes than polls have, by kind: the number, and 1

    bool Is(const isa::Record& r) const {
        return access.where.line == r.where.line && access.where.file == r.where.file && op == r.op && api == r.api &&
               name == r.call && access.pipe == r.pipe && to_gm == (r.dst().memory == isa::Memory::kGm);
    }
    uint32_t Site(Races& races, const Access& of) {
        uint32_t& site = sites[static_cast<size_t>(of.kind)];
        if (site == 0) site = races.SiteOf(of) + 1;
        return site - 1;
    }
};

// Those of one core that were used last.
class Calls {
public:
    explicit Calls(uint32_t core) : core_(core) {}

    Call& Of(const isa::Record& record) {
        Call& call = calls_[record.where.line % calls_.size()];
        if (!call.Is(record)) Begin(call, record);
        return call;
    }

private:
    [[gnu::noinline]] void Begin(Call& call, const isa::Record& record) const {
        const bool to_gm = record.dst().memory == isa::Memory::kGm;
        call = {record.op, record.api, record.call, to_gm, {}};
        Access& access = call.access;
        access.where = record.where;
        access.call = isa::CallName(record);
        access.core = core_;
        access.pipe = record.pipe;
        access.by_scalar = record.pipe == isa::Pipe::kS;
        access.listed = access.by_scalar && !to_gm;  // not GlobalTensor::SetValue
    }

    const uint32_t core_;
    std::array<Call, 16> calls_;
};

// Two accesses of one core that nothing orders. equal: the later one reads what a write it is behind left, too.
struct Unordered {
    Access earlier, later;
    isa::Memory memory;
    std::string bytes;
    isa::Span span;
    bool equal;

    // Two plain stores to global memory: whether they leave the same bytes is known when the later one has run.
    bool StoresAgain() const {
        constexpr auto kWrite = Access::Kind::kWrite;
        return memory == isa::Memory::kGm && earlier.kind == kWrite && later.kind == kWrite;
    }
};

// The runs of an operand in global memory, apart: what only its core has touched, and the rest.
class OwnRuns {
public:
    // What lies in parts that no other core has touched is kept there; the rest is in shared(). bytes: of the
    // allocation.
    void Keep(const isa::Record& record, int operand, const Access& access, uint32_t site, uint64_t bytes,
              OwnParts& parts) {
        constexpr uint64_t kPart = OwnParts::kPart;
        shared_.clear();
        isa::ForEachRun(record, operand, nullptr, [&](const isa::Span& run) {
            const uint64_t end = std::min(run.end, bytes);
            for (uint64_t at = run.begin, next; at < end; at = next) {
                next = std::min(end, (at / kPart + 1) * kPart);
                if (parts.Keep({at, next}, access, site)) continue;
                // One run for the judgement, as it is said in reports.
                if (!shared_.empty() && shared_.back().end == at && at != run.begin) {
                    shared_.back().end = next;
                } else {
                    shared_.push_back({at, next});
                }
            }
        });
    }
    const std::vector<isa::Span>& shared() const { return shared_; }
    // A run that lies in parts that no other core has touched. False: it does not; what has been kept may be kept
    // again.
    static bool KeepAll(isa::Span run, const Access& access, uint32_t site, OwnParts& parts) {
        for (uint64_t at = run.begin, next; at < run.end; at = next) {
            next = std::min(run.end, (at / OwnParts::kPart + 1) * OwnParts::kPart);
            if (!parts.Keep({at, next}, access, site)) return false;
        }
        return true;
    }

private:
    std::vector<isa::Span> shared_;
};

// The last scalar read of global memory: a poll reads it again, and cleans its line, turn after turn.
class PolledRead {
public:
    PolledRead(Races& races, uint32_t core) : races_(races), core_(core) {}

    // stores: how many there were when it was settled; 0: it is not.
    void Read(const events::ScalarAccess& scalar, uint64_t stores) {
        last_ = scalar;
        settled_ = stores;
    }
    // Whether it is the last one again and still changes nothing; then its bytes are in `seen`.
    bool Again(const events::ScalarAccess& scalar, const isa::MemoryMap& memory, uint8_t* seen) {
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
    void Clean(const events::Sync::Line* line, uint64_t tick) {
        clean_tick_ = tick;
        CleanNow();
        // The next turn of a poll reads the line again, and it is as if nothing had happened.
        clean_later_ = line && settled_ != 0 && settled_ == races_.stores() && line->allocation == last_.allocation &&
                       CacheLines::LineOf(line->byte) == CacheLines::LineOf(last_.bytes.begin);
        if (!clean_later_) races_.Cleaned(core_, line, tick);
    }
    void CleanNow() {
        const events::Sync::Line line{last_.allocation, last_.bytes.begin};
        if (std::exchange(clean_later_, false)) races_.Cleaned(core_, &line, clean_tick_);
    }

private:
    Races& races_;
    const uint32_t core_;
    events::ScalarAccess last_{};
    uint64_t settled_ = 0;
    bool clean_later_ = false;
    uint64_t clean_tick_ = 0;  // of the latest clean
};

}  // namespace sfumato::sanitize
