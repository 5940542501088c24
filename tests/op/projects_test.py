#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operator projects as msopgen users write them (projects/), loaded unchanged and compared with NumPy, byte for byte.

SFUMATO_OPERATORS=all runs every project, else those of the sample. With SFUMATO_SAMPLES, a checkout of
github.com/Ascend/samples, also its operator project.
"""

import os
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
FOLDER = Path(__file__).resolve().parent
import project_table  # noqa: E402

ALL = os.environ.get("SFUMATO_OPERATORS") == "all"
SAMPLES = os.environ.get("SFUMATO_SAMPLES", "")
INVOCATION = "cplusplus/level1_single_api/4_op_dev/6_ascendc_custom_op/acl_invocation/op_dev"
CACHE = tempfile.TemporaryDirectory()
os.environ["SFUMATO_CACHE"] = CACHE.name
import sfumato  # noqa: E402


class Projects(unittest.TestCase):
    maxDiff = None

    def compare(self, got, want, what):
        got = got if isinstance(got, tuple) else (got,)
        want = want if isinstance(want, tuple) else (want,)
        self.assertEqual(len(got), len(want), what)
        for i, (g, w) in enumerate(zip(got, want)):
            self.assertEqual((g.shape, g.dtype), (w.shape, w.dtype), f"{what}, output {i}")
            if g.tobytes() == w.tobytes():
                continue
            size = g.dtype.itemsize
            a, b = (np.frombuffer(v.tobytes(), f"u{size}") for v in (g, w))
            wrong = np.flatnonzero(a != b)
            first = wrong[0]
            self.fail(
                f"{what}, output {i}: {wrong.size} of {a.size} elements differ, the first at {first}: "
                f"{g.ravel()[first]!r} ({a[first]:#x}), not {w.ravel()[first]!r} ({b[first]:#x})"
            )

    def check(self, project):
        rng = np.random.default_rng(sum(project.name.encode()))
        for chip, cases in project.chips.items():
            self.assertGreaterEqual(len(cases), 10, f"{project.name} on {chip}")
            op = sfumato.load_op(FOLDER / "projects" / project.folder, chip=chip, op=project.name)
            self.assertEqual(op.warnings, [])
            for case in cases:
                inputs, attrs, want = project.make(rng, *case)
                for schedule in ("eager", "late"):
                    what = f"{project.name}{case} on {chip}, {schedule}"
                    run = op.options(schedule=schedule)
                    got = run(*(project_table.copied(x) for x in inputs), **attrs)
                    self.assertEqual([str(f) for f in run.last.findings], [], what)
                    self.compare(got, want, what)


def _add(project):
    @unittest.skipUnless(ALL or project.sample, "not in the sample: SFUMATO_OPERATORS=all")
    def test(self):
        self.check(project)

    setattr(Projects, f"test_{project.name}", test)


for _project in project_table.PROJECTS:
    _add(_project)


@unittest.skipUnless(SAMPLES, "SFUMATO_SAMPLES names no checkout of Ascend/samples")
class Samples(unittest.TestCase):
    compare = Projects.compare

    def test_acl_invocation(self):
        for chip in ("Ascend910B1", "Ascend310P3"):
            op = sfumato.load_op(Path(SAMPLES, INVOCATION), chip=chip)
            for shape in ((8, 2048), (16384,), (4, 4, 4096), (8, 2, 8, 128)):
                rng = np.random.default_rng(len(shape))
                x, y = (rng.uniform(-100, 100, shape).astype(np.float16) for _ in range(2))
                for schedule in ("eager", "late"):
                    self.compare(op.options(schedule=schedule)(x, y), x + y, f"{shape} on {chip}, {schedule}")


if __name__ == "__main__":
    unittest.main()
