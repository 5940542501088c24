# SPDX-License-Identifier: Apache-2.0
"""Checking a launch, and its findings for other programs."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import CHIP
from formats import parse_findings, parse_junit, parse_sarif
from raised import raised

import sfumato
from sfumato import reports, tik

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void unordered(GM_ADDR x) {
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)x, 64);
    TPipe pipe; LocalTensor<float> ub(TPosition::VECCALC, 0, 64);
    Duplicate(ub, 1.0F, 64);
    DataCopy(gm, ub, 64);
}
extern "C" __global__ __aicore__ void warned(GM_ADDR x) {
    x[0] = 7;
    SetFlag<HardEvent::MTE2_V>(3);
}
extern "C" __global__ __aicore__ void wrong(GM_ADDR x) { SetFlag<HardEvent::MTE2_V>(9); }
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("reports") / "k.cpp"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def kernels(source):
    return sfumato.compile(source, chip=CHIP)


def test_check_is_a_launch_with_every_check(kernels):
    x = np.zeros(256, np.uint8)
    result = kernels.warned[1].check(x)
    assert result.ok and x[0] == 7, "warnings keep the outputs"
    assert "flag-left-set" in [finding.rule for finding in result.findings]
    assert kernels.warned[1].check(x=np.zeros(256, np.uint8)).ok
    with pytest.raises(sfumato.KernelError):
        kernels.wrong[1].check(x)
    with pytest.raises(sfumato.Error, match=r"warned: say how many blocks: warned\[8\].check"):
        kernels.warned.check(x)


def test_related_places(kernels, source):
    x = np.zeros(64, np.float32)
    result = kernels.unordered[1].options(schedule="all:1", check="none")(x)
    (finding,) = result.findings
    (place,) = finding.related
    assert (finding.rule, finding.line) == ("schedule-dependent", 9)
    assert (place.file, place.line) == (str(source), 8)
    assert place.note.startswith("Duplicate writes bytes 0 to 255 of UB")
    assert f"\n  other:  {source}:8, Duplicate writes" in str(finding)
    assert np.all(x == 1), "eager's"
    with pytest.raises(sfumato.KernelError) as caught:
        kernels.unordered[1].options(schedule="all:1", check="none", strict=True)(x)
    assert caught.value.related[0].line == 8


def test_the_formats(kernels, source):
    x = np.zeros(256, np.uint8)
    result = kernels.warned[1].options(check="none")(x)
    with pytest.raises(sfumato.KernelError) as caught:
        kernels.wrong[1].options(check="none")(x)
    run = parse_findings(reports.json(result, source=str(source), blocks=1))
    assert (run["kernel"], run["source"], run["blocks"], run["warnings"]) == ("warned", str(source), 1, 1)
    assert run["task_type"] == result.task_type and run["records"] == result.records
    log = parse_sarif(reports.sarif(result, caught.value))
    assert [found["ruleId"] for found in log["results"]] == ["flag-left-set", "event-id-range"]
    assert log["results"][0]["message"]["text"] == str(result.findings[0])
    cases = parse_junit(reports.junit(result, caught.value, reports.Run(kernel="right")))
    assert [case.get("name") for case in cases] == ["warned", "wrong", "right"]
    assert [len(case) for case in cases] == [1, 1, 0]
    assert parse_sarif(reports.sarif(result.findings))["results"] == log["results"][:1]
    assert parse_findings(reports.json([]))["ok"]
    with pytest.raises(sfumato.Error, match="reports: str is no run"):
        reports.sarif("findings")


def test_errors_of_the_compiler_are_findings(tmp_path):
    bad = tmp_path / "bad.cpp"
    bad.write_text('#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f() { int* x = 1.5; }\n')
    with pytest.raises(sfumato.CompileError) as caught:
        sfumato.compile(bad, chip=CHIP)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.file, finding.line, finding.chip) == ("compile-error", str(bad), 2, CHIP)
    run = parse_findings(reports.json(caught.value))
    assert run["error"]["kind"] == "compile" and run["faults"] == 1


def test_a_mistake_in_a_script_is_a_run_too():
    with pytest.raises(tik.TikError) as caught:
        tik.set_current_compile_soc_info("Ascend999")
    run = parse_findings(reports.json(caught.value))
    assert run["findings"][0]["rule"] == "chip" and run["error"]["kind"] == "compile"
    assert caught.value.related == []


# The command.

# Nothing orders what stands under disable_sync.
SCRIPT = """\
t = tik.Tik()
x = t.Tensor("float32", (64,), name="x", scope=tik.scope_gm)
y = t.Tensor("float32", (64,), name="y", scope=tik.scope_gm)
ub = t.Tensor("float32", (64,), name="ub", scope=tik.scope_ubuf)
t.data_move(ub, x, 0, 1, 8, 0, 0)
with t.new_stmt_scope(disable_sync={unordered}):
    t.vec_adds(64, ub, ub, 1, 1, 8, 8)
    t.data_move(y, ub, 0, 1, 8, 0, 0)
t.BuildCCE(kernel_name="add", inputs=[x], outputs=[y])
"""


def commands():
    yield [sys.executable, "-m", "sfumato.tik"]
    if os.environ.get("SFUMATO_COMMAND"):
        yield [os.environ["SFUMATO_COMMAND"], "tik"]
        yield [os.environ["SFUMATO_COMMAND"], "check"]


@pytest.fixture(params=list(commands()), ids=lambda words: Path(words[-1]).name)
def command(request, tmp_path):
    np.save(tmp_path / "x.npy", np.ones(64, np.float32))

    def run(script, *words):
        (tmp_path / "script.py").write_text(script)
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
        words = [*request.param, "script.py", "--chip", CHIP, "--in", "x=x.npy", "--out", "y=y.npy", *words]
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    run.checks = request.param[-1] == "check"
    return run


def test_script_under_every_schedule(command, tmp_path):
    done = command(SCRIPT.format(unordered=True), "--schedule=all:2", "--json", "--check=none", "--fail-on=fault")
    assert done.returncode == 0, done.stderr
    (finding,) = parse_findings(done.stdout)["findings"]
    raised(finding["rule"])
    assert (finding["rule"], finding["line"]) == ("schedule-dependent", 8)
    assert (finding["related"][0]["file"], finding["related"][0]["line"]) == ("script.py", 7)
    assert finding["hint"].startswith("take them out of disable_sync, or put set_flag('PIPE_V', 'PIPE_MTE3', id)")
    assert np.all(np.load(tmp_path / "y.npy") == 2), "eager's"
    done = command(SCRIPT.format(unordered=False), "--schedule=all", "--json", "--check=none")
    assert parse_findings(done.stdout)["findings"] == []


def test_script_checked(command, tmp_path):
    right, wrong = SCRIPT.format(unordered=False), SCRIPT.format(unordered=True)
    done = command(right)
    assert (done.returncode, (tmp_path / "y.npy").exists()) == (0, True), done.stderr
    if command.checks:
        assert done.stderr.endswith("checked: races, init, outputs, sync, numbers, raw: no findings\n")
    else:
        assert done.stderr == ""
    done = command(wrong, "--check=none", "--schedule=all:0", "--fail-on=warning", "--sarif=f.sarif", "--junit=f.xml")
    assert done.returncode == 4
    assert np.all(np.load(tmp_path / "y.npy") == 2), "a warning keeps the outputs"
    assert done.stderr.splitlines()[-1] == "checked: none: 0 faults, 1 warning, 0 notes"
    assert parse_sarif((tmp_path / "f.sarif").read_text())["results"][0]["ruleId"] == "schedule-dependent"
    (case,) = parse_junit((tmp_path / "f.xml").read_text())
    assert (case.get("name"), case[0].tag) == ("add", "failure")


def test_script_that_does_not_build(command, tmp_path):
    done = command("tik.Tik().vec_add(1)", "--json", "--junit=f.xml")
    assert done.returncode == 3, done.stderr
    run = parse_findings(done.stdout)
    assert run["error"]["kind"] == "compile" and run["findings"][0]["line"] == 1
    assert parse_junit((tmp_path / "f.xml").read_text())[0][0].tag == "error"
    done = command("x = 1", "--json")
    assert done.returncode == 2
    assert parse_findings(done.stdout)["error"]["message"].startswith("sfumato: the script built no kernel")


def test_a_command_line_that_cannot_be_read(command, tmp_path):
    for words, text in [
        (["--schedule"], "--schedule: its value is missing"),
        (["--fail-on=note"], "--fail-on: 'note' is not legal; legal: fault, warning"),
    ]:
        done = command("x = 1", "--json", "--junit=f.xml", *words)
        assert done.returncode == 2
        run = parse_findings(done.stdout)
        assert (run["findings"], run["error"]["kind"]) == ([], "usage")
        assert text in run["error"]["message"] and text in done.stderr and "`sfumato tik --help`" in done.stderr
        assert parse_junit((tmp_path / "f.xml").read_text())[0][0].tag == "error"


def test_runs_a_script_starts_itself(command, tmp_path):
    script = SCRIPT.format(unordered=True) + "import numpy as np\n"
    script += "t.run({'x': np.ones(64, np.float32)}, schedule='all:0')\n" * 2
    done = command(script, "--json", "--check=none", "--junit=f.xml", "--fail-on=warning")
    assert done.returncode == 4, done.stderr
    run = parse_findings(done.stdout)
    assert [finding["rule"] for finding in run["findings"]] == ["schedule-dependent"] * 2
    assert [len(case) for case in parse_junit((tmp_path / "f.xml").read_text())] == [1, 1, 0]


def test_the_debugger_steers_one_run():
    tik.set_current_compile_soc_info(CHIP)
    t = tik.Tik(disable_debug=False)
    x = t.Tensor("float32", (64,), name="x", scope=tik.scope_gm)
    t.BuildCCE(kernel_name="none", inputs=[x], outputs=[])
    with pytest.raises(sfumato.Error, match="the schedule 'all' is many runs, and a debugger steers one"):
        t.tikdb.run({"x": np.zeros(64, np.float32)}, True, schedule="all")
    with pytest.raises(sfumato.Error, match="the check last-bit is many runs"):
        t.tikdb.run({"x": np.zeros(64, np.float32)}, True, check="last-bit")
