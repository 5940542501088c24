# SPDX-License-Identifier: Apache-2.0
"""Launch options: a row that is added to a copy of their table is an option of every route."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sfumato import _native, _options
from sfumato._options import Route

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("SFUMATO_COMMAND", "sfumato")
ROW = 'SFUMATO_OPTION(scratch, kSwitch, "", "off", kEverywhere, "of a test", if (v.on) throw Error("scratched"))\n'
SHOWN = "scratched"

KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void nothing(GM_ADDR x) {}
"""
HOST = KERNEL + "int main() { nothing<<<1, nullptr, nullptr>>>(nullptr); }\n"
TIK = """from sfumato import tik
t = tik.Tik()
x = t.Tensor("float32", (64,), name="x", scope=tik.scope_gm)
y = t.Tensor("float32", (64,), name="y", scope=tik.scope_gm)
ub = t.Tensor("float32", (64,), name="ub", scope=tik.scope_ubuf)
t.data_move(ub, x, 0, 1, 8, 0, 0)
t.data_move(y, ub, 0, 1, 8, 0, 0)
t.BuildCCE(kernel_name="copies", inputs=[x], outputs=[y])
"""
# Each prints the error that it gets.
SCRIPT = """
import numpy as np, sfumato, sys
from sfumato import tik
from sfumato.judging import Judge
chip, x = "Ascend910B1", np.zeros(64, np.float32)
def python():
    sfumato.compile("k.cpp", chip=chip).nothing[1].options(scratch=True)(x)
def tik_run():
    tik.set_current_compile_soc_info(chip)
    import t
    t.t.run({"x": x}, scratch=True)
def judge():
    Judge(chip, options={"launch": {"scratch": True}})
def sweep():
    case = {"kernel": "k.cpp", "chip": chip, "blocks": 1, "args": ["x"], "inputs": {"x": {"shape": [64], "dtype": "float32"}}}
    case |= {"reference": None, "options": {"scratch": True}}
    sfumato.sweep([case], out="swept")
    print(open("swept/results.jsonl").read())
try:
    globals()[sys.argv[1]]()
except sfumato.Error as error:
    print(error)
"""
FILES = {"k.cpp": KERNEL, "host.cpp": HOST, "script.py": SCRIPT, "t.py": TIK}
ARRAYS = "--in x=x.npy --in y=x.npy --attr alpha=2".split()
ASKED = {
    Route.RUN_COMMAND: [COMMAND, "run", "k.cpp", "--chip", "Ascend910B1", "--scratch", "--", "x.npy"],
    Route.TIK_COMMAND: [COMMAND, "tik", "t.py", "--chip", "Ascend910B1", "--scratch", "--in", "x=x.npy"],
    Route.OP_COMMAND: [COMMAND, "op", "Axpy", "--chip", "Ascend910B1", *ARRAYS, "--scratch"],
    Route.ENVIRONMENT: ["./host"],
    Route.PYTHON: [sys.executable, "script.py", "python"],
    Route.TIK_RUN: [sys.executable, "script.py", "tik_run"],
    Route.JUDGE: [sys.executable, "script.py", "judge"],
    Route.SWEEP: [sys.executable, "script.py", "sweep"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a kernel, a host program, an operator, a TIK script, and options.so, which has the longer table and needs {fmt}."""
    words = "c++ -fsyntax-only -include fmt/format.h -x c++ /dev/null".split()
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("there is no fmt/format.h")
    path = tmp_path_factory.mktemp("scratch")
    for name, text in FILES.items():
        (path / name).write_text(text)
    shutil.copytree(ROOT / "examples" / "operator", path / "Axpy")
    np.save(path / "x.npy", np.zeros(64, np.float32))
    subprocess.run([COMMAND, "build", "host.cpp", "-o", "host"], cwd=path, check=True)

    own = path / "own" / "sfumato"
    own.mkdir(parents=True)
    include = _native.include_dirs()
    (own / "launch_options.inc").write_text(Path(include[0], "sfumato", "launch_options.inc").read_text() + ROW)
    words = [*"-std=c++20 -shared -fPIC -DFMT_HEADER_ONLY -o options.so".split(), f"-I{path / 'own'}"]
    source = ROOT / "src" / "runtime" / "launch" / "launch_option.cpp"
    subprocess.run(["c++", *words, *(f"-I{folder}" for folder in include), source], cwd=path, check=True)
    return path


@pytest.mark.parametrize("route", ASKED, ids=lambda route: route.name.lower())
def test_a_row_that_is_added_is_an_option_of_every_route(folder, route):
    said = {}
    for table, preloaded in {"longer": {"LD_PRELOAD": str(folder / "options.so")}, "own": {}}.items():
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable, "SFUMATO_OPTIONS": "scratch=on", **preloaded}
        done = subprocess.run(ASKED[route], cwd=folder, env=environment, capture_output=True, text=True, check=False)
        said[table] = done.stdout + done.stderr
    assert SHOWN in said["longer"]
    assert SHOWN not in said["own"] and "scratch" in said["own"]


def test_every_route_is_tried():
    assert set(ASKED) | {Route.ESTIMATE} == set(Route)
    assert all(option.routes for option in _options.TABLE.values())
