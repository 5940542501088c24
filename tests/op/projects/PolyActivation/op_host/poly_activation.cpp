// SPDX-License-Identifier: Apache-2.0
// PolyActivation: `repeat` times x = c0 + x (c1 + x (c2 + ...)), then a clip to [-1, 1], then an activation.
#include "poly_activation_tiling.h"

#include <algorithm>
#include <cstring>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BLOCK_SIZE = 32;
constexpr int32_t LIVE_TILES = 6;
constexpr size_t ATTR_COEFFS = 0, ATTR_REPEAT = 1, ATTR_SLOPE = 2, ATTR_CLIP = 3, ATTR_ACTIVATION = 4;

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    PolyActivationTilingData tiling;
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ubSize = 0;
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
    auto coreNum = ascendcPlatform.GetCoreNum();

    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    const auto* coeffs = attrs->GetListFloat(ATTR_COEFFS);
    if (coeffs == nullptr || coeffs->GetSize() == 0 || coeffs->GetSize() > MAX_COEFFS) return ge::GRAPH_FAILED;
    float values[MAX_COEFFS] = {0};
    std::copy_n(coeffs->GetData(), coeffs->GetSize(), values);
    const char* activation = attrs->GetStr(ATTR_ACTIVATION);
    uint8_t kind = 0;
    if (strcmp(activation, "relu") == 0) {
        kind = 1;
    } else if (strcmp(activation, "leaky_relu") == 0) {
        kind = 2;
    } else if (strcmp(activation, "none") != 0) {
        return ge::GRAPH_FAILED;
    }

    uint32_t totalLength = context->GetInputShape(0)->GetOriginShape().GetShapeSize();
    uint32_t typeSize = ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType());
    uint32_t perBlock = BLOCK_SIZE / typeSize;
    bool isOld = ascendcPlatform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P;
    if (isOld && totalLength % perBlock != 0) return ge::GRAPH_FAILED;
    uint32_t blocks = (totalLength + perBlock - 1) / perBlock;
    uint32_t usedCores = std::max<uint32_t>(1, std::min<uint32_t>(blocks, coreNum));
    tiling.set_totalLength(totalLength);
    tiling.set_coreLength((blocks + usedCores - 1) / usedCores * perBlock);
    tiling.set_tileLength(ubSize / LIVE_TILES / typeSize / 256 * 256 / 4);
    tiling.set_coeffNum(coeffs->GetSize());
    tiling.set_coeffs(values);
    tiling.set_repeat(*attrs->GetAttrPointer<int>(ATTR_REPEAT));
    tiling.set_slope(*attrs->GetFloat(ATTR_SLOPE));
    tiling.set_clip(*attrs->GetBool(ATTR_CLIP));
    tiling.set_activation(kind);
    context->SetBlockDim(usedCores);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    const gert::Shape* x1_shape = context->GetInputShape(0);
    gert::Shape* y_shape = context->GetOutputShape(0);
    *y_shape = *x1_shape;
    return GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context) {
    const auto inputDataType = context->GetInputDataType(0);
    context->SetOutputDataType(0, inputDataType);
    return ge::GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class PolyActivation : public OpDef {
public:
    explicit PolyActivation(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("coeffs").AttrType(REQUIRED).ListFloat();
        this->Attr("repeat").AttrType(OPTIONAL).Int(1);
        this->Attr("slope").AttrType(OPTIONAL).Float(0.125);
        this->Attr("clip").AttrType(OPTIONAL).Bool(false);
        this->Attr("activation").AttrType(OPTIONAL).String("none");
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend310p").AddConfig("ascend910b");
    }
};

OP_ADD(PolyActivation);
}  // namespace ops
