// SPDX-License-Identifier: Apache-2.0
// The timelines of several ranks as one: a place for each core of each rank, called "rank 3 aiv0". Every rank's steps
// count from its own beginning; launches of one rank stand one after another.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "trace/timeline.h"

namespace sfumato::trace {

class RankTimeline {
public:
    // As OpenTimeline.
    RankTimeline(const std::string& path, uint32_t ranks);
    ~RankTimeline();
    RankTimeline& operator=(RankTimeline&&) = delete;

    // For a launch of the rank; launches of other ranks may write meanwhile.
    TimelineSink* Of(uint32_t rank);
    // When all launches have ended: the file it is in. Throws Error when not all of it could be written.
    std::string Close(std::span<const Report> findings);
    // What a finding's core is called here: "rank 3 aiv0".
    static std::string PlaceName(uint32_t rank, const std::string& core);

private:
    class Sink;
    std::mutex mutex_;  // of what follows
    std::unique_ptr<TimelineSink> file_;
    bool begun_ = false;
    std::vector<std::unique_ptr<Sink>> sinks_;
};

}  // namespace sfumato::trace
