# SPDX-License-Identifier: Apache-2.0
"""`sfumato sweep` as a user runs it: exit codes, what it prints, the report."""

import html
import json
import os
import re
import resource
import shlex
import subprocess
import sys

import numpy as np
import pytest
import sfumato
from sfumato.sweeping import read_results
from some_cases import axpy_case, twice_case

COMMAND = [sys.executable, "-m", "sfumato.sweeping._command"]
if os.environ.get("SFUMATO_COMMAND"):
    COMMAND = [os.environ["SFUMATO_COMMAND"], "sweep"]


@pytest.fixture
def command(folder):
    def run(*words, **process):
        environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
        process = {"cwd": folder, "env": environment, "capture_output": True, "text": True, **process}
        return subprocess.run([*COMMAND, *map(str, words)], **process)

    return run


def write(folder, *cases):
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))


def test_from_an_operator_to_a_report(command, folder, tmp_path):
    pytest.importorskip("plotly")
    words = (
        "--generate",
        "Axpy",
        "--chip",
        "Ascend910B1",
        "--reference",
        "refs.py:axpy",
        "--sizes",
        "16,100",
        "--attr",
        "alpha=2.0,3.0",
    )
    made = command(*words)
    assert (made.returncode, made.stderr) == (0, "")
    (folder / "cases.jsonl").write_text("\n".join(line for line in made.stdout.splitlines() if "values" not in line))
    done = command("cases.jsonl", "--out", tmp_path / "out", "-j", 1, "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(r"\d+\.\d s", "1.0 s", done.stdout).replace(str(tmp_path), "")
    shown = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-12-01T09:30:00Z", shown)
    assert shown == (
        "what  types    cases  right  not right\n"
        "Axpy  float16  3      3      -\n"
        "Axpy  float32  3      3      -\n"
        f"Ascend910B1, Sfumato {sfumato.__version__}, 2026-12-01T09:30:00Z\n"
        "6 of 6 cases ran in 1.0 s; /out/results.jsonl\n"
    )
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<h1>6 cases, 6 right</h1>" in page and "Right cases by shape and type" in page
    assert f"<p>Ascend910B1, Sfumato {sfumato.__version__}, 20" in page and "Cases that are not right" not in page
    assert page.count('"displayModeBar": false') == 3
    assert not (tmp_path / "out" / "failed.txt").read_text()
    assert "default-src 'unsafe-inline' data: blob:" in page
    outside = re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[^>]*>", page)
    assert outside == []


def test_what_is_not_right_has_a_reason(command, folder, tmp_path):
    write(folder, twice_case(), twice_case(4), twice_case(4, seed=1), twice_case(5))
    done = command("cases.jsonl", "--out", tmp_path, "-j", 1, "--quiet", "--no-html")
    assert (done.returncode, done.stderr) == (5, "")
    assert done.stdout.splitlines()[:2] == [
        "what       types    cases  right  not right",
        "twice.cpp  float32  4      1      1 refused, 2 wrong",
    ]
    named = r"as twice\.cpp float32 64, arguments 64 4(, seed 1)?$"
    assert re.search(rf"^2 wrong: y: [a-z -]+, {named}", done.stdout, re.M), done.stdout
    assert re.search(
        r"^1 refused: \[[a-z-]+\], twice\.cpp:20, as twice\.cpp float32 64, arguments 64 5$", done.stdout, re.M
    )
    assert len(re.findall(r"^  again: sfumato sweep cases\.jsonl --case [0-9a-f]{20}$", done.stdout, re.M)) == 2
    assert f"\n3 cases are not right: {tmp_path}/failed.txt has the commands\n" in done.stdout
    again = command("--report", tmp_path, "--no-html")
    kept = [line for line in done.stdout.splitlines()[:-1] if "failed.txt" not in line]
    assert (again.returncode, again.stdout) == (5, "".join(line + "\n" for line in kept))


def shell(folder, line):
    """What a person pastes; `sfumato` is the command that is tried here."""
    words = " ".join(map(shlex.quote, COMMAND[:-1] if len(COMMAND) == 2 else COMMAND))
    line = line.replace("sfumato sweep ", f"{words} {'sweep ' * (len(COMMAND) == 2)}", 1)
    environment = {**os.environ, "SFUMATO_PYTHON": sys.executable}
    return subprocess.run(["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_command_of_each_failed_case_works_as_it_is_pasted(command, folder, tmp_path):
    cases = (
        twice_case(),
        twice_case(4, name="the tail; is 'left'\nout"),
        twice_case(5),
        twice_case(kernel="broken.cpp"),
    )
    (folder / "my cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    assert command("my cases.jsonl", "--out", tmp_path, "-j", 1, "--quiet", "--no-html").returncode == 5
    results = {result["verdict"]: result for result in read_results(tmp_path)}
    assert {result["version"] for result in results.values()} == {sfumato.__version__}
    lines = (tmp_path / "failed.txt").read_text().splitlines()
    assert len(lines) == 3
    for line, result in zip(lines, (r for r in read_results(tmp_path) if not r["ok"])):
        assert line.startswith(f"sfumato sweep 'my cases.jsonl' --case {result['id']}  # {result['verdict']}: ")
        assert "\n" not in line
        done = shell(folder, line)
        assert (done.returncode, done.stderr) == (5, ""), done.stdout
        assert done.stdout.startswith(f"{result['verdict']}: ")
        assert f" (Ascend910B1), case {result['id']}\n" in done.stdout
    assert any(line.endswith("# wrong: the tail; is 'left' out") for line in lines)
    done = command("my cases.jsonl", "--case", results["wrong"]["id"][:9])
    assert "y: different by exact: 1 of 64 elements" in done.stdout and "\n  first   [63]: got " in done.stdout
    assert "\nas a command, with its arrays as files: sfumato run twice.cpp " in done.stdout
    done = command("my cases.jsonl", "--case", results["refused"]["id"])
    assert (
        "\nfault [ub-alignment] DataCopy: " in done.stdout and "\n  where:  twice.cpp:20, kernel twice" in done.stdout
    )
    assert sorted(os.listdir(tmp_path)) == [".lock", "failed.txt", "journal.jsonl", "results.jsonl"]


def test_the_cases_of_a_folder_run_again(command, folder, tmp_path, monkeypatch):
    """Those of Python come from no file, and arrays are in the folder."""
    monkeypatch.chdir(folder)
    x = np.arange(64, dtype=np.float32) + 1
    quiet = {"workers": 1, "progress": False, "report": False}
    done = sfumato.sweep([twice_case(4, inputs={"x": x})], out=tmp_path / "o", timeout=9, memory=2 << 30, **quiet)
    (result,) = done.failed
    assert result["again"] == f"sfumato sweep --out {tmp_path}/o --case {result['id']} --timeout 9 --memory 2048"
    assert (again := shell(folder, result["again"])).returncode == 5, again.stderr
    assert again.stdout.startswith("wrong: twice.cpp float32 64, arguments 64 4 (Ascend910B1), case ")


def test_a_case_that_is_not_there(command, folder, tmp_path):
    write(folder, twice_case(), twice_case(4))
    for word in ("xyz", ""):
        done = command("cases.jsonl", "--case", word)
        told = f"error: sweep: case {word!r}: "
        assert (done.returncode, done.stdout, done.stderr[: len(told)]) == (2, "", told)
        assert done.stderr.endswith("; it is an id of these 2 cases, or how one begins\n")
    done = command("--out", tmp_path / "none", "--case", "a")
    assert (done.returncode, done.stderr) == (2, f"error: {tmp_path}/none: there are no results of a sweep\n")


GIVE = "give a file of cases and --out DIR, or --case ID with one of them, or --generate OP, or --report DIR"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), f"error: sweep: {GIVE}"),
        (("--case", "a"), f"error: sweep: {GIVE}"),
        (("cases.jsonl", "--out", "o", "-j", "0"), "error: -j 0: it is at least 1"),
        (("cases.jsonl", "--out", "o", "--shard", "3"), "error: --shard 3: legal is I/N, e.g. 3/16"),
        (
            ("cases.jsonl", "--out", "o", "--shard", "3/2"),
            "error: sweep: shard 3/2: the first number is 1 to the second",
        ),
        (("--report", "nothing"), "error: nothing: there are no results of a sweep"),
        (("none.jsonl", "--out", "o"), "error: none.jsonl: No such file or directory"),
    ],
)
def test_wrong_command_lines(command, folder, words, text):
    write(folder, axpy_case())
    done = command(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", text + "\n")


def test_without_plotly_there_are_tables_and_a_sentence(folder, tmp_path, monkeypatch, capsys):
    from sfumato.sweeping._report import write_report

    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    assert not write_report([], tmp_path / "report.html")
    assert capsys.readouterr().err == "the plots of report.html need plotly: pip install plotly\n"
    assert "<h1>0 cases, 0 right</h1>" in (tmp_path / "report.html").read_text()


def test_the_page_lists_every_case_that_is_not_right(command, folder, tmp_path):
    write(folder, twice_case(), *(twice_case(4, seed=seed) for seed in range(40)))
    assert command("cases.jsonl", "--out", tmp_path, "-j", 1, "--quiet").returncode == 5
    page = html.unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    failed = (tmp_path / "failed.txt").read_text().splitlines()
    assert len(failed) == 40
    for line in failed:
        again, _, told = line.partition("  # wrong: ")
        assert f"<td>{told}<br><code>{again}</code>" in page


def test_a_full_disk_of_results_is_named(command, folder, tmp_path):
    """No file may grow beyond so many bytes, as on a full disk."""
    write(folder, twice_case())
    words = ("cases.jsonl", "--out", tmp_path / "out", "-j", 1, "--quiet", "--no-html")
    done = command("cases.jsonl", "--out", "/proc/out", "-j", 1)
    assert (done.returncode, done.stderr) == (6, "error: /proc/out: No such file or directory\n")
    assert command(*words).returncode == 0
    done = command(*words, "--junit", "/dev/full")
    assert (done.returncode, done.stderr) == (6, "error: /dev/full: No space left on device\n")
    limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))}
    done = command(*words, **limited)
    told = f"error: {tmp_path}/out/results.jsonl: File too large\n"
    assert (done.returncode, done.stderr) == (6, told)
    assert len((tmp_path / "out" / "results.jsonl").read_text().splitlines()) == 1
    assert not list((tmp_path / "out").glob("*.tmp"))


def test_a_full_disk_of_the_environment_is_no_result(folder, tmp_path, monkeypatch, capsys):
    """The executor of this process, whose runner finds no room, stands for a worker's."""
    from sfumato.sweeping import _command, _executor, _sweep

    write(folder, twice_case())
    monkeypatch.chdir(folder)
    made = []

    def run(cases, *limits):
        executor = made[-1](0, str(tmp_path))
        try:
            yield from map(executor.run, cases)
        finally:
            executor.close()

    def full(*_):
        raise OSError(28, "No space left on device", "/disk/tmp")

    class Full(_executor.Executor):
        _ask = full

    class FullCache(_executor.Executor):
        def _ask(self, case, inputs):
            return {"full": "k.cpp cannot be compiled: the disk of the cache /disk/cache is full"}

    monkeypatch.setattr(_sweep, "_run", run)
    for kind, says in ((Full, "/disk/tmp: No space left on device"), (FullCache, "the cache /disk/cache is full")):
        made.append(kind)
        code = _command.main(["cases.jsonl", "--out", str(tmp_path / "out"), "--quiet", "--no-html"])
        told = capsys.readouterr().err
        assert code == 6 and told.startswith("error: a disk is full, and the case ") and says in told
        assert not (tmp_path / "out" / "journal.jsonl").read_text()
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    done = _sweep.sweep("cases.jsonl", out=tmp_path / "out", workers=1, progress=False, report=False)
    assert done.ok and done.ran == 1


def test_what_is_a_full_disk(monkeypatch):
    from sfumato import CompileError, Error, _full_disk
    from sfumato._full_disk import full_disk

    assert full_disk(OSError(122, "Disk quota exceeded", "/a")) == "/a: Disk quota exceeded"
    assert (
        full_disk(Error("the disk of /tmp is full: free space there")) == "the disk of /tmp is full: free space there"
    )
    for error in (
        OSError(2, "No such file", "/a"),
        CompileError("No space left on device"),
        ValueError("a disk is full"),
    ):
        assert full_disk(error) is None
    try:
        raise Error("reference r.py:f: it failed") from OSError(28, "No space left on device", "/a")
    except Error as error:
        assert full_disk(error) == "/a: No space left on device"
    monkeypatch.setattr(_full_disk, "_FEW", 1 << 80)
    monkeypatch.setenv("TMPDIR", "/dev")
    assert full_disk(CompileError("it does not link")).startswith("/dev: No space left on device")
