// SPDX-License-Identifier: Apache-2.0
// QuantizeRows: y = int8(x * scale + offset), rounded to nearest even; scale is one number or one for each column.
#include <algorithm>

#include "../op_kernel/inc/quantize_rows_struct.h"
#include "graph/types.h"
#include "log/log.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint64_t kPerTensor = 100, kPerChannel = 200;

class Tiler {
public:
    static ge::graphStatus Run(gert::TilingContext* context) {
        Tiler tiler{context};
        auto status = tiler.Shapes();
        if (status == ge::GRAPH_SUCCESS) tiler.Fill();
        return status;
    }

private:
    explicit Tiler(gert::TilingContext* context) : context_(context) {}

    ge::graphStatus Shapes() {
        const auto& x = context_->GetInputShape(0)->GetStorageShape();
        const auto& scale = context_->GetInputShape(1)->GetStorageShape();
        cols_ = x.GetDim(x.GetDimNum() - 1);
        rows_ = 1;
        for (size_t i = 0; i + 1 < x.GetDimNum(); i++) rows_ *= x[i];
        perChannel_ = !(scale.GetShapeSize() == 1);
        if (perChannel_ && scale.GetShapeSize() != cols_) {
            OP_LOGE("QuantizeRows", "scale has %ld elements, a row %ld", scale.GetShapeSize(), cols_);
            return ge::GRAPH_FAILED;
        }
        return ge::GRAPH_SUCCESS;
    }
    void Fill() {
        auto cores = platform_ascendc::PlatformAscendC(context_->GetPlatformInfo()).GetCoreNumAiv();
        QuantizeRowsStruct data{};
        data.rows = rows_;
        data.cols = cols_;
        data.offset = *context_->GetAttrs()->GetAttrPointer<float>(0);
        context_->GetRawTilingData()->Append(data);
        context_->SetTilingKey(perChannel_ ? kPerChannel : kPerTensor);
        context_->SetBlockDim(static_cast<uint32_t>(std::clamp<int64_t>(rows_, 1, cores)));
        *context_->GetWorkspaceSizes(1) = 0;
    }

    gert::TilingContext* context_;
    int64_t rows_ = 0, cols_ = 0;
    bool perChannel_ = false;
};
}  // namespace optiling

namespace ops {
class QuantizeRows : public OpDef {
public:
    explicit QuantizeRows(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).FormatList({ge::FORMAT_ND});
        this->Input("scale").ParamType(REQUIRED).DataTypeList({ge::DT_FLOAT}).FormatList({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataTypeList({ge::DT_INT8}).FormatList({ge::FORMAT_ND});
        this->Attr("offset").AttrType(OPTIONAL).Float(0.f);
        this->SetInferShape([](gert::InferShapeContext* context) -> ge::graphStatus {
            *context->GetOutputShape(0) = *context->GetInputShape(0);
            return ge::GRAPH_SUCCESS;
        });
        this->SetInferDataType([](gert::InferDataTypeContext* context) -> ge::graphStatus {
            return context->SetOutputDataType(0, ge::DT_INT8);
        });
        this->AICore().SetTiling(optiling::Tiler::Run);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(QuantizeRows);
}  // namespace ops
