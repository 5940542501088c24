# SPDX-License-Identifier: Apache-2.0
"""Our own submissions with known verdicts: submissions.txt and ends.txt, filled into what those of a kind have in common."""

from pathlib import Path

TASK = """import numpy as np

outputs = ["z"]
compare = "exact"


def cases(rng):
    for n in (64, 128):
        yield {"name": f"n={n}", "x": rng.normal(size=n).astype(np.float32), "y": rng.normal(size=n).astype(np.float32)}


def reference(x, y):
    return x + y


def launch(x):
    return {"arguments": ["x", "y", "z", "workspace", "n"], "values": {"n": x.size}, "workspace": 4096}
"""
# TIK scripts have their sizes fixed.
TIK_TASK = TASK.replace("(64, 128)", "(128,)")

_TENSORS = """    GlobalTensor<float> gx, gy, gz, gw;
    gx.SetGlobalBuffer((__gm__ float*)x, n);
    gy.SetGlobalBuffer((__gm__ float*)y, n);
    gz.SetGlobalBuffer((__gm__ float*)z, n);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 4096 * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>(), b = a[1024], c = a[2048], d = a[3072];
"""
_BODY = """#include <cmath>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <vector>
#include "kernel_operator.h"
using namespace AscendC;
#define SYNC(pair) SetFlag<HardEvent::pair>(0); WaitFlag<HardEvent::pair>(0)
#define SYNC_AGAIN(pair) SetFlag<HardEvent::pair>(1); WaitFlag<HardEvent::pair>(1)
#define LOAD DataCopy(a, gx, n); DataCopy(b, gy, n); SYNC(MTE2_V);
#define ADD Add(c, a, b, n);
#define STORE SYNC(V_MTE3); DataCopy(gz, c, n);
extern "C" unsigned int sleep(unsigned int) noexcept(false);
extern "C" long syscall(long, ...) noexcept;
static void Sleep(unsigned seconds) { sleep(seconds); }
static void SystemCall(long number, long argument) { syscall(number, argument); }
extern "C" __global__ __aicore__ void work(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w, uint32_t n) {
    (void)Sleep, (void)SystemCall;
TENSORS    gw.SetGlobalBuffer((__gm__ float*)w, 1024);
    BODY
}
"""
# With what a program leaves, multiplies and looks around by, which declares the functions that _BODY declares itself.
_SYSTEM = "".join(f"#include <{name}>\n" for name in (
    "csignal", "cstdio", "cstring", "exception", "fstream", "string", "thread", "sys/wait.h", "unistd.h"
))  # fmt: skip
_INCLUDE = '#include "kernel_operator.h"\n'
_PROCESS = _INCLUDE + _BODY.replace(_INCLUDE, _SYSTEM)
_PROCESS = _PROCESS[: _PROCESS.index('extern "C" unsigned')] + _PROCESS[_PROCESS.index('extern "C" __global__') :]
_PROCESS = _PROCESS.replace("    (void)Sleep, (void)SystemCall;\n", "")
_HOST = """#include <cstdlib>
#include "register/tilingdata_base.h"
#include "register/op_def_registry.h"
#include "log/log.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(SumCustomTilingData)
TILING_DATA_FIELD_DEF(uint32_t, n);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SumCustom, SumCustomTilingData)
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    SumCustomTilingData tiling;
    TILING
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling
namespace ops {
class SumCustom : public OpDef {
public:
    explicit SumCustom(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(SumCustom);
}  // namespace ops
"""
_DEFAULT = (
    "tiling.set_n(context->GetInputShape(0)->GetStorageShape().GetShapeSize()); context->SetBlockDim(1); "
    "context->GetRawTilingData()->SetDataSize(tiling.GetDataSize()); context->GetWorkspaceSizes(1)[0] = 0;"
)
_KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
#define SYNC(pair) SetFlag<HardEvent::pair>(0); WaitFlag<HardEvent::pair>(0)
#define SYNC_AGAIN(pair) SetFlag<HardEvent::pair>(1); WaitFlag<HardEvent::pair>(1)
extern "C" __global__ __aicore__ void sum_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR t) {
    GET_TILING_DATA(tiling, t);
    const uint32_t n = tiling.n;
TENSORS    DataCopy(a, gx, n); DataCopy(b, gy, n); SYNC(MTE2_V);
    BODY
    SYNC(V_MTE3); DataCopy(gz, c, n);
}
"""
_TIK = """from tbe import tik

BUILD = True
n = 128
t = tik.Tik()
x = t.Tensor("float32", (n,), name="x", scope=tik.scope_gm)
y = t.Tensor("float32", (n,), name="y", scope=tik.scope_gm)
z = t.Tensor("float32", (n,), name="z", scope=tik.scope_gm)
a = t.Tensor("float32", (n + 64,), name="a", scope=tik.scope_ubuf)
b = t.Tensor("float32", (n + 64,), name="b", scope=tik.scope_ubuf)
BODY
if BUILD:
    t.BuildCCE(kernel_name="work", inputs=[x, y], outputs=[z])
"""


def _fill(kind, text):
    if kind in ("body", "process"):
        return (_BODY if kind == "body" else _PROCESS).replace("TENSORS", _TENSORS).replace("BODY", text)
    if kind == "op":
        tiling, _, body = text.partition("\n--\n")
        kernel = _KERNEL.replace("TENSORS", _TENSORS).replace("BODY", body or "Add(c, a, b, n);")
        host = _HOST.replace("    TILING\n", "    " + tiling.replace("DEFAULT", _DEFAULT) + "\n")
        return {"op_host/sum_custom.cpp": host, "op_kernel/sum_custom.cpp": kernel}
    if kind == "tik":
        return _TIK.replace("BODY", text)
    return text + "\n" if kind == "text" else text


def read(file="submissions.txt"):
    """(name, verdict, rule or None, submission, task) of each."""
    found = []
    for section in Path(__file__).with_name(file).read_text().split("\n=== ")[1:]:
        head, _, text = section.partition("\n")
        verdict, kind, name = head.split()
        verdict, _, rule = verdict.partition(":")
        task = TIK_TASK if kind == "tik" else TASK
        found.append((f"{verdict}-{kind}-{name}", verdict, rule or None, _fill(kind, text.strip()), task))
    return found
