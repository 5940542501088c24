// SPDX-License-Identifier: Apache-2.0
// ColumnSums: the sums of the columns of x [m, n]; the cores add their shares to an output that starts as 0.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

#include "column_sums_tiling.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    const auto shape = context->GetInputShape(0)->GetStorageShape();
    if (shape.GetDimNum() != 2) return ge::GRAPH_FAILED;
    const uint32_t m = shape[0], n = shape[1];
    const uint32_t cores = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
    TilingDataColumnSums tiling;
    tiling.set_shape(m, n);
    context->SetBlockDim(m == 0 ? 1 : m < cores ? m : cores);
    context->SetNeedAtomic(true);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
    gert::Shape* y = context->GetOutputShape(0);
    y->SetDimNum(1);
    y->SetDim(0, context->GetInputShape(0)->GetDim(1));
    return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class ColumnSums : public OpDef {
public:
    explicit ColumnSums(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .InitValue(0);
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(ColumnSums);
}  // namespace ops
