# SPDX-License-Identifier: Apache-2.0
"""Worlds of ranks in Python: sfumato.ranks, launches on all ranks, collectives of the host."""

import subprocess
import sys
import threading
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import sfumato

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "examples" / "ranks" / "all_to_all.cpp"
CHIP = "Ascend910_9392"
MOST = 16


@pytest.fixture(scope="module")
def lib():
    return sfumato.compile(SOURCE, chip=CHIP)


@pytest.fixture(scope="module")
def hanging():
    return sfumato.compile(SOURCE, chip=CHIP, defines={"SKIP_EMPTY": 1})


class Exchange:
    """An all-to-all on n ranks: its arrays, and what they must hold."""

    def __init__(self, world, counts):
        self.world, self.counts = world, counts
        n = len(world)
        self.src = world.arrays(lambda r: (r * 1000 + np.arange(n * MOST)).astype(np.int32))
        self.dst = world.arrays(lambda r: np.full((n, MOST), -1, np.int32))
        self.received = world.arrays(lambda r: np.zeros((n, 8), np.int32))

    def arguments(self, r):
        return (self.src[r], self.counts[r], self.dst[r], self.received[r], self.world.context("world", r), MOST)

    def check(self):
        n = len(self.world)
        for r in range(n):
            for s in range(n):
                count = self.counts[s, r]
                assert self.received[r][s][1] == count
                np.testing.assert_array_equal(
                    self.dst[r].numpy()[s][:count], s * 1000 + r * MOST + np.arange(count), f"{s} to {r}"
                )


def counts_of(n, seed=0):
    counts = np.random.default_rng(seed).integers(0, MOST + 1, (n, n), dtype=np.int32)
    counts[n // 2] = 0
    return counts


@pytest.mark.parametrize("n", [1, 2, 3, 8, 16])
@pytest.mark.parametrize("schedule", ["eager", "serial", "late", "ahead", "skew", "skew:0", "seed:3"])
def test_all_to_all(lib, n, schedule):
    with sfumato.ranks(n, chip=CHIP, window_mb=1) as world:
        exchange = Exchange(world, counts_of(n))
        result = world.launch(lib.all_to_all, blocks=1, args=exchange.arguments, schedule=schedule, repeat=2)
        assert result.ok and result.findings == [] and len(result.ranks) == n
        assert result.records == sum(r.records for r in result.ranks)
        exchange.check()
        # The windows stay: the next launch is the next round.
        assert world.window("world", 0, "in")[:4].view(np.int32)[0] >= 2


@pytest.mark.parametrize("repeat", [1, 2, 3])
def test_all_schedules_agree(lib, repeat):
    with sfumato.ranks(3, chip=CHIP, window_mb=1, schedule="all:2") as world:
        exchange = Exchange(world, counts_of(3))
        for _ in range(2):
            result = world.launch(lib.all_to_all[1], args=exchange.arguments, repeat=repeat, check="races,init")
            assert result.findings == []
            exchange.check()


def test_a_launch_is_behind_those_before(tmp_path):
    """Rows of one place are right: nothing runs any more when the next launch stores over them."""
    one_place = tmp_path / "one_place.cpp"
    one_place.write_text(SOURCE.read_text().replace("kRows + (2 * from + round % 2)", "kRows + (2 * from)"))
    one_place = sfumato.compile(one_place, chip=CHIP)
    with sfumato.ranks(3, chip=CHIP, window_mb=1) as world:
        exchange = Exchange(world, counts_of(3))
        for _ in range(3):
            assert world.launch(one_place.all_to_all, blocks=1, args=exchange.arguments).findings == []
            for src in exchange.src:
                src += 1


def test_the_chip_of_the_kernel(lib):
    with sfumato.ranks(2, chip="Ascend910B1", window_mb=1) as world:
        with pytest.raises(sfumato.Error, match="the kernel is compiled for Ascend910_9392, the ranks are Ascend910B1"):
            world.launch(lib.all_to_all, blocks=1, args=lambda r: ())


def test_a_hang_is_named(hanging):
    counts = counts_of(3)
    counts[:] = 8
    counts[1, 2] = 0
    with sfumato.ranks(3, chip=CHIP, window_mb=1) as world:
        exchange = Exchange(world, counts)
        with pytest.raises(sfumato.KernelError) as raised:
            world.launch(hanging.all_to_all, blocks=1, args=exchange.arguments)
        error = raised.value
        assert (error.rule, error.rank, error.core) == ("deadlock", 2, "aiv0")
        assert "rank 2, core aiv0" in str(error)
        assert world.report == error.result.findings
        assert all((a.numpy() == -1).all() for a in exchange.dst)


def test_a_rank_that_is_left_out(lib):
    with sfumato.ranks(2, chip=CHIP, window_mb=1) as world:
        exchange = Exchange(world, np.full((2, 2), 8, np.int32))
        with pytest.raises(sfumato.KernelError, match="rank 1: nothing is submitted") as raised:
            world.launch(lib.all_to_all, blocks=1, args=exchange.arguments, only=[0])
        assert raised.value.rank == 0


STOPPED = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void stopped(GM_ADDR x, GM_ADDR y) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 256);
    AscendC::GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)y, 64);
    AscendC::LocalTensor<float> t = buffer.Get<float>();
    AscendC::Duplicate(t, 1.0f, 64);
    AscendC::DataCopy(to, t, 64);
}
"""


@pytest.mark.parametrize("schedule", ["eager", "late"])
def test_a_core_that_its_own_access_stops_holds_up_nobody(lib, tmp_path, schedule):
    (tmp_path / "stopped.cpp").write_text(STOPPED)
    kernel = sfumato.compile(tmp_path / "stopped.cpp", chip=CHIP).stopped
    arrays = [np.zeros(64, np.float32) for _ in range(6)]
    with sfumato.ranks(3, chip=CHIP, window_mb=1) as world:
        with pytest.raises(sfumato.KernelError) as raised:
            world.launch(
                kernel,
                blocks=1,
                args=lambda r: arrays[2 * r : 2 * r + 2],
                check="races",
                strict=True,
                schedule=schedule,
            )
        assert (raised.value.rule, raised.value.rank) == ("race", 0)
        exchange = Exchange(world, counts_of(3))
        assert world.launch(lib.all_to_all, blocks=1, args=exchange.arguments).ok
        exchange.check()


def test_a_world_goes_on_after_a_fault(lib, hanging):
    with sfumato.ranks(2, chip=CHIP, window_mb=1) as world:
        exchange = Exchange(world, np.zeros((2, 2), np.int32))
        with pytest.raises(sfumato.KernelError):
            world.launch(hanging.all_to_all, blocks=1, args=exchange.arguments)
        exchange.counts[:] = 8
        assert world.launch(lib.all_to_all, blocks=1, args=exchange.arguments).ok
        exchange.check()


def test_groups(lib):
    with sfumato.ranks(4, chip=CHIP, window_mb=1) as world:
        assert world.group("odd", [1, 3]) == "odd"
        src = world.arrays(lambda r: np.full((2, MOST), r, np.int32))
        dst = world.arrays(lambda r: np.zeros((2, MOST), np.int32))
        received = world.arrays(lambda r: np.zeros((2, 8), np.int32))
        counts = np.full(2, MOST, np.int32)
        world.launch(
            lib.all_to_all,
            blocks=1,
            args=lambda r: (src[r], counts, dst[r], received[r], world.context("odd", r), MOST),
            groups=["odd"],
            only=[1, 3],
        )
        for r in (1, 3):
            np.testing.assert_array_equal(dst[r].numpy(), np.repeat([[1], [3]], MOST, axis=1))
        assert world[3].context("odd") != world[3].context()
        with pytest.raises(sfumato.Error, match="rank 0 is not in the group 'odd' of ranks 1, 3"):
            world.context("odd", 0)
        with pytest.raises(sfumato.Error, match="there is a group 'odd' already"):
            world.group("odd", [0])
        with pytest.raises(sfumato.Error, match="ranks 2, 1 are not ascending"):
            world.group("even", [2, 1])


WRONG = [
    (lambda w, k: w.launch(k, args=lambda r: ()), "say how many blocks"),
    (lambda w, k: w.launch(k, blocks=1, args=[()]), "launch: args: 1 items for 2 ranks"),
    (lambda w, k: w.launch(k, blocks=1, args=lambda r: 5), "args of rank 0 are int"),
    (lambda w, k: w.launch(3, blocks=1, args=lambda r: ()), "launch: 3 is no kernel"),
    (lambda w, k: w.launch(k[2], blocks=1, args=lambda r: ()), "blocks=1, but the kernel has 2 blocks"),
    (lambda w, k: w.launch(k, blocks=1, args=lambda r: (), only=[2]), r"rank 2 must be an int in \[0, 1\]"),
    (lambda w, k: w.launch(k, blocks=1, args=lambda r: (), only=[]), "is no rank"),
    (lambda w, k: w.launch(k, blocks=1, args=lambda r: (), isolated=True), "isolated=True: all ranks run in this"),
    (lambda w, k: w.context("tp", 0), "there is no group 'tp' of ranks; there are: world"),
    (lambda w, k: w.window("world", 0, "exp"), "'exp' is none; there are 'in' and 'out'"),
    (lambda w, k: w[2], r"rank 2 must be an int in \[0, 1\]"),
    (lambda w, k: w.all_reduce([1]), "all_reduce: arrays: 1 items for 2 ranks"),
    (lambda w, k: w.all_reduce([np.zeros(2, np.float32)] * 2, "mean"), "op='mean' is none; legal: sum, prod, max, min"),
    (lambda w, k: w.all_reduce([np.zeros(2, np.uint8)] * 2), "no device reduces uint8 by sum"),
    (lambda w, k: w.all_to_all([np.zeros(3, np.int8)] * 2), r"the first dimension of \[3\] is no multiple of the 2"),
    (lambda w, k: w.broadcast([np.zeros(3), np.zeros(4)]), "all ranks pass the same shape and type"),
]


@pytest.mark.parametrize(("wrong", "text"), WRONG)
def test_slips(lib, wrong, text):
    with sfumato.ranks(2, chip=CHIP, window_mb=1) as world:
        with pytest.raises(sfumato.Error, match=text):
            wrong(world, lib.all_to_all)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"n": 0}, r"n=0 must be an int in \[1, 64\]"),
        ({"n": 65}, r"n=65 must be an int in \[1, 64\]"),
        ({"n": 2, "schedule": "fast"}, "unknown schedule 'fast' of ranks; legal: eager, serial, late, ahead, skew"),
        ({"n": 2, "schedule": "skew:2"}, "legal are ranks 0 to 1"),
        ({"n": 2, "collective_order": "fast"}, "legal: rank, reverse, ring, tree, wide"),
        ({"n": 2, "window_mb": 0}, "window_mb=0 must be an int"),
        ({"n": 2, "chip": "Ascend310P3"}, "Ascend310P"),
        ({"n": 2, "chip": "Ascend1"}, "Ascend1"),
        ({"n": 2, "windows": 1}, "'windows' is not known"),
    ],
)
def test_slips_of_ranks(words, text):
    n = words.pop("n")
    with pytest.raises(sfumato.Error, match=text):
        sfumato.ranks(n, **{"chip": CHIP, **words})


def test_arrays_of_other_ranks(lib):
    with sfumato.ranks(2, chip=CHIP, window_mb=1) as world:
        exchange = Exchange(world, counts_of(2))
        with pytest.raises(sfumato.Error, match="argument 1 of rank 1 is an array of rank 0"):
            world.launch(lib.all_to_all, blocks=1, args=lambda r: (exchange.src[0], *exchange.arguments(r)[1:]))
        # Two ranks that write one array of NumPy; reading one together is fine.
        one = np.zeros((2, MOST), np.int32)
        counts = np.full(2, MOST, np.int32)
        with pytest.raises(
            sfumato.Error, match=r"rank 1: argument 3 \(dst\) and rank 0: argument 3 \(dst\) are the same"
        ):
            world.launch(
                lib.all_to_all,
                blocks=1,
                args=lambda r: (exchange.src[r], counts, one, exchange.received[r], world.context("world", r), MOST),
            )
        assert not one.any()


def test_a_closed_world(lib):
    with sfumato.ranks(1, chip=CHIP, window_mb=1) as world:
        window = world[0].window()
    window[:8] = 1  # a view keeps the memory
    with pytest.raises(sfumato.Error, match="world: it is closed"):
        world.context("world", 0)


def test_the_log_and_prints_name_ranks(lib):
    lines = []
    with sfumato.ranks(2, chip=CHIP, window_mb=1) as world:
        exchange = Exchange(world, counts_of(2))
        world.launch(lib.all_to_all[1].options(log=lines.append), args=exchange.arguments)
    assert {line.split(":")[0] for line in lines} == {"rank 0", "rank 1"}


def test_threads_have_worlds_of_their_own(lib):
    """Launches let go of the GIL, and worlds know nothing of each other."""
    failed = []

    def work(seed):
        try:
            with sfumato.ranks(3, chip=CHIP, window_mb=1) as world:
                exchange = Exchange(world, counts_of(3, seed))
                world.launch(lib.all_to_all, blocks=1, args=exchange.arguments, repeat=3)
                exchange.check()
        except BaseException as error:  # noqa: BLE001 - told below
            failed.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


ENDLESS = r"""
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void endless(GM_ADDR x) {
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, 32);
    for (;;) AscendC::Duplicate(buffer.Get<int32_t>(), 1, 8);
}
"""

INTERRUPTED = """
import os, signal, threading, time, numpy as np, sfumato
lib = sfumato.compile({source!r}, chip={chip!r})
with sfumato.ranks(4, chip={chip!r}, window_mb=1) as world:
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        world.launch(lib.endless, blocks=1, args=lambda r: (np.zeros(8, np.int32),))
    except KeyboardInterrupt as error:
        print(sorted({{f.rule for f in error.__cause__.result.findings}}))
"""


def test_ctrl_c_ends_all_ranks():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(source=ENDLESS, chip=CHIP)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("['interrupted']\n", "")


def test_a_timeout_ends_all_ranks():
    lib = sfumato.compile(ENDLESS, chip=CHIP)
    with sfumato.ranks(3, chip=CHIP, window_mb=1) as world:
        with pytest.raises(sfumato.KernelError) as raised:
            world.launch(lib.endless, blocks=1, args=lambda r: (np.zeros(8, np.int32),), timeout=1.0)
    assert raised.value.rule == "timeout"


@pytest.mark.parametrize("n", [1, 2, 3, 8])
@pytest.mark.parametrize("dtype", [np.int32, np.int8, np.float16, ml_dtypes.bfloat16, np.float32])
def test_collectives(n, dtype):
    random = np.random.default_rng(n)
    given = [random.integers(-9, 10, (n * 2, 3)).astype(dtype) for _ in range(n)]
    with sfumato.ranks(n, chip=CHIP, window_mb=1) as world:
        arrays = world.arrays(given)
        total = given[0]
        for more in given[1:]:
            total = (total + more).astype(dtype)
        for got in world.all_reduce(arrays):
            assert got.dtype == dtype and got.tobytes() == total.tobytes()
        for got, of_rank in zip(world.reduce_scatter(arrays), np.split(total, n)):
            assert got.tobytes() == of_rank.tobytes()
        for got in world.all_gather(arrays):
            np.testing.assert_array_equal(got, np.concatenate(given))
        for r, got in enumerate(world.all_to_all(arrays)):
            np.testing.assert_array_equal(got, np.concatenate([g[2 * r : 2 * r + 2] for g in given]))
        for got in world.broadcast(arrays, n - 1):
            np.testing.assert_array_equal(got, given[n - 1])
        for op, of in (("max", np.maximum), ("min", np.minimum)):
            expected = given[0]
            for more in given[1:]:
                expected = of(expected, more)
            assert world.all_reduce(arrays, op)[0].tobytes() == expected.tobytes()


def test_the_order_of_sums():
    values = [np.array([v], np.float32) for v in (1e8, 1.0, -1e8)]
    sums = {}
    for order in ("rank", "reverse", "wide"):
        with sfumato.ranks(3, chip=CHIP, window_mb=1, collective_order=order) as world:
            sums[order] = float(world.all_reduce(values)[0][0])
    assert sums == {"rank": 0.0, "reverse": 0.0, "wide": 1.0}


def test_the_page_shows_what_the_example_says():
    done = subprocess.run(
        [sys.executable, "examples/ranks/all_to_all.py"], capture_output=True, text=True, timeout=300, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")
    page = (ROOT / "docs" / "ranks.md").read_text()
    assert f"$ python3 examples/ranks/all_to_all.py\n{done.stdout}```" in page
