// SPDX-License-Identifier: Apache-2.0
// QuantizeFp8: y = x * scale in float8_e4m3fn.
#include "../op_kernel/quantize_fp8_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

static ge::graphStatus TilingQuantizeFp8(gert::TilingContext* context) {
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    QuantizeFp8Tiling* tiling = context->GetTilingData<QuantizeFp8Tiling>();
    tiling->total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    tiling->scale = *context->GetAttrs()->GetFloat(0);
    tiling->tile = 4096;
    const uint32_t tiles = (tiling->total + tiling->tile - 1) / tiling->tile;
    context->SetBlockDim(platform.CalcTschBlockDim(tiles == 0 ? 1 : tiles, 0, platform.GetCoreNumAiv()));
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}

namespace ops {
static ge::graphStatus ShapeOfX(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}

class QuantizeFp8 : public OpDef {
public:
    explicit QuantizeFp8(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT8_E4M3FN}).Format({ge::FORMAT_ND});
        this->Attr("scale").AttrType(REQUIRED).Float();
        this->SetInferShape(ShapeOfX);
        this->AICore().SetTiling(TilingQuantizeFp8);
        this->AICore().AddConfig("ascend950");
    }
};
OP_ADD(QuantizeFp8);
}  // namespace ops
