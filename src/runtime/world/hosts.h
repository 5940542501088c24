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

#include "sanitize/ranks/rank_known.h"
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
        const std::function<bool()>* give_up = nullptr;
        std::condition_variable woken;
        std::atomic<bool> gone = false;  // its thread has ended
        // What it is known to have used of a CPU, and since when it has used no more.
        clockid_t clock{};
        std::chrono::nanoseconds used{-1};
        std::chrono::steady_clock::time_point since{};
        sanitize::RankKnown known;  // what it knows to have ended
    };

    // Of the calling thread; made when it is first asked for.
    Host& Mine();
    // Null: nobody has asked for it.
    Host* MineIfAny();
    // The calling thread is none of them any more.
    void Forget();
    // The calling thread waits until `done`, or, with nullptr, until nothing can go on.
    void Block(const std::string& call, Where where, const std::function<bool()>* done, Lock& lock,
               const std::function<bool()>* give_up = nullptr);

    // Every host is blocked, gone, or has slept for a second: such a one may wait for what only a blocked one could do.
    bool AllBlocked();
    // Lets those go on whose wait is over.
    void Release();
    // Lets those go on that wait until nothing can. False: there is none.
    bool ReleaseQueries();
    // Of those that nothing else will let go on, one that gives up does. False: there is none.
    bool GiveUp();
    bool AnyGivesUp() const;
    // A thread works, or worked, for the rank.
    bool Serves(uint32_t rank) const;
    // "the host of rank 1 was last in aclrtMalloc at f.cpp:7, the host of ranks 2, 3 has made no call that waits":
    // those that are not blocked.
    std::string Outside() const;
    // Where the host of a rank is, for reports: "its host is in aclrtSynchronizeStream at f.cpp:7".
    std::string StateOf(uint32_t rank) const;

private:
    static bool Sleeps(Host& host);
    std::vector<std::shared_ptr<Host>> hosts_;
    size_t outside_ = 0;         // of them are not blocked
    std::set<uint32_t> served_;  // by threads that have ended
};

}  // namespace sfumato::runtime
