# SPDX-License-Identifier: Apache-2.0
"""The programs that launch_test.py builds and runs."""

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
    TPipe pipe; LocalTensor<float> t(TPosition::VECCALC, 0, 64);
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
