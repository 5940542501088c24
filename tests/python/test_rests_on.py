# SPDX-License-Identifier: Apache-2.0
"""What a result rests on, from Python: kernels of Ascend C and TIK scripts."""

import json

import numpy as np
import pytest
from conftest import KERNELS
from tik_support import instance

import sfumato
from sfumato import tik

EXP = next(n for n, line in enumerate(KERNELS.read_text().splitlines(), 1) if "Exp(x, x, 64)" in line)


def test_readings_of_a_launch(lib):
    data = np.zeros(64, np.float32)
    result = lib.exponential[2].options(rests_on=True)(data, 0.0)
    assert [(r.call, r.tag, r.line, r.count) for r in result.rests_on] == [
        ("Exp", "assumed", EXP, 4),
        ("Exp", "decided", EXP, 4),
    ]
    function, types = result.rests_on
    assert isinstance(function, sfumato.Reading)
    assert function.reading.startswith("There is no public definition beyond the special values")
    assert (types.reading, types.source) == ("Ascend910B has Exp for float.", "TIK type table, vexp")
    assert types.file == str(KERNELS) and types.switch == ""
    assert str(types) == (
        "decided [Exp] Ascend910B has Exp for float.\n"
        f"  where:  {KERNELS}:{EXP}, 4 times\n"
        "  source: TIK type table, vexp"
    )
    assert json.loads(types.json()) == {
        "call": "Exp",
        "reading": "Ascend910B has Exp for float.",
        "tag": "decided",
        "source": "TIK type table, vexp",
        "switch": "",
        "file": str(KERNELS),
        "line": EXP,
        "count": 4,
    }


def test_documented_throughout_is_an_empty_list(lib):
    data = np.zeros(64, np.float32)
    assert lib.exponential[1].options(rests_on=True)(data, 1.5).rests_on == []
    assert data[0] == 1.5


def test_nothing_is_listed_unless_asked_for(lib):
    assert lib.exponential[1](np.zeros(64, np.float32), 0.0).rests_on == []


def script(chip, call):
    """A kernel that makes one call on 128 halves in UB."""
    t = instance(chip)
    x = t.Tensor("float16", (128,), name="x", scope=tik.scope_gm)
    y = t.Tensor("float16", (128,), name="y", scope=tik.scope_gm)
    ub = t.Tensor("float16", (128,), name="ub", scope=tik.scope_ubuf)
    t.data_move(ub, x, 0, 1, 8, 0, 0)
    call(t, ub)
    t.data_move(y, ub, 0, 1, 8, 0, 0)
    t.BuildCCE(kernel_name="script", inputs=[x], outputs=[y])
    return t


def readings(t, **options):
    t.run({"x": np.ones(128, np.float16)}, rests_on=True, **options)
    return [(r.call, r.tag, r.reading[:24], r.count) for r in t.last.rests_on]


@pytest.mark.parametrize("schedule", ["eager", "late", "seed:3"])
def test_tik_scripts(schedule):
    adds = script("Ascend910", lambda t, ub: t.vec_adds(128, ub, ub, 2, 1, 8, 8))
    assert readings(adds, schedule=schedule) == []
    reciprocal = script("Ascend910", lambda t, ub: t.vec_rec(128, ub, ub, 1, 8, 8))
    assert readings(reciprocal, schedule=schedule) == [("vec_rec", "recorded", "The estimate of a board:", 1)]
    (board,) = reciprocal.last.rests_on
    assert "23 of 23 public points" in board.source and "--estimate exact" in board.switch
    there = script("Ascend310P3", lambda t, ub: t.vec_rec(128, ub, ub, 1, 8, 8))
    assert ("vec_rec", "decided") in [reading[:2] for reading in readings(there, schedule=schedule)]


def test_tik_scalars_that_are_divided():
    def halves(t, ub):
        n = t.Scalar("int32", init_value=-7)
        t.vec_adds(128, ub, ub, 2, n / -7, 8, 8)

    assert [(call, tag) for call, tag, _, _ in readings(script("Ascend910", halves))] == [("Expr", "decided")] * 2
