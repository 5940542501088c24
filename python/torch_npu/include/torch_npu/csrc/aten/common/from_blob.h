// SPDX-License-Identifier: Apache-2.0
// Tensors of the device npu over memory of the device that somebody else owns.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "torch_npu/csrc/core/npu/NPUMacros.h"

namespace at_npu::native {

// data: of aclrtMalloc, or inside a tensor. It must outlive the tensor, or `deleter` frees it.
TORCH_NPU_API at::Tensor from_blob(void* data, c10::IntArrayRef sizes, const c10::TensorOptions& options = {});
TORCH_NPU_API at::Tensor from_blob(void* data, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                                   const c10::TensorOptions& options = {});
TORCH_NPU_API at::Tensor from_blob(void* data, c10::IntArrayRef sizes, const std::function<void(void*)>& deleter,
                                   const c10::TensorOptions& options = {});

}  // namespace at_npu::native
