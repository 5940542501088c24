// SPDX-License-Identifier: Apache-2.0
// What every context of a host function offers: the operator's node, its attributes and what its tensors are
// (docs/spec/clients.md 6.3). Plain indices count given tensors, those of Optional, Required and Dynamic declarations.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sfumato/op/attrs.h"

namespace sfumato {
namespace op {

struct HostCall;  // a call with its tensors, attributes and results

}  // namespace op
}  // namespace sfumato

namespace gert {

// Of a declared input or output: its first tensor among the given ones, and how many it has.
class AnchorInstanceInfo {
public:
    AnchorInstanceInfo() = default;
    AnchorInstanceInfo(uint32_t start, uint32_t count) : start_(start), count_(count) {}
    size_t GetInstanceStart() const { return start_; }
    size_t GetInstanceNum() const { return count_; }

private:
    uint32_t start_ = 0, count_ = 0;
};

// Calls with a plain index: nullptr behind the last given tensor, and a warning (op-index) where the number counts
// differently from the declarations; a number that no call could have is a fault. Calls with the index of a
// declaration: nullptr for an absent optional one; an input that is not declared is a fault.
class SFUMATO_API ComputeNodeInfo {
public:
    explicit ComputeNodeInfo(sfumato::op::HostCall* call) : call_(call) {}

    const char* GetNodeType() const;
    const char* GetNodeName() const;
    size_t GetInputsNum() const;
    size_t GetOutputsNum() const;
    size_t GetIrInputsNum() const;
    size_t GetIrOutputsNum() const;
    const AnchorInstanceInfo* GetInputInstanceInfo(size_t ir_index, Where where = Where::Here()) const;
    const AnchorInstanceInfo* GetOutputInstanceInfo(size_t ir_index, Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetInputTdInfo(size_t index, Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetOutputTdInfo(size_t index, Where where = Where::Here()) const;
    const RuntimeAttrs* GetAttrs() const;

private:
    sfumato::op::HostCall* call_;
};

class SFUMATO_API KernelContext {
public:
    explicit KernelContext(sfumato::op::HostCall* call) : call_(call) {}
    KernelContext& operator=(KernelContext&&) = delete;

    sfumato::op::HostCall* sfumato_call() const { return call_; }

protected:
    sfumato::op::HostCall* call_;
};

class SFUMATO_API ExtendedKernelContext : public KernelContext {
public:
    using KernelContext::KernelContext;

    const char* GetNodeType() const;
    const char* GetNodeName() const;
    const RuntimeAttrs* GetAttrs() const;
    const ComputeNodeInfo* GetComputeNodeInfo() const;
    size_t GetComputeNodeInputNum() const;
    size_t GetComputeNodeOutputNum() const;
    const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t ir_index, Where where = Where::Here()) const;
    const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t ir_index, Where where = Where::Here()) const;

    const CompileTimeTensorDesc* GetInputDesc(size_t index, Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetOutputDesc(size_t index, Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index, Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index, Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index, size_t relative_index,
                                                     Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetRequiredOutputDesc(size_t ir_index, Where where = Where::Here()) const;
    const CompileTimeTensorDesc* GetDynamicOutputDesc(size_t ir_index, size_t relative_index,
                                                      Where where = Where::Here()) const;

protected:
    // nullptr as above. `call` is the method's name.
    const Tensor* Input(const char* call, size_t index, Where where) const;
    Tensor* Output(const char* call, size_t index, Where where) const;
    const Tensor* DeclaredInput(const char* call, size_t ir_index, size_t relative_index, Where where) const;
    Tensor* DeclaredOutput(const char* call, size_t ir_index, size_t relative_index, Where where) const;
};

}  // namespace gert
