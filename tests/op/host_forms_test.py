# SPDX-License-Identifier: Apache-2.0
"""Host code as public operator projects have it: what headers bring, and what boards let pass."""

import numpy as np
import pytest

import sfumato

DEFINITION = """
#include "register/op_def_registry.h"
namespace ops {
class %(op)s : public OpDef {
public:
    explicit %(op)s(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
        this->Attr("added").AttrType(OPTIONAL).Int(1);
        this->SetInferShape(Infer%(op)s);
        this->AICore().SetTiling(optiling::Tile%(op)s).AddConfig("ascend910b").AddConfig("ascend310b");
    }
};
OP_ADD(%(op)s);
}
"""
# A copy, with a number of the tiling added and one field told.
HOST = """
%(include)s
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(%(op)sTiling)
TILING_DATA_FIELD_DEF(bool, adds);
TILING_DATA_FIELD_DEF(int32_t, count);
TILING_DATA_FIELD_DEF(bool, twice);
TILING_DATA_FIELD_DEF(int32_t, added);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(%(op)s, %(op)sTiling)
%(before)s
static ge::graphStatus Tile%(op)s(gert::TilingContext* context) {
    %(op)sTiling data;
    int32_t added = int32_t(*context->GetAttrs()->GetInt(0));
    %(code)s
    data.set_adds(true);
    data.set_twice(false);
    data.set_count(int32_t(context->GetInputShape(0)->GetStorageShape().GetShapeSize()));
    data.set_added(added);
    context->SetBlockDim(1);
    %(save)s
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}
static ge::graphStatus Infer%(op)s(gert::InferShapeContext* context) {
    %(infer)s
    return ge::GRAPH_SUCCESS;
}
"""
SAVE = "data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());"
INFER = "*context->GetOutputShape(0) = *context->GetInputShape(0);"
KERNEL = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void %(kernel)s(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    for (int32_t i = 0; i < data.count; ++i)
        ((__gm__ int32_t*)y)[i] = (data.twice ? 2 : 1) * (((__gm__ int32_t*)x)[i] + (data.adds ? data.added : 0));
}
"""
X = np.arange(8, dtype=np.int32)


def project(op="Plus", **parts) -> dict[str, str]:
    words = {"op": op, "include": "", "before": "", "code": "", "save": SAVE, "infer": INFER, **parts}
    kernel = "".join("_" + c.lower() if c.isupper() else c for c in op)[1:]
    return {
        f"op_host/{kernel}.cpp": HOST % words + DEFINITION % words,
        f"op_kernel/{kernel}.cpp": KERNEL % {"kernel": kernel},
    }


def load(files, chip="Ascend910B1", **more):
    return sfumato.load_op(files, chip=chip, **more)


# name -> parts of the host code; `added` is 1 unless the code says otherwise.
RIGHT = {
    "bool fields": ({}, 1),
    "SetDataPtr instead of SaveToBuffer": (
        {"save": "", "code": "data.SetDataPtr(context->GetRawTilingData()->GetData());"}, 1),
    "names of securec": (
        {"code": "char a[8]; if (memset_s(a, 8, 7, 8) != EOK) return ge::GRAPH_FAILED; added = a[3];"}, 7),
    "assert": ({"code": "assert(added == 1);"}, 1),
    "math_util.h": ({"include": '#include "util/math_util.h"', "code": "added = Ops::Base::CeilDiv(17, 8) + "
                     "Ops::Base::CeilAlign(17, 8) + Ops::Base::FloorDiv(17, 8) + Ops::Base::FloorAlign(17, 8);"}, 45),
    "op_common/log/log.h": ({"include": '#include "op_common/log/log.h"', "code": 'OP_LOGI("Plus", "here");'}, 1),
    "base/alog_pub.h": ({"include": "#include <base/alog_pub.h>\\n#include <base/err_msg.h>"}, 1),
    "hccl_tiling.h": ({"include": '#include "tiling/hccl/hccl_tiling.h"', "code":
                       "added = int32_t(sizeof(Mc2InitTiling) + sizeof(Mc2CcTiling));"}, 344),
    "kernel_tiling.h": ({"include": '#include "kernel_tiling/kernel_tiling.h"\\n#ifdef ASCENDC_CPU_DEBUG\\n'
                         '#error "CPU mode"\\n#endif', "code": "added = int32_t(sizeof(TCubeTiling) / 4);"}, 50),
    "an attribute that is not there": (
        {"code": "const int64_t* gone = context->GetAttrs()->GetInt(5); if (!gone) added = 9;"}, 9),
    "SetDim before SetDimNum": ({"infer": "context->GetOutputShape(0)->SetDimNum(0);"
                                 "context->GetOutputShape(0)->SetDim(0, 8);"
                                 "context->GetOutputShape(0)->SetDimNum(1);"}, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_loads_and_runs(name):
    parts, added = RIGHT[name]
    op = load(project(**{key: text.replace("\\n", "\n") for key, text in parts.items()}))
    assert np.array_equal(op(X), X + added)
    rules = [finding.rule for finding in op.last.findings]
    assert rules == (["op-dim-range"] if name.startswith("SetDim ") else [])


def test_a_dimension_behind_the_shape_is_told():
    op = load(project(code="gert::Shape s; s.SetDim(2, 8); added = int32_t(s.GetDimNum());"))
    assert np.array_equal(op(X), X)
    (finding,) = op.last.findings
    assert (finding.rule, str(finding.severity)) == ("op-dim-range", "warning")
    assert "SetDim: the shape has no dimension 2 until SetDimNum says so" in str(finding)
    with pytest.raises(sfumato.Error, match="the shape has no dimension 25"):
        load(project(code="gert::Shape s; s.SetDim(25, 8);"))(X)


def test_an_attribute_that_is_not_there_and_used():
    op = load(project(code="added = int32_t(*context->GetAttrs()->GetInt(5));"))
    with pytest.raises(sfumato.Error, match=r"null pointer(.|\n)*GetInt\(5\), of 1 attributes, gave nullptr"):
        op(X)


READS = {"code": "added = context->GetInputTensor(0)->GetData<int32_t>()[3];"}


def test_values_without_value_depend_are_there_on_310b():
    assert np.array_equal(load(project(**READS), chip="Ascend310B1")(X), X + 3)
    with pytest.raises(sfumato.Error, match="GetData, of a tensor without ValueDepend"):
        load(project(**READS))(X)


def test_sources_that_folders_above_share():
    shared = {
        "common/inc/shared_sum.h": "#pragma once\nint SharedSum(int a);\n",
        "common/src/shared_sum.cpp": '#include "../inc/shared_sum.h"\n#include "shared_one.h"\n'
        "int SharedSum(int a) { return a + SharedOne(); }\n",
        "common/src/shared_one.h": "#pragma once\nint SharedOne();\n",
        "common/src/shared_one.cpp": '#include "shared_one.h"\nint SharedOne() { return 40; }\n',
    }
    own = project(include='#include "shared_sum.h"', code="added = SharedSum(2);")
    files = {f"plus/{path}": text for path, text in own.items()}
    assert np.array_equal(load({**files, **shared}, op="Plus")(X), X + 42)
    with pytest.raises(sfumato.CompileError, match="does not link(.|\n)*SharedSum"):
        load({**files, **{path: text for path, text in shared.items() if not path.endswith("sum.cpp")}}, op="Plus")


def test_one_operator_loads_beside_another_that_cannot():
    good, bad = project("Plus"), project("Minus", code="Missing();")
    files = {**good, **bad}
    op = load(files, op="Plus")
    assert np.array_equal(op(X), X + 1)
    with pytest.raises(sfumato.CompileError, match="Missing"):
        load(files, op="Minus")
    with pytest.raises(sfumato.CompileError, match="Missing"):
        load(files)
    talking = {**good, "op_host/other_tiling.cpp": '#include "mc2_tiling_utils.h"\n'}
    assert np.array_equal(load(talking, op="Plus")(X), X + 1)
    with pytest.raises(sfumato.Error, match="own communication operators"):
        load(talking, op="Other")
    # Broken code of its own is nobody else's.
    with pytest.raises(sfumato.CompileError, match="Missing"):
        load({**good, "op_host/plus_more.cpp": "struct Plus {}; void f() { Missing(); }\n"}, op="Plus")
