# SPDX-License-Identifier: Apache-2.0
"""Loops, conditions, scopes, multi-core programs, BuildCCE, running."""

import json

import numpy as np
import pytest
from tik_support import evaluate, instance

import sfumato
from sfumato import tik

CHIPS = ["Ascend310", "Ascend910A", "Ascend310P3", "Ascend310P3-Vector", "Ascend910B1", "Ascend310B1"]
SCHEDULES = ["eager", "late", "ahead", "seed:3"]


def test_loops():
    def build(t):
        total, trips, inner, outer = (t.Scalar("int32", init_value=0) for _ in range(4))
        with t.for_range(2, 6) as i:
            with t.for_range(0, i, name="j") as j:
                total.set_as(total + i * j)
                trips.set_as(trips + 1)
        end = t.Scalar("int32", init_value=4)
        with t.for_range(0, end, dtype="int64") as i:
            with t.if_scope(i == 1):
                t.tik_continue()
            outer.set_as(outer + 1)
            with t.for_range(0, 100) as j:
                with t.if_scope(j == i):
                    t.tik_break()
                inner.set_as(inner + 1)
        with t.for_range(5, 5):
            trips.set_as(-1)
        return [total, trips, outer, inner]

    total = sum(i * j for i in range(2, 6) for j in range(i))
    assert evaluate(build) == [total, 14, 3, 5]


def test_multi_for_range():
    def build(t):
        total = t.Scalar("int32", init_value=0)
        with t.multi_for_range([0, 1], [2, 4]) as (i, j):
            total.set_as(total + 10 * i + j)
        return [total]

    assert evaluate(build) == [sum(10 * i + j for i in range(2) for j in range(1, 4))]


def test_branches():
    def build(t):
        values = []
        for n in range(4):
            s, seen = t.Scalar("int32", init_value=n), t.Scalar("int32", init_value=0)
            with t.if_scope(s == 0):
                seen.set_as(10)
            with t.elif_scope(s == 1):
                seen.set_as(20)
            with t.elif_scope(s < 3):
                seen.set_as(30)
            with t.else_scope():
                seen.set_as(40)
            values.append(seen)
        return values

    assert evaluate(build) == [10, 20, 30, 40]


def test_return():
    t = instance()
    out = t.Tensor("int32", (2, 8), name="out", scope=tik.scope_gm)
    with t.for_range(0, 2, block_num=2) as i:
        ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
        t.vec_dup(8, ub, 7, 1, 8)
        with t.if_scope(i == 1):
            t.tik_return()
        t.data_move(out[i, 0], ub, 0, 1, 1, 0, 0)
    t.BuildCCE("returns", [], [out])
    (result,) = t.run({"out": np.zeros((2, 8), np.int32)})
    assert result.tolist() == [[7] * 8, [0] * 8]


def adds(chip, blocks, threads, trips):
    """Adds 1, by blocks and trips of 128 halves."""
    t = instance(chip)
    shape = (blocks, trips, 128)
    src = t.Tensor("float16", shape, name="src", scope=tik.scope_gm)
    dst = t.Tensor("float16", shape, name="dst", scope=tik.scope_gm)
    with t.for_range(0, blocks, block_num=blocks) as block:
        with t.for_range(0, trips, thread_num=threads) as trip:
            ub = t.Tensor("float16", (128,), name="ub", scope=tik.scope_ubuf)
            t.data_move(ub, src[block, trip, 0], 0, 1, 8, 0, 0)
            t.vec_adds(128, ub, ub, 1, 1, 8, 8)
            t.data_move(dst[block, trip, 0], ub, 0, 1, 8, 0, 0)
    t.BuildCCE("adds", [src], [dst])
    return t, shape


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("blocks", "threads"), [(1, 1), (2, 1), (8, 2), (3, 4)])
def test_blocks_and_threads(chip, blocks, threads):
    t, shape = adds(chip, blocks, threads, trips=5)
    src = np.arange(np.prod(shape)).astype(np.float16).reshape(shape)
    for schedule in SCHEDULES:
        (dst,) = t.run({"src": src}, schedule=schedule)
        assert np.array_equal(dst, src + np.float16(1))
    assert t.last.ok and t.last.records == blocks * 5 * 3


def test_scopes_free_their_buffers():
    t = instance()
    free = t.get_available_buffer_size(tik.scope_ubuf)
    assert free == 196608
    with t.new_stmt_scope():
        t.Tensor("float16", (512,), name="a", scope=tik.scope_ubuf)
        assert t.get_available_buffer_size(tik.scope_ubuf) == free - 1024
        with t.for_range(0, 4, thread_num=2):
            t.Tensor("float16", (512,), name="b", scope=tik.scope_ubuf)
    assert t.get_available_buffer_size(tik.scope_ubuf) == free
    assert t.get_available_buffer_size(tik.scope_cbuf) == 524288


def test_workspace_and_atomic_add():
    t = instance("Ascend910A")
    src = t.Tensor("float32", (4, 64), name="src", scope=tik.scope_gm)
    total = t.Tensor("float32", (64,), name="total", scope=tik.scope_gm, is_atomic_add=True)
    space = t.Tensor("float32", (4, 64), name="space", scope=tik.scope_gm, is_workspace=True)
    with t.for_range(0, 4, block_num=4) as i:
        ub = t.Tensor("float32", (64,), name="ub", scope=tik.scope_ubuf)
        t.data_move(ub, src[i, 0], 0, 1, 8, 0, 0)
        t.data_move(space[i, 0], ub, 0, 1, 8, 0, 0)
        t.data_move(ub, space[i, 0], 0, 1, 8, 0, 0)
        t.set_atomic_add(1)
        t.data_move(total, ub, 0, 1, 8, 0, 0)
        t.set_atomic_add(0)
    t.BuildCCE("sums", [src], [total])
    data = np.arange(256, dtype=np.float32).reshape(4, 64)
    (result,) = t.run({"src": data})
    assert np.array_equal(result, data.sum(axis=0))


def test_initial_values():
    t = instance()
    table = t.Tensor("int32", (2, 8), name="table", scope=tik.scope_gm, init_value=list(range(16)))
    out = t.Tensor("int32", (16,), name="out", scope=tik.scope_gm)
    ub = t.Tensor("int32", (16,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, table, 0, 1, 2, 0, 0)
    t.data_move(out, ub, 0, 1, 2, 0, 0)
    t.BuildCCE("constant", [], [out])
    assert t.run({})[0].tolist() == list(range(16))


def test_flowtable():
    t = instance()
    out = t.Tensor("int32", (8,), name="out", scope=tik.scope_gm)
    tiling = t.Tensor("int32", (8,), name="tiling", scope=tik.scope_gm)
    tiling_ub = t.Tensor("int32", (8,), name="tiling_ub", scope=tik.scope_ubuf)
    ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
    t.data_move(tiling_ub, tiling, 0, 1, 1, 0, 0)
    value, count = t.Scalar("int32"), t.Scalar("int32")
    value.set_as(tiling_ub[0])
    count.set_as(tiling_ub[1])
    t.vec_dup(8, ub, 0, 1, 8)
    t.vec_dup(count, ub, value, 1, 8)
    t.data_move(out, ub, 0, 1, 1, 0, 0)
    t.BuildCCE("tiled", [], [out], flowtable=[tiling])
    (result,) = t.run({"tiling": np.array([9, 3, 0, 0, 0, 0, 0, 0], np.int32)})
    assert result.tolist() == [9, 9, 9, 0, 0, 0, 0, 0]


def test_start_debug():
    t = instance(disable_debug=True)
    t.BuildCCE("empty", [], [])
    with pytest.raises(tik.TikError, match="the debug function is disabled"):
        t.tikdb.start_debug({}, False)
    # Unless it is refused it is allowed, as the pages of CANN 5.0 have it.
    t, shape = adds("Ascend310", 1, 1, 2)
    src = np.ones(shape, np.float16)
    (debugged,) = t.tikdb.start_debug({"src": src}, False)
    assert np.array_equal(debugged, t.run({"src": src})[0]) and debugged.any()
    t = instance(disable_debug=False)
    x = t.Tensor("int32", (8,), name="x", scope=tik.scope_gm)
    ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, x, 0, 1, 1, 0, 0)
    t.BuildCCE("nothing", [x], [])
    (result,) = t.tikdb.start_debug(feed_dict={"x": np.zeros(8, np.int32)}, interactive=False)
    assert result.tolist() == [0]


def test_json(tmp_path):
    t = instance()
    x = t.Tensor("float16", (64,), name="x", scope=tik.scope_gm)
    space = t.Tensor("float16", (64,), name="space", scope=tik.scope_gm, is_workspace=True)
    n = t.InputScalar("int32", "n")
    with t.for_range(0, 8, block_num=8):
        ub = t.Tensor("float16", (64,), name="ub", scope=tik.scope_ubuf)
        t.data_move(ub, x, 0, 1, 4, 0, 0)
        t.data_move(space, ub, 0, 1, 4, 0, 0)
    t.BuildCCE("k", [x, n], [], output_files_path=str(tmp_path))
    text = json.loads((tmp_path / "kernel_meta" / "k.json").read_text())
    assert text["blockDim"] == 8 and text["workspace"] == {"num": 1, "size": [128]}
    assert [(p["name"], p["kind"]) for p in text["parameters"]][:2] == [("x", "input"), ("n", "scalar")]


def test_printf():
    lines = []
    t = instance()
    i = t.Scalar("int32", init_value=41)
    t.printf("i=%d f=%f\n", i + 1, 1.5)
    t.BuildCCE("prints", [], [])
    t.run({}, print=lines.append)
    assert "".join(lines) == "i=42 f=1.500000\n"


def test_feeds():
    t, shape = adds("Ascend310", 1, 1, 2)
    src = np.zeros(shape, np.float16)
    for feed, text in [
        ({}, "no 'src'"),
        ({"src": src, "more": src}, "'more'"),
        ({"src": src.reshape(-1)}, r"src: \(256,\)"),
        ({"src": src.astype(np.float32)}, "float32"),
    ]:
        with pytest.raises(sfumato.Error, match=text):
            t.run(feed)
    with pytest.raises(sfumato.Error, match="sometimes"):
        t.run({"src": src}, sometimes=True)
    with pytest.raises(tik.TikError, match="not built yet"):
        instance().run({})


def test_a_fault_of_the_run():
    t = instance()
    out = t.Tensor("int32", (8,), name="out", scope=tik.scope_gm)
    n = t.InputScalar("int32", "n")
    ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
    t.vec_dup(n, ub, 7, 1, 8)
    t.data_move(out, ub, 0, 1, 1, 0, 0)
    t.BuildCCE("masks", [n], [out])
    assert t.run({"n": 8})[0].tolist() == [7] * 8
    with pytest.raises(sfumato.KernelError) as caught:
        t.run({"n": 65})
    error = caught.value
    assert error.rule == "mask-range" and error.file == __file__ and error.found == "65"
    assert "vec_dup(n, ub" in open(__file__).read().splitlines()[error.line - 1]
