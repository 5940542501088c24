// SPDX-License-Identifier: Apache-2.0
// An operator by the dispatcher: one kernel for the device, one for the CPU, one for shapes alone.
#include <ATen/ATen.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/library.h>

#include "torch_npu/csrc/core/npu/DeviceUtils.h"
#include "torch_npu/csrc/core/npu/NPUGuard.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

void LaunchLeaky(uint32_t blocks, void* stream, void* x, void* y, uint32_t total, float slope);

static at::Tensor LeakyNpu(const at::Tensor& x, double slope) {
    TORCH_CHECK(torch_npu::utils::is_npu(x), "leaky: the tensor is on ", x.device());
    TORCH_CHECK(x.scalar_type() == at::kHalf && x.is_contiguous(), "leaky: expected contiguous halves");
    const c10_npu::OptionalNPUGuard guard(x.device());
    at::Tensor y = at::empty_like(x);
    LaunchLeaky(8, c10_npu::getCurrentNPUStream(), x.data_ptr(), y.data_ptr(), static_cast<uint32_t>(x.numel()),
                static_cast<float>(slope));
    return y;
}
static at::Tensor LeakyCpu(const at::Tensor& x, double slope) { return at::leaky_relu(x, slope); }
static at::Tensor LeakyMeta(const at::Tensor& x, double) { return at::empty_like(x); }

TORCH_LIBRARY(leaky, m) { m.def("leaky(Tensor x, float slope=0.25) -> Tensor"); }
TORCH_LIBRARY_IMPL(leaky, PrivateUse1, m) { m.impl("leaky", LeakyNpu); }
TORCH_LIBRARY_IMPL(leaky, CPU, m) { m.impl("leaky", LeakyCpu); }
TORCH_LIBRARY_IMPL(leaky, Meta, m) { m.impl("leaky", LeakyMeta); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
