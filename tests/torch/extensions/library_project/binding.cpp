// SPDX-License-Identifier: Apache-2.0
// Launches kernels of a library by the header that its build wrote, in the handler of an OpCommand.
#include <ATen/ATen.h>
#include <torch/csrc/utils/pybind.h>

#include <optional>
#include <tuple>

#include "aclrtlaunch_row_sum.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
#include "torch_npu/csrc/framework/OpCommand.h"

// A tensor is its address to a kernel, a number itself.
static void* Argument(const at::Tensor& tensor) { return tensor.data_ptr(); }
template <class T>
static T Argument(T value) {
    return value;
}

#define EXEC_KERNEL_CMD(kernel, blocks, ...)                                                                          \
    do {                                                                                                              \
        auto stream = c10_npu::getCurrentNPUStream().stream(false);                                                   \
        auto handler = [=]() -> int {                                                                                 \
            return std::apply([&](auto... a) { return ACLRT_LAUNCH_KERNEL(kernel)(blocks, stream, Argument(a)...); }, \
                              std::make_tuple(__VA_ARGS__));                                                          \
        };                                                                                                            \
        at_npu::native::OpCommand command;                                                                            \
        command.Name(#kernel).SetCustomHandler(handler).Run();                                                        \
    } while (false)

static at::Tensor RowSum(const at::Tensor& x) {
    at::Tensor y = at::empty({x.size(0)}, x.options());
    EXEC_KERNEL_CMD(row_sum, static_cast<uint32_t>(x.size(0)), x, y, static_cast<uint32_t>(x.size(1)));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("row_sum", &RowSum);
    m.def("failing_handler", [] { at_npu::native::OpCommand::RunOpApi("Failing", [] { return 161001; }); });
    m.def("no_handler", [] { at_npu::native::OpCommand().Name("Empty").Run(); });
    m.def("vendor_operator", [](const at::Tensor& x) { at_npu::native::OpCommand().Name("Add").Input(x).Run(); });
}
