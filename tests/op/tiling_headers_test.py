# SPDX-License-Identifier: Apache-2.0
"""Headers of op_host and of op_kernel that have one name: the kernel's own is taken, a left-over of msopgen is not."""

import numpy as np
import pytest

import sfumato

DEFINITION = """
namespace ops {
class Both : public OpDef {
public:
    explicit Both(const char* name) : OpDef(name) {
        Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        AICore().SetTiling(optiling::Tiling).AddConfig("ascend910b");
    }
};
OP_ADD(Both);
}
"""
MACROS = """
#ifndef BOTH_TILING_H
#define BOTH_TILING_H
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(%s)
TILING_DATA_FIELD_DEF(uint32_t, %s);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Both, %s)
}
#endif
"""
STRUCT = "#ifndef BOTH_TILING_H\n#define BOTH_TILING_H\n#include <cstdint>\nstruct BothTilingData { uint32_t count; };\n#endif\n"
KERNEL = """
#include "kernel_operator.h"
#include "%s"
extern "C" __global__ __aicore__ void both(GM_ADDR x, GM_ADDR y, GM_ADDR w, GM_ADDR tiling) {
    %s
    AscendC::GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)y, 1);
    to.SetValue(0, t.count);
}
"""
TILING = """
#include "register/op_def_registry.h"
#include "%s"
namespace optiling {
static ge::graphStatus Tiling(gert::TilingContext* context) {
    context->SetBlockDim(1);
    %s
    return ge::GRAPH_SUCCESS;
}
}
"""
SAVED = """
    %s data;
    data.set_count(7);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
"""
DIRECT = "context->GetTilingData<BothTilingData>()->count = 7;"
REGISTERED = "REGISTER_TILING_DEFAULT(BothTilingData);\n    GET_TILING_DATA(t, tiling);"
READ = "BothTilingData t{((__gm__ uint32_t*)tiling)[0]};"

SAME_NAME = MACROS.replace("namespace optiling {", "namespace optiling {\nconstexpr uint32_t kMost = 8;")
INNER = (
    '#pragma once\n#include "register/tilingdata_base.h"\nnamespace optiling {\nBEGIN_TILING_DATA_DEF(Inner)\n'
    "TILING_DATA_FIELD_DEF(uint32_t, size);\nEND_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(InnerOp, Inner)\n}\n"
)
OUTER = MACROS.replace("namespace optiling {", '#include "inner.h"\nnamespace optiling {')

# Name: tiling header of the host, of the kernel, what the host includes and does, what the kernel includes and reads.
PROJECTS = {
    "one name, one guard": (MACROS % ("HostData", "count", "HostData"), STRUCT, "both_tiling.h", SAVED % "HostData",
                            "both_tiling.h", READ),
    "a left-over of one name": (MACROS % ("BothTilingData", "size", "BothTilingData"), STRUCT, "../op_kernel/both_tiling.h",
                                DIRECT, "both_tiling.h", REGISTERED),
    "a left-over of another name": (MACROS % ("BothTilingData", "size", "BothTilingData"), None, "../op_kernel/own.h", DIRECT,
                                    "own.h", REGISTERED),
    "the host's alone": (MACROS % ("BothTilingData", "count", "BothTilingData"), None, "both_tiling.h",
                         SAVED % "BothTilingData", "kernel_tiling/kernel_tiling.h", "GET_TILING_DATA(t, tiling);"),
    "a name that has no struct": (MACROS % ("BothTilingData", "count", "BothTilingData"), "#pragma once\n", "both_tiling.h",
                                  SAVED % "BothTilingData", "both_tiling.h", "GET_TILING_DATA(t, tiling);"),
    "a name of the host's namespace": (SAME_NAME % ("BothTilingData", "count", "BothTilingData"),
                                       "#pragma once\nconstexpr int32_t kMost = 7;\n", "both_tiling.h",
                                       SAVED % "BothTilingData", "both_tiling.h",
                                       "GET_TILING_DATA(t, tiling);\n    static_assert(kMost == 7);"),
    "a struct of another header": (OUTER % ("BothTilingData", "count", "BothTilingData"), None, "both_tiling.h",
                                   SAVED % "BothTilingData", "kernel_tiling/kernel_tiling.h",
                                   "GET_TILING_DATA(t, tiling);\n    static_assert(sizeof(Inner) == 8);"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROJECTS)
def test_the_kernel_reads_the_struct_it_names(name):
    of_host, of_kernel, included, tiling, read, reads = PROJECTS[name]
    files = {
        "op_host/both_tiling.h": of_host,
        "op_host/both.cpp": TILING % (included, tiling) + DEFINITION,
        "op_kernel/both.cpp": KERNEL % (read, reads),
        "op_kernel/own.h": STRUCT,
        "op_host/inner.h": INNER,
    }
    if of_kernel is not None:
        files["op_kernel/both_tiling.h"] = of_kernel
    assert sfumato.load_op(files, chip="Ascend910B1")(np.zeros(1, np.float32), out=((1,), np.float32)) == 7
