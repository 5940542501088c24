# SPDX-License-Identifier: Apache-2.0
"""python -m sfumato.tik, and `sfumato tik`, as a user runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

SCRIPTS = Path(__file__).parent / "tik_scripts"

ADD = """\
from tbe import tik
from helper import BLOCKS

def add(shape, dtype, kernel_name="add"):
    t = tik.Tik()
    x = t.Tensor(dtype, shape, name="x", scope=tik.scope_gm)
    n = t.InputScalar("int32", "n")
    y = t.Tensor(dtype, shape, name="y", scope=tik.scope_gm)
    ub = t.Tensor(dtype, shape, name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, x, 0, 1, BLOCKS, 0, 0)
    with t.if_scope(n > 3):
        t.data_move(y, ub, 0, 1, BLOCKS, 0, 0)
    t.BuildCCE(kernel_name=kernel_name, inputs=[x, n], outputs=[y])
    return t
"""


def commands():
    yield [sys.executable, "-m", "sfumato.tik"]
    if os.environ.get("SFUMATO_COMMAND"):
        yield [os.environ["SFUMATO_COMMAND"], "tik"]


@pytest.fixture(params=list(commands()), ids=lambda words: Path(words[-2]).name)
def command(request, tmp_path):
    def run(*arguments):
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
        words = [*request.param, *map(str, arguments)]
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)

    return run


LARGE = """\
from tbe import tik

t = tik.Tik()
x = t.Tensor("int32", (8,), name="x", scope=tik.scope_gm)
y = t.Tensor("int32", (2**31 - 1,), name="y", scope=tik.scope_gm)
ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
t.data_move(ub, x, 0, 1, 1, 0, 0)
t.data_move(y, ub, 0, 1, 1, 0, 0)
t.BuildCCE("large", [x], [y])
"""


def test_shapes_of_what_the_script_calls_large(command, tmp_path):
    (tmp_path / "large.py").write_text(LARGE)
    np.save(tmp_path / "x.npy", np.arange(8, dtype=np.int32))
    words = ["large.py", "--chip", "Ascend910B1", "--in", "x=x.npy", "--out", "y=y.npy"]
    done = command(*words, "--shape", "y=2,4")
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "y.npy"), np.arange(8).reshape(2, 4))
    done = command(*words, "--shape", "y=2,x")
    assert done.returncode == 2 and "--shape y=2,x: whole numbers with commas between are needed" in done.stderr
    done = command(*words, "--shape", "z=8")
    assert done.returncode == 2 and "does not say how large 'y' is" in done.stderr


def test_runs_a_script(command, tmp_path):
    src = np.arange(512, dtype=np.float16).reshape(2, 256)
    np.save(tmp_path / "src.npy", src)
    script = SCRIPTS / "vec_adds_contiguous.py"
    words = ["--chip", "Ascend910B1", "--in", "src_gm=src.npy", "--out", "dst_gm=out", "--out-dir", "built"]
    done = command(script, *words)
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "out"), src + np.float16(2))
    built = json.loads((tmp_path / "built" / "kernel_meta" / "vec_adds.json").read_text())
    assert built["kernelName"] == "vec_adds__kernel0" and built["blockDim"] == 1
    assert [parameter["name"] for parameter in built["parameters"]] == ["src_gm", "dst_gm"]


def test_rests_on(command, tmp_path):
    np.save(tmp_path / "src.npy", np.ones((2, 256), np.float16))
    words = [SCRIPTS / "vec_adds_contiguous.py", *"--in src_gm=src.npy --out dst_gm=out --rests-on --chip".split()]
    done = command(*words, "Ascend910")
    assert (done.returncode, done.stderr) == (0, "documented throughout\n")
    done = command(*words, "Ascend910B1")
    line = words[0].read_text().splitlines().index("t.data_move(src_ub, src_gm, 0, 1, 32, 0, 0)") + 1
    said = done.stderr.splitlines()
    assert said[0] == "decided [data_move] Ascend910B has data_move for float16."
    assert said[1] == f"  where:  {words[0]}:{line}, 2 times"
    assert said[2].startswith("  source: TIK type table, data_move") and said[3:] == ["rests on 1 reading"]
    found = json.loads(command(*words, "Ascend910B1", "--json").stdout)["rests_on"]
    assert [(r["call"], r["tag"], r["line"], r["count"]) for r in found] == [("data_move", "decided", line, 2)]
    assert json.loads(command(*words, "Ascend910", "--json").stdout)["rests_on"] == []
    assert "rests_on" not in json.loads(command(*words[:-2], "--chip", "Ascend910", "--json").stdout)


def test_calls_a_function(command, tmp_path):
    (tmp_path / "add.py").write_text(ADD)
    (tmp_path / "helper.py").write_text("BLOCKS = 4\n")
    x = np.arange(64).astype(ml_dtypes.bfloat16)
    np.save(tmp_path / "x.npy", x)
    words = ["add.py", "--chip", "Ascend910B1", "--call", "add((64,), 'bfloat16'), add((64,), 'int16', 'other')"]
    words += ["--in", "x=x.npy", "--in", "n=0x4", "--out", "y=y.npy"]
    done = command(*words)
    assert done.returncode == 2 and "--kernel NAME: the script built add, other" in done.stderr
    done = command(*words, "--kernel", "add", "--schedule", "late")
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "y.npy").view(ml_dtypes.bfloat16), x)


@pytest.mark.parametrize(
    ("script", "words", "code", "text"),
    [
        ("x = 1", ["--in", "a=b"], 2, "the script built no kernel"),
        ("raise KeyError('nope')", [], 2, "KeyError: 'nope'"),
        ("import sys\nsys.exit(0)", [], 0, ""),
        ("tik.Tik()", [], 3, "no chip has been chosen"),
        ("t = tik.Tik()\nt.vec_add(1)", ["--chip", "Ascend310"], 3, "script.py:2"),
        ("x = 1", ["--call", "f()"], 2, "NameError: name 'f' is not defined"),
        ("x = 1", ["--chip", "Ascend999"], 2, "--chip Ascend999: no such chip for TIK; legal: Ascend310, "),
    ],
)
def test_mistakes(command, tmp_path, script, words, code, text):
    (tmp_path / "script.py").write_text(script)
    done = command("script.py", *words)
    assert done.returncode == code and text in done.stderr, done.stderr
    assert "Traceback" not in done.stderr or code == 2


def test_wrong_files(command, tmp_path):
    script = SCRIPTS / "vec_adds_contiguous.py"
    for words, text in [
        (["--in", "src_gm"], "'src_gm': NAME=FILE is needed"),
        (["--in", "src_gm=none.npy"], "none.npy"),
        (["--in", "nothing=src.npy"], "--in nothing: the kernel's arguments are src_gm, dst_gm"),
        (["--out", "src_gm=x.npy"], "--out src_gm: the outputs are dst_gm"),
        (["--out", "dst_gm=x.npy", "--fill", "999"], "--fill '999' is not legal; legal: 0 to 255"),
    ]:
        done = command(script, "--chip", "Ascend310", *words)
        assert done.returncode == 2 and text in done.stderr, done.stderr
    assert command("absent.py").returncode == 2


IN_PLACE = """\
t = tik.Tik()
x = t.Tensor("float16", (64,), name="x", scope=tik.scope_gm)
n = t.InputScalar("int32", name="n")
y = t.Tensor("float16", (4, 16), name="y", scope=tik.scope_gm)
ub = t.Tensor("float16", (16,), name="ub", scope=tik.scope_ubuf)
for row in range(3):
    t.data_move(ub, x[row * 16], 0, 1, 1, 0, 0)
    t.data_move(y[row + 1, 0], ub, 0, 1, 1, 0, 0)
t.BuildCCE(kernel_name="spread", inputs=[x, n], outputs=[y])
"""


def test_one_file_for_input_and_output(command, tmp_path):
    (tmp_path / "spread.py").write_text(IN_PLACE)
    array = np.arange(64).astype(np.float16)
    spread = np.tile(array[:16], (4, 1))
    for shared, target in [("x,y=data.npy", "data.npy"), ("y,x=data.npy=other", "other")]:
        np.save(tmp_path / "data.npy", array)
        done = command("spread.py", "--chip", "Ascend910B1", "--in", "n=1", "--inout", shared)
        assert done.returncode == 0, done.stderr
        assert np.array_equal(np.load(tmp_path / target), spread)
    assert np.array_equal(np.load(tmp_path / "data.npy"), array), "the other file was written"
    for words, text in [
        (["--inout", "x=data.npy"], "--inout x: none of them is an output; the outputs are y"),
        (["--inout", "x,y=data.npy", "--in", "x=data.npy"], "--inout x: the tensor has an array already"),
        (["--inout", "n,y=data.npy"], "--inout n: an InputScalar is a number; give it with --in"),
        (["--inout", "y,z=data.npy"], "--inout z: the kernel's arguments are x, n, y"),
        (["--inout", "x,y=none.npy"], "none.npy"),
        (["--inout", "x,y"], "'x,y': NAME=FILE is needed"),
    ]:
        done = command("spread.py", "--chip", "Ascend910B1", *words)
        assert done.returncode == 2 and text in done.stderr, done.stderr


def test_estimates_the_time(command, tmp_path):
    np.save(tmp_path / "src.npy", np.zeros((2, 256), np.float16))
    words = ["--chip", "Ascend910B1", "--in", "src_gm=src.npy", "--out", "dst_gm=out"]
    script = SCRIPTS / "vec_adds_contiguous.py"
    done = command(script, *words, "--time")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("estimate of vec_adds on Ascend910B1: 1 block on 1 core, 3 instructions\n")
    done = command(script, *words, "--time", "estimate.json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads((tmp_path / "estimate.json").read_text())["estimate"] is True


def test_says_why_there_is_no_estimate(command, tmp_path):
    np.save(tmp_path / "src.npy", np.zeros((2, 256), np.float16))
    words = ["--chip", "Ascend310P3", "--in", "src_gm=src.npy", "--out", "dst_gm=out"]
    done = command(SCRIPTS / "vec_adds_contiguous.py", *words, "--time")
    assert done.returncode == 2
    assert "no estimate of time for Ascend310P3" in done.stderr
    assert not (tmp_path / "out").exists()
