#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs CMake projects written for the vendor's toolkit, against the toolkit folder.

With SFUMATO_SAMPLES, a checkout of github.com/Ascend/samples, also its programs that call kernels, by their own scripts.
"""

import filecmp
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import CMAKE, COMMAND, CXX, TOOLKIT

PROGRAMS = Path(__file__).with_name("programs")
SAMPLES = os.environ.get("SFUMATO_SAMPLES", "")
ACL_INVOCATION = "cplusplus/level1_single_api/4_op_dev/6_ascendc_custom_op/acl_invocation/op_dev"
INVOCATION = "cplusplus/level1_single_api/4_op_dev/6_ascendc_custom_op/kernel_invocation"


class Programs(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.environment = {k: v for k, v in os.environ.items() if not k.startswith("SFUMATO_")}
        cls.environment.update(ASCEND_HOME_DIR=str(TOOLKIT), TERM="dumb", XDG_DATA_HOME=str(cls.folder))
        tools = [str(TOOLKIT / "bin"), str(Path(sys.executable).parent)]
        cls.environment["PATH"] = ":".join([*tools, os.environ["PATH"]])

    def run_in(self, folder, *command, **env):
        done = subprocess.run(
            [str(word) for word in command], cwd=folder, env={**self.environment, **env}, capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr

    def build(self, mode, *options, expect=0):
        name = f"{mode}{''.join(options)}".replace("/", "_")
        code, out, err = self.run_in(
            self.folder, CMAKE, "-G", "Ninja", "-S", PROGRAMS, "-B", name, f"-DRUN_MODE={mode}",
            f"-DASCEND_CANN_PACKAGE_PATH={TOOLKIT}", *options
        )  # fmt: skip
        if expect:
            self.assertNotEqual(code, 0)
            return " ".join((out + err).split())
        self.assertEqual(code, 0, out + err)
        code, out, err = self.run_in(self.folder, CMAKE, "--build", name, "-j", "2")
        self.assertEqual(code, 0, out + err)
        return self.folder / name / "host"

    def test_cpu_mode(self):
        host = self.build("cpu")
        self.assertEqual(self.run_in(self.folder, host), (0, "ICPU_RUN_KF: 512 of 512\n", ""))
        code, out, err = self.run_in(self.folder, host, "wrong")
        self.assertEqual((code, out), (4, ""))
        line = (PROGRAMS / "host.cpp").read_text().split("ICPU_RUN_KF(twice")[0].count("\n") + 1
        self.assertEqual(
            err,
            "fault [launch-blocks] ICPU_RUN_KF cannot launch this number of blocks\n"
            f"  where:  {PROGRAMS}/host.cpp:{line}, kernel twice (Ascend910B)\n"
            "  found:  blocks: 51\n  legal:  1 to 50 on Ascend910B in this kernel mode\n"
            "  do:     launch with <<<>>> for more, or choose the mode with SetKernelMode\n",
        )
        self.assertEqual(
            self.run_in(self.folder, host, "twice"),
            (4, "", "fault [free-unknown] GmFree: no block that is in use starts here\n"
             "  found:  p: 'GmAlloc #1', which was freed\n  legal:  what GmAlloc returned, once\n"),
        )  # fmt: skip

    def test_launched_as_on_a_board(self):
        for mode, chip in (("npu", "Ascend910B1"), ("sim", "Ascend310P3")):
            host = self.build(mode, f"-DSOC_VERSION={chip}")
            self.assertEqual(self.run_in(self.folder, host), (0, "ACLRT_LAUNCH_KERNEL: 512 of 512\n", ""))
        code, out, err = self.run_in(self.folder, host, "wrong")
        self.assertEqual((code, out), (0, "100000 100000\nACLRT_LAUNCH_KERNEL: 0 of 512\n"))
        self.assertTrue(err.startswith("fault [host-pointer] the kernel gets a pointer that is not"), err)
        self.assertIn("argument 4: host memory (0x", err)

    def test_what_cmake_refuses(self):
        self.assertIn(
            "ascendc_library: SOC_VERSION: no chip with Ascend C is called 'Ascend911'; did you mean Ascend910?; legal: Ascend910, Ascend910A",
            self.build("npu", "-DSOC_VERSION=Ascend911", expect=1),
        )

    def test_the_compiler_and_the_libraries_by_name(self):
        Path(self.folder, "soc.cpp").write_text(
            '#include <cstdio>\n#include "acl/acl.h"\nint main() { std::puts(aclrtGetSocName()); }\n'
        )
        code, _, err = self.run_in(self.folder, "bisheng", "soc.cpp", "-o", "soc", "-lascendcl")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.run_in(self.folder, "./soc"), (0, "Ascend910B1\n", ""))
        lib64 = TOOLKIT / "lib64"
        code, _, err = self.run_in(
            self.folder, CXX, "soc.cpp", "-o", "plain", f"-I{TOOLKIT}/include",
            f"-L{lib64}", "-lascendcl", f"-Wl,-rpath,{lib64}"
        )  # fmt: skip
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.run_in(self.folder, "./plain", SFUMATO_CHIP="Ascend310B1")[1], "Ascend310B1\n")

    def test_the_language_asc(self):
        source = self.folder / "asc"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(ASC_PROJECT)
        (source / "kernel.asc").write_text(ASC_KERNEL)
        (source / "more.cpp").write_text(ASC_KERNEL.replace("run", "more").replace("store", "store_more"))
        (source / "value.h").write_text("#define VALUE 3\n")
        (source / "main.cpp").write_text("int run();\nint more();\nint main() { return run() + more(); }\n")
        for step in (
            ("-G", "Ninja", "-S", source, "-B", "asc_build", f"-DCMAKE_PREFIX_PATH={TOOLKIT}"),
            ("--build", "asc_build"),
        ):
            code, out, err = self.run_in(self.folder, CMAKE, *step)
            self.assertEqual(code, 0, out + err)
        self.assertEqual(self.run_in(self.folder, "asc_build/main"), (3 + 3, "", ""))
        self.assertEqual(self.run_in(self.folder, "asc_build/shared"), (3 + 3, "", ""))
        # What was included is known.
        (source / "value.h").write_text("#define VALUE 4\n")
        code, out, err = self.run_in(self.folder, CMAKE, "--build", "asc_build")
        self.assertEqual((code, self.run_in(self.folder, "asc_build/main")[0]), (0, 4 + 4), out + err)
        code, out, err = self.run_in(self.folder, CMAKE, "--build", "asc_build")
        self.assertIn("no work to do", out)

    def test_the_environment_is_set_once(self):
        show = 'echo "$ASCEND_HOME_PATH $ASCEND_INSTALL_PATH $LD_LIBRARY_PATH"; command -v bisheng; echo "$PATH"'
        once = self.run_in(self.folder, "bash", "-c", f". {TOOLKIT}/set_env.sh; {show}")
        twice = self.run_in(self.folder, "bash", "-c", f". {TOOLKIT}/set_env.sh; . {TOOLKIT}/bin/setenv.bash; {show}")
        self.assertEqual(once, twice)
        code, out, _ = self.run_in(
            self.folder, COMMAND, "env", "--torch", "--", "sh", "-c", "echo $PYTHONPATH", PYTHONPATH=""
        )
        self.assertEqual((code, out.split(":")[0]), (0, f"{TOOLKIT}/python"))
        (home,) = self.folder.glob("sfumato/toolkits/*/ascend-toolkit/latest")
        self.assertEqual(once[1].splitlines()[1], f"{home}/bin/bisheng")
        packages = f"{self.folder}/sfumato/opp/vendors/customize/op_api/lib"
        self.assertEqual(once[1].splitlines()[0], f"{home} {home} {packages}:{home}/lib64", once)

    @unittest.skipUnless(SAMPLES, "SFUMATO_SAMPLES names no checkout of Ascend/samples")
    def test_samples(self):
        for (name, mode, result), chip in itertools.product(SAMPLE_RUNS, ("ascend910", "ascend310p")):
            with self.subTest(name=name, mode=mode, chip=chip):
                folder = self.folder / f"{name}_{mode}_{chip}"
                shutil.copytree(Path(SAMPLES, INVOCATION, name), folder)
                Path(folder, "output").mkdir(exist_ok=True)
                kernel = next(folder.glob("*_custom.py")).stem
                code, out, err = self.run_in(folder, "bash", "run.sh", kernel, chip, "AiCore", mode, **SORTED)
                self.assertEqual(code, 0, out + err)
                self.assertTrue(
                    filecmp.cmp(folder / "output/golden.bin", folder / "output" / result, shallow=False), out + err
                )

    @unittest.skipUnless(SAMPLES, "SFUMATO_SAMPLES names no checkout of Ascend/samples")
    def test_the_sample_operator(self):
        sample = Path(SAMPLES, ACL_INVOCATION)
        code, out, err = self.run_in(
            self.folder, "bash", "-c", f". {TOOLKIT}/set_env.sh && msopgen gen -i {sample}/add_custom.json "
            f"-c ai_core-Ascend910B1 -lan cpp -out op && cp -r {sample}/. op && bash op/run.sh && "
            "ls $ASCEND_OPP_PATH/vendors/customize/op_api/include"
        )  # fmt: skip
        self.assertEqual(code, 0, out + err)
        self.assertTrue(out.endswith("aclnn_add_custom.h\n"), out)
        (self.folder / "caller.cpp").write_text(ADD_CALLER)
        api = self.folder / "sfumato/opp/vendors/customize/op_api"
        code, out, err = self.run_in(
            self.folder, "bash", "-c", f". {TOOLKIT}/set_env.sh && g++ caller.cpp -I{api}/include "
            f"-I{TOOLKIT}/include -L{api}/lib -lcust_opapi -L{TOOLKIT}/lib64 -lascendcl -o add && ./add"
        )  # fmt: skip
        self.assertEqual((code, out, err), (0, "0 0: 16384 of 16384\n", ""))


# An operator of 8 x 2048 half.
ADD_CALLER = r"""
#include <cstdio>
#include <vector>
#include "acl/acl.h"
#include "aclnn_add_custom.h"
int main() {
    const int64_t shape[] = {8, 2048}, count = 8 * 2048;
    std::vector<aclFloat16> host(count);
    void* memory[3];
    aclTensor* tensors[3];
    for (int i = 0; i < 3; ++i) {
        for (int64_t j = 0; j < count; ++j) host[j] = aclFloatToFloat16(float(j % 100 * (i + 1)));
        aclrtMalloc(&memory[i], count * 2, ACL_MEM_MALLOC_HUGE_FIRST);
        aclrtMemcpy(memory[i], count * 2, host.data(), count * 2, ACL_MEMCPY_HOST_TO_DEVICE);
        tensors[i] = aclCreateTensor(shape, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, shape, 2, memory[i]);
    }
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const int first = aclnnAddCustomGetWorkspaceSize(tensors[0], tensors[1], tensors[2], &size, &executor);
    void* workspace = nullptr;
    if (size) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    const int second = aclnnAddCustom(workspace, size, executor, nullptr);
    if (first || second) std::puts(aclGetRecentErrMsg());
    aclrtMemcpy(host.data(), count * 2, memory[2], count * 2, ACL_MEMCPY_DEVICE_TO_HOST);
    int64_t right = 0;
    for (int64_t j = 0; j < count; ++j) right += aclFloat16ToFloat(host[j]) == float(j % 100 * 3);
    std::printf("%d %d: %d of %d\n", first, second, int(right), int(count));
}
"""

ASC_PROJECT = """
cmake_minimum_required(VERSION 3.24)
set(CMAKE_ASC_ARCHITECTURES dav-2201)
find_package(ASC REQUIRED)
project(Asc LANGUAGES ASC CXX)
set_source_files_properties(more.cpp PROPERTIES LANGUAGE ASC)
add_library(kernels STATIC kernel.asc more.cpp)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE kernels)
add_library(kernels_shared SHARED kernel.asc more.cpp)
add_executable(shared main.cpp)
target_link_libraries(shared PRIVATE kernels_shared)
target_compile_options(kernels PRIVATE $<$<COMPILE_LANGUAGE:ASC>:-O1>)
"""
ASC_KERNEL = """
#include "acl/acl.h"
#include "kernel_operator.h"
#include "value.h"
__global__ __aicore__ void store(GM_ADDR x) { x[AscendC::GetBlockIdx()] = VALUE; }
int run() {
    void* x = nullptr;
    uint8_t y = 0;
    aclrtMalloc(&x, 8, ACL_MEM_MALLOC_HUGE_FIRST);
    store<<<8, nullptr, nullptr>>>(x);
    aclrtMemcpy(&y, 1, static_cast<uint8_t*>(x) + 7, 1, ACL_MEMCPY_DEVICE_TO_HOST);
    return y;
}
"""

# Folder, run mode, its result.
SAMPLE_RUNS = (
    ("Add", "cpu", "output_z.bin"),
    ("Add", "npu", "output_z.bin"),
    ("Add_tile", "cpu", "output_z.bin"),
    ("Add_tile", "npu", "output_z.bin"),
    ("MatMul", "cpu", "output.bin"),
    ("MatMul", "npu", "output.bin"),
    ("TopK", "cpu", "cpu_output.bin"),
    ("TopK", "npu", "npu_output.bin"),
)
# The scripts make the golden files with NumPy, whose 2.4.6 leaves large arrays of float16 unsorted where it uses these.
SORTED = {"NPY_DISABLE_CPU_FEATURES": "AVX512_ICL AVX512_SPR"}

if __name__ == "__main__":
    sys.exit(unittest.main())
