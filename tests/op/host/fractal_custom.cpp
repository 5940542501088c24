// SPDX-License-Identifier: Apache-2.0
// An operator of matrices in FRACTAL_NZ, whose tiling data are the shapes and formats that it sees.
#include "register/op_def_registry.h"

struct Seen {
    int64_t of_x[2], stored_x[4], dims_x, of_z[2], dims_z, format_x, stored_format_x;
};

static ge::graphStatus Tile(gert::TilingContext* context) {
    auto* seen = context->GetTilingData<Seen>();
    const gert::StorageShape *x = context->GetInputShape(0), *z = context->GetOutputShape(0);
    const gert::CompileTimeTensorDesc* desc = context->GetInputDesc(0);
    for (size_t i = 0; i < 2; ++i) seen->of_x[i] = x->GetOriginShape().GetDim(i);
    for (size_t i = 0; i < 2; ++i) seen->of_z[i] = z->GetOriginShape().GetDim(i);
    seen->dims_x = x->GetStorageShape().GetDimNum(), seen->dims_z = z->GetStorageShape().GetDimNum();
    for (int64_t i = 0; i < seen->dims_x; ++i) seen->stored_x[i] = x->GetStorageShape().GetDim(i);
    seen->format_x = desc->GetOriginFormat(), seen->stored_format_x = desc->GetStorageFormat();
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    *context->GetOutputShape(1) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}

namespace ops {
class FractalCustom : public OpDef {
public:
    explicit FractalCustom(const char* name) : OpDef(name) {
        this->Input("x")
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT})
            .Format({ge::FORMAT_FRACTAL_NZ, ge::FORMAT_FRACTAL_NZ, ge::FORMAT_ND});
        this->Output("z")
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT})
            .Format({ge::FORMAT_FRACTAL_NZ, ge::FORMAT_FRACTAL_NZ, ge::FORMAT_FRACTAL_NZ});
        this->Output("w").DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_FLOAT});
        this->SetInferShape(InferShape);
        this->AICore().SetTiling(Tile).AddConfig("ascend910b");
    }
};
class FollowsFractal : public OpDef {
public:
    explicit FollowsFractal(const char* name) : OpDef(name) {
        this->Input("x").DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_FRACTAL_NZ});
        this->Output("z").DataType({ge::DT_INT8}).Format({ge::FORMAT_FRACTAL_NZ}).Follow("x", FollowType::SHAPE);
        this->Output("w").DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).Follow("x", FollowType::SHAPE);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(FractalCustom);
OP_ADD(FollowsFractal);
}  // namespace ops
