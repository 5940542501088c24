// SPDX-License-Identifier: Apache-2.0
// GlobalNormalize: y = x / max |x| over the whole tensor (0 stays 0). Two passes, the maxima of the cores go through
// the workspace between them.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GlobalNormalizeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(uint32_t, lengthPerCore);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GlobalNormalize, GlobalNormalizeTilingData)

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    GlobalNormalizeTilingData tiling;
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t cores = platform.GetCoreNumAiv();
    const uint32_t length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    const uint32_t blocks = (length + 7) / 8;
    const uint32_t used = blocks < 1 ? 1 : blocks < cores ? blocks : cores;
    tiling.set_length(length);
    tiling.set_lengthPerCore((blocks + used - 1) / used * 8);
    tiling.set_tile(2048);
    context->SetBlockDim(used);
    context->SetScheduleMode(1);  // the cores wait for each other
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    const uint32_t user = used * 32;  // a data block for each core
    context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + user;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class GlobalNormalize : public OpDef {
public:
    explicit GlobalNormalize(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).Follow("x", FollowType::ALL);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(GlobalNormalize);
}  // namespace ops
