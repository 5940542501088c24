// SPDX-License-Identifier: Apache-2.0
// Operators whose kernel does something wrong, or is told something wrong: attribute `key` chooses.
#include "../op_kernel/kernels_tiling.h"
#include "../op_kernel/templates_key.h"
#include "register/op_def_registry.h"

namespace optiling {

static ge::graphStatus Tiling(gert::TilingContext* context) {
    const int64_t key = *context->GetAttrs()->GetInt(0);
    const int64_t workspace = *context->GetAttrs()->GetInt(1);
    KernelsTiling* tiling = context->GetTilingData<KernelsTiling>();
    tiling->length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    if (key == 5) context->GetRawTilingData()->SetDataSize(0);
    if (workspace != 0) context->GetWorkspaceSizes(1)[0] = workspace;
    context->SetTilingKey(key);
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TemplateTiling(gert::TilingContext* context) {
    const int64_t key = *context->GetAttrs()->GetInt(0);
    context->SetTilingKey(key < 100 ? GET_TPL_TILING_KEY(static_cast<uint64_t>(key)) : static_cast<uint64_t>(key));
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}

static gert::OpImplRegisterV2::TilingKernelFunc const None = nullptr;

}  // namespace optiling

namespace ops {

// An operator a line.
// clang-format off
#define OPERATOR(Op, file, kernel, tiling, ...)                                    \
    class Op : public OpDef {                                                      \
    public:                                                                        \
        explicit Op(const char* name) : OpDef(name) {                              \
            Input("x").DataType({ge::DT_FLOAT, ge::DT_FLOAT16});                   \
            Output("z")__VA_ARGS__;                                                \
            Attr("key").Int();                                                     \
            Attr("workspace").AttrType(OPTIONAL).Int(0);                           \
            OpAICoreConfig config("ascend910b");                                   \
            config.ExtendCfgInfo("opFile.value", file);                            \
            config.ExtendCfgInfo("opInterface.value", kernel);                     \
            AICore().SetTiling(optiling::tiling).AddConfig("ascend910b", config);  \
        }                                                                          \
    };                                                                             \
    OP_ADD(Op);

OPERATOR(Kernels, "kernels", "kernels", Tiling, .Follow("x"))
OPERATOR(NoFile, "nowhere", "kernels", Tiling, .Follow("x"))
OPERATOR(NoKernel, "kernels", "other", Tiling, .Follow("x"))
OPERATOR(FewParameters, "kernels", "few_parameters", Tiling, .Follow("x"))
OPERATOR(ByValue, "kernels", "by_value", Tiling, .Follow("x"))
OPERATOR(Broken, "broken", "broken", Tiling, .Follow("x"))
OPERATOR(Library, "library", "library", Tiling, .Follow("x"))
OPERATOR(NoTiling, "kernels", "kernels", None, .Follow("x"))
OPERATOR(NoInference, "kernels", "kernels", Tiling, .DataType({ge::DT_FLOAT, ge::DT_FLOAT16}))
OPERATOR(Templates, "templates", "templates", TemplateTiling, .Follow("x"))
// clang-format on

class Lists : public OpDef {
public:
    explicit Lists(const char* name) : OpDef(name) {
        Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
        Output("z").ParamType(DYNAMIC).DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
        Attr("key").Int(0);
        Attr("workspace").Int(0);
        OpAICoreConfig config("ascend910b");
        config.ExtendCfgInfo("opFile.value", "kernels");
        config.ExtendCfgInfo("opInterface.value", "kernels");
        AICore().SetTiling(optiling::Tiling).AddConfig("ascend910b", config);
    }
};
OP_ADD(Lists);

}  // namespace ops
