// SPDX-License-Identifier: Apache-2.0
// BlendCustom, with every kind of parameter: z = alpha * x + y + shift[0] + what the other attributes add. ShiftCustom:
// x += 1.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(BlendTiling)
TILING_DATA_FIELD_DEF(uint32_t, size);
TILING_DATA_FIELD_DEF(float, alpha);
TILING_DATA_FIELD_DEF(float, add);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(BlendCustom, BlendTiling)
REGISTER_TILING_DATA_CLASS(ShiftCustom, BlendTiling)

static ge::graphStatus Finish(gert::TilingContext* context, BlendTiling& tiling) {
    tiling.set_size(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Blend(gert::TilingContext* context) {
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    float add = *attrs->GetInt(1) + (*attrs->GetBool(2) ? 100 : 0) + (attrs->GetStr(3)[0] == 'a' ? 1000 : 0);
    for (size_t i = 0; i < attrs->GetListInt(4)->GetSize(); ++i) add += attrs->GetListInt(4)->GetData()[i];
    for (size_t i = 0; i < attrs->GetListFloat(5)->GetSize(); ++i) add += attrs->GetListFloat(5)->GetData()[i];
    const gert::Tensor* shift = context->GetOptionalInputTensor(2);
    if (shift != nullptr) add += shift->GetData<int64_t>()[0];
    BlendTiling tiling;
    tiling.set_alpha(*attrs->GetFloat(0));
    tiling.set_add(add);
    context->GetWorkspaceSizes(1)[0] = 64;
    return Finish(context, tiling);
}

static ge::graphStatus Shift(gert::TilingContext* context) {
    BlendTiling tiling;
    context->GetWorkspaceSizes(1)[0] = 0;
    return Finish(context, tiling);
}
}  // namespace optiling

namespace ge {
static graphStatus SameShape(gert::InferShapeContext* context) {
    if (context->GetInputShape(0)->GetDimNum() > 4) return GRAPH_FAILED;
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
static graphStatus SameType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class BlendCustom : public OpDef {
public:
    explicit BlendCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).AutoContiguous();
        this->Input("y").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("shift").ParamType(OPTIONAL).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND}).ValueDepend(OPTIONAL);
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("alpha").AttrType(REQUIRED).Float();
        this->Attr("more").AttrType(OPTIONAL).Int(0);
        this->Attr("hundred").AttrType(OPTIONAL).Bool(false);
        this->Attr("mode").AttrType(OPTIONAL).String("none");
        this->Attr("ints").AttrType(OPTIONAL).ListInt({0});
        this->Attr("floats").AttrType(OPTIONAL).ListFloat({0.0f});
        this->SetInferShape(ge::SameShape).SetInferDataType(ge::SameType);
        this->AICore().SetTiling(optiling::Blend);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(BlendCustom);

class ShiftCustom : public OpDef {
public:
    explicit ShiftCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(ge::SameShape).SetInferDataType(ge::SameType);
        this->AICore().SetTiling(optiling::Shift);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(ShiftCustom);
}  // namespace ops
