// SPDX-License-Identifier: Apache-2.0
// Events of the device as an extension uses them.
#include <torch/extension.h>
#include <torch_npu/csrc/core/npu/NPUEvent.h>

static float Measured() {
    c10_npu::NPUEvent start(ACL_EVENT_TIME_LINE), end;
    start.record();
    at::ones({1000}, at::Device("npu:0"));
    end.record(c10_npu::getCurrentNPUStream());
    end.block(c10_npu::getDefaultNPUStream());
    end.synchronize();
    return start.elapsed_time(end);
}

static std::vector<bool> States() {
    c10_npu::NPUEvent event;
    const bool before = event.isCreated();
    event.recordOnce(c10_npu::getCurrentNPUStream());
    c10_npu::NPUEvent moved = std::move(event);
    return {before, moved.isCreated() && !event.isCreated(), moved.query()};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
    module.def("measured", &Measured);
    module.def("states", &States);
    module.def("unrecorded", [] { return c10_npu::NPUEvent().elapsed_time(c10_npu::NPUEvent()); });
}
