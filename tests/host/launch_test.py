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
from launch_programs import DRIVE, IMPORT, MODULE, NAMES, PAST, QUALIFIED, RESTS, STYLES, TILING, WRONG
from raised import keep, raised

PYTHON_HEADERS = Path(sysconfig.get_paths()["include"])
INCLUDE = PREFIX / "include" / "sfumato"
PRINTED = "[AIV Block 1/2] n is 7\n0, 128 of 128,   9.0, {}\n"
MISALIGNED = """fault [ub-alignment] Adds: the destination is not aligned
  where:  wrong.cpp:11, kernel misaligned, core aiv0, instruction 0 (Ascend910B)
  found:  dst: byte offset 4 in UB
  legal:  a multiple of 32
  do:     start at an index that is a multiple of 8 elements of int32_t
"""
UNCOLLECTED = "a kernel failed and no synchronising call has returned it\n"
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
WAYS = ("go", "go_quietly", "go_in_a_thread", "go_and_catch", "go_back", "threads")


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
            (["--npu-arch=dav-3510"], "Ascend950PR 3510 310 0\n"),
            (["--npu-soc=ascend950pr_9599"], "Ascend950PR_9599 3510 310 0\n"),
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

    def test_a_crash_of_the_kernels_own_code(self):
        """A report at the line, the error code of a fault, and a program that goes on; its own crash stays one."""
        self.write(
            "crash.asc",
            '#include <cstdio>\n#include "acl/acl.h"\n#include "kernel_operator.h"\n'
            "__global__ __vector__ void divide(GM_ADDR x, int n) {\n"
            "    *(__gm__ int*)x = 100 / n;\n}\n"
            "int main(int argc, char** argv) {\n    aclInit(nullptr);\n    void* x = nullptr;\n"
            "    aclrtMalloc(&x, 32, ACL_MEM_MALLOC_HUGE_FIRST);\n"
            "    for (int n : {4, 0, 5}) {\n        divide<<<1, nullptr, nullptr>>>(x, n);\n"
            "        const int code = aclrtSynchronizeStream(nullptr);\n"
            '        std::printf("%d %d\\n", code, *(int*)x);\n        std::fflush(stdout);\n    }\n'
            "    if (argc > 1) *(volatile int*)nullptr = 1;\n}\n",
        )
        self.build("-g", "crash.asc", "-o", "crash")
        report = "fault [arithmetic-trap] the kernel's scalar code divided an integer by zero\n  where:  crash.asc:5, kernel divide"
        code, out, err = self.run_in("./crash")
        raised("arithmetic-trap")
        self.assertEqual((code, out), (0, "0 25\n507035 25\n0 20\n"))
        self.assertIn(report, err)
        self.assertEqual(self.run_in("./crash", "self")[:2], (-11, out))

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

    def test_what_cores_do_not_have(self):
        where = "outside of functions, where no core executes it; declare a in the function that uses it"
        for text, line, column, rule, message in (
            ("__ubuf__ float a[8];", 2, 16, "static-array-form", f"an array in local memory stands {where}"),
            (
                "void f() { __ubuf__ int a[] = {1}; }",
                2,
                25,
                "static-array-form",
                "a lies in local memory, where a declaration gives no values; assign them behind it",
            ),
            (
                '__aicore__ void f() { asm volatile("dsb"); }',
                2,
                23,
                "inline-assembly",
                "asm in code of a core has a text, which is for the chip's assembler; none is here. Leave the text empty "
                "where it keeps the compiler from moving code, else call the intrinsic that stands for it",
            ),
        ):
            self.write("none.asc", f'#include "kernel_operator.h"\n{text}\n')
            raised(rule)
            self.assertEqual(
                self.build("-c", "none.asc", expect=1),
                f"none.asc:{line}:{column}: error: {message} [sfumato-{rule}]\n",
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
            (["--npu-arch=dav-5102", "x.asc"], "build-option",
             "no chip here is dav-5102; legal are dav-1001 (Ascend910), dav-2002 (Ascend310P), dav-2201 (Ascend910B), "
             "dav-3002 (Ascend310B), dav-3510 (Ascend950)"),
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
        self.assertTrue(notes.startswith("-mllvm -x=y means nothing here\n"), notes)
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
