# SPDX-License-Identifier: Apache-2.0
"""Operators whose kernels talk to other ranks (MC2().HcclGroup), in worlds of several: sfumato.ranks, `sfumato op`."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sfumato

PROJECT = Path(__file__).parent / "ranks" / "GatherRows"
CHIP = "Ascend910_9392"
COUNT = 40


@pytest.fixture(scope="module")
def op():
    return sfumato.load_op(PROJECT, chip=CHIP)


def rows(rank):
    return np.arange(COUNT, dtype=np.int32) + 1000 * rank


@pytest.mark.parametrize("n", [1, 2, 5, 16])
@pytest.mark.parametrize("schedule", ["eager", "late", "skew:0", "torn", "seed:3"])
def test_every_rank_gets_all(op, n, schedule):
    assert op.groups == ["group"]
    with sfumato.ranks(n, chip=CHIP, window_mb=1) as world:
        want = np.stack([rows(r) for r in range(n)])
        for _ in range(2):
            results = world.call(op, args=lambda r: {"x": rows(r), "ranks": n}, repeat=2, schedule=schedule)
            for result in results:
                np.testing.assert_array_equal(result, want)
        assert world.last.findings == [] and [r.tiling.blocks for r in world.last.ranks] == [1] * n


def test_all_schedules_agree(op):
    with sfumato.ranks(3, chip=CHIP, window_mb=1) as world:
        x = world.arrays(rows)
        out = world.arrays(lambda r: np.zeros((3, COUNT), np.int32))
        given = [{"x": x[r], "ranks": 3, "out": out[r]} for r in range(3)]
        results = world.call(op, args=given, repeat=3, schedule="all:2", check="all")
        assert world.report == []
        assert all(np.shares_memory(result, array) for result, array in zip(results, out))
        np.testing.assert_array_equal(out[2].numpy(), np.stack([rows(r) for r in range(3)]))


def test_groups(op):
    with sfumato.ranks(4, chip=CHIP, window_mb=1) as world:
        world.group("odd", [1, 3])
        results = world.call(op, args=lambda r: {"x": rows(r), "ranks": 2}, only=[1, 3], group="odd")
        for result in results:
            np.testing.assert_array_equal(result, np.stack([rows(1), rows(3)]))
        # What arguments say counts.
        named = [{"x": rows(r), "ranks": 2, "group": "odd"} for r in (1, 3)]
        np.testing.assert_array_equal(world.call(op, args=named, only=[1, 3])[0], np.stack([rows(1), rows(3)]))


def test_a_flag_that_is_left_out_hangs():
    hanging = sfumato.load_op(PROJECT, chip=CHIP, defines={"NO_FLAG": 1})
    with sfumato.ranks(3, chip=CHIP, window_mb=1) as world:
        out = world.arrays(lambda r: np.full((3, COUNT), -1, np.int32))
        with pytest.raises(sfumato.KernelError) as raised:
            world.call(hanging, args=lambda r: {"x": rows(r), "ranks": 3, "out": out[r]})
        assert (raised.value.rule, raised.value.rank) == ("deadlock", 1)
        assert "kernel gather_rows, rank 1" in str(raised.value)
        assert all((array == -1).all() for array in out)


def test_a_flag_before_its_data_is_told():
    early = sfumato.load_op(PROJECT, chip=CHIP, defines={"EARLY_FLAG": 1})
    with sfumato.ranks(2, chip=CHIP, window_mb=1) as world:
        with pytest.warns(sfumato.KernelWarning, match="flag-before-data"):
            world.call(early, args=lambda r: {"x": rows(r), "ranks": 2})
        assert {report.rule for report in world.report} == {"flag-before-data"}


def test_what_cannot_be(op):
    with sfumato.ranks(2, chip=CHIP, window_mb=1) as world:
        x = world.arrays(rows)
        for arguments, words, message in [
            (lambda r: {"x": x[0], "ranks": 2}, {}, "call: x of rank 1 is an array of rank 0"),
            (lambda r: {"x": x[r], "ranks": 2}, {"group": "tp"}, "there is no group 'tp' of ranks; there are: world"),
            (lambda r: {"x": x[r], "ranks": 2}, {"group": ["a", "b"]}, "GatherRows has the groups group: a name for"),
            (lambda r: {"x": x[r], "ranks": 2}, {"time": True}, "nothing estimates how long"),
            (lambda r: x[r], {}, "call: args of rank 0 are RankArray; a tuple is needed, or a dict"),
            ([{}], {}, "call: args: 1 items for 2 ranks"),
        ]:
            with pytest.raises(sfumato.Error, match=message):
                world.call(op, args=arguments, **words)
        with pytest.raises(sfumato.Error, match="is no operator; pass one of sfumato.load_op"):
            world.call(print, args=lambda r: ())
    with sfumato.ranks(2, chip="Ascend910B1", window_mb=1) as world:
        with pytest.raises(sfumato.Error, match="the operator is loaded for Ascend910_9392, the ranks are Ascend910B1"):
            world.call(op, args=lambda r: {"x": rows(r), "ranks": 2})


def command(folder, *words):
    run = subprocess.run(
        [sys.executable, "-m", "sfumato._op_command", PROJECT, "--chip", CHIP, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout, run.stderr


def test_the_command(tmp_path):
    for r in range(3):
        np.save(tmp_path / f"x.{r}.npy", rows(r))
    given = ["--ranks", "3", "--in", "x=x.{rank}.npy", "--attr", "ranks={ranks}", "--json", "f.json"]
    code, out, err = command(tmp_path, *given, "--out", "y=y.{rank}.npy", "--repeat", "2", "--schedule", "all:1")
    assert (code, out, err) == (0, "0 faults, 0 warnings, 0 notes\n", "")
    for r in range(3):
        np.testing.assert_array_equal(np.load(tmp_path / f"y.{r}.npy"), np.stack([rows(r) for r in range(3)]))
    world = json.loads((tmp_path / "f.json").read_text())["world"]
    assert world["ranks"] == 3
    code, _, err = command(tmp_path, *given, "-D", "NO_FLAG")
    assert code == 4 and "rank 1" in err and "[deadlock]" in err
    code, _, err = command(tmp_path, *given, "--out", "y=y.npy")
    assert (code, err) == (2, "error: --out y=y.npy: every rank writes it; put {rank} into its name\n")
