// SPDX-License-Identifier: Apache-2.0
// GatherRows: every rank of a group gets the rows of all, y[r] = x of rank r.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GatherRowsTiling)
TILING_DATA_FIELD_DEF(uint32_t, ranks);
TILING_DATA_FIELD_DEF(uint32_t, count);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GatherRows, GatherRowsTiling)

static ge::graphStatus TilingGatherRows(gert::TilingContext* context) {
    const int64_t count = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    if (count % 8 != 0 || count > 4096) return ge::GRAPH_FAILED;
    GatherRowsTiling tiling;
    tiling.set_ranks(static_cast<uint32_t>(*context->GetAttrs()->GetInt(1)));
    tiling.set_count(static_cast<uint32_t>(count));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim(1);
    context->GetWorkspaceSizes(1)[0] = 32;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus InferShapeGatherRows(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = {*context->GetAttrs()->GetInt(1), context->GetInputShape(0)->GetDim(0)};
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferDataTypeGatherRows(gert::InferDataTypeContext* context) {
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}

class GatherRows : public OpDef {
public:
    explicit GatherRows(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
        this->Attr("group").AttrType(REQUIRED).String();
        this->Attr("ranks").AttrType(REQUIRED).Int();
        this->SetInferShape(InferShapeGatherRows).SetInferDataType(InferDataTypeGatherRows);
        this->AICore().SetTiling(optiling::TilingGatherRows);
        this->AICore().AddConfig("ascend910_93");
        this->MC2().HcclGroup("group");
    }
};
OP_ADD(GatherRows);
}  // namespace ops
