// SPDX-License-Identifier: Apache-2.0
// SwiGluSplit: x [.., 2 d] -> a * sigmoid(beta a) * b of its halves a and b.
#include <cstdint>

#include "../op_kernel/swi_glu_split_tiling_data.h"
#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

using SwiGluSplitTilingSpace::SwiGluSplitTilingData;

namespace optiling {
struct SwiGluSplitCompileInfo {
    int32_t totalCoreNum = 0;
    uint64_t ubSizePlatForm = 0;
};

static ge::graphStatus Prepare(gert::TilingParseContext* context) {
    auto compileInfo = context->GetCompiledInfo<SwiGluSplitCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    auto platformInfo = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platformInfo);
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(platformInfo);
    compileInfo->totalCoreNum = ascendcPlatform.GetCoreNumAiv();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, compileInfo->ubSizePlatForm);
    OP_CHECK_IF(compileInfo->ubSizePlatForm == 0, OP_LOGE(context->GetNodeName(), "no UB"), return ge::GRAPH_FAILED);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Tile(gert::TilingContext* context) {
    auto compileInfo = context->GetCompileInfo<SwiGluSplitCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
    auto shape = context->GetInputShape(0)->GetStorageShape();
    auto last = shape.GetDimNum() - 1;
    OP_CHECK_IF(shape.GetDim(last) % 2 != 0,
                OP_LOGE(context->GetNodeName(), "the last axis is %ld", shape.GetDim(last)), return ge::GRAPH_FAILED);
    uint32_t rows = 1;
    for (size_t i = 0; i < last; i++) rows *= shape.GetDim(i);
    auto tiling = context->GetTilingData<SwiGluSplitTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    tiling->half = shape.GetDim(last) / 2;
    tiling->tile = compileInfo->ubSizePlatForm / 40 / 64 * 64;
    tiling->beta = *context->GetAttrs()->GetAttrPointer<float>(0);
    uint32_t cores = compileInfo->totalCoreNum;
    if (cores > rows) cores = rows == 0 ? 1 : rows;
    tiling->share.rowsOfMost = rows / cores;
    tiling->share.coresWithMore = rows % cores;
    context->SetBlockDim(cores);
    context->SetTilingKey(context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT ? 1 : 2);
    auto workspaces = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, workspaces);
    workspaces[0] = 16 * 1024 * 1024;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Infer(gert::InferShapeContext* context) {
    auto x = context->GetInputShape(0);
    auto y = context->GetOutputShape(0);
    *y = *x;
    y->SetDim(x->GetDimNum() - 1, x->GetDim(x->GetDimNum() - 1) / 2);
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(SwiGluSplit).Tiling(Tile).TilingParse<SwiGluSplitCompileInfo>(Prepare);
IMPL_OP_INFERSHAPE(SwiGluSplit).InferShape(Infer);
}  // namespace optiling

namespace ops {
class SwiGluSplit : public OpDef {
public:
    explicit SwiGluSplit(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("beta").AttrType(OPTIONAL).Float(1.0);
        OpAICoreConfig config;
        config.DynamicCompileStaticFlag(true).DynamicRankSupportFlag(true).ExtendCfgInfo("opFile.value",
                                                                                         "swi_glu_split_impl");
        this->AICore().AddConfig("ascend910b", config);
    }
};
OP_ADD(SwiGluSplit);
}  // namespace ops
