// SPDX-License-Identifier: Apache-2.0
// What a header that is copied from extension to extension takes from headers of torch_npu without naming them.
#include <torch/extension.h>
#include <torch_npu/csrc/framework/utils/CalcuOpUtil.h>
#include <torch_npu/csrc/framework/utils/OpAdapter.h>

#include "torch_npu/csrc/framework/OpCommand.h"

static vector<string> names = {"one", "two"};

static int64_t Device(const string& asked) {
    int32_t device = -1;
    if (c10_npu::GetDevice(&device) != ACL_SUCCESS) ASCEND_LOGE("no device");
    ASCEND_LOGW("%s is device %d", asked.c_str(), device);
    ASCEND_LOGI("looking on");
    ASCEND_LOGD("of %zu names", names.size());
    return device;
}

static bool IsHere(const at::Tensor& tensor) {
    return tensor.device().type() == torch_npu::utils::get_npu_device_type() && torch_npu::utils::is_npu(tensor);
}

static void Complain(const string& what) { ASCEND_LOGE("%s is wrong", what.c_str()); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
    module.def("device", &Device);
    module.def("is_here", &IsHere);
    module.def("complain", &Complain);
}
