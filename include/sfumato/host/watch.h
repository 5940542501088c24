// SPDX-License-Identifier: Apache-2.0
// What another runtime in the process learns of launches by <<<>>> and aclrtlaunch_*, and their faults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sfumato/report.h"

namespace sfumato::host {

// A launch that ran. The texts live as long as the call that gets it, and nothing here is a std::string: another
// runtime may be compiled with the other ABI of it (_GLIBCXX_USE_CXX11_ABI=0).
struct LaunchNote {
    const char* kernel;  // as written before <<<
    const char* file;    // of the launch
    uint32_t line = 0;
    uint32_t blocks = 0;
    uint64_t records = 0;  // instructions of all cores
    double seconds = 0;    // of this machine
};

// Called on the thread that launches or collects, with no lock held.
class LaunchWatcher {
public:
    virtual ~LaunchWatcher() = default;
    virtual void Launched(const LaunchNote& note) = 0;
    // A reference operator ran; `json`: the note that marks its results, as Report::Json().
    virtual void Referenced(const char* json) = 0;
    // A fault waits for a call that synchronises.
    virtual void FaultKept() = 0;
    // None waits any more.
    virtual void FaultsCollected() = 0;
};

// Of the process; null: nobody. It must live until another is set.
SFUMATO_API void WatchLaunches(LaunchWatcher* watcher);
using TakeText = void (*)(void* to, const char* text);
// Into a std::string, of the caller's ABI.
inline void TakeString(void* to, const char* text) { *static_cast<std::string*>(to) = text; }
// The reports of the faults that no call has returned yet, which are forgotten; empty when there are none.
SFUMATO_API void CollectFaults(TakeText take, void* to);
inline std::string CollectFaults() {
    std::string all;
    CollectFaults(&TakeString, &all);
    return all;
}
// The first fault of the last launch that had one, or why one was refused.
SFUMATO_API std::optional<Report> LastFault();
// Its Text() and Json(), by two calls of `take`; none where there is none.
SFUMATO_API void LastFault(TakeText take, void* text, void* json);

}  // namespace sfumato::host
