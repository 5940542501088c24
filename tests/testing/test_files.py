# SPDX-License-Identifier: Apache-2.0
"""--sfumato-json and --sfumato-sarif: every test of a session, with what it found."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import sfumato
from formats import parse_sarif

SOURCE = Path(__file__).with_name("doubles.cpp")
PLUGIN = ("-p", "sfumato_pytest", "-p", "no:cacheprovider", "--sfumato-json=out/tests.json", "--sfumato-sarif=t.sarif")

TESTS = """
import numpy as np
import pytest
import sfumato
from sfumato.testing import assert_close

def launch(kernel, **options):
    x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    kernel("doubles.cpp", **options)[2](x, y, 64)
    return x, y

@pytest.mark.parametrize("word", ["a b", "it's"])
def test_right(sfumato_kernel, word):
    launch(sfumato_kernel)
    launch(sfumato_kernel)

def test_warned(sfumato_kernel):
    x, y = np.zeros(200, np.float32), np.zeros(200, np.float32)
    sfumato_kernel("doubles.cpp")[2](x, y, 100)

def test_wrong(sfumato_kernel):
    x, y = launch(sfumato_kernel)
    assert_close(y, x, "exact")

def test_fault(sfumato_kernel):
    launch(sfumato_kernel, defines={"OFFSET": None})

def test_no_compile(sfumato_kernel):
    launch(sfumato_kernel, flags=["-include", "missing.h"])

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass

@pytest.mark.xfail(reason="known")
def test_known():
    assert False

@pytest.fixture
def broken():
    raise KeyError("nothing")

def test_error(broken):
    pass

def test_of_others():
    assert 1 == 2

def test_of_python():
    lib = sfumato.compile("doubles.cpp", chip="Ascend310P3")
    lib.doubles[1](np.zeros(64, np.float32), np.zeros(64, np.float32), 64)

def test_script():
    from sfumato import tik
    tik.set_current_compile_soc_info("Ascend910A")
    t = tik.Tik()
    x = t.Tensor("float32", (64,), name="x", scope=tik.scope_gm)
    t.BuildCCE(kernel_name="none", inputs=[x], outputs=[])
    t.run({"x": np.zeros(64, np.float32)})
"""
OUTCOMES = {
    "test_right[a b]": "passed",
    "test_right[it's]": "passed",
    "test_warned": "passed",
    "test_wrong": "failed",
    "test_fault": "failed",
    "test_no_compile": "failed",
    "test_skipped": "skipped",
    "test_known": "xfailed",
    "test_error": "error",
    "test_of_others": "failed",
    "test_of_python": "passed",
    "test_script": "passed",
}


@pytest.fixture(scope="module", params=[(), ("-n2",)], ids=["one", "xdist"])
def session(request, tmp_path_factory):
    """The folder after a session, and its tests by name."""
    folder = tmp_path_factory.mktemp("session")
    shutil.copy(SOURCE, folder)
    (folder / "test_it.py").write_text(TESTS)
    words = [sys.executable, "-m", "pytest", "-q", *PLUGIN, *request.param]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    told = json.loads((folder / "out" / "tests.json").read_text())
    return folder, told, {test["name"].partition("::")[2]: test for test in told["tests"]}


def line_of(text):
    return 1 + TESTS.partition(text)[0].count("\n")


def test_every_test_is_there(session):
    _, told, tests = session
    assert {name: test["outcome"] for name, test in tests.items()} == OUTCOMES
    counts = {outcome: list(OUTCOMES.values()).count(outcome) for outcome in set(OUTCOMES.values())}
    assert told["counts"] == {
        **dict.fromkeys(("passed", "xfailed", "skipped", "xpassed", "failed", "error"), 0),
        **counts,
    }
    assert (told["version"], told["exit_code"], told["pytest"]) == (sfumato.__version__, 1, pytest.__version__)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", told["date"])
    assert told["chips"] == ["Ascend310P3", "Ascend910A", "Ascend910B1"]
    assert told["seconds"] > 0 and all(test["seconds"] >= 0 for test in tests.values())


def test_what_a_test_ran_and_found(session):
    _, _, tests = session
    right = tests["test_right[a b]"]
    assert (right["launches"], right["chips"], right["schedule"]) == (2, ["Ascend910B1"], "eager")
    assert right["instructions"] > 0 and right["findings"] == [] and right["error"] is None
    assert tests["test_of_python"]["chips"] == ["Ascend310P3"] and tests["test_of_python"]["launches"] == 1
    assert tests["test_script"]["chips"] == ["Ascend910A"] and tests["test_script"]["launches"] == 1
    assert {finding["rule"] for finding in tests["test_warned"]["findings"]} == {"copy-tail"}
    assert tests["test_wrong"]["compare"]["pattern"] == "scaled by 2"
    assert tests["test_wrong"]["error"]["message"].startswith(
        "sfumato.testing.Mismatch: different by exact: 127 of 128"
    )
    assert tests["test_wrong"]["place"] == {"file": "test_it.py", "line": line_of("    assert_close(y, x")}
    (fault,) = tests["test_fault"]["findings"]
    assert (fault["rule"], fault["file"], fault["severity"]) == ("ub-alignment", "doubles.cpp", "fault")
    (error,) = tests["test_no_compile"]["findings"]
    assert (error["rule"], tests["test_no_compile"]["chips"]) == ("compile-error", ["Ascend910B1"])
    assert (tests["test_skipped"]["reason"], tests["test_known"]["reason"]) == ("not today", "known")
    assert tests["test_error"]["error"] == {"when": "setup", "message": "KeyError: 'nothing'"}


def test_the_command_of_a_test_works_as_it_is_pasted(session):
    folder, _, tests = session
    assert tests["test_right[it's]"]["again"] == """python3 -m pytest 'test_it.py::test_right[it'"'"'s]'"""
    for name in ("test_right[it's]", "test_of_others"):
        line = (
            tests[name]["again"].replace("python3", f"'{sys.executable}'", 1)
            + " -p no:cacheprovider -q -p sfumato_pytest"
        )
        done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True)
        assert f"1 {tests[name]['outcome']}" in done.stdout, done.stdout + done.stderr


def test_the_findings_as_sarif(session):
    folder, _, tests = session
    run = parse_sarif((folder / "t.sarif").read_text())
    assert len(run["invocations"]) == len(OUTCOMES)
    found = {}
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        key = (result["level"], result["ruleId"], place["artifactLocation"]["uri"])
        found.setdefault(key, []).append(place.get("region", {}).get("startLine", 0))
    tail = [finding["line"] for finding in tests["test_warned"]["findings"]]
    lines = [line_of("    assert_close(y, x"), line_of("    assert 1 == 2")]
    assert sorted(found.pop(("error", "test-failed", "test_it.py"))) == sorted(lines)  # workers end in any order
    assert found.pop(("error", "test-error", "test_it.py"))
    assert found.pop(("warning", "copy-tail", "doubles.cpp")) == tail
    assert found.pop(("error", "ub-alignment", "doubles.cpp")) == [tests["test_fault"]["findings"][0]["line"]]
    ((level, rule, _),) = found
    assert (level, rule) == ("error", "compile-error")


def test_a_file_that_cannot_be_collected(tmp_path):
    (tmp_path / "test_it.py").write_text("import nothing_of_this_name\n")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *PLUGIN], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2, done.stdout
    (test,) = json.loads((tmp_path / "out" / "tests.json").read_text())["tests"]
    assert (test["name"], test["outcome"], test["error"]["when"]) == ("test_it.py", "error", "collect")
    assert "No module named 'nothing_of_this_name'" in test["error"]["message"]
