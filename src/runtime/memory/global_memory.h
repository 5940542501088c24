// SPDX-License-Identifier: Apache-2.0
// The address space of global memory: which allocation a pointer lies in, and the guard bytes around each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "isa/record.h"
#include "runtime/memory/borrowed.h"
#include "sfumato/launch.h"

namespace sfumato {

// Of bytes that lie in no live allocation, or not wholly.
struct GmPlace {
    enum class Kind : uint8_t {
        kGuard,  // beside one
        kFreed,
        kFar
    };
    Kind kind;
    std::string name;   // of the allocation, or of the nearest; may be empty
    uint64_t distance;  // from it
    std::string text;   // "4 bytes past its end: bytes 1028 to 1031 of 1024"
};

struct GlobalMemory::Impl {
    Impl();
    ~Impl();
    Impl(const Impl&) = delete;

    struct Allocation {
        uint8_t* base;  // first byte the program may use
        uint64_t bytes;
        uint8_t* block;  // what was allocated, guards included; null: a constant of a program, without guards
        uint64_t block_bytes;
        std::string name;
        bool live;
        Role role = Role::kUnknown;
        std::optional<DataType> type = {};       // of the elements, where the host says it
        std::optional<uint32_t> shared_by = {};  // the rank whose memory it is, where other ranks may touch it
        const uint8_t* host = nullptr;           // what it began as a copy of, with Borrow
        std::unique_ptr<runtime::Borrowed> borrowed = nullptr;
        // Behind its end: the rest of the block of 32 bytes in which it ends, and how many bytes there, or in the block
        // after it, are others' of the host's array.
        uint64_t padding = 0, others = 0;
        // Bytes behind the end that are no guard.
        uint64_t tail() const { return std::max(padding, others); }
        // Bytes of the padding that do not hold the fill pattern, a bit each.
        uint32_t PaddingWritten(uint8_t fill) const;
        // Sets the padding of an allocation whose first byte is this far from a block's.
        void Pad(uint64_t start) { padding = (0 - (start + bytes)) % isa::kBlockBytes; }
    };

    Options options;
    mutable std::mutex mutex;
    std::deque<Allocation> allocations;  // an index and a name stay for the life of the object: launches have them
    std::map<uintptr_t, uint32_t> live;  // indices, by base
    std::optional<uint32_t> rank = {};   // whose launches run on it, where several ranks do

    // Memory that others own and nobody writes becomes an allocation, once.
    void Adopt(uint8_t* base, uint64_t bytes, const std::string& name);
    // Memory of a rank, this one or another, that all ranks may touch becomes an allocation without guards. It must
    // stay until Unshare, and every byte of it counts as written.
    void Share(uint8_t* base, uint64_t bytes, const std::string& name, uint32_t by);
    void Unshare(const uint8_t* base);
    // The allocation of the rank at base may be touched by others, too.
    void OpenToOthers(const uint8_t* base, uint32_t by);
    // The live allocation that starts at p, or null.
    Allocation* StartingAt(const void* p);

    // Gives the live allocation at p another name, and another size of at most what it was allocated with. It is filled
    // with the pattern, guard bytes behind.
    void Reuse(const void* p, uint64_t bytes, std::string name);
    // Ends an allocation without giving its memory back: that is for the caller, with DeleteBlock. Throws as Free does.
    struct Ended {
        uint8_t* block;
        uint64_t bytes;
    };
    Ended End(const void* p);
    // Index of the live allocation that holds p, or -1. A pointer to one past the end belongs to its allocation.
    int Find(const void* p) const;
    // Of bytes that lie in memory of another rank, for reports: "byte 64 of 'x' of rank 2". "": they do not.
    std::string OfOtherRank(const void* p) const;
    // The live allocation nearest to p, the first of two as near, or -1 when there is none.
    int Nearest(const void* p) const;
    GmPlace PlaceOf(const uint8_t* p, uint64_t bytes) const;
    // Live allocations whose guard bytes no longer hold their pattern.
    std::vector<int> DamagedGuards() const;
};

}  // namespace sfumato
