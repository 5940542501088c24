// SPDX-License-Identifier: Apache-2.0
// Events and groups of captured streams.
#include <algorithm>

#include "host/capture.h"

namespace sfumato::host {
namespace {

void Join(std::map<const void*, uint64_t>& clock, const std::map<const void*, uint64_t>& other) {
    for (const auto& [stream, tasks] : other) clock[stream] = std::max(clock[stream], tasks);
}

}  // namespace

aclError Captures::Submit(const AclCall& call, EventAct act, const void* event, aclrtStream stream, Task now) {
    Lock lock(mutex_);
    const auto known = events_.find(event);
    const bool external = known != events_.end() && known->second.external;
    if (const auto it = runs_.find(stream); it != runs_.end()) {
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
            // What was recorded outside has run; another capture's is no such event.
            if (Capture* other = act == EventAct::kWait ? CaptureOfEvent(event) : nullptr) {
                capture->valid = other->valid = false;
                return call.Refuse(Illegal("event", "a captured stream waits for an event of another capture",
                                           fmt::format("of the capture of {}", Word(other->main)),
                                           "an event of its own capture", "capture both in one"));
            }
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
        Run& run = runs_[stream];
        run.behind.push_back({std::move(now), act, event});
        run.event = event;
        Count();
        return ACL_SUCCESS;
    }
    lock.unlock();
    const aclError error = now(stream);
    lock.lock();
    if (error || act == EventAct::kWait) return error;
    for (const auto& capture : captures_) capture->events.erase(event);  // its last record is this one
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
bool Captures::IsPending(const void* event) const {
    Lock lock(mutex_);
    return MustWait(event);
}

std::optional<Finding> Captures::GroupBegin(const void* stream) {
    Lock lock(mutex_);
    Capture* capture = CaptureOf(stream);
    if (!capture)
        return Illegal("stream", "groups are of captured streams", Word(stream), "a stream that is captured", "");
    if (capture->open.contains(stream))
        return Illegal("stream", "a group is open already", Word(stream), "one group at a time", "end it before");
    capture->open[stream];
    return std::nullopt;
}
std::optional<Finding> Captures::GroupEnd(const void* stream, aclrtTaskGrp& group) {
    Lock lock(mutex_);
    Capture* capture = CaptureOf(stream);
    if (!capture || !capture->open.contains(stream)) {
        return Illegal("stream", "no group of the stream is open", Word(stream),
                       "the stream of aclmdlRICaptureTaskGrpBegin", "");
    }
    group = NewToken();
    capture->model->groups[group] = std::move(capture->open.at(stream));
    capture->open.erase(stream);
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
        updates_[stream] = {model, it->second, {}};
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
    Update update = std::move(it->second);
    updates_.erase(it);
    Count();
    const size_t given = update.given.size(), needed = update.group.size();
    if (given != needed) {
        return Illegal("stream", "the update has another number of tasks than the group",
                       fmt::format("{} tasks", given), fmt::format("{}, as the group has", needed), "");
    }
    for (size_t i = 0; i < needed; ++i) update.model->items[update.group[i]] = std::move(update.given[i]);
    return std::nullopt;
}

}  // namespace sfumato::host
