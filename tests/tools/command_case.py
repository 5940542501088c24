# SPDX-License-Identifier: Apache-2.0
"""A folder of kernels and arrays, and the command `sfumato` run in it: what the tests of the command share."""

import ast
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

from installation import COMMAND
from raised import keep


KERNELS = r"""
#include "kernel_operator.h"
#include "other.h"
struct Tiling { uint32_t count; float scale; };
extern "C" __global__ __aicore__ void copy(GM_ADDR src, GM_ADDR dst, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) dst[i] = src[i] + ADDED;
}
namespace ops {
__global__ __aicore__ void tile(__gm__ float* x, Tiling t) { for (uint32_t i = 0; i < t.count; ++i) x[i] *= t.scale; }
__global__ __aicore__ void tile_pointer(__gm__ float* x, GM_ADDR t) { x[0] = ((__gm__ float*)t)[1]; }
}
#ifdef NEVER
extern "C" __global__ __aicore__ void copy(GM_ADDR src) {}
extern "C" __global__ __aicore__ void never() {}
#endif
template <int N, bool B> __global__ __aicore__ void plus(__gm__ int32_t* x) { x[0] += B ? N : 0; }
extern "C" __global__ __aicore__ void null(GM_ADDR x) { x[0] = 1; *(volatile int*)nullptr = 1; }
extern "C" __global__ __aicore__ void divide(GM_ADDR x, int32_t n) { x[0] = uint8_t(7 / n); }
extern "C" __global__ __aicore__ void give_up(GM_ADDR x) { std::terminate(); }
static volatile int sink;
__attribute__((noinline)) static int Deep(int n) { volatile char b[999]; b[n % 999] = 1; return n ? Deep(n + 1) + b[n % 999] : 0; }
extern "C" __global__ __aicore__ void recurse(GM_ADDR x) { sink = Deep(1); }
extern "C" __global__ __aicore__ void say(GM_ADDR x) { AscendC::printf("kernel says %d\n", 42); }
extern "C" __global__ __aicore__ void scalars(__gm__ double* x, int8_t a, bool b, half c, float d, uint64_t e) {
    x[0] = a; x[1] = b; x[2] = float(c); x[3] = d; x[4] = double(e);
}
"""

# Lines are counted from the first, which is empty.
RESTS = r"""
#include "kernel_operator.h"
using namespace AscendC;
template <class Compute> __aicore__ inline void Each(GM_ADDR data, Compute compute) {
    TPipe pipe; TBuf<> buffer; pipe.InitBuffer(buffer, 256);
    LocalTensor<float> x = buffer.Get<float>();
    GlobalTensor<float> gm; gm.SetGlobalBuffer((__gm__ float*)data, 8);
    DataCopy(x, gm, 8);
    PipeBarrier<PIPE_ALL>();
    compute(x);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, x, 8);
}
extern "C" __global__ __aicore__ void adds(GM_ADDR data) { Each(data, [](auto& x) { Adds(x, x, 1.0f, 8); }); }
extern "C" __global__ __aicore__ void exponential(GM_ADDR data) { Each(data, [](auto& x) { Exp(x, x, 8); }); }
"""

ENDS = r"""
#include <stdlib.h>
#include <cstdlib>
#include <functional>
#include <string>
#include <unistd.h>
#include "kernel_operator.h"
#define KERNEL extern "C" __global__ __aicore__ void
KERNEL by_exit(GM_ADDR x) { exit(0); }
KERNEL by_std_exit(GM_ADDR x) { std::exit(0); }
KERNEL by_underscore(GM_ADDR x) { _exit(0); }
KERNEL by_big(GM_ADDR x) { std::_Exit(3); }
KERNEL by_quick(GM_ADDR x) { std::quick_exit(0); }
KERNEL by_abort(GM_ADDR x) { ::abort(); }
template <class T> void Leave(T code) { std::exit(static_cast<int>(code)); }
KERNEL by_template(GM_ADDR x) { Leave(1.5); }
KERNEL by_lambda(GM_ADDR x) { std::function<void()> f = [] { std::abort(); }; f(); }
KERNEL by_pointer(GM_ADDR x) { void (*volatile leave)(int) = std::exit; leave(2); }
KERNEL by_abort_pointer(GM_ADDR x) { void (*volatile leave)() = abort; leave(); }
struct Door { int exit(int n) { return n; } void abort() {} };
KERNEL by_member(GM_ADDR x) { Door d; d.abort(); x[0] = uint8_t(d.exit(9)); }
static const int host = getenv("HOST_ENDS") ? (exit(7), 0) : 0;
"""


TYPES = r"""
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void typed(GM_ADDR x, __gm__ int32_t* y) {
#if ORIG_DTYPE_X == DT_FLOAT
    y[0] = int32_t(sizeof(DTYPE_X)) + (FORMAT_X == FORMAT_ND ? 10 : 20);
#endif
}
"""

# Macros make the kernels.
BUILD = r"""
#include "kernel_operator.h"
#define KERNEL(name) extern "C" __global__ __aicore__ void name
KERNEL(listed)(GM_ADDR x, GM_ADDR y) {
    AscendC::ListTensorDesc in((void*)x), out((void*)y);
    out.GetDataPtr<int32_t>(1)[0] = int32_t(in.GetSize()) + in.GetDataPtr<int32_t>(1)[0];
    out.GetDataPtr<uint8_t>(0)[1] = in.GetDataPtr<uint8_t>(0)[2];
}
KERNEL(choose)(__gm__ int32_t* y) { y[0] = TILING_KEY_IS(3) ? 3 : TILING_KEY_IS(4) ? 4 : 0; }
"""


def npy(descr, shape, data, fortran=False):
    header = repr({"descr": descr, "fortran_order": fortran, "shape": shape}).encode() + b" \n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def read_npy(path):
    with open(path, "rb") as f:
        raw = f.read()
    length = struct.unpack("<H", raw[8:10])[0]
    header = ast.literal_eval(raw[10 : 10 + length].decode())
    return header["descr"], header["shape"], raw[10 + length :]


class CommandCase(unittest.TestCase):
    sfumato_path = str(COMMAND)

    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="sfumato-command-test-")
        cls.cache = os.path.join(cls.dir, "cache")
        cls.write("k.cpp", KERNELS)
        cls.write("ends.cpp", ENDS)
        cls.write("build.cpp", BUILD)
        cls.write("types.cpp", TYPES)
        cls.write("other.h", "#define ADDED 1\n")
        cls.write("x.npy", npy("|u1", (4,), bytes([1, 2, 3, 4])))
        cls.write("f.npy", npy("<f4", (2,), struct.pack("<2f", 1.5, 2.5)))
        cls.write("i.npy", npy("<i4", (1,), struct.pack("<i", 40)))
        cls.write("t.bin", struct.pack("<If", 2, 10.0))
        cls.write("big.bin", b"x" * 9)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    @classmethod
    def write(cls, name, data):
        with open(os.path.join(cls.dir, name), "wb") as f:
            f.write(data.encode() if isinstance(data, str) else data)

    def path(self, name):
        return os.path.join(self.dir, name)

    def sfumato(self, *args, process=None, **env):
        """process: further arguments of subprocess.run."""
        environment = {**os.environ, "SFUMATO_CACHE": self.cache, **env}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **(process or {})}
        return subprocess.run(
            [self.sfumato_path, *args], cwd=self.dir, env=environment, text=True, timeout=300, **pipes
        )

    def run_kernel(self, kernel, *args, options=(), **more):
        chosen = ["--kernel", kernel] if kernel else []
        return self.sfumato("run", "k.cpp", "--chip", "Ascend910B1", *chosen, *options, "--", *args, **more)

    def assert_refused(self, result, text, code=2):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(text, result.stderr)
        leftovers = [n for n in os.listdir(self.dir) if n.endswith(".tmp")]
        self.assertEqual(leftovers, [])


def main(name):
    """Runs the tests of the calling file."""
    keep(name)
    unittest.main()
