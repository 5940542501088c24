// SPDX-License-Identifier: Apache-2.0
// What the operators on two tensors of one shape share.
#pragma once
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"

namespace pair_ops {
struct PairCompileInfo {
    int64_t cores = 0;
};
ge::graphStatus PairTiling(gert::TilingContext* context);
ge::graphStatus PairTilingParse(gert::TilingParseContext* context);
ge::graphStatus PairInferShape(gert::InferShapeContext* context);

class PairDef : public ops::OpDef {
public:
    PairDef(const char* name, const char* kernel) : OpDef(name) {
        using namespace ops;
        const std::initializer_list<ge::DataType> types{ge::DT_FLOAT, ge::DT_INT32};
        const std::initializer_list<ge::Format> formats{ge::FORMAT_ND, ge::FORMAT_ND};
        this->Input("x1").ParamType(REQUIRED).DataType(types).Format(formats);
        this->Input("x2").ParamType(REQUIRED).DataType(types).Format(formats);
        this->Output("y").ParamType(REQUIRED).DataType(types).Format(formats);
        OpAICoreConfig config;
        config.ExtendCfgInfo("opFile.value", "pair_ops").ExtendCfgInfo("opInterface.value", kernel);
        this->AICore().AddConfig("ascend910b", config).AddConfig("ascend310p", config);
    }
};
}  // namespace pair_ops
