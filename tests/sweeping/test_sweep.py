# SPDX-License-Identifier: Apache-2.0
"""Cases of every verdict, what a folder of results keeps, kills and what goes on after them."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import sfumato
from some_cases import axpy_case, twice_case
from sfumato.sweeping import _case, read_results
from sfumato.sweeping._journal import Folder
from sfumato.sweeping._workers import Workers

QUIET = {"progress": False, "report": False}


def verdicts(done):
    return {result["name"]: result["verdict"] for result in done.results}


def without_time(results):
    """Without the command, too: of cases that are in no file it names the folder of results."""
    return [{name: value for name, value in result.items() if name not in ("seconds", "again")} for result in results]


def test_every_verdict(in_folder, tmp_path):
    golden = np.arange(64, dtype=np.float32)
    np.save(in_folder / "golden.npy", 2 * golden)
    arange = {"x": {"shape": [64], "dtype": "float32", "values": "arange"}}
    cases = [
        twice_case(name="right"),
        twice_case(name="golden", inputs=arange, reference=None, want={"y": "golden.npy"}),
        twice_case(name="only runs", reference=None),
        twice_case(4, name="wrong"),
        twice_case(1, name="crashed"),
        twice_case(6, name="null pointer"),
        twice_case(2, name="timeout", timeout=0.5),
        twice_case(3, name="unstable", schedules=["eager", "late"]),
        twice_case(name="after them", seed=1),
        twice_case(5, name="refused"),
        twice_case(name="no-compile", kernel="broken.cpp"),
        twice_case(name="invalid", reference="refs.py:broken"),
        twice_case(name="no such file", kernel="missing.cpp"),
        axpy_case(name="operator"),
        axpy_case(name="no such types", dtype="int32"),
    ]
    done = sfumato.sweep(cases, out=tmp_path / "out", workers=1, **QUIET)
    assert verdicts(done) == {
        "right": "right",
        "golden": "right",
        "only runs": "right",
        "wrong": "wrong",
        "crashed": "crashed",
        "null pointer": "refused",
        "timeout": "timeout",
        "unstable": "unstable",
        "after them": "right",
        "refused": "refused",
        "no-compile": "no-compile",
        "invalid": "invalid",
        "no such file": "invalid",
        "operator": "right",
        "no such types": "refused",
    }
    found = {result["name"]: result for result in done.results}
    assert found["wrong"]["compare"]["first"]["index"] == [63]
    assert found["crashed"]["summary"] == "the worker was ended by signal 9 (Killed)"
    assert found["null pointer"]["report"]["rule"] == "raw-pointer"
    assert found["unstable"]["schedule"] == "late"
    assert found["no-compile"]["report"]["line"] == 1 + twice_line("Muls(a")
    assert found["no such types"]["report"]["rule"] == "op-combination"
    assert found["invalid"]["summary"] == "reference refs.py:broken: KeyError: 'nothing'"
    assert not done.ok and done.counts["right"] == 5


def twice_line(text):
    from some_cases import KERNELS

    return KERNELS.partition(text)[0].count("\n")


def test_references_that_hang_crash_or_print(in_folder, tmp_path, capfd):
    names = ("leaves", "hangs", "sleeps_in_c", "aborts", "exits", "prints", "twice")
    cases = [
        twice_case(name=name, reference=f"refs.py:{name}", timeout=1.0, seed=seed) for name in names for seed in (0, 1)
    ]
    done = sfumato.sweep(cases, out=tmp_path / "out", workers=1, **QUIET)
    found = {result["name"]: (result["verdict"], result["summary"]) for result in done.results}
    assert found == {
        "leaves": ("invalid", "reference refs.py:leaves: SystemExit: 3"),
        "hangs": ("invalid", "reference refs.py:hangs: it took longer than its limit"),
        "sleeps_in_c": ("invalid", "reference refs.py:sleeps_in_c: it took longer than its limit"),
        "aborts": ("invalid", "reference refs.py:aborts: it ended its process, signal 6 (Aborted)"),
        "exits": ("invalid", "reference refs.py:exits: it ended its process, exit code 3"),
        "prints": ("right", "y: equal by exact: 64 elements, float32 (64,)"),
        "twice": ("right", "y: equal by exact: 64 elements, float32 (64,)"),
    }
    assert len(done.results) == 2 * len(names)
    assert capfd.readouterr() == ("", "")


def test_a_name_is_no_content_and_the_order_of_fields_neither(in_folder, tmp_path):
    case = axpy_case()
    again = dict(reversed(axpy_case(name="another").items()))
    done = sfumato.sweep([case, again, axpy_case(n=65)], out=tmp_path / "out", workers=1, **QUIET)
    assert len(done.results) == 2
    assert [result["id"] for result in done.results] == sorted(result["id"] for result in done.results)


def test_arrays_stand_for_inputs(in_folder, tmp_path):
    x = np.linspace(-1, 1, 64, dtype=np.float32)
    case = twice_case(inputs={"x": x}, name="array")
    done = sfumato.sweep([case], out=tmp_path / "out", workers=1, **QUIET)
    assert done.ok and done.results[0]["case"]["inputs"]["x"]["shape"] == [64]
    # The case of the results can be run again: the folder has its array.
    (tmp_path / "out" / "journal.jsonl").unlink()
    again = sfumato.sweep([done.results[0]["case"]], out=tmp_path / "out", workers=1, **QUIET)
    assert without_time(again.results) == without_time(done.results)
    other = sfumato.sweep([twice_case(inputs={"x": x + 1})], out=tmp_path / "out", workers=1, **QUIET)
    assert other.results[0]["id"] != done.results[0]["id"]


def test_what_has_a_result_does_not_run_again(in_folder, tmp_path):
    cases = [twice_case(n=n) for n in (16, 24, 32)]
    assert sfumato.sweep(cases[:2], out=tmp_path, workers=1, **QUIET).ran == 2
    assert sfumato.sweep(cases, out=tmp_path, workers=1, **QUIET).ran == 1
    assert sfumato.sweep(cases, out=tmp_path, workers=1, **QUIET).ran == 0


def test_a_changed_source_runs_again(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("twice.cpp", "refs.py"):
        (tmp_path / name).write_text((folder / name).read_text())
    assert sfumato.sweep([twice_case()], out="out", workers=1, **QUIET).ok
    (tmp_path / "refs.py").write_text((folder / "refs.py").read_text().replace("x + x", "x"))
    done = sfumato.sweep([twice_case()], out="out", workers=1, **QUIET)
    assert (done.ran, done.counts) == (1, {"wrong": 1})
    (tmp_path / "refs.py").write_text((folder / "refs.py").read_text())
    done = sfumato.sweep([twice_case()], out="out", workers=1, only="failed", **QUIET)
    assert (done.ran, done.counts) == (1, {"right": 1})
    assert sfumato.sweep([twice_case()], out="out", workers=1, only="failed", **QUIET).ran == 0


def test_shards_are_the_whole(in_folder, tmp_path):
    cases = [twice_case(seed=n) for n in range(24)]
    parts = [sfumato.sweep(cases, out=tmp_path / "parts", workers=1, shard=(i, 3), **QUIET) for i in (1, 2, 3)]
    assert sum(part.ran for part in parts) == 24 and all(part.ran for part in parts)
    whole = sfumato.sweep(cases, out=tmp_path / "whole", workers=2, **QUIET)
    assert without_time(read_results(tmp_path / "parts")) == without_time(whole.results)
    results = (tmp_path / "parts" / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in results] == [result["id"] for result in whole.results]


def start(folder, out, *words):
    command = [sys.executable, "-m", "sfumato.sweeping._command", "many.jsonl", "--out", str(out), "-j", "2", *words]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def many(folder, tmp_path_factory):
    """How many cases there are, and their results in a sweep that nobody kills."""
    count = 1200
    lines = [json.dumps(axpy_case(16 + n % 50, seed=n)) for n in range(count)]
    (folder / "many.jsonl").write_text("\n".join(lines))
    out = tmp_path_factory.mktemp("whole")
    whole = start(folder, out)
    told = whole.communicate()
    assert whole.returncode == 0, told
    return count, without_time(read_results(out))


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
def test_killed_in_the_middle_it_goes_on(folder, many, tmp_path, kill):
    count, whole = many
    cut = start(folder, tmp_path / "cut")
    journal = tmp_path / "cut" / "journal.jsonl"
    while not journal.exists() or journal.stat().st_size < 100_000:
        assert cut.poll() is None, cut.communicate()
        time.sleep(0.01)
    cut.send_signal(kill)
    told = cut.communicate()[1]
    assert cut.returncode == (-kill if kill == signal.SIGKILL else 130), told
    with open(journal, "ab") as file:  # what a power cut leaves
        file.write(b'{"run":1,"sources":"')
    held = journal.read_bytes().count(b"\n")
    assert 0 < held < count
    again = start(folder, tmp_path / "cut", "--quiet")
    told = again.communicate()
    assert (again.returncode, told[1]) == (0, ""), told
    assert f"{count - held} of {count} cases ran" in told[0]
    assert without_time(read_results(tmp_path / "cut")) == whole


def test_what_a_kernel_changes_of_its_process_is_no_matter_of_the_next_case(in_folder):
    with Workers(1, 60.0, 4 << 30) as pool:
        results = list(pool.run(_case.read([twice_case(7), twice_case(8)])))
    assert [result["verdict"] for result in results] == ["right", "right"]


def test_a_lost_worker_is_replaced_and_its_case_tried_again(in_folder):
    found, killed, tried, everyone = [], [], [], []

    def cases():  # until each lost worker has its replacement, however late its end is noticed
        while len(everyone) < 4 and len(tried) < 100_000:
            tried.extend(_case.read([twice_case(seed=len(tried))]))
            yield tried[-1]

    with Workers(2, 60.0, 4 << 30) as pool:
        for result in pool.run(cases()):
            found.append(result)
            everyone.extend(worker for worker in pool._all if worker not in everyone)
            fresh = [worker for worker in pool._all if worker not in killed]
            if len(found) >= 10 and len(killed) < 2 and len(fresh) == 2:
                killed.append(fresh[-1])
                os.kill(killed[-1].process.pid, signal.SIGKILL)
    assert len(killed) == 2 and len(everyone) == 4
    assert all(worker.process.poll() is not None for worker in everyone)
    assert sorted(result["id"] for result in found) == sorted(case.id for case in tried)
    assert {result["verdict"] for result in found} == {"right"}


def test_two_sweeps_do_not_write_one_journal(in_folder, tmp_path):
    held = Folder(tmp_path)
    held.open()
    with pytest.raises(sfumato.Error, match="another sweep is writing to it"):
        sfumato.sweep([axpy_case()], out=tmp_path, **QUIET)
    held.close()
