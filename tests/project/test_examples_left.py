# SPDX-License-Identifier: Apache-2.0
"""The examples that no other test runs as their comments say; and that every example is run by some test."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from installation import COMMAND

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def run(folder, *words):
    done = subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("script", ["cast/quantize.py", "conv2d/conv2d.py"])
def test_script(script, tmp_path):
    code, said = run(tmp_path, sys.executable, EXAMPLES / script)
    assert code == 0 and re.match(r"(\d+) of \1 values", said), said


def test_demo(tmp_path):
    code, said = run(tmp_path, sys.executable, EXAMPLES / "demo.py", "--sfumato", COMMAND)
    assert code == 0, said
    assert "fault [ub-alignment] Cast: the source is not aligned" in said


def test_the_buffer_that_is_kept(tmp_path):
    source = EXAMPLES / "wrong" / "buffer_kept.cpp"
    (words,) = re.findall(r"^//   sfumato (run .*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    np.save(tmp_path / "x.npy", np.ones(4096, np.float32))
    code, said = run(tmp_path, COMMAND, *shlex.split(words.replace("examples/", f"{EXAMPLES}/")))
    assert code == 4 and "fault [wait-never-satisfied]" in said, said
    assert (tmp_path / "run.html").stat().st_size > 10_000


def test_every_example_is_run():
    """By its name in a test or the demo; of notebooks and of the operator all are."""
    tests = "".join(
        path.read_text(encoding="utf-8") for path in [*(ROOT / "tests").rglob("*.py"), EXAMPLES / "demo.py"]
    )
    sources = [path for path in EXAMPLES.rglob("*") if path.suffix in (".cpp", ".py")]
    assert [path.name for path in sources if path.stem not in tests and path.parent.parent.name != "operator"] == []
