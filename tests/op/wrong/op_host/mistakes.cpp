// SPDX-License-Identifier: Apache-2.0
// An operator whose attribute `mistake` chooses what its host code does wrong.
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

#include "log/log.h"
#include "mistakes_tiling.h"
#include "platform/platform_infos_def.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

// A mistake a line.
// clang-format off
static volatile int sink;
static int Recurse(int n) { volatile char bytes[1000]; bytes[n % 1000] = 1; return Recurse(n + 1) + bytes[sink]; }
static uint32_t Divide(uint32_t a, uint32_t b) { return a / b; }

// What a right tiling function does.
static ge::graphStatus Finish(gert::TilingContext* context) {
    MistakesTilingData data;
    data.set_length(1);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    return context->SetBlockDim(1);
}


static const std::map<std::string, ge::graphStatus (*)(gert::TilingContext*)> kMistakes = {
    {"none", Finish},
    {"inference of half the rows", Finish},
    {"dim past the end", [](gert::TilingContext* c) { return c->SetBlockDim(c->GetInputShape(0)->GetStorageShape().GetDim(25)); }},
    {"dim behind its own", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetInputShape(0)->GetStorageShape().GetDim(2)), Finish(c); }},
    {"dim of minus one", [](gert::TilingContext* c) { return c->SetBlockDim(c->GetInputShape(0)->GetOriginShape().GetDim(-1)); }},
    {"input behind the absent", [](gert::TilingContext* c) { return c->GetInputShape(1) ? Finish(c) : ge::GRAPH_FAILED; }},
    {"input past those given", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetInputShape(2)->GetStorageShape().GetDim(0)); }},
    {"input past all", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetInputShape(9)->GetStorageShape().GetDim(0)); }},
    {"desc past all", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetInputDesc(9)->GetDataType()); }},
    {"output past all", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetOutputShape(1)->GetStorageShape().GetDim(0)); }},
    {"optional past all", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetOptionalInputShape(9)->GetStorageShape().GetDim(0)); }},
    {"absent read", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetOptionalInputShape(1)->GetStorageShape().GetDim(0)); }},
    {"values not depended on", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetInputTensor(0)->GetData<int64_t>()[0]); }},
    {"int as float", [](gert::TilingContext* c) { return c->SetTilingKey(*c->GetAttrs()->GetFloat(1)); }},
    {"float as int", [](gert::TilingContext* c) { return c->SetTilingKey(*c->GetAttrs()->GetAttrPointer<int64_t>(2)); }},
    {"float as double", [](gert::TilingContext* c) { return c->SetTilingKey(*c->GetAttrs()->GetAttrPointer<double>(2)); }},
    {"int as string", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetAttrs()->GetStr(1)[0]); }},
    {"list as int", [](gert::TilingContext* c) { return c->SetTilingKey(*c->GetAttrs()->GetInt(3)); }},
    {"attribute past the end", [](gert::TilingContext* c) { return c->SetTilingKey(*c->GetAttrs()->GetInt(4)); }},
    {"fails with a log", [](gert::TilingContext* c) {
        OP_LOGW(c->GetNodeName(), "x has %zu dimensions", c->GetInputShape(0)->GetStorageShape().GetDimNum());
        OP_LOGE(c->GetNodeName(), "x must have 3 dimensions");
        return ge::GRAPH_FAILED;
    }},
    {"fails in silence", [](gert::TilingContext*) { return ge::GRAPH_PARAM_INVALID; }},
    {"throws", [](gert::TilingContext*) -> ge::graphStatus { throw std::out_of_range("no tile of 7"); }},
    {"throws a number", [](gert::TilingContext*) -> ge::graphStatus { throw 5; }},
    {"goes through null", [](gert::TilingContext* c) { std::unique_ptr<uint32_t> p; return c->SetTilingKey(*p); }},
    {"recurses", [](gert::TilingContext*) { return static_cast<ge::graphStatus>(Recurse(1)); }},
    {"asserts", [](gert::TilingContext* c) { assert(c->GetInputShape(0)->GetStorageShape().GetDim(0) == 5); return Finish(c); }},
    {"exits", [](gert::TilingContext*) -> ge::graphStatus { exit(3); }},
    {"aborts", [](gert::TilingContext*) -> ge::graphStatus { std::abort(); }},
    {"asks for too much", [](gert::TilingContext*) -> ge::graphStatus { volatile size_t n = size_t{1} << 60; volatile char* volatile p = static_cast<char*>(std::malloc(n)); *p = 1; return ge::GRAPH_SUCCESS; }},
    {"terminates", [](gert::TilingContext*) -> ge::graphStatus { std::terminate(); }},
    {"traps", [](gert::TilingContext*) -> ge::graphStatus { __builtin_trap(); }},
    {"runs away", [](gert::TilingContext* c) { return c->SetTilingKey(*reinterpret_cast<volatile uint32_t*>(sink + (uintptr_t{1} << 40))); }},
    {"catches its fault", [](gert::TilingContext* c) { try { c->GetInputShape(9); } catch (...) { sink = 0; } return Finish(c); }},
    {"divides by zero", [](gert::TilingContext* c) { return c->SetBlockDim(Divide(8, c->GetTilingKey())); }},
    {"sets no blocks", [](gert::TilingContext*) { return ge::GRAPH_SUCCESS; }},
    {"sets 0 blocks", [](gert::TilingContext* c) { return c->SetBlockDim(0); }},
    {"sets 70000 blocks", [](gert::TilingContext* c) { return c->SetBlockDim(70000); }},
    {"buffer too small", [](gert::TilingContext* c) { MistakesTilingData t; t.SaveToBuffer(c->GetRawTilingData()->GetData(), 8); return c->SetBlockDim(1); }},
    {"data past the capacity", [](gert::TilingContext* c) { c->GetRawTilingData()->SetDataSize(40000); return c->SetBlockDim(1); }},
    {"size not set", [](gert::TilingContext* c) { MistakesTilingData t; t.set_length(5); t.SaveToBuffer(c->GetRawTilingData()->GetData(), 4096); return c->SetBlockDim(1); }},
    {"writes behind the buffer", [](gert::TilingContext* c) { std::memset(c->GetRawTilingData()->GetData(), 1, 17000); return Finish(c); }},
    {"data not written", [](gert::TilingContext* c) { return c->SetBlockDim(1); }},
    {"workspace of two, one set", [](gert::TilingContext* c) { c->GetWorkspaceSizes(2)[0] = 64; return Finish(c); }},
    {"workspace nobody asked for", [](gert::TilingContext* c) { c->GetWorkspaceSizes(1)[1] = 64; c->GetWorkspaceSizes(1)[0] = 0; return Finish(c); }},
    {"workspaces without end", [](gert::TilingContext* c) { return c->SetTilingKey(c->GetWorkspaceSizes(100)[0]); }},
    {"key of the platform", [](gert::TilingContext* c) {
        std::string value;
        c->GetPlatformInfo()->GetPlatformResWithLock("AICoreSpec", "cube_freq", value);
        return Finish(c);
    }},
    {"number of the platform", [](gert::TilingContext* c) {
        std::string value;
        c->GetPlatformInfo()->GetPlatformResWithLock("SoCInfo", "gpu_cnt", value);
        const int count = std::stoi(value);
        return c->SetBlockDim(count);
    }},
};
// clang-format on

static ge::graphStatus Tiling(gert::TilingContext* context) {
    return kMistakes.at(context->GetAttrs()->GetStr(0))(context);
}
IMPL_OP_OPTILING(Mistakes).Tiling(Tiling);

}  // namespace optiling

namespace ge {

static graphStatus InferShape(gert::InferShapeContext* context) {
    const std::string mistake = context->GetAttrs()->GetStr(0);
    gert::Shape& z = *context->GetOutputShape(0);
    z = *context->GetInputShape(0);
    if (mistake == "inference fails") {
        OP_LOGE(context->GetNodeName(), "x and y must be of one shape");
        return GRAPH_FAILED;
    }
    if (mistake == "inference is negative") z.SetDim(0, -1);
    if (mistake == "inference past the end") z.SetDim(0, context->GetInputShape(0)->GetDim(29));
    if (mistake == "inference of 26 dimensions") z.SetDimNum(26);
    if (mistake == "inference of half the rows") z.SetDim(0, z.GetDim(0) / 2);
    if (mistake == "inference through null") z = *context->GetOptionalInputShape(1);
    return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context) {
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}
IMPL_OP_INFERSHAPE(Mistakes).InferShape(InferShape).InferDataType(InferDataType);

}  // namespace ge

namespace ops {

class Mistakes : public OpDef {
public:
    explicit Mistakes(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("bias")
            .ParamType(OPTIONAL)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ});
        this->Output("z")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("mistake").String();
        this->Attr("count").AttrType(OPTIONAL).Int(1);
        this->Attr("scale").AttrType(OPTIONAL).Float(1.0);
        this->Attr("sizes").AttrType(OPTIONAL).ListInt({});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Mistakes);

}  // namespace ops
