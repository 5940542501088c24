// SPDX-License-Identifier: Apache-2.0
// Template arguments; another source of the library has others.
#include "ascendc/host_api/tiling/template_argument.h"
#include "register/op_def_registry.h"

ASCENDC_TPL_ARGS_DECL(TemplatesCustom, ASCENDC_TPL_UINT_DECL(MODE, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_LIST, 0, 3),
                      ASCENDC_TPL_BOOL_DECL(FAST, 0, 1));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 0),
                                     ASCENDC_TPL_BOOL_SEL(FAST, 0, 1)),
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(MODE, ASCENDC_TPL_UI_LIST, 3),
                                     ASCENDC_TPL_BOOL_SEL(FAST, 1)));

namespace optiling {

static ge::graphStatus Tiling(gert::TilingContext* context) {
    const auto mode = static_cast<uint64_t>(*context->GetAttrs()->GetInt(0));
    context->SetBlockDim(1);
    ASCENDC_TPL_SEL_PARAM(context, mode, mode != 0);
    return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class TemplatesCustom : public OpDef {
public:
    explicit TemplatesCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
        this->Attr("mode").Int();
        this->AICore().SetTiling(optiling::Tiling).AddConfig("ascend910b");
    }
};
OP_ADD(TemplatesCustom);

}  // namespace ops
