// SPDX-License-Identifier: Apache-2.0
// ScaleShift: y = x * scale + shift. It has a kernel of vector calls and, for Ascend950, one of registers.
#include "scale_shift_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingScaleShift(gert::TilingContext* context) {
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    uint64_t ub_bytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
    ScaleShiftTiling* tiling = context->GetTilingData<ScaleShiftTiling>();
    tiling->total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    tiling->scale = *context->GetAttrs()->GetFloat(0);
    tiling->shift = *context->GetAttrs()->GetFloat(1);
    tiling->tile = g_tile(ub_bytes);
    const uint32_t tiles = (tiling->total + tiling->tile - 1) / tiling->tile;
    context->SetBlockDim(platform.CalcTschBlockDim(tiles == 0 ? 1 : tiles, 0, platform.GetCoreNumAiv()));
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class ScaleShift : public OpDef {
public:
    explicit ScaleShift(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).Follow("x");
        this->Attr("scale").AttrType(REQUIRED).Float();
        this->Attr("shift").AttrType(REQUIRED).Float();
        this->AICore().SetTiling(optiling::TilingScaleShift);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend950");
    }
};
OP_ADD(ScaleShift);
}  // namespace ops
