// SPDX-License-Identifier: Apache-2.0
// acl calls on streams and events (framework.md 5.3). With one device all that was submitted has run, and waiting
// returns at once; with several a stream may be busy (host/ranks.h).
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "acl/acl_rt.h"
#include "host/acl_call.h"
#include "host/capture.h"
#include "host/ranks.h"
#include "host/stream_order.h"

namespace sfumato::host {
namespace {

using Clock = std::chrono::steady_clock;

// Records of an event are numbered as they are submitted.
struct EventState {
    uint64_t submitted = 0, done = 0;
    std::optional<Clock::time_point> recorded;
};

struct Handles {
    std::mutex mutex;
    std::map<const void*, uint32_t> live[3];  // with the rank of the device
    std::map<const void*, std::shared_ptr<EventState>> events;
    uintptr_t next = 0x5f000010;  // no address of a block
};
Handles& TheHandles() {
    static auto* handles = new Handles;
    return *handles;
}

std::optional<Clock::time_point> RecordOf(const void* event) {
    Handles& handles = TheHandles();
    std::lock_guard lock(handles.mutex);
    const auto it = handles.events.find(event);
    return it == handles.events.end() ? std::nullopt : it->second->recorded;
}

// Does something with the event under the lock.
template <class F>
auto WithEvent(const void* event, F f) {
    Handles& handles = TheHandles();
    std::lock_guard lock(handles.mutex);
    std::shared_ptr<EventState>& state = handles.events[event];
    if (!state) state = std::make_shared<EventState>();
    return f(state);
}

// Whether what was submitted to record the event until now has done so; to be asked again.
std::function<bool()> Recorded(const void* event) {
    return WithEvent(event, [](const std::shared_ptr<EventState>& state) {
        return [state, number = state->submitted] {
            std::lock_guard lock(TheHandles().mutex);
            return state->done >= number;
        };
    });
}

aclError Create(const AclCall& call, Handle kind, void** handle) {
    if (!handle) return call.RefuseNull(Name(kind));
    *handle = NewHandle(kind);
    if (kind == Handle::kStream) StreamOrder::The().Made(*handle);
    return ACL_SUCCESS;
}

// Destroying the default stream would destroy nothing.
aclError Destroy(const AclCall& call, Handle kind, void* handle) {
    if (kind == Handle::kEvent) {
        StreamOrder::The().Forget(handle);
        Captures::The().ForgetEvent(handle);
    }
    if (kind == Handle::kStream && handle && Captures::The().busy() && Captures::The().Keeps(handle)) {
        return call.Refuse({Rule::kStreamCapture, "stream", "the stream is captured, updates a group or waits",
                            fmt::format("{}", handle), "a stream that does none of these",
                            "end the capture or the update, or record the event, before"});
    }
    if (RemoveHandle(kind, handle)) return ACL_SUCCESS;
    return call.Refuse({Rule::kAclHandle, Name(kind), fmt::format("the {} does not exist", Name(kind)),
                        fmt::format("{}", handle), "one that was created and not destroyed", ""});
}

aclError Synchronize(const AclCall& call, Handle kind, void* handle) {
    if (const aclError error = call.CheckHandle(kind, handle)) return error;
    const Act act = kind == Handle::kStream ? Act::kWaitForStream : Act::kWaitForEvent;
    if (const aclError error = CheckAllowed(call, act, handle)) return error;
    StreamOrder& order = StreamOrder::The();
    Ranks& ranks = Ranks::The();
    if (kind == Handle::kStream) {
        ranks.WaitFor(call.name(), handle);
        order.SynchronizedWith(handle);
    } else {
        if (ranks.count() > 1) ranks.WaitUntil(call.name(), Recorded(handle));
        order.SynchronizedWithEvent(handle);
    }
    return ranks.device(RankOf(kind, handle).value_or(Device::Current().rank())).Collect();
}

// `now`: what the act does when the stream comes to it.
aclError OnBoth(const AclCall& call, Captures::EventAct act, aclrtEvent event, aclrtStream stream, Task now) {
    aclError error = call.CheckOwn(Handle::kEvent, event);
    if (!error) error = call.CheckOwn(Handle::kStream, stream);
    return error ? error : Captures::The().Submit(call, act, event, stream, std::move(now));
}

// What sets the event's record, or takes it back, when the stream comes to it.
aclError WithRecord(const char* call, const void* event, aclrtStream stream,
                    const std::function<void(EventState&, uint64_t)>& set) {
    auto run = WithEvent(event, [&](const std::shared_ptr<EventState>& state) {
        return [state, set, number = ++state->submitted] {
            set(*state, number);
            return Ranks::Outcome();
        };
    });
    return Ranks::The().Submit(stream, Ranks::Step{call, {}, {}, std::move(run)});
}

}  // namespace

void* NewHandle(Handle kind, std::optional<uint32_t> rank) {
    Handles& handles = TheHandles();
    const uint32_t owner = rank ? *rank : Device::Current().rank();
    std::lock_guard lock(handles.mutex);
    void* p = reinterpret_cast<void*>(handles.next += 16);
    handles.live[static_cast<int>(kind)][p] = owner;
    return p;
}

bool RemoveHandle(Handle kind, void* p) {
    Handles& handles = TheHandles();
    std::lock_guard lock(handles.mutex);
    handles.events.erase(p);
    return handles.live[static_cast<int>(kind)].erase(p) == 1;
}

bool IsLive(Handle kind, const void* p) {
    if (!p) return kind == Handle::kStream;
    Handles& handles = TheHandles();
    std::lock_guard lock(handles.mutex);
    return handles.live[static_cast<int>(kind)].contains(p);
}

std::optional<uint32_t> RankOf(Handle kind, const void* p) {
    Handles& handles = TheHandles();
    std::lock_guard lock(handles.mutex);
    const auto& live = handles.live[static_cast<int>(kind)];
    const auto it = live.find(p);
    return it == live.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace sfumato::host

using namespace sfumato::host;
using sfumato::Rule;

aclError aclrtCreateStream(aclrtStream* stream) { return Create("aclrtCreateStream", Handle::kStream, stream); }
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
    return Create("aclrtCreateStreamWithConfig", Handle::kStream, stream);
}
aclError aclrtDestroyStream(aclrtStream stream) { return Destroy("aclrtDestroyStream", Handle::kStream, stream); }
aclError aclrtDestroyStreamForce(aclrtStream stream) {
    return Destroy("aclrtDestroyStreamForce", Handle::kStream, stream);
}
aclError aclrtSynchronizeStream(aclrtStream stream) {
    return Synchronize("aclrtSynchronizeStream", Handle::kStream, stream);
}
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t milliseconds) {
    const AclCall call("aclrtSynchronizeStreamWithTimeout");
    if (milliseconds < -1) {
        return call.Refuse({Rule::kAclArgument, "timeout", "the time is no time", fmt::format("{}", milliseconds),
                            "-1 (for ever), 0 or more milliseconds", ""});
    }
    return Synchronize(call, Handle::kStream, stream);
}

aclError aclrtCreateEvent(aclrtEvent* event) { return Create("aclrtCreateEvent", Handle::kEvent, event); }
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
    const AclCall call("aclrtCreateEventWithFlag");
    if ((flag & ACL_EVENT_EXTERNAL) && flag != ACL_EVENT_EXTERNAL) {
        return call.Refuse({Rule::kAclArgument, "flag", "ACL_EVENT_EXTERNAL stands alone", fmt::format("{:#x}", flag),
                            "ACL_EVENT_EXTERNAL, or other flags", ""});
    }
    const aclError error = Create(call, Handle::kEvent, event);
    if (!error && flag == ACL_EVENT_EXTERNAL) Captures::The().MadeExternal(*event);
    return error;
}
aclError aclrtDestroyEvent(aclrtEvent event) { return Destroy("aclrtDestroyEvent", Handle::kEvent, event); }
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    return OnBoth("aclrtRecordEvent", Captures::EventAct::kRecord, event, stream, [event](aclrtStream on) {
        return WithRecord("aclrtRecordEvent", event, on, [event, on](EventState& state, uint64_t number) {
            StreamOrder::The().Recorded(event, on);
            std::lock_guard lock(TheHandles().mutex);
            state.done = std::max(state.done, number);
            state.recorded = Clock::now();
        });
    });
}
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
    return OnBoth("aclrtResetEvent", Captures::EventAct::kReset, event, stream, [event](aclrtStream on) {
        return WithRecord("aclrtResetEvent", event, on, [event](EventState& state, uint64_t number) {
            StreamOrder::The().Forget(event);
            std::lock_guard lock(TheHandles().mutex);
            state.done = std::max(state.done, number);
            state.recorded.reset();
        });
    });
}
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
    const AclCall call("aclrtQueryEventStatus");
    if (!status) return call.RefuseNull("status");
    if (const aclError error = call.CheckHandle(Handle::kEvent, event)) return error;
    if (Captures::The().CapturesEvent(event)) return CheckAllowed(call, Act::kWaitForEvent, event);
    Ranks::The().Drive(call.name());
    const bool recorded = RecordOf(event) && Recorded(event)() && !Captures::The().IsPending(event);
    *status = recorded ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    StreamOrder::The().SynchronizedWithEvent(event);
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeEvent(aclrtEvent event) { return Synchronize("aclrtSynchronizeEvent", Handle::kEvent, event); }
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    return OnBoth("aclrtStreamWaitEvent", Captures::EventAct::kWait, event, stream, [event](aclrtStream on) {
        Ranks::Step step{"aclrtStreamWaitEvent", {}, {}, [event, on] {
                             StreamOrder::The().Waits(on, event);
                             return Ranks::Outcome();
                         }};
        if (Ranks::The().count() > 1) step.ready = Recorded(event);
        step.waits_for = [event] { return fmt::format("waits for event {}", event); };
        return Ranks::The().Submit(on, std::move(step));
    });
}
aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent start, aclrtEvent end) {
    const AclCall call("aclrtEventElapsedTime");
    if (!milliseconds) return call.RefuseNull("ms");
    Ranks::The().Drive(call.name());
    for (const auto& [operand, event] : {std::pair{"start", start}, std::pair{"end", end}}) {
        if (const aclError error = call.CheckHandle(Handle::kEvent, event)) return error;
        if (!RecordOf(event)) {
            return call.Refuse({Rule::kAclOrder, operand, "the event was not recorded", "no aclrtRecordEvent",
                                "both events recorded", ""});
        }
    }
    const std::chrono::duration<float, std::milli> time = *RecordOf(end) - *RecordOf(start);
    *milliseconds = std::max(time.count(), 1e-6f);  // programs divide by it
    return ACL_SUCCESS;
}
