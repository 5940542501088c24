// SPDX-License-Identifier: Apache-2.0
// CubeMatmul: c[i] = a[i] * b[i]^T on the cube cores alone; the result is half or float.
#include "../op_kernel/cube_matmul_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/tiling_api.h"

namespace optiling {
static ge::graphStatus CubeMatmulTiling(gert::TilingContext* context) {
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const gert::Shape& a = context->GetInputShape(0)->GetStorageShape();
    const gert::Shape& b = context->GetInputShape(1)->GetStorageShape();
    const size_t rank = a.GetDimNum();
    if ((rank != 2 && rank != 3) || b.GetDimNum() != rank || a[rank - 1] != b[rank - 1]) return ge::GRAPH_FAILED;
    const int64_t m = a[rank - 2], n = b[rank - 2], k = a[rank - 1], batch = rank == 3 ? a[0] : 1;
    auto* data = context->GetTilingData<CubeMatmulTilingData>();
    *data = {};
    data->batch = batch;
    size_t* workspace = context->GetWorkspaceSizes(1);
    workspace[0] = platform.GetLibApiWorkSpaceSize();
    if (m == 0 || n == 0 || batch == 0) {
        context->SetBlockDim(1);
        return ge::GRAPH_SUCCESS;
    }
    const auto type = context->GetOutputDesc(0)->GetDataType() == ge::DT_FLOAT ? matmul_tiling::DataType::DT_FLOAT
                                                                               : matmul_tiling::DataType::DT_FLOAT16;
    matmul_tiling::MultiCoreMatmulTiling tiling(platform);
    tiling.SetDim(platform.GetCoreNumAic());
    tiling.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    tiling.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16,
                    true);
    tiling.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, type);
    tiling.SetShape(m, n, k);
    tiling.SetOrgShape(m, n, k);
    tiling.EnableBias(false);
    if (tiling.GetTiling(data->mm) == -1) return ge::GRAPH_FAILED;
    context->SetBlockDim(data->mm.usedCoreNum);
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus CubeMatmulShape(gert::InferShapeContext* context) {
    const gert::Shape* a = context->GetInputShape(0);
    gert::Shape* c = context->GetOutputShape(0);
    *c = *a;
    c->SetDim(a->GetDimNum() - 1, context->GetInputShape(1)->GetDim(a->GetDimNum() - 2));
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus CubeMatmulType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, *context->GetAttrs()->GetBool(0) ? ge::DT_FLOAT : ge::DT_FLOAT16);
    return ge::GRAPH_SUCCESS;
}
class CubeMatmul : public OpDef {
public:
    explicit CubeMatmul(const char* name) : OpDef(name) {
        this->Input("a")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("b")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("c")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("to_float").AttrType(OPTIONAL).Bool(false);
        this->SetInferShape(CubeMatmulShape).SetInferDataType(CubeMatmulType);
        OpAICoreConfig config;
        config.ExtendCfgInfo("coreType.value", "AiCore").ExtendCfgInfo("prebuildPattern.value", "Opaque");
        this->AICore().SetTiling(optiling::CubeMatmulTiling).AddConfig("ascend910b", config);
    }
};
OP_ADD(CubeMatmul);
}  // namespace ops
