// SPDX-License-Identifier: Apache-2.0
#include "../op_kernel/pair_tiling.h"

#include "host_math.h"
#include "log/log.h"
#include "pair_common.h"
#include "tiling/platform/platform_ascendc.h"

namespace pair_ops {
ge::graphStatus PairTilingParse(gert::TilingParseContext* context) {
    auto* info = context->GetCompiledInfo<PairCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    info->cores = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNum();
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus PairTiling(gert::TilingContext* context) {
    const auto* info = context->GetCompileInfo<PairCompileInfo>();
    OP_CHECK_NULL_WITH_CONTEXT(context, info);
    const gert::Shape& first = context->GetInputShape(0)->GetOriginShape();
    const gert::Shape& second = context->GetInputShape(1)->GetOriginShape();
    OP_CHECK_IF(first != second, OP_LOGE(context->GetNodeName(), "%s: two shapes", context->GetNodeType()),
                return ge::GRAPH_FAILED);
    auto* tiling = context->GetTilingData<PairTilingData>();
    tiling->length = first.GetShapeSize();
    tiling->tile = 3072;
    const int64_t tiles = op_common::CeilDiv(tiling->length, tiling->tile);
    context->SetBlockDim(tiles == 0 ? 1 : tiles < info->cores ? tiles : info->cores);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus PairInferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
}  // namespace pair_ops
