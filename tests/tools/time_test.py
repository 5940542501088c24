# SPDX-License-Identifier: Apache-2.0
"""`sfumato time`: estimates as text and JSON, comparisons, refusals."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from installation import COMMAND
from raised import keep, raised


# REPEATS Adds of 64 repeats: 22 + 64 cycles each, 2 before the first one is issued.
ADDS = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void adds(GM_ADDR x) {
    TPipe pipe; LocalTensor<float> a(TPosition::VECIN, 0, 4096), b(TPosition::VECIN, 0x10100, 4096), c(TPosition::VECOUT, 0x20000, 4096);
    for (int i = 0; i < REPEATS; ++i) Add(c, a, b, 64, 64, {1, 1, 1, 8, 8, 8});
#ifdef READS
    if (c.GetValue(0) == 1) Add(c, a, b, 64, 64, {1, 1, 1, 8, 8, 8});
#endif
#ifdef MEETS
    SyncAll<true>();
#endif
}
"""


class TimeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "adds.cpp").write_text(ADDS)

    def run_time(
        self,
        *words,
        chip="Ascend910B1",
        blocks="1",
        sources=("adds.cpp",),
        check=("--check", "none"),
        array="inout:x.npy=y.npy",
    ):
        command = [COMMAND, "time", *sources, "--chip", chip, "--blocks", blocks, "--cache", "cache"]
        command += [*check, *words, "--", array]
        header = "{'descr': '|u1', 'fortran_order': False, 'shape': (64,), }".ljust(117) + "\n"
        (self.folder / "x.npy").write_bytes(
            b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(64)
        )
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)

    def estimate(self, *words, **more):
        run = self.run_time("--json", *words, **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_adds_cost_their_head_and_repeats(self):
        found = self.estimate("-D", "REPEATS=10")
        self.assertIs(found["estimate"], True)
        self.assertEqual(found["cycles"], 2 + 10 * 86)
        # Published are a thousand; of so few nothing is.
        self.assertEqual(found["error"]["class"], "e")
        self.assertEqual(self.estimate("-D", "REPEATS=1000")["error"]["class"], "a")
        self.assertAlmostEqual(found["core_us"], 862 / 1850, places=4)
        v = next(p for p in found["pipes"] if p["pipe"] == "V")
        self.assertAlmostEqual(v["busy_us"], 860 / 1850, places=4)
        self.assertEqual([line["line"] for line in found["lines"]], [6])

    def test_a_kernel_without_instructions(self):
        found = self.estimate("-D", "REPEATS=0")
        self.assertEqual((found["cycles"], found["core_us"], found["critical_path"], found["pipes"]), (0, 0, [], []))

    def test_a_hint_says_what_a_kernel_without_the_cause_gains(self):
        source = (self.folder / "adds.cpp").read_text()
        # Both sources in the same groups of banks: rows bank_s1 and bank_s2 of tests/timing/timing_fit.csv.
        (self.folder / "adds.cpp").write_text(source.replace("0x10100, 4096", "0x4000, 4096"))
        found = self.estimate("-D", "REPEATS=1000", chip="Ascend910B2")
        (hint,) = found["hints"]
        self.assertEqual((hint["name"], hint["file"], hint["line"]), ("bank conflict", "adds.cpp", 6))
        self.assertAlmostEqual(hint["gain_us"], 1000 * 64 / 1800, places=3)
        published = (4167 - 2390) * 0.02
        self.assertLess(abs(hint["gain_us"] - published), 0.2 * published)
        text = self.run_time("-D", "REPEATS=1000", chip="Ascend910B2").stdout
        self.assertIn("    bank conflict at adds.cpp:6: conflicts are 43 % of V's cycles, above 10 %\n", text)
        self.assertIn("gain 35.6 us, estimate (S3, S4, S25)\n", text)
        (hint,) = self.estimate("-D", "REPEATS=1000", "--gains", "none", chip="Ascend910B2")["hints"]
        self.assertIsNone(hint["gain_us"])

    def test_scalar_cycles_are_charged_to_each_instruction(self):
        self.assertEqual(self.estimate("-D", "REPEATS=3", "--scalar-cycles", "1000")["cycles"], 3 * 1002 + 86)

    def test_slower_clock(self):
        found = self.estimate("-D", "REPEATS=10", chip="Ascend910B4")
        self.assertAlmostEqual(found["core_us"], 862 / 1500, places=4)
        self.assertEqual(found["error"], {"class": "e", "why": "figures of this chip are assumed"})

    def test_cores_wait_for_the_last_at_a_barrier(self):
        # Four cores begin 2 cycles apart; SyncAll takes 1.5 us.
        self.assertEqual(self.estimate("-D", "REPEATS=10", "-D", "MEETS", blocks="4")["cycles"], 862 + 6 + 2775)

    def test_text_says_estimate(self):
        run = self.run_time("-D", "REPEATS=10")
        self.assertEqual(
            run.stdout.splitlines()[0], "estimate of adds on Ascend910B1: 1 block on 1 core, 10 instructions"
        )

    def test_compares_sources(self):
        (self.folder / "more.cpp").write_text(ADDS.replace("REPEATS", "(2 * REPEATS)"))
        run = self.run_time("-D", "REPEATS=1000", sources=("adds.cpp", "more.cpp"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("more.cpp                            92.97 us  0.50 times as fast as the first", run.stdout)

    def test_the_kernel_of_init_has_the_class_of_an_elementwise_kernel(self):
        subprocess.run([COMMAND, "init", "first"], cwd=self.folder, check=True, capture_output=True)
        for blocks, count, stated in (("8", 1 << 22, "b"), ("8", 10000, "d")):
            arrays = [f"out:float32[{count}]={name}.npy" for name in "xyz"]
            command = [COMMAND, "time", "first/first.cpp", "--chip", "Ascend910B1", "--blocks", blocks, "--json"]
            command += ["--check", "none", "--cache", "cache", "--", *arrays, f"uint32:{count}"]
            run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            found = json.loads(run.stdout)
            self.assertEqual(found["error"]["class"], stated)
            self.assertNotIn("same line at once", [hint["name"] for hint in found["hints"]])

    def test_chips_without_figures(self):
        run = self.run_time("-D", "REPEATS=1", chip="Ascend310P3")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stdout, "")
        self.assertEqual(
            run.stderr,
            "error: no estimate of time for Ascend310P3: no public figures are known; there are some for Ascend910B1, "
            "Ascend910B2, Ascend910B3, Ascend910B4, Ascend910_9381, Ascend910_9382, Ascend910_9391, Ascend910_9392\n",
        )

    def test_skipped_data_is_not_read(self):
        run = self.run_time("-D", "REPEATS=1", "-D", "READS", "--skip-data")
        self.assertEqual(run.returncode, 4)
        self.assertNotIn("estimate", run.stdout)
        self.assertEqual(
            run.stderr.splitlines()[0],
            "fault [skipped-data] GetValue: the kernel reads what an instruction that was skipped would have written",
        )
        raised("skipped-data")

    def test_skipped_data_leaves_no_output_unwritten(self):
        run = self.run_time("-D", "REPEATS=1", "--skip-data", check=(), array="out:uint8[64]=y.npy")
        self.assertEqual((run.returncode, run.stderr), (0, "0 faults, 0 warnings, 0 notes\n"))

    def test_reading_a_result_waits_for_it(self):
        self.assertEqual(self.estimate("-D", "REPEATS=1", "-D", "READS")["cycles"], 2 + 86 + 11)


if __name__ == "__main__":
    keep("time_test")
    unittest.main()
