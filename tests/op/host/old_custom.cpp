// SPDX-License-Identifier: Apache-2.0
// The forms of older releases: the compile information in OP_ADD, an int from a check, a range function.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

struct OldCompileInfo {
    uint32_t cores = 0;
};

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    context->SetBlockDim(context->GetCompileInfo<OldCompileInfo>()->cores);
    context->SetTilingKey(context->GetInputTensor(0)->GetSize());
    if (context->GetRawTilingData()->Append(uint32_t{7}) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
    *context->GetRawTilingData() << uint16_t{8} << uint16_t{9};
    if (context->GetRawTilingData()->Expand(20000) != nullptr) return ge::GRAPH_FAILED;
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus TilingPrepare(gert::TilingParseContext* context) {
    const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    context->GetCompiledInfo<OldCompileInfo>()->cores = platform.GetCoreNum();
    return ge::GRAPH_SUCCESS;
}
static int32_t CheckOpSupport(const ge::Operator& op, ge::AscendString& result) {
    const bool fits = op.GetInputDesc(0).GetShape().GetDim(0) == 8;
    result = ge::AscendString(fits ? "{\"ret_code\": \"1\"}" : "{\"ret_code\": \"0\"}");
    return fits ? 1 : 0;
}

}  // namespace optiling

// A required output beside a dynamic one.
static ge::graphStatus InferSplit(gert::InferShapeContext* context) {
    const size_t parts = context->GetComputeNodeInfo()->GetOutputInstanceInfo(0)->GetInstanceNum();
    for (size_t k = 0; k < parts; ++k) *context->GetDynamicOutputShape(0, k) = *context->GetInputShape(0);
    *context->GetRequiredOutputShape(1) = {static_cast<int64_t>(parts)};
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferShapeRange(gert::InferShapeRangeContext* context) {
    *context->GetOutputShapeRange(0) = *context->GetInputShapeRange(0);
    return ge::GRAPH_SUCCESS;
}

namespace ops {

class OldCustom : public OpDef {
public:
    explicit OldCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Output("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->SetInferShapeRange(InferShapeRange);
        this->AICore()
            .SetTiling(optiling::TilingFunc)
            .SetTilingParse(optiling::TilingPrepare)
            .SetCheckSupport(optiling::CheckOpSupport);
        OpAICoreConfig config;
        config.AsyncFlag(true).RangeLimitValue("limited");
        this->AICore().AddConfig("ascend910b", config).AddConfig("ascend910", config);
    }
};

OP_ADD(OldCustom, optiling::OldCompileInfo);

class SplitCustom : public OpDef {
public:
    explicit SplitCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16});
        this->Output("parts").ParamType(DYNAMIC).DataType({ge::DT_FLOAT16});
        this->Output("sizes").ParamType(REQUIRED).DataType({ge::DT_INT64});
        this->SetInferShape(InferSplit);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(SplitCustom);

}  // namespace ops
