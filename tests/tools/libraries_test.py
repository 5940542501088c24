#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ascendc_library and CPU mode: where libraries and launch headers lie, what an installed program finds, wrong settings."""

import os
import re
import subprocess

from command_case import COMMAND, CommandCase, main

# One project in the shape public ones have: the mode, the chip and the kind of library by variables.
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(Libraries LANGUAGES CXX)
if(RUN_MODE STREQUAL "cpu" AND NOT KIND)
  find_package(tikicpulib REQUIRED PATHS $ENV{ASCEND_HOME_PATH}/tools/tikicpulib/lib/cmake)
  add_library(kernels SHARED kernel.cpp)
  target_link_libraries(kernels PUBLIC tikicpulib::${SOC_VERSION})
  install(TARGETS kernels LIBRARY DESTINATION lib)
else()
  include($ENV{ASCEND_HOME_PATH}/compiler/tikcpp/ascendc_kernel_cmake/ascendc.cmake)
  ascendc_library(kernels ${KIND} kernel.cpp)
  ascendc_compile_definitions(kernels PRIVATE -DADDED=2)
endif()
add_executable(main main.cpp)
target_link_libraries(main PRIVATE kernels $<$<NOT:$<STREQUAL:${RUN_MODE},cpu>>:host_intf_pub>)
install(TARGETS main RUNTIME DESTINATION bin)
"""
KERNEL = """#include "kernel_operator.h"
#ifndef ADDED
#define ADDED 1
#endif
extern "C" __global__ __aicore__ void put(GM_ADDR x, uint32_t value) { ((__gm__ uint32_t*)x)[0] = value + ADDED; }
"""
MAIN = """#include <cstdint>
#include <cstdio>
#ifdef ASCENDC_CPU_DEBUG
#include "tikicpulib.h"
extern "C" __global__ __aicore__ void put(GM_ADDR x, uint32_t value);
int main() {
    auto* x = (uint32_t*)AscendC::GmAlloc(4);
    ICPU_RUN_KF(put, 1, (uint8_t*)x, 40);
    std::printf("%u\\n", x[0]);
    AscendC::GmFree(x);
}
#else
#include "acl/acl.h"
#include "aclrtlaunch_put.h"
int main() {
    void* x = nullptr;
    uint32_t host = 0;
    aclrtMalloc(&x, 4, ACL_MEM_MALLOC_HUGE_FIRST);
    ACLRT_LAUNCH_KERNEL(put)(1, nullptr, x, 40);
    aclrtMemcpy(&host, 4, x, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%u\\n", host);
}
#endif
"""
# Settings, what the build tree has, what is installed besides bin/main, and what the program prints.
HEADER = "include/kernels/aclrtlaunch_put.h"
PROJECTS = {
    "npu SHARED": ("-DRUN_MODE=npu -DKIND=SHARED", ["lib/libkernels.so", HEADER], "42"),
    "sim STATIC": ("-DRUN_MODE=sim -DKIND=STATIC", ["lib/libkernels.a", HEADER], "42"),
    "neither OBJECT": ("-DKIND=OBJECT", [HEADER], "42"),
    "cpu of its own": ("-DRUN_MODE=cpu", ["lib/libkernels.so"], "41"),
    "cpu SHARED": ("-DRUN_MODE=cpu -DKIND=SHARED", ["lib/libkernels.so"], "42"),
}
CHIPS = "legal: Ascend910, Ascend910A"
# Settings that are wrong, and the sentence; the same with the last word put right is a row above.
WRONG = {
    "-DKIND=MODULE -DSOC_VERSION=Ascend910B1":
        "ascendc_library(kernels): the kind is 'MODULE'; legal: STATIC, SHARED, OBJECT",
    "-DKIND=STATIC": "ascendc_library: SOC_VERSION is not set; " + CHIPS,
    "-DKIND=STATIC -DSOC_VERSION=Ascned310B4":
        "ascendc_library: SOC_VERSION: no chip with Ascend C is called 'Ascned310B4'; did you mean Ascend310B4?; " + CHIPS,
    "-DKIND=SHARED -DSOC_VERSION=Ascend910B1 -DRUN_MODE=gpu":
        "ascendc_library: RUN_MODE is 'gpu'; legal: npu, sim, cpu",
    "-DKIND=SHARED -DSOC_VERSION=Ascend910B1 -DASCENDC_RUN_MODE=CPU":
        "ascendc_library: ASCENDC_RUN_MODE is 'CPU'; legal: npu, sim, cpu",
    "-DRUN_MODE=cpu -DSOC_VERSION=Ascend910B11":
        "tikicpulib: SOC_VERSION: no chip with Ascend C is called 'Ascend910B11'; did you mean Ascend910B1?; " + CHIPS,
}  # fmt: skip


class Libraries(CommandCase):
    def do(self, *words, expect=0, **env):
        done = subprocess.run(
            [str(word) for word in words], cwd=self.dir, capture_output=True, text=True, env={**os.environ, **env}
        )
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def lay(self):
        self.write("CMakeLists.txt", CMAKE)
        self.write("kernel.cpp", KERNEL)
        self.write("main.cpp", MAIN)

    def below(self, folder):
        return sorted(
            os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names
        )

    def test_places(self):
        self.lay()
        for number, (name, (settings, files, printed)) in enumerate(PROJECTS.items()):
            with self.subTest(name):
                build, out = f"build{number}", os.path.join(self.dir, f"out{number}")
                chip = ("Ascend910B1", "ascend910b", "Ascend310P")[number % 3]
                words = [*settings.split(), f"-DSOC_VERSION={chip}", f"-DCMAKE_INSTALL_PREFIX={out}"]
                self.do(COMMAND, "env", "--", "cmake", "-S", ".", "-B", build, *words)
                self.do("cmake", "--build", build)
                self.assertEqual(self.do(f"{build}/main").stdout, printed + "\n")
                if "of its own" not in name:
                    for file in files:
                        self.assertTrue(os.path.exists(os.path.join(self.dir, build, file)), file)
                self.do("cmake", "--install", build)
                self.assertEqual(self.below(out), sorted([*files, "bin/main"]))
                self.assertEqual(self.do(f"{out}/bin/main").stdout, printed + "\n")
                # As run.sh does: the build tree is gone, the program is copied, out/lib leads to the library.
                os.rename(os.path.join(self.dir, build), os.path.join(self.dir, f"gone{number}"))
                self.do("cp", f"{out}/bin/main", "copied")
                done = self.do("./copied", LD_LIBRARY_PATH=f"{out}/lib:{out}/lib64")
                self.assertEqual(done.stdout, printed + "\n")
                if files[0].endswith(".so"):  # or program and library are copied into one folder
                    self.do("cp", f"{out}/{files[0]}", ".")
                    os.rename(out, os.path.join(self.dir, f"gone{number}/out"))
                    self.assertEqual(self.do("./copied").stdout, printed + "\n")

    def test_wrong_settings(self):
        self.lay()
        for number, (settings, sentence) in enumerate(WRONG.items()):
            with self.subTest(settings):
                words = ["cmake", "-S", ".", "-B", f"wrong{number}", *settings.split()]
                done = self.do(COMMAND, "env", "--", *words, expect=1)
                said = re.sub(r"\s+", " ", done.stderr)
                self.assertIn(sentence, said)


if __name__ == "__main__":
    main("libraries_test")
