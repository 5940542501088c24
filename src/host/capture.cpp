// SPDX-License-Identifier: Apache-2.0
#include "host/capture.h"

#include <algorithm>

namespace sfumato::host {
namespace {

Finding Illegal(const char* operand, const char* message, std::string found, std::string legal, const char* hint) {
    return {Rule::kStreamCapture, operand, message, std::move(found), std::move(legal), hint};
}
std::string Word(const void* handle) { return handle ? fmt::format("{}", handle) : "nullptr, the default stream"; }

void Join(std::map<const void*, uint64_t>& clock, const std::map<const void*, uint64_t>& other) {
    for (const auto& [stream, tasks] : other) clock[stream] = std::max(clock[stream], tasks);
}

constexpr const char* kCaptureModes[] = {"ACL_MODEL_RI_CAPTURE_MODE_GLOBAL", "ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL",
                                         "ACL_MODEL_RI_CAPTURE_MODE_RELAXED"};

aclmdlRICaptureMode& ModeOfThread() {
    thread_local aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
    return mode;
}

}  // namespace

Captures& Captures::The() {
    static auto* captures = new Captures;
    return *captures;
}

Captures::Capture* Captures::CaptureOf(const void* stream) const {
    for (const auto& capture : captures_) {
        if (capture->streams.contains(stream)) return capture.get();
    }
    return nullptr;
}
Captures::Capture* Captures::CaptureOfEvent(const void* event) const {
    for (const auto& capture : captures_) {
        if (capture->events.contains(event)) return capture.get();
    }
    return nullptr;
}
bool Captures::MustWait(const void* event) const {
    const auto it = events_.find(event);
    return it != events_.end() && !it->second.recorded;
}

void Captures::Capture::Add(const void* stream, Item item) {
    ++streams[stream][stream];
    model->items.push_back(std::move(item));
}

bool Captures::Keeps(const void* stream) const {
    const Lock lock(mutex_);
    return updates_.contains(stream) || waiting_.contains(stream) || CaptureOf(stream);
}

bool Captures::Keep(aclrtStream stream, Task task, std::optional<Finding>& refused) {
    Lock lock(mutex_);
    if (const auto it = updates_.find(stream); it != updates_.end()) {
        Update& update = it->second;
        // One too many is told by UpdateEnd.
        if (update.group.begin + update.next < update.group.end)
            update.model->items[update.group.begin + update.next].task = std::move(task);
        ++update.next;
        return true;
    }
    if (const auto it = waiting_.find(stream); it != waiting_.end()) {
        it->second.behind.push_back({std::move(task), std::nullopt});
        return true;
    }
    if (Capture* capture = CaptureOf(stream)) {
        capture->Add(stream, {std::move(task), std::nullopt});
        return true;
    }
    if (stream || captures_.empty()) return false;
    for (const auto& capture : captures_) capture->valid = false;
    refused = Illegal("stream", "the default stream takes no work while a stream is captured", Word(stream),
                      "a stream of aclrtCreateStream", "create a stream for it");
    return true;
}

std::optional<Finding> Captures::Forbids(Act act, const void* handle) {
    Lock lock(mutex_);
    const auto forbid = [](Capture& capture, const char* operand, const char* message, std::string found,
                           const char* legal, const char* hint) {
        capture.valid = false;
        return Illegal(operand, message, std::move(found), legal, hint);
    };
    constexpr const char* kBehind = "waiting and asking behind the end of the capture";
    constexpr const char* kUnrecorded = "an event that was recorded before";
    if (act == Act::kWaitForStream || act == Act::kWaitForDevice) {
        for (const auto& capture : captures_) {
            if (act == Act::kWaitForStream && !capture->streams.contains(handle)) continue;
            return forbid(*capture, "", "the host may not wait: what a captured stream is given has not run",
                          fmt::format("stream {} is captured", Word(capture->main)), kBehind,
                          "move it in front of the capture or behind it");
        }
        for (const auto& [stream, run] : waiting_) {
            if (act == Act::kWaitForStream && stream != handle) continue;
            return Illegal("", "the wait would never end: the stream waits for an event that was not recorded",
                           fmt::format("stream {} waits for event {}", Word(stream), Word(run.event)), kUnrecorded,
                           "record the event on another stream before");
        }
        return std::nullopt;
    }
    if (act == Act::kWaitForEvent) {
        if (Capture* capture = CaptureOfEvent(handle)) {
            return forbid(*capture, "event", "the host may not wait for an event of a captured stream, or ask for it",
                          Word(handle), kBehind, "record another event outside the capture");
        }
        if (!MustWait(handle)) return std::nullopt;
        return Illegal("event", "the wait would never end: the event was not recorded", Word(handle), kUnrecorded, "");
    }
    const auto own = ModeOfThread();
    for (const auto& capture : captures_) {
        const bool here = capture->thread == std::this_thread::get_id();
        const bool heeds = own == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL
                               ? capture->mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL ||
                                     (here && capture->mode == ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL)
                               : own == ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL && here &&
                                     capture->mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
        const bool captured = act == Act::kCopyPageable && capture->streams.contains(handle);
        if (!heeds && !captured) continue;
        if (act == Act::kCopyPageable) {
            return forbid(*capture, "", "a copy from or to host memory that is not pinned is not captured",
                          fmt::format("stream {} is captured, {}", Word(capture->main), kCaptureModes[capture->mode]),
                          "memory of the device, or of aclrtMallocHost", "");
        }
        return forbid(*capture, "", "a call that waits for its copy is not allowed while a stream is captured",
                      fmt::format("stream {} is captured, {}", Word(capture->main), kCaptureModes[capture->mode]),
                      "the call with Async, on the captured stream",
                      "or aclmdlRICaptureThreadExchangeMode to ACL_MODEL_RI_CAPTURE_MODE_RELAXED around it");
    }
    return std::nullopt;
}

std::optional<Finding> Captures::CheckMode(int mode) {
    if (mode >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && mode <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return std::nullopt;
    return Illegal("mode", "there is no such mode", fmt::format("{}", mode),
                   "ACL_MODEL_RI_CAPTURE_MODE_GLOBAL (0) to ACL_MODEL_RI_CAPTURE_MODE_RELAXED (2)", "");
}

std::optional<Finding> Captures::Begin(aclrtStream stream, aclmdlRICaptureMode mode) {
    Lock lock(mutex_);
    if (!stream) {
        return Illegal("stream", "the default stream is not captured", Word(stream), "a stream of aclrtCreateStream",
                       "");
    }
    if (std::optional<Finding> wrong = CheckMode(mode)) return wrong;
    if (const Capture* capture = CaptureOf(stream)) {
        return Illegal("stream", "the stream is captured already",
                       fmt::format("{}, of the capture of {}", Word(stream), Word(capture->main)),
                       "a stream that is not", "aclmdlRICaptureEnd comes before");
    }
    auto capture = std::make_unique<Capture>();
    capture->handle = NewToken();
    capture->main = stream;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->streams[stream];
    captures_.push_back(std::move(capture));
    Count();
    return std::nullopt;
}

std::optional<Finding> Captures::Capture::WhyIncomplete(const void* stream) const {
    if (!valid) {
        return Illegal("stream", "the capture is invalid since a call that it forbids", Word(stream),
                       "a capture without such a call", "see the report of that call");
    }
    if (group) {
        return Illegal("stream", "a group of tasks was not ended",
                       fmt::format("{} tasks", model->items.size() - *group),
                       "aclmdlRICaptureTaskGrpEnd before the end of the capture", "");
    }
    const Clock& last = streams.at(main);
    for (const auto& [other, clock] : streams) {
        const auto tasks = clock.find(other), seen = last.find(other);
        if (other == main || tasks == clock.end()) continue;
        const uint64_t left = tasks->second - (seen == last.end() ? 0 : seen->second);
        if (left == 0) continue;
        return Illegal("", "a stream that joined the capture does not lead back to the one it began on",
                       fmt::format("stream {}, {} task{} of which come{} behind the last event that leads back",
                                   Word(other), left, left == 1 ? "" : "s", left == 1 ? "s" : ""),
                       fmt::format("an event behind them that stream {} waits for", Word(main)), "");
    }
    return std::nullopt;
}

std::optional<Finding> Captures::End(aclrtStream stream, aclmdlRI& model) {
    Lock lock(mutex_);
    const auto it = std::ranges::find_if(captures_, [&](const auto& c) { return c->streams.contains(stream); });
    if (it == captures_.end()) {
        return Illegal("stream", "the stream is not captured", Word(stream), "the stream of aclmdlRICaptureBegin", "");
    }
    Capture& capture = **it;
    if (capture.main != stream) {
        return Illegal("stream", "a capture ends on the stream it began on", Word(stream),
                       fmt::format("{}", capture.main), "");
    }
    if (capture.mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED && capture.thread != std::this_thread::get_id()) {
        return Illegal("stream", "a capture ends in the thread it began in", kCaptureModes[capture.mode],
                       "the same thread, or ACL_MODEL_RI_CAPTURE_MODE_RELAXED", "");
    }
    std::optional<Finding> why = capture.WhyIncomplete(stream);
    if (!why) {
        model = capture.handle;
        models_[model] = capture.model;
    }
    captures_.erase(it);
    Count();
    return why;
}

aclmdlRICaptureStatus Captures::StatusOf(const void* stream, aclmdlRI* model) const {
    Lock lock(mutex_);
    const Capture* capture = CaptureOf(stream);
    if (model) *model = capture ? capture->handle : nullptr;
    if (!capture) return ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    return capture->valid ? ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE : ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
}

aclmdlRICaptureMode Captures::ExchangeMode(aclmdlRICaptureMode mode) { return std::exchange(ModeOfThread(), mode); }

bool Captures::IsModel(const void* model) const {
    Lock lock(mutex_);
    return models_.contains(model);
}
bool Captures::Destroy(aclmdlRI model) {
    std::shared_ptr<Model> last;  // what it holds may call in here
    Lock lock(mutex_);
    const auto it = models_.find(model);
    if (it == models_.end()) return false;
    last = std::move(it->second);
    models_.erase(it);
    lock.unlock();
    return true;
}
bool Captures::Hold(const void* stream, std::shared_ptr<void> what) {
    Lock lock(mutex_);
    Capture* capture = CaptureOf(stream);
    if (capture) capture->model->held.push_back(std::move(what));
    return capture != nullptr;
}

aclError Captures::Execute(aclmdlRI model, aclrtStream stream) {
    Lock lock(mutex_);
    return Continue(lock, stream, {models_.at(model)});
}

aclError Captures::Continue(Lock& lock, aclrtStream stream, Run run) {
    aclError first = ACL_SUCCESS;
    while ((run.model && run.next < run.model->items.size()) || !run.behind.empty()) {
        Item item;
        const bool replays = run.model && run.next < run.model->items.size();
        item = replays ? run.model->items[run.next] : run.behind.front();
        if (item.act == EventAct::kWait && MustWait(item.event)) {
            run.event = item.event;
            waiting_[stream] = std::move(run);
            Count();
            return first;
        }
        replays ? void(++run.next) : run.behind.pop_front();
        lock.unlock();
        const aclError error = item.task(stream);
        lock.lock();
        if (!first) first = error;
        if (!item.act) continue;
        Mark(*item.act, item.event);
        if (const aclError woken = Wake(lock, item.event); !first) first = woken;
    }
    return first;
}

void Captures::Mark(EventAct act, const void* event) {
    const auto it = events_.find(event);
    if (it == events_.end() || act == EventAct::kWait) return;
    it->second.recorded = act == EventAct::kRecord;
    if (!it->second.external) events_.erase(it);
}

aclError Captures::Wake(Lock& lock, const void* event) {
    aclError first = ACL_SUCCESS;
    for (auto it = waiting_.begin(); it != waiting_.end();) {
        if (it->second.event != event || MustWait(event)) {
            ++it;
            continue;
        }
        const auto stream = const_cast<void*>(it->first);
        Run run = std::move(it->second);
        waiting_.erase(it);
        Count();
        if (const aclError error = Continue(lock, stream, std::move(run)); !first) first = error;
        it = waiting_.begin();
    }
    return first;
}

aclError Captures::Submit(const AclCall& call, EventAct act, const void* event, aclrtStream stream, Task now) {
    Lock lock(mutex_);
    const auto known = events_.find(event);
    const bool external = known != events_.end() && known->second.external;
    if (const auto it = waiting_.find(stream); it != waiting_.end()) {
        if (act == EventAct::kRecord && !external) events_[event] = {};
        it->second.behind.push_back({std::move(now), act, event});
        return ACL_SUCCESS;
    }
    if (Capture* capture = CaptureOf(stream)) {
        if (external) {
            capture->Add(stream, {std::move(now), act, event});
        } else if (act == EventAct::kRecord) {
            capture->events[event] = capture->streams[stream];
        } else if (const auto it = capture->events.find(event); it == capture->events.end()) {
            // What was recorded outside has run.
        } else if (act == EventAct::kReset) {
            capture->events.erase(it);
        } else {
            Join(capture->streams[stream], it->second);
        }
        return ACL_SUCCESS;
    }
    if (Capture* capture = act == EventAct::kWait ? CaptureOfEvent(event) : nullptr) {
        if (!stream) {
            capture->valid = false;
            return call.Refuse(Illegal("stream", "the default stream does not join a capture", Word(stream),
                                       "a stream of aclrtCreateStream", ""));
        }
        Join(capture->streams[stream], capture->events[event]);
        ++capture->streams[stream][stream];  // it must lead back, even without tasks
        return ACL_SUCCESS;
    }
    if (act == EventAct::kWait && MustWait(event)) {
        waiting_[stream] = {nullptr, 0, {{std::move(now), act, event}}, event};
        Count();
        return ACL_SUCCESS;
    }
    lock.unlock();
    const aclError error = now(stream);
    lock.lock();
    if (error || act == EventAct::kWait) return error;
    Mark(act, event);
    return Wake(lock, event);
}

void Captures::MadeExternal(const void* event) {
    Lock lock(mutex_);
    events_[event] = {true, false};
}
void Captures::ForgetEvent(const void* event) {
    Lock lock(mutex_);
    if (!MustWait(event)) events_.erase(event);  // else a stream may still come to it
    for (const auto& capture : captures_) capture->events.erase(event);
}
bool Captures::CapturesEvent(const void* event) const {
    Lock lock(mutex_);
    return CaptureOfEvent(event) != nullptr;
}

std::optional<Finding> Captures::GroupBegin(const void* stream) {
    Lock lock(mutex_);
    Capture* capture = CaptureOf(stream);
    if (!capture)
        return Illegal("stream", "groups are of captured streams", Word(stream), "a stream that is captured", "");
    if (capture->group)
        return Illegal("stream", "a group is open already", Word(stream), "one group at a time", "end it before");
    capture->group = capture->model->items.size();
    return std::nullopt;
}
std::optional<Finding> Captures::GroupEnd(const void* stream, aclrtTaskGrp& group) {
    Lock lock(mutex_);
    Capture* capture = CaptureOf(stream);
    if (!capture || !capture->group) {
        return Illegal("stream", "no group of the stream is open", Word(stream),
                       "the stream of aclmdlRICaptureTaskGrpBegin", "");
    }
    group = NewToken();
    capture->model->groups[group] = {*std::exchange(capture->group, std::nullopt), capture->model->items.size()};
    return std::nullopt;
}
std::optional<Finding> Captures::UpdateBegin(const void* stream, aclrtTaskGrp group) {
    Lock lock(mutex_);
    if (CaptureOf(stream) || updates_.contains(stream)) {
        return Illegal("stream", "the stream is captured or updates a group already", Word(stream),
                       "a stream that does neither", "");
    }
    for (const auto& [handle, model] : models_) {
        const auto it = model->groups.find(group);
        if (it == model->groups.end()) continue;
        updates_[stream] = {model, it->second};
        Count();
        return std::nullopt;
    }
    return Illegal("handle", "there is no such group of tasks", fmt::format("{}", group),
                   "what aclmdlRICaptureTaskGrpEnd gave, of a model that was not destroyed", "");
}
std::optional<Finding> Captures::UpdateEnd(const void* stream) {
    Lock lock(mutex_);
    const auto it = updates_.find(stream);
    if (it == updates_.end()) {
        return Illegal("stream", "the stream updates no group", Word(stream),
                       "the stream of aclmdlRICaptureTaskUpdateBegin", "");
    }
    const size_t given = it->second.next, needed = it->second.group.end - it->second.group.begin;
    updates_.erase(it);
    Count();
    if (given == needed) return std::nullopt;
    return Illegal("stream", "the update has another number of tasks than the group", fmt::format("{} tasks", given),
                   fmt::format("{}, as the group has", needed), "");
}

}  // namespace sfumato::host
