// SPDX-License-Identifier: Apache-2.0
// PadRows: `pads` = [before, after] elements of `value` around each row.
#include "../op_kernel/pad_rows_tiling.h"

#include <algorithm>

#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {
constexpr int32_t kTile = 1024;

ge::graphStatus TilePadRows(gert::TilingContext* context) {
    const auto* pads = context->GetAttrs()->GetListInt(0);
    if (pads == nullptr || pads->GetSize() != 2 || pads->GetData()[0] < 0 || pads->GetData()[1] < 0)
        return ge::GRAPH_PARAM_INVALID;
    const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
    const int64_t width = x.GetDim(x.GetDimNum() - 1), total = x.GetShapeSize();
    int64_t rows = 1;
    for (size_t i = 0; i + 1 < x.GetDimNum(); ++i) rows *= x.GetDim(i);
    const int64_t cores = platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNumAiv();
    context->GetWorkspaceSizes(1)[0] = 0;
    if (pads->GetData()[0] + pads->GetData()[1] == 0) {
        auto* tiling = context->GetTilingData<PadRowsCopyTiling>();
        tiling->total = total;
        tiling->tile = kTile;
        context->SetTilingKey(0);
        context->SetBlockDim(std::clamp<int64_t>((total + kTile - 1) / kTile, 1, cores));
        return ge::GRAPH_SUCCESS;
    }
    auto* tiling = context->GetTilingData<PadRowsPadTiling>();
    tiling->rows = rows;
    tiling->width = width;
    tiling->before = pads->GetData()[0];
    tiling->after = pads->GetData()[1];
    tiling->tile = kTile;
    tiling->value = *context->GetAttrs()->GetFloat(1);
    context->SetTilingKey(width <= kTile ? 10 : 11);
    context->SetBlockDim(std::clamp<int64_t>(rows, 1, cores));
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferPadRows(gert::InferShapeContext* context) {
    const auto* pads = context->GetAttrs()->GetListInt(0);
    gert::Shape* y = context->GetOutputShape(0);
    *y = *context->GetInputShape(0);
    const size_t last = y->GetDimNum() - 1;
    (*y)[last] = (*y)[last] + pads->GetData()[0] + pads->GetData()[1];
    return ge::GRAPH_SUCCESS;
}
}  // namespace

IMPL_OP(PadRows).Tiling(TilePadRows).InferShape(InferPadRows);

namespace ops {
class PadRows : public OpDef {
public:
    explicit PadRows(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_INT32})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("pads").AttrType(REQUIRED).ListInt();
        this->Attr("value").AttrType(OPTIONAL).Float(0);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(PadRows);
}  // namespace ops
