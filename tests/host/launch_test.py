# SPDX-License-Identifier: Apache-2.0
"""`sfumato build` and the programs it makes, as a user runs them."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from pathlib import Path

from formats import parse_findings, parse_junit, parse_sarif
from installation import COMMAND, PREFIX
from raised import keep, raised

PYTHON_HEADERS = Path(sysconfig.get_paths()["include"])
INCLUDE = PREFIX / "include" / "sfumato"


# Each style of launch in one file: a plain kernel, a template, a struct by value, a macro; host code between them.
STYLES = r"""#include <cstdio>
#include <vector>
#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;
struct Line { float slope, offset; };
namespace ops {
template <class T>
__global__ __aicore__ void line(__gm__ T* x, Line p) {
    GlobalTensor<T> gm;
    gm.SetGlobalBuffer(x + GetBlockIdx() * 64, 64);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 256);
    LocalTensor<T> t = queue.template AllocTensor<T>();
    DataCopy(t, gm, 64);
    queue.template EnQue<TPosition::GM, TPosition::VECIN, T>(t);
    t = queue.template DeQue<TPosition::GM, TPosition::VECIN, T>();
    Muls(t, t, T(p.slope), 64);
    Adds(t, t, T(p.offset), 64);
    queue.template EnQue<TPosition::VECOUT, TPosition::GM, T>(t);
    t = queue.template DeQue<TPosition::VECOUT, TPosition::GM, T>();
    DataCopy(gm, t, 64);
    queue.FreeTensor(t);
}
}
extern "C" __global__ __aicore__ void say(int32_t n) {
    if (GetBlockIdx() == 1) printf("n is %d\n", n);
}
#define LINE(type, blocks, ...) \
    ops::line<type><<<blocks, nullptr, stream>>>(__VA_ARGS__)
template <class T> void Twice(void* x, aclrtStream stream) {
    LINE(T, 2, x, Line{2, 0});
    ops::line<T><<<2, nullptr, stream>>>
        (x, Line{2,
                 1});
}
int main() {
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    std::vector<float> host(128);
    for (int i = 0; i < 128; ++i) host[i] = i;
    void* x = nullptr;
    aclrtMalloc(&x, 512, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, 512, host.data(), 512, ACL_MEMCPY_HOST_TO_DEVICE);
    Twice<float>(x, stream);
    say<<<size_t{2}, 0, stream>>>(7);
    int error = aclrtSynchronizeStream(stream);
    aclrtMemcpy(host.data(), 512, x, 512, ACL_MEMCPY_DEVICE_TO_HOST);
    int equal = 0;
    for (int i = 0; i < 128; ++i) equal += host[i] == 4 * i + 1;
    printf("%d, %d of %zu, %5.1f, %s\n", error, equal, host.size(), host[2], __FILE__);
    aclrtFree(x);
    aclrtDestroyStream(stream);
    return 0;
}
"""
PRINTED = "[AIV Block 1/2] n is 7\n0, 128 of 128,   9.0, {}\n"

# What goes wrong is chosen by the first argument.
WRONG = r"""#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "acl/acl.h"
#include "kernel_operator.h"
__global__ __aicore__ void misaligned(GM_ADDR x) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 96);
    AscendC::LocalTensor<int32_t> t = buffer.Get<int32_t>();
    AscendC::Adds(t[1], t, 1, 8);
}
int main(int, char** argv) {
    void* x = nullptr;
    int host[16];
    aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    const char* what = argv[1];
    if (!strcmp(what, "host")) misaligned<<<1, nullptr, nullptr>>>(host);
    else if (!strcmp(what, "blocks")) misaligned<<<0, nullptr, nullptr>>>(x);
    else misaligned<<<1, nullptr, nullptr>>>(x);
    puts("launched");
    if (!strcmp(what, "collected")) printf("sync %d\n", aclrtSynchronizeStream(nullptr));
    if (!strcmp(what, "read")) {
        printf("sync %d\n", aclrtSynchronizeStream(nullptr));
        puts(aclGetRecentErrMsg());
    }
    return 0;
}
"""
MISALIGNED = """fault [ub-alignment] Adds: the destination is not aligned
  where:  wrong.cpp:11, kernel misaligned, core aiv0, instruction 0 (Ascend910B)
  found:  dst: byte offset 4 in UB
  legal:  a multiple of 32
  do:     start at an index that is a multiple of 8 elements of int32_t
"""
UNCOLLECTED = "a kernel failed and no synchronising call has returned it\n"


# The qualifiers of kernels, one of them declared in a header, and who runs.
QUALIFIED = r"""#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
#include "declared.h"
#define SAY(name, qualifier) extern "C" __global__ __aicore__ qualifier void name() { AscendC::printf(#name "\n"); }
extern "C" __global__ __cube__ __aicore__ void cube() { AscendC::printf("cube\n"); }
namespace ops {
template <int n> __global__ __aicore__ __mix__(1,2) void mix() { AscendC::printf("mix %d\n", n); }
namespace {
__mix__(1, 1) __global__ __aicore__ void hidden() { AscendC::printf("hidden\n"); }
}
}
__global__ __aicore__ void declared() { AscendC::printf("declared\n"); }
__global__ __aicore__ __vector__ void typed() {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
}
__global__ __aicore__ void plain() { AscendC::printf("plain\n"); }
#define GO(kernel) kernel<<<1, nullptr, nullptr>>>()
int main() {
    GO(cube);
    ops::mix<3><<<1, nullptr, nullptr>>>();
    GO(ops::hidden);
    GO(declared);
    plain<<<1, nullptr, nullptr>>>();
    GO(typed);
    aclrtSynchronizeStream(nullptr);
    puts(aclGetRecentErrMsg());
}
"""
WHO = """[AIC Block 0/1] cube
[AIC Block 0/1] mix 3
[AIV Block 0/1] mix 3
[AIV Block 1/1] mix 3
[AIC Block 0/1] hidden
[AIV Block 0/1] hidden
[AIC Block 0/1] declared
[AIV Block 0/1] plain
fault [task-type-conflict] KERNEL_TASK_TYPE: the qualifier of the function says otherwise
  where:  qualified.asc:15, kernel typed (Ascend910B)
  found:  KERNEL_TYPE_AIC_ONLY: KERNEL_TYPE_AIC_ONLY in a function with __vector__
  legal:  __vector__ means KERNEL_TYPE_AIV_ONLY
  do:     remove one of the two
"""

# A plan of a tiling class goes to a kernel by value; what is refused is said when the program ends.
TILING = r"""#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
#include "adv_api/matmul/matmul_tiling.h"
#include "lib/matmul/bmm_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"
using namespace AscendC;
using namespace matmul_tiling;
extern "C" __global__ __aicore__ void planned(TCubeTiling t, SoftMaxTiling s) {
    AscendC::printf("%d cores, %d x %d, %u rows\n", t.usedCoreNum, t.baseM, t.baseN, s.splitM);
}
int main() {
    auto* platform = platform_ascendc::PlatformAscendCManager::GetInstance();
    MultiCoreMatmulTiling tiling(*platform);
    tiling.SetDim(platform->GetCoreNumAic());
    tiling.SetAType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    tiling.SetBType(AscendC::TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    tiling.SetCType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    tiling.SetShape(1000, 1000, 512);
    tiling.SetOrgShape(1000, 1000, 512);
    optiling::TCubeTiling cube;
    optiling::SoftMaxTiling softmax;
    if (tiling.GetTiling(cube) == -1) return 1;
    SoftMaxTilingFunc(ge::Shape({8, 64}), 4, 3 * GetSoftMaxMinTmpSize(ge::Shape({8, 64}), 4, false), softmax);
    planned<<<1, nullptr, nullptr>>>(cube, softmax);
    return aclrtSynchronizeStream(nullptr) + tiling.SetDim(1000) + 1;
}
"""


# With an argument, two launches use a function that no page defines to the bit.
RESTS = r"""#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;
__global__ __aicore__ void compute(bool exp) {
    LocalTensor<float> t(TPosition::VECCALC, 0, 64);
    Duplicate(t, 1.0f, 64);
    if (exp) Exp(t, t, 64);
}
int main(int count, char**) {
    for (int i = 0; i < 2; ++i) compute<<<1, nullptr, nullptr>>>(count > 1);
    return aclrtSynchronizeStream(nullptr);
}
"""


# Each kernel copies 8 halves too many out of y: as it stands, below noexcept, below a function of C that calls back. What launches
# them does so, too.
PAST = """#include <cstdlib>
#include <thread>
#include "kernel_operator.h"
using namespace AscendC;
__aicore__ inline void Past(GM_ADDR y) {
    GlobalTensor<half> g;
    g.SetGlobalBuffer((__gm__ half*)y, 64);
    TPipe pipe;
    TBuf<TPosition::VECCALC> b;
    pipe.InitBuffer(b, 128);
    LocalTensor<half> v = b.Get<half>();
    Duplicate(v, half(1), 64);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(g[16], v, 64);
}
__aicore__ inline void Quiet(GM_ADDR y) noexcept { Past(y); }
static GM_ADDR of_call;
static int Compare(const void*, const void*) { return Past(of_call), 0; }
extern "C" __global__ __aicore__ void past(GM_ADDR y) { Past(y); }
extern "C" __global__ __aicore__ void quiet(GM_ADDR y) { Quiet(y); }
extern "C" __global__ __aicore__ void called(GM_ADDR y) {
    int numbers[4] = {3, 2, 1, 0};
    of_call = y;
    std::qsort(numbers, 4, sizeof(int), Compare);
}
extern "C" void go(int what, void* stream, uint8_t* y) {
    if (what == 0) past<<<2, nullptr, stream>>>(y);
    if (what == 1) quiet<<<2, nullptr, stream>>>(y);
    if (what == 2) called<<<1, nullptr, stream>>>(y);
}
extern "C" void go_quietly(int what, void* stream, uint8_t* y) noexcept { go(what, stream, y); }
extern "C" void go_in_a_thread(int what, void* stream, uint8_t* y) { std::thread(go, what, stream, y).join(); }
extern "C" void go_and_catch(int what, void* stream, uint8_t* y) {
    try {
        go(what, stream, y);
    } catch (...) {
        std::abort();
    }
}
extern "C" void go_back(int what, void* stream, uint8_t* y, void (*back)(int, void*, uint8_t*)) { back(what, stream, y); }
"""
WAYS = ("go", "go_quietly", "go_in_a_thread", "go_and_catch", "go_back", "threads")

# The usual ctypes driver: a library of the vendor's first, then the kernels, or the other way round.
DRIVE = """import ctypes as C, sys, threading
def acl(): return C.CDLL("libascendcl.so", mode=C.RTLD_GLOBAL)
def kernels(): return C.CDLL(sys.argv[2])
if sys.argv[1] == "acl":
    acl, kernels = acl(), kernels()
else:
    kernels, acl = kernels(), acl()
acl.aclInit(None)
acl.aclrtSetDevice(0)
stream, y = C.c_void_p(), C.c_void_p()
acl.aclrtCreateStream(C.byref(stream))
acl.aclrtMalloc(C.byref(y), C.c_size_t(128), 0)
@C.CFUNCTYPE(None, C.c_int, C.c_void_p, C.c_void_p)
def back(what, stream, y): kernels.go(what, C.c_void_p(stream), C.c_void_p(y))
for way in sys.argv[3:]:
    for what in range(3):
        if way == "threads":
            threads = [threading.Thread(target=kernels.go, args=(what, stream, y)) for _ in range(2)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
        else:
            getattr(kernels, way)(what, stream, y, *[back] * (way == "go_back"))
        print(way, what, acl.aclrtSynchronizeStream(stream), flush=True)
"""

# A module of Python as generators of bindings write it: every exception becomes one of Python's.
MODULE = r"""#include <Python.h>
#include <exception>
extern "C" void go(int what, void* stream, unsigned char* y);
static PyObject* Go(PyObject*, PyObject* args) {
    int what = 0;
    unsigned long long stream = 0, y = 0;
    if (!PyArg_ParseTuple(args, "iKK", &what, &stream, &y)) return nullptr;
    try {
        go(what, reinterpret_cast<void*>(stream), reinterpret_cast<unsigned char*>(y));
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
        return nullptr;
    } catch (...) {
        PyErr_SetString(PyExc_RuntimeError, "something");
        return nullptr;
    }
    Py_RETURN_NONE;
}
static PyMethodDef methods[] = {{"go", Go, METH_VARARGS, ""}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "launches", "", -1, methods};
PyMODINIT_FUNC PyInit_launches() { return PyModule_Create(&module); }
"""
IMPORT = """import ctypes as C, sys
if sys.argv[1] == "acl": acl = C.CDLL("libascendcl.so")
import launches
acl = C.CDLL("libascendcl.so")
stream, y = C.c_void_p(), C.c_void_p()
acl.aclrtCreateStream(C.byref(stream))
acl.aclrtMalloc(C.byref(y), C.c_size_t(128), 0)
for what in range(3):
    launches.go(what, stream.value, y.value)
    print(what, acl.aclrtSynchronizeStream(stream), flush=True)
"""

# A function of the C library, a macro and a namespace.
NAMES = """#include <cerrno>
#include <cmath>
#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void asinh(__gm__ int32_t* x);
extern "C" __global__ __aicore__ void asinh(__gm__ int32_t* x) { x[0] = 1 + int32_t(std::asinh(0.0)); }
extern "C" __global__ __aicore__ void errno(__gm__ int32_t* x) { x[1] = 2; }
namespace kernels { template <class T> __global__ __aicore__ void log(__gm__ T* x) { x[2] = 3; } }
int main() {
    int32_t host[3] = {};
    void* x = nullptr;
    aclrtMalloc(&x, sizeof(host), ACL_MEM_MALLOC_HUGE_FIRST);
    asinh<<<1, nullptr, nullptr>>>(x);
    errno<<<1, nullptr, nullptr>>>(x);
    kernels::log<int32_t><<<1, nullptr, nullptr>>>((int32_t*)x);
    aclrtSynchronizeStream(nullptr);
    aclrtMemcpy(host, sizeof(host), x, sizeof(host), ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d %d %d\\n", host[0], host[1], host[2]);
}
"""


class LaunchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="sfumato-launch-test-")
        cls.write("styles.cpp", STYLES)
        cls.write("styles.asc", STYLES)
        cls.write("wrong.cpp", WRONG)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.dir, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_in(self, *command, **env):
        environment = {k: v for k, v in os.environ.items() if k not in ("SFUMATO_CHIP", "SFUMATO_OPTIONS")}
        done = subprocess.run(
            command, cwd=self.dir, env={**environment, **env}, capture_output=True, text=True, timeout=300
        )
        return done.returncode, done.stdout, done.stderr

    def build(self, *arguments, expect=0):
        code, out, err = self.run_in(COMMAND, "build", *arguments)
        self.assertEqual(code, expect, out + err)
        return out + err

    def test_every_style_in_cpp_and_asc(self):
        for source in ("styles.cpp", "styles.asc"):
            self.assertEqual(self.build(source, "-o", "styles", "-Wall", "-O1", "-std=c++17"), "")
            self.assertEqual(self.run_in("./styles"), (0, PRINTED.format(source), ""))
        for schedule in ("late", "seed:3"):
            code, out, err = self.run_in("./styles", SFUMATO_OPTIONS=f"schedule={schedule},strict=1")
            self.assertEqual((code, out, err), (0, PRINTED.format("styles.asc"), ""))

    def test_findings_for_other_programs(self):
        def read(name):
            with open(os.path.join(self.dir, name), encoding="utf-8") as file:
                return file.read()

        files = "json=h.json,sarif=h.sarif,junit=h.xml"
        self.build("styles.cpp", "-o", "told")
        self.assertEqual(
            self.run_in("./told", SFUMATO_OPTIONS=f"check=all,{files}"), (0, PRINTED.format("styles.cpp"), "")
        )
        run = parse_findings(read("h.json"))
        self.assertEqual((run["ok"], run["findings"], run["blocks"], run["chip"]), (True, [], 2, "Ascend910B1"))
        self.assertEqual((run["source"], run["kernel"], run["checked"][-1]), ("styles.cpp", "", "raw"))
        cases = [case.get("name") for case in parse_junit(read("h.xml"))]
        self.assertEqual(cases, ["ops::line<T>", "ops::line<T>", "say"])

        self.build("wrong.cpp", "-o", "told_wrong")
        for what, code, rule, started in [
            ("careless", 4, "ub-alignment", True),
            ("collected", 0, "ub-alignment", True),
            ("host", 4, "host-pointer", False),
        ]:
            with self.subTest(what=what):
                found, _, err = self.run_in("./told_wrong", what, SFUMATO_OPTIONS=files)
                self.assertEqual(found, code, err)
                run = parse_findings(read("h.json"))
                (finding,) = run["findings"]
                self.assertEqual((run["ok"], run["faults"], finding["rule"]), (False, 1, rule))
                self.assertEqual(run["kernel"], "misaligned")
                self.assertEqual("error" in run, not started)
                (result,) = parse_sarif(read("h.sarif"))["results"]
                self.assertIn(result["message"]["text"], err)
        code, out, _ = self.run_in("./told_wrong", "careless", SFUMATO_OPTIONS="json=-", SFUMATO_ON_FAULT="exit")
        self.assertEqual((code, parse_findings(out)["faults"]), (4, 1))
        code, _, err = self.run_in("./told", SFUMATO_OPTIONS="json=none/f")
        self.assertEqual((code, err), (6, "the findings: cannot write none/f: No such file or directory\n"))

    def test_what_the_launches_rest_on(self):
        self.write("rests.asc", RESTS)
        self.build("rests.asc", "-o", "rests")
        code, _, err = self.run_in("./rests", "exp", SFUMATO_OPTIONS="rests_on=1,json=r.json")
        self.assertEqual((code, err.count("  where:  rests.asc:7, 2 times\n")), (0, 2), err)
        self.assertTrue(err.endswith("\nrests on 2 readings\n"), err)
        with open(os.path.join(self.dir, "r.json"), encoding="utf-8") as file:
            readings = parse_findings(file.read())["rests_on"]
        self.assertEqual([(r["call"], r["count"]) for r in readings], [("Exp", 2), ("Exp", 2)])
        self.assertEqual(self.run_in("./rests", SFUMATO_OPTIONS="rests_on=1"), (0, "", "documented throughout\n"))
        self.assertEqual(self.run_in("./rests", "exp"), (0, "", ""))

    def test_objects_libraries_and_plain_sources(self):
        self.write("kernel.asc", STYLES.replace("int main", "int run"))
        self.write("main.cpp", "int run();\n#ifdef __CCE_AICORE__\n#error host\n#endif\nint main() { return run(); }\n")
        printed = PRINTED.format("kernel.asc")
        self.build("-c", "kernel.asc", "-o", "kernel.o", "-MD", "-MF", "kernel.d", "-MT", "kernel.o")
        with open(os.path.join(self.dir, "kernel.d"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("kernel.o: kernel.asc "))
        self.build("kernel.o", "main.cpp", "-o", "by_object", "-lascendcl", "-lruntime", "-lm")
        self.build("-lib", "kernel.asc", "-o", "libkernel.a")
        self.build("main.cpp", "libkernel.a", "-o", "by_archive")
        self.build("--shared", "kernel.asc", "-o", "libkernel.so")
        self.build("main.cpp", "-L.", "-lkernel", "-Wl,-rpath,$ORIGIN", "-o", "by_library")
        for program in ("by_object", "by_archive", "by_library"):
            self.assertEqual(self.run_in(f"./{program}"), (0, printed, ""), program)

    def test_launches_in_headers(self):
        os.makedirs(os.path.join(self.dir, "inc/deep"), exist_ok=True)
        split = STYLES.index("template <class T> void Twice")
        end = STYLES.index("int main")
        self.write(
            "inc/deep/launch.h", '#pragma once\n#include "plain.h"\n' + STYLES[split:end].replace("1});", "ONE});")
        )
        self.write("inc/deep/plain.h", '#define ONE 1\n#include "../around.h"\n')
        self.write("inc/around.h", '#pragma once\n#include "deep/launch.h"\n#include "cstdio"\n')
        self.write("split.asc", STYLES[:split] + '#include "around.h"\n' + STYLES[end:])
        self.build("split.asc", "-Iinc", "-o", "split", "-MD", "-MF", "split.d", "-MT", "split")
        self.assertEqual(self.run_in("./split"), (0, PRINTED.format("split.asc"), ""))
        with open(os.path.join(self.dir, "split.d"), encoding="utf-8") as file:
            words = file.read().split()
        for name in ("split.asc", "inc/around.h", "inc/deep/launch.h"):
            self.assertIn(name, words)
        self.assertFalse([word for word in words if "sfumato-build-" in word])
        self.write("inc/deep/plain.h", "#define ONE unknown\n")
        messages = self.build("split.asc", "-Iinc", "-o", "split", expect=1)
        self.assertIn("inc/deep/launch.h:7:", messages)
        self.assertNotIn("sfumato-build-", messages)
        self.write("inc/deep/launch.h", "\nvoid f() { f<<<1>>; }\n")
        self.assertIn("inc/deep/launch.h:2:13: error: <<< has no >>>;", self.build("split.asc", "-Iinc", expect=1))

    def test_qualifiers_choose_the_cores(self):
        self.write("declared.h", "#pragma once\n__global__ __cube__ __aicore__ void declared();\n")
        self.write("qualified.asc", QUALIFIED)
        raised("task-type-conflict")
        self.assertEqual(self.build("qualified.asc", "-o", "qualified"), "")
        self.assertEqual(self.run_in("./qualified", SFUMATO_OPTIONS="workers=1"), (0, WHO, ""))
        # The kernel and its launch in two files; on a chip with one kind of core the qualifiers say nothing.
        self.write("kernels.asc", QUALIFIED.split("#define GO")[0])
        host = '#include "acl/acl.h"\nextern "C" __global__ __aicore__ void cube();\nint main() { cube<<<1, 0, nullptr>>>(); }\n'
        self.write("host.asc", host.replace("\n", '\n#include "kernel_operator.h"\n', 1))
        for chip, core in (("Ascend910B1", "AIC"), ("Ascend310P3", "AICORE")):
            self.build("kernels.asc", "host.asc", "-o", "apart", "--chip", chip)
            self.assertEqual(self.run_in("./apart"), (0, f"[{core} Block 0/1] cube\n", ""))
        self.write("refused.asc", QUALIFIED.replace("__mix__(1,2)", "__mix__(2,1)"))
        self.assertEqual(
            self.build("refused.asc", "-o", "refused", expect=1),
            "refused.asc:8: error: kernel 'ops::mix' is declared __mix__(2, 1); legal is one of __vector__, __cube__, "
            "__mix__(1, 0), __mix__(0, 1), __mix__(1, 1), __mix__(1, 2), and __schedmode__(0) or __schedmode__(1), in "
            "numbers\n",
        )

    def libraries(self):
        """LD_LIBRARY_PATH of `sfumato env`."""
        told = subprocess.run([str(COMMAND), "env", "--shell", "json"], capture_output=True, text=True, check=True)
        return json.loads(told.stdout)["LD_LIBRARY_PATH"]

    def test_a_library_that_came_by_dlopen(self):
        self.write("past.asc", PAST)
        self.build("-shared", "past.asc", "-o", "libpast.so")
        # With a C++ runtime of its own, which can unwind nothing of ours.
        self.build("-shared", "past.asc", "-o", "libown.so", "-static-libstdc++", "-static-libgcc")
        self.write("drive.py", DRIVE)
        expected = "".join(f"{way} {what} 507035\n" for way in WAYS for what in range(3))
        line = PAST.split("    DataCopy(g[16]")[0].count("\n") + 1
        for library in ("./libpast.so", "./libown.so"):
            for order in ("acl", "kernels"):
                with self.subTest(library=library, first=order):
                    code, out, err = self.run_in(
                        sys.executable, "drive.py", order, library, *WAYS, LD_LIBRARY_PATH=self.libraries()
                    )
                    self.assertEqual((code, out), (0, expected), err)
                    self.assertGreaterEqual(err.count("fault [gm-out-of-range]"), 3 * len(WAYS))
                    self.assertEqual(err.count("fault ["), err.count(f"past.asc:{line}"))

    @unittest.skipUnless(PYTHON_HEADERS.joinpath("Python.h").exists(), "Python's headers are not installed")
    def test_a_module_of_python(self):
        self.write("past.asc", PAST)
        self.write("module.cpp", MODULE)
        self.write("import.py", IMPORT)
        for options in ([], ["-static-libstdc++", "-static-libgcc"]):
            self.build("-shared", "past.asc", "module.cpp", "-I", str(PYTHON_HEADERS), "-o", "launches.so", *options)
            for first in ("acl", "module"):
                with self.subTest(options=options, first=first):
                    code, out, err = self.run_in(sys.executable, "import.py", first, LD_LIBRARY_PATH=self.libraries())
                    self.assertEqual((code, out), (0, "0 507035\n1 507035\n2 507035\n"), err)
                    self.assertEqual(err.count("fault [gm-out-of-range]"), 3, err)

    def test_kernels_with_names_that_are_taken(self):
        self.write("names.asc", NAMES)
        self.build("names.asc", "-o", "names")
        self.assertEqual(self.run_in("./names"), (0, "1 2 3\n", ""))
        # Where a target of CMake names the folder of our headers, whose own functions keep their names.
        self.write(
            "math.asc", NAMES.replace("asinh", "trunc").replace("void errno", "void exit").replace(" errno<", " exit<")
        )
        self.build("math.asc", "-o", "math", "-I", str(INCLUDE))
        self.assertEqual(self.run_in("./math"), (0, "1 2 3\n", ""))

    def test_chips(self):
        self.write("chip.asc", '#include <cstdio>\n#include "acl/acl.h"\n#include "kernel_operator.h"\n'
                   'int main() { std::printf("%s %d %d %d\\n", aclrtGetSocName(), __NPU_ARCH__, __CCE_AICORE__,\n'
                   "#ifdef ASCENDC_CPU_DEBUG\n1\n#else\n0\n#endif\n); }\n")  # fmt: skip
        for options, printed in (
            ([], "Ascend910B1 2201 220 0\n"),
            (["--npu-arch=dav-2002"], "Ascend310P3 2002 200 0\n"),
            (["--npu-soc=Ascend310B4"], "Ascend310B4 3002 300 0\n"),
            (["--chip", "Ascend910B3", "--npu-arch=dav-1001"], "Ascend910A 1001 100 0\n"),
        ):
            self.build("chip.asc", "-o", "chip", *options)
            self.assertEqual(self.run_in("./chip"), (0, printed, ""))

    def test_tiling_functions(self):
        self.write("tiling.asc", TILING)
        said = "SetDim: 1000 cores; on {} legal are 1 to {}\n"
        for chip, cores, legal in (("Ascend910B3", 20, 40), ("Ascend910B1", 24, 48)):
            self.build("tiling.asc", "-o", "tiling", "--chip", chip, "-ltiling_api", "-lplatform", "-lregister")
            printed = f"[AIV Block 0/1] {cores} cores, 128 x 256, 8 rows\n"
            self.assertEqual(self.run_in("./tiling"), (0, printed, said.format(chip, legal)))

    def test_launches_that_are_none(self):
        for text, line, column, rule, message in (
            ("f<<<1, nullptr, s>>(x);", 2, 4, "launch-syntax", "<<< has no >>>"),
            ("<<<1, nullptr, s>>>(x);", 2, 3, "launch-syntax", "no kernel's name stands before <<<"),
            ("f<<<1, nullptr, s>>>;", 2, 20, "launch-syntax", "no arguments in parentheses follow >>>"),
        ):
            self.write("none.asc", f"void host(void* x, void* s) {{\n  {text}\n}}\n")
            raised(rule)
            self.assertEqual(
                self.build("-c", "none.asc", expect=1),
                f"none.asc:{line}:{column}: error: {message}; a launch is kernel<<<blocks, nullptr, stream>>>(arguments) "
                f"[sfumato-{rule}]\n",
            )
        self.write("lost.asc", "#ifdef __CCE_AICORE__\n#else\nvoid host() { f<<<1, nullptr, nullptr>>>(); }\n#endif\n")
        raised("host-half-lost")
        self.assertEqual(
            self.build("-c", "lost.asc", expect=1),
            "lost.asc:3:16: error: this launch stands in a branch that is left out, since host and device code share one pass "
            "and __CCE_AICORE__ is defined in it; choose the branches by __CCE_KT_TEST__ or ASCENDC_CPU_DEBUG "
            "[sfumato-host-half-lost]\n",
        )

    def test_the_compiler_names_the_lines_of_the_source(self):
        kernel = '#include "kernel_operator.h"\n__global__ void f(GM_ADDR x, int n) {}\nvoid host(void* s) {\n'
        for text, message in (
            ("f<<<1, nullptr>>>(s, 1);", "three in <<< >>>"),
            ("f<<<1.5, nullptr, s>>>(s, 1);", "the number of blocks is an integer"),
            ("f<<<1, nullptr, 3>>>(s, 1);", "the third word in <<< >>> is a stream or nullptr"),
            ("f<<<1, nullptr, s>>>(s);", "too few arguments"),
            ("g<<<1, nullptr, s>>>(s);", "g"),
        ):
            self.write("bad.asc", kernel + f"    {text}\n}}\n")
            messages = self.build("-c", "bad.asc", expect=1)
            self.assertIn(message, messages)
            self.assertIn("bad.asc:4:", messages)
            self.assertNotIn("sfumato-build-", messages)

    def test_options_that_are_not_there(self):
        for arguments, rule, text in (
            (["--colour", "x.asc"], "build-option", "unknown option --colour; `sfumato build --help` lists what is legal"),
            ([], "build-option", "no source is given"),
            (["x.asc", "-o"], "build-option", "-o needs a value"),
            (["--npu-arch=dav-3510", "x.asc"], "build-option",
             "no chip here is dav-3510; legal are dav-1001 (Ascend910), dav-2002 (Ascend310P), dav-2201 (Ascend910B), dav-3002 (Ascend310B)"),
            (["--enable-simt", "x.asc"], "simt-unsupported", "--enable-simt: no chip here has SIMT; leave it out"),
            (["-c", "x.asc", "y.asc", "-o", "z.o"], "build-option", "2 sources cannot go into one z.o"),
        ):  # fmt: skip
            raised(rule)
            self.assertEqual(self.build(*arguments, expect=1), f"sfumato build: error: {text} [sfumato-{rule}]\n")
        self.assertEqual(
            self.build("absent.asc", expect=1),
            "sfumato build: error: cannot read absent.asc: No such file or directory\n",
        )
        self.build("wrong.cpp", "-o", "strict", "--sanitizer", "--cce-auto-sync=off")
        code, _, err = self.run_in("./strict", "read", SFUMATO_OPTIONS="strict=7")
        self.assertEqual(code, 0, err)
        with open(os.path.join(self.dir, "strict"), "rb") as file:
            self.assertIn(b"strict=1,auto_sync=off", file.read())
        notes = self.build("-c", "styles.asc", "-o", "s.o", "-v", "--cce-auto-sync", "-mllvm", "-x=y", "--run-mode=sim")
        self.assertTrue(notes.startswith("--cce-auto-sync means nothing here\n-mllvm -x=y means nothing here\n"), notes)
        self.assertIn("Usage: sfumato build", self.build("--help"))

    def test_a_fault_that_nobody_collects_fails_the_process(self):
        self.build("wrong.cpp", "-o", "wrong")
        self.assertEqual(self.run_in("./wrong", "nobody"), (4, "launched\n", MISALIGNED + UNCOLLECTED))
        raised("launch-blocks")
        self.assertEqual(
            self.run_in("./wrong", "blocks"),
            (4, "launched\n", "fault [launch-blocks] a launch cannot have this number of blocks\n"
             "  where:  wrong.cpp:19, kernel misaligned (Ascend910B)\n  found:  blocks: 0\n  legal:  1 to 65535\n"
             + UNCOLLECTED),
        )  # fmt: skip
        code, _, err = self.run_in("./wrong", "host")
        self.assertEqual(code, 4)
        self.assertIn(
            "where:  wrong.cpp:18, kernel misaligned (Ascend910B)\n  found:  argument 1: host memory (0x", err
        )
        # Collected, and its report unread: told at the end, and the program's own exit code. Read: nothing more.
        self.assertEqual(self.run_in("./wrong", "collected"), (0, "launched\nsync 507035\n", MISALIGNED))
        self.assertEqual(self.run_in("./wrong", "read"), (0, "launched\nsync 507035\n" + MISALIGNED, ""))
        self.assertEqual(self.run_in("./wrong", "read", SFUMATO_ON_FAULT="exit"), (4, "", MISALIGNED))
        self.assertEqual(
            self.run_in("./wrong", "read", SFUMATO_ON_FAULT="maybe"),
            (2, "", "SFUMATO_ON_FAULT is 'maybe'; legal are exit, keep\n"),
        )
        code, _, err = self.run_in("./wrong", "nobody", SFUMATO_CHIP="Ascend310P3")
        self.assertEqual(code, 4)
        self.assertIn("fault [chip-mismatch] the program was compiled for another family", err)
        raised("chip-mismatch")


if __name__ == "__main__":
    keep("launch_test")
    sys.exit(unittest.main())
