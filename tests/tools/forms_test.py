# SPDX-License-Identifier: Apache-2.0
"""Forms of sources and of launches that public projects have: CMake projects of them, built and run as a user does."""

import os
import re
import subprocess

from command_case import COMMAND, CommandCase, main
from raised import raised

MARK = "\ufeff"
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(Forms LANGUAGES CXX)
include($ENV{ASCEND_HOME_PATH}/tools/tikcpp/ascendc_kernel_cmake/ascendc.cmake)
ascendc_library(marked STATIC marked.cpp)
ascendc_include_directories(marked PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/inc)
ascendc_library(made OBJECT made.cpp)
ascendc_compile_definitions(made PRIVATE ADDED=3)
ascendc_compile_options(made PRIVATE -O2 --cce-auto-sync=off "SHELL:-mllvm -cce-aicore-stack-size=0x8000"
  "SHELL:-mllvm -cce-aicore-function-stack-size=0x8000" --cce-fatobj-link -Xhost-start -DON_HOST=1 -Xhost-end)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE marked made)
"""
# A mark, a header with a mark, parameters called as those of the generated function, structs by value.
MARKED = (
    MARK
    + """#include "kernel_operator.h"
#include "marked.h"
#include <array>
using Length = uint32_t;
extern "C" __global__ __aicore__ void count(GM_ADDR stream, uint32_t blockDim, Length blocks) {
    ((__gm__ uint32_t*)stream)[0] = blockDim * 100 + blocks;
}
extern "C" __global__ __aicore__ void put(GM_ADDR x, forms::Part part, std::array<int16_t, 2> more, forms::Kind kind) {
    for (uint32_t i = 0; i < part.count; ++i) ((__gm__ uint32_t*)x)[i] = part.value + more[0] + more[1] + int(kind);
}
"""
)
MARKED_H = (
    MARK
    + """#pragma once
#include <cstdint>
namespace forms {
struct Part { uint32_t count; uint32_t value; uint32_t rest[6]; };
enum class Kind : int32_t { kFirst, kSecond };
}
"""
)
# Kernels that a macro and a header make, one of a branch that is not there, one that is only declared.
MADE = """#include "kernel_operator.h"
#include "more.h"
#ifndef ON_HOST
#error "-Xhost-start options"
#endif
#define FILL(TYPE) extern "C" __global__ __aicore__ void fill_##TYPE(GM_ADDR x, uint32_t n) { \\
    for (uint32_t i = 0; i < n; ++i) ((__gm__ TYPE*)x)[i] = TYPE(ADDED); }
FILL(float)
FILL(half)
#if __CCE_AICORE__ < 200
FILL(int8_t)
extern "C" __global__ __aicore__ void left_out(GM_ADDR x) { Missing(); }
#endif
extern "C" __global__ __aicore__ void put(GM_ADDR x);
"""
MORE_H = """#pragma once
extern "C" __global__ __aicore__ inline void of_header(GM_ADDR x) { x[0] = 9; }
"""
MAIN = """#define x a macro of this program
#define part another
#include "aclrtlaunch_count.h"
#include "aclrtlaunch_fill_float.h"
#include "aclrtlaunch_fill_half.h"
#include "aclrtlaunch_of_header.h"
#include "aclrtlaunch_put.h"
#undef x
#undef part
#include <cstdio>
#include <cstring>
#include "acl/acl.h"
#include "inc/marked.h"

static uint32_t First(const void* device) {
    uint32_t host = 0;
    aclrtSynchronizeStream(nullptr);
    aclrtMemcpy(&host, 4, device, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    return host;
}

int main(int, char** words) {
    const auto is = [&](const char* word) { return std::strcmp(words[1], word) == 0; };
    void *x = nullptr, *device = nullptr;
    aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&device, 32, ACL_MEM_MALLOC_HUGE_FIRST);
    forms::Part part = {2, 7, {}}, *pinned = nullptr;
    aclrtMallocHost((void**)&pinned, sizeof part);
    *pinned = part, pinned->value = 8;
    const int16_t more[2] = {20, 30};
    if (is("right")) {
        ACLRT_LAUNCH_KERNEL(count)(1, nullptr, x, 5, 6);
        std::printf("%u", First(x));
        ACLRT_LAUNCH_KERNEL(put)(1, nullptr, x, part, more, forms::Kind::kSecond);
        std::printf(" %u", First(x));
        ACLRT_LAUNCH_KERNEL(put)(1, nullptr, x, pinned, &more, 1);
        std::printf(" %u", First(x));
        part.value = 9;
        aclrtMemcpy(device, 32, &part, 32, ACL_MEMCPY_HOST_TO_DEVICE);
        const forms::Kind kind = forms::Kind::kFirst;
        uint32_t (*launch)(uint32_t, void*, void*, const void*, const void*, const void*) = aclrtlaunch_put;
        launch(1, nullptr, x, device, more, &kind);
        std::printf(" %u", First(x));
        ACLRT_LAUNCH_KERNEL(fill_float)(1, nullptr, x, 2);
        std::printf(" %08x", First(x));
        ACLRT_LAUNCH_KERNEL(fill_half)(1, nullptr, x, 2);
        std::printf(" %08x", First(x));
        ACLRT_LAUNCH_KERNEL(of_header)(1, nullptr, x);
        std::printf(" %u\\n", First(x) & 255);
        return 0;
    }
    uint32_t code = 0;
    if (is("size")) code = ACLRT_LAUNCH_KERNEL(put)(1, nullptr, x, part.count, more, 1);
    if (is("null")) code = ACLRT_LAUNCH_KERNEL(put)(1, nullptr, x, nullptr, more, 1);
    if (is("past")) code = ACLRT_LAUNCH_KERNEL(put)(1, nullptr, x, (char*)device + 8, more, 1);
    if (is("freed")) {
        aclrtFree(device);
        code = ACLRT_LAUNCH_KERNEL(put)(1, nullptr, x, device, more, 1);
    }
    std::printf("%u %d\\n", code, aclrtSynchronizeStream(nullptr));
    std::fputs(aclGetRecentErrMsg(), stderr);
}
"""
RIGHT = "506 58 59 59 40400000 42004200 9\n"
WRONG = {
    "size": ("launch-value", "the value handed to the launch is of another size", "4 bytes", "the 32 bytes"),
    "null": ("launch-value", "the pointer to the kernel's parameter is null", "nullptr", "the 32 bytes"),
    "past": ("launch-value", "reaches past the block it lies in", "'aclrtMalloc #1'+0x8, of 32 bytes", "the 32 bytes"),
    "freed": ("freed-block-used", "the kernel's parameter lies in memory that was freed", "freed", "the 32 bytes"),
}


# CPU mode: targets that another folder has found, callables, a fault in a test, a workspace that nobody set.
CPU = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.16)
project(Cpu LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
add_subdirectory(found)
foreach(name ascend910B1 Ascend910B1 ascend910b1 ASCEND910B1 Ascend910b1
        ascend310P1 ascend310p Ascend310P3 ascend310B4 ascend910)
  if(NOT TARGET tikicpulib::${name})
    message(SEND_ERROR "tikicpulib::${name} is missing")
  endif()
endforeach()
add_executable(ut ut.cpp)
target_link_libraries(ut PRIVATE tikicpulib::ascend910B1 ascendcl GTest::gtest_main)
add_executable(plain plain.cpp)
target_link_libraries(plain PRIVATE tikicpulib::ascend910B1)
""",
    "found/CMakeLists.txt": """find_package(tikicpulib REQUIRED PATHS $ENV{ASCEND_HOME_PATH}/tools/tikicpulib/lib/cmake)
""",
    "kernels.h": """#include "kernel_operator.h"
template <class T, int N> __global__ __aicore__ void add(GM_ADDR x, GM_ADDR tiling) {
    AscendC::GlobalTensor<T> all;
    const uint32_t n = *(__gm__ uint32_t*)tiling;
    all.SetGlobalBuffer((__gm__ T*)x + AscendC::GetBlockIdx() * n, n);
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, n * sizeof(T));
    auto t = buffer.Get<T>();
    AscendC::DataCopy(t, all, n);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Adds(t, t, T(N), n);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(all, t, n);
}
extern "C" __global__ __aicore__ void add_three(GM_ADDR x, GM_ADDR tiling) { add<float, 3>(x, tiling); }
extern "C" __global__ __aicore__ void of_workspace(GM_ADDR x) {
    x[0] = AscendC::GetSysWorkSpacePtr() != nullptr;
}
""",
    "ut.cpp": """#include <gtest/gtest.h>
#include "tikicpulib.h"
#include "kernels.h"

class Cpu : public testing::Test {
protected:
    void SetUp() override {
        x = (uint8_t*)AscendC::GmAlloc(256), tiling = (uint8_t*)AscendC::GmAlloc(32);
        EXPECT_EQ(memset_s(x, 256, 0, 256), EOK);
        *(uint32_t*)tiling = 64;
        AscendC::SetKernelMode(KernelMode::AIV_MODE);
    }
    void TearDown() override { AscendC::GmFree(x), AscendC::GmFree(tiling); }
    float Last() const { return ((float*)x)[63]; }
    uint8_t *x, *tiling;
};
struct Functor {
    int* calls;
    void operator()(GM_ADDR x, GM_ADDR tiling) const { ++*calls; add<float, 5>(x, tiling); }
};
TEST_F(Cpu, Function) { ICPU_RUN_KF(add_three, 1, x, tiling); EXPECT_EQ(Last(), 3); }
TEST_F(Cpu, Template) { ICPU_RUN_KF((add<float, 4>), 1, x, tiling); EXPECT_EQ(Last(), 4); }
TEST_F(Cpu, Lambda) {
    auto f = [](GM_ADDR a, GM_ADDR b) { ::add_three(a, b); };
    ICPU_RUN_KF(f, 1, (float*)x, (void*)tiling);
    EXPECT_EQ(Last(), 3);
}
TEST_F(Cpu, Generic) {
    const uint32_t added = 7;
    ICPU_RUN_KF(([&](auto a, auto b) { add<float, 7>(a, b); EXPECT_EQ(added, 7u); }), 1, x, tiling);
    EXPECT_EQ(Last(), 7);
}
TEST_F(Cpu, StdFunction) {
    std::function<void(GM_ADDR, GM_ADDR)> f = add_three, g = [](GM_ADDR a, GM_ADDR b) { add<float, 6>(a, b); };
    ICPU_RUN_KF(f, 1, x, tiling);
    ICPU_RUN_KF(g, 1, x, tiling);
    EXPECT_EQ(Last(), 9);
}
TEST_F(Cpu, Object) {
    int calls = 0;
    Functor f{&calls};
    ICPU_RUN_KF(f, 1, x, tiling);
    EXPECT_EQ(Last(), 5);
    EXPECT_EQ(calls, 1);
}
TEST_F(Cpu, Workspace) { ICPU_RUN_KF(of_workspace, 1, x); EXPECT_EQ(x[0], 1); }
TEST_F(Cpu, Wrong) { *(uint32_t*)tiling = 72; ICPU_RUN_KF(add_three, 1, x, tiling); }
TEST_F(Cpu, WrongThroughAVariable) {
    *(uint32_t*)tiling = 72;
    std::function<void(GM_ADDR, GM_ADDR)> f = add<float, 4>;
    ICPU_RUN_KF(f, 1, x, tiling);
}
TEST_F(Cpu, WrongPointer) { float host[64] = {}; ICPU_RUN_KF(add_three, 1, host, tiling); }
TEST_F(Cpu, Zero) { ICPU_RUN_KF(add_three, 1, x, tiling); EXPECT_EQ(Last(), 3); }
""",
    "plain.cpp": """#include "tikicpulib.h"
#include "kernels.h"
int main() {
    auto* x = (uint8_t*)AscendC::GmAlloc(256);
    auto* tiling = (uint8_t*)AscendC::GmAlloc(32);
    *(uint32_t*)tiling = 72;
    auto f = add_three;
    ICPU_RUN_KF(f, 1, x, tiling);
}
""",
}  # fmt: skip
ASC = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.16)
set(CMAKE_ASC_ARCHITECTURES dav-2201)
find_package(ASC REQUIRED)
project(Asc LANGUAGES ASC CXX)
add_executable(five main.asc)
target_compile_options(five PRIVATE --cce-auto-sync=off --cce-enable-print -O2)
""",
    "main.asc": MARK
    + """#include "kernel_operator.h"
#include <cstdio>
#include "acl/acl.h"
__global__ __aicore__ void five(GM_ADDR x) { x[0] = 5; }
int main() {
    uint8_t* x = nullptr;
    aclrtMalloc((void**)&x, 32, ACL_MEM_MALLOC_HUGE_FIRST);
    five<<<1, nullptr, nullptr>>>(x);
    uint8_t host = 0;
    aclrtSynchronizeStream(nullptr);
    aclrtMemcpy(&host, 1, x, 1, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d\\n", host);
}
""",
}


class FormsTest(CommandCase):
    def do(self, *words, expect=0):
        done = subprocess.run([str(w) for w in words], cwd=self.dir, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, expect, done.stdout[-3000:] + done.stderr[-3000:])
        return done

    def cmake(self, folder, *words, expect=0):
        return self.do(COMMAND, "env", "--", "cmake", "-S", folder, "-B", f"{folder}/build", *words, expect=expect)

    def make(self, folder):
        return self.do("cmake", "--build", f"{folder}/build")

    def lay(self, folder, files):
        for name, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(self.dir, folder, name)), exist_ok=True)
            self.write(f"{folder}/{name}", text)

    def test_forms_of_kernels_in_a_library(self):
        self.lay(
            "library",
            {
                "CMakeLists.txt": CMAKE, "marked.cpp": MARKED, "inc/marked.h": MARKED_H, "made.cpp": MADE,
                "more.h": MORE_H,
                "main.cpp": MAIN,
            },
        )  # fmt: skip
        self.cmake("library", "-DSOC_VERSION=Ascend910B1")
        self.make("library")
        launched = sorted(
            name for _, _, names in os.walk(os.path.join(self.dir, "library/build")) for name in names
            if name.startswith("aclrtlaunch_")
        )  # fmt: skip
        self.assertEqual(
            launched, [f"aclrtlaunch_{name}.h" for name in ("count", "fill_float", "fill_half", "of_header", "put")]
        )
        self.assertEqual(self.do("library/build/main", "right").stdout, RIGHT)
        for word, (rule, message, found, legal) in WRONG.items():
            with self.subTest(word=word):
                done = self.do("library/build/main", word)
                self.assertEqual(done.stdout, "100000 100000\n")
                self.assertIn(f"fault [{rule}] ", done.stderr)
                for text in (message, found, legal, "argument 2", "::put"):
                    self.assertIn(text, done.stderr)
                raised(rule)

    def test_cpu_mode(self):
        self.lay("cpu", CPU)
        self.cmake("cpu")
        self.make("cpu")
        done = self.do("cpu/build/ut", expect=1)
        failed = re.findall(r"^\[  FAILED  \] (Cpu\.\w+) \(", done.stdout, re.MULTILINE)
        self.assertEqual(failed, ["Cpu.Wrong", "Cpu.WrongThroughAVariable", "Cpu.WrongPointer"], done.stdout)
        self.assertIn("[==========] 11 tests", done.stdout)
        self.assertIn("kernel add_three", done.stdout)
        self.assertIn("kernel add<float, 4>", done.stdout)
        self.assertIn("[host-pointer]", done.stdout)
        done = self.do("cpu/build/plain", expect=4)
        self.assertIn("kernel add_three, core", done.stderr)
        self.assertIn("add_three: the kernel failed\n", done.stderr)

    def test_language_asc_with_an_old_minimum(self):
        self.lay("asc", ASC)
        self.cmake("asc")
        self.cmake("asc")
        self.make("asc")
        self.assertEqual(self.do("asc/build/five").stdout, "5\n")

    def test_language_asc_of_a_product(self):
        settings = "set(CMAKE_ASC_ARCHITECTURES dav-2201)\n"
        text = ASC["CMakeLists.txt"].replace(settings, "set(SOC_VERSION Ascend310P3)\n")
        text += "target_compile_options(five PRIVATE --npu-arch=${CCE_AICORE_ARCH})\n"
        for name in ("ascendc_runtime", "tiling_api"):
            text += f"target_link_libraries(five PRIVATE $ENV{{ASCEND_HOME_PATH}}/lib64/lib{name}.a)\n"
        main = ASC["main.asc"].replace('"%d\\n", host', '"%d %s\\n", host, aclrtGetSocName()')
        self.lay("product", {"CMakeLists.txt": text, "main.asc": main})
        self.cmake("product")
        self.make("product")
        self.assertEqual(self.do(COMMAND, "env", "--", "product/build/five").stdout, "5 Ascend310P3\n")

    def test_wrong_options_and_kinds(self):
        self.write("two.cpp", "int two() { return 2; }\n")
        for word, told in [
            ("--cce-auto-sinc=off", "unknown option --cce-auto-sinc=off; legal are --cce-auto-sync=on"),
            ("--cce-auto-sync=of", "unknown option --cce-auto-sync=of; legal are --cce-auto-sync=on"),
            ("--cpu-arch=dav-2201", "unknown option --cpu-arch=dav-2201"),
            ("--npu-arch=dav-9999", "no chip here is dav-9999"),
        ]:  # fmt: skip
            result = self.sfumato("build", "two.cpp", "-c", word)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(f"sfumato build: error: {told}", result.stderr)
            self.assertIn("[sfumato-build-option]", result.stderr)
        words = (
            "--cce-auto-sync=off --cce-fatobj-link -mllvm -cce-aicore-x=1 -Xhost-start -DTWO=2 -Xhost-end --std=c++17"
        )
        result = self.sfumato("build", "two.cpp", "-c", "-o", "two.o", *words.split())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout + result.stderr, "")
        self.lay("kinds", {"CMakeLists.txt": CMAKE.replace("OBJECT", "MODULE")})
        done = self.cmake("kinds", "-DSOC_VERSION=Ascend910B1", expect=1)
        self.assertIn("ascendc_library(made): the kind is 'MODULE'; legal: STATIC, SHARED, OBJECT", done.stderr)

    def test_byte_order_marks(self):
        text = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x) { x[0] = 1; y; }\n'
        self.write("mark.cpp", MARK + text)
        self.write("plain.cpp", text)
        told = [
            self.sfumato("run", name, "--chip", "Ascend910B1", "--", "workspace:4").stderr.replace(name, "k.cpp")
            for name in ("mark.cpp", "plain.cpp")
        ]
        self.assertEqual(*told)  # lines and columns
        self.write("mark.cpp", (MARK + text.replace("y;", "")).encode())
        result = self.sfumato("run", "mark.cpp", "--chip", "Ascend910B1", "--", "workspace:4")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.write("wide.cpp", text.encode("utf-16"))
        told = "wide.cpp begins with the byte order mark of UTF-16; compilers read UTF-8: save it as that"
        for words in (["run", "wide.cpp", "--chip", "Ascend910B1"], ["build", "-x", "asc", "wide.cpp", "-c"]):
            result = self.sfumato(*words)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(told, result.stderr)


if __name__ == "__main__":
    main("forms_test")
