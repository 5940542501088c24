// SPDX-License-Identifier: Apache-2.0
// Work of streams that is kept for later (clients.md 3.4): a capture keeps it in a model, which replays it; a stream
// that waits for an event which nobody has recorded keeps what comes behind. All other work runs when it is submitted.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
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

// What captures do not allow.
inline Finding Illegal(const char* operand, const char* message, std::string found, std::string legal,
                       const char* hint) {
    return {Rule::kStreamCapture, operand, message, std::move(found), std::move(legal), hint};
}
inline std::string Word(const void* handle) {
    return handle ? fmt::format("{}", handle) : "nullptr, the default stream";
}

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
    aclError Execute(aclmdlRI model, aclrtStream stream, std::optional<Finding>& refused);
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
    bool IsPending(const void* event) const;  // a stream that waits is to record it

private:
    using Clock = std::map<const void*, uint64_t>;  // how many tasks of each stream
    struct Model;
    struct Item {
        Task task;
        std::optional<EventAct> act;  // before the task
        const void* event = nullptr;
        std::shared_ptr<const Model> model;  // replayed here, in place of a task
    };
    using Group = std::vector<size_t>;  // places of its tasks
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
        std::map<const void*, Group> open;             // by stream
        bool valid = true;

        void Add(const void* stream, Item item);
        std::optional<Finding> WhyIncomplete(const void* stream) const;
    };
    // Replays on a stream, one in another, and what was submitted behind them. It runs in one thread, or goes on when
    // the event is recorded.
    struct Run {
        struct Frame {
            std::shared_ptr<const Model> model;
            size_t next = 0;
        };
        std::vector<Frame> frames;
        std::deque<Item> behind;
        const void* event = nullptr;
        std::thread::id thread;
    };
    struct Update {
        std::shared_ptr<Model> model;
        Group group;
        std::vector<Item> given;
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
    void Count() { busy_ = !captures_.empty() || !runs_.empty() || !updates_.empty(); }
    bool KeepItem(aclrtStream stream, Item item, std::optional<Finding>& refused);
    // Runs until the end, or an event that is not recorded. Gives the lock away while a task runs.
    aclError Continue(Lock& lock, aclrtStream stream);
    std::optional<Item> Next(Run& run) const;  // nullopt: none is left, or run.event is to wait for
    void Mark(EventAct act, const void* event);
    aclError Wake(Lock& lock, const void* event);

    std::atomic<bool> busy_ = false;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Capture>> captures_;
    std::map<const void*, std::shared_ptr<Model>> models_;
    ByStream<Run> runs_;
    std::condition_variable ended_;  // a run has
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
