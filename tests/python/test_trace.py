# SPDX-License-Identifier: Apache-2.0
"""The option `trace` of launches and of TIK kernels, and --trace of the command."""

import gzip
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import sfumato
from sfumato import tik

from tik_support import instance


ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "examples" / "basics" / "double_buffering.cpp"
COUNT = 4096


def work(trace):
    """(row, step, name) of what the first core did."""
    return [
        (e["tid"], e["ts"], e["name"])
        for e in trace["traceEvents"]
        if e["ph"] == "X" and e["pid"] == 0 and e["cat"] == "record"
    ]


@pytest.fixture(scope="module")
def kernel():
    return sfumato.compile(SOURCE, chip="Ascend910B1").with_flags


@pytest.mark.parametrize("isolated", [False, True])
def test_a_launch(kernel, tmp_path, isolated):
    x = np.arange(COUNT, dtype=np.float32)
    y = np.zeros_like(x)
    path = tmp_path / "run.json"
    result = kernel[1].options(trace=path, isolated=isolated)(x, y, COUNT)
    assert result.trace == str(path)
    did = work(json.loads(path.read_text()))
    # A tile is loaded while the one before is computed: four of each.
    assert [at for row, at, name in did if row == 4] == [0, 1, 3, 5]
    assert [at for row, at, name in did if row == 1] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len([1 for row, at, name in did if row == 5]) == 4
    np.testing.assert_array_equal(y, x * x + x)


def test_without_there_is_none(kernel):
    x = np.zeros(COUNT, np.float32)
    assert kernel[1](x, x.copy(), COUNT).trace == ""


def test_what_is_no_file(kernel):
    with pytest.raises(sfumato.Error, match="options: trace=5 must be the path of a file, or None"):
        kernel[1].options(trace=5)


def test_tik_orders_by_bytes(tmp_path):
    t = instance()
    x = t.Tensor("float32", (64,), name="x", scope=tik.scope_gm)
    y = t.Tensor("float32", (64,), name="y", scope=tik.scope_gm)
    ub = t.Tensor("float32", (64,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, x, 0, 1, 8, 0, 0)
    t.vec_adds(64, ub, ub, 1.0, 1, 8, 8)
    t.data_move(y, ub, 0, 1, 8, 0, 0)
    t.BuildCCE(kernel_name="k", inputs=[x], outputs=[y])
    path = tmp_path / "run.json.gz"
    (out,) = t.run({"x": np.zeros(64, np.float32)}, trace=path)
    assert out[0] == 1
    trace = json.loads(gzip.open(path, "rt", encoding="utf-8").read())
    assert work(trace) == [(4, 0, "data_move"), (1, 1, "vec_adds"), (5, 2, "data_move")]
    assert [e["name"] for e in trace["traceEvents"] if e["ph"] == "s"] == ["data", "data"]


@pytest.mark.skipif("SFUMATO_COMMAND" not in os.environ, reason="needs the command")
def test_the_command(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(COUNT, np.float32))
    words = [os.environ["SFUMATO_COMMAND"], "run", SOURCE, "--chip", "Ascend910B1", "--kernel", "with_queues"]
    arguments = ["--", "x.npy", f"out:float32[{COUNT}]=y.npy", f"uint32:{COUNT}"]
    done = subprocess.run(
        [*words, "--trace", "run.json", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "0 faults, 0 warnings, 0 notes\n")
    assert len(work(json.loads((tmp_path / "run.json").read_text()))) == 16
    lost = subprocess.run(
        [*words, "--trace", "none/run.json", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert lost.returncode == 2
    assert "cannot write the trace none/run.json" in lost.stderr
