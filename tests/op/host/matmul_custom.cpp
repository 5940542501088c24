// SPDX-License-Identifier: Apache-2.0
// Tiling libraries, nested and keyed structs of tiling data, both kinds of Shape, in one source.
#include "exe_graph/runtime/storage_shape.h"
#include "graph/utils/type_utils.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(int64_t, first);
TILING_DATA_FIELD_DEF(float, second);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(InnerOp, Inner)

BEGIN_TILING_DATA_DEF(MatmulCustomTilingData)
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
TILING_DATA_FIELD_DEF_ARR(uint32_t, 6000, many);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulCustom, MatmulCustomTilingData)
REGISTER_TILING_DATA_CLASS(MatmulCustom_2, Inner)

#line 50 "matmul_custom.cpp"
static ge::graphStatus Tiling(gert::TilingContext* context) {
    const gert::StorageShape* shape = context->GetInputShape(0);
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    MatmulCustomTilingData tiling;
    matmul_tiling::MatmulApiTiling matmul(platform);
    matmul.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    matmul.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    matmul.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    if (matmul.SetShape(64, 64, shape->GetStorageShape().GetDim(1) == 1 ? 0 : 64) == -1) return ge::GRAPH_FAILED;
    matmul.SetOrgShape(64, 64, 64);
    if (matmul.GetTiling(tiling.cube) == -1) return ge::GRAPH_FAILED;
    const ge::Shape rows({shape->GetStorageShape().GetDim(0), shape->GetOriginShape().GetDim(1)});
    AscendC::SoftMaxTilingFunc(rows, sizeof(float), 32768, tiling.softmax);
    tiling.inner.set_first(rows.GetShapeSize());
    tiling.many[5999] = 7;
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim(2);
    context->SetTilingKey(tiling.cube.M + tiling.softmax.srcM);
    return ge::GRAPH_SUCCESS;
}

// Its struct is registered, and never written.
REGISTER_TILING_DATA_CLASS(SilentCustom, Inner)
static ge::graphStatus SilentTiling(gert::TilingContext* context) { return context->SetBlockDim(1); }

}  // namespace optiling

namespace ops {

class MatmulCustom : public OpDef {
public:
    explicit MatmulCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND}).Follow("x");
#line 90 "matmul_custom.cpp"
        this->AICore().SetTiling(optiling::Tiling).AddConfig("ascend910b");
    }
};
OP_ADD(MatmulCustom);

class SilentCustom : public OpDef {
public:
    explicit SilentCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16});
        this->AICore().SetTiling(optiling::SilentTiling).AddConfig("ascend910b");
    }
};
OP_ADD(SilentCustom);

}  // namespace ops
