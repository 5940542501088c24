// SPDX-License-Identifier: Apache-2.0
// A tiling function for each mistake: attribute 0 chooses. Case n stands on line n.
#include <cstring>
#include <stdexcept>

#include "log/log.h"
#include "platform/platform_infos_def.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

struct Info {
    int number = 0;
};
struct Data {
    uint32_t a, b;
};

static ge::graphStatus Tiling(gert::TilingContext* context) {
    const int64_t mode = *context->GetAttrs()->GetInt(0);
    const gert::Shape& shape = context->GetInputShape(0)->GetStorageShape();
    gert::Shape own({1, 2});
    auto* data = context->GetRawTilingData();
    auto* attrs = context->GetAttrs();
    std::string text;
    if (mode != 20) context->SetBlockDim(1);
    data->SetDataSize(8);
    volatile int zero = 0;
    // A case a line.
    // clang-format off
    switch (mode) {
        case 0: return ge::GRAPH_SUCCESS;
#line 1 "misuse.cpp"
        case 1: shape.GetDim(25); break;
        case 2: own[static_cast<int>(zero) - 1] = 3; break;
        case 3: own.SetDim(25, 1); break;
        case 4: own.SetDimNum(26); break;
        case 5: shape[5]; break;
        case 6: context->GetInputShape(4); break;
        case 7: context->GetInputDesc(1); break;
        case 8: context->GetInputShape(2); break;
        case 9: context->GetOptionalInputShape(3); break;
        case 10: context->GetOutputShape(1); break;
        case 11: attrs->GetAttrPointer<double>(1); break;
        case 12: attrs->GetInt(attrs->GetAttrNum() - 1); break;
        case 13: attrs->GetAttrPointer<gert::TypedContinuousVector<int32_t>>(2); break;
        case 14: attrs->GetBool(0); break;
        case 15: data->SetDataSize(20000); break;
        case 16: data->SetDataSize(0), static_cast<char*>(data->GetData())[3] = 1; break;
        case 17: context->SetBlockDim(0); break;
        case 18: context->GetWorkspaceSizes(2)[0] = 1; break;
        case 19: context->GetWorkspaceSizes(33); break;
        case 20: break;
        case 21: context->GetPlatformInfo()->GetPlatformResWithLock("AICoreSpec", "speed", text); break;
        case 22: context->GetPlatformInfo()->GetPlatformResWithLock("Weather", "rain", text); break;
        case 23: context->GetCompileInfo<Data>(); break;
        case 24: OP_LOGW(context, "look: %d", 7); OP_LOGE("Misuse", "bad %s", "shape"); return ge::GRAPH_FAILED;
        case 25: throw std::runtime_error("out of luck");
        case 26: throw 5;
        case 27: try { shape.GetDim(27); } catch (...) {} break;
        case 28: return context->GetOptionalInputShape(1)->GetStorageShape().GetDimNum();
        case 29: return 8 / zero;
        case 30: context->SetBlockDim(65536); break;
        case 31: return ge::GRAPH_PARAM_INVALID;
        case 32: return *reinterpret_cast<volatile int*>(static_cast<uintptr_t>(0x123456789000) + zero);
        case 33: return static_cast<ge::graphStatus>(7);
        case 34: return static_cast<ge::graphStatus>(std::strlen(zero == 0 ? nullptr : "x"));
        default: break;
    }
    // clang-format on
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus Parse(gert::TilingParseContext*) { return ge::GRAPH_SUCCESS; }
#line 39 "misuse.cpp"
static ge::graphStatus BadParse(gert::TilingParseContext* context) {
    OP_LOGE(context->GetNodeName(), "no such chip");
    return ge::GRAPH_FAILED;
}

#line 100 "misuse.cpp"
IMPL_OP_OPTILING(Misuse).Tiling(Tiling).TilingParse<Info>(Parse);
IMPL_OP_OPTILING(BadParse).Tiling(Tiling).TilingParse<Info>(BadParse);

}  // namespace optiling

namespace ops {

static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    // A case a line.
    // clang-format off
    switch (*context->GetAttrs()->GetInt(0)) {
#line 201 "misuse.cpp"
        case 1: *context->GetOutputShape(0) = {4, -1}; return ge::GRAPH_SUCCESS;
        case 2: OP_LOGE(context, "cannot tell"); return ge::GRAPH_FAILED;
        case 3: context->GetInputShape(0)->GetDim(29); return ge::GRAPH_SUCCESS;
        default: *context->GetOutputShape(0) = *context->GetInputShape(0);
    }
    // clang-format on
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context) {
    if (*context->GetAttrs()->GetInt(0) == 4)
        return context->SetOutputDataType(0, context->GetOptionalInputDataType(1));
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}
#line 210 "misuse.cpp"
IMPL_OP_INFERSHAPE(Misuse).InferShape(InferShape).InferDataType(InferDataType);

class Misuse : public OpDef {
public:
    explicit Misuse(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
        this->Input("bias").ParamType(OPTIONAL).DataType({ge::DT_FLOAT});
        this->Input("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
        this->Attr("mode").AttrType(REQUIRED).Int();
        this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
        this->Attr("list").AttrType(OPTIONAL).ListInt({1, 2});
        this->AICore().AddConfig("ascend910b");
    }
};
class BadParse : public Misuse {
public:
    using Misuse::Misuse;
};
class NoTiling : public Misuse {
public:
    using Misuse::Misuse;
};
#line 300 "misuse.cpp"
OP_ADD(Misuse);
OP_ADD(BadParse);
OP_ADD(NoTiling);

}  // namespace ops
