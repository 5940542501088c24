// SPDX-License-Identifier: Apache-2.0
// InplaceAxpy: acc += alpha * x, into acc itself.
#include "../op_kernel/inplace_axpy_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

static ge::graphStatus TilingInplaceAxpy(gert::TilingContext* context) {
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    InplaceAxpyTiling* tiling = context->GetTilingData<InplaceAxpyTiling>();
    tiling->total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    tiling->alpha = *context->GetAttrs()->GetFloat(0);
    tiling->tile = 2000;
    const uint32_t tiles = (tiling->total + tiling->tile - 1) / tiling->tile;
    context->SetBlockDim(platform.CalcTschBlockDim(tiles == 0 ? 1 : tiles, 0, platform.GetCoreNumAiv()));
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}

namespace ops {
class InplaceAxpy : public OpDef {
public:
    explicit InplaceAxpy(const char* name) : OpDef(name) {
        this->Input("acc").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("acc").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).Follow("acc");
        this->Attr("alpha").AttrType(REQUIRED).Float();
        this->AICore().SetTiling(TilingInplaceAxpy);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(InplaceAxpy);
}  // namespace ops
