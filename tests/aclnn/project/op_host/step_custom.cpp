// SPDX-License-Identifier: Apache-2.0
// StepCustom, whose aclnn functions have versions, tensors for arrays and a list of lists:
// out = x + table[0] (1000 more where the tiling function sees it) + y + scales[0] + the sums of the lists of `pairs`,
// the second ten times, and so on.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(StepTiling)
TILING_DATA_FIELD_DEF(uint32_t, size);
TILING_DATA_FIELD_DEF(float, add);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(StepCustom, StepTiling)

static ge::graphStatus Step(gert::TilingContext* context) {
    StepTiling tiling;
    float add = context->GetInputTensor(1)->GetData<int64_t>() == nullptr ? 0 : 1000;
    float weight = 1;
    const gert::ContinuousVectorVector* pairs = context->GetAttrs()->GetListListInt(0);
    for (size_t i = 0; i < pairs->GetSize(); ++i, weight *= 10) {
        const auto* values = static_cast<const int64_t*>(pairs->Get(i)->GetData());
        for (size_t j = 0; j < pairs->Get(i)->GetSize(); ++j) add += weight * values[j];
    }
    tiling.set_size(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_add(add);
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class StepCustom : public OpDef {
public:
    explicit StepCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("table").ParamType(REQUIRED).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND}).ValueDepend(OPTIONAL);
        this->Input("y").ParamType(OPTIONAL).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).Version(1);
        this->Input("scales")
            .ParamType(OPTIONAL)
            .DataType({ge::DT_FLOAT})
            .Format({ge::FORMAT_ND})
            .ValueDepend(REQUIRED)
            .Version(2);
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).Follow("x");
        this->Attr("pairs").AttrType(OPTIONAL).ListListInt({{}}).Version(2);
        this->AICore().SetTiling(optiling::Step);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(StepCustom);
}  // namespace ops
