// SPDX-License-Identifier: Apache-2.0
// The device a host program sees: its memory, what went wrong on it, and what is said of it.
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
    uint64_t capacity = 0;  // of a block that Take gave out; 0: Allocate did
    bool returned = false;  // to be taken again; may be used until then
};

// Where an address lies. No block: host memory of the program's own.
struct Place {
    std::optional<Block> block;
    uint64_t offset = 0;
    bool OnDevice() const { return block && block->kind == Block::Kind::kDevice; }
};

class Device {
public:
    // Blocks of the device start filled with the pattern. Throws Error when there is no memory.
    void* Allocate(Block::Kind kind, uint64_t bytes, const char* call);
    // False when no live block of the kind that Allocate gave out starts at p. The memory is given back later: while a
    // block is remembered as freed, nothing else of the program may lie there.
    bool Free(Block::Kind kind, void* p);

    // As a caching allocator works (sfumato/host/caching.h).
    void* Take(uint64_t bytes);
    void Return(void* p);
    void ReleaseReturned();
    CachingStats caching_stats() const;
    void ResetPeaks();

    // The block that holds p; one past its end belongs to it. Freed blocks are found too.
    Place Find(const void* p) const;
    // For people: "'aclrtMalloc #0'+0x40", "host memory (0x7f...)".
    std::string Describe(const void* p) const;

    GlobalMemory& memory() { return memory_; }

    // A fault that the next synchronising call returns as `code`.
    void Keep(int code, const std::string& text);
    // The code of the first fault kept, which is forgotten; 0 when there is none. The texts are said.
    int Collect();
    // The texts of the faults kept, which are forgotten; empty when there are none.
    std::string CollectTexts();

    // Makes the text part of what aclGetRecentErrMsg of this thread returns.
    void Say(const std::string& text);
    // nullptr when nothing was said.
    const char* TakeMessage();

    // The overflow mode that aclrtSetDeviceSatMode chose.
    std::optional<Overflow> overflow;
    // Told of launches and faults; may be null.
    std::atomic<LaunchWatcher*> watcher = nullptr;

    static Device& The();

private:
    Device();
    static void AtExit();

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
    std::deque<Retired> retired_;
    uint64_t retired_bytes_ = 0;
    struct Fault {
        int code;
        std::string report;
    };
    std::vector<Fault> TakeFaults();
    std::vector<Fault> faults_;               // nobody has collected
    std::map<uint64_t, std::string> unread_;  // what was said and not read, in order
    uint64_t next_ = 0;
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
