// SPDX-License-Identifier: Apache-2.0
// Atomic stores reach global memory in the order of the cores: a launch gives the same bytes in every run.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace sfumato::runtime {

// A core's turn comes when every core below it has ended. The lowest core that has not ended never waits, and a thread
// runs its cores in ascending order, so some core always goes on. Instructions by which cores wait for each other end
// a turn, too.
class Turns {
public:
    // The core is done: what it wrote is visible to the cores above it.
    void End(uint64_t order);
    // Returns when it is the core's turn, or `stopped` is true.
    void Await(uint64_t order, const std::function<bool()>& stopped);
    // A barrier of `cores` cores: a turn ends there, and the order starts again behind it. False: it can never be
    // reached by all, or `stopped` is true.
    bool Meet(uint64_t order, uint64_t cores, const std::function<bool()>& stopped);
    // What a `stopped` looks at has changed.
    void Wake();
    // For another run of all cores.
    void Clear();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<bool> ended_;
    uint64_t turn_ = 0;  // every core below has ended, or waits at the barrier
    uint64_t finished_ = 0, arrived_ = 0, barriers_ = 0;

    void Pass(uint64_t order);
};

}  // namespace sfumato::runtime
