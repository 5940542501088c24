# SPDX-License-Identifier: Apache-2.0
"""`sfumato op` as a user runs it: exit codes, what it prints, files of findings."""

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "operator"

COMMAND = [sys.executable, "-m", "sfumato._op_command"]
if os.environ.get("SFUMATO_COMMAND"):
    COMMAND = [os.environ["SFUMATO_COMMAND"], "op"]


def make(folder):
    """The example and two arrays in a folder; what runs `sfumato op Axpy ...` there."""
    shutil.copytree(EXAMPLE, folder / "Axpy")
    for name in "xy":
        np.save(folder / f"{name}.npy", np.arange(64, dtype=np.float32))

    def run(*words, chip="Ascend910B1", **process):
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
        words = [*COMMAND, "Axpy", "--chip", chip, *words]
        return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, **process)

    run.folder = folder
    return run


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    return make(tmp_path_factory.mktemp("op_command"))


@pytest.fixture
def own_command(tmp_path):
    return make(tmp_path)


def line_of(file, text):
    return 1 + EXAMPLE.joinpath(file).read_text().partition(text)[0].count("\n")


ARRAYS = ("--in", "x=x.npy", "--in", "y=y.npy")


def test_it_runs(command):
    done = command(*ARRAYS, "--attr", "alpha=3", "--out", "z=z.npy", "--json", "-")
    assert (done.returncode, done.stderr) == (0, "0 faults, 0 warnings, 0 notes\n")
    assert json.loads(done.stdout)["findings"] == []
    np.testing.assert_array_equal(np.load(command.folder / "z.npy"), 4 * np.arange(64, dtype=np.float32))


def test_it_estimates_the_time(command):
    done = command(*ARRAYS, "--out", "z=z.npy", "--time", "estimate.json")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found = json.loads((command.folder / "estimate.json").read_text())
    assert found["estimate"] is True and found["core_us"] > 0
    done = command(*ARRAYS, "--out", "z=z.npy", "--time")
    assert done.stdout.startswith("estimate of "), done.stdout


def test_what_it_declares(command):
    done = command("--describe")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "AxpyCustom for Ascend910B1 (AddConfig: ascend910b)\n"
        "  input   x: float16 | float32\n"
        "  input   y: float16 | float32\n"
        "  output  z: float16 | float32\n"
        "  attr    alpha: float, default 1.0\n"
        "  kernel  Axpy/op_kernel/axpy_custom.cpp\n"
    )
    assert command("--describe", "--json", "op.json").stdout == ""
    said = json.loads((command.folder / "op.json").read_text())
    assert said["attrs"] == [{"name": "alpha", "type": "float", "required": False, "default": 1.0}]
    assert said["combinations"][0] == {"x": "float16", "y": "float16", "z": "float16"}


def test_what_the_tiling_chooses(command):
    done = command(*ARRAYS, "--tile")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert (said["blocks"], said["key"], said["workspaces"], len(said["data"])) == (8, 0, [0], 32)
    assert said["outputs"] == [[{"shape": [64], "dtype": "float32", "format": "ND"}]]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--in", "w=x.npy"), "error: --in w=x.npy: the inputs of AxpyCustom are x, y\n"),
        (("--in", "x"), "error: --in x: legal is NAME=VALUE\n"),
        (("--in", "x=x.npy", "--in", "x=y.npy"), "error: --in x=y.npy: x is given twice\n"),
        (("--in", "x=none.npy"), "error: none.npy: No such file or directory\n"),
        ((*ARRAYS, "--out", "w=w.npy"), "error: w: the outputs of AxpyCustom are z\n"),
        ((*ARRAYS, "--shape", "z=float32"), "error: --shape float32: legal is TYPE[N,M], e.g. float16[8,2048]\n"),
        ((*ARRAYS, "--schedule", "soon"), None),
    ],
)
def test_wrong_words(command, words, text):
    done = command(*words, "--json", "findings.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert text is None or done.stderr == text
    said = json.loads((command.folder / "findings.json").read_text())
    assert said["error"] == {"kind": "usage", "message": done.stderr.removeprefix("error: ").rstrip("\n")}


def test_a_wrong_option_and_a_wrong_chip(command):
    done = command("--inputs", "x.npy")
    assert done.returncode == 2 and "unknown option --inputs" in done.stderr
    done = command("--describe", chip="Ascend999")
    assert done.returncode == 2 and done.stderr.startswith("error: unknown chip 'Ascend999'; did you mean Ascend910?")


def test_an_output_that_cannot_be_written(command):
    done = command(*ARRAYS, "--out", "z=nowhere/z.npy")
    assert (done.returncode, done.stderr) == (6, "error: --out z=nowhere/z.npy: No such file or directory\n")
    done = command("--describe", "--json", "nowhere/op.json")
    assert (done.returncode, done.stderr) == (6, "error: nowhere/op.json: No such file or directory\n")
    done = command(*ARRAYS, "--out", "z=/dev/full")
    assert (done.returncode, done.stderr) == (6, "error: --out z=/dev/full: No space left on device\n")


def test_a_full_disk_leaves_no_part_of_an_output(own_command, tmp_path):
    """No file may grow beyond 100 bytes, as on a full disk."""
    assert own_command(*ARRAYS).returncode == 0  # what it compiles is in the cache
    for before in (None, "old"):
        if before:
            (tmp_path / "z.npy").write_text(before)
        limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))}
        done = own_command(*ARRAYS, "--out", "z=z.npy", **limited)
        assert (done.returncode, done.stderr) == (6, "error: --out z=z.npy: File too large\n")
        assert [path.read_text() for path in tmp_path.glob("z.npy*")] == ([before] if before else [])


@pytest.mark.parametrize(
    ("file", "old"),
    [("op_host/axpy_custom.cpp", "SetBlockDim("), ("op_kernel/axpy_custom.cpp", "Muls(")],
)
def test_a_source_that_does_not_compile(own_command, tmp_path, file, old):
    source = tmp_path / "Axpy" / file
    source.write_text(source.read_text().replace(old, "Not" + old))
    done = own_command(*ARRAYS, "--json", "findings.json", "--sarif", "findings.sarif")
    assert (done.returncode, done.stdout) == (3, "")
    what = {"op_host": "the host code in Axpy/op_host does not compile\n", "op_kernel": f"Axpy/{file} does not compile"}
    assert done.stderr.startswith("error: " + what[file.partition("/")[0]])
    said = json.loads((tmp_path / "findings.json").read_text())
    assert said["error"]["kind"] == "compile"
    assert [(f["file"], f["line"]) for f in said["findings"]] == [(f"Axpy/{file}", line_of(file, old))]
    assert json.loads((tmp_path / "findings.sarif").read_text())["runs"][0]["results"][0]["level"] == "error"


def test_a_report(command):
    np.save(command.folder / "h.npy", np.ones(64, np.float16))
    done = command("--in", "x=x.npy", "--in", "y=h.npy", "--json", "findings.json", "--sarif", "findings.sarif")
    line = line_of("op_host/axpy_custom.cpp", "OP_ADD(")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == (
        "fault [op-combination] AxpyCustom: no combination of the definition has these types and formats\n"
        f"  where:  Axpy/op_host/axpy_custom.cpp:{line}\n"
        "  found:  x float32, y float16\n"
        "  legal:  x float16, y float16 -> z float16; x float32, y float32 -> z float32\n"
    )
    findings = json.loads((command.folder / "findings.json").read_text())["findings"]
    assert [(f["rule"], f["line"]) for f in findings] == [("op-combination", line)]
    result = json.loads((command.folder / "findings.sarif").read_text())["runs"][0]["results"][0]
    assert (result["ruleId"], result["level"]) == ("op-combination", "error")


def test_a_fault_of_the_kernel(own_command, tmp_path):
    source = tmp_path / "Axpy" / "op_kernel" / "axpy_custom.cpp"
    source.write_text(
        source.read_text().replace("DataCopyPad(z_[at], out, bytes);", "DataCopyPad(z_[at + 8], out, bytes);")
    )
    done = own_command(*ARRAYS, "--out", "z=z.npy", "--json", "findings.json")
    line = line_of("op_kernel/axpy_custom.cpp", "DataCopyPad(z_[at]")
    assert (done.returncode, done.stdout) == (4, "1 fault, 0 warnings, 0 notes\n")
    assert f"where:  Axpy/op_kernel/axpy_custom.cpp:{line}, kernel axpy_custom, core aiv" in done.stderr
    assert not (tmp_path / "z.npy").exists()
    assert json.loads((tmp_path / "findings.json").read_text())["findings"][0]["rule"] == "gm-out-of-range"


def test_it_logs_the_instructions_and_takes_the_options_of_launches(own_command):
    words = ["--attr", "alpha=3", "--log=executed:log.txt", "--fill", "0x01", "--mmad-order=k0-block", "--workers", "1"]
    done = own_command(*ARRAYS, *words)
    assert done.returncode == 0, done.stderr
    lines = (own_command.folder / "log.txt").read_text().splitlines()
    assert any("DataCopy" in line for line in lines)
    shown = own_command(*ARRAYS, "--attr", "alpha=3", "--log").stderr.splitlines()
    assert sorted(lines) == sorted(shown[: len(lines)])
    done = own_command(*ARRAYS, "--attr", "alpha=3", "--log", "none/log.txt")
    assert done.returncode == 2 and "cannot write the log none/log.txt" in done.stderr
