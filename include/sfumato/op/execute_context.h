// SPDX-License-Identifier: Apache-2.0
// The contexts of functions that run an operator by aclnn calls where a graph has no kernel for it. Operators are
// called here, no graphs: nothing calls such a function, and sources that have one compile.
#pragma once

#include <vector>

#include "sfumato/op/infer_context.h"

namespace gert {

class OpExecuteContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;

    const Tensor* GetInputTensor(size_t) const { return nullptr; }
    const Tensor* GetOptionalInputTensor(size_t) const { return nullptr; }
    const Tensor* GetRequiredInputTensor(size_t) const { return nullptr; }
    const Tensor* GetDynamicInputTensor(size_t, size_t) const { return nullptr; }
    const Tensor* GetOutputTensor(size_t) const { return nullptr; }
    const Tensor* GetRequiredOutputTensor(size_t) const { return nullptr; }
    const Tensor* GetDynamicOutputTensor(size_t, size_t) const { return nullptr; }
    void* GetStream() const { return nullptr; }
    void* MallocWorkspace(size_t) { return nullptr; }
    void FreeWorkspace() {}
    int32_t GetDeterministic() const { return 0; }
};
class OpExecutePrepareContext : public OpExecuteContext {
public:
    using OpExecuteContext::OpExecuteContext;

    ge::graphStatus SetWorkspaceSizes(const std::vector<size_t>&) { return ge::GRAPH_SUCCESS; }
    template <class Params>
    ge::graphStatus SetOpApiParamsWithDefaultDeleter(Params*) {
        return ge::GRAPH_SUCCESS;
    }
};
class OpExecuteLaunchContext : public OpExecuteContext {
public:
    using OpExecuteContext::OpExecuteContext;

    template <class Params>
    Params* GetOpApiParams() const {
        return nullptr;
    }
};

}  // namespace gert
