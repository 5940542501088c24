// SPDX-License-Identifier: Apache-2.0
// JoinCustom: y = the sum of the list x, and of the list w, for calls by an operator's name.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(JoinTiling)
TILING_DATA_FIELD_DEF(uint32_t, size);
TILING_DATA_FIELD_DEF(uint32_t, xs);
TILING_DATA_FIELD_DEF(uint32_t, ws);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(JoinCustom, JoinTiling)

static ge::graphStatus Join(gert::TilingContext* context) {
    JoinTiling tiling;
    tiling.set_size(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_xs(context->GetIrInputInstanceInfo(0)->GetInstanceNum());
    tiling.set_ws(context->GetIrInputInstanceInfo(1)->GetInstanceNum());
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus AsFirst(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class JoinCustom : public OpDef {
public:
    explicit JoinCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("w").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(ge::AsFirst);
        this->AICore().SetTiling(optiling::Join);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(JoinCustom);
}  // namespace ops
