# SPDX-License-Identifier: Apache-2.0
"""Host code of operators compiled as a project's own build does: by older standards, with either ABI of std::string."""

from pathlib import Path

import numpy as np
import pytest

import sfumato

PROJECTS = Path(__file__).resolve().parents[1] / "op" / "projects"
STANDARDS = [["-std=c++11", "-D_GLIBCXX_USE_CXX11_ABI=0"], ["-std=c++14"], ["-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0"]]

# The tiling data are what the host read of definition, call and platform.
HOST = """
#include "tell_tiling.h"
#include "register/op_def_registry.h"
namespace optiling {
struct Info { uint32_t cores; };
static ge::graphStatus Parse(gert::TilingParseContext* context) {
    auto* info = context->GetCompiledInfo<Info>();
    info->cores = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus Tiling(gert::TilingContext* context) {
    TellTilingData tiling;
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    std::string size;
    context->GetPlatformInfo()->GetPlatformRes("AICoreSpec", "ub_size", size);
    tiling.set_rows(context->GetInputShape(0)->GetOriginShape().GetDim(0));
    tiling.set_list(attrs->GetListInt(0)->GetData()[1]);
    tiling.set_text(std::string(attrs->GetStr(1)).size());
    tiling.set_cores(context->GetCompileInfo<Info>()->cores);
    tiling.set_bytes(std::stoul(size));
    const std::string type = ge::TypeUtils::DataTypeToSerialString(context->GetInputDesc(0)->GetDataType());
    tiling.set_type(type == "DT_FLOAT" && ge::AscendString(type.c_str()) == "DT_FLOAT");
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
}
namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = gert::Shape({6});
    return GRAPH_SUCCESS;
}
static graphStatus InferType(gert::InferDataTypeContext* context) {
    return context->SetOutputDataType(0, ge::DT_INT32);
}
}
namespace ops {
class Tell : public OpDef {
public:
    explicit Tell(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("axes").AttrType(OPTIONAL).ListInt({1, 2});
        this->Attr("mode").AttrType(OPTIONAL).String("longer than fifteen letters");
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferType);
        this->AICore().SetTiling(optiling::Tiling).SetTilingParse(optiling::Parse).AddConfig("ascend910b");
    }
};
OP_ADD(Tell, optiling::Info);
}
"""
TILING = """
#pragma once
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(TellTilingData)
TILING_DATA_FIELD_DEF(int32_t, rows);
TILING_DATA_FIELD_DEF(int32_t, list);
TILING_DATA_FIELD_DEF(int32_t, text);
TILING_DATA_FIELD_DEF(int32_t, cores);
TILING_DATA_FIELD_DEF(int32_t, bytes);
TILING_DATA_FIELD_DEF(int32_t, type);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Tell, TellTilingData)
}
"""
KERNEL = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void tell(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {}
"""
FILES = {"op_host/tell.cpp": HOST, "op_host/tell_tiling.h": TILING, "op_kernel/tell.cpp": KERNEL}


@pytest.mark.parametrize("flags", [[], *STANDARDS], ids=" ".join)
def test_host_code_of_an_older_standard(flags):
    op = sfumato.load_op(FILES, chip="Ascend910B1", flags=flags)
    x = np.zeros((7, 8), np.float32)
    assert str(op.infer(x)[0][0]) == str(sfumato.Spec((6,), "int32"))
    told = np.frombuffer(op.tile(x, axes=[3, 9]).data, np.int32)
    np.testing.assert_array_equal(told, [7, 9, 27, 48, 196608, 1])


@pytest.mark.parametrize("project", ["MatmulLeaky", "SoftmaxRows"])
def test_planners_of_an_older_standard(project):
    assert sfumato.load_op(PROJECTS / project, chip="Ascend910B1", flags=STANDARDS[0]).inputs
