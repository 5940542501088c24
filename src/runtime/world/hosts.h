// SPDX-License-Identifier: Apache-2.0
// The threads of the program that submit work for ranks: which of them are blocked in a call of ours (ranks.md 1,
// host).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sfumato/where.h"

namespace sfumato::runtime {

// Everything is under the lock of the world it belongs to.
class Hosts {
public:
    using Lock = std::unique_lock<std::mutex>;
    struct Host {
        std::set<uint32_t> ranks;  // it works for
        bool blocked = false;
        std::string call;  // it is blocked in
        Where where;
        const std::function<bool()>* done = nullptr;  // none: until nothing can go on
        std::condition_variable woken;
        std::atomic<bool> gone = false;  // its thread has ended
        // What it is known to have used of a CPU, and since when it has used no more.
        clockid_t clock{};
        std::chrono::nanoseconds used{-1};
        std::chrono::steady_clock::time_point since{};
    };

    // Of the calling thread; made when it is first asked for.
    Host& Mine();
    // The calling thread is none of them any more.
    void Forget();
    // The calling thread waits until `done`, or, with nullptr, until nothing can go on.
    void Block(const std::string& call, Where where, const std::function<bool()>* done, Lock& lock);

    // Every host is blocked, gone, or has slept for a second: such a one may wait for what only a blocked one could do.
    bool AllBlocked();
    // Lets those go on whose wait is over.
    void Release();
    // Lets those go on that wait until nothing can. False: there is none.
    bool ReleaseQueries();
    // Where the host of a rank is, for reports: "its host is in aclrtSynchronizeStream at f.cpp:7".
    std::string StateOf(uint32_t rank) const;

private:
    static bool Sleeps(Host& host);
    std::vector<std::shared_ptr<Host>> hosts_;
    size_t outside_ = 0;  // of them are not blocked
};

}  // namespace sfumato::runtime
