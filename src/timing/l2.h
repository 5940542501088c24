// SPDX-License-Identifier: Apache-2.0
// The L2 cache (docs/spec/timing.md 5.1): sectors of lines, kept by chunks of 8 KiB, of which the least recently used
// one goes first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace sfumato::timing {

class L2 {
public:
    // bytes: its size; allocations: those of global memory.
    L2(uint64_t bytes, std::vector<uint64_t> allocations);

    // Rows of an access: which bytes of them L2 holds, and who else reads there.
    struct Access {
        uint32_t allocation = 0, rows = 0;
        uint64_t offset = 0, row_bytes = 0, pitch = 0;
        uint32_t core = 0;
        bool write = false;
    };
    struct Found {
        uint64_t bytes = 0;       // asked for
        double charged = 0;       // with what lines that are not used whole cost
        double hit_share = 0;     // of the bytes
        bool shared = false;      // other cores read most of these lines, too
        uint64_t lost = 0;        // bytes it had before and gave up
        double written_back = 0;  // bytes that were stored before and go to global memory, so that these have room
    };
    Found Touch(const Access& access);
    // Tensors of this allocation are not kept (SetL2CacheHint).
    void SetCached(uint32_t allocation, bool cached);
    // It holds these before the launch, as far as there is room.
    void Warm(uint32_t allocation);
    // Global memory was idle for so many bytes that have to go there: L2 writes back ahead.
    void WriteBack(double bytes) {
        owed_ = std::max(owed_ - bytes, std::min(owed_, -static_cast<double>(written_ * kSector)));
    }
    // What the launch has touched so far does not fit: its stores end in global memory.
    // Allocations that it keeps, and that were read once and not written; and their bytes.
    std::vector<uint32_t> OnePass() const;
    uint64_t BytesOf(uint32_t allocation) const { return allocations_[allocation].bytes; }
    bool Overflows() const { return touched_bytes_ > capacity_ * kSector; }

private:
    static constexpr uint64_t kLine = 512;                   // what a request costs whole
    static constexpr uint64_t kSector = 128, kSectors = 64;  // what is held, and those of a chunk
    static constexpr uint32_t kNone = UINT32_MAX;
    // What L2 keeps free of lines that would have to be written back first (decided: a 32nd).
    double Reserve() const { return static_cast<double>(capacity_ * kSector) / 32; }
    struct Chunk {
        std::array<uint64_t, kSectors / 64> held{}, written{};
        uint32_t before = kNone, after = kNone;  // in the order of use
        bool listed = false;
        bool lost = false;  // held once, and given up
    };
    // Of the lines first to last those that other cores read, too; the core is among their readers from now on.
    uint64_t Shared(uint64_t first_line, uint64_t last_line, uint32_t core);
    // Sectors [first, last] of a chunk; how many of them were held.
    uint64_t Use(uint32_t chunk, uint64_t first, uint64_t last, bool keep, bool write);
    void Unlink(uint32_t chunk);
    void MakeNewest(uint32_t chunk);

    struct Allocation {
        uint64_t bytes = 0;
        uint32_t first = 0, chunks = 0;
        bool cached = true, touched = false, written = false;
        uint64_t read = 0, again = 0;  // bytes; of them those that were read before
    };
    std::vector<Allocation> allocations_;
    std::vector<Chunk> chunks_;
    // Of each line: 0 nobody has read it since it was fetched, the core + 1 that has, or kMany.
    static constexpr uint16_t kMany = UINT16_MAX;
    static constexpr uint64_t kLines = kSector * kSectors / kLine;  // of a chunk
    std::vector<uint16_t> readers_;
    uint32_t oldest_ = kNone, newest_ = kNone;
    uint64_t capacity_, used_ = 0;  // sectors
    // Bytes that were given up after a store, and that have still to go to global memory; below 0: written back ahead.
    double owed_ = 0;
    uint64_t written_ = 0;  // sectors
    uint64_t touched_bytes_ = 0;
};

}  // namespace sfumato::timing
