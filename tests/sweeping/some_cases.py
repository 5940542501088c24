# SPDX-License-Identifier: Apache-2.0
"""Kernels, references, and cases of them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

KERNELS = """#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(__gm__ float* x, __gm__ float* y, uint32_t n, uint32_t how) {
    if (how == 1) kill(getpid(), SIGKILL);
    if (how == 7) clearenv();
    if (how == 8 && !getenv("PATH")) return;
    if (how == 6) *(volatile int*)8 = 1;
    while (how == 2) asm volatile("");
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer(x, n);
    to.SetGlobalBuffer(y, n);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, n * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>();
    DataCopy(how == 5 ? a[1] : a, from, n);
    if (how != 3) {
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
    }
    Muls(a, a, 2.0f, how == 4 ? n - 1 : n);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(to, a, n);
}
"""

REFERENCES = """
import ctypes, os, signal, sys
import numpy as np

def axpy(x, y, alpha):
    return ((x * np.asarray(alpha, x.dtype)).astype(x.dtype) + y).astype(x.dtype)

def twice(x):
    return x + x

def broken(x):
    raise KeyError("nothing")

def leaves(x):
    raise SystemExit(3)

def hangs(x):
    while True:
        pass

def sleeps_in_c(x):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    ctypes.CDLL(None).usleep(10**9)

def aborts(x):
    os.abort()

def exits(x):
    os._exit(3)

def prints(x):
    for number in range(1 << 10):
        os.write(number % 2 + 1, bytes(1 << 16))
    print("much")
    print("more", file=sys.stderr)
    return x + x
"""


def axpy_case(n=64, dtype="float32", **more):
    spec = {"shape": [n], "dtype": dtype}
    case = {"op": "Axpy", "chip": "Ascend910B1", "inputs": {"x": spec, "y": spec}, "attrs": {"alpha": 3.0}}
    return {**case, "reference": "refs.py:axpy", "compare": "exact", **more}


def twice_case(how=0, n=64, **more):
    case = {"kernel": "twice.cpp", "chip": "Ascend910B1", "blocks": 1, "args": ["x", "y", n, how]}
    case |= {"inputs": {"x": {"shape": [n], "dtype": "float32"}}, "outputs": {"y": {"shape": [n], "dtype": "float32"}}}
    return {**case, "reference": "refs.py:twice", "compare": "exact", **more}
