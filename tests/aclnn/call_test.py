#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An operator project through the toolkit folder: build.sh's command, the package, and a program that calls aclnn functions."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from installation import CMAKE, CXX, TOOLKIT
from packages import HERE, Packages
from raised import keep, raised


class Call(Packages):
    def caller(self, api):
        program = self.folder / "caller"
        if not program.exists():
            done = subprocess.run(
                [CXX, HERE / "caller.cpp", f"-I{api}/include", f"-I{TOOLKIT}/include", f"-L{api}/lib", "-lcust_opapi",
                 f"-L{TOOLKIT}/lib64", "-lascendcl", "-lnnopbase", "-o", program],
                capture_output=True, text=True,
            )  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def test_the_package(self):
        self.assertEqual(
            self.built,
            "note: BlendCustom: the option -g means nothing here\nnote: ShiftCustom: the option -g means nothing here\n"
            "note: FractalCustom: the option -g means nothing here\n"
            "note: StepCustom: the option -g means nothing here\n"
            f"built BlendCustom, ShiftCustom, FractalCustom, StepCustom for Ascend910B1: {self.run_file.relative_to(self.folder)}\n",
        )
        header = (self.project / "build_out/autogen/aclnn_blend_custom.h").read_text()
        self.assertIn(
            "aclnnStatus aclnnBlendCustomGetWorkspaceSize(const aclTensor* x, const aclTensor* yOptional, const aclIntArray* "
            "shiftOptional, double alpha, int64_t more, bool hundred, char* mode, const aclIntArray* ints, const "
            "aclFloatArray* floats, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);",
            header,
        )
        header = (self.project / "build_out/autogen/aclnn_shift_custom.h").read_text()
        self.assertIn("aclnnShiftCustomGetWorkspaceSize(aclTensor* xRef, uint64_t* workspaceSize,", header)
        header = (self.project / "build_out/autogen/aclnn_step_custom.h").read_text()
        self.assertEqual(re.findall(r"aclnnStatus (\w+)\(", header), STEP_FUNCTIONS)
        self.assertIn(
            "aclnnStepCustomV2TensorGetWorkspaceSize(const aclTensor* x, const aclTensor* table, const aclTensor* yOptional, "
            "const aclTensor* scalesOptional, const aclIntArray* pairs, const aclIntArray* pairsLengths, const aclTensor* out,",
            header,
        )
        # Into the user's folder, twice; then elsewhere.
        vendor = self.folder / "data/sfumato/opp/vendors/mine"
        for options in ([], ["--quiet", "--force"]):
            printed = self.run_it(self.run_file, *options)
            self.assertEqual(
                printed,
                "" if options else f"installed BlendCustom, ShiftCustom, FractalCustom, StepCustom to {vendor}\n",
            )
            self.assertEqual((vendor.parent / "config.ini").read_text(), "load_priority=mine\n")
        for file in (
            "op_api/include/aclnn_blend_custom.h",
            "op_api/lib/libcust_opapi.so",
            "op_proto/inc/op_proto.h",
            "version.info",
        ):
            self.assertTrue((vendor / file).is_file(), file)
        self.assertTrue((vendor / "op_impl/ai_core/tbe/mine_impl/dynamic/blend_custom.cpp").is_file())
        (vendor.parent / "config.ini").write_text("load_priority=other\n")
        self.run_it(self.run_file, "--quiet")
        self.assertEqual((vendor.parent / "config.ini").read_text(), "load_priority=other,mine\n")
        self.run_it(self.run_file, "--quiet", "--install-path=my place")
        custom = self.folder / "my place/vendors/mine"
        shown = self.run_it("bash", "-c", f"source '{custom}/bin/set_env.bash'; echo $ASCEND_CUSTOM_OPP_PATH")
        self.assertEqual(shown, f"{custom}\n")
        # Never into another toolkit.
        other = self.folder / "vendor/opp"
        other.mkdir(parents=True)
        done = subprocess.run(
            [self.run_file],
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "ASCEND_OPP_PATH": str(other)},
        )
        self.assertEqual(
            (done.returncode, done.stderr, list(other.iterdir())),
            (1, f"{self.run_file}: ASCEND_OPP_PATH is {other}, which belongs to another toolkit: run it under `sfumato env`, "
             "or give --install-path=DIR\n", []),
        )  # fmt: skip

    def test_a_program_calls_the_operators(self):
        self.run_it(self.run_file, "--quiet")
        program = self.caller(self.folder / "data/sfumato/opp/vendors/mine/op_api")
        self.assertEqual(self.run_it(program), (HERE / "right.txt").read_text())
        shown = re.sub(r"0x[0-9a-f]{6,}", "0x?", self.run_it(program, "wrong"))
        shown = shown.replace(str(self.folder), "FOLDER")
        wanted = (HERE / "wrong.txt").read_text()
        if os.environ.get("SFUMATO_REWRITE"):
            (HERE / "wrong.txt").write_text(shown)
        self.assertEqual(shown, wanted)
        for rule in re.findall(r"fault \[([a-z-]+)\]", shown):
            raised(rule)
        shown = self.run_it(program, "streams", SFUMATO_OPTIONS="streams=check,strict=1")
        self.assertEqual(re.sub(r"stream \d|#\d", lambda m: m[0][:-1] + "N", shown), STREAMS)

    def test_a_cmake_project(self):
        project = self.folder / "by_cmake"
        shutil.copytree(HERE / "project", project)
        (project / "op_kernel/CMakeLists.txt").unlink()
        (project / "CMakeLists.txt").write_text(CMAKE_PROJECT)
        said = self.run_it(CMAKE, "-S", project, "-B", "by_cmake/out")
        self.assertIn("-- npu_op_device_tiling_library: nothing is built here\n", said)
        self.assertEqual(len(list(project.glob("out/autogen/aclnn_*.h"))), 4)
        self.run_it(CMAKE, "--build", "by_cmake/out")
        (package,) = project.glob("out/custom_opp_*.run")
        self.run_it(package, "--quiet", "--install-path=cmade")
        (library,) = self.folder.glob("cmade/vendors/mine/op_api/lib/libcust_opapi.so")
        # As extensions look functions up: everything through this library.
        code = (
            f"import ctypes; l = ctypes.CDLL('{library}'); print(all(map(lambda n: hasattr(l, n), "
            "['aclnnBlendCustom', 'aclnnBlendCustomGetWorkspaceSize', 'aclCreateTensor', 'aclDestroyTensorList'])))"
        )
        self.assertEqual(self.run_it(sys.executable, "-c", code), "True\n")

    def test_what_is_wrong_with_a_project(self):
        project = self.folder / "wrong"
        shutil.copytree(HERE / "project", project)
        lists = project / "op_kernel/CMakeLists.txt"
        text = lists.read_text()

        def wrong(sentence, *options, **env):
            self.assertEqual(self.run_it("sfumato", "build-op", "wrong", *options, expect=1, **env), sentence)

        wrong(
            "ASCEND_COMPUTE_UNIT is ascend960; legal: ascend310b, ascend310p, ascend910, ascend910_93, ascend910b, "
            "ascend950\n",
            "-DASCEND_COMPUTE_UNIT=ascend960",
        )
        wrong("vendor_name is '../x'; legal: letters, digits and _\n", "-Dvendor_name=../x")
        lists.write_text("add_ops_compile_options(ALL OPTIONS -DX)\n")
        wrong("wrong/op_kernel/CMakeLists.txt: add_kernels_compile() is missing\n")
        lists.write_text("add_ops_compile_options()\nadd_kernels_compile()\n")
        wrong(
            "wrong/op_kernel/CMakeLists.txt: add_ops_compile_options() names no operator; legal: ALL, or an operator's type\n"
        )
        lists.write_text(text)
        (project / "CMakePresets.json").write_text("{]")
        self.assertIn("wrong/CMakePresets.json: parse error", self.run_it("sfumato", "build-op", "wrong", expect=1))
        (project / "CMakePresets.json").unlink()
        kernel = project / "op_kernel/shift_custom.cpp"
        kernel.write_text(kernel.read_text().replace("values[i] += 1", "values[i] += one"))
        line = kernel.read_text().split("one;")[0].count("\n") + 1
        log = self.folder / "logs"
        said = self.run_it("sfumato", "build-op", "wrong", expect=1, ASCENDC_BUILD_LOG_DIR=str(log))
        self.assertIn(f"wrong/op_kernel/shift_custom.cpp:{line}:", said)
        self.assertIn("'one' was not declared in this scope", said.replace("\u2018", "'").replace("\u2019", "'"))
        self.assertEqual((log / "build-op.log").read_text(), said)


STREAMS = """writes: 0
reads: 361001
fault [stream-race] aclnnStepCustom: reads bytes of the device that stream N writes, and nothing orders the two
  found:  bytes 0..16 of 'aclrtMalloc #N', on stream N; aclnnStepCustom writes them, on stream N
  legal:  work of one stream, or with an event or a call that synchronises between
  do:     aclrtRecordEvent behind the one, aclrtStreamWaitEvent before the other
behind an event: 0
writes over: 361001
fault [stream-race] aclnnStepCustom: writes bytes of the device that stream N writes, and nothing orders the two
  found:  bytes 0..16 of 'aclrtMalloc #N', on stream N; aclnnStepCustom writes them, on stream N
  legal:  work of one stream, or with an event or a call that synchronises between
  do:     aclrtRecordEvent behind the one, aclrtStreamWaitEvent before the other
"""
STEP_FUNCTIONS = (
    "aclnnStepCustomGetWorkspaceSize aclnnStepCustom aclnnStepCustomTensorGetWorkspaceSize "
    "aclnnStepCustomV1GetWorkspaceSize aclnnStepCustomV1 aclnnStepCustomV1TensorGetWorkspaceSize "
    "aclnnStepCustomV2GetWorkspaceSize aclnnStepCustomV2 aclnnStepCustomV2TensorGetWorkspaceSize"
).split()

CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(blend_ops LANGUAGES CXX)
find_package(ASC REQUIRED HINTS $ENV{ASCEND_HOME_PATH}/compiler/tikcpp/ascendc_kernel_cmake)
set(vendor_name mine)
set(ASCEND_COMPUTE_UNIT ascend910b)
npu_op_package(blend TYPE RUN CONFIG ENABLE_SOURCE_PACKAGE True INSTALL_PATH ${CMAKE_BINARY_DIR}/)
file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/op_host/*.cpp)
npu_op_code_gen(SRC ${sources} PACKAGE blend COMPILE_OPTIONS -g OUT_DIR ${ASCEND_AUTOGEN_PATH})
file(GLOB aclnn_sources ${ASCEND_AUTOGEN_PATH}/aclnn_*.cpp)
npu_op_library(cust_opapi ACLNN ${aclnn_sources})
target_compile_options(cust_opapi PRIVATE -fvisibility=hidden)
npu_op_library(cust_optiling TILING ${sources})
npu_op_kernel_library(kernels SRC_BASE ${CMAKE_SOURCE_DIR}/op_kernel TILING_LIBRARY cust_optiling)
npu_op_kernel_options(kernels BlendCustom OPTIONS -DSTEP=0.5f)
npu_op_device_tiling_library(device_tiling)
npu_op_package_add(blend LIBRARY cust_opapi cust_optiling kernels)
"""

if __name__ == "__main__":
    keep("aclnn_call_test")
    unittest.main()
