// SPDX-License-Identifier: Apache-2.0
// Which devices there are: one, or the SFUMATO_DEVICES names of one. The current device and stream of a thread.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/util/Exception.h>

#include <cstdlib>
#include <vector>

namespace torch_npu {

class Devices {
public:
    static c10::DeviceIndex Count() noexcept {
        static const c10::DeviceIndex count = [] {
            const char* text = std::getenv("SFUMATO_DEVICES");
            const long number = text ? std::strtol(text, nullptr, 10) : 1;
            return static_cast<c10::DeviceIndex>(number < 1 || number > 64 ? 1 : number);
        }();
        return count;
    }
    static c10::DeviceIndex Current() noexcept { return current; }
    static void Set(c10::DeviceIndex device) {
        Check(device);
        current = device;
    }
    static void SetUnchecked(c10::DeviceIndex device) noexcept {
        if (device >= 0 && device < Count()) current = device;
    }
    static void Check(c10::DeviceIndex device) {
        TORCH_CHECK(device >= 0 && device < Count(), "npu:", static_cast<int>(device), ": there ",
                    Count() == 1 ? "is one device, npu:0" : "are fewer devices",
                    ". SFUMATO_DEVICES=N makes N names for it (found ", static_cast<int>(Count()), ")");
    }
    static c10::DeviceIndex Resolve(c10::DeviceIndex device) {
        if (device == -1) return current;
        Check(device);
        return device;
    }
    static c10::DeviceIndex Resolve(c10::Device device) {
        TORCH_CHECK(device.is_privateuseone(), "expected a device npu, found ", device);
        return Resolve(device.index());
    }

    static c10::Stream CurrentStream(c10::DeviceIndex device) {
        return c10::Stream(c10::Stream::UNSAFE, Npu(device), streams()[static_cast<size_t>(device)]);
    }
    static void SetCurrentStream(c10::Stream stream) {
        streams()[static_cast<size_t>(stream.device_index())] = stream.id();
    }
    static c10::Device Npu(c10::DeviceIndex device) { return {c10::DeviceType::PrivateUse1, device}; }

private:
    static std::vector<c10::StreamId>& streams() {
        thread_local std::vector<c10::StreamId> ids(static_cast<size_t>(Count()), 0);
        return ids;
    }
    static inline thread_local c10::DeviceIndex current = 0;
};

}  // namespace torch_npu
