#include "@FILE@_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus Tiling(gert::TilingContext* context) {
    @OP@TilingData tiling;
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    uint32_t blocks = platform.GetCoreNumAiv();
    if (blocks > 2) blocks = 2;
    tiling.set_length(total / blocks);
    tiling.set_tile(64);
    tiling.set_factor(*context->GetAttrs()->GetAttrPointer<float>(0));
    context->SetBlockDim(blocks);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    size_t* workspace = context->GetWorkspaceSizes(1);
    workspace[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
}

namespace ops {
class @OP@ : public OpDef {
public:
    explicit @OP@(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({@TYPES@}).Format({@FORMATS@}).UnknownShapeFormat({@FORMATS@});
        this->Input("y").ParamType(@SECOND@).DataType({@TYPES@}).Format({@FORMATS@}).UnknownShapeFormat({@FORMATS@});
        this->Output("z").ParamType(REQUIRED).DataType({@TYPES@}).Format({@FORMATS@}).UnknownShapeFormat({@FORMATS@});
        this->Attr("factor").AttrType(OPTIONAL).Float(1.0);
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::Tiling);
        @CONFIGS@
    }
};

OP_ADD(@OP@);
}
