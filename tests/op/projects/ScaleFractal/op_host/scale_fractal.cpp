// SPDX-License-Identifier: Apache-2.0
// ScaleFractal: y = x * alpha[channel] for x in NC1HWC0 (alpha [C1, C0]), or in FRACTAL_NZ (alpha [N1, N0]), or in ND
// (alpha [N]). The format of x decides where a channel lies.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleFractalTilingData)
TILING_DATA_FIELD_DEF(uint32_t, outer);    // N, or 1
TILING_DATA_FIELD_DEF(uint32_t, groups);   // C1, or N1
TILING_DATA_FIELD_DEF(uint32_t, spatial);  // H W, or M1 M0
TILING_DATA_FIELD_DEF(uint32_t, lanes);    // C0, or N0
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleFractal, ScaleFractalTilingData)

static ge::graphStatus TilingScaleFractal(gert::TilingContext* context) {
    const gert::CompileTimeTensorDesc* desc = context->GetInputDesc(0);
    const auto format = static_cast<ge::Format>(ge::GetPrimaryFormat(desc->GetStorageFormat()));
    const gert::Shape shape = context->GetInputShape(0)->GetStorageShape();
    ScaleFractalTilingData data;
    if (format == ge::FORMAT_NC1HWC0) {
        if (shape.GetDimNum() != 5 || shape[4] != 16) return ge::GRAPH_FAILED;
        data.set_outer(shape[0]);
        data.set_groups(shape[1]);
        data.set_spatial(shape[2] * shape[3]);
        data.set_lanes(shape[4]);
    } else if (format == ge::FORMAT_FRACTAL_NZ) {
        if (shape.GetDimNum() != 4 || shape[2] != 16 || shape[3] != 16) return ge::GRAPH_FAILED;
        data.set_outer(1);
        data.set_groups(shape[0]);
        data.set_spatial(shape[1] * shape[2]);
        data.set_lanes(shape[3]);
    } else {
        if (shape.GetDimNum() != 2 || shape[1] % 16 != 0) return ge::GRAPH_FAILED;
        data.set_outer(shape[0]);
        data.set_groups(1);
        data.set_spatial(1);
        data.set_lanes(shape[1]);
    }
    if (context->GetInputShape(1)->GetStorageShape().GetShapeSize() != data.get_groups() * data.get_lanes())
        return ge::GRAPH_FAILED;
    const uint32_t pieces = data.get_outer() * data.get_groups();
    context->SetBlockDim(pieces < 1 ? 1 : pieces < 8 ? pieces : 8);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus InferScaleFractal(gert::InferShapeContext* context) {
    const gert::Shape* x = context->GetInputShape(0);
    gert::Shape* y = context->GetOutputShape(0);
    y->SetDimNum(x->GetDimNum());
    for (size_t i = 0; i < x->GetDimNum(); ++i) y->SetDim(i, x->GetDim(i));
    return ge::GRAPH_SUCCESS;
}
class ScaleFractal : public OpDef {
public:
    explicit ScaleFractal(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_FLOAT16})
            .Format({ge::FORMAT_NC1HWC0, ge::FORMAT_FRACTAL_NZ, ge::FORMAT_ND});
        this->Input("alpha")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_FLOAT16})
            .Format({ge::FORMAT_NC1HWC0, ge::FORMAT_FRACTAL_NZ, ge::FORMAT_ND});
        this->SetInferShape(InferScaleFractal);
        this->AICore().SetTiling(optiling::TilingScaleFractal);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend310p");
    }
};
OP_ADD(ScaleFractal);
}  // namespace ops
