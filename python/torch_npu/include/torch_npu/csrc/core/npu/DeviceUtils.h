// SPDX-License-Identifier: Apache-2.0
// Whether a tensor lies on the device npu.
#pragma once

#include <ATen/core/Tensor.h>

namespace torch_npu::utils {

inline c10::DeviceType get_npu_device_type() { return c10::DeviceType::PrivateUse1; }
inline bool is_npu(const at::Tensor& tensor) { return tensor.device().is_privateuseone(); }
inline bool is_npu(const c10::TensorOptions& options) { return options.device().is_privateuseone(); }
inline bool is_npu(const c10::Device& device) { return device.is_privateuseone(); }
inline void torch_check_npu(const at::Tensor& tensor) {
    TORCH_CHECK(is_npu(tensor), "expected a tensor of the device npu, found one of ", tensor.device());
}

}  // namespace torch_npu::utils
