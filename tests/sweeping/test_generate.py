# SPDX-License-Identifier: Apache-2.0
"""Cases from what an operator declares."""

import itertools
import sys

import pytest
import sfumato
from some_cases import ROOT
from sfumato.sweeping import _case, generate

AXPY = ROOT / "examples" / "operator"
POLY = ROOT / "tests" / "op" / "projects" / "PolyActivation"
CHIP = "Ascend910B1"


def factors(case):
    values = {name: case["inputs"]["x"].get(name) for name in ("shape", "dtype", "values")}
    return {**values, **case.get("attrs", {})}


def test_boundary_has_every_size_of_every_combination():
    cases = list(generate(AXPY, chip=CHIP, reference="refs.py:axpy", max_elements=600, tile=256, blocks=2))
    sizes = {(case["inputs"]["x"]["dtype"], case["inputs"]["x"]["shape"][0]) for case in cases}
    lengths = {1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 600}
    assert sizes >= set(itertools.product(("float16", "float32"), lengths))
    assert {case["attrs"]["alpha"] for case in cases} == {1.0, 0.0, -2.5}
    assert len(_case.read(cases)) == len(cases)


def test_pairwise_has_every_pair():
    pytest.importorskip("allpairspy")
    attrs = {"coeffs": [[1.0, 2.0]], "activation": ["none", "relu"]}
    cases = [factors(c) for c in generate(POLY, chip=CHIP, mode="pairwise", sizes=[1, 100, 2048], attrs=attrs)]
    values = {name: [] for name in cases[0]}
    for case in cases:
        for name, value in case.items():
            if value not in values[name]:
                values[name].append(value)
    assert values["dtype"] == ["float16", "float32"] and values["clip"] == [False, True]
    assert len(values["repeat"]) == 3 and len(values["shape"]) == 3
    for a, b in itertools.combinations(values, 2):
        pairs = [(case[a], case[b]) for case in cases]
        assert all(pair in pairs for pair in itertools.product(values[a], values[b])), (a, b)
    assert len(cases) < 40


def test_shapes_of_inputs_that_differ():
    project = ROOT / "tests" / "op" / "projects" / "BiasScale"

    def shapes(n):
        return None if n < 32 else {"x": [4, n], "bias": [n], "scale": [n]}

    cases = list(generate(project, chip=CHIP, sizes=[16, 64], shapes=shapes, seeds=2))
    assert {tuple(case["inputs"]["x"]["shape"]) for case in cases} == {(4, 64)}
    assert cases[0]["inputs"]["bias"] == {"shape": [64], "dtype": "float32"}
    assert [case["seed"] for case in cases[:2]] == [0, 1]


def test_dynamic_inputs_have_one_to_three_arrays():
    project = ROOT / "tests" / "op" / "projects" / "AddNTensors"
    (name,) = [p.name for p in sfumato.load_op(project, chip=CHIP).inputs if p.kind == "dynamic"]
    assert {len(case["inputs"][name]) for case in generate(project, chip=CHIP, sizes=[64])} == {1, 2, 3}


@pytest.mark.parametrize(
    ("named", "text"),
    [
        ({"mode": "all"}, "generate: mode='all' is not known; there are boundary, pairwise"),
        ({"attrs": {"beta": [1]}}, "generate: AxpyCustom has no attribute 'beta'; it has alpha"),
        ({"shapes": lambda n: {"x": [n]}}, "generate: shapes(128) has no shape for y; found x"),
    ],
)
def test_wrong_uses(named, text):
    with pytest.raises(sfumato.Error) as error:
        list(generate(AXPY, chip=CHIP, sizes=[128], **named))
    assert str(error.value) == text


def test_a_required_attribute_needs_values():
    with pytest.raises(sfumato.Error) as error:
        list(generate(POLY, chip=CHIP))
    assert str(error.value) == "generate: PolyActivation needs the attribute coeffs (list of float): give its values"


def test_pairwise_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "allpairspy", None)
    with pytest.raises(sfumato.Error, match="pip install allpairspy"):
        list(generate(AXPY, chip=CHIP, mode="pairwise"))
