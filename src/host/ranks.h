// SPDX-License-Identifier: Apache-2.0
// The devices of the process (ranks.md 2.1, 10): SFUMATO_DEVICES of them, one unless it says otherwise. With one,
// everything runs when it is submitted. With several each is a rank of a world (runtime/world/world.h): streams may be
// busy, and what is submitted to a busy one runs later.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/device.h"
#include "runtime/world/world.h"

namespace sfumato::host {

class Ranks {
public:
    static Ranks& The();

    uint32_t count() const { return count_; }
    Device& device(uint32_t rank) { return *devices_[rank]; }
    // Of all devices; null with one. Made when it is first asked for.
    runtime::World* world();

    // The device that the calling thread works for.
    Device& current();
    // The calling thread works for the device from now on, and is a host of it: what waits for other ranks goes on only
    // while the thread is blocked in a call of ours, asleep or gone. With several devices.
    void Set(uint32_t rank);
    // The thread is no host of the device any more.
    void Leave(uint32_t rank);
    // The device whose stream it is; of the default stream (nullptr) the calling thread's.
    Device& DeviceOf(const void* stream);

    // What work has come to: an acl code, and the report that goes with it.
    struct Outcome {
        int code = 0;
        std::string text = {};
    };
    // Work of the host's on a stream: a copy, the record of an event, a rank's part of a collective.
    struct Step {
        std::string call;  // for reports
        Where where;
        std::vector<const void*> uses;  // addresses in the blocks that it reads and writes
        std::function<Outcome()> run;   // must not wait; on any thread
        std::function<bool()> ready = {};
        std::function<std::string()> waits_for = {};
        std::function<void(const Report&)> give_up = {};  // besides, the report is kept for the device
    };
    // Runs it at once, or behind what the stream is busy with. Its code; of one that runs later 0, and what it comes to
    // is kept for the next call of the device that waits.
    int Submit(const void* stream, Step step);
    // A launch: `run` launches the kernel (sfumato::Launch) and keeps its faults, on this thread or another, whose
    // current device is the stream's. Its domains are the groups of its pointers. True: it has ended.
    struct Launch {
        std::string call;
        Where where;
        std::vector<const void*> pointers;
        std::function<void()> run;
    };
    bool Submit(const void* stream, Launch launch);
    // A launch with an outcome, which is passed on as that of a step.
    int Submit(const void* stream, const std::string& call, std::vector<const void*> pointers,
               std::function<Outcome()> run);
    // A launch; waits for it; what `run` throws is thrown.
    void Run(const void* stream, Launch launch);

    // Wait until nothing is left: of the stream; of all streams of the calling thread's device; of what uses the blocks
    // of these addresses. `call`: for reports.
    void WaitFor(const char* call, const void* stream);
    void WaitForDevice(const char* call, const Device& device);
    void WaitForBlocks(const char* call, const std::vector<const void*>& addresses);
    void WaitUntil(const char* call, const std::function<bool()>& done);
    // Before a query answers: all that can run has run.
    void Drive(const char* call);

    // Numbers of what is submitted: the next one, and the first that has not ended.
    uint64_t NextWork();
    uint64_t FirstWork();
    // That the calling thread runs; of the program's own threads a higher one than any.
    static uint64_t WorkOfThread();

    // The window, workspace or context of a group that holds p.
    Place FindInGroup(const void* p);

    // Kernels of `rank` may touch the blocks of `peer`.
    bool MayTouch(uint32_t rank, uint32_t peer);
    // False: so it was before.
    bool SetPeerAccess(uint32_t rank, uint32_t peer, bool enabled);

private:
    class Ending;
    Ranks();
    static void AtExit();
    void WaitAtExit();
    std::vector<uintptr_t> KeysOf(const std::vector<const void*>& addresses) const;
    static std::vector<runtime::World::Domain> DomainsOf(uint32_t rank, const std::vector<const void*>& pointers);
    uint64_t Begin(std::vector<uintptr_t> keys);
    void End(uint64_t number);
    bool Uses(const std::vector<uintptr_t>& keys);

    const uint32_t count_;
    std::vector<std::unique_ptr<Device>> devices_;
    std::once_flag made_;
    std::unique_ptr<runtime::World> world_;
    std::mutex mutex_;
    std::map<uint64_t, std::vector<uintptr_t>> works_;  // that have not ended: the blocks they use
    uint64_t next_ = 0;
    std::set<std::pair<uint32_t, uint32_t>> peers_;
};

// As SFUMATO_OPTIONS says with the word schedule, of which skew[:rank] is for ranks only. Throws Error.
runtime::RankOrder RankOrderOfEnvironment();

// The calling thread's current device, and the work that it runs, for as long as this lives.
class OnDevice {
public:
    OnDevice(const Device& device, uint64_t work);
    ~OnDevice();
    OnDevice& operator=(OnDevice&&) = delete;

private:
    const uint32_t rank_;
    const uint64_t work_;
};

}  // namespace sfumato::host
