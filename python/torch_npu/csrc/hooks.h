// SPDX-License-Identifier: Apache-2.0
// What PyTorch's CPU code asks of the device.
#pragma once

#include <ATen/detail/PrivateUse1HooksInterface.h>

#include "devices.h"
#include "memory.h"
#include "random.h"

namespace torch_npu {

// Without override where releases of PyTorch differ: 2.6 does not ask isBuilt and isAvailable.
struct Hooks final : at::PrivateUse1HooksInterface {
    bool isBuilt() const { return true; }
    bool isAvailable() const { return true; }
    void init() const override {}
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    c10::DeviceIndex deviceCount() const override { return Devices::Count(); }
    void setCurrentDevice(c10::DeviceIndex device) const override { Devices::Set(device); }
    c10::DeviceIndex getCurrentDevice() const override { return Devices::Current(); }
    c10::DeviceIndex exchangeDevice(c10::DeviceIndex device) const override {
        const c10::DeviceIndex before = Devices::Current();
        if (device >= 0) Devices::Set(device);
        return before;
    }
    c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex device) const override { return exchangeDevice(device); }
    at::Device getDeviceFromPtr(void*) const override { return Devices::Npu(Devices::Current()); }
    bool isPinnedPtr(const void* p) const override { return PinnedAllocator::The().Owns(p); }
    c10::Allocator* getPinnedMemoryAllocator() const override { return &PinnedAllocator::The(); }
    const at::Generator& getDefaultGenerator(c10::DeviceIndex device) const override {
        return GeneratorOfDevice::Default(device);
    }
    at::Generator getNewGenerator(c10::DeviceIndex device) const override {
        return at::make_generator<GeneratorOfDevice>(Devices::Resolve(device));
    }
    void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
        ResizeStorage(storage.unsafeGetStorageImpl(), bytes);
    }
};

}  // namespace torch_npu
