# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin, by pytest's own means: test files run in folders of their own."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("doubles.cpp")
OPERATOR = Path(__file__).parents[2] / "examples" / "operator"

PLUGIN = ("-p", "sfumato_pytest", "-p", "no:cacheprovider")

DOUBLES = """
import numpy as np
import pytest
from sfumato.testing import assert_close

def test_doubles(sfumato_kernel):
    x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    sfumato_kernel("doubles.cpp")[2](x, y, 64)
    assert_close(y, x + x, "exact")
"""


@pytest.fixture
def project(pytester):
    """A folder with the kernel; project(text, *options) runs a test file there."""
    shutil.copy(SOURCE, pytester.path)

    def run(text, *options):
        pytester.makepyfile(test_it=text)
        return pytester.runpytest_subprocess(*PLUGIN, *options)

    run.path = pytester.path
    return run


def ids(result):
    return re.findall(r"^test_it\.py::(\S+) (PASSED|FAILED)", result.stdout.str(), re.MULTILINE)


def test_a_kernel_by_default(project):
    assert ids(project(DOUBLES, "-v")) == [("test_doubles", "PASSED")]


def test_chips_and_schedules(project):
    run = project(DOUBLES, "-v", "--sfumato-chip=Ascend910B1,Ascend310P3", "--sfumato-schedules=eager,late,seed:1..2")
    names = {
        f"test_doubles[{c}-{s}]" for c in ("Ascend910B1", "Ascend310P3") for s in ("eager", "late", "seed:1", "seed:2")
    }
    assert dict(ids(run)) == dict.fromkeys(names, "PASSED")


def test_the_marker_wins(project):
    text = DOUBLES.replace("def test", '@pytest.mark.sfumato(chip="Ascend910A", schedules=["ahead", "late"])\ndef test')
    run = project(text, "-v", "--sfumato-chip=Ascend910B1", "--strict-markers")
    assert [name for name, _ in ids(run)] == ["test_doubles[Ascend910A-ahead]", "test_doubles[Ascend910A-late]"]


def test_schedules_reach_the_launch(project):
    text = DOUBLES.replace('"doubles.cpp")', '"doubles.cpp", defines={"WITHOUT_FLAG": None}).options(auto_sync=False)')
    run = project(text, "-v", "--sfumato-schedules=eager,late,ahead")
    assert dict(ids(run)) == {
        "test_doubles[eager]": "PASSED",
        "test_doubles[late]": "FAILED",
        "test_doubles[ahead]": "FAILED",
    }


def test_strict_makes_warnings_faults(project):
    text = DOUBLES.replace('"doubles.cpp")', '"doubles.cpp", defines={"WITHOUT_FLAG": None}).options(auto_sync=False)')
    text = text.replace("[2](", '[2].options(check="races")(')
    run = project(text, "-v")
    assert ids(run) == [("test_doubles", "PASSED")]
    run = project(text, "-v", "--sfumato-strict")
    assert ids(run) == [("test_doubles", "FAILED")]


FAULT = DOUBLES.replace('"doubles.cpp"', '"doubles.cpp", defines={"OFFSET": None}')


def test_a_fault_is_its_report(project):
    run = project(FAULT)
    text = run.stdout.str()
    body = text.partition("= FAILURES =")[2].partition("\n")[2].partition("-- sfumato json --")[0]
    line = 1 + SOURCE.read_text().partition("Adds(a[1]")[0].count("\n")
    at = 1 + FAULT.partition("    sfumato_kernel(")[0].count("\n") - 1
    assert re.sub(r"_{3,} \w+ _{3,}\n|-+$", "", body) == (
        '>   sfumato_kernel("doubles.cpp", defines={"OFFSET": None})[2](x, y, 64)\n'
        "fault [ub-alignment] Adds: the destination is not aligned\n"
        f"  where:  doubles.cpp:{line}, kernel doubles, core aiv0, instruction 5 (Ascend910B)\n"
        "  found:  dst: byte offset 4 in UB\n"
        "  legal:  a multiple of 32\n"
        "  do:     start at an index that is a multiple of 8 elements of float\n"
        "\n"
        f"test_it.py:{at}: KernelError\n"
    )
    assert "FAILED test_it.py::test_doubles - KernelError: fault [ub-alignment] Adds" in text


def test_sections_have_json(project):
    for text, options in ((FAULT, ()), (FAULT, ("-n1",))):
        said = project(text, *options).stdout.str()
        section = said.partition("sfumato json")[2].partition("\n")[2].partition("\n")[0]
        assert json.loads(section)["findings"][0]["rule"] == "ub-alignment"
    said = project(DOUBLES.replace("x + x", "x")).stdout.str()
    section = said.partition("sfumato json")[2].partition("\n")[2].partition("\n")[0]
    assert json.loads(section)["compare"]["pattern"] == "scaled by 2"


def test_a_mismatch_shows_the_comparison_and_one_line_of_stack(project):
    said = project(DOUBLES.replace("x + x", "x")).stdout.str()
    assert "E       sfumato.testing.Mismatch: different by exact: 127 of 128 elements (99.2%), float32 (128,)" in said
    assert "testing/__init__.py" not in said


def test_errors_of_others_stay(project):
    said = project("import sfumato\n\ndef test_it():\n    assert 1 == 2\n").stdout.str()
    assert "E       assert 1 == 2" in said and "sfumato json" not in said
    assert "test_it.py:4: AssertionError" in said


def test_the_stack_comes_back(project):
    assert "_kernel.py" in project(FAULT, "--full-trace").stdout.str()


def test_operators(project):
    shutil.copytree(OPERATOR, project.path / "Axpy")
    text = """
import numpy as np

def test_axpy(sfumato_op, chip):
    op = sfumato_op("Axpy")
    x = np.arange(64, dtype=np.float32)
    assert (op(x, x, alpha=2.0) == 3 * x).all()
    assert op.chip == chip
"""
    assert dict(ids(project(text, "-v", "--sfumato-schedules=eager,late"))) == {
        "test_axpy[eager]": "PASSED",
        "test_axpy[late]": "PASSED",
    }


def test_xdist(project):
    run = project(DOUBLES, "-n2", "--sfumato-chip=Ascend910B1,Ascend310P3", "--sfumato-schedules=eager,late,seed:1..2")
    run.assert_outcomes(passed=8)


WRONG = {
    ("--sfumato-schedules=lat",): (
        "ERROR: --sfumato-schedules: 'lat' is no schedule; there are eager, serial, late, ahead, seed:N, seed:N..M, all, all:N"
    ),
    ("--sfumato-schedules=seed:3..1",): (
        "ERROR: --sfumato-schedules: 'seed:3..1' is no schedule; there are eager, serial, late, ahead, seed:N, seed:N..M, all, all:N"
    ),
    ("--sfumato-chip=A,,B",): "ERROR: --sfumato-chip: 'A,,B' is no list of names with commas between",
}


@pytest.mark.parametrize("options", WRONG)
def test_wrong_options(project, options):
    run = project(DOUBLES, *options)
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    assert WRONG[options] in run.stderr.str()


@pytest.mark.parametrize(
    "marker, message",
    [
        (
            "chips='A'",
            "test_it.py::test_doubles: marker sfumato: chips is not known; it takes chip, schedules, strict by name",
        ),
        ("'A'", "test_it.py::test_doubles: marker sfumato: 'A' is not known; it takes chip, schedules, strict by name"),
        ("schedules='x'", "test_it.py::test_doubles: marker sfumato: schedules: 'x' is no schedule"),
    ],
)
def test_wrong_markers(project, marker, message):
    run = project(DOUBLES.replace("def test", f"@pytest.mark.sfumato({marker})\ndef test"))
    assert message in run.stdout.str() + run.stderr.str()
    assert run.ret != 0


def test_several_kernels_need_a_name(project):
    source = project.path / "doubles.cpp"
    source.write_text(source.read_text() + '\nextern "C" __global__ __aicore__ void other(GM_ADDR x) {}\n')
    said = project(DOUBLES).stdout.str()
    assert "sfumato_kernel: doubles.cpp has doubles, other: name one, sfumato_kernel(path, name)" in said
    assert ids(project(DOUBLES.replace('"doubles.cpp"', '"doubles.cpp", "doubles"'), "-v")) == [
        ("test_doubles", "PASSED")
    ]


def test_sfumato_is_not_imported_for_others(tmp_path):
    text = "import sys\n\ndef test_it():\n    assert 'sfumato' not in sys.modules and 'numpy' not in sys.modules\n"
    tmp_path.joinpath("test_it.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *PLUGIN, str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("pdb, isolated", [((), "1"), (("--pdb",), "0")])
def test_launches_are_isolated(project, pdb, isolated, monkeypatch):
    """A crash fails one test; a debugger sees the kernel; the user's word counts."""
    text = "import os\n\ndef test_it():\n    assert os.environ['SFUMATO_ISOLATED'] == %r\n"
    monkeypatch.delenv("SFUMATO_ISOLATED", raising=False)
    project(text % isolated, *pdb).assert_outcomes(passed=1)
    monkeypatch.setenv("SFUMATO_ISOLATED", "0")
    project(text % "0", *pdb).assert_outcomes(passed=1)


CRASHES = """
import numpy as np
import sfumato

CRASH = '''
#include <csignal>
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void crash(GM_ADDR x) { std::raise(SIGKILL); }
'''

def test_crash():
    sfumato.compile(CRASH, chip="Ascend910B1").crash[1](np.zeros(8, np.float32))
"""


def test_a_crash_fails_one_test(project):
    result = project(CRASHES + DOUBLES, "-v")
    assert ids(result) == [("test_crash", "FAILED"), ("test_doubles", "PASSED")]
    result.stdout.fnmatch_lines(["*it was ended by signal 9 (Killed)*"])


WORLD = """
import numpy as np
import pytest

@pytest.mark.ranks(1, 3, window_mb=1)
def test_sum(world, chip):
    assert world._native.chip == chip
    total = world.all_reduce([np.array([r], np.int32) for r in range(len(world))])
    assert [int(t[0]) for t in total] == [sum(range(len(world)))] * len(world)
"""


def test_a_world_of_ranks(project):
    project(WORLD, "-v").assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("marker", "text"),
    [
        ("", "no marker ranks; the fixture world needs ranks(n) with n from 1 to 64"),
        ("@pytest.mark.ranks(0)", "marker ranks(0,); the fixture world needs"),
    ],
)
def test_a_world_without_its_number(project, marker, text):
    done = project(f"import pytest\n{marker}\ndef test_it(world): pass\n")
    assert done.ret != 0
    done.stdout.fnmatch_lines([f"*{text.replace('[', '[[]')}*"])
