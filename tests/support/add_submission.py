# SPDX-License-Identifier: Apache-2.0
"""A task, z = x + y, a right kernel for it, and changes of the kernel with their verdicts."""

TASK = """
import numpy as np

outputs = ["z"]
compare = "exact"

def cases(rng):
    for n in (64, 512):
        yield {"x": rng.normal(size=n).astype(np.float32), "y": rng.normal(size=n).astype(np.float32)}

def reference(x, y):
    return x + y

def launch(x):
    return {"blocks": 1, "arguments": ["x", "y", "z", "count"], "values": {"count": x.size}}
"""
KERNEL = """#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add(__gm__ float* x, __gm__ float* y, __gm__ float* z, uint32_t count) {
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer(x, count);
    gy.SetGlobalBuffer(y, count);
    gz.SetGlobalBuffer(z, count);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 2 * count * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>(), b = a[count];
    DataCopy(a, gx, count);
    DataCopy(b, gy, count);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(a, a, b, count);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(gz, a, count);
}
"""

_WAITS = "    SetFlag<HardEvent::MTE2_V>(0);\n    WaitFlag<HardEvent::MTE2_V>(0);\n"
VERDICTS = {
    "right": KERNEL,
    "wrong": KERNEL.replace("Add(a", "Sub(a"),
    "unstable": KERNEL.replace(_WAITS, ""),
    "no-compile": KERNEL.replace("Add(a", "Addd(a"),
    "refused": KERNEL.replace("DataCopy(a, gx", "DataCopy(a[1], gx"),
}
