// SPDX-License-Identifier: Apache-2.0
// Formats of tensors of the device npu: ND (2), and FRACTAL_NZ (29) for matrices.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "torch_npu/csrc/core/npu/NPUMacros.h"

namespace at_npu::native {

// The number of an aclFormat.
TORCH_NPU_API int64_t get_npu_format(const at::Tensor& tensor);
// Of what lies in memory: of FRACTAL_NZ (..., N/N0, M/16, 16, N0).
TORCH_NPU_API std::vector<int64_t> get_npu_storage_sizes(const at::Tensor& tensor);
// The same tensor in another format: a new one, or itself. Throws c10::Error for formats other than these two.
TORCH_NPU_API at::Tensor npu_format_cast(const at::Tensor& tensor, int64_t format);
TORCH_NPU_API at::Tensor empty_with_format(c10::IntArrayRef sizes, const c10::TensorOptions& options, int64_t format,
                                           bool keep_format = false);

}  // namespace at_npu::native
