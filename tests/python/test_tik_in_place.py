# SPDX-License-Identifier: Apache-2.0
"""One array under the names of several tensors: one piece of global memory, written back."""

import ml_dtypes
import numpy as np
import pytest
from tik_support import instance

import sfumato
from sfumato import tik


def shifted(dtype="float16", out_dtype=None, shape=(64,), out_shape=None, blocks=1):
    """y[16:32] = x[0:16] + 1, then y[32:48] = x[16:32] + 1: the second sees the first only where x is y."""
    t = instance()
    x = t.Tensor(dtype, shape, name="x", scope=tik.scope_gm)
    y = t.Tensor(out_dtype or dtype, out_shape or shape, name="y", scope=tik.scope_gm)
    ub = t.Tensor("float16", (16,), name="ub", scope=tik.scope_ubuf)
    source, target = x.reinterpret_cast_to("float16"), y.reinterpret_cast_to("float16")
    with t.for_range(0, blocks, block_num=blocks):
        for row in range(2):
            t.data_move(ub, source[row * 16], 0, 1, 1, 0, 0)
            t.vec_adds(16, ub, ub, 1, 1, 8, 8)
            t.data_move(target[row * 16 + 16], ub, 0, 1, 1, 0, 0)
    t.BuildCCE("shifted", [x], [y])
    return t


def chained(values):
    values = values.copy()
    values[16:32] = values[0:16] + np.float16(1)
    values[32:48] = values[16:32] + np.float16(1)
    return values


VALUES = np.arange(64).astype(np.float16)


@pytest.mark.parametrize("schedule", ["eager", "late", "ahead", "seed:3"])
def test_the_same_array_is_one_allocation(schedule):
    array = VALUES.copy()
    (result,) = shifted().run({"x": array, "y": array}, schedule=schedule)
    assert np.array_equal(array, chained(VALUES)) and np.array_equal(result, array)


def test_arrays_apart_stay_apart():
    x, y = VALUES.copy(), np.zeros(64, np.float16)
    (result,) = shifted().run({"x": x, "y": y})
    assert np.array_equal(x, VALUES) and not y.any()
    assert np.array_equal(result[16:48], VALUES[:32] + np.float16(1))


def test_views_of_one_array():
    array = VALUES.copy()
    program = shifted(out_dtype="int16", out_shape=(4, 16))
    program.run({"x": array, "y": array.view(np.int16).reshape(4, 16)})
    assert np.array_equal(array, chained(VALUES))


def test_offsets_known_late():
    t = instance()
    x = t.Tensor("int32", (64,), name="x", scope=tik.scope_gm)
    n = t.InputScalar("int32", name="n")
    y = t.Tensor("int32", (64,), name="y", scope=tik.scope_gm)
    last = t.Scalar("int32", name="last")
    ub = t.Tensor("int32", (8,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, x[n * 8], 0, 1, 1, 0, 0)
    t.data_move(y[n * 8 + 8], ub, 0, 1, 1, 0, 0)
    last.set_as(x[n * 8 + 9])
    x[0].set_as(last)
    t.BuildCCE("late", [x, n], [y])
    array = np.arange(64, dtype=np.int32)
    t.run({"x": array, "y": array, "n": 3})
    assert array[32:40].tolist() == list(range(24, 32)) and array[0] == 25


def test_a_fault_leaves_the_array():
    t = instance()
    x = t.Tensor("int32", (64,), name="x", scope=tik.scope_gm)
    n = t.InputScalar("int32", name="n")
    y = t.Tensor("int32", (64,), name="y", scope=tik.scope_gm)
    ub = t.Tensor("int32", (64,), name="ub", scope=tik.scope_ubuf)
    t.vec_dup(64, ub, 7, 1, 8)
    t.data_move(y, ub, 0, 1, 8, 0, 0)
    t.data_move(ub, x[n], 0, 1, 8, 0, 0)
    t.BuildCCE("wrong", [x, n], [y])
    array = np.arange(64, dtype=np.int32)
    with pytest.raises(sfumato.KernelError, match="x = y") as caught:
        t.run({"x": array, "y": array, "n": 60})
    assert caught.value.rule == "gm-out-of-range"
    assert np.array_equal(array, np.arange(64))


def refused(run):
    with pytest.raises(tik.TikError) as caught:
        run()
    return str(caught.value).split("\n  where:")[0], caught.value.found


def test_what_is_refused():
    program, base = shifted(), np.zeros(96, np.float16)
    message = "fault [feed] two arrays share memory without being the same array"
    assert refused(lambda: program.run({"x": base[:64], "y": base[32:]})) == (message, "x and y")
    wide = np.zeros(128, np.float16)[::2]
    assert refused(lambda: program.run({"x": wide, "y": wide}))[0] == message
    fixed = VALUES.copy()
    fixed.flags.writeable = False
    assert refused(lambda: program.run({"x": fixed, "y": fixed})) == (
        "fault [feed] an array that is an output too is read-only",
        "flags.writeable is False",
    )


def test_int4_is_refused():
    t = instance()
    x = t.Tensor("int4", (64,), name="x", scope=tik.scope_gm)
    y = t.Tensor("int4", (64,), name="y", scope=tik.scope_gm)
    t.BuildCCE("packed", [x], [y])
    array = np.zeros(64, ml_dtypes.int4)
    assert "share memory" in refused(lambda: t.run({"x": array, "y": array}))[0]


def test_sizes_that_differ():
    t = instance()
    x = t.Tensor("float16", (2**31 - 1,), name="x", scope=tik.scope_gm)
    y = t.Tensor("float16", (2**31 - 1,), name="y", scope=tik.scope_gm)
    t.BuildCCE("large", [x], [y])
    array = VALUES.copy()
    with pytest.raises(sfumato.Error, match="'y' shares an array of 128 bytes with another tensor, but has 256 bytes"):
        t.run({"x": array, "y": array}, shapes={"y": (128,)})
