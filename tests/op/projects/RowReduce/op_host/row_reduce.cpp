// SPDX-License-Identifier: Apache-2.0
// RowReduce: sum or maximum over the last axis. The tiling key says which, and of which type.
#include <algorithm>
#include <string>

#include "log/log.h"
#include "register/op_def_registry.h"
#include "row_reduce_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace {
constexpr uint64_t KEY_SUM_FP32 = 1, KEY_MAX_FP32 = 2, KEY_SUM_FP16 = 11, KEY_MAX_FP16 = 12;
constexpr uint32_t TILE_COLS = 2048;
}  // namespace

namespace optiling {
static ge::graphStatus Tiling4RowReduce(gert::TilingContext* context) {
    OP_CHECK_NULL_WITH_CONTEXT(context, context->GetInputShape(0));
    const gert::Shape& shape = context->GetInputShape(0)->GetStorageShape();
    const size_t rank = shape.GetDimNum();
    if (rank < 1) {
        OP_LOGE(context->GetNodeName(), "x needs at least one axis, it has %zu", rank);
        return ge::GRAPH_FAILED;
    }
    uint64_t rows = 1;
    for (size_t i = 0; i + 1 < rank; ++i) rows *= shape.GetDim(i);
    const uint32_t cols = shape.GetDim(rank - 1);
    const std::string mode = context->GetAttrs()->GetStr(0);
    if (cols == 0 && mode == "max") {
        OP_LOGE(context->GetNodeName(), "the maximum of no elements");
        return ge::GRAPH_FAILED;
    }
    const bool half = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16;
    uint64_t key = half ? KEY_SUM_FP16 : KEY_SUM_FP32;
    if (mode == "max") key = half ? KEY_MAX_FP16 : KEY_MAX_FP32;

    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    RowReduceTilingData data;
    data.set_rows(rows);
    data.set_cols(cols);
    data.set_tileCols(TILE_COLS);
    context->SetTilingKey(key);
    context->SetBlockDim(std::clamp<uint64_t>(rows, 1, platform.GetCoreNumAiv()));
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
    OP_LOGI(context->GetNodeName(), "%lu rows, key %lu", rows, key);
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

static ge::graphStatus InferShape4RowReduce(gert::InferShapeContext* context) {
    const gert::Shape* in = context->GetInputShape(0);
    gert::Shape* out = context->GetOutputShape(0);
    const bool keep = *context->GetAttrs()->GetAttrPointer<bool>(1);
    const size_t rank = in->GetDimNum();
    out->SetDimNum(0);
    for (size_t i = 0; i + 1 < rank; i++) out->AppendDim(in->GetDim(i));
    if (keep) out->AppendDim(1);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferType4RowReduce(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return ge::GRAPH_SUCCESS;
}

namespace ops {
class RowReduce : public OpDef {
public:
    explicit RowReduce(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataTypeList({ge::DT_FLOAT, ge::DT_FLOAT16}).FormatList({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).Follow("x", FollowType::DTYPE).Format({ge::FORMAT_ND});
        this->Attr("reduction").AttrType(OPTIONAL).String("sum");
        this->Attr("keep_dims").AttrType(OPTIONAL).Bool(false);
        this->SetInferShape(InferShape4RowReduce).SetInferDataType(InferType4RowReduce);
        this->AICore().SetTiling(optiling::Tiling4RowReduce);
        OpAICoreConfig config;
        config.DynamicCompileStaticFlag(true).DynamicRankSupportFlag(true).DynamicShapeSupportFlag(true);
        this->AICore().AddConfig("ascend910b", config).AddConfig("ascend910_93", config);
    }
};
OP_ADD(RowReduce);
}  // namespace ops
