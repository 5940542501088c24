// SPDX-License-Identifier: Apache-2.0
// Runs an operator's handler: now, on this thread, once (docs/spec/clients.md 4.4).
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

#include "torch_npu/csrc/core/npu/DeviceUtils.h"
#include "torch_npu/csrc/core/npu/NPUMacros.h"
#include "torch_npu/csrc/core/npu/npu_log.h"

namespace at_npu::native {

using PROC_FUNC = std::function<int()>;

class TORCH_NPU_API OpCommand {
public:
    OpCommand& Name(const std::string& name);
    OpCommand& SetCustomHandler(PROC_FUNC handler);
    // Throws c10::Error when the handler returns another number than 0, with what aclGetRecentErrMsg says, and when a
    // kernel it launched failed, with the report.
    void Run();
    static void RunOpApi(const std::string& name, PROC_FUNC handler, bool sync = false);
    static void RunOpApiV2(const std::string& name, const PROC_FUNC& handler, bool sync = false);

    // The form without a handler runs one of the vendor's operators: throws c10::Error.
    template <class... Arguments>
    OpCommand& Input(Arguments&&...) {
        return RefuseVendorOperator("Input");
    }
    template <class... Arguments>
    OpCommand& Output(Arguments&&...) {
        return RefuseVendorOperator("Output");
    }
    template <class... Arguments>
    OpCommand& Attr(Arguments&&...) {
        return RefuseVendorOperator("Attr");
    }

private:
    OpCommand& RefuseVendorOperator(const char* call);

    std::string name_;
    PROC_FUNC handler_;
};

}  // namespace at_npu::native
