# SPDX-License-Identifier: Apache-2.0
"""The sandbox of users who are not root, and where the platform refuses parts of it. Needs root, to become others."""

import os
import subprocess
import sys
from pathlib import Path

import ends_run
import pytest
import submissions

from sfumato._processes import system, walls

HERE = Path(__file__).parent
USER = 64099  # nobody's, like those of workers
JUDGE = """
import sys, sfumato
from sfumato.judging.pool import Pool
with Pool(1) as pool:
    print(";".join(pool.lacking))
for text in sys.argv[1:]:
    verdict = sfumato.judge(text, sys.stdin.read(), chip="Ascend910B1", cache=False, options={"time": True})
    cases = (verdict.estimate or {"cases": []})["cases"]
    print(verdict.verdict, verdict.sandbox, len(cases), verdict.estimate_reason or verdict.summary)
"""
# Of ends.txt what the sandboxes have most to do with; all of it is the target judge-ends.
ENDS = (
    "crashed-process-terminates_itself", "timeout-process-stops_itself", "crashed-process-exits_the_group",
    "refused-process-fork_stays", "refused-process-endless_threads", "out-of-memory-process-small_mallocs",
    "out-of-memory-op-tiling_mallocs", "right-process-fills_its_folder", "right-process-reads_a_home_folder",
    "wrong-process-prints_a_verdict", "crashed-tik-interrupts_itself", "tiling-failed-op-tiling_exits",
)  # fmt: skip


def run(tmp_path, *words, user=None, text=None, prefix=()):
    tmp_path.chmod(0o777)
    for folder in tmp_path.parents:
        if str(folder).startswith("/tmp/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    environment = {**os.environ, "SFUMATO_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    who = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    words = [*prefix, sys.executable, *map(str, words)]
    return subprocess.run(
        words, capture_output=True, text=True, input=text, cwd=tmp_path, env=environment, check=False, **who
    )


def _right():
    return next(text for name, _, _, text, _ in submissions.read() if name == "right-body-plain")


root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def _possible(done):
    """Skips where another user cannot read the package, or has no namespaces."""
    for words in ("Permission denied", "ModuleNotFoundError", "it would be partial", "can't open file"):
        if done.returncode and words in done.stderr:
            pytest.skip(done.stderr.strip().splitlines()[-1])


@root_only
def test_another_user_judges(tmp_path):
    done = run(tmp_path, "-c", JUDGE, _right(), user=USER, text=submissions.TASK)
    _possible(done)
    lacking, verdict = done.stdout.splitlines() if done.returncode == 0 else ("", done.stderr)
    assert verdict == f"right {'partial' if lacking else 'full'} 2 2 cases in 8 runs", done


@root_only
def test_hostile_jobs_of_another_user(tmp_path):
    done = run(tmp_path, HERE / "hostile_run.py", 40, 1, user=USER)
    _possible(done)
    assert done.returncode == 0 and done.stdout.endswith("40 jobs, 0 complaints\n"), done.stdout + done.stderr


def test_where_the_platform_refuses(tmp_path):
    prefix = ends_run.PARTIAL
    if not ends_run.there_is("partial"):
        pytest.skip("there are no user namespaces")
    done = run(tmp_path, "-c", JUDGE, _right(), text=submissions.TASK, prefix=prefix)
    assert done.stdout.splitlines() == [
        "no namespaces (No space left on device);no other user is there",
        "right partial 2 2 cases in 8 runs",
    ], done
    required = run(
        tmp_path, "-c", "from sfumato.judging.pool import Pool; Pool(1, sandbox='require').lacking", prefix=prefix
    )
    assert required.stderr.endswith(
        "Error: sandbox: it would be partial: no namespaces (No space left on device); no other user is there\n"
    )


@pytest.mark.parametrize("sandbox", ends_run.SANDBOXES)
def test_no_verdict_depends_on_the_sandbox(tmp_path, sandbox):
    if not ends_run.there_is(sandbox):
        pytest.skip("this sandbox is not to be had here")
    assert ends_run.complaints(sandbox, str(tmp_path), ENDS) == []


def test_ends_are_known():
    known = submissions.read("ends.txt")
    assert len(known) >= 60 and len({name for name, *_ in known}) == len(known)
    assert set(ENDS) <= {name for name, *_ in known}


def test_an_emulator_that_does_not_know_a_call(monkeypatch):
    def refused():
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(system, "adopt_orphans", refused)
    sandbox = walls.Sandbox("off", walls.SLOTS - 1)
    try:
        assert sandbox.lacking[-1] == "no adoption of what a job leaves behind (Invalid argument)"
    finally:
        sandbox.close()
