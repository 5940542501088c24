// SPDX-License-Identifier: Apache-2.0
// The current device (docs/spec/clients.md 4.4).
#pragma once

#include <c10/core/Device.h>

#include "acl/acl_rt.h"
#include "torch_npu/csrc/core/npu/NPUMacros.h"

namespace c10_npu {

TORCH_NPU_API c10::DeviceIndex device_count() noexcept;
TORCH_NPU_API c10::DeviceIndex device_count_ensure_non_zero();
TORCH_NPU_API c10::DeviceIndex current_device();
// Throws c10::Error for a device that does not exist.
TORCH_NPU_API void set_device(c10::DeviceIndex device);
TORCH_NPU_API void device_synchronize();

TORCH_NPU_API aclError GetDeviceCount(int32_t* count);
TORCH_NPU_API aclError GetDevice(int32_t* device);
TORCH_NPU_API aclError SetDevice(c10::DeviceIndex device);
// Sets the device; returns the one before.
TORCH_NPU_API c10::DeviceIndex ExchangeDevice(c10::DeviceIndex device);
TORCH_NPU_API c10::DeviceIndex MaybeExchangeDevice(c10::DeviceIndex device);

}  // namespace c10_npu
