// SPDX-License-Identifier: Apache-2.0
#include "host/capture.h"

#include <algorithm>

#include "runtime/cores/of_thread.h"

namespace sfumato::host {
namespace {

constexpr const char* kCaptureModes[] = {"ACL_MODEL_RI_CAPTURE_MODE_GLOBAL", "ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL",
                                         "ACL_MODEL_RI_CAPTURE_MODE_RELAXED"};

struct ThreadMode {
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
};
aclmdlRICaptureMode& ModeOfThread() { return runtime::OfThread<ThreadMode>().mode; }

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
    if (const auto it = open.find(stream); it != open.end()) it->second.push_back(model->items.size());
    model->items.push_back(std::move(item));
}

bool Captures::Keeps(const void* stream) const {
    const Lock lock(mutex_);
    return updates_.contains(stream) || runs_.contains(stream) || CaptureOf(stream);
}

bool Captures::Keep(aclrtStream stream, Task task, std::optional<Finding>& refused) {
    const Lock lock(mutex_);
    return KeepItem(stream, {std::move(task), std::nullopt}, refused);
}

bool Captures::KeepItem(aclrtStream stream, Item item, std::optional<Finding>& refused) {
    if (const auto it = updates_.find(stream); it != updates_.end()) {
        it->second.given.push_back(std::move(item));
    } else if (const auto run = runs_.find(stream); run != runs_.end()) {
        run->second.behind.push_back(std::move(item));
    } else if (Capture* capture = CaptureOf(stream)) {
        capture->Add(stream, std::move(item));
    } else if (stream || captures_.empty()) {
        return false;
    } else {
        for (const auto& one : captures_) one->valid = false;
        refused = Illegal("stream", "the default stream takes no work while a stream is captured", Word(stream),
                          "a stream of aclrtCreateStream", "create a stream for it");
    }
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
        // A run of another thread comes to its end, or to an event.
        const auto ends = [&] {
            return std::ranges::none_of(runs_, [&](const auto& run) {
                return (act == Act::kWaitForDevice || run.first == handle) && !run.second.event &&
                       run.second.thread != std::this_thread::get_id();
            });
        };
        ended_.wait(lock, ends);
        for (const auto& [stream, run] : runs_) {
            if ((act == Act::kWaitForStream && stream != handle) || !run.event) continue;
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
    if (!open.empty()) {
        return Illegal("stream", "a group of tasks was not ended",
                       fmt::format("stream {}, {} tasks", Word(open.begin()->first), open.begin()->second.size()),
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

aclError Captures::Execute(aclmdlRI model, aclrtStream stream, std::optional<Finding>& refused) {
    Lock lock(mutex_);
    const std::shared_ptr<Model>& replayed = models_.at(model);
    if (KeepItem(stream, {nullptr, std::nullopt, nullptr, replayed}, refused)) return ACL_SUCCESS;
    runs_[stream].frames.push_back({replayed});
    return Continue(lock, stream);
}

std::optional<Captures::Item> Captures::Next(Run& run) const {
    while (!run.frames.empty() && run.frames.back().next == run.frames.back().model->items.size())
        run.frames.pop_back();
    if (run.frames.empty() && run.behind.empty()) return std::nullopt;
    Item item = run.frames.empty() ? run.behind.front() : run.frames.back().model->items[run.frames.back().next];
    if (item.act == EventAct::kWait && MustWait(item.event)) {
        run.event = item.event;
        return std::nullopt;
    }
    run.frames.empty() ? run.behind.pop_front() : void(++run.frames.back().next);
    return item;
}

aclError Captures::Continue(Lock& lock, aclrtStream stream) {
    aclError first = ACL_SUCCESS;
    Run& run = runs_.at(stream);  // stays where it is
    run.thread = std::this_thread::get_id();
    Count();
    const auto end = [&] {
        runs_.erase(stream);
        Count();
        ended_.notify_all();
    };
    while (std::optional<Item> item = Next(run)) {
        if (item->model) {
            run.frames.push_back({std::move(item->model)});
            continue;
        }
        try {
            lock.unlock();
            const aclError error = item->task(stream);
            lock.lock();
            if (!first) first = error;
            if (!item->act) continue;
            Mark(*item->act, item->event);
            if (const aclError woken = Wake(lock, item->event); !first) first = woken;
        } catch (...) {
            if (!lock.owns_lock()) lock.lock();
            end();  // and what was behind, as a board drops it
            throw;
        }
    }
    if (run.event) {
        ended_.notify_all();
    } else {
        end();
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
    const auto waits = [&](const auto& run) { return run.second.event == event && !MustWait(event); };
    for (auto it = runs_.begin(); (it = std::ranges::find_if(runs_, waits)) != runs_.end();) {
        it->second.event = nullptr;
        if (const aclError error = Continue(lock, const_cast<void*>(it->first)); !first) first = error;
    }
    return first;
}

}  // namespace sfumato::host
