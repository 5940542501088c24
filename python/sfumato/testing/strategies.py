# SPDX-License-Identifier: Apache-2.0
"""Strategies for hypothesis (pip install hypothesis), biased to where kernels break.

@strategies.settings
@given(x=strategies.arrays("float16", strategies.shapes(max_elements=4096, tile=256)))
def test_add(x): ...
"""

import math
import os
from typing import Any

import numpy as np

from .._native import Error
from .._values import edge_sizes, is_prime, random, specials
from ..golden import dtype_named

try:
    import hypothesis
    from hypothesis import strategies as st
except ImportError:
    raise Error("sfumato.testing.strategies needs hypothesis: pip install hypothesis") from None

__all__ = ["arrays", "op_inputs", "settings", "shapes", "sizes", "specials"]

# A first launch compiles: no deadline. In CI the same examples every time.
settings = hypothesis.settings(deadline=None, derandomize=bool(os.environ.get("CI")))


def sizes(max_elements: int = 4096, *, align: int = 16, tile: int = 256, blocks: int = 8) -> st.SearchStrategy[int]:
    """Numbers of elements from 1 to max_elements, most of them where tails begin: 1, primes, multiples of `align` (elements of
    32 bytes), of `tile` and of what `blocks` blocks share, and their neighbours."""
    for name, value in (("max_elements", max_elements), ("align", align), ("tile", tile), ("blocks", blocks)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise Error(f"strategies: {name}={value!r} must be an int of at least 1")
    near = edge_sizes(max_elements, align, tile, blocks)
    primes = [n for n in range(2, min(max_elements, 1024) + 1) if is_prime(n)] or [1]
    return st.one_of(st.sampled_from(near), st.sampled_from(primes), st.integers(1, max_elements))


@st.composite
def shapes(
    draw: Any,
    max_elements: int = 4096,
    align: int = 16,
    *,
    tile: int = 256,
    blocks: int = 8,
    min_dims: int = 1,
    max_dims: int = 3,
) -> tuple[int, ...]:
    """Shapes of min_dims to max_dims dimensions with at most max_elements elements; the last dimension is of sizes()."""
    last = draw(sizes(max_elements, align=align, tile=tile, blocks=blocks))
    shape = [last]
    for _ in range(draw(st.integers(min_dims, max_dims)) - 1):
        room = max_elements // math.prod(shape)
        shape.insert(0, draw(st.one_of(st.just(1), st.integers(1, max(1, min(room, 2 * blocks + 1))))))
    return tuple(shape)


@st.composite
def arrays(draw: Any, dtype: Any, shape: Any, *, special: bool = True) -> np.ndarray:
    """Arrays of a type ("float16", "bfloat16", "int4", a NumPy dtype) and a shape, or of a strategy of shapes: constants, small
    integers, normal numbers, any bits; special values at some places unless special=False, which keeps them finite."""
    dtype = dtype_named(dtype)
    shape = draw(shape) if isinstance(shape, st.SearchStrategy) else shape
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = math.prod(shape)
    odd = specials(dtype)
    if not special:
        odd = odd[np.isfinite(odd.astype(np.float64))]
    kind = draw(
        st.sampled_from(["constant", "small", "normal", "bits"] if special else ["constant", "small", "normal"])
    )
    if kind == "constant":
        array = np.full(size, odd[draw(st.integers(0, odd.size - 1))])
    else:
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        array = random(rng, kind, dtype, size)
    if special and size:
        places = draw(st.dictionaries(st.integers(0, size - 1), st.integers(0, odd.size - 1), max_size=4))
        for place, value in places.items():
            array[place] = odd[value]
    return array.reshape(shape)


@st.composite
def op_inputs(draw: Any, op: Any, shape: Any = None, *, special: bool = True) -> dict[str, Any]:
    """Inputs of an operator of load_op by name, to call it with op(**inputs): one of its combinations of types, all arrays of one
    shape (`shape`: a shape, or a strategy of shapes). Optional inputs are sometimes None, dynamic ones one to three arrays."""
    shape = draw(shapes(1024)) if shape is None else draw(shape) if isinstance(shape, st.SearchStrategy) else shape
    names = [p.name for p in op.inputs]
    plain = [c for c in op.combinations if all(" " not in c[name] for name in names)]
    if not plain:
        raise Error(
            f"op_inputs: every combination of {op.name} has a format other than ND: make its inputs with arrays()"
        )
    types = draw(st.sampled_from(plain))
    inputs: dict[str, Any] = {}
    for param in op.inputs:
        one = arrays(types[param.name], shape, special=special)
        if param.kind == "dynamic":
            inputs[param.name] = draw(st.lists(one, min_size=1, max_size=3))
        else:
            inputs[param.name] = draw(st.one_of(one, st.none()) if param.kind == "optional" else one)
    return inputs
