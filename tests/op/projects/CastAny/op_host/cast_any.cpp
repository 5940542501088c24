// SPDX-License-Identifier: Apache-2.0
// CastAny: y = x in another type. Each pair of types is a column of the definition; 310P has fewer of them.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(CastAnyTilingData)
TILING_DATA_FIELD_DEF(uint64_t, total);
TILING_DATA_FIELD_DEF(uint64_t, perCore);
TILING_DATA_FIELD_DEF(uint32_t, ubFactor);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(CastAny, CastAnyTilingData)

static ge::graphStatus CastAnyTiling(gert::TilingContext* context) {
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    const uint64_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    const uint64_t align = 64, cores = platform.GetCoreNum();
    uint64_t perCore = ((total + cores - 1) / cores + align - 1) / align * align;
    if (perCore == 0) perCore = align;
    if (platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P && total % 32 != 0)
        return ge::GRAPH_FAILED;
    CastAnyTilingData tiling;
    tiling.set_total(total);
    tiling.set_perCore(perCore);
    tiling.set_ubFactor(8192);
    const uint32_t used = (total + perCore - 1) / perCore;
    context->SetBlockDim(used == 0 ? 1 : used);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus CastAnyShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}

class CastAny : public OpDef {
public:
    explicit CastAny(const char* name) : OpDef(name) {
        Input("x")
            .ParamType(REQUIRED)
            .DataType(
                {ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_INT32, ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format(std::vector<ge::Format>(7, ge::FORMAT_ND));
        Output("y")
            .ParamType(REQUIRED)
            .DataType(
                {ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32, ge::DT_FLOAT, ge::DT_INT8, ge::DT_FLOAT, ge::DT_BF16})
            .Format(std::vector<ge::Format>(7, ge::FORMAT_ND));
        SetInferShape(CastAnyShape);
        AICore().SetTiling(optiling::CastAnyTiling);
        AICore().AddConfig("ascend910b");
        OpAICoreConfig config310p;
        config310p.Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_INT32, ge::DT_FLOAT16})
            .Format(std::vector<ge::Format>(5, ge::FORMAT_ND));
        config310p.Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32, ge::DT_FLOAT, ge::DT_INT8})
            .Format(std::vector<ge::Format>(5, ge::FORMAT_ND));
        AICore().AddConfig("ascend310p", config310p);
    }
};
OP_ADD(CastAny);
}  // namespace ops
