# SPDX-License-Identifier: Apache-2.0
"""Sweeps and verdicts on a Ray cluster of three nodes on this machine, one of which is killed (`make ray-check`)."""

import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "support"))

ray = pytest.importorskip("ray")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import sfumato  # noqa: E402
from add_submission import TASK, VERDICTS  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402
from some_cases import axpy_case, twice_case  # noqa: E402

QUIET = {"progress": False, "report": False}
STORE = 256 << 20


@pytest.fixture
def cluster():
    made = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False}
    )
    made.nodes = [made.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(3)]
    made.wait_for_nodes()
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def without_time(results):
    return [{name: value for name, value in result.items() if name != "seconds"} for result in results]


def wait_for_nodes(count):
    """Ray takes its time to see that a node is gone."""
    while sum(node["Alive"] for node in ray.nodes()) != count:
        time.sleep(0.2)


def test_a_node_killed_at_half_loses_and_repeats_nothing(cluster, in_folder, tmp_path, monkeypatch):
    actors, actor = [], sfumato.ray._actor
    monkeypatch.setattr(sfumato.ray, "_actor", lambda kind: actors.append(kind) or actor(kind))
    cases = [axpy_case(16 + n % 100, "float16" if n % 2 else "float32", seed=n) for n in range(1500)]
    cases += [twice_case(4, seed=n) for n in range(20)] + [twice_case(1), twice_case(6)]
    local = sfumato.sweep(cases, out=tmp_path / "local", workers=2, **QUIET)
    killed = threading.Event()

    def kill_at_half():
        journal = tmp_path / "ray" / "journal.jsonl"
        while not killed.wait(0.02):
            if journal.exists() and journal.read_bytes().count(b"\n") >= len(cases) // 2:
                cluster.remove_node(cluster.nodes[0], allow_graceful=False)
                killed.set()

    watcher = threading.Thread(target=kill_at_half)
    watcher.start()
    try:
        spread = sfumato.sweep(cases, out=tmp_path / "ray", ray=True, **QUIET)
    finally:
        left = killed.is_set()
        killed.set()
        watcher.join()
    assert left, "no node was killed while it ran"
    wait_for_nodes(3)
    assert len(actors) > 3, "no actor was lost with the node"
    assert spread.ran == len(cases) == len(spread.results)
    assert (tmp_path / "ray" / "journal.jsonl").read_bytes().count(b"\n") == len(cases)
    assert without_time(spread.results) == without_time(local.results)
    assert local.counts == {"right": 1500, "wrong": 20, "crashed": 1, "refused": 1}


def test_files_and_arrays_go_along(cluster, in_folder, tmp_path):
    arrays = [np.linspace(-1, 1, 1 << 16, dtype=np.float32).reshape(-1), np.arange(64, dtype=np.float32)]
    cases = [twice_case(inputs={"x": x[:64]}, seed=n) for x in arrays for n in range(30)]
    done = sfumato.sweep(cases, out=tmp_path / "out", ray=True, **QUIET)
    assert done.counts == {"right": 60}


def test_verdicts_of_pairs(cluster):
    wanted = [*VERDICTS] * 4
    pairs = [(VERDICTS[verdict], TASK) for verdict in wanted]
    found = sorted(sfumato.ray.judge_many(pairs, chip="Ascend910B1", cache=False), key=lambda verdict: verdict.index)
    assert [verdict.verdict for verdict in found] == wanted
