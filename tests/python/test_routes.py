# SPDX-License-Identifier: Apache-2.0
"""The overflow policy of every route that Python and the command open, where nobody asks (docs/overflow.md)."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import CHIP
from tik_support import instance

import sfumato
import sfumato.testing
from sfumato import tik

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
template <class T>
__aicore__ void Twice(__gm__ T* x, __gm__ T* y) {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 32);
    LocalTensor<T> t = buffer.Get<T>();
    GlobalTensor<T> from, to;
    from.SetGlobalBuffer(x);
    to.SetGlobalBuffer(y);
    constexpr uint32_t kBlock = 32 / sizeof(T);
    DataCopy(t, from, kBlock);
    PipeBarrier<PIPE_ALL>();
    Add(t, t, t, kBlock);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, t, kBlock);
}
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y) { Twice((__gm__ half*)x, (__gm__ half*)y); }
extern "C" __global__ __aicore__ void integers(GM_ADDR x, GM_ADDR y) { Twice((__gm__ int32_t*)x, (__gm__ int32_t*)y); }
"""
HALVES, INTEGERS = np.full(16, 60000, np.float16), np.full(8, 2**31 - 1, np.int32)
# What the sum is under each policy; on A2 and A3, a board's is the second.
SATURATED, ON_BOARD = {"halves": 65504, "integers": 2**31 - 1}, {"halves": np.inf, "integers": -2}
INPUT = {"halves": HALVES, "integers": INTEGERS}
COMMAND = os.environ.get("SFUMATO_COMMAND")
AXPY = Path(__file__).resolve().parents[2] / "examples" / "operator"


@pytest.fixture(scope="module")
def kernels():
    return sfumato.compile(SOURCE, chip=CHIP)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "twice.cpp").write_text(SOURCE)
    for name, values in INPUT.items():
        np.save(tmp_path / f"{name}.npy", values)
    return tmp_path


def command(folder, *words, code=0):
    if not COMMAND:
        pytest.skip("SFUMATO_COMMAND names no command")
    environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
    done = subprocess.run([COMMAND, *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


@pytest.mark.parametrize("kernel", INPUT)
def test_python(kernels, kernel):
    y = np.zeros_like(INPUT[kernel])
    with pytest.warns(sfumato.KernelWarning, match=r"\[saturated\]"):
        kernels[kernel][1](INPUT[kernel], y)
    assert (y == SATURATED[kernel]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernels[kernel][1].options(overflow="saturate")(INPUT[kernel], y)
        assert (y == SATURATED[kernel]).all()
        kernels[kernel][1].options(overflow="board")(INPUT[kernel], y)
        assert (y == ON_BOARD[kernel]).all()


@pytest.mark.parametrize("verb", ["run", "check", "time"])
@pytest.mark.parametrize("kernel", INPUT)
def test_commands(folder, kernel, verb):
    words = [verb, "twice.cpp", "--chip", CHIP, "--kernel", kernel]
    values = INPUT[kernel]
    arguments = ["--", f"{kernel}.npy", f"out:{values.dtype}[{len(values)}]=y.npy"]
    # Every check on, --check numbers says it, and a warning is an exit code.
    rules = {"halves": "saturation-hidden", "integers": "integer-overflow"} if verb == "check" else {}
    done = command(folder, *words, *arguments, code=4 if rules else 0)
    assert f"warning [{rules.get(kernel, 'saturated')}] Add" in done.stderr and "0 faults, 1 warning" in done.stderr
    assert (np.load(folder / "y.npy") == SATURATED[kernel]).all()
    done = command(folder, *words, "--overflow", "board", *arguments, code=4 if rules else 0)
    assert "saturat" not in done.stderr
    assert (np.load(folder / "y.npy") == ON_BOARD[kernel]).all()


def test_tik_scripts():
    t = instance(CHIP)
    ub, out = (
        t.Tensor("float16", (16,), name=name, scope=scope)
        for name, scope in (("ub", tik.scope_ubuf), ("out", tik.scope_gm))
    )
    t.vec_dup(16, ub, 60000.0, 1, 8)
    t.vec_add(16, ub, ub, ub, 1, 8, 8, 8)
    t.data_move(out, ub, 0, 1, 1, 0, 0)
    t.BuildCCE("kernel", [], [out])
    with pytest.warns(sfumato.KernelWarning, match=r"\[saturated\]"):
        assert (t.run({})[0] == 65504).all()
    assert (t.run({}, overflow="board")[0] == np.inf).all()


def test_one_conversion():
    large = np.array([1e6], np.float32)
    with pytest.warns(sfumato.KernelWarning, match="saturated"):
        assert sfumato.cast(large, np.float16, round_mode="CAST_RINT", chip=CHIP) == 65504
    assert sfumato.cast(large, np.float16, round_mode="CAST_RINT", chip=CHIP, overflow="board") == np.inf


def test_operators(tmp_path):
    shutil.copytree(AXPY, tmp_path / "Axpy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        op = sfumato.load_op(tmp_path / "Axpy", chip=CHIP)
        assert (op(HALVES, HALVES, alpha=1.0) == np.inf).all()
        assert (op.options(overflow="saturate")(HALVES, HALVES, alpha=1.0) == 65504).all()
    np.save(tmp_path / "x.npy", HALVES)
    words = [
        "op",
        "Axpy",
        "--chip",
        CHIP,
        "--in",
        "x=x.npy",
        "--in",
        "y=x.npy",
        "--attr",
        "alpha=1",
        "--out",
        "z=z.npy",
    ]
    assert "0 warnings" in command(tmp_path, *words).stdout
    assert (np.load(tmp_path / "z.npy") == np.inf).all()
    command(tmp_path, *words, "--overflow", "saturate")
    assert (np.load(tmp_path / "z.npy") == 65504).all()


REFERENCE = "import numpy as np\ndef twice(x):\n    return np.full(len(x), {}, x.dtype)\n"


@pytest.mark.parametrize("kernel", INPUT)
@pytest.mark.parametrize(("options", "right"), [({}, ON_BOARD), ({"overflow": "saturate"}, SATURATED)])
def test_verdicts_and_sweeps(folder, kernel, options, right):
    values = INPUT[kernel]
    value = f"float('{right[kernel]}')" if kernel == "halves" else right[kernel]
    (folder / "refs.py").write_text(REFERENCE.format(value))
    task = (
        f"import numpy as np\ncases = [{{'x': np.array({values.tolist()}, np.{values.dtype})}}]\n"
        f"outputs = ['y']\ncompare = 'exact'\ndef reference(x):\n    return [np.full(len(x), {value}, x.dtype)]\n"
    )
    other = next(line for line in SOURCE.splitlines() if "__global__" in line and kernel not in line)
    source = SOURCE.replace(other, "")
    verdict = sfumato.judge(source, task, chip=CHIP, options={"launch": options}, cache=folder / "cache")
    assert verdict, verdict
    assert [found["rule"] for found in verdict.findings] == []
    spec = {"shape": [len(values)], "dtype": str(values.dtype)}
    case = {"kernel": "twice.cpp", "entry": kernel, "chip": CHIP, "reference": "refs.py:twice"}
    case |= {
        "blocks": 1,
        "args": ["x", "y"],
        "inputs": {"x": {**spec, "values": values.tolist()}},
        "outputs": {"y": spec},
        "options": options,
    }
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n")
    assert "1 of 1 cases ran" in command(folder, "sweep", "cases.jsonl", "--out", "out", "--quiet").stdout
