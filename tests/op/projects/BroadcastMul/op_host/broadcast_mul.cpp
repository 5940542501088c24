// SPDX-License-Identifier: Apache-2.0
// BroadcastMul: z = x * y, where y has x's shape, one element, or x's last axis.
#include "../op_kernel/broadcast_mul_tiling_data.h"
#include "../op_kernel/broadcast_mul_tiling_key.h"
#include "host_math.h"
#include "log/log.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
struct BroadcastMulCompileInfo {
    uint32_t coreNum = 0;
    uint64_t ubSize = 0;
};

static ge::graphStatus TilingPrepare4BroadcastMul(gert::TilingParseContext* context) {
    auto* info = context->GetCompiledInfo<BroadcastMulCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    info->coreNum = platform.GetCoreNumAiv();
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, info->ubSize);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus Tiling4BroadcastMul(gert::TilingContext* context) {
    const auto* info = static_cast<const BroadcastMulCompileInfo*>(context->GetCompileInfo<BroadcastMulCompileInfo>());
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
    const gert::Shape& y = context->GetInputShape(1)->GetStorageShape();
    const ge::DataType type = context->GetInputDesc(0)->GetDataType();
    uint32_t mode = BRC_NONE;
    int64_t rows = 1, cols = x.GetShapeSize();
    if (x == y) {
        mode = BRC_NONE;
    } else if (y.GetShapeSize() == 1) {
        mode = BRC_SCALAR;
    } else if (y.GetDimNum() == 1 && x.GetDimNum() > 0 && y[0] == x[x.GetDimNum() - 1]) {
        mode = BRC_ROW;
        cols = y[0];
        rows = cols == 0 ? 0 : x.GetShapeSize() / cols;
    } else {
        OP_LOGE(context->GetNodeName(), "y does not spread over x");
        return ge::GRAPH_FAILED;
    }
    const int64_t size = ge::GetSizeByDataType(type);
    auto* data = context->GetTilingData<BroadcastMulTilingData>();
    data->rows = rows;
    data->cols = cols;
    data->tileCols = mode == BRC_ROW ? op_common::CeilAlign(cols > 0 ? cols : 1, 32 / size)
                                     : op_common::FloorAlign(info->ubSize / 12 / size, 256);
    if (data->tileCols * 6 * size > static_cast<int64_t>(info->ubSize)) return ge::GRAPH_FAILED;
    const int64_t pieces = mode == BRC_ROW ? rows : op_common::CeilDiv(cols, data->tileCols);
    const uint32_t dType = static_cast<uint32_t>(type);
    const bool tail = mode == BRC_SCALAR || cols % data->tileCols != 0;
    ASCENDC_TPL_SEL_PARAM(context, dType, mode, tail);
    context->SetBlockDim(pieces == 0 ? 1 : pieces < info->coreNum ? pieces : info->coreNum);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(BroadcastMul)
    .Tiling(Tiling4BroadcastMul)
    .TilingParse<BroadcastMulCompileInfo>(TilingPrepare4BroadcastMul);
}  // namespace optiling

namespace ops {
static ge::graphStatus InferShape4BroadcastMul(gert::InferShapeContext* context) {
    OP_CHECK_NULL_WITH_CONTEXT(context, context->GetInputShape(0));
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(BroadcastMul)
    .InferShape(InferShape4BroadcastMul)
    .InferDataType([](gert::InferDataTypeContext* context) {
        context->SetOutputDataType(0, context->GetInputDataType(0));
        return ge::GRAPH_SUCCESS;
    });

class BroadcastMul : public OpDef {
public:
    explicit BroadcastMul(const char* name) : OpDef(name) {
        const std::vector<ge::DataType> types = {ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT32};
        const std::vector<ge::Format> formats(types.size(), ge::FORMAT_ND);
        this->Input("x").ParamType(REQUIRED).DataType(types).Format(formats).UnknownShapeFormat(formats);
        this->Input("y").ParamType(REQUIRED).DataType(types).Format(formats).UnknownShapeFormat(formats);
        this->Output("z").ParamType(REQUIRED).DataType(types).Format(formats).UnknownShapeFormat(formats);
        OpAICoreConfig aicoreConfig;
        aicoreConfig.DynamicCompileStaticFlag(true)
            .DynamicFormatFlag(false)
            .DynamicRankSupportFlag(true)
            .DynamicShapeSupportFlag(true)
            .NeedCheckSupportFlag(false)
            .PrecisionReduceFlag(true)
            .ExtendCfgInfo("jitCompile.flag", "static_false,dynamic_false")
            .ExtendCfgInfo("aclnnSupport.value", "support_aclnn");
        this->AICore().AddConfig("ascend910b", aicoreConfig);
        this->AICore().AddConfig("ascend910_93", aicoreConfig);
    }
};
OP_ADD(BroadcastMul);
}  // namespace ops
