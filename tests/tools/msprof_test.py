#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The vendor's programs of the toolkit folder by name: msprof and its forms, npu-smi, and those that are refused."""

import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND, TOOLKIT
from raised import keep, raised

# Two kernels and three launches; the exit code is the number of arguments.
PROGRAM = """
#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add_one(GM_ADDR x) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 4096);
    LocalTensor<float> local = buffer.Get<float>();
    GlobalTensor<float> all;
    all.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 1024, 1024);
    DataCopy(local, all, 1024);
    PipeBarrier<PIPE_ALL>();
    Adds(local, local, 1.0f, 1024);
    PipeBarrier<PIPE_ALL>();
    DataCopy(all, local, 1024);
}
extern "C" __global__ __aicore__ void nothing(GM_ADDR x) {}
int main(int count, char**) {
    void* x;
    aclrtMalloc(&x, 8192, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(x, 8192, 0, 8192);
    add_one<<<2, nullptr, nullptr>>>((GM_ADDR)x);
    nothing<<<1, nullptr, nullptr>>>((GM_ADDR)x);
    add_one<<<1, nullptr, nullptr>>>((GM_ADDR)x);
    aclrtSynchronizeDevice();
    float host[2];
    aclrtMemcpy(host, 4, x, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtMemcpy(host + 1, 4, (char*)x + 4096, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%g %g\\n", host[0], host[1]);
    return count - 1;
}
"""
HEAD = "msprof: estimates, not measurements (`sfumato time` tells what they rest on)"
MADE = {}  # programs by family


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


class Programs(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name).resolve()

    def run_it(self, *command, expect=0, **env):
        """Standard output, and standard error of one that fails."""
        done = subprocess.run(
            [COMMAND, "env", "--plain", "--", *command], cwd=self.folder, env={**os.environ, **env}, capture_output=True,
            text=True,
        )  # fmt: skip
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.err = done.stderr
        return done.stdout

    def program(self, architecture="dav-c220"):
        path = self.folder / "main"
        (self.folder / "main.cpp").write_text(PROGRAM)
        if architecture not in MADE:
            words = ["-x", "cce", "main.cpp", "-lascendcl", "-o", "main"]
            self.run_it("bisheng", f"--cce-aicore-arch={architecture}", *words)
            MADE[architecture] = path.read_bytes()
        path.write_bytes(MADE[architecture])
        path.chmod(0o755)


class Msprof(Programs):
    def test_a_program_and_its_summary(self):
        self.program()
        for number, words in enumerate(
            (["--application=./main a 'b c'"], ["./main", "a", "b c"], ["--application", "./main a", "b c"])
        ):
            out = self.run_it("msprof", f"--output=out{number}", *words, expect=2).splitlines()
            self.assertEqual(out[:2], ["2 1", HEAD])
            self.assertEqual(
                [line.split()[:3] for line in out[2:5]],
                [["add_one", "2", "blocks"], ["nothing", "1", "blocks"], ["add_one", "1", "blocks"]],
            )
            (folder,) = (self.folder / f"out{number}").glob("PROF_*/mindstudio_profiler_output")
            self.assertEqual(out[5], f"msprof: written to out{number}/{folder.parent.name}")
            (summary,) = folder.glob("op_summary_*.csv")
            found = rows(summary)
            self.assertEqual(
                [(row["Op Name"], row["Block Dim"], row["Source"]) for row in found],
                [("add_one", "2", "estimate"), ("nothing", "1", "estimate"), ("add_one", "1", "estimate")],
            )
            self.assertEqual(found[0]["Task Type"], "AI_VECTOR_CORE")
            (statistic,) = folder.glob("op_statistic_*.csv")
            counts = {row["OP Type"]: row for row in rows(statistic)}
            self.assertEqual((counts["add_one"]["Count"], counts["nothing"]["Count"]), ("2", "1"))
            total = sum(float(row["Task Duration(us)"]) for row in found if row["Op Name"] == "add_one")
            self.assertAlmostEqual(float(counts["add_one"]["Total Time(us)"]), total, places=2)

    def test_the_time_is_that_of_sfumato_time(self):
        self.program()
        out = self.run_it("msprof", "op", "main")
        core = float(re.search(r"core ([\d.]+) us", out)[1])
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2048,), }".ljust(117) + "\n"
        (self.folder / "x.npy").write_bytes(
            b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(8192)
        )
        words = ["--chip", "Ascend910B1", "--blocks", "2", "--kernel", "add_one", "--", "inout:x.npy=y.npy"]
        text = self.run_it("sfumato", "time", "main.cpp", *words)
        self.assertIn(f"{core:.2f} us", text)

    def test_one_launch_of_op(self):
        self.program()
        for words in (["msprof", "op"], ["msopprof"], ["msprof", "op", "simulator", "--soc-version=Ascend910B4"]):
            out = self.run_it(*words, "--output=" + words[-1], "--application=./main").splitlines()
            self.assertEqual((out[:2], len(out)), (["2 1", HEAD], 4))
            (folder,) = (self.folder / words[-1]).glob("OPPROF_*")
            (basic,) = rows(folder / "OpBasicInfo.csv")
            self.assertEqual((basic["Op Name"], basic["Op Type"], basic["Block Dim"]), ("add_one", "vector", "2"))
            self.assertGreater(float(basic["Task Duration(us)"]), 0)
            self.assertEqual(basic["Rated Freq"], "1500" if "simulator" in words else "1850")
            (pipes,) = rows(folder / "PipeUtilization.csv")
            self.assertTrue(0 < float(pipes["aiv_vec_ratio"]) < 1 and 0 < float(pipes["aiv_mte2_ratio"]) <= 1)
            self.assertIn("no measurements", (folder / "README.txt").read_text())

    def test_launches_that_are_chosen(self):
        self.program()
        for words, names in (
            (["--launch-count=5"], ["add_one/0", "add_one/1", "nothing/0"]),
            (["--kernel-name=add", "--launch-count=5"], ["add_one/0", "add_one/1"]),
            (["--kernel-name=noth|add_o", "--launch-count=2"], ["add_one/0", "nothing/0"]),
            (["--launch-skip-before-match=1", "--launch-count=9"], ["add_one/0", "nothing/0"]),
        ):
            with self.subTest(words):
                self.run_it("msprof", "op", f"--output={words[0]}", *words, "./main")
                found = (self.folder / words[0]).glob("OPPROF_*/*/*/OpBasicInfo.csv")
                self.assertEqual(sorted(str(path.parent.relative_to(path.parents[2])) for path in found), names)

    def test_what_hardware_counts_is_accepted(self):
        self.program()
        self.run_it("msprof", "op", "--aic-metrics=PipeUtilization,Roofline", "--warm-up=5", "./main")
        self.assertEqual(
            self.err, "msprof: --aic-metrics, --warm-up: of the hardware's counters, which an estimate has none of\n"
        )

    def test_a_chip_without_figures_runs(self):
        self.program("dav-m200")
        out = self.run_it("msprof", "op", "./main")
        self.assertEqual(out.splitlines()[0], "2 1")
        self.assertRegex(out, r"add_one +2 blocks  no estimate: .*Ascend310P")
        (basic,) = rows(next(self.folder.glob("OPPROF_*/OpBasicInfo.csv")))
        self.assertEqual(basic["Task Duration(us)"], "N/A")

    def test_options_of_the_program_and_of_the_user_stay(self):
        self.program()
        out = self.run_it("msprof", "./main", "--output=mine", "-h", expect=2, SFUMATO_OPTIONS="schedule=late")
        self.assertEqual(out.splitlines()[:2], ["2 1", HEAD])
        self.assertIn("no estimate: an estimate of time needs the schedule eager, not late", out)
        self.assertFalse((self.folder / "mine").exists())


# A wrong use, what is said, and a right one.
WRONG = (
    ([], 'no program: give it behind the options, or as --application="./main arguments"', ["./main"]),
    (["--aplication=./main"], "--aplication is no option of msprof; near: --application", ["--application=./main"]),
    (["op", "--config=a.json"], "--config: an object file of a kernel is not run alone: give the program that launches it", ["op", "./main"]),
    (["op", "--kernel-name"], "--kernel-name has no value", ["op", "--kernel-name", "add", "./main"]),
    (["op", "--launch-count=0", "./main"], "--launch-count is '0'; legal: a number, 1 or more", ["op", "--launch-count=1", "./main"]),
    (["op", "--launch-count=all", "./main"], "--launch-count is 'all'; legal: a number, 1 or more", ["op", "--launch-count=99", "./main"]),
    (["--application=./main 'a"], "--application: a ' is not closed: ./main 'a", ["--application=./main"]),
    (["--output=/proc/x", "./main"], "--output: cannot make /proc/x: No such file or directory", ["--output=x", "./main"]),
    (["--export=on", "--output=x"], "--export: the files are written when the program ends, and nothing is left to export", ["--output=x", "./main"]),
    (["--dynamic=on", "--pid=1"], "--dynamic: a program is told before it starts that it is to be estimated: start it by msprof", ["./main"]),
)  # fmt: skip


class Wrong(Programs):
    def test_command_lines(self):
        self.program()
        for words, said, right in WRONG:
            with self.subTest(words):
                self.run_it("msprof", *words, expect=1)
                self.assertEqual(self.err, f"msprof: error: {said}\n")
                self.run_it("msprof", *right)
                self.assertEqual(self.err, "")

    def test_an_unknown_product(self):
        self.program()
        self.run_it("msprof", "op", "simulator", "--soc-version=Ascend910B9", "./main", expect=1)
        self.assertEqual(self.err.splitlines()[0][:46], "msprof: error: unknown chip 'Ascend910B9'; did")
        self.run_it("msprof", "op", "simulator", "--soc-version=Ascend910B3", "./main")

    def test_a_product_of_another_family(self):
        self.program()
        done = subprocess.run(
            [COMMAND, "env", "--plain", "--", "msprof", "op", "simulator", "--soc-version=Ascend310P3", "./main"],
            cwd=self.folder, capture_output=True, text=True,
        )  # fmt: skip
        self.assertIn(
            "fault [chip-mismatch] the program was compiled for another family of chips", done.stdout + done.stderr
        )
        self.assertIn("msprof: nothing to estimate: the program launched no kernel\n", done.stderr)
        raised("chip-mismatch")

    def test_programs_without_a_launch(self):
        self.run_it("msprof", "./absent", expect=127)
        self.assertEqual(self.err, "error: msprof: cannot run ./absent: No such file or directory\n")
        self.run_it("msprof", "true")
        self.assertEqual(self.err, "msprof: nothing to estimate: the program launched no kernel\n")
        self.program()
        self.run_it("msprof", "op", "--kernel-name=sub", "./main")
        self.assertEqual(
            self.err,
            "msprof: nothing to estimate: no launch is of --kernel-name=sub behind the first 0: launched were add_one, nothing\n",
        )
        self.run_it("msprof", "sh", "-c", "kill -9 $$", expect=137)


class Others(Programs):
    def test_npu_smi(self):
        self.assertRegex(self.run_it("npu-smi", "info"), r"\| 0     910B1 +\| OK +\|")
        self.assertRegex(self.run_it("npu-smi", "info", SFUMATO_CHIP="Ascend310P3"), r"\| 0     310P3 +\| OK +\|")
        self.assertEqual(
            self.run_it("npu-smi", "info", "-m").splitlines()[1].split(), ["0", "0", "0", "Ascend", "910B1"]
        )
        self.assertRegex(self.run_it("npu-smi", "info", "-l"), r"Total Count +: 1\n")
        self.assertRegex(self.run_it("npu-smi", "info", "-t", "board", "-i", "0", "-c", "0"), r"Chip Name +: 910B1\n")
        legal = "legal: info, info -l, info -m, info -t board|common|memory|usages -i 0 [-c 0]"
        for words, said in (
            (["set", "-t", "reset"], f"'set' is not supported: there is no board to set; {legal}"),
            (["info", "-i", "3"], "-i 3: there is one device, number 0"),
            (["info", "-t", "temp"], f"-t temp is not supported: there is no board to measure; {legal}"),
            (["info", "--all"], f"'--all' is not supported; {legal}"),
        ):
            self.run_it("npu-smi", *words, expect=1)
            self.assertEqual(self.err, f"npu-smi: error: {said}\n")

    def test_programs_without_sense_here(self):
        for program in ("atc", "msopst", "ascend-dmi", "mssanitizer", "msdebug", "hccn_tool"):
            self.run_it(program, "--anything", expect=1)
            self.assertRegex(self.err, rf"^{program}: .* \(docs/toolkit\.md\)\n$")
        for script in ("ascendc_impl_build.py", "ascendc_bin_param_build.py"):
            path = TOOLKIT / "tools/op_project_templates/ascendc/customize/cmake/util" / script
            self.run_it(sys.executable, path, "--anything", expect=1)
            self.assertRegex(self.err, rf"^{script}: .*`sfumato build-op FOLDER` \(docs/toolkit\.md\)\n$")


if __name__ == "__main__":
    keep("msprof_test")
    unittest.main()
