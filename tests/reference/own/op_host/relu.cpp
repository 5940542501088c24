// SPDX-License-Identifier: Apache-2.0
// An operator of the user's own with the name of a reference operator: out = max(self, 0) + 1000.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ReluTiling)
TILING_DATA_FIELD_DEF(uint32_t, size);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Relu, ReluTiling)

static ge::graphStatus Tile(gert::TilingContext* context) {
    ReluTiling tiling;
    tiling.set_size(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus SameShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
static graphStatus SameType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class Relu : public OpDef {
public:
    explicit Relu(const char* name) : OpDef(name) {
        this->Input("self").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("out").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(ge::SameShape).SetInferDataType(ge::SameType);
        this->AICore().SetTiling(optiling::Tile);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Relu);
}  // namespace ops
