// SPDX-License-Identifier: Apache-2.0
// Tensors for results.
#pragma once

#include <ATen/core/Tensor.h>

#include "torch_npu/csrc/core/npu/NPUFormat.h"
#include "torch_npu/csrc/core/npu/NPUMacros.h"

namespace at_npu::native {

class TORCH_NPU_API OpPreparation {
public:
    // Of the sizes and options, or those of another tensor; in ND.
    static at::Tensor apply_tensor_without_format(c10::IntArrayRef sizes, const c10::TensorOptions& options);
    static at::Tensor apply_tensor_without_format(const at::Tensor& like);
    static at::Tensor apply_tensor_without_format(const at::Tensor& like, c10::IntArrayRef sizes);
    // Bytes.
    static at::Tensor unsafe_empty_workspace(uint64_t bytes);
};

}  // namespace at_npu::native
