// SPDX-License-Identifier: Apache-2.0
// What PyTorch asks of a device: current device and streams, events by the acl calls, waiting.
#pragma once

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <array>

#include "acl/acl_rt.h"
#include "devices.h"
#include "faults.h"

namespace torch_npu {

inline void CheckAcl(aclError error) {
    if (error == ACL_SUCCESS) return;
    const char* text = aclGetRecentErrMsg();
    TORCH_CHECK(false, text ? text : "an acl call failed");
}

inline c10::Stream NewStream(c10::DeviceIndex device) {
    aclrtStream stream = nullptr;
    CheckAcl(aclrtCreateStream(&stream));
    return c10::Stream(c10::Stream::UNSAFE, Devices::Npu(device), reinterpret_cast<c10::StreamId>(stream));
}

// Streams are never destroyed, so that a copy of one stays valid.
inline c10::Stream PoolStream(c10::DeviceIndex device) {
    static std::mutex mutex;
    static std::array<c10::StreamId, 32> pool{};
    static size_t next = 0;
    std::lock_guard lock(mutex);
    c10::StreamId& id = pool[next++ % pool.size()];
    if (!id) id = NewStream(device).id();
    return c10::Stream(c10::Stream::UNSAFE, Devices::Npu(device), id);
}

struct Guard final : c10::impl::DeviceGuardImplInterface {
    static aclrtStream Of(const c10::Stream& stream) { return reinterpret_cast<aclrtStream>(stream.id()); }

    c10::DeviceType type() const override { return c10::DeviceType::PrivateUse1; }
    c10::Device exchangeDevice(c10::Device device) const override {
        const c10::Device before = getDevice();
        setDevice(device);
        return before;
    }
    c10::Device getDevice() const override { return Devices::Npu(Devices::Current()); }
    void setDevice(c10::Device device) const override { Devices::Set(Devices::Resolve(device)); }
    void uncheckedSetDevice(c10::Device device) const noexcept override { Devices::SetUnchecked(device.index()); }
    c10::DeviceIndex deviceCount() const noexcept override { return Devices::Count(); }

    c10::Stream getStream(c10::Device device) const noexcept override {
        return Devices::CurrentStream(device.index() < 0 ? Devices::Current() : device.index());
    }
    c10::Stream getDefaultStream(c10::Device device) const override {
        return c10::Stream(c10::Stream::DEFAULT, Devices::Npu(Devices::Resolve(device)));
    }
    c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override {
        return PoolStream(Devices::Resolve(device));
    }
    c10::Stream getNewStream(c10::Device device, int) const { return NewStream(Devices::Resolve(device)); }
    c10::Stream exchangeStream(c10::Stream stream) const noexcept override {
        const c10::Stream before = Devices::CurrentStream(stream.device_index());
        Devices::SetCurrentStream(stream);
        return before;
    }
    bool queryStream(const c10::Stream&) const override { return true; }
    void synchronizeStream(const c10::Stream&) const override { RaiseFaults(); }
    void synchronizeDevice(c10::DeviceIndex) const { RaiseFaults(); }

    void record(void** event, const c10::Stream& stream, c10::DeviceIndex, c10::EventFlag) const override {
        if (!*event) CheckAcl(aclrtCreateEvent(event));
        CheckAcl(aclrtRecordEvent(*event, Of(stream)));
    }
    void block(void* event, const c10::Stream& stream) const override {
        if (event) CheckAcl(aclrtStreamWaitEvent(Of(stream), event));
    }
    bool queryEvent(void*) const override { return true; }
    void synchronizeEvent(void*) const { RaiseFaults(); }
    void destroyEvent(void* event, c10::DeviceIndex) const noexcept override {
        if (event) aclrtDestroyEvent(event);
    }
    double elapsedTime(void* start, void* end, c10::DeviceIndex) const {
        float milliseconds = 0;
        CheckAcl(aclrtEventElapsedTime(&milliseconds, start, end));
        return milliseconds;
    }
};

}  // namespace torch_npu
