// SPDX-License-Identifier: Apache-2.0
// BiasScale: y = x * scale[column] + bias[column]; bias and scale may be left out.
#include "host_math.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(BiasScaleTiling)
TILING_DATA_FIELD_DEF(int64_t, rows);
TILING_DATA_FIELD_DEF(int64_t, cols);
TILING_DATA_FIELD_DEF(int32_t, hasBias);
TILING_DATA_FIELD_DEF(int32_t, hasScale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(BiasScale, BiasScaleTiling)

enum InputIndex : size_t { INDEX_X = 0, INDEX_BIAS = 1, INDEX_SCALE = 2 };

class BiasScaleTilingHelper {
public:
    explicit BiasScaleTilingHelper(gert::TilingContext* ctx) : ctx_(ctx) {}

    ge::graphStatus Do() {
        if (CheckShapes() != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
        auto platform = platform_ascendc::PlatformAscendC(ctx_->GetPlatformInfo());
        const int64_t cores = platform.GetCoreNumAiv();
        tiling_.set_rows(rows_);
        tiling_.set_cols(cols_);
        tiling_.set_hasBias(bias_ != nullptr);
        tiling_.set_hasScale(scale_ != nullptr);
        ctx_->SetBlockDim(rows_ < 1 ? 1 : rows_ < cores ? rows_ : cores);
        ctx_->SetTilingKey(rows_ * cols_ == 0 ? 0 : 1);
        tiling_.SaveToBuffer(ctx_->GetRawTilingData()->GetData(), ctx_->GetRawTilingData()->GetCapacity());
        ctx_->GetRawTilingData()->SetDataSize(tiling_.GetDataSize());
        ctx_->GetWorkspaceSizes(1)[0] = 0;
        return ge::GRAPH_SUCCESS;
    }

private:
    ge::graphStatus CheckShapes() {
        const gert::Shape& x = ctx_->GetRequiredInputShape(INDEX_X)->GetStorageShape();
        if (x.GetDimNum() != 2 || x.GetDim(1) > 4096) return ge::GRAPH_FAILED;
        rows_ = x.GetDim(0);
        cols_ = x.GetDim(1);
        bias_ = ctx_->GetOptionalInputShape(INDEX_BIAS);
        scale_ = ctx_->GetOptionalInputShape(INDEX_SCALE);
        for (const gert::StorageShape* one : {bias_, scale_}) {
            if (one != nullptr && one->GetStorageShape().GetShapeSize() != cols_) return ge::GRAPH_PARAM_INVALID;
        }
        return ge::GRAPH_SUCCESS;
    }

    gert::TilingContext* ctx_;
    const gert::StorageShape* bias_ = nullptr;
    const gert::StorageShape* scale_ = nullptr;
    int64_t rows_ = 0, cols_ = 0;
    BiasScaleTiling tiling_;
};

static ge::graphStatus TilingBiasScale(gert::TilingContext* context) { return BiasScaleTilingHelper(context).Do(); }
}  // namespace optiling

namespace ops {
static ge::graphStatus InferShapeBiasScale(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferDataTypeBiasScale(gert::InferDataTypeContext* context) {
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}

class BiasScale : public OpDef {
public:
    explicit BiasScale(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("bias")
            .ParamType(OPTIONAL)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("scale")
            .ParamType(OPTIONAL)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(InferShapeBiasScale).SetInferDataType(InferDataTypeBiasScale);
        this->AICore().SetTiling(optiling::TilingBiasScale);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(BiasScale);
}  // namespace ops
