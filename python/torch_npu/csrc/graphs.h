// SPDX-License-Identifier: Apache-2.0
// What torch.npu's graphs call: captures of streams and their replays, by the acl calls.
#pragma once

#include <torch/csrc/utils/pybind.h>

#include "capture.h"
#include "guard.h"

namespace torch_npu {

inline aclrtStream StreamOf(int64_t id) { return reinterpret_cast<aclrtStream>(id); }
inline aclmdlRI ModelOf(int64_t id) { return reinterpret_cast<aclmdlRI>(id); }

inline void DefineGraphs(pybind11::module_& m) {
    using sfumato::host::HostAct;
    m.def("capture_begin", [](int64_t stream, int mode) {
        CheckAcl(aclmdlRICaptureBegin(StreamOf(stream), static_cast<aclmdlRICaptureMode>(mode)));
    });
    m.def("capture_end", [](int64_t stream) {
        aclmdlRI model = nullptr;
        CheckAcl(aclmdlRICaptureEnd(StreamOf(stream), &model));
        return reinterpret_cast<int64_t>(model);
    });
    m.def("is_captured", [](int64_t stream) { return sfumato::host::IsCaptured(StreamOf(stream)); });
    m.def("execute", [](int64_t model, int64_t stream) {
        pybind11::gil_scoped_release release;  // a task may be a function of Python's on another thread
        CheckAcl(aclmdlRIExecuteAsync(ModelOf(model), StreamOf(stream)));
    });
    m.def("destroy_model", [](int64_t model) { aclmdlRIDestroy(ModelOf(model)); });
    m.def("check_wait", [](int64_t stream) { CheckAllowed(HostAct::kWaitForStream, StreamOf(stream)); });
    m.def("check_wait_device", [] { CheckAllowed(HostAct::kWaitForDevice, nullptr); });

    m.def("group_begin", [](int64_t stream) { CheckAcl(aclmdlRICaptureTaskGrpBegin(StreamOf(stream))); });
    m.def("group_end", [](int64_t stream) {
        aclrtTaskGrp group = nullptr;
        CheckAcl(aclmdlRICaptureTaskGrpEnd(StreamOf(stream), &group));
        return reinterpret_cast<int64_t>(group);
    });
    m.def("update_begin", [](int64_t stream, int64_t group) {
        CheckAcl(aclmdlRICaptureTaskUpdateBegin(StreamOf(stream), reinterpret_cast<aclrtTaskGrp>(group)));
    });
    m.def("update_end", [](int64_t stream) { CheckAcl(aclmdlRICaptureTaskUpdateEnd(StreamOf(stream))); });
}

}  // namespace torch_npu
