// SPDX-License-Identifier: Apache-2.0
// MaxWithIndex: the largest element of each row, and where it first is.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#define CHECK_RETURN(condition)                    \
    do {                                           \
        if (!(condition)) return ge::GRAPH_FAILED; \
    } while (0)

namespace optiling {
BEGIN_TILING_DATA_DEF(MaxWithIndexTilingData)
TILING_DATA_FIELD_DEF(int16_t, padded);
TILING_DATA_FIELD_DEF(int16_t, reserve);
TILING_DATA_FIELD_DEF(int32_t, cols);
TILING_DATA_FIELD_DEF(int64_t, rows);
TILING_DATA_FIELD_DEF(int8_t, group);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MaxWithIndex, MaxWithIndexTilingData)

static ge::graphStatus MaxWithIndexTiling(gert::TilingContext* context) {
    CHECK_RETURN(context != nullptr);
    const gert::StorageShape* x = context->GetInputShape(0);
    CHECK_RETURN(x != nullptr && x->GetStorageShape().GetDimNum() == 2);
    const int64_t rows = x->GetStorageShape().GetDim(0), cols = x->GetStorageShape().GetDim(1);
    CHECK_RETURN(cols >= 1 && cols <= 4096);
    MaxWithIndexTilingData t;
    t.set_rows(rows);
    t.set_cols(cols);
    t.set_padded((cols + 63) / 64 * 64);
    t.set_reserve(0);
    t.set_group(8);
    const int64_t groups = (rows + 7) / 8;
    context->SetBlockDim(groups < 1 ? 1 : groups > 20 ? 20 : groups);
    t.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(t.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus MaxWithIndexShape(gert::InferShapeContext* context) {
    for (size_t i = 0; i < context->GetComputeNodeOutputNum(); ++i) {
        gert::Shape* out = context->GetOutputShape(i);
        *out = gert::Shape({context->GetInputShape(0)->GetDim(0)});
    }
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus MaxWithIndexType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    context->SetOutputDataType(1, ge::DT_INT32);
    return ge::GRAPH_SUCCESS;
}
class MaxWithIndex : public OpDef {
public:
    explicit MaxWithIndex(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("value").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("index").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
        this->SetInferShape(MaxWithIndexShape).SetInferDataType(MaxWithIndexType);
        this->AICore().SetTiling(optiling::MaxWithIndexTiling);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(MaxWithIndex);
}  // namespace ops
