# SPDX-License-Identifier: Apache-2.0
"""Views of tensors: which element they start at, and their shape."""

import numpy as np
import pytest
from tik_support import evaluate, instance, move_first

from sfumato import Error, tik

VIEWS = {
    # One index is an index into the flattened tensor.
    "number": (lambda t, x: x[5], lambda a: a.reshape(-1)[5:6]),
    "negative": (lambda t, x: x[-16], lambda a: a.reshape(-1)[-16:-15]),
    "slice": (lambda t, x: x[100:200], lambda a: a.reshape(-1)[100:200]),
    "open slice": (lambda t, x: x[100:], lambda a: a.reshape(-1)[100:]),
    "negative slice": (lambda t, x: x[-64:-32:1], lambda a: a.reshape(-1)[-64:-32]),
    "whole": (lambda t, x: x[:], lambda a: a.reshape(-1)),
    # Otherwise one index a dimension, and none is dropped.
    "numbers": (lambda t, x: x[1, 2, 3], lambda a: a[1:2, 2:3, 3:4]),
    "mixed": (lambda t, x: x[1, 2:, 8:16], lambda a: a[1:2, 2:, 8:16]),
    "negative mixed": (lambda t, x: x[-1, -2:-1, :], lambda a: a[-1:, -2:-1, :]),
    "twice": (lambda t, x: x[1:3, 2:6, :][1, 3, 4:], lambda a: a[2:3, 5:6, 4:]),
    "flat twice": (lambda t, x: x[64:][3], lambda a: a.reshape(-1)[67:68]),
    "flatten": (lambda t, x: x.flatten()[40:48], lambda a: a.reshape(-1)[40:48]),
    "reshape": (lambda t, x: x.reshape((32, 16))[3, 4:], lambda a: a.reshape(32, 16)[3:4, 4:]),
    "reshape one": (lambda t, x: x.reshape((512,))[17], lambda a: a.reshape(-1)[17:18]),
    "narrower": (lambda t, x: x.reinterpret_cast_to("int16"), lambda a: a.view(np.int16).reshape(4, 8, 16, 2)),
    "narrower flat": (lambda t, x: x.reinterpret_cast_to("int16")[7:], lambda a: a.view(np.int16).reshape(-1)[7:]),
    "narrower of slice": (
        lambda t, x: x[9:20].reinterpret_cast_to("int8")[2, 1],
        lambda a: a.reshape(-1)[9:20].view(np.int8).reshape(11, 4)[2:3, 1:2],
    ),
    "wider": (lambda t, x: x.reinterpret_cast_to("int64")[1, 2, 3], lambda a: a.view(np.int64)[1:2, 2:3, 3:4]),
    "wider of slice": (
        lambda t, x: x[34:50].reinterpret_cast_to("int64")[1:],
        lambda a: a.reshape(-1)[34:50].view(np.int64)[1:],
    ),
    "same width": (lambda t, x: x.reinterpret_cast_to("uint32")[1, 1, 1], lambda a: a.view(np.uint32)[1:2, 1:2, 1:2]),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views(name):
    view, expected = VIEWS[name]
    first, seen, array = move_first(view)
    want = expected(array)
    assert seen.shape == want.shape and seen.dtype == want.dtype.name
    assert first == want.reshape(-1)[0]
    assert seen.size == want.size and seen.buffer_size == want.nbytes


def scalar(t, value, dtype="int32"):
    return t.Scalar(dtype, init_value=value)


AT_RUN_TIME = {
    "Scalar": (lambda t, x: x[scalar(t, 37)], 37),
    "unsigned": (lambda t, x: x[scalar(t, 37, "uint32")], 37),
    "Expr": (lambda t, x: x[scalar(t, 37) * 2 + 1], 75),
    "start": (lambda t, x: x[scalar(t, 48) :], 48),
    "both": (lambda t, x: x[scalar(t, 48) : scalar(t, 64)], 48),
    "several": (lambda t, x: x[scalar(t, 2), scalar(t, 3) : 8, 4:12], 2 * 128 + 3 * 16 + 4),
    "of slice": (lambda t, x: x[scalar(t, 16) : 256][scalar(t, 3)], 19),
    "narrower": (lambda t, x: x[scalar(t, 21) :].reinterpret_cast_to("int16")[2, 0], 23),
    "wider": (lambda t, x: x[scalar(t, 22) :].reinterpret_cast_to("int64")[1], 24 + (25 << 32)),
}


@pytest.mark.parametrize("name", AT_RUN_TIME)
def test_views_known_at_run_time(name):
    view, expected = AT_RUN_TIME[name]
    assert move_first(view)[0] == expected


def test_the_value_of_an_index_is_read_when_the_statement_runs():
    def view(t, x):
        i = t.Scalar("int32", init_value=3)
        seen = x[i + 1]
        i.set_as(100)
        return seen

    assert move_first(view)[0] == 101


def test_elements():
    def build(t):
        ub = t.Tensor("int32", (4, 8), name="data", scope=tik.scope_ubuf)
        for i in range(32):
            ub[i] = i * i
        ub[1, 2].set_as(-7)
        value = t.Scalar("int32")
        value.set_as(ub[31])
        ub[value - 960] = value
        copy = t.Scalar("int32", init_value=ub[1])
        ub[0].set_as(ub[5])
        copies = [t.Scalar("int32", init_value=ub[i]) for i in (0, 1, 10)]
        return [value, copy, *copies]

    assert evaluate(build) == [961, 961, 25, 961, -7]


def test_shape_with_scalars():
    t = instance()
    n = t.Scalar("int32", init_value=16)
    x = t.Tensor("float16", (4, n), name="x", scope=tik.scope_ubuf, max_mem_size=256)
    assert x.shape[0] == 4 and x.shape[1] is n
    assert t.get_available_buffer_size(tik.scope_ubuf) == 196608 - 256
    assert tik.is_tik_var(x[1, 0:].size)


def test_shapes_that_say_large():
    t = instance()
    src = t.Tensor("float16", (2**31 - 1,), name="src", scope=tik.scope_gm)
    dst = t.Tensor("float16", (2**63 - 1,), name="dst", scope=tik.scope_gm)
    ub = t.Tensor("float16", (64,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, src, 0, 1, 4, 0, 0)
    t.data_move(dst, ub, 0, 1, 4, 0, 0)
    t.BuildCCE("large", [src], [dst])
    array = np.arange(64, dtype=np.float16).reshape(4, 16)
    (result,) = t.run({"src": array}, shapes={"dst": (4, 16)})
    assert np.array_equal(result, array)
    (result,) = t.run({"src": array, "dst": np.zeros((2, 64), np.float16)})
    assert np.array_equal(result.reshape(2, 64)[0], array.reshape(-1)) and not result.reshape(2, 64)[1].any()


def test_a_tensor_too_large_to_allocate():
    t = instance()
    dst = t.Tensor("float16", (2**31 - 1,), name="dst", scope=tik.scope_gm)
    t.BuildCCE("large", [], [dst])
    for shape, text in [
        ((2**46,), "'dst' is too large: the machine cannot allocate 140737488355328 bytes"),
        ((2**31, 2**31, 4), "run: 'dst' has more elements than memory can hold"),
    ]:
        with pytest.raises(Error, match=text):
            t.run({}, shapes={"dst": shape})


def test_a_tensor_is_no_list():
    t = instance()
    x = t.Tensor("float16", (16,), name="x", scope=tik.scope_ubuf)
    with pytest.raises(TypeError):
        list(x)
    assert x in [x] and tik.is_tik_var(x) and not tik.is_tik_var(3)
    assert repr(x) == "<tik.Tensor x (16) of float16 in local.UB>"


def test_there_are_no_addresses():
    x = instance().Tensor("int8", (32,), name="x", scope=tik.scope_gm)
    with pytest.raises(NotImplementedError, match="Tensor.access_ptr"):
        x.access_ptr("r")
