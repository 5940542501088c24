// SPDX-License-Identifier: Apache-2.0
// RepeatRows: row i of x stands repeats[i] times in y. The tiling reads the values of repeats.
#include <cstdio>

#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr size_t MAX_ROWS = 64;

BEGIN_TILING_DATA_DEF(RepeatRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, rowBytes);
TILING_DATA_FIELD_DEF_ARR(uint32_t, 65, starts);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(RepeatRows, RepeatRowsTilingData)

static ge::graphStatus RepeatRowsTilingFunc(gert::TilingContext* context) {
    const gert::Tensor* repeats = context->GetInputTensor(1);
    const int64_t* values = repeats->GetData<int64_t>();
    OP_CHECK_NULL_WITH_CONTEXT(context, values);
    const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
    const size_t rows = x.GetDim(0);
    if (rows > MAX_ROWS || static_cast<size_t>(repeats->GetShapeSize()) != rows || x.GetDim(1) > 8192) {
        OP_LOGE(context->GetNodeName(), "%zu rows, %ld repeats", rows, repeats->GetShapeSize());
        return ge::GRAPH_FAILED;
    }
    uint32_t starts[MAX_ROWS + 1] = {0};
    for (size_t i = 0; i < rows; ++i) {
        if (values[i] < 0) {
            OP_LOGE(context->GetNodeName(), "repeats[%zu] is %ld", i, values[i]);
            return ge::GRAPH_FAILED;
        }
        starts[i + 1] = starts[i] + values[i];
    }
    RepeatRowsTilingData tiling;
    tiling.set_rows(rows);
    tiling.set_rowBytes(x.GetDim(1) * ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
    tiling.set_starts(starts);
    context->SetBlockDim(rows < 1 ? 1 : rows < 16 ? rows : 16);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus RepeatRowsInferShape(gert::InferShapeContext* context) {
    const gert::Tensor* repeats = context->GetInputTensor(1);
    gert::Shape* y = context->GetOutputShape(0);
    *y = *context->GetInputShape(0);
    int64_t rows = 0;
    for (int64_t i = 0; i < repeats->GetShapeSize(); ++i) rows += repeats->GetData<int64_t>()[i];
    y->SetDim(0, rows);
    return GRAPH_SUCCESS;
}
static graphStatus RepeatRowsInferDataType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class RepeatRows : public OpDef {
public:
    explicit RepeatRows(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_UINT8})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("repeats")
            .ParamType(REQUIRED)
            .DataType({ge::DT_INT64, ge::DT_INT64})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .ValueDepend(OPTIONAL);
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_UINT8})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(ge::RepeatRowsInferShape).SetInferDataType(ge::RepeatRowsInferDataType);
        this->AICore().SetTiling(optiling::RepeatRowsTilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(RepeatRows);
}  // namespace ops
