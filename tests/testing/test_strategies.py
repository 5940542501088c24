# SPDX-License-Identifier: Apache-2.0
"""The strategies make what they promise: legal arrays, of the shapes at which kernels break."""

import math
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import sfumato

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given  # noqa: E402

from sfumato.testing import strategies  # noqa: E402

MANY = hypothesis.settings(strategies.settings, max_examples=300, derandomize=True, database=None)
TYPES = ["float16", "bfloat16", "float32", "float8_e4m3fn", "int8", "uint8", "int4", "int64", "uint64", "bool", "half"]


def seen(strategy, count=300):
    values = []

    @MANY
    @given(strategy)
    def collect(value):
        values.append(value)

    collect()
    return values[:count]


def test_sizes_are_those_of_tails():
    sizes = set(seen(strategies.sizes(4096, align=16, tile=256, blocks=8)))
    assert all(1 <= n <= 4096 for n in sizes)
    for n in (1, 15, 16, 17, 255, 256, 257, 127, 128, 129, 2047, 2048, 2049, 4095, 4096):
        assert n in sizes, n
    assert any(n > 2 and all(n % k for k in range(2, n)) for n in sizes)


def test_shapes():
    shapes = seen(strategies.shapes(512, min_dims=2, max_dims=4))
    assert {len(shape) for shape in shapes} == {2, 3, 4}
    assert all(1 <= math.prod(shape) <= 512 for shape in shapes)
    assert len({shape[-1] for shape in shapes}) > 30


@pytest.mark.parametrize("dtype", TYPES)
def test_arrays(dtype):
    arrays = seen(strategies.arrays(dtype, strategies.shapes(64)))
    wanted = np.dtype(getattr(ml_dtypes, dtype, None) or {"half": "float16"}.get(dtype, dtype))
    assert {a.dtype for a in arrays} == {wanted}
    values = np.concatenate([a.reshape(-1) for a in arrays])
    bits = {v.tobytes() for v in values}
    assert all(v.tobytes() in bits for v in strategies.specials(dtype))
    if wanted.kind == "f" or "float" in wanted.name:
        tame = seen(strategies.arrays(dtype, (5,), special=False))
        assert np.isfinite(np.stack(tame).astype(np.float64)).all()


def test_op_inputs():
    op = sfumato.load_op(Path(__file__).parents[2] / "examples" / "operator", chip="Ascend910B1")
    for inputs in seen(strategies.op_inputs(op, strategies.shapes(64)), 50):
        assert set(inputs) == {p.name for p in op.inputs}
        types = {name: array.dtype.name for name, array in inputs.items()}
        assert any(all(c[name] == t for name, t in types.items()) for c in op.combinations)
        assert len({array.shape for array in inputs.values()}) == 1


def test_a_wrong_tail_is_found():
    """A function that forgets the last elements fails, and the example is small."""

    @hypothesis.settings(MANY, print_blob=False)
    @given(strategies.arrays("float16", strategies.sizes(512).map(lambda n: (n,)), special=False))
    def forgets(x):
        y = np.zeros_like(x)
        whole = x.size // 16 * 16
        y[:whole] = x[:whole]
        sfumato.testing.assert_close(y, x, "exact")

    with pytest.raises(sfumato.testing.Mismatch) as error:
        forgets()
    assert error.value.comparison.count < 16
