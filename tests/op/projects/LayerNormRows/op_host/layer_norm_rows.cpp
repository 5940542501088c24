// SPDX-License-Identifier: Apache-2.0
// LayerNormRows: (x - mean) / sqrt(variance + epsilon) * gamma + beta over the last axis.
#include <vector>

#include "host_math.h"
#include "layer_norm_rows_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    using op_common::CeilAlign;
    using op_common::CeilDiv;
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const gert::Shape x = context->GetInputTensor(0)->GetStorageShape();
    const int64_t hidden = x.GetDim(x.GetDimNum() - 1);
    if (hidden < 1 || hidden > 2048 || context->GetInputTensor(1)->GetShapeSize() != hidden) return ge::GRAPH_FAILED;
    const int64_t rows = x.GetShapeSize() / hidden;
    const int64_t aligned = CeilAlign(hidden, 8);
    const int64_t tileRows = aligned > 512 ? 4 : 8;

    LayerNormRowsTilingData tiling;
    const auto shape = ge::Shape(std::vector<int64_t>{1, tileRows, aligned, hidden});
    uint32_t maxSize = 0, minSize = 0;
    AscendC::GetLayerNormMaxMinTmpSize(shape, sizeof(float), false, maxSize, minSize);
    AscendC::GetLayerNormNDTilingInfo(shape, minSize, sizeof(float), false, tiling.layernormTiling);
    tiling.set_rowNum(rows);
    tiling.set_tileRows(tileRows);
    tiling.set_hidden(hidden);
    tiling.set_hiddenAlign(aligned);
    tiling.set_tmpSize(minSize);
    tiling.set_epsilon(*context->GetAttrs()->GetFloat(0));
    const int64_t tiles = CeilDiv(rows, tileRows), cores = platform.GetCoreNumAiv();
    context->SetBlockDim(tiles == 0 ? 1 : tiles < cores ? tiles : cores);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    size_t* workspace = context->GetWorkspaceSizes(1);
    workspace[0] = platform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return ge::GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class LayerNormRows : public OpDef {
public:
    explicit LayerNormRows(const char* name) : OpDef(name) {
        for (const char* input : {"x", "gamma", "beta"}) {
            this->Input(input)
                .ParamType(REQUIRED)
                .DataType({ge::DT_FLOAT})
                .Format({ge::FORMAT_ND})
                .UnknownShapeFormat({ge::FORMAT_ND})
                .AutoContiguous();
        }
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-5f);
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(LayerNormRows);
}  // namespace ops
