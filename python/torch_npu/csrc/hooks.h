// SPDX-License-Identifier: Apache-2.0
// What PyTorch's CPU code asks of the device.
#pragma once

#include <ATen/detail/PrivateUse1HooksInterface.h>

#include "devices.h"
#include "memory.h"
#include "random.h"

namespace torch_npu {

// Without override, since releases of PyTorch differ in what they ask: 2.1 two of these.
struct Hooks final : at::PrivateUse1HooksInterface {
    bool isBuilt() const { return true; }
    bool isAvailable() const { return true; }
    void init() const {}
    bool hasPrimaryContext(c10::DeviceIndex) const { return true; }
    c10::DeviceIndex deviceCount() const { return Devices::Count(); }
    void setCurrentDevice(c10::DeviceIndex device) const { Devices::Set(device); }
    c10::DeviceIndex getCurrentDevice() const { return Devices::Current(); }
    c10::DeviceIndex exchangeDevice(c10::DeviceIndex device) const {
        const c10::DeviceIndex before = Devices::Current();
        if (device >= 0) Devices::Set(device);
        return before;
    }
    c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex device) const { return exchangeDevice(device); }
    at::Device getDeviceFromPtr(void*) const { return Devices::Npu(Devices::Current()); }
    bool isPinnedPtr(const void* p) const { return PinnedAllocator::The().Owns(p); }
    c10::Allocator* getPinnedMemoryAllocator() const { return &PinnedAllocator::The(); }
    const at::Generator& getDefaultGenerator(c10::DeviceIndex device) const {
        return GeneratorOfDevice::Default(device);
    }
    const at::Generator& getDefaultGenerator(c10::DeviceIndex device) { return GeneratorOfDevice::Default(device); }
    at::Generator getNewGenerator(c10::DeviceIndex device) const {
        return at::make_generator<GeneratorOfDevice>(Devices::Resolve(device));
    }
    void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const {
        ResizeStorage(storage.unsafeGetStorageImpl(), bytes);
    }
};

}  // namespace torch_npu
