# SPDX-License-Identifier: Apache-2.0
"""Small TIK kernels for the tests."""

import numpy as np

from sfumato import tik


def instance(chip="Ascend910B1", **options):
    """A new Tik for a product; "-Vector" is the vector core of Ascend310P."""
    if chip.endswith("-Vector"):
        tik.set_current_compile_soc_info(chip.removesuffix("-Vector"), "VectorCore")
    else:
        tik.set_current_compile_soc_info(chip)
    return tik.Tik(**options)


def evaluate(build, dtype="int32", chip="Ascend910B1", feed=None, inputs=(), **options):
    """Runs a kernel that stores the values `build(t)` returns, by the scalar unit; returns them as an array."""
    t = instance(chip)
    out = t.Tensor(dtype, (32,), name="out", scope=tik.scope_gm)
    ub = t.Tensor(dtype, (32,), name="ub", scope=tik.scope_ubuf)
    given = [make(t) for make in inputs]
    values = build(t, *given)
    for i, value in enumerate(values):
        ub[i].set_as(value)
    t.data_move(out, ub, 0, 1, 32 * np.dtype(dtype).itemsize // 32, 0, 0)
    t.BuildCCE(kernel_name="evaluate", inputs=given, outputs=[out])
    (result,) = t.run(feed or {}, **options)
    return result[: len(values)].tolist()


def move_first(view, chip="Ascend910B1", dtype="int32", shape=(4, 8, 16)):
    """The first element of view(t, tensor), which a data_move finds; the tensor holds 0, 1, 2 ..."""
    t = instance(chip)
    src = t.Tensor(dtype, shape, name="src", scope=tik.scope_gm)
    seen = view(t, src)
    dst = t.Tensor(seen.dtype, (32,), name="dst", scope=tik.scope_gm)
    ub = t.Tensor(seen.dtype, (32,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, seen, 0, 1, 1, 0, 0)
    t.data_move(dst, ub, 0, 1, 1, 0, 0)
    t.BuildCCE(kernel_name="first", inputs=[src], outputs=[dst])
    array = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    (result,) = t.run({"src": array})
    return result[0], seen, array
