// SPDX-License-Identifier: Apache-2.0
// FractalCustom: of a matrix in FRACTAL_NZ its dimensions, the elements stored, and the last of them.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(FractalTiling)
TILING_DATA_FIELD_DEF(int32_t, m);
TILING_DATA_FIELD_DEF(int32_t, n);
TILING_DATA_FIELD_DEF(int32_t, stored);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(FractalCustom, FractalTiling)

static ge::graphStatus Fractal(gert::TilingContext* context) {
    FractalTiling tiling;
    const gert::StorageShape* x = context->GetInputShape(0);
    tiling.set_m(x->GetOriginShape().GetDim(0));
    tiling.set_n(x->GetOriginShape().GetDim(1));
    tiling.set_stored(x->GetStorageShape().GetShapeSize());
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus FourNumbers(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = {4};
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class FractalCustom : public OpDef {
public:
    explicit FractalCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_FRACTAL_NZ});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(ge::FourNumbers);
        this->AICore().SetTiling(optiling::Fractal);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(FractalCustom);
}  // namespace ops
