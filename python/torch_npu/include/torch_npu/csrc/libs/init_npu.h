// SPDX-License-Identifier: Apache-2.0
// For C++ programs without Python: the device is there from the load of libtorch_npu on.
#pragma once

#include <c10/core/Device.h>

#include <string>

#include "torch_npu/csrc/core/npu/NPUMacros.h"

namespace torch_npu {

// Makes a device current. Throws c10::Error for one that does not exist.
TORCH_NPU_API void init_npu(c10::DeviceIndex device = 0);
TORCH_NPU_API void init_npu(const std::string& device);
TORCH_NPU_API void init_npu(const at::Device& device);
// Throws c10::Error with the reports of faults that no call has raised.
TORCH_NPU_API void finalize_npu();

}  // namespace torch_npu

namespace torch::npu {
using torch_npu::finalize_npu;
using torch_npu::init_npu;
// Waits for the device; -1: the current one.
TORCH_NPU_API void synchronize(int64_t device = -1);
}  // namespace torch::npu
