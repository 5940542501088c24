// SPDX-License-Identifier: Apache-2.0
// SoftmaxRows: softmax over the last axis, float.
#include "softmax_rows_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
const static uint32_t ALIGN_NUM = 8;

static uint32_t Min(uint32_t a, uint32_t b) { return a < b ? a : b; }

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ub_size;
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_size);
    const gert::StorageShape* x_shape = context->GetInputShape(0);
    uint32_t rowsTotal = 1;
    size_t dimNum = x_shape->GetStorageShape().GetDimNum();
    for (size_t i = 0; i < dimNum - 1; i++) {
        rowsTotal *= x_shape->GetStorageShape().GetDim(i);
    }
    uint32_t rowLen = x_shape->GetStorageShape().GetDim(dimNum - 1);
    uint32_t rowLenAlign = (rowLen + ALIGN_NUM - 1) / ALIGN_NUM * ALIGN_NUM;
    if (rowLen == 0) {
        return ge::GRAPH_FAILED;
    }
    if (ascendcPlatform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P && rowLen != rowLenAlign) {
        return ge::GRAPH_FAILED;
    }

    // in and out twice, the rest for the library
    uint32_t rowsPerLoop = ub_size / 2 / (4 * rowLenAlign * sizeof(float));
    rowsPerLoop = Min(rowsPerLoop == 0 ? 1 : rowsPerLoop, 64);
    ge::Shape srcShape({rowsPerLoop, rowLenAlign});
    uint32_t tmpMax = AscendC::GetSoftMaxMaxTmpSize(srcShape, sizeof(float), false);
    uint32_t tmpMin = AscendC::GetSoftMaxMinTmpSize(srcShape, sizeof(float), false);
    uint32_t tmp = Min(tmpMax, ub_size / 4);
    tmp = tmp < tmpMin ? tmpMin : tmp;

    SoftmaxRowsTilingData tiling;
    AscendC::SoftMaxTilingFunc(srcShape, sizeof(float), tmp, tiling.softmaxTiling);
    tiling.set_rowLen(rowLen);
    tiling.set_rowLenAlign(rowLenAlign);
    tiling.set_rowsTotal(rowsTotal);
    tiling.set_rowsPerLoop(rowsPerLoop);
    tiling.set_tmpBytes(tmp);
    uint32_t loops = (rowsTotal + rowsPerLoop - 1) / rowsPerLoop;
    context->SetBlockDim(loops == 0 ? 1 : Min(loops, ascendcPlatform.GetCoreNum()));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    size_t* currentWorkspace = context->GetWorkspaceSizes(1);
    currentWorkspace[0] = ascendcPlatform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    const gert::Shape* x_shape = context->GetInputShape(0);
    gert::Shape* y_shape = context->GetOutputShape(0);
    *y_shape = *x_shape;
    return GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context) {
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return ge::GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class SoftmaxRows : public OpDef {
public:
    explicit SoftmaxRows(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT})
            .Format({ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT})
            .Format({ge::FORMAT_ND})
            .UnknownShapeFormat({ge::FORMAT_ND});
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend310p");
    }
};
OP_ADD(SoftmaxRows);
}  // namespace ops
