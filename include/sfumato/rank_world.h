// SPDX-License-Identifier: Apache-2.0
// Many devices in one process, the ranks, for programs that launch on all of them at once: Python's `ranks` and
// `sfumato run --ranks` (docs/ranks.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sfumato/launch.h"

namespace sfumato {

struct RankWorldOptions {
    uint32_t ranks = 1;                           // 1 to 64
    std::string chip;                             // family or product
    uint64_t window_bytes = uint64_t{200} << 20;  // of each window of a rank in a group; pages on demand
    uint8_t fill = 0xFE;                          // bytes of global memory that nobody wrote; windows begin as 0
};

// Each rank has its global memory; windows of a group lie in that of all its ranks, at the same addresses.
class SFUMATO_API RankWorld {
public:
    static constexpr uint32_t kMostRanks = 64;
    static constexpr const char* kAll = "world";  // the group that every world has

    // Throws Error for a number of ranks, a size of windows or a chip that is none.
    explicit RankWorld(const RankWorldOptions& options);
    ~RankWorld();
    RankWorld& operator=(RankWorld&&) = delete;

    uint32_t ranks() const;
    const std::string& chip() const;
    // What launches of the rank see. Throws Error for a rank that is not there.
    GlobalMemory& memory(uint32_t rank);

    // A group of some of the ranks: the first is rank 0 in it. Throws Error where the name is taken, and for ranks that
    // are not there, not ascending or twice.
    void AddGroup(const std::string& name, const std::vector<uint32_t>& ranks);
    // Where a rank, by its number in the world, is in a group. Throws Error where it is not in it, or none is so
    // called.
    struct Place {
        uint32_t rank = 0, size = 0;  // in the group, and of it
        uint8_t* context = nullptr;   // what a kernel takes as its context
        std::span<uint8_t> in, out;   // windows
    };
    Place PlaceOf(const std::string& group, uint32_t rank) const;

    // What one rank launches. Its options have no schedule and no timeline of their own.
    struct Work {
        uint32_t rank = 0, blocks = 1;
        LaunchOptions options;
        std::function<void()> kernel;  // with its arguments, which lie in memory(rank)
    };
    struct Request {
        std::vector<Work> works;                   // of one rank one after the other
        std::vector<std::string> groups = {kAll};  // the works' ranks are to be those of the groups, or some of them
        // eager, serial, late, ahead, skew[:R], torn[:N], seed:N; all[:N]: eager, late, skew, torn and N seeds from the
        // same bytes, and the rule schedule-dependent where outputs differ.
        std::string schedule = "eager";
        uint32_t repeat = 1;  // how often each rank launches its works, without waiting between
        std::string trace;    // a file for the timeline of all ranks, as LaunchOptions::trace
    };
    struct Outcome {
        // Of all: findings of ranks at the same place are one; what only follows from others stands last.
        LaunchResult whole;
        std::vector<LaunchResult> of_works;
    };
    // Throws Error, with what is legal, for a schedule that a world of so many ranks does not have.
    static void CheckSchedule(const std::string& schedule, uint32_t ranks);
    // Submits the works of all ranks, and waits for them. Throws Error for a request that cannot be.
    Outcome Launch(const Request& request);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sfumato
