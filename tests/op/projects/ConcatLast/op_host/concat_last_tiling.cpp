// SPDX-License-Identifier: Apache-2.0
#include "../op_kernel/concat_last_tiling.h"

#include "exe_graph/runtime/tiling_context.h"
#include "graph/utils/type_utils.h"
#include "log/log.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
struct ConcatLastCompileInfo {};

static ge::graphStatus TilingFunc4ConcatLast(gert::TilingContext* context) {
    const auto* instances = context->GetIrInputInstanceInfo(0);
    OP_CHECK_NULL_WITH_CONTEXT(context, instances);
    const uint32_t tensorNum = instances->GetInstanceNum();
    const int64_t typeSize = ge::GetSizeByDataType(context->GetDynamicInputDesc(0, 0)->GetDataType());
    const gert::Shape& out = context->GetOutputShape(0)->GetStorageShape();
    const size_t axis = out.GetDimNum() - 1;
    uint64_t rows = 1;
    for (size_t i = 0; i < axis; i++) rows *= out.GetDim(i);
    for (uint32_t i = 0; i < tensorNum; i++) {
        const gert::Shape& shape = context->GetDynamicInputShape(0, i)->GetStorageShape();
        for (size_t d = 0; d < axis; d++) {
            if (shape.GetDim(d) != out.GetDim(d)) {
                OP_LOGE(
                    context->GetNodeName(), "axis %zu of tensor %u of %s is %ld, not %ld", d, i,
                    ge::TypeUtils::DataTypeToSerialString(context->GetDynamicInputDesc(0, i)->GetDataType()).c_str(),
                    shape.GetDim(d), out.GetDim(d));
                return ge::GRAPH_FAILED;
            }
        }
    }
    ConcatLastTilingData* data = context->GetTilingData<ConcatLastTilingData>();
    data->tensorNum = tensorNum;
    data->tileBytes = 16384;
    data->rowNum = rows;
    data->outBytes = out.GetDim(axis) * typeSize;
    platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
    const uint64_t cores = platform.GetCoreNumAiv();
    context->SetBlockDim(rows == 0 ? 1 : rows < cores ? rows : cores);
    size_t* workspaces = context->GetWorkspaceSizes(1);
    workspaces[0] = 0;
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TilingPrepare4ConcatLast([[maybe_unused]] gert::TilingParseContext* context) {
    return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ConcatLast).Tiling(TilingFunc4ConcatLast).TilingParse<ConcatLastCompileInfo>(TilingPrepare4ConcatLast);
}  // namespace optiling
