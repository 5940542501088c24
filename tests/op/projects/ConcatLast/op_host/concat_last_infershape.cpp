// SPDX-License-Identifier: Apache-2.0
#include "log/log.h"
#include "register/op_impl_registry.h"

using namespace ge;
namespace ops {
static graphStatus InferShape4ConcatLast(gert::InferShapeContext* context) {
    const size_t count = context->GetComputeNodeInfo()->GetIrInputsNum() == 1 ? context->GetComputeNodeInputNum() : 0;
    OP_CHECK_IF(count == 0, OP_LOGE(context->GetNodeName(), "no tensor to concatenate"), return GRAPH_FAILED);
    const gert::Shape* first = context->GetDynamicInputShape(0, 0);
    OP_CHECK_NULL_WITH_CONTEXT(context, first);
    const size_t axis = first->GetDimNum() - 1;
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const gert::Shape* shape = context->GetDynamicInputShape(0, i);
        OP_CHECK_IF(shape->GetDimNum() != axis + 1, OP_LOGE(context->GetNodeName(), "input %zu has another rank", i),
                    return GRAPH_FAILED);
        sum += shape->GetDim(axis);
    }
    gert::Shape* out = context->GetOutputShape(0);
    *out = *first;
    out->SetDim(axis, sum);
    return GRAPH_SUCCESS;
}

static graphStatus InferDataType4ConcatLast(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetDynamicInputDataType(0, 0));
    return GRAPH_SUCCESS;
}

IMPL_OP_INFERSHAPE(ConcatLast).InferShape(InferShape4ConcatLast).InferDataType(InferDataType4ConcatLast);
}  // namespace ops
