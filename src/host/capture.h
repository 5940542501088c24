// SPDX-License-Identifier: Apache-2.0
// Work of streams that is kept for later (clients.md 3.4): a capture keeps it in a model, which replays it; a stream
// that waits for an event which nobody has recorded keeps what comes behind. All other work runs when it is submitted.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "host/acl_call.h"

namespace sfumato::host {

// A piece of work: runs on the stream it is given, and returns what an acl call would.
using Task = std::function<aclError(aclrtStream)>;

// What a host does beside submitting work, and what captures forbid of it.
enum class Act : unsigned char { kWaitForStream, kWaitForEvent, kWaitForDevice, kCopyNow, kCopyPageable };

class Captures {
public:
    static Captures& The();

    // False: every stream runs its work when it is submitted, and nothing is forbidden.
    bool busy() const { return busy_; }

    // Whether work of the stream is kept.
    bool Keeps(const void* stream) const;
    // True: the task is kept, or `refused` says why it may not be submitted. False: the caller runs it.
    bool Keep(aclrtStream stream, Task task, std::optional<Finding>& refused);
    // Why the host may not do it now; a capture that forbids it is invalid from then on. `handle`: the stream or event.
    std::optional<Finding> Forbids(Act act, const void* handle = nullptr);

    // nullopt: done. After a finding of End there is no capture any more.
    std::optional<Finding> Begin(aclrtStream stream, aclmdlRICaptureMode mode);
    std::optional<Finding> End(aclrtStream stream, aclmdlRI& model);
    aclmdlRICaptureStatus StatusOf(const void* stream, aclmdlRI* model) const;
    static std::optional<Finding> CheckMode(int mode);
    // The calling thread's mode before.
    static aclmdlRICaptureMode ExchangeMode(aclmdlRICaptureMode mode);

    bool IsModel(const void* model) const;
    bool Destroy(aclmdlRI model);
    // The first error of the tasks that run now; what they throw ends the replay. The model is one.
    aclError Execute(aclmdlRI model, aclrtStream stream);
    // Keeps something alive as long as the model of the stream's capture is. False: the stream is not captured.
    bool Hold(const void* stream, std::shared_ptr<void> what);

    // Tasks that may be replaced later, and the replacement.
    std::optional<Finding> GroupBegin(const void* stream);
    std::optional<Finding> GroupEnd(const void* stream, aclrtTaskGrp& group);
    std::optional<Finding> UpdateBegin(const void* stream, aclrtTaskGrp group);
    std::optional<Finding> UpdateEnd(const void* stream);

    // Of an event and a stream, whose effect `now` is, at once or when the stream comes to it.
    enum class EventAct : unsigned char { kRecord, kWait, kReset };
    aclError Submit(const AclCall& call, EventAct act, const void* event, aclrtStream stream, Task now);
    // One that replays heed as what is outside of them.
    void MadeExternal(const void* event);
    void ForgetEvent(const void* event);
    bool CapturesEvent(const void* event) const;

private:
    using Clock = std::map<const void*, uint64_t>;  // how many tasks of each stream
    struct Item {
        Task task;
        std::optional<EventAct> act;  // before the task
        const void* event = nullptr;
    };
    struct Group {
        size_t begin = 0, end = 0;
    };
    struct Model {
        std::vector<Item> items;
        std::map<const void*, Group> groups;
        std::vector<std::shared_ptr<void>> held;
    };
    struct Capture {
        std::shared_ptr<Model> model = std::make_shared<Model>();
        aclmdlRI handle = nullptr;
        const void* main = nullptr;
        aclmdlRICaptureMode mode{};
        std::thread::id thread;
        std::map<const void*, Clock> streams, events;  // what each of them is behind
        std::optional<size_t> group;                   // where the open one begins
        bool valid = true;

        void Add(const void* stream, Item item);
        std::optional<Finding> WhyIncomplete(const void* stream) const;
    };
    // A replay or what was submitted to a stream, which goes on when the event is recorded.
    struct Run {
        std::shared_ptr<const Model> model;
        size_t next = 0;
        std::deque<Item> behind;
        const void* event = nullptr;
    };
    struct Update {
        std::shared_ptr<Model> model;
        Group group;
        size_t next = 0;
    };
    struct Event {
        bool external = false, recorded = false;
    };
    using Lock = std::unique_lock<std::mutex>;
    template <class T>
    using ByStream = std::map<const void*, T>;

    Capture* CaptureOf(const void* stream) const;
    Capture* CaptureOfEvent(const void* event) const;
    bool MustWait(const void* event) const;
    void* NewToken() { return reinterpret_cast<void*>(next_ += 16); }
    void Count() { busy_ = !captures_.empty() || !waiting_.empty() || !updates_.empty(); }
    // Runs until the end, or an event that is not recorded. Gives the lock away while a task runs.
    aclError Continue(Lock& lock, aclrtStream stream, Run run);
    void Mark(EventAct act, const void* event);
    aclError Wake(Lock& lock, const void* event);

    std::atomic<bool> busy_ = false;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Capture>> captures_;
    std::map<const void*, std::shared_ptr<Model>> models_;
    ByStream<Run> waiting_;
    ByStream<Update> updates_;
    std::map<const void*, Event> events_;  // external ones, and pending ones
    uintptr_t next_ = 0x5e000010;          // no address of a block
};

// What an acl call does that submits work: `run(stream)` at once, or later.
template <class F>
aclError Submit(const AclCall& call, aclrtStream stream, F run) {
    if (const aclError error = call.CheckHandle(Handle::kStream, stream)) return error;
    std::optional<Finding> refused;
    Captures& captures = Captures::The();
    if (!captures.busy() || !captures.Keep(stream, run, refused)) return run(stream);
    return refused ? call.Refuse(std::move(*refused)) : ACL_SUCCESS;
}

// What it does that may not be done under a capture.
inline aclError CheckAllowed(const AclCall& call, Act act, const void* handle = nullptr) {
    if (!Captures::The().busy()) return ACL_SUCCESS;
    std::optional<Finding> refused = Captures::The().Forbids(act, handle);
    return refused ? call.Refuse(std::move(*refused)) : ACL_SUCCESS;
}

}  // namespace sfumato::host
