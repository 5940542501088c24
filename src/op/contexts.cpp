// SPDX-License-Identifier: Apache-2.0
// What the contexts of host functions say of a call.
#include "op/host_call.h"
#include "sfumato/op/infer_context.h"

namespace gert {

using sfumato::op::HostSide;

namespace {

template <class T>
const T* At(const std::vector<T>& all, size_t number) {
    return number == HostSide::kNone ? nullptr : &all[number];
}
const StorageShape* ShapeOf(const Tensor* tensor) { return tensor ? &tensor->GetShape() : nullptr; }
const Shape* OriginOf(const Tensor* tensor) { return tensor ? &tensor->GetOriginShape() : nullptr; }
ge::DataType TypeOf(const Tensor* tensor) { return tensor ? tensor->GetDataType() : ge::DT_UNDEFINED; }
Shape* OriginIn(Tensor* tensor) { return tensor ? &tensor->MutableOriginShape() : nullptr; }
ge::graphStatus SetType(Tensor* tensor, ge::DataType type) {
    if (tensor == nullptr) return ge::GRAPH_FAILED;
    tensor->SetDataType(type);
    return ge::GRAPH_SUCCESS;
}

}  // namespace

const char* ComputeNodeInfo::GetNodeType() const { return call_->definition.name.c_str(); }
const char* ComputeNodeInfo::GetNodeName() const { return call_->definition.name.c_str(); }
size_t ComputeNodeInfo::GetInputsNum() const { return call_->inputs.tensors.size(); }
size_t ComputeNodeInfo::GetOutputsNum() const { return call_->outputs.tensors.size(); }
size_t ComputeNodeInfo::GetIrInputsNum() const { return call_->inputs.anchors.size(); }
size_t ComputeNodeInfo::GetIrOutputsNum() const { return call_->outputs.anchors.size(); }
const AnchorInstanceInfo* ComputeNodeInfo::GetInputInstanceInfo(size_t ir_index, Where where) const {
    return &call_->inputs.Anchor("GetInputInstanceInfo", ir_index, where);
}
const AnchorInstanceInfo* ComputeNodeInfo::GetOutputInstanceInfo(size_t ir_index, Where where) const {
    return &call_->outputs.Anchor("GetOutputInstanceInfo", ir_index, where);
}
const CompileTimeTensorDesc* ComputeNodeInfo::GetInputTdInfo(size_t index, Where where) const {
    return At(call_->inputs.descs, call_->inputs.Plain("GetInputTdInfo", index, where));
}
const CompileTimeTensorDesc* ComputeNodeInfo::GetOutputTdInfo(size_t index, Where where) const {
    return At(call_->outputs.descs, call_->outputs.Plain("GetOutputTdInfo", index, where));
}
const RuntimeAttrs* ComputeNodeInfo::GetAttrs() const { return &call_->attrs; }

const char* ExtendedKernelContext::GetNodeType() const { return call_->node.GetNodeType(); }
const char* ExtendedKernelContext::GetNodeName() const { return call_->node.GetNodeName(); }
const RuntimeAttrs* ExtendedKernelContext::GetAttrs() const { return &call_->attrs; }
const ComputeNodeInfo* ExtendedKernelContext::GetComputeNodeInfo() const { return &call_->node; }
size_t ExtendedKernelContext::GetComputeNodeInputNum() const { return call_->node.GetInputsNum(); }
size_t ExtendedKernelContext::GetComputeNodeOutputNum() const { return call_->node.GetOutputsNum(); }
const AnchorInstanceInfo* ExtendedKernelContext::GetIrInputInstanceInfo(size_t ir_index, Where where) const {
    return &call_->inputs.Anchor("GetIrInputInstanceInfo", ir_index, where);
}
const AnchorInstanceInfo* ExtendedKernelContext::GetIrOutputInstanceInfo(size_t ir_index, Where where) const {
    return &call_->outputs.Anchor("GetIrOutputInstanceInfo", ir_index, where);
}

// One method for each word of the name: side, how it counts, what it gives.
#define SFUMATO_DESC(method, side, ...)                                \
    const CompileTimeTensorDesc* ExtendedKernelContext::method const { \
        return At(call_->side.descs, call_->side.__VA_ARGS__);         \
    }
SFUMATO_DESC(GetInputDesc(size_t index, Where where), inputs, Plain("GetInputDesc", index, where))
SFUMATO_DESC(GetOutputDesc(size_t index, Where where), outputs, Plain("GetOutputDesc", index, where))
SFUMATO_DESC(GetOptionalInputDesc(size_t ir, Where where), inputs, Declared("GetOptionalInputDesc", ir, 0, where))
SFUMATO_DESC(GetRequiredInputDesc(size_t ir, Where where), inputs, Declared("GetRequiredInputDesc", ir, 0, where))
SFUMATO_DESC(GetDynamicInputDesc(size_t ir, size_t relative, Where where), inputs,
             Declared("GetDynamicInputDesc", ir, relative, where))
SFUMATO_DESC(GetRequiredOutputDesc(size_t ir, Where where), outputs, Declared("GetRequiredOutputDesc", ir, 0, where))
SFUMATO_DESC(GetDynamicOutputDesc(size_t ir, size_t relative, Where where), outputs,
             Declared("GetDynamicOutputDesc", ir, relative, where))
#undef SFUMATO_DESC

const Tensor* ExtendedKernelContext::Input(const char* call, size_t index, Where where) const {
    return At(call_->inputs.tensors, call_->inputs.Plain(call, index, where));
}
Tensor* ExtendedKernelContext::Output(const char* call, size_t index, Where where) const {
    return const_cast<Tensor*>(At(call_->outputs.tensors, call_->outputs.Plain(call, index, where)));
}
const Tensor* ExtendedKernelContext::DeclaredInput(const char* call, size_t ir_index, size_t relative_index,
                                                   Where where) const {
    return At(call_->inputs.tensors, call_->inputs.Declared(call, ir_index, relative_index, where));
}
Tensor* ExtendedKernelContext::DeclaredOutput(const char* call, size_t ir_index, size_t relative_index,
                                              Where where) const {
    return const_cast<Tensor*>(
        At(call_->outputs.tensors, call_->outputs.Declared(call, ir_index, relative_index, where)));
}

// The inputs of a context: Get<Count>Input<What>.
#define SFUMATO_INPUTS(Context, Type, What, of)                                          \
    Type Context::GetInput##What(size_t index, Where where) const {                      \
        return of(Input("GetInput" #What, index, where));                                \
    }                                                                                    \
    Type Context::GetOptionalInput##What(size_t ir, Where where) const {                 \
        return of(DeclaredInput("GetOptionalInput" #What, ir, 0, where));                \
    }                                                                                    \
    Type Context::GetRequiredInput##What(size_t ir, Where where) const {                 \
        return of(DeclaredInput("GetRequiredInput" #What, ir, 0, where));                \
    }                                                                                    \
    Type Context::GetDynamicInput##What(size_t ir, size_t relative, Where where) const { \
        return of(DeclaredInput("GetDynamicInput" #What, ir, relative, where));          \
    }
SFUMATO_INPUTS(TilingContext, const StorageShape*, Shape, ShapeOf)
SFUMATO_INPUTS(TilingContext, const Tensor*, Tensor, )
SFUMATO_INPUTS(InferShapeContext, const Shape*, Shape, OriginOf)
SFUMATO_INPUTS(InferShapeContext, const Tensor*, Tensor, )
SFUMATO_INPUTS(InferDataTypeContext, ge::DataType, DataType, TypeOf)
SFUMATO_INPUTS(InferShapeRangeContext, const Range<Shape>*, ShapeRange, ShapeRangeOf)
SFUMATO_INPUTS(InferShapeRangeContext, const TensorRange*, TensorRange, TensorRangeOf)
#undef SFUMATO_INPUTS

const Range<Shape>* InferShapeRangeContext::ShapeRangeOf(const Tensor* tensor) const {
    return tensor ? &call_->shape_ranges.emplace_back(&const_cast<Tensor*>(tensor)->MutableOriginShape()) : nullptr;
}
const TensorRange* InferShapeRangeContext::TensorRangeOf(const Tensor* tensor) const {
    return tensor ? &call_->tensor_ranges.emplace_back(const_cast<Tensor*>(tensor)) : nullptr;
}
Range<Shape>* InferShapeRangeContext::GetOutputShapeRange(size_t index, Where where) {
    return const_cast<Range<Shape>*>(ShapeRangeOf(Output("GetOutputShapeRange", index, where)));
}

const StorageShape* TilingContext::GetOutputShape(size_t index, Where where) const {
    return ShapeOf(Output("GetOutputShape", index, where));
}
const StorageShape* TilingContext::GetRequiredOutputShape(size_t ir, Where where) const {
    return ShapeOf(DeclaredOutput("GetRequiredOutputShape", ir, 0, where));
}
const StorageShape* TilingContext::GetDynamicOutputShape(size_t ir, size_t relative, Where where) const {
    return ShapeOf(DeclaredOutput("GetDynamicOutputShape", ir, relative, where));
}

Shape* InferShapeContext::GetOutputShape(size_t index, Where where) {
    return OriginIn(Output("GetOutputShape", index, where));
}
Shape* InferShapeContext::GetRequiredOutputShape(size_t ir, Where where) {
    return OriginIn(DeclaredOutput("GetRequiredOutputShape", ir, 0, where));
}
Shape* InferShapeContext::GetDynamicOutputShape(size_t ir, size_t relative, Where where) {
    return OriginIn(DeclaredOutput("GetDynamicOutputShape", ir, relative, where));
}

ge::DataType InferDataTypeContext::GetOutputDataType(size_t index, Where where) const {
    return TypeOf(Output("GetOutputDataType", index, where));
}
ge::graphStatus InferDataTypeContext::SetOutputDataType(size_t index, ge::DataType type, Where where) {
    return SetType(Output("SetOutputDataType", index, where), type);
}
ge::graphStatus InferDataTypeContext::SetRequiredOutputDataType(size_t ir, ge::DataType type, Where where) {
    return SetType(DeclaredOutput("SetRequiredOutputDataType", ir, 0, where), type);
}
ge::graphStatus InferDataTypeContext::SetDynamicOutputDataType(size_t ir, size_t relative, ge::DataType type,
                                                               Where where) {
    return SetType(DeclaredOutput("SetDynamicOutputDataType", ir, relative, where), type);
}

}  // namespace gert
