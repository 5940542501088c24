// SPDX-License-Identifier: Apache-2.0
// An operator whose functions are registered by macros of their own: a plain struct, compile information, inputs of
// every kind, attributes of every type.
#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

struct GatherCompileInfo {
    uint64_t ub = 0;
    uint32_t cores = 0, made = 0;
};

struct GatherTilingData {
    uint64_t ub;
    int64_t axis;
    float scale;
    uint32_t parts, bits, letters, depth;
    uint32_t unset;
};

static ge::graphStatus TilingPrepare(gert::TilingParseContext* context) {
    static uint32_t made = 0;
    auto* info = context->GetCompiledInfo<GatherCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, info->ub);
    info->cores = platform.GetCoreNumAiv();
    info->made = ++made;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Tiling(gert::TilingContext* context) {
    const auto* info = context->GetCompileInfo<GatherCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    auto* data = context->GetTilingData<GatherTilingData>();
    const auto* attrs = context->GetAttrs();
    data->ub = info->ub;
    data->axis = *attrs->GetAttrPointer<int32_t>(0);
    data->scale = *attrs->GetFloat(1);
    data->bits = *attrs->GetBool(2);
    data->letters = static_cast<uint32_t>(std::string(attrs->GetStr(3)).size());
    const auto* list = attrs->GetAttrPointer<gert::ContinuousVector>(4);
    for (size_t i = 0; i < list->GetSize(); ++i) data->axis += static_cast<const int64_t*>(list->GetData())[i];
    data->scale += attrs->GetListFloat(5)->GetData()[1];
    const auto* bools = attrs->GetAttrPointer<gert::TypedContinuousVector<bool>>(6);
    data->bits += bools->GetData()[0] + 2u * bools->GetData()[1];
    data->depth = static_cast<uint32_t>(attrs->GetListListInt(7)->Get(1)->GetSize());
    data->parts = 0;
    const auto* parts = context->GetIrInputInstanceInfo(2);
    for (size_t k = 0; k < parts->GetInstanceNum(); ++k)
        data->parts += static_cast<uint32_t>(context->GetDynamicInputShape(2, k)->GetStorageShape().GetDim(0));
    const gert::Tensor* offsets = context->GetRequiredInputTensor(3);
    for (int64_t i = 0; i < offsets->GetShapeSize(); ++i) data->axis += offsets->GetData<int64_t>()[i];
    context->SetBlockDim(info->cores);
    context->SetTilingKey(context->GetOptionalInputShape(1) == nullptr ? info->made : 1000 + info->made);
    context->SetScheduleMode(1);
    context->SetNeedAtomic(true);
    size_t* workspaces = context->GetWorkspaceSizes(2);
    workspaces[0] = 4096, workspaces[1] = 128;
    OP_LOGI(context, "axis %ld", static_cast<long>(data->axis));
    OP_LOGW(context->GetNodeName(), "parts %u", data->parts);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(GatherCustom)
    .Tiling(Tiling)
    .TilingParse<GatherCompileInfo>(TilingPrepare)
    .TilingInputsDataDependency({3});

}  // namespace optiling

namespace ops {

static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    gert::Shape* out = context->GetOutputShape(0);
    const gert::Shape* x = context->GetRequiredInputShape(0);
    out->SetDimNum(0);
    for (size_t i = 0; i < x->GetDimNum(); ++i) out->AppendDim((*x)[i]);
    out->AppendDim(static_cast<int64_t>(context->GetIrInputInstanceInfo(2)->GetInstanceNum()));
    (*out)[0] += context->GetRequiredInputTensor(3)->GetData<int64_t>()[0];
    context->GetOutputShape(1)->SetScalar();
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetOptionalInputDataType(1) == ge::DT_UNDEFINED
                                      ? context->GetRequiredInputDataType(0)
                                      : context->GetOptionalInputDataType(1));
    return context->SetOutputDataType(1, ge::DT_INT32);
}
IMPL_OP_INFERSHAPE(GatherCustom).InferShape(InferShape).InferDataType(InferDataType).InputsDataDependency({3});

class GatherCustom : public OpDef {
public:
    explicit GatherCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_BF16}).FormatList({ge::FORMAT_ND});
        this->Input("bias").ParamType(OPTIONAL).DataTypeList({ge::DT_FLOAT, ge::DT_FLOAT16}).IgnoreContiguous();
        this->Input("parts").ParamType(DYNAMIC).DataType({ge::DT_FLOAT16, ge::DT_BF16}).AutoContiguous();
        this->Input("offsets")
            .ParamType(OPTIONAL)
            .DataTypeList({ge::DT_INT64})
            .FormatList({ge::FORMAT_ND, ge::FORMAT_NCHW, ge::FORMAT_FRACTAL_NZ})
            .ValueDepend(OPTIONAL)
            .Version(1);
        this->Output("out").ParamType(REQUIRED).Follow("x", FollowType::DTYPE);
        this->Output("count").ParamType(OPTIONAL).DataTypeList({ge::DT_INT32}).InitValue(0);
        this->Attr("axis").AttrType(REQUIRED).Int();
        this->Attr("scale").AttrType(OPTIONAL).Float(1.5);
        this->Attr("flag").AttrType(OPTIONAL).Bool(true);
        this->Attr("mode").AttrType(OPTIONAL).String("sum");
        this->Attr("list").AttrType(OPTIONAL).ListInt({1, 2});
        this->Attr("floats").AttrType(OPTIONAL).ListFloat({0.5, 0.25});
        this->Attr("bools").AttrType(OPTIONAL).ListBool({true, false});
        this->Attr("lists").AttrType(OPTIONAL).ListListInt({{1}, {2, 3, 4}}).Version(2);
        OpAICoreConfig config;
        config.DynamicCompileStaticFlag(true)
            .DynamicFormatFlag(true)
            .DynamicRankSupportFlag(true)
            .DynamicShapeSupportFlag(true)
            .NeedCheckSupportFlag(false)
            .PrecisionReduceFlag(true)
            .ExtendCfgInfo("aclnnSupport.value", "support_aclnn")
            .ExtendCfgInfo("opFile.value", "gather_file")
            .ExtendCfgInfo("opInterface.value", "gather_kernel");
        this->AICore().AddConfig("ascend910b", config);
        OpAICoreConfig smaller;
        smaller.Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        smaller.Input("parts").ParamType(DYNAMIC).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->AICore().AddConfig("ascend310p", smaller);
    }
};
OP_ADD(GatherCustom);

}  // namespace ops
