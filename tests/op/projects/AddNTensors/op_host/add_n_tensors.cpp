// SPDX-License-Identifier: Apache-2.0
// AddNTensors: the sum of a list of tensors, from the first to the last.
#include "add_n_tensors_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus AddNTilingFunc(gert::TilingContext* context) {
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t count = context->GetComputeNodeInputNum();
    const gert::Shape& shape = context->GetDynamicInputShape(0, 0)->GetStorageShape();
    for (uint32_t i = 1; i < count; ++i) {
        if (context->GetDynamicInputShape(0, i)->GetStorageShape() != shape) return ge::GRAPH_FAILED;
    }
    const uint32_t length = shape.GetShapeSize();
    const uint32_t tile = 4096, cores = platform.GetCoreNum();
    if (platform.GetCurNpuArch() == NpuArch::DAV_2002 && length % 8 != 0) return ge::GRAPH_FAILED;
    const uint32_t tiles = (length + tile - 1) / tile;
    AddNTensorsTilingData data;
    data.set_count(count);
    data.set_length(length);
    data.set_tile(tile);
    context->SetBlockDim(tiles < 1 ? 1 : tiles < cores ? tiles : cores);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class AddNTensors : public OpDef {
public:
    explicit AddNTensors(const char* name) : OpDef(name) {
        this->Input("inputs")
            .ParamType(DYNAMIC)
            .DataType({ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("sum")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape([](gert::InferShapeContext* context) {
            *context->GetOutputShape(0) = *context->GetDynamicInputShape(0, 0);
            return ge::GRAPH_SUCCESS;
        });
        this->SetInferDataType([](gert::InferDataTypeContext* context) {
            context->SetOutputDataType(0, context->GetDynamicInputDataType(0, 0));
            return ge::GRAPH_SUCCESS;
        });
        this->AICore().SetTiling(optiling::AddNTilingFunc);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend310p");
    }
};
OP_ADD(AddNTensors);
}  // namespace ops
