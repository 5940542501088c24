// SPDX-License-Identifier: Apache-2.0
// Template arguments; another source of the library has others.
#include "ascendc/host_api/tiling/template_argument.h"
#include "register/op_def_registry.h"

ASCENDC_TPL_ARGS_DECL(OtherCustom, ASCENDC_TPL_UINT_DECL(WIDTH, ASCENDC_TPL_16_BW, ASCENDC_TPL_UI_RANGE, 1, 1, 1000));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(WIDTH, ASCENDC_TPL_UI_RANGE, 1, 1, 500)));

namespace optiling {

static ge::graphStatus Tiling(gert::TilingContext* context) {
    const auto mode = static_cast<uint64_t>(*context->GetAttrs()->GetInt(0));
    context->SetBlockDim(1);
    ASCENDC_TPL_SEL_PARAM(context, mode);
    return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class OtherCustom : public OpDef {
public:
    explicit OtherCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
        this->Attr("mode").Int();
        this->AICore().SetTiling(optiling::Tiling).AddConfig("ascend910b");
    }
};
OP_ADD(OtherCustom);

}  // namespace ops
