# SPDX-License-Identifier: Apache-2.0
"""The pool: limits, hostile jobs and what they leave."""

import os

import pytest
import hostile_jobs
import hostile_run
import sfumato
from sfumato.judging import Limits
from sfumato.judging.pool import Job, Pool

full_only = pytest.mark.skipif(os.geteuid() != 0, reason="a full sandbox for certain needs root")


@pytest.fixture(autouse=True)
def path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.path.dirname(__file__), os.environ["PYTHONPATH"]]))


def pool_jobs(told, values):
    print("printed")
    told.keep({"kept": b"bytes"})
    return {"sum": sum(values), "here": os.path.exists("given"), "values": values}


def test_a_job():
    with Pool(1, Limits(wall=30)) as pool:
        job = Job("test_pool:pool_jobs", {"values": [1, 2]}, files={"given": b""})
        outcome = pool.call(job)
    assert outcome.status == "returned" and outcome.value == {"sum": 3, "here": True, "values": [1, 2]}
    assert outcome.log == "printed\n" and outcome.files == {"kept": b"bytes"}


def test_every_job_once_with_its_outcome():
    with Pool(2) as pool:
        found = {
            job.tag: outcome.value["sum"]
            for job, outcome in pool.run(Job("test_pool:pool_jobs", {"values": [n]}, tag=n) for n in range(50))
        }
    assert found == {n: n for n in range(50)}


def test_a_run_left_half_way_ends_its_jobs():
    with Pool(2) as pool:
        for _ in pool.run(Job(f"hostile_jobs:{name}") for name in ("behaves", "loops", "loops")):
            break
        assert pool.call(Job("hostile_jobs:behaves")).value == 42


def test_wrong_uses():
    with pytest.raises(sfumato.Error, match="workers=0 must be an int above 0, or None"):
        Pool(0)
    with pytest.raises(sfumato.Error, match="sandbox='on' is none of auto, require, off"):
        Pool(1, sandbox="on")
    with pytest.raises(sfumato.Error, match="Limits: memory=1.5 must be an int above 0"):
        Limits(memory=1.5)
    with pytest.raises(sfumato.Error, match="No module named 'nobody'"):
        Pool(1, preload=["nobody"]).call(Job("nobody:f"))


def test_without_walls_it_says_so():
    with Pool(1, sandbox="off") as pool:
        assert pool.lacking == ["it is off"]
        assert pool.call(Job("hostile_jobs:behaves")).value == 42


@full_only
@pytest.mark.parametrize("workers", [1, 2])
def test_hostile_jobs(workers):
    complaints, ends, _ = hostile_run.run(100, workers, seed=workers)
    assert complaints == [] and sum(ends.values()) == 100
    assert {name for name, _ in ends} == set(hostile_jobs.KINDS)
