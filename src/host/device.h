// SPDX-License-Identifier: Apache-2.0
// A device that a host program sees: its memory, what went wrong on it, and what is said of it. There is one, or
// several ranks (host/ranks.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "report/exit_code.h"
#include "report/finding.h"
#include "sfumato/host/caching.h"
#include "sfumato/host/watch.h"
#include "sfumato/launch.h"

namespace sfumato::host {

// A block of memory that a call gave out. Freed ones are remembered as long as their memory is kept: 64 MiB of them
// (decided).
struct Block {
    enum class Kind : uint8_t { kDevice, kPinned } kind;  // kPinned: of the host (aclrtMallocHost)
    uint64_t bytes;
    std::string name;  // "aclrtMalloc #3"
    bool freed = false;
    uint64_t freed_behind = 0;  // of work with lower numbers it is not (Ranks::NextWork)
    uint64_t capacity = 0;      // of a block that Take gave out; 0: Allocate did
    bool returned = false;      // to be taken again; may be used until then
};

// Where an address lies. No block: host memory of the program's own.
struct Place {
    std::optional<Block> block;
    uint64_t offset = 0;
    uint32_t rank = 0;  // of the device whose block it is
    bool OnDevice() const { return block && block->kind == Block::Kind::kDevice; }
};

class Device {
public:
    explicit Device(uint32_t rank) : rank_(rank) {}
    Device& operator=(Device&&) = delete;
    // The one that the calling thread works for: of aclrtSetDevice, or the first.
    static Device& Current();
    uint32_t rank() const { return rank_; }

    // Blocks of the device start filled with the pattern. Throws Error when there is no memory.
    void* Allocate(Block::Kind kind, uint64_t bytes, const char* call);
    // False when no live block of the kind that Allocate gave out starts at p. The memory is given back later: while a
    // block is remembered as freed, nothing else of the program may lie there; and what was submitted before may use it
    // until it has ended.
    bool Free(Block::Kind kind, void* p);

    // As a caching allocator works (sfumato/host/caching.h).
    void* Take(uint64_t bytes);
    void Return(void* p);
    void ReleaseReturned();
    CachingStats caching_stats() const;
    void ResetPeaks();

    // The block of any device, or the window of a group, that holds p; one past its end belongs to it. Freed blocks are
    // found too.
    static Place Find(const void* p);
    // For people: "'aclrtMalloc #0'+0x40", "host memory (0x7f...)"; of several devices with "of device 1" behind.
    static std::string Describe(const void* p);
    // Of several devices the one that has a block which starts at p, or null.
    static Device* OwnerOf(const void* p);

    GlobalMemory& memory() { return memory_; }
    // Its kernels may touch what lies at p.
    bool MayReach(const void* p) const;

    // A fault that the next synchronising call returns as `code`.
    void Keep(int code, const std::string& text);
    // The code of the first fault kept, which is forgotten; 0 when there is none. The texts are said.
    int Collect();
    // The texts of the faults kept, which are forgotten; empty when there are none.
    std::string CollectTexts();

    // Makes the text part of what aclGetRecentErrMsg of this thread returns.
    static void Say(const std::string& text);
    // nullptr when nothing was said.
    static const char* TakeMessage();

    // The overflow mode that aclrtSetDeviceSatMode chose.
    std::optional<Overflow> overflow;
    // Told of launches and faults of every device; may be null.
    static std::atomic<LaunchWatcher*> watcher;

    // Retires the freed blocks that only work before this number may have used (Ranks::Work).
    void RetirePassed(uint64_t number);
    // Every block from now on, and each there is, may be touched by the device, too (aclrtDeviceEnablePeerAccess); or
    // no more.
    void ShareWith(Device& peer);
    void UnshareWith(Device& peer);

private:
    friend class Ranks;
    Place FindOwn(const void* p) const;
    std::string TextOfFaults() const;

    const uint32_t rank_;
    mutable std::mutex mutex_;
    GlobalMemory memory_;
    std::map<uintptr_t, Block> blocks_;
    uint64_t numbers_[4] = {};
    std::multimap<uint64_t, void*> returned_;  // by capacity
    CachingStats stats_;
    // Freed blocks whose memory is still the device's, oldest first.
    struct Retired {
        uintptr_t base;
        uint8_t* block;
        uint64_t bytes;
        Block::Kind kind;
    };
    void Retire(std::map<uintptr_t, Block>::iterator freed);
    // When what was submitted until now has ended.
    void RetireBehind(std::map<uintptr_t, Block>::iterator freed);
    // Of a new or renamed block.
    void ShareBlock(uintptr_t base, const Block& block) const;
    std::deque<Retired> retired_;
    uint64_t retired_bytes_ = 0;
    // Freed, and still used by what was submitted before.
    struct Passing {
        uintptr_t base;
        uint64_t number;  // of the first work that was submitted behind
    };
    std::vector<Passing> passing_;
    std::vector<Device*> peers_;  // may touch the blocks
    struct Fault {
        int code;
        std::string report;
    };
    std::vector<Fault> TakeFaults();
    std::vector<Fault> faults_;  // nobody has collected
};

// Options of launches that no code sets: SFUMATO_CHIP, else `chip` of the build, else Ascend910B1; the overflow mode of
// the device; `options` of the build, then SFUMATO_OPTIONS, which also names the files of findings (told.h). Throws
// KernelError (chip-mismatch) or Error for words that are not legal.
LaunchOptions OptionsOfEnvironment(Route route, const char* chip, const char* options = "");
// The same where only the chip matters.
inline std::string ChipOfEnvironment() { return OptionsOfEnvironment(Route::kHost, "").chip; }
// A chip that a package of operators runs on. What nothing else names is Ascend910B1 where a package offers it or none
// offers any, else the first offered.
void OfferChip(const std::string& chip);
// The chip of the build that registered first, or "".
std::string RegisteredChip();
// True under SFUMATO_ON_FAULT=exit.
bool ExitOnFault();

// Prints to stderr and ends the process.
[[noreturn]] void EndProcess(ExitCode code, const std::string& text);

}  // namespace sfumato::host
