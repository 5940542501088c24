# SPDX-License-Identifier: Apache-2.0
"""`sfumato run --ranks` and `sfumato check --ranks` as a user runs them: files of every rank, windows, timelines, slips."""

import json
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from command_case import npy, read_npy
from installation import COMMAND
from raised import keep

SOURCE = Path(__file__).resolve().parents[2] / "examples" / "ranks" / "all_to_all.cpp"
MOST = 16

# What came from all others, in the window: the sum of their numbers, as each left it there in a launch before.
SUM = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void sum(GM_ADDR context, GM_ADDR out, uint32_t rank, uint32_t ranks) {
    __gm__ int32_t* in = *reinterpret_cast<__gm__ __gm__ int32_t**>(context + 32);
    int32_t total = 0;
    for (uint32_t i = 0; i < ranks; ++i) total += in[i];
    reinterpret_cast<__gm__ int32_t*>(out)[0] = total;
    reinterpret_cast<__gm__ int32_t*>(out)[1] = int32_t(rank * 100 + ranks);
    in[0] = total;
}
"""


def ints(*values):
    return struct.pack(f"<{len(values)}i", *values)


class RanksTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.cache, ignore_errors=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        shutil.copy(SOURCE, self.folder / "all_to_all.cpp")
        (self.folder / "sum.cpp").write_text(SUM)

    def sfumato(self, *words, expect=0):
        words = [str(word) for word in words]
        at = words.index("--") if "--" in words else len(words)
        if words[0] == "run":
            words[at:at] = ["--check", "none"]  # of an output only what came is written
        words[at:at] = ["--chip", "Ascend910_9392", "--cache", self.cache]
        done = subprocess.run([COMMAND, *words], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, expect, done.stderr + done.stdout)
        return done

    def exchange(self, ranks, count=None):
        """Files of an all-to-all; the words behind `--`, and what dst of each rank holds where something came."""
        counts = [
            [(5 * r + 3 * s) % (MOST + 1) if count is None else count for s in range(ranks)] for r in range(ranks)
        ]
        sent = [
            [list(range(r * 1000 + s * MOST, r * 1000 + s * MOST + MOST)) for s in range(ranks)] for r in range(ranks)
        ]
        for r in range(ranks):
            flat = [value for part in sent[r] for value in part]
            (self.folder / f"src.{r}.npy").write_bytes(npy("<i4", (ranks, MOST), ints(*flat)))
            (self.folder / f"counts.{r}.npy").write_bytes(npy("<i4", (ranks,), ints(*counts[r])))
        words = ["src.{rank}.npy", "counts.{rank}.npy", f"out:int32[{{ranks}},{MOST}]=dst.{{rank}}.npy"]
        words += ["out:int32[{ranks},8]=received.{rank}.npy", "context", f"uint32:{MOST}"]
        return words, counts, sent

    def check(self, ranks, counts, sent):
        for r in range(ranks):
            _, shape, dst = read_npy(self.folder / f"dst.{r}.npy")
            _, _, received = read_npy(self.folder / f"received.{r}.npy")
            self.assertEqual(shape, (ranks, MOST))
            for s in range(ranks):
                count = counts[s][r]
                self.assertEqual(struct.unpack_from("<i", received, 32 * s + 4)[0], count)
                self.assertEqual(dst[4 * MOST * s :][: 4 * count], ints(*sent[s][r][:count]))

    def test_all_to_all(self):
        for ranks in (1, 2, 3, 8, 16):
            words, *expected = self.exchange(ranks)
            done = self.sfumato(
                "run", "all_to_all.cpp", "--ranks", ranks, "--repeat", 2, "--window-mb", 1, "--", *words
            )
            self.assertEqual(done.stderr, "checked: none: no findings\n")
            self.check(ranks, *expected)

    def test_schedules(self):
        words, *expected = self.exchange(3)
        for schedule in ("late", "skew", "skew:2", "seed:5"):
            self.sfumato("run", "all_to_all.cpp", "--ranks", 3, "--schedule", schedule, "--window-mb", 1, "--", *words)
            self.check(3, *expected)

    def test_check(self):
        words, *expected = self.exchange(2, MOST)
        done = self.sfumato("check", "all_to_all.cpp", "--ranks", 2, "--window-mb", 1, "--", *words)
        self.assertIn(": no findings\n", done.stderr)
        self.check(2, *expected)

    def test_a_hang(self):
        words, counts, _ = self.exchange(2)
        (self.folder / "counts.1.npy").write_bytes(npy("<i4", (2,), ints(0, 4)))
        done = self.sfumato(
            "run",
            "all_to_all.cpp",
            "-D",
            "SKIP_EMPTY",
            "--ranks",
            2,
            "--json=f.json",
            "--window-mb",
            1,
            "--",
            *words,
            expect=4,
        )
        self.assertIn("rank 0, core aiv0", done.stderr)
        self.assertIn("1 fault, 0 warnings, 0 notes", done.stderr)
        self.assertFalse((self.folder / "dst.0.npy").exists())
        told = json.loads((self.folder / "f.json").read_text())
        self.assertEqual(told["world"], {"ranks": 2, "groups": ["world"]})
        self.assertEqual([(f["rule"], f["rank"], f["core"]) for f in told["findings"]], [("deadlock", 0, "aiv0")])

    def test_windows(self):
        for rank in range(3):
            (self.folder / f"w.{rank}.bin").write_bytes(ints(rank, 10, 20))
        self.sfumato(
            "run", "sum.cpp", "--ranks", 3, "--window-mb", 1, "--", "context", "out:int32[2]=y.{rank}.npy",
            "uint32:{rank}", "uint32:{ranks}", "window_in=w.{rank}.bin", "window_out=after.{rank}.bin",
        )  # fmt: skip
        for rank in range(3):
            self.assertEqual(read_npy(self.folder / f"y.{rank}.npy")[2], ints(rank + 30, rank * 100 + 3))
            after = (self.folder / f"after.{rank}.bin").read_bytes()
            self.assertEqual(after, ints(rank + 30, 10, 20) + bytes((1 << 20) - 12))

    def test_groups(self):
        for rank in range(2):
            (self.folder / f"w.{rank}.bin").write_bytes(ints(rank, 7))
        self.sfumato(
            "run", "sum.cpp", "--ranks", 2, "--group", "tp=0,1", "--window-mb", 1, "--", "context:tp",
            "out:int32[2]=y.{rank}.npy", "uint32:{rank}", "uint32:{ranks}", "window_in:tp=w.{rank}.bin",
        )  # fmt: skip
        for rank in range(2):
            self.assertEqual(read_npy(self.folder / f"y.{rank}.npy")[2], ints(rank + 7, rank * 100 + 2))

    def test_a_timeline(self):
        words, *_ = self.exchange(2)
        for name in ("t.json", "t.html"):
            run = ("run", "all_to_all.cpp", "--ranks", 2, "--trace", name, "--window-mb", 1, "--", *words)
            self.sfumato(*run)
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
        self.assertEqual(sorted(names.values()), ["rank 0 aiv0", "rank 1 aiv0"])
        self.assertEqual({names[e["pid"]] for e in events if e["ph"] == "X"}, {"rank 0 aiv0", "rank 1 aiv0"})

    def test_slips(self):
        words, *_ = self.exchange(2)
        for more, behind, text in (
            (("--ranks", 0), words, "--ranks 0 is not legal; legal: 1 to 64"),
            (("--ranks", 65), words, "--ranks 65 is not legal; legal: 1 to 64"),
            ((), words, "argument 'src.{rank}.npy': {rank} stands for a number with --ranks N"),
            ((), ["context"], "argument 'context' is for several ranks: give --ranks N"),
            (("--repeat", 2), [], "--repeat is for several ranks: give --ranks N"),
            (("--ranks", 2), ["x.{rnk}.npy"], "argument 'x.{rnk}.npy': {rnk} stands for nothing; legal are {rank} and"),
            (("--ranks", 2, "--repeat", 0), words, "--repeat 0 runs nothing: give at least 1"),
            (("--ranks", 2, "--window-mb", 0), words, "--window-mb 0 is not legal; legal: 1 to 4096"),
            (("--ranks", 2, "--schedule", "fast"), words, "unknown schedule 'fast' of ranks; legal: eager, serial"),
            (("--ranks", 2, "--schedule", "skew:2"), words, "schedule 'skew:2': legal are ranks 0 to 1"),
            (("--ranks", 2, "--group", "tp"), words, "--group 'tp' is not NAME=RANK,..."),
            (
                ("--ranks", 2, "--group", "tp=0,2"),
                words,
                "--group '2' is no rank; legal: NAME=RANK,... with ranks 0 to 1",
            ),
            (("--ranks", 2, "--group", "tp=1,0"), words, "group 'tp': ranks 1, 0 are not ascending"),
            (("--ranks", 2), [*words[:4], "context:tp"], "argument 'context:tp': there is no group 'tp' of ranks"),
            (("--ranks", 2), [*words, "window_in="], "argument 'window_in=': the file is missing: window_in=FILE"),
            (("--ranks", 2), ["out:int32[2]=y.npy"], "argument 'out:int32[2]=y.npy': y.npy is already the file of"),
        ):
            with self.subTest(more=more, behind=behind):
                done = self.sfumato("run", "all_to_all.cpp", *more, "--", *behind, expect=2)
                self.assertIn(f"error: {text}", done.stderr)

    def test_windows_too_large(self):
        words, *_ = self.exchange(1)
        (self.folder / "w.bin").write_bytes(bytes((1 << 20) + 1))
        done = self.sfumato(
            "run", "all_to_all.cpp", "--ranks", 1, "--window-mb", 1, "--", *words, "window_in=w.bin", expect=2
        )
        self.assertIn("argument 'window_in=w.bin': 1048577 bytes are more than the window's 1048576", done.stderr)


if __name__ == "__main__":
    keep("ranks_test")
    unittest.main()
