// SPDX-License-Identifier: Apache-2.0
// Events of the device npu, with the members that PyTorch's events of a device have. What is recorded has happened.
#pragma once

#include <utility>

#include "torch_npu/csrc/core/npu/NPUStream.h"

namespace c10_npu {

// Made when it is first recorded; moved, not copied.
struct NPUEvent {
    NPUEvent() = default;
    // Which kind of aclrtEvent the vendor's makes; here there is one, which has a time.
    explicit NPUEvent(unsigned int flags) { (void)flags; }
    ~NPUEvent() {
        if (event_) aclrtDestroyEvent(event_);
    }
    NPUEvent(NPUEvent&& other) noexcept { *this = std::move(other); }
    NPUEvent& operator=(NPUEvent&& other) noexcept {
        std::swap(event_, other.event_);
        std::swap(device_, other.device_);
        return *this;
    }

    operator aclrtEvent() const { return event(); }
    aclrtEvent event() const { return event_; }
    bool isCreated() const { return event_ != nullptr; }
    c10::DeviceIndex device_index() const { return device_; }

    // True: everything recorded has happened.
    bool query() const { return true; }
    void record() { record(getCurrentNPUStream()); }
    void record(const NPUStream& stream) {
        if (!event_) Check(aclrtCreateEvent(&event_));
        device_ = stream.device_index();
        Check(aclrtRecordEvent(event_, stream));
    }
    void recordOnce(const NPUStream& stream) {
        if (!event_) record(stream);
    }
    void block(const NPUStream& stream) const {
        if (event_) Check(aclrtStreamWaitEvent(stream, event_));
    }
    // Throws c10::Error with the reports of faults that no call has raised.
    void synchronize() const {
        if (event_) npuSynchronizeDevice();
    }
    // Milliseconds of this machine.
    float elapsed_time(const NPUEvent& end) const {
        TORCH_CHECK(event_ && end.event_, "NPUEvent::elapsed_time: both events must be recorded first");
        float milliseconds = 0;
        Check(aclrtEventElapsedTime(&milliseconds, event_, end.event_));
        return milliseconds;
    }

private:
    static void Check(aclError error) {
        if (error == ACL_SUCCESS) return;
        const char* text = aclGetRecentErrMsg();
        TORCH_CHECK(false, text ? text : "an acl call failed");
    }

    aclrtEvent event_ = nullptr;
    c10::DeviceIndex device_ = -1;
};

}  // namespace c10_npu
