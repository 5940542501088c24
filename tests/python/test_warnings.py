# SPDX-License-Identifier: Apache-2.0
"""What a launch warns of is a warning of Python: by default, once a place, off by option, an error under -W error."""

import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from conftest import CHIP

import sfumato
from sfumato import KernelWarning

# y = 2x of half, where a board gives inf; and a copy whose last elements are left out.
SOURCE = """\
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x, uint32_t count) {
    TPipe pipe; TBuf<> buffer; pipe.InitBuffer(buffer, 256);
    LocalTensor<half> t = buffer.Get<half>();
    GlobalTensor<half> gm; gm.SetGlobalBuffer((__gm__ half*)x, count);
    DataCopy(t, gm, count);
    PipeBarrier<PIPE_ALL>();
    Add(t, t, t, count / 16 * 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, t, count / 16 * 16);
}
"""
SCRIPT = """\
import numpy as np, sfumato
lib = sfumato.compile("warn.cpp", chip="Ascend910B1")
for first in (60000, 50000, 40000):
    x = np.full(16, first, np.float16)
    lib.twice[1](x, 16)
print(float(x[0]), len(lib.twice.last.findings))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("warnings")
    (folder / "warn.cpp").write_text(SOURCE)
    (folder / "script.py").write_text(SCRIPT)
    return folder


@pytest.fixture(scope="module")
def twice(folder):
    return sfumato.compile(folder / "warn.cpp", chip=CHIP).twice


def large(first=60000):
    return np.full(16, first, np.float16)


def run(folder, *words, script="script.py", **env):
    command = [sys.executable, *words, script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **env}, check=False)


def test_a_plain_script_shows_it_once(folder):
    done = run(folder)
    assert done.returncode == 0 and done.stdout == "65504.0 1\n"
    lines = done.stderr.splitlines()
    assert "script.py:5: KernelWarning: [saturated] Add: a result overflowed and was saturated" in lines[0]
    # Once a place, though the values change.
    assert done.stderr.count("KernelWarning") == 1
    assert "a board gives inf" in done.stderr and "warn.cpp:9" in done.stderr


def test_w_error_raises_and_the_environment_turns_it_off(folder):
    done = run(folder, "-W", "error")
    assert done.returncode == 1 and "sfumato._warn.KernelWarning: [saturated]" in done.stderr
    assert run(folder, SFUMATO_WARN="0").stderr == ""
    assert run(folder, "-W", "ignore").stderr == ""
    assert "SFUMATO_WARN is 'no'; legal are 1 and 0" in run(folder, SFUMATO_WARN="no").stderr


def test_pytest_shows_it_without_options(folder):
    (folder / "test_it.py").write_text("def test_it():\n" + "".join(f"    {line}\n" for line in SCRIPT.splitlines()))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0 and "KernelWarning: [saturated] Add" in done.stdout and "1 warning" in done.stdout


def test_an_option_turns_it_off(twice):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [found.rule for found in twice[1].options(warn=False)(large(), 16).findings] == ["saturated"]
        twice[1].options(overflow="board")(large(), 16)
        twice.options(overflow="saturate")[1](large(), 16)
    with pytest.raises(sfumato.Error, match=r"options: warn='no' must be True, False or None"):
        twice[1].options(warn="no")


def test_arrays_are_written_before_it_raises(twice):
    x = large()
    with warnings.catch_warnings():
        warnings.simplefilter("error", KernelWarning)
        with pytest.raises(KernelWarning, match="saturated"):
            twice[1](x, 16)
    assert x[0] == 65504 and twice.last.ok


@pytest.mark.parametrize("isolated", [False, True])
def test_every_place_has_its_own(twice, isolated):
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        for first in (60000, 50000):
            twice[1].options(isolated=isolated)(large(first), 16)
        twice[1].options(isolated=isolated)(large(), 16)
    assert [str(w.message).split("]")[0] for w in shown] == ["[saturated", "[saturated"]
    assert {w.filename for w in shown} == {__file__} and shown[0].lineno != shown[1].lineno
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        for first in (60000, 50000):
            twice[1].options(isolated=isolated)(large(first), 16)
    assert ["60000" in str(w.message) for w in shown] == [True, False]


def test_a_fault_matters_more(twice):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sfumato.KernelError, match="gm-out-of-range|past"):
            twice[1](large(), 112)


def test_of_cast():
    with pytest.warns(KernelWarning, match="cast: results overflowed"):
        assert sfumato.cast(np.float32([1e6]), "float16", round_mode="CAST_RINT", chip=CHIP)[0] == 65504
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for overflow, right in (("saturate", 65504), ("board", np.inf)):
            got = sfumato.cast(np.float32([1e6]), "float16", round_mode="CAST_RINT", chip=CHIP, overflow=overflow)
            assert got[0] == right
        sfumato.cast(np.float32([1e6]), "float16", round_mode="CAST_NONE", chip="Ascend310P3")
        sfumato.cast(np.float32([1e10]), "int32", round_mode="CAST_RINT", chip=CHIP)


def test_what_the_compiler_says(folder):
    (folder / "said.cpp").write_text(SOURCE.replace("TPipe pipe;", "int unused_here; TPipe pipe;"))
    with pytest.warns(KernelWarning, match="unused_here"):
        sfumato.compile(folder / "said.cpp", chip=CHIP, flags=["-Wunused-variable"])


def test_the_text_travels_as_a_string(twice):
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        twice[1](large(), 16)
    text = shown[0].message.args[0]
    assert type(pickle.loads(pickle.dumps(text))) is str
