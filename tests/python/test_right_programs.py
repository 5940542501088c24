# SPDX-License-Identifier: Apache-2.0
"""Right programs have no findings under every check, but those that docs/checks.md names.

The scripts of examples/ here; its kernels in test_matrix.py and test_tik_programs.py, whole programs in programs/, those
of the C++ front end in tests/frontends/schedules_test.cpp.
"""

import csv
import os
import re
import runpy
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sfumato import _kernel, _native

ROOT = Path(__file__).parents[2]
COMMAND = os.environ.get("SFUMATO_COMMAND", "")


@pytest.mark.parametrize("script", ["cast/quantize.py", "conv2d/conv2d.py"])
def test_script(script, monkeypatch, capsys):
    results = []

    def launch(*arguments):
        arguments[-1]["check"] = "all"
        results.append(_native.launch(*arguments))
        return results[-1]

    monkeypatch.setattr(_kernel, "_native", type("Watched", (), {**vars(_native), "launch": staticmethod(launch)}))
    runpy.run_path(str(ROOT / "examples" / script))
    matching, of, rest = re.match(r"(\d+) of (\d+) values(.*)", capsys.readouterr().out).groups()
    assert matching == of and rest
    (result,) = results
    assert [str(finding) for finding in result.findings] == []


@pytest.mark.skipif(not COMMAND, reason="SFUMATO_COMMAND names no command")
def test_the_kernel_of_the_page(tmp_path):
    page = ROOT / "examples" / "page004"
    np.save(tmp_path / "src.npy", np.loadtxt(page / "src.txt").astype(np.float16))
    size = np.loadtxt(page / "dst.txt").size
    words = ["--chip", "Ascend910B1", "--kernel", "cast_simple_kernel", "--", "src.npy", f"out:int32[{size}]=dst.npy"]
    done = subprocess.run([COMMAND, "check", page / "cast.cpp", *words], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "checked: races, init, outputs, sync, numbers, raw: no findings\n")
    assert np.array_equal(np.load(tmp_path / "dst.npy"), np.loadtxt(page / "dst.txt").astype(np.int32))


def test_the_page_names_the_others():
    with open(ROOT / "tests" / "data" / "known_findings.csv", encoding="utf-8") as lines:
        known = [f"| `{row['program']}` | `{row['rule']}` | {row['why']} |" for row in csv.DictReader(lines)]
    page = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert page.split("| right program | rule | why |\n|---|---|---|\n")[1].split("\n\n")[0].split("\n") == known
