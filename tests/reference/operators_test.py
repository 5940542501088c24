#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every reference operator against NumPy in float64: twenty shapes or more, of every layout, empty ones among them."""

import collections

import cases
import fused_cases
import numpy as np
import pytest
from calls import Tensor, call, table, type_number
from close import check

# Of these every bit is an input's. Scatter moves where it neither adds nor multiplies.
MOVES = set("Permute SWhere Cat SplitTensor SplitWithSize IndexSelect Gather Index Sort Topk".split())

GROUPS = cases.GROUPS | fused_cases.GROUPS

SEEN = collections.Counter()


@pytest.mark.parametrize("group", GROUPS)
def test_results(group):
    for number, (name, given, wanted) in enumerate(GROUPS[group]()):
        # What is written in place changes the inputs of the next case.
        if name.startswith("aclnnInplace"):
            given = list(given)
        call(name, *given)
        SEEN[name] += 1
        for place, want in wanted.items():
            results = given[place]
            results, want = (results, want) if isinstance(results, list) else ([results], [want])
            for n, (result, values) in enumerate(zip(results, want, strict=True)):
                what = f"{name}, call {number}, result {place}.{n}, {result.dtype}{list(result.shape)}"
                got, values = np.array(result.view()), np.asarray(values)
                if name.removeprefix("aclnn") in MOVES:
                    assert got.tobytes() == values.astype(got.dtype).tobytes(), what
                else:
                    check(got, values, what)


def test_the_upper_half_of_uint64():
    x = Tensor(np.array([1, 2**63 + 2**40, 3], np.uint64))
    greatest, place, floats = (Tensor(np.zeros(n, kind)) for n, kind in ((1, "uint64"), (1, "int64"), (3, "float32")))
    call("aclnnTopk", x, 1, 0, True, True, greatest, place)
    assert (greatest.view()[0], place.view()[0]) == (2**63 + 2**40, 1)
    call("aclnnCast", x, type_number("float32"), floats)
    assert np.array_equal(floats.view(), np.float32([1, 2**63 + 2**40, 3]))


@pytest.mark.parametrize("start", [2**53 + 1, 2**60 + 1, -(2**62) - 3, 2**63 - 40, -(2**63) + 40])
@pytest.mark.parametrize("step", [1, 3, -1, -7])
@pytest.mark.parametrize("steps", [0, 1, 4])
@pytest.mark.parametrize("rest", [0, 1])
def test_integers_of_arange_are_exact(start, step, steps, rest):
    want = [start + n * step for n in range(steps)]
    # The last step may lead past the end.
    end = start + steps * step - (rest * (step // abs(step)) if abs(step) > 1 and steps else 0)
    out = Tensor(np.zeros(steps, np.int64))
    call("aclnnArange", *(np.int64(number) for number in (start, end, step)), out)
    assert out.view().tolist() == want


def test_a_way_that_no_int64_counts():
    out = Tensor(np.zeros(4, np.int64))
    call("aclnnArange", *(np.int64(number) for number in (-(2**63), 2**63 - 1, 2**62)), out)
    assert out.view().tolist() == [-(2**63), -(2**62), 0, 2**62]


def test_every_operator_has_twenty_calls():
    few = {name: SEEN[name] for name in table() if SEEN[name] < (6 if "Inplace" in name else 20)}
    assert not few
